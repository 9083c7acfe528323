"""Intervals of simulations: of deals that both seats deal equally often, and as wide as they say."""

from __future__ import annotations

from math import sqrt
from statistics import fmean, pvariance

import pytest

import variant_engine as ve
from variant_engine.simulate import playout as at
from variant_engine.simulate import simulate
from variant_engine.simulate.result import Estimate, combined, mean, share
from variant_engine.simulate.tasks import Part, Setting, play_part

FOSTER = ve.load("foster")
Z = 1.959964


def test_means_over_two_sets_of_deals() -> None:
    one, other = mean(30, 120, 20), mean(10, 30, 40)
    found = combined([(one, 20), (other, 40)])
    assert one.high is not None
    assert other.high is not None
    assert found.value == pytest.approx(40 / 60)
    error = sqrt(((one.high - 1.5) * 20) ** 2 + ((other.high - 0.25) * 40) ** 2) / 60
    assert found.low == pytest.approx(found.value - error)
    assert found.high == pytest.approx(found.value + error)


def test_shares_over_two_sets_of_deals() -> None:
    found = combined([(share(40, 50), 50), (share(10, 50), 50)])
    assert (found.value, found.count) == (0.5, 50)
    everything = share(50, 100)
    assert found.low is not None
    assert everything.low is not None
    # What is known to differ is no luck: the interval is narrower, here by the root of 0.16 / 0.25.
    assert 0.5 - found.low == pytest.approx(0.8 * (0.5 - everything.low), rel=0.05)


def test_too_few_deals_for_an_interval() -> None:
    assert combined([]) == Estimate(0.0, None, None)
    assert combined([(mean(2, 4, 1), 1), (mean(0, 0, 0), 0)]) == Estimate(2.0, None, None)
    assert combined([(mean(20, 40, 10), 10), (mean(1, 1, 1), 1)]).low is None
    one = simulate(FOSTER, 1, 3, compiled=False)
    assert one.forehand_advantage.low is one.difference.low is None


def test_unequal_players_by_dealer() -> None:
    """From the deals one by one: forehand's lead, each dealer's deals apart."""
    players = ("greedy", "random")
    found = simulate(FOSTER, 400, 6, players, compiled=False)
    setting = Setting(FOSTER.ints, 6, "exact", players, False)
    leads: dict[int, list[int]] = {0: [], 1: []}
    for number in range(400):
        sums = play_part(setting, Part(number, 1)).sums
        lead = sums[at.GAME_POINTS] - sums[at.GAME_POINTS + 1]
        leads[1 - number % 2].append(lead if number % 2 == 0 else -lead)
    average = fmean(leads[0] + leads[1])
    error = Z * sqrt(sum(pvariance(values) / 199 for values in leads.values())) / 2
    advantage = found.forehand_advantage
    assert advantage.value == pytest.approx(average)
    assert advantage.low == pytest.approx(average - error)
    assert advantage.high == pytest.approx(average + error)
    # Taken together, the deals that the strong player leads and those that it deals would pass for luck.
    assert error < 0.7 * Z * sqrt(pvariance(leads[0] + leads[1]) / 400)
    wins = [sum(lead > 0 for lead in values) for values in leads.values()]
    assert found.forehand_wins.count == sum(wins)
    assert found.forehand_wins == combined([(share(count, 200), 200) for count in wins])
    lost = [sum(lead < 0 for lead in values) for values in leads.values()]
    assert found.dealer_wins == combined([(share(count, 200), 200) for count in lost])
    more = fmean([*leads[1], *(-lead for lead in leads[0])])
    assert found.difference.value == pytest.approx(more)
    assert found.difference.high == pytest.approx(more + error)


@pytest.mark.parametrize("players", [("greedy", "random"), ("random", "random")], ids="-".join)
def test_forehands_interval_is_as_wide_as_it_says(players: tuple[str, str]) -> None:
    """Over many seeds, the true advantage (of all their deals) is in 19 of 20 intervals, neither more nor fewer."""
    runs = [simulate(FOSTER, 100, seed, players, compiled=False) for seed in range(200)]
    true = fmean(run.forehand_advantage.value for run in runs)
    covered = sum((run.forehand_advantage.low or 0) <= true <= (run.forehand_advantage.high or 0) for run in runs)
    assert 180 <= covered <= 198
