"""Sixty-Six and its family: each author's rules as data, and one state machine that plays any of them.

>>> import variant_engine as ve
>>> deal = ve.deal(ve.load("foster"), seed=7)
>>> deal.to_move
0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .games import Game, game
    from .notation import NotationError
    from .positions import PositionError, position
    from .ruleset import Head, Ruleset
    from .table import Deal, IllegalMove, Move, Result, View, deal, parse

__version__ = "0.1.0"


#: Where the public names live. They are imported when first used: listing rulesets needs no engine. No module of this
#: package may be called like one of them, or importing it would take the name's place.
_HOMES = {
    "games": ("Game", "game"),
    "notation": ("NotationError",),
    "positions": ("PositionError", "position"),
    "table": ("Deal", "IllegalMove", "Move", "Result", "View", "deal", "parse"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


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


def cut_down(rules: Ruleset, *, suits: int | str = 4, ranks: str, hand: int, marriages: bool = False) -> Ruleset:
    """The same rules for a small pack, for proofs and exact values; see :func:`variant_engine.cutdown.cut_down`."""
    from .cutdown import cut_down as make

    return make(rules, suits=suits, ranks=ranks, hand=hand, marriages=marriages)


__all__ = [
    "Deal",
    "Game",
    "IllegalMove",
    "Move",
    "NotationError",
    "PositionError",
    "Result",
    "View",
    "cut_down",
    "deal",
    "game",
    "load",
    "parse",
    "position",
    "rulesets",
]
