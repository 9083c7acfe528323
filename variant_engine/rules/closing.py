"""Closing the talon, and looking back at tricks, which can cost the right to close."""

from __future__ import annotations

from ..encoding import SEATS, Rules
from ..options.closing import (
    AFTER_DRAWING,
    BEFORE_DRAWING,
    CLOSING,
    CLOSING_DRAW,
    CLOSING_FIRST_LEAD,
    CLOSING_NOT_PLAYED,
    CLOSING_TALON_MIN,
    FIRST_LEAD_NOT_ALLOWED,
)
from ..options.ending import (
    LOOK_ALL,
    LOOK_BACK,
    LOOK_BACK_PRICE,
    LOOK_LAST,
    LOOK_OWN,
    LOOKING_FORBIDDEN,
)
from ..reasons import (
    ALREADY_LOOKED_BACK,
    CLOSING_TALON_TOO_SMALL,
    CLOSING_WRONG_SIDE_OF_DRAW,
    LOOK_BACK_BARS,
    NO_CLOSING,
    NO_CLOSING_YET,
    NOTHING_HIDDEN,
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
    """The reasons why the seat on lead may not close; ``undrawn``: instead of drawing, right after a trick."""
    if rules[CLOSING] == CLOSING_NOT_PLAYED:
        return 1 << NO_CLOSING
    reasons = 0
    if tricks_taken(rules, state) == 0:
        # Before the first lead nothing is drawn, so that there is no side of the draw to be wrong about.
        if rules[CLOSING_FIRST_LEAD] == FIRST_LEAD_NOT_ALLOWED:
            reasons |= 1 << NO_CLOSING_YET
    elif rules[CLOSING_DRAW] == (AFTER_DRAWING if undrawn else BEFORE_DRAWING):
        reasons |= 1 << CLOSING_WRONG_SIDE_OF_DRAW
    if state[FACE_DOWN] < rules[CLOSING_TALON_MIN]:
        reasons |= 1 << CLOSING_TALON_TOO_SMALL
    if state[LOOKED_BACK + seat]:
        reasons |= 1 << LOOK_BACK_BARS
    return reasons


def look_back_bars(rules: Rules, state: State, seat: int) -> int:
    """The reasons why the seat to move may not look back, at a price, beyond what is free."""
    free = rules[LOOK_BACK]
    if free == LOOK_ALL:
        return 1 << NOTHING_HIDDEN
    if rules[LOOK_BACK_PRICE] == LOOKING_FORBIDDEN:
        return 1 << LOOK_BACK_BARS
    if state[LOOKED_BACK + seat]:
        return 1 << ALREADY_LOOKED_BACK
    tricks = tricks_taken(rules, state)
    if free == LOOK_LAST:
        tricks -= 1
    elif free == LOOK_OWN:
        tricks -= state[TRICKS + seat]
    return 1 << NOTHING_TO_LOOK_AT if tricks <= 0 else 0
