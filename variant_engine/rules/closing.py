"""Closing the talon, and looking back at tricks, which can cost the right to close."""

from __future__ import annotations

from ..encoding import ADMITS, SEATS, Rules
from ..options.closing import (
    BEFORE_DRAWING,
    CLOSING_DRAW,
    CLOSING_FIRST_LEAD,
    CLOSING_TALON_MIN,
    FIRST_LEAD_NOT_ALLOWED,
)
from ..options.ending import (
    LOOK_BACK,
    LOOK_LAST,
    LOOK_OWN,
)
from ..phases import BEFORE_DRAW, CLOSE_UNDRAWN, OPEN
from ..reasons import (
    ALREADY_LOOKED_BACK,
    CLOSING_TALON_TOO_SMALL,
    CLOSING_WRONG_SIDE_OF_DRAW,
    LOOK_BACK_BARS,
    NO_CLOSING_YET,
    NOTHING_TO_LOOK_AT,
)
from ..state import FACE_DOWN, LOOKED_BACK, TRICKS, State


def tricks_taken(rules: Rules, state: State) -> int:
    """How many tricks have been taken in the deal by all seats."""
    tricks = 0
    for seat in range(rules[SEATS]):
        tricks += state[TRICKS + seat]
    return tricks


def closing_bars(rules: Rules, state: State, seat: int, undrawn: bool) -> int:
    """The reasons why the seat on lead may not close now, where closing is admitted.

    ``undrawn``: instead of drawing, right after a trick.
    """
    reasons = 0
    if rules[CLOSING_FIRST_LEAD] == FIRST_LEAD_NOT_ALLOWED and tricks_taken(rules, state) == 0:
        reasons |= 1 << NO_CLOSING_YET
    # Before the first lead nothing is drawn, so that there is no side of the draw to be wrong about.
    if rules[CLOSING_DRAW] == BEFORE_DRAWING and not undrawn and tricks_taken(rules, state) > 0:
        reasons |= 1 << CLOSING_WRONG_SIDE_OF_DRAW
    if state[FACE_DOWN] < rules[CLOSING_TALON_MIN]:
        reasons |= 1 << CLOSING_TALON_TOO_SMALL
    if state[LOOKED_BACK + seat]:
        reasons |= 1 << LOOK_BACK_BARS
    return reasons


def may_close_undrawn(rules: Rules, state: State, seat: int) -> bool:
    """Whether the winner of the trick just taken has the choice to close instead of drawing."""
    return (
        rules[ADMITS + 3 * BEFORE_DRAW + OPEN] >> CLOSE_UNDRAWN & 1 == 1
        and closing_bars(rules, state, seat, True) == 0
    )


def look_back_bars(rules: Rules, state: State, seat: int) -> int:
    """The reasons why the seat to move may not look back, at a price, beyond what is free."""
    free = rules[LOOK_BACK]
    if state[LOOKED_BACK + seat]:
        return 1 << ALREADY_LOOKED_BACK
    tricks = tricks_taken(rules, state)
    if free == LOOK_LAST:
        tricks -= 1
    elif free == LOOK_OWN:
        tricks -= state[TRICKS + seat]
    return 1 << NOTHING_TO_LOOK_AT if tricks <= 0 else 0
