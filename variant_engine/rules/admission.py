"""Which kinds of move are admitted where a deal stands, and which options take the others out."""

from __future__ import annotations

from ..encoding import ADMITS, ADMITS_OTHERS, Rules
from ..narrowing import ROW_KIND, ROW_OPTION, ROW_PLACES, ROW_REASON, ROW_VALUES, ROW_WHO, ROWS
from ..state import PHASE, TALON, TO_MOVE, State


def admitted(rules: Rules, state: State, seat: int) -> int:
    """The kinds of moves (bits) that the phase table and the options leave to the seat."""
    place = 3 * state[PHASE] + state[TALON]
    return rules[ADMITS + place] if seat == state[TO_MOVE] else rules[ADMITS_OTHERS + place]


def narrowing_bars(rules: Rules, state: State, seat: int, kind: int) -> int:
    """The reasons why options bar a kind of move throughout the phase the deal is in."""
    place = 3 * state[PHASE] + state[TALON]
    who = 1 if seat == state[TO_MOVE] else 2
    reasons = 0
    for row in range(ROWS):
        if (
            ROW_KIND[row] == kind
            and ROW_PLACES[row] >> place & 1
            and ROW_WHO[row] & who
            and ROW_VALUES[row] >> rules[ROW_OPTION[row]] & 1
        ):
            reasons |= 1 << ROW_REASON[row]
    return reasons
