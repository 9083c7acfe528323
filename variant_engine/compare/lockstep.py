"""Two rulesets side by side: the same pack, dealer and moves under both, until they part.

They *part* where a move of some seat is allowed by one and refused by the other, or where the deal is over under both
with another winner, other game points or another carry. The name of the reason and the counts of card points are not
looked at: what nobody scores or plays by is no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..differing import differing_moves, same_result
from ..encoding import PACK, SEATS, Rules
from ..engine import bars, legal, play
from ..phases import (
    BEFORE_DRAW,
    CLOSE_UNDRAWN_MOVE,
    DECLINE_MOVE,
    DRAW_MOVE,
    EXCHANGE_MOVE,
    MOVE_COUNT,
    OFFER,
    OVER,
)
from ..reasons import REASONS
from ..rules.dealing import deal_cards
from ..state import CARRY, PHASE, TO_MOVE, State, blank_state

#: A seat and the code of its move.
Step = tuple[int, int]

_FROM_OPTIONS = sum(1 << bit for bit, reason in enumerate(REASONS) if reason.option is not None)


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two rulesets part after some moves: a move that only one allows, or the result (seat and move -1)."""

    seat: int
    move: int

    @property
    def is_result(self) -> bool:
        """Whether it is the result that differs."""
        return self.move < 0


RESULT = Parting(-1, -1)


def dealt(ints: Rules, pack: Sequence[int], dealer: int, carry: int) -> State:
    """The state in which a pack is dealt; raises :class:`ValueError` for a pack of other cards than the rules'."""
    if len(pack) != ints[PACK].bit_count() or any(not ints[PACK] >> card & 1 for card in pack):
        raise ValueError("the rules are for other cards than these")
    state = blank_state()
    deal_cards(ints, state, pack, dealer, 0)
    state[CARRY] = carry
    return state


def parting(one: Rules, here: State, two: Rules, there: State) -> Parting | None:
    """Where the rulesets part in these two states, which the same moves led to; None if they do not yet."""
    if here[PHASE] == OVER and there[PHASE] == OVER:
        return None if same_result(here, there) else RESULT
    mover = there[TO_MOVE] if here[PHASE] == OVER else here[TO_MOVE]
    for away in range(one[SEATS]):
        seat = (mover + away) % one[SEATS]
        differ = differing_moves(one, here, two, there, seat)
        if differ:
            return Parting(seat, telling_move(one, here, two, there, seat, differ))
    return None


def telling_move(one: Rules, here: State, two: Rules, there: State, seat: int, differ: int) -> int:
    """Of some moves that differ the one that shows best why: what a choice is about, or what an option bars."""
    phases = (here[PHASE], there[PHASE])
    first: tuple[int, ...] = ()
    if BEFORE_DRAW in phases and phases[0] != phases[1]:
        # Elsewhere the draw goes by itself, so that every move differs; the matter is the closing.
        first = (CLOSE_UNDRAWN_MOVE,)
    elif OFFER in phases and phases[0] != phases[1]:
        first = (EXCHANGE_MOVE, DECLINE_MOVE)
    for move in first:
        if differ >> move & 1:
            return move
    codes = [move for move in range(MOVE_COUNT) if differ >> move & 1]
    for move in codes:
        mine = bars(one, here, seat, move)
        if (mine or bars(two, there, seat, move)) & _FROM_OPTIONS:
            return move
    return codes[0]


@dataclass(frozen=True, slots=True)
class Course:
    """What came of playing a line of moves under two rulesets: those that both play, and where they then part."""

    moves: tuple[Step, ...]
    parting: Parting
    #: Whether the first ruleset is the one that allows the move; means nothing for a result.
    first_allows: bool


def follow(
    one: Rules, two: Rules, pack: Sequence[int], dealer: int, carry: int, moves: Sequence[Step]
) -> Course | None:
    """Play moves under both until the rulesets part.

    None if they do not, or if a move that comes before is not allowed.
    """
    here, there = dealt(one, pack, dealer, carry), dealt(two, pack, dealer, carry)
    for number in range(len(moves) + 1):
        where = parting(one, here, two, there)
        if where is not None:
            allows = where.is_result or legal(one, here, where.seat) >> where.move & 1 == 1
            return Course(tuple(moves[:number]), where, allows)
        if number == len(moves):
            return None
        seat, move = moves[number]
        if not legal(one, here, seat) >> move & 1:
            return None
        play(one, here, seat, move)
        play(two, there, seat, move)
    return None


def counted(moves: Sequence[Step]) -> int:
    """How many moves these are. Drawing is not counted where it is a choice, since elsewhere it goes by itself."""
    return sum(move != DRAW_MOVE for _, move in moves)


def declarations(moves: Sequence[Step]) -> int:
    """How many of the moves are more than playing a card or drawing."""
    return sum(move >= 32 and move != DRAW_MOVE for _, move in moves)
