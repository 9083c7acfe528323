"""Players: functions ``choose(view, rng) -> Move``. A player sees a view, never the deal.

Each is a function of the core's subset (rules, what the seat may know, seat, legal moves, a random number), so that the
same source runs plain and compiled; here it gets its public face.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from ..table import Move, View
from .greedy import greedy_move
from .uniform import sensible


class Rng(Protocol):
    """Where players get their random numbers: ``random.Random``, or a :class:`variant_engine.shuffle.Stream`."""

    def randrange(self, below: int, /) -> int:
        """A number from 0 to ``below - 1``."""


Player = Callable[[View, Rng], Move]


def choose_random(view: View, rng: Rng) -> Move:
    """Uniformly among the legal moves, without ``@`` or a wrong claim, and claiming as soon as it is right."""
    # The moves are in the order of their codes, so that this is ``uniform_move`` of the same number.
    moves = view._moves.among(sensible(view._ints, view._state, view.seat, view._legal_mask()))
    return moves[rng.randrange(len(moves))]


def choose_greedy(view: View, rng: Rng) -> Move:
    """By the rules of thumb in :mod:`variant_engine.players.greedy`; takes no random numbers."""
    moves = sensible(view._ints, view._state, view.seat, view._legal_mask())
    return view.move(greedy_move(view._ints, view._state, view.seat, moves))


PLAYERS: Mapping[str, Player] = {"random": choose_random, "greedy": choose_greedy}
