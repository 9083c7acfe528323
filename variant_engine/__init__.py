"""Sixty-Six and its family: each author's rules as data, and one state machine that plays any of them.

>>> import variant_engine as ve
>>> deal = ve.deal(ve.load("foster"), seed=7)
>>> deal.to_move
0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .game import Game, game
from .notation import NotationError
from .position import PositionError, position
from .table import Deal, IllegalMove, Move, Result, View, deal, parse

if TYPE_CHECKING:
    from .ruleset import Head, Ruleset

__version__ = "0.1.0"


def load(name: str) -> Ruleset:
    """The ruleset with a shipped id, or in the file at a path.

    Raises a :class:`~variant_engine.diagnostics.RuleFileError`, which lists every problem with its place.
    """
    from .loading import load as load_ruleset

    return load_ruleset(name)


def rulesets() -> tuple[Head, ...]:
    """The heads of the rulesets that ship: id, title, kind, lineage, language."""
    from .loading import rulesets as shipped

    return shipped()


__all__ = [
    "Deal",
    "Game",
    "IllegalMove",
    "Move",
    "NotationError",
    "PositionError",
    "Result",
    "View",
    "deal",
    "game",
    "load",
    "parse",
    "position",
    "rulesets",
]
