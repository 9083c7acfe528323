"""Whole random deals per second in plain Python on one core, as ratios to the PyPI package ``schnapsen``.

Run ``python benchmarks/plain_speed.py`` from the root of the clone. In every round each way plays the same number of
deals, one way after the other, so that a machine that slows down slows all of them. The ratio of a way is the median
of its ratios by round.

Random play is as the notation defines it: uniform over the legal moves without looking back and without a wrong claim,
and claiming as soon as it is right. ``schnapsen`` plays with two of its own random bots, which do the same.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import variant_engine as ve  # noqa: E402  (found in the clone, installed or not)
from variant_engine.players import PLAYERS  # noqa: E402
from variant_engine.ruleset import Ruleset  # noqa: E402

#: Plays so many deals, beginning with the deal of a number.
Way = Callable[[int, int], None]


def schnapsen_engine() -> Way:
    """The package's own engine with its own random bots."""
    from schnapsen.bots.rand import RandBot
    from schnapsen.game import SchnapsenGamePlayEngine

    engine = SchnapsenGamePlayEngine()
    rng = Random(1)
    bots = RandBot(rng), RandBot(rng)

    def run(first: int, deals: int) -> None:
        for _ in range(deals):
            engine.play_game(*bots, rng)

    return run


def random_move(deal: ve.Deal, seat: int, rng: Random) -> ve.Move:
    """A move of random play by the seat to move."""
    moves = deal.legal()
    # In the order of the moves the claim and looking back come last.
    if moves[-1].token == "@":
        moves = moves[:-1]
    if moves[-1].token == "66":
        if deal.claim_is_right(seat):
            return moves[-1]
        moves = moves[:-1]
    return moves[int(rng.random() * len(moves))]


def through_deals(rules: Ruleset) -> Way:
    """Ours: ``deal()``, then ``legal()`` and ``play()`` until there is a result."""
    rng = Random(1)

    def run(first: int, deals: int) -> None:
        for number in range(first, first + deals):
            deal = ve.deal(rules, seed=1, number=number)
            while (seat := deal.to_move) is not None:
                deal = deal.play(random_move(deal, seat, rng))
            assert deal.result is not None

    return run


def through_views(rules: Ruleset) -> Way:
    """Ours as players see it: the random player gets a view and answers with a move."""
    rng = Random(1)
    choose = PLAYERS["random"]

    def run(first: int, deals: int) -> None:
        for number in range(first, first + deals):
            deal = ve.deal(rules, seed=1, number=number)
            while (seat := deal.to_move) is not None:
                deal = deal.play(choose(deal.view(seat), rng))
            assert deal.result is not None

    return run


def measure(ways: dict[str, Way], deals: int, rounds: int) -> dict[str, list[float]]:
    """Seconds by way and round. A round before the first warms up."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(rounds + 1):
        for name, way in ways.items():
            start = perf_counter()
            way(turn * deals, deals)
            if turn:
                seconds[name].append(perf_counter() - start)
    return seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Random deals per second, as ratios to the package schnapsen.")
    parser.add_argument("--deals", type=int, default=500, help="deals in a round")
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    schnapsen, foster = ve.load("schnapsen-vu"), ve.load("foster")
    ways = {
        "schnapsen 0.0.5, its engine and bots": schnapsen_engine(),
        "schnapsen-vu, legal and play": through_deals(schnapsen),
        "schnapsen-vu, view and player": through_views(schnapsen),
        "foster, legal and play": through_deals(foster),
        "foster, view and player": through_views(foster),
    }
    seconds = measure(ways, asked.deals, asked.rounds)
    base = next(iter(seconds.values()))
    print(f"Python {sys.version.split()[0]}, {asked.rounds} rounds of {asked.deals} deals a way")
    print(f"{'':38}{'deals/s':>9}{'ratio':>8}{'lowest':>8}{'highest':>8}")
    for name, times in seconds.items():
        ratios = [its / own for its, own in zip(base, times, strict=True)]
        speed = asked.deals / median(times)
        print(f"{name:38}{speed:9.0f}{median(ratios):8.2f}{min(ratios):8.2f}{max(ratios):8.2f}")


if __name__ == "__main__":
    main()
