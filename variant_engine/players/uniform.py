"""Random play: uniform over what a sensible player would consider at all."""

from __future__ import annotations

from ..cards import lowest_of
from ..encoding import Rules
from ..engine import CLAIMS, LOOKS_BACK, legal
from ..phases import CLAIM_MOVE, LOOK_BACK_MOVE
from ..rules.ending import has_target
from ..state import State


def sensible(rules: Rules, state: State, seat: int, moves: int) -> int:
    """The legal moves without looking back and without a wrong claim; a right claim stands alone."""
    claim = 1 << CLAIM_MOVE
    if moves & claim and has_target(rules, state, seat):
        return claim
    return moves & ~(claim | 1 << LOOK_BACK_MOVE)


def sensible_moves(rules: Rules, state: State, seat: int) -> int:
    """What :func:`sensible` leaves of all the seat's legal moves, found without listing the others first."""
    if has_target(rules, state, seat) and legal(rules, state, seat, CLAIMS):
        return 1 << CLAIM_MOVE
    return legal(rules, state, seat, ~(CLAIMS | LOOKS_BACK))


def uniform_move(moves: int, nth: int) -> int:
    """The code of the ``nth`` move (from 0) of a mask."""
    for _ in range(nth):
        moves &= moves - 1
    return lowest_of(moves)
