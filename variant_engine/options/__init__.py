"""The option registry: every question on which written rules differ, each declared once.

The chapters are imported in the order of a card book; that order is the registry's order, in which refusals list the
options that bar a move.
"""

from __future__ import annotations

from . import deal as deal  # isort: skip  (the order of these imports is the order of the registry)
from . import play as play  # isort: skip
from . import marriage as marriage  # isort: skip
from . import exchange as exchange  # isort: skip
from . import closing as closing  # isort: skip
from . import ending as ending  # isort: skip
from .declare import AFFECTS, CHAPTERS, Condition, Differing, Need, Option, Requirement, Value, declared

OPTIONS: tuple[Option, ...] = declared()
BY_NAME: dict[str, Option] = {option.name: option for option in OPTIONS}

__all__ = [
    "AFFECTS",
    "BY_NAME",
    "CHAPTERS",
    "OPTIONS",
    "Condition",
    "Differing",
    "Need",
    "Option",
    "Requirement",
    "Value",
]
