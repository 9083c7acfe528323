"""What a comparison found: how often each variant was reached and changed anything, and by how much, with intervals.

Everything follows from integer sums, so that two runs over the same deals agree to the last digit. All intervals are
at 95 %. Shares have Wilson's.

A difference's interval is over the units' own differences (a *paired* interval): deals are the same under both, so that
what they have in common cancels out. The normal interval knows nothing of changes too rare to have been seen; so it is
taken as if Z squared (3.84) units more had been changed, each by the most a unit can. Of 0/1 differences that is nearly
Tango's score interval (1998) with its centre left where it is; for a rule that changed nothing in *n* units it comes to
3.84/*n* times that most either way, where an exact bound on the share of changes is 3.69/*n*. Thousands of changes make
it the normal interval again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import hypot, sqrt
from typing import Any

from ..ruleset import Ruleset
from ..shuffle import VERSION
from ..simulate.lots import LOTS
from ..simulate.result import LEVEL, Estimate, Z, mean, share
from ..simulate.tasks import Sums
from . import paired as at

Value = str | int


@dataclass(frozen=True, slots=True)
class Variant:
    """A ruleset held against the first one: with one option changed, or with all that differ (``option`` None)."""

    label: str
    option: str | None
    before: Value | None
    value: Value | None
    rules: Ruleset


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean under the first ruleset and under a variant, and the difference with its interval.

    ``saved`` is how many times as many deals it would take without pairing for an interval as narrow; None where the
    two never differ, or were not paired.
    """

    first: float
    variant: float
    value: float
    low: float | None
    high: float | None
    saved: float | None = None

    @property
    def shows(self) -> bool:
        """Whether the interval leaves out nought."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {name: getattr(self, name) for name in ("first", "variant", "value", "low", "high", "saved")}


@dataclass(frozen=True, slots=True)
class Effect:
    """What a variant did among certain players.

    ``reached``, ``play``, ``result`` are shares of deals: in which it made any difference to what may be done or to the
    state of the deal, in which other cards were played, in which winner, game points or carry were others; None where
    deals were not paired. ``scored`` are game points of whoever scores, a deal; ``lead`` those of A less those of B;
    ``forehand`` those of forehand less those of the dealer. Of games, in which A is forehand first: ``games`` are those
    won by A, ``length`` their deals, ``games_result`` the share won by another.
    """

    variant: Variant
    reached: Estimate | None
    play: Estimate | None
    result: Estimate | None
    scored: Difference
    lead: Difference
    forehand: Difference
    games: Difference
    length: Difference
    games_result: Estimate | None

    @property
    def weight(self) -> tuple[float, ...]:
        """The higher, the more it matters: by changed results, then by games, play, and being reached."""
        found = (self.result, self.games_result, self.play, self.reached)
        return tuple(estimate.value if estimate else 0.0 for estimate in found)

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        variant = self.variant
        data: dict[str, Any] = {
            "label": variant.label, "option": variant.option, "before": variant.before, "value": variant.value,
        }  # fmt: skip
        for name in ("reached", "play", "result", "games_result"):
            estimate = getattr(self, name)
            data[name] = estimate.as_json() if estimate else None
        return data | {name: getattr(self, name).as_json() for name in DIFFERENCES}


DIFFERENCES = ("scored", "lead", "forehand", "games", "length")
#: Where the differences stand in the sums: of which unit, and which measure.
_MEASURES = {
    "scored": (0, at.GAME_POINTS), "lead": (0, at.LEAD), "forehand": (0, at.FOREHAND),
    "games": (1, at.A_WINS), "length": (1, at.LENGTH),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Explained:
    """How much of the whole difference in one respect the single changes explain.

    ``parts`` are their differences added up, ``rest`` what is left of the whole; ``ratio`` that of parts to whole with
    its interval, where the whole is known to within a half of itself.
    """

    whole: Estimate
    parts: Estimate
    rest: Estimate
    ratio: Estimate | None

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        names = ("whole", "parts", "rest", "ratio")
        found = {name: getattr(self, name) for name in names}
        return {name: found[name].as_json() if found[name] else None for name in names}


@dataclass(frozen=True)
class Panel:
    """What was found with certain players at the table, from the sums over deals and over games.

    ``others`` are the sums over other deals for the variants, where deals were not paired.
    """

    players: tuple[str, ...]
    variants: tuple[Variant, ...]
    sums: tuple[Sums, Sums]
    others: tuple[Sums, Sums] | None = None
    has_whole: bool = False
    #: The most game points that a deal scores under any of the rulesets.
    most_game_points: int = 1

    @property
    def deals(self) -> int:
        """How many deals were played under each ruleset."""
        return self.sums[0][at.UNITS]

    @property
    def game_count(self) -> int:
        """How many games were played under each ruleset."""
        return self.sums[1][at.UNITS]

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """What each variant did, in the order of the variants."""
        return tuple(self._effect(place, variant) for place, variant in enumerate(self.variants))

    @property
    def ranked(self) -> tuple[Effect, ...]:
        """The effects of single options, those that matter most first."""
        single = [effect for effect in self.effects if effect.variant.option is not None]
        return tuple(sorted(single, key=lambda effect: tuple(-part for part in effect.weight)))

    @property
    def whole(self) -> Effect | None:
        """The effect of all changes together."""
        return next((effect for effect in self.effects if effect.variant.option is None), None)

    def telling(self, effect: Effect) -> Difference:
        """The difference in game points that can show: of equal players A's and B's are the same but for chance."""
        one, two = self.players
        return effect.forehand if one == two else effect.lead

    @property
    def unseen(self) -> float | None:
        """The highest share of deals that what was never seen may yet have; None where nothing is known of it."""
        return None if self.others is not None else share(0, self.deals).high

    def _effect(self, place: int, variant: Variant) -> Effect:
        block = at.VARIANTS + place * at.VARIANT_LENGTH

        def counted(unit: int, index: int) -> Estimate | None:
            if self.others is not None:
                return None
            return share(self.sums[unit][block + index], self.sums[unit][at.UNITS])

        found = {name: self._difference(block, *where) for name, where in _MEASURES.items()}
        return Effect(
            variant, counted(0, at.REACHED), counted(0, at.PLAY_CHANGED), counted(0, at.RESULT_CHANGED),
            **found, games_result=counted(1, at.RESULT_CHANGED),
        )  # fmt: skip

    def _difference(self, block: int, unit: int, measure: int) -> Difference:
        sums = self.sums[unit]
        others = sums if self.others is None else self.others[unit]
        number, other_number = sums[at.UNITS], others[at.UNITS]
        if number == 0 or other_number == 0:
            return Difference(0.0, 0.0, 0.0, None, None)
        mine = _moments(sums, at.FIRST, measure)
        own = _moments(others, block + at.OWN, measure)
        before, after = mine[0] / number, own[0] / other_number
        if self.others is not None:
            if (unit, measure) == _MEASURES["games"]:
                found = share_apart(share(mine[0], number), share(own[0], other_number))
            else:
                found = mean_apart(mean(*mine, number), mean(*own, other_number))
            return Difference(before, after, found.value, found.low, found.high)
        moments = _moments(sums, block + at.DIFFERENCE, measure)
        found = rare_mean(*moments, number, self._most(block, unit, measure))
        apart = _variance(mine, number) + _variance(own, number)
        together = _variance(moments, number)
        return Difference(before, after, found.value, found.low, found.high, apart / together if together > 0 else None)

    def _most(self, block: int, unit: int, measure: int) -> float:
        """The most by which a unit can change a measure; of lengths, which have no such bound, what is usual unpaired.

        What A has more than B goes from minus to plus the most that a deal scores.
        """
        if unit == 0:
            return self.most_game_points * (1 if measure == at.GAME_POINTS else 2)
        if measure == at.A_WINS:
            return 1
        sums = self.sums[unit]
        number = sums[at.UNITS]
        return sqrt(_variance(_moments(sums, at.FIRST, measure), number)
                    + _variance(_moments(sums, block + at.OWN, measure), number))  # fmt: skip

    @property
    def explained(self) -> dict[str, Explained]:
        """How much of the whole difference the single changes explain; empty unless there is a whole with parts."""
        if not self.has_whole or self.others is not None:
            return {}
        last = at.VARIANTS + (len(self.variants) - 1) * at.VARIANT_LENGTH
        return {name: self._explained(last, *where) for name, where in _MEASURES.items()}

    def _explained(self, block: int, unit: int, measure: int) -> Explained:
        sums = self.sums[unit]
        number = sums[at.UNITS]
        whole = _moments(sums, block + at.DIFFERENCE, measure)
        parts = _moments(sums, at.PARTS, measure)
        rest = _moments(sums, at.REST, measure)
        most = self._most(block, unit, measure)
        found = rare_mean(*whole, number, most)
        ratio = None
        # A whole that barely shows is as a rule one that chance has made too large.
        if found.high is not None and found.high - found.value < abs(found.value) / 2:
            # From rest = whole - parts: twice the sum of the products of whole and parts.
            ratio = quotient(parts, whole, (whole[1] + parts[1] - rest[1]) / 2, number)
        return Explained(found, rare_mean(*parts, number, most), rare_mean(*rest, number, most), ratio)

    @property
    def results_explained(self) -> tuple[Estimate, Estimate] | None:
        """Of the deals whose result all changes together alter: in how many does a single one, and to the same."""
        if not self.has_whole or self.others is not None:
            return None
        sums = self.sums[0]
        changed = sums[at.WHOLE_CHANGED]
        return share(sums[at.PART_CHANGED], changed), share(sums[at.PART_SAME], changed)

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        data: dict[str, Any] = {
            "players": list(self.players), "deals": self.deals, "games": self.game_count,
            "effects": [effect.as_json() for effect in (*self.ranked, *([self.whole] if self.whole else []))],
        }  # fmt: skip
        results = self.results_explained
        if results is not None:
            data["explained"] = {name: found.as_json() for name, found in self.explained.items()} | {
                "results": {"changed_by_one": results[0].as_json(), "same_by_one": results[1].as_json()}
            }
        return data


def rare_mean(total: int, squares: int, number: int, most: float) -> Estimate:
    """The mean of ``number`` values, mostly nought, from their sum and the sum of their squares.

    The interval allows for values up to ``most`` that happened not to be among them.
    """
    if number == 0:
        return Estimate(0.0, None, None)
    value = total / number
    # Exact in ints up to the division, as in simulations.
    error = Z * sqrt((number * squares - total * total) / number + (Z * most) ** 2) / number
    return Estimate(value, value - error, value + error)


def quotient(parts: tuple[int, int], whole: tuple[int, int], products: float, number: int) -> Estimate:
    """What the parts are of the whole, each a sum and a sum of squares over ``number`` units; Fieller's interval.

    It holds every quotient *q* for which parts less *q* times whole may come to nought (Fieller, 1954). The whole must
    differ from nought for certain, or there would be no end to it.
    """
    mean_whole, mean_parts = whole[0] / number, parts[0] / number
    # Z times the standard error, squared; and that of the product.
    of_whole = Z * Z * (whole[1] / number - mean_whole**2) / number
    of_parts = Z * Z * (parts[1] / number - mean_parts**2) / number
    of_both = Z * Z * (products / number - mean_whole * mean_parts) / number
    sure = mean_whole**2 - of_whole
    middle = (mean_whole * mean_parts - of_both) / sure
    room = middle**2 - (mean_parts**2 - of_parts) / sure
    error = sqrt(max(room, 0.0))
    return Estimate(mean_parts / mean_whole, middle - error, middle + error)


def mean_apart(one: Estimate, other: Estimate) -> Estimate:
    """What the second of two means over different units has more than the first."""
    value = other.value - one.value
    if one.high is None or other.high is None:
        return Estimate(value, None, None)
    error = hypot(one.high - one.value, other.high - other.value)
    return Estimate(value, value - error, value + error)


def share_apart(one: Estimate, other: Estimate) -> Estimate:
    """What the second of two shares of different units has more than the first: Newcombe's hybrid interval (1998)."""
    value = other.value - one.value
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Estimate(value, None, None)
    low = value - hypot(other.value - other.low, one.high - one.value)
    high = value + hypot(other.high - other.value, one.value - one.low)
    return Estimate(value, low, high)


def _moments(sums: Sums, place: int, measure: int) -> tuple[int, int]:
    return sums[place + 2 * measure], sums[place + 2 * measure + 1]


def _variance(moments: tuple[int, int], number: int) -> float:
    total, squares = moments
    return (number * squares - total * total) / (number * number)


@dataclass(frozen=True)
class Impact:
    """The result of :func:`variant_engine.impact.impact`.

    ``panels`` has an entry for each pair of players. ``idle`` names the options that bear on no deal and on no game's
    winner, ``unfit`` those that cannot be changed alone, with why. ``asked`` and ``asked_games`` are what was wanted.
    """

    first: Ruleset
    other: Ruleset | None
    each: bool
    seed: int
    panels: tuple[Panel, ...]
    idle: tuple[tuple[str, str], ...]
    unfit: tuple[tuple[str, str], ...]
    asked: int
    asked_games: int
    paired: bool
    seconds: float
    played: int
    compiled: bool
    workers: int
    interrupted: bool = False
    trouble: str = ""

    @property
    def ranking(self) -> tuple[Variant, ...]:
        """The single options, those first that matter most to any of the players."""
        best: dict[str, tuple[tuple[float, ...], int, Variant]] = {}
        for panel in self.panels:
            for place, effect in enumerate(panel.effects):
                if effect.variant.option is not None:
                    label = effect.variant.label
                    weight = max(effect.weight, best[label][0]) if label in best else effect.weight
                    best[label] = weight, -place, effect.variant
        return tuple(entry[2] for entry in sorted(best.values(), key=lambda entry: entry[:2], reverse=True))

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "first": _named(self.first),
            "other": _named(self.other) if self.other else None,
            "each": self.each,
            "seed": self.seed,
            "shuffle": VERSION,
            "choices": LOTS,
            "deals": self.asked,
            "games": self.asked_games,
            "paired": self.paired,
            "confidence": LEVEL,
            "ranking": [variant.label for variant in self.ranking],
            "panels": [panel.as_json() for panel in self.panels],
            "idle": [{"option": name, "because": why} for name, why in self.idle],
            "unfit": [{"option": name, "because": why} for name, why in self.unfit],
            "interrupted": self.interrupted,
            "deals_played": self.played,
            "seconds": self.seconds,
            "compiled": self.compiled,
            "workers": self.workers,
        }


def _named(rules: Ruleset) -> dict[str, Any]:
    return {"ruleset": rules.id, "changes": dict(rules.diff), "rules_hash": rules.hash}


__all__ = ["Difference", "Effect", "Explained", "Impact", "Panel", "Value", "Variant"]
