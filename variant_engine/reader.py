"""Reading written moves back into a deal: what records and case files have in common."""

from __future__ import annotations

import re

from .encoding import ADMITS
from .notation import SEATS, Move
from .phases import (
    ANNOUNCE,
    ANSWER,
    BEFORE_DRAW,
    CLAIM_MOVE,
    CLOSE_UNDRAWN,
    CLOSE_UNDRAWN_MOVE,
    DRAW_MOVE,
    OPEN,
    kind_of,
)
from .state import PHASE, TO_MOVE
from .table import Deal, parse

#: What any token looks like, whatever the rules; a seat may stand in front.
TOKEN = re.compile(r"(?:[A-D]:)?(?:[SHDC][ATKQJ987]|\+\d{1,3}[SHDC]|\^[SHDC][ATKQJ987]|-|\|\|?|=|66|@)")


def moves_for(deal: Deal, token: str) -> tuple[Move, ...]:
    """The moves that a written token stands for in a deal.

    Usually one. An announcement that names no seat while a card waits for its answer can only be the leader's, made
    good late, and is read so. A draw that was left unwritten is put in front of any token but ``=``, ``||`` and
    ``66``. A claim written after a deal that ended by itself, because somebody reached the target, stands for
    nothing: the result is then empty. Raises :class:`~variant_engine.notation.NotationError` for what cannot be read.
    """
    move = parse(deal, token)
    if move.seat is None and deal._state[PHASE] == ANSWER and kind_of(move.code) == ANNOUNCE:
        move = parse(deal, f"{SEATS[deal.leader]}:{token}")
    if deal.over and move.code == CLAIM_MOVE and _ended_by_itself(deal, move):
        return ()
    state = deal._state
    unwritten = (DRAW_MOVE, CLOSE_UNDRAWN_MOVE, CLAIM_MOVE)
    if state[PHASE] == BEFORE_DRAW and move.code not in unwritten:
        return parse(deal, "="), move
    return (move,)


def is_idle_draw(deal: Deal, move: Move) -> bool:
    """Whether a move is the draw where, by these rules, there never is a choice before it, so that nobody makes it."""
    return move.code == DRAW_MOVE and not deal._ints[ADMITS + 3 * BEFORE_DRAW + OPEN] >> CLOSE_UNDRAWN & 1


def _ended_by_itself(deal: Deal, claim: Move) -> bool:
    result = deal.result
    if result is None or not deal.claims_itself or result.winner is None:
        return False
    if claim.seat not in (None, result.winner) and claim.seat != deal._state[TO_MOVE]:
        return False
    return deal.claim_is_right(result.winner)
