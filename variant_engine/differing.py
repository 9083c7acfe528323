"""Two rulesets in two states: which moves only one of them allows, and whether two deals ended alike.

Part of the compilable core; see :mod:`variant_engine.state` for what that allows.
"""

from __future__ import annotations

from .encoding import EXCHANGE_PLACE, Rules
from .engine import EVERY_KIND, legal
from .phases import EXCHANGE_MOVE, MOVE_COUNT
from .state import CARRY, SCORED, WINNER, State

#: Every move there is; a lazy deal has bits beyond these in its hands.
ALL_MOVES = (1 << MOVE_COUNT) - 1
_EXCHANGE = 1 << EXCHANGE_MOVE


def apart(one: Rules, mine: int, two: Rules, other: int) -> int:
    """Of two sets of moves, each legal under one ruleset, those that are in one only."""
    differ = mine ^ other
    if (mine | other) & _EXCHANGE and one[EXCHANGE_PLACE] != two[EXCHANGE_PLACE]:
        # Exchanging the jack and exchanging the nine are not the same move.
        differ |= _EXCHANGE
    return differ


def differing_moves(one: Rules, here: State, two: Rules, there: State, seat: int) -> int:
    """The moves of a seat that one ruleset allows in its state and the other refuses in its own, as a mask."""
    mine = legal(one, here, seat, EVERY_KIND) & ALL_MOVES
    return apart(one, mine, two, legal(two, there, seat, EVERY_KIND) & ALL_MOVES)


def same_result(here: State, there: State) -> bool:
    """Whether two deals that are over have the same winner, game points and carry."""
    return here[WINNER] == there[WINNER] and here[SCORED] == there[SCORED] and here[CARRY] == there[CARRY]
