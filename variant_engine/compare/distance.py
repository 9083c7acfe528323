"""How far rulesets lie apart: the options in which they differ, and of these the ones that show in a deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..options import OPTIONS
from ..ruleset import Ruleset
from .kinds import PARTS, SCORE, kind_of

#: Fewer deals than for a single difference, since there are many.
DEALS = 300


@dataclass(frozen=True, slots=True)
class Distance:
    """Between two rulesets: the options that differ, those that part them in play, and those that change the score."""

    names: tuple[str, str]
    differ: tuple[str, ...]
    parting: tuple[str, ...]
    scoring: tuple[str, ...]

    @property
    def weight(self) -> tuple[int, int, int]:
        """By which distances are compared: options that part in play, then those of the score, then all."""
        return len(self.parting), len(self.scoring), len(self.differ)

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {
            "rulesets": list(self.names),
            "differ": list(self.differ),
            "part_in_play": list(self.parting),
            "other_score": list(self.scoring),
        }


@dataclass(frozen=True)
class Distances:
    """All pairs of some rulesets. ``nearest`` gives for each name the other that lies nearest, the first of equals."""

    names: tuple[str, ...]
    pairs: tuple[Distance, ...]

    def between(self, one: str, two: str) -> Distance:
        """The distance of two of them, in either order."""
        return next(pair for pair in self.pairs if set(pair.names) == {one, two})

    @property
    def nearest(self) -> dict[str, str]:
        """The nearest neighbour of each."""
        return {name: self._nearest(name) for name in self.names}

    def _nearest(self, name: str) -> str:
        others = [other for other in self.names if other != name]
        return min(others, key=lambda other: self.between(name, other).weight)

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {
            "rulesets": list(self.names),
            "pairs": [pair.as_json() for pair in self.pairs],
            "nearest": self.nearest,
        }


def distance(one: Ruleset, two: Ruleset, deals: int = DEALS) -> Distance:
    """How far two rulesets lie apart."""
    differ = tuple(option.name for option in OPTIONS if one.values[option.name] != two.values[option.name])
    kinds = {name: kind_of(one, two, name, deals) for name in differ}
    return Distance(
        (one.id, two.id),
        differ,
        tuple(name for name in differ if kinds[name] == PARTS),
        tuple(name for name in differ if kinds[name] == SCORE),
    )


def distances(rulesets: Sequence[Ruleset], deals: int = DEALS) -> Distances:
    """How far each two of some rulesets lie apart."""
    pairs = tuple(distance(one, two, deals) for one, two in combinations(rulesets, 2))
    return Distances(tuple(rules.id for rules in rulesets), pairs)
