"""Distances as a picture: a tree in which the rulesets that lie nearest are joined first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..compare.distance import Distances

#: Sizes in the picture's own units.
ROW, LEFT, WIDTH, TOP = 30, 10, 420, 8
_LABEL = 9.8


@dataclass(frozen=True, slots=True)
class Join:
    """Two groups that are joined, and at which distance: the mean over all pairs between them."""

    one: tuple[str, ...]
    two: tuple[str, ...]
    distance: float


@dataclass(frozen=True, slots=True)
class Tree:
    """The joins from the nearest to the farthest, and what to draw: lines, labels and ticks with their places."""

    joins: tuple[Join, ...]
    lines: tuple[tuple[float, float, float, float], ...]
    labels: tuple[tuple[float, float, str], ...]
    ticks: tuple[tuple[float, int], ...]
    width: float
    height: float
    floor: float

    @property
    def sentences(self) -> tuple[str, ...]:
        """The tree in words."""
        return tuple(f"{_listed(join.one)} and {_listed(join.two)} at {join.distance:.3g}" for join in self.joins)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"the group of {', '.join(names[:-1])} and {names[-1]}"


def apart(distances: Distances, one: str, two: str) -> int:
    """The distance that is drawn: the options whose difference shows in some deal."""
    pair = distances.between(one, two)
    return len(pair.parting) + len(pair.scoring)


def joined(names: Sequence[str], between: Callable[[str, str], float]) -> tuple[Join, ...]:
    """Average linkage: join the two groups with the smallest mean distance (the first of equals) until one is left."""
    groups: list[tuple[str, ...]] = [(name,) for name in names]
    joins = []
    while len(groups) > 1:
        pairs = [(one, two) for place, one in enumerate(groups) for two in groups[place + 1 :]]
        means = [sum(between(a, b) for a in one for b in two) / (len(one) * len(two)) for one, two in pairs]
        nearest = means.index(min(means))
        one, two = pairs[nearest]
        joins.append(Join(one, two, means[nearest]))
        groups = [(*one, *two) if group is one else group for group in groups if group is not two]
    return tuple(joins)


def tree(distances: Distances) -> Tree:
    """The tree of some rulesets."""
    joins = joined(distances.names, lambda one, two: apart(distances, one, two))
    order = (*joins[-1].one, *joins[-1].two)
    farthest = max(join.distance for join in joins)
    scale = WIDTH / farthest if farthest else 0.0
    right = LEFT + WIDTH

    def across(distance: float) -> float:
        # The leaves stand at the right; the farther a join, the further to the left.
        return round(right - distance * scale, 1)

    places: dict[tuple[str, ...], tuple[float, float]] = {
        (name,): (across(0), TOP + ROW * (row + 0.5)) for row, name in enumerate(order)
    }
    lines = []
    for join in joins:
        (x1, y1), (x2, y2) = places[join.one], places[join.two]
        x = across(join.distance)
        lines += [(x1, y1, x, y1), (x2, y2, x, y2), (x, y1, x, y2)]
        places[(*join.one, *join.two)] = (x, (y1 + y2) / 2)
    floor = TOP + ROW * len(order)
    step = next((step for step in (1, 2, 5, 10, 20) if farthest / step <= 6), 50)
    ticks = [(across(number), number) for number in range(0, int(farthest) + 1, step)]
    width = right + 12 + _LABEL * max(len(name) for name in order)
    labels = [(right + 8.0, places[name,][1], name) for name in order]
    return Tree(joins, tuple(lines), tuple(labels), tuple(ticks), width, floor + 46, floor)
