"""Random play: uniform over what a sensible player would consider at all."""

from __future__ import annotations

from ..encoding import Rules
from ..phases import CLAIM_MOVE, LOOK_BACK_MOVE, MOVE_COUNT
from ..rules.ending import has_target
from ..state import State


def sensible(rules: Rules, state: State, seat: int, moves: int) -> int:
    """The legal moves without looking back and without a wrong claim; a right claim stands alone."""
    claim = 1 << CLAIM_MOVE
    if moves & claim and has_target(rules, state, seat):
        return claim
    return moves & ~(claim | 1 << LOOK_BACK_MOVE)


def number_of(moves: int) -> int:
    """How many moves a mask has."""
    count = 0
    while moves:
        moves &= moves - 1
        count += 1
    return count


def uniform_move(moves: int, nth: int) -> int:
    """The code of the ``nth`` move (from 0) of a mask."""
    for _ in range(nth):
        moves &= moves - 1
    for move in range(MOVE_COUNT):
        if moves >> move & 1:
            return move
    return -1
