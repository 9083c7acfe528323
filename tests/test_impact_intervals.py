"""Intervals of what a rule changes: by hand from the units themselves, and wide enough for what rarely happens."""

from __future__ import annotations

from math import comb, hypot, sqrt
from random import Random
from statistics import fmean, pvariance
from typing import Any

import pytest

import variant_engine as ve
from tests.strategies import random_ruleset
from variant_engine.impact import Panel, impact
from variant_engine.impact import paired as at
from variant_engine.impact.result import Variant, mean_apart, rare_mean, share_apart
from variant_engine.impact.tasks import Pairing, play_units
from variant_engine.rules.ending import most_game_points
from variant_engine.simulate import simulate
from variant_engine.simulate.result import mean, share
from variant_engine.simulate.tasks import Part

FOSTER = ve.load("foster")
HANDBOOK = ve.load("handbook")
Z = 1.959964


def test_the_interval_is_paired() -> None:
    """From the deals' own differences, one by one, and some more of the largest kind."""
    players = ("random", "random")
    how: dict[str, Any] = {"deals": 150, "games": 12, "seed": 2, "compiled": False, "players": [players]}
    effect = impact(FOSTER, HANDBOOK, **how).panels[0].effects[0]
    pairing = Pairing((FOSTER.ints, HANDBOOK.ints), False, at.WHOLE_DEALS, 2, players, False)
    most = 3
    for name, measure, bound in (("lead", at.LEAD, 2 * most), ("scored", at.GAME_POINTS, most)):
        place = at.VARIANTS + at.DIFFERENCE + 2 * measure
        values = [play_units(pairing, Part(number, 1))[place] for number in range(150)]
        average = sum(values) / 150
        spread = sum((value - average) ** 2 for value in values) + Z * Z * bound * bound
        found = getattr(effect, name)
        assert found.value == pytest.approx(average)
        assert found.high == pytest.approx(average + Z * sqrt(spread) / 150)
        assert found.low == pytest.approx(average - Z * sqrt(spread) / 150)
        assert found.value == pytest.approx(found.variant - found.first)


def test_pairing_saves_deals() -> None:
    how: dict[str, Any] = {"option": "closing_first_lead", "value": "not_allowed", "compiled": False, "deals": 1500,
                           "games": 0, "players": [("random", "random")]}  # fmt: skip
    together = impact(FOSTER, **how).panels[0].effects[0]
    apart = impact(FOSTER, **how, paired=False).panels[0].effects[0]
    assert together.lead.saved is not None
    assert together.lead.saved > 3
    assert apart.reached is apart.result is None
    widths = [one.high - one.low for one in (apart.lead, together.lead) if one.high and one.low]
    assert (widths[0] / widths[1]) ** 2 == pytest.approx(together.lead.saved, rel=0.15)


# ---- rules that rarely matter -------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [(1,), (2,), (-1, 1), (6, 1, 1), (1, 1, 1, 1, -3)], ids=str)
@pytest.mark.parametrize("often", [0.3, 1, 3, 8, 30, 200])
def test_rare_changes_are_covered(often: float, changes: tuple[int, ...]) -> None:
    """A change of up to six comes up so often in a thousand units; the interval holds the true mean 19 times in 20."""
    rng = Random(f"{often} {changes}")
    number, runs = 1000, 800
    true = often / number * sum(changes) / len(changes)
    covered = 0
    for _ in range(runs):
        values = [rng.choice(changes) for _ in range(number) if rng.random() < often / number]
        found = rare_mean(sum(values), sum(value * value for value in values), number, 6)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= true <= found.high
    assert covered >= 0.95 * runs - 2.5 * sqrt(0.05 * 0.95 * runs)


def test_no_change_seen_is_no_proof_that_there_is_none() -> None:
    found = rare_mean(0, 0, 1000, 6)
    assert found.value == 0
    assert found.high == pytest.approx(Z * Z * 6 / 1000)
    assert rare_mean(0, 0, 0, 6).low is None
    often = rare_mean(500_000, 500_000, 1_000_000, 6)
    plain = mean(500_000, 500_000, 1_000_000)
    assert often.high == pytest.approx(plain.high, rel=1e-6)


def test_no_deal_scores_more_than_the_most() -> None:
    rng = Random(3)
    reached = 0
    for _ in range(60):
        rules = random_ruleset(rng)
        most = most_game_points(rules.ints)
        for number in range(20):
            one = simulate(rules, 1, number, compiled=False)
            scored = sum(round(seat.game_points.value) for seat in one.seats)
            assert scored <= most
            reached += scored == most
    assert reached > 50


@pytest.mark.parametrize("often", [0.06, 0.2, 0.5, 1, 2, 4, 10])
def test_shares_of_rare_events_are_covered(often: float) -> None:
    """Worked out, not tried: how often counts come up whose interval holds the true share of so many in a thousand."""
    number, true = 1000, often / 1000
    for rare in (True, False):
        covered = 0.0
        for count in range(40):
            found = share(count if rare else number - count, number)
            if (found.low or 0) <= (true if rare else 1 - true) <= (found.high or 0):
                covered += comb(number, count) * true**count * (1 - true) ** (number - count)
        assert covered > 0.93


# ---- over other deals ---------------------------------------------------------------------------------------------


def test_two_means_apart() -> None:
    one, other = mean(10, 40, 20), mean(30, 70, 25)
    found = mean_apart(one, other)
    assert one.high is not None
    assert other.high is not None
    assert found.value == pytest.approx(0.7)
    assert found.high == pytest.approx(0.7 + hypot(one.high - 0.5, other.high - 1.2))
    assert mean_apart(mean(1, 1, 1), other).low is None


def test_two_shares_apart_by_newcombes_examples() -> None:
    """Examples of his paper's table II, method 10, to the four digits there; none with one to three of a kind."""
    for one, other, low, high in (
        ((56, 70), (48, 80), 0.0524, 0.3339), ((0, 10), (10, 10), -1.0, -0.6075),
        ((5, 56), (0, 29), -0.0381, 0.1926), ((0, 10), (0, 20), -0.1611, 0.2775), ((0, 10), (0, 10), -0.2775, 0.2775),
    ):  # fmt: skip
        found = share_apart(share(*other), share(*one))
        assert found.low == pytest.approx(low, abs=6e-5)
        assert found.high == pytest.approx(high, abs=6e-5)


# ---- what single changes explain ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("whole", "parts"),
    [([2, 4, 2, 4] * 4, [1, 2, 1, 2] * 4), ([6, 1, 4, 5, 3, 6, 2, 5], [5, 0, 5, 2, 3, 1, 2, 6])],
    ids=["always half", "as it comes"],
)
def test_the_ratio_and_its_interval(whole: list[int], parts: list[int]) -> None:
    """By Fieller's theorem: at the ends, parts less so many times the whole are just 1.96 errors away from nought."""
    number = len(whole)
    rest = [one - part for one, part in zip(whole, parts, strict=True)]
    sums = [0] * (at.VARIANTS + 2 * at.VARIANT_LENGTH)
    sums[at.UNITS] = number
    last = at.VARIANTS + at.VARIANT_LENGTH + at.DIFFERENCE
    for place, values in ((at.PARTS, parts), (at.REST, rest), (last, whole)):
        sums[place + 2 * at.LEAD] = sum(values)
        sums[place + 2 * at.LEAD + 1] = sum(value * value for value in values)
    variants = tuple(Variant(name, name, 0, 1, HANDBOOK) for name in ("one", "all"))
    ratio = Panel(("greedy", "random"), variants, (tuple(sums), tuple(sums)), None, True).explained["lead"].ratio
    assert ratio is not None
    assert ratio.low is not None
    assert ratio.high is not None
    assert ratio.value == pytest.approx(sum(parts) / sum(whole))
    for end in (ratio.low, ratio.high):
        left = [part - end * one for part, one in zip(parts, whole, strict=True)]
        assert abs(fmean(left)) == pytest.approx(Z * sqrt(pvariance(left) / number), abs=1e-6)
    assert ratio.low <= ratio.value <= ratio.high
