"""Simulation: what is counted is right, the same however the work is cut, and nothing on disk is lost or doubled."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from collections import Counter
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

import variant_engine as ve
from cli.main import app
from tests.strategies import random_ruleset
from variant_engine import kernel
from variant_engine.cards import NINE, pack_order
from variant_engine.notation import move_table
from variant_engine.options.deal import PACK_CARDS
from variant_engine.phases import KINDS, MOVE_COUNT, kind_of
from variant_engine.ruleset import Ruleset
from variant_engine.shuffle import deal_label, shuffled
from variant_engine.simulate import (
    ClusterError,
    FolderError,
    PlainPython,
    SimulationError,
    counter,
    reopen,
    run,
    sha,
    simulate,
)
from variant_engine.simulate import playout as at
from variant_engine.simulate.result import mean, share
from variant_engine.simulate.shards import tokens
from variant_engine.simulate.tasks import NO_SUMS, Part, Setting, added, parts_of, play_part

ROOT = Path(__file__).resolve().parent.parent
FOSTER = ve.load("foster")
#: Folders of deals need pyarrow, which CI has.
FOLDERS = bool(os.environ.get("CI")) or find_spec("pyarrow") is not None
needs_numba = pytest.mark.skipif(not kernel.available(), reason="numba is not installed")
needs_pyarrow = pytest.mark.skipif(not FOLDERS, reason="pyarrow is not installed")


def command(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["simulate", *map(str, arguments)])


# ---- random numbers -----------------------------------------------------------------------------------------------


def test_the_counter_gives_splitmix64() -> None:
    """The published outputs for the start 1234567."""
    words = [counter.word_at(1234567, place) & (1 << 64) - 1 for place in range(5)]
    assert words == [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ]  # fmt: skip


def test_keys_and_places_are_pinned() -> None:
    """A change here changes the deals of every seed; then the generator needs another name."""
    assert counter.GENERATOR == "splitmix64-counter-1"
    assert counter.key_of(0) == -2936102178915566582
    assert counter.key_of(7) == -5897568357967899503
    assert counter.key_of(-1) == -1567400932282430742
    assert counter.stream_of(3, 2) == (3 * 8 + 2) * 256


def test_places_of_different_streams_never_meet() -> None:
    size = 1 << counter.PLACE_BITS
    starts = [counter.stream_of(number, stream) for number in range(50) for stream in range(3)]
    assert len({start + place for start in starts for place in range(size)}) == len(starts) * size


@pytest.mark.parametrize("size", [20, 24, 32])
def test_the_fast_shuffle_is_uniform(size: int) -> None:
    """By chi-squared: where each card comes to lie, and which of two cards lies above the other."""
    packs = 20_000
    seen: Counter[tuple[int, int]] = Counter()
    key = counter.key_of(size)
    for number in range(packs):
        pack = list(range(size))
        counter.shuffle_by_counter(key, counter.stream_of(number, 0), pack, size)
        seen.update(enumerate(pack))
    expected = packs / size
    square = sum((seen[place, card] - expected) ** 2 / expected for place in range(size) for card in range(size))
    free = (size - 1) ** 2
    assert abs(square - free) < 5 * sqrt(2 * free)


def test_few_cards_are_shuffled_into_every_order() -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    for number in range(24_000):
        pack = [0, 1, 2, 3]
        counter.shuffle_by_counter(99, counter.stream_of(number, 0), pack, 4)
        seen[tuple(pack)] += 1
    assert len(seen) == 24
    assert sum((times - 1000) ** 2 / 1000 for times in seen.values()) < 23 + 5 * sqrt(46)


@pytest.mark.parametrize(("seed", "number"), [(0, 0), (7, 99), (-3, 10**6), (10**9, 10**9)])
def test_the_block_of_sha_is_the_standard_one(seed: int, number: int) -> None:
    order = pack_order(24)
    work = order + [0] * 8 + [0] * sha.SCRATCH_LENGTH
    assert sha.fits(seed, number)
    sha.prepare(seed, work, 32)
    sha.shuffle_by_label(number, work, 24, 32)
    assert work[:24] == shuffled(order, deal_label(seed, number))


def test_words_that_would_favour_low_numbers_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those from the largest multiple of the number of cards left on; it takes crafted ones to meet them."""

    def shuffled_by(words: list[int]) -> list[int]:
        left = iter(words)

        def digest(work: list[int], base: int, length: int) -> None:
            for place in range(8):
                work[base + sha._DIGEST + place] = next(left, 0)

        monkeypatch.setattr(sha, "digest_block", digest)
        work = [*range(24), *[0] * 8, *[0] * sha.SCRATCH_LENGTH]
        sha.prepare(7, work, 32)
        sha.shuffle_by_label(0, work, 24, 32)
        return work[:24]

    limit = (1 << 32) - (1 << 32) % 24
    # The last one skipped makes a block more.
    rest = [5, 4, 3, 2, 1, 6, 0, 9]
    assert shuffled_by([limit, 0xFFFFFFFF, *rest]) == shuffled_by(rest)
    assert shuffled_by([limit - 1, *rest]) != shuffled_by(rest)
    assert shuffled_by([limit - 1, *rest])[23] == 23


def test_long_labels_do_not_fit() -> None:
    assert not sha.fits(10**40, 1)
    assert sha.fits(10**20, 10**12)


# ---- counting -----------------------------------------------------------------------------------------------------


def by_hand(rules: Ruleset, seed: int, deals: int, players: tuple[str, str]) -> dict[str, Any]:
    """The same deals through the public table, counted from their results."""
    count: Counter[str] = Counter()
    setting = Setting(rules.ints, seed, "exact", players, False, at.ROWS_AND_MOVES)
    for number in range(deals):
        played = play_part(setting, Part(number, 1))
        deal = ve.deal(rules, seed=seed, number=number, dealer=1 - number % 2)
        for token in tokens(rules, "SHDC".index(deal.trump), played.log[: played.moves]):
            deal = deal.play(token)
        result = deal.result
        assert result is not None
        count["moves"] += len(deal.history)
        count["tricks"] += sum(deal.tricks)
        count[result.reason] += 1
        for seat in range(2):
            count[f"card points {seat}"] += result.card_points[seat]
        if deal.closer is not None:
            count[f"closings {deal.closer}"] += 1
            count[f"won {deal.closer}"] += result.winner == deal.closer
        if result.winner is None:
            count["ties"] += 1
            continue
        count[f"wins {result.winner}"] += 1
        count[f"game points {result.winner}"] += result.game_points
        count["forehand"] += result.game_points * (-1 if result.winner == deal.dealer else 1)
        if result.reason in ("false_claim", "failed_close"):
            count[f"forfeits {1 - result.winner}"] += 1
    return dict(count)


@pytest.mark.parametrize("name", [head.id for head in ve.rulesets()])
def test_counts_are_those_of_the_deals(name: str) -> None:
    rules = ve.load(name)
    found = simulate(rules, 60, 5, ("greedy", "random"))
    sums = found.sums
    count = by_hand(rules, 5, 60, ("greedy", "random"))
    assert found.deals == 60
    assert found.moves == count["moves"]
    assert sums[at.TRICKS_PLAYED] == count["tricks"]
    assert found.ties.count == count.get("ties", 0)
    assert sum(sums[at.FOREHAND_LEAD : at.FOREHAND_LEAD + 2]) == count.get("forehand", 0)
    for reason, estimate in found.reasons.items():
        assert estimate.count == count.get(reason, 0), reason
    for seat in range(2):
        for index, what in (
            (at.WINS, "wins"), (at.GAME_POINTS, "game points"), (at.CARD_POINTS, "card points"),
            (at.CLOSINGS, "closings"), (at.CLOSINGS_WON, "won"), (at.FORFEITS, "forfeits"),
        ):  # fmt: skip
            assert sums[index + seat] == count.get(f"{what} {seat}", 0), what


def test_schneider_and_schwarz() -> None:
    """With no closing and no forfeit, a win's margin shows in the game points."""
    rules = FOSTER.replace(closing="not_played", tie_carry="nothing")
    found = simulate(rules, 2000, 3)
    ones, twos, threes = 0, 0, 0
    for seat, of_seat in enumerate(found.seats):
        twos += of_seat.schneider.count or 0
        threes += of_seat.schwarz.count or 0
        ones += (of_seat.wins.count or 0) - (of_seat.schneider.count or 0) - (of_seat.schwarz.count or 0)
        assert of_seat.closings.count == of_seat.forfeits.count == 0, seat
    assert ones + 2 * twos + 3 * threes == found.sums[at.GAME_POINTS] + found.sums[at.GAME_POINTS + 1]
    assert ones + 4 * twos + 9 * threes == found.sums[at.GAME_POINTS_SQUARED] + found.sums[at.GAME_POINTS_SQUARED + 1]
    assert twos > 0
    assert threes > 0


def test_a_better_player_wins_more() -> None:
    found = simulate(FOSTER, 1000, 1, ("greedy", "random"))
    assert found.difference.low is not None
    assert found.difference.low > 0


# ---- intervals ----------------------------------------------------------------------------------------------------


def test_a_mean_and_its_interval() -> None:
    values = [0, 0, 1, 3, 2, 0, 1]
    estimate = mean(sum(values), sum(value * value for value in values), len(values))
    average = sum(values) / 7
    deviation = sqrt(sum((value - average) ** 2 for value in values) / 6)
    assert estimate.value == pytest.approx(1.0)
    assert estimate.high == pytest.approx(average + 1.959964 * deviation / sqrt(7))
    assert estimate.low == pytest.approx(average - 1.959964 * deviation / sqrt(7))


def test_a_share_and_its_interval() -> None:
    estimate = share(10, 100)
    assert (estimate.value, estimate.count) == (0.1, 10)
    # From the literature: Wilson's interval of ten in a hundred.
    assert estimate.low == pytest.approx(0.0552, abs=1e-4)
    assert estimate.high == pytest.approx(0.1744, abs=1e-4)


def test_too_little_for_an_interval() -> None:
    assert mean(2, 4, 1).low is None
    assert mean(0, 0, 0).high is None
    assert share(0, 0).low is None
    assert (share(0, 5).low, share(5, 5).high) == (0.0, 1.0)


def test_intervals_cover() -> None:
    """The whole is inside the interval of about 95 in 100 parts of it."""
    whole = simulate(FOSTER, 40_000, 11)
    inside = 0
    for part in parts_of(40_000, 400):
        sums = play_part(Setting(FOSTER.ints, 11, "exact", ("random", "random"), whole.compiled), part).sums
        estimate = mean(sums[at.CARD_POINTS], sums[at.CARD_POINTS_SQUARED], part.count)
        assert estimate.low is not None
        assert estimate.high is not None
        inside += estimate.low <= whole.seats[0].card_points.value <= estimate.high
    assert 88 <= inside <= 100


# ---- the same however it is cut -----------------------------------------------------------------------------------


def test_parts_add_up() -> None:
    rng = Random(4)
    for _ in range(5):
        rules = random_ruleset(rng)
        setting = Setting(rules.ints, 9, "fast", ("random", "greedy"), False)
        whole = play_part(setting, Part(0, 50)).sums
        sums, first = NO_SUMS, 0
        while first < 50:
            count = min(rng.randrange(1, 20), 50 - first)
            sums = added(sums, play_part(setting, Part(first, count)).sums)
            first += count
        assert sums == whole


def test_parts_of_a_cluster_are_neither_small_nor_large() -> None:
    class Away:
        workers = 4
        away = True

    def size(deals: int, compiled: bool) -> int:
        return run._part_size(deals, compiled, Away())  # type: ignore[arg-type]

    assert [size(deals, True) for deals in (10, 10**6, 16 * 10**5, 10**9)] == [50_000, 62_500, 100_000, 2_000_000]
    assert [size(deals, False) for deals in (10, 160_000, 10**9)] == [1_000, 10_000, 40_000]


def test_workers_change_nothing() -> None:
    one = simulate(FOSTER, 5000, 7, compiled=False)
    assert simulate(FOSTER, 5000, 7, compiled=False, workers=2).sums == one.sums
    if kernel.available():
        for workers in (1, 2, 5):
            assert simulate(FOSTER, 5000, 7, compiled=True, workers=workers).sums == one.sums
    assert one.as_json()["seats"] == simulate(FOSTER, 5000, 7).as_json()["seats"]


@pytest.mark.slow
def test_many_threads_over_many_parts() -> None:
    one = simulate(FOSTER, 1_000_000, 7, ("greedy", "random"), shuffle="fast")
    assert simulate(FOSTER, 1_000_000, 7, ("greedy", "random"), shuffle="fast", workers=4).sums == one.sums


def test_exact_deals_are_those_of_deal() -> None:
    setting = Setting(FOSTER.ints, 31, "exact", ("random", "random"), kernel.available(), at.ROWS)
    played = play_part(setting, Part(10, 20))
    for place in range(20):
        deal = ve.deal(FOSTER, seed=31, number=10 + place)
        assert deal.trump == "SHDC"[played.rows[at.ROW_TRUMP * 20 + place]]
    assert FOSTER.ints[PACK_CARDS] == 24


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    simulate(FOSTER, 2500, compiled=False, progress=lambda done, asked: told.append((done, asked)))
    assert told == [(1000, 2500), (2000, 2500), (2500, 2500)]


def test_an_interrupt_keeps_what_is_done() -> None:
    def stop(done: int, asked: int) -> None:
        if done >= 2000:
            raise KeyboardInterrupt

    found = simulate(FOSTER, 9000, 7, compiled=False, progress=stop)
    assert (found.deals, found.asked, found.interrupted) == (2000, 9000, True)
    assert found.sums == simulate(FOSTER, 2000, 7, compiled=False).sums


def test_without_numba_it_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "available", lambda: False)
    monkeypatch.setattr(run, "_told", False)
    with pytest.warns(PlainPython, match="numba is not installed"):
        found = simulate(FOSTER, 2000)
    assert not found.compiled
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simulate(FOSTER, 2000)
    with pytest.raises(SimulationError, match="numba"):
        simulate(FOSTER, 10, compiled=True)


# ---- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--deals", 0), "the number of deals must be 1 to"),
        (("--deals", -5), "the number of deals must be 1 to"),
        (("--deals", 10**30), "the number of deals must be 1 to"),
        (("--deals", 5, "--workers", 0), "the number of workers must be 1 to"),
        (("--deals", 5, "--workers", 10**6), "the number of workers must be 1 to"),
        (("--deals", 5, "--players", "random,gredy"), "no player is called 'gredy'; did you mean 'greedy'?"),
        (("--deals", 5, "--players", "nobody,random"), "there are: random, greedy"),
        (("--deals", 5, "--players", "random"), "two players are needed"),
        (("--deals", 5, "--shuffle", "none"), "there is no shuffle called 'none'; there are: exact, fast"),
        (("--deals", 5, "--moves"), "--moves goes with --out"),
    ],
)
def test_bad_input(arguments: tuple[object, ...], message: str) -> None:
    result = command("foster", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_json() -> None:
    result = command("foster", "--deals", 300, "--seed", 7, "--players", "greedy,random", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert data["deals"] == 300
    assert {"moves", "seconds", "deals_per_second", "compiled"} <= data.keys()
    assert data["seats"]["A"]["player"] == "greedy"
    again = json.loads(command("foster", "--deals", 300, "--seed", 7, "--players", "greedy,random", "--json").stdout)
    for timed in ("seconds", "deals_per_second"):
        del data[timed], again[timed]
    assert data == again


def test_text() -> None:
    result = command("foster", "--deals", 50, "--seed", 7, "--set", "closing=not_played")
    assert result.exit_code == 0
    assert "foster, closing=not_played: 50 deals of seed 7" in result.stdout
    assert "forehand less dealer" in result.stdout
    assert result.stderr == ""


# ---- deals on disk ------------------------------------------------------------------------------------------------


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_SHARD", 40)
    monkeypatch.setattr(run, "_PLAIN_SHARD", 40)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    rows: list[dict[str, Any]] = []
    for file in sorted(folder.glob("*.parquet")):
        rows += pq.read_table(file).to_pylist()
    return rows


@needs_pyarrow
@pytest.mark.usefixtures("small_shards")
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize("shuffle", ["exact", "fast"])
def test_rows_are_deals(tmp_path: Path, compiled: bool, moves: bool, shuffle: str) -> None:
    if compiled and not kernel.available():
        pytest.skip("numba is not installed")
    found = simulate(
        FOSTER, 100, 7, ("greedy", "random"), out=tmp_path / "new" / "deals", moves=moves, shuffle=shuffle,
        compiled=compiled,
    )  # fmt: skip
    rows = rows_of(tmp_path / "new" / "deals")
    assert [row["number"] for row in rows] == list(range(100))
    assert sum(row["decisions"] for row in rows) == found.moves
    assert sum(row["winner"] is None for row in rows) == found.ties.count
    for row in rows:
        assert ("moves" in row) == moves
        deal = reopen(FOSTER, row)
        assert deal.result is not None
        assert deal.code == row["code"]
        assert deal.result.card_points == (row["card_points_a"], row["card_points_b"])
        assert deal.tricks == (row["tricks_a"], row["tricks_b"])
        assert len(deal.history) == row["decisions"]
        assert deal.trump == row["trump"]
        assert (row["closer"] is None) == (deal.closer is None)
        if shuffle == "exact":
            assert deal.pack == ve.deal(FOSTER, seed=7, number=row["number"]).pack


@needs_pyarrow
def test_rows_of_other_rulesets(tmp_path: Path) -> None:
    rng = Random(8)
    for turn in range(12):
        rules = random_ruleset(rng)
        simulate(rules, 20, turn, out=tmp_path / str(turn), moves=turn % 2 == 0, compiled=False)
        for row in rows_of(tmp_path / str(turn)):
            reopen(rules, row)


@needs_pyarrow
@pytest.mark.usefixtures("small_shards")
def test_a_row_is_checked(tmp_path: Path) -> None:
    simulate(FOSTER, 20, 7, out=tmp_path, compiled=False)
    row = rows_of(tmp_path)[0]
    with pytest.raises(SimulationError, match="other rules"):
        reopen(FOSTER.replace(marriage_plain=30), row)
    with pytest.raises(SimulationError, match="another pack"):
        reopen(FOSTER, row | {"number": 3})
    with pytest.raises(SimulationError, match="cannot be read"):
        reopen(FOSTER, row | {"code": "24-nonsense"})
    with pytest.raises(SimulationError, match="ends differently"):
        reopen(FOSTER, row | {"game_points": 9})
    names = ("reason", "carry", "closer", "trump", "decisions")
    for name in (*names, "card_points_a", "card_points_b", "tricks_a", "tricks_b"):
        with pytest.raises(SimulationError, match=f"'{name}' is 77"):
            reopen(FOSTER, row | {name: 77})


@needs_pyarrow
@pytest.mark.parametrize("shuffle", ["exact", "fast"])
@pytest.mark.parametrize("moves", [True, False])
def test_a_row_is_checked_against_its_seed(moves: bool, shuffle: str, tmp_path: Path) -> None:
    simulate(FOSTER, 3, 7, out=tmp_path, compiled=False, moves=moves, shuffle=shuffle)
    row = rows_of(tmp_path)[0]
    reopen(FOSTER, row)
    other = {"exact": "splitmix64-counter-1", "fast": "p66-shuffle-1"}[shuffle]
    for wrong in ({"seed": "8"}, {"number": 2}, {"number": 1}, {"shuffle": other}, {"dealer": "A"}):
        with pytest.raises(SimulationError, match="give another pack than its code, or another dealer"):
            reopen(FOSTER, row | wrong)


@needs_pyarrow
@pytest.mark.parametrize("moves", [True, False])
def test_any_row_is_read_or_refused(moves: bool, tmp_path: Path) -> None:
    simulate(FOSTER, 1, 7, out=tmp_path, compiled=False, moves=moves)
    row = rows_of(tmp_path)[0]
    for name in ("rules_hash", "code", "dealer", "winner", "game_points"):
        with pytest.raises(SimulationError, match=f"the row cannot be read: it lacks '{name}'"):
            reopen(FOSTER, {key: value for key, value in row.items() if key != name})
    for name in row:
        values: tuple[Any, ...] = (None, -1, 10**30, 0.5, "", "what", [None], [10**30], {})
        for value in values:
            # Some do no harm: without moves it is played again, with them it does not matter who played; nor ever what
            # the ruleset is called.
            if value != row[name] and (name, value) != ("moves", None) and name != "ruleset":
                if moves and name == "players":
                    continue
                with pytest.raises(SimulationError):
                    reopen(FOSTER, row | {name: value})


@needs_pyarrow
@pytest.mark.parametrize("pack_cards", [20, 24, 32])
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs_numba)])
def test_the_code_of_a_row_is_that_of_its_deal(compiled: bool, pack_cards: int, tmp_path: Path) -> None:
    """The rank of 32 cards takes all of its three parts."""
    rules = FOSTER.replace(pack_cards=pack_cards, exchange_card="none")
    simulate(rules, 30, 7, out=tmp_path, compiled=compiled)
    codes = [row["code"] for row in rows_of(tmp_path)]
    assert codes == [ve.deal(rules, seed=7, number=number).code for number in range(30)]


@needs_pyarrow
@pytest.mark.usefixtures("small_shards")
def test_a_shard_under_another_name_would_be_counted_twice(tmp_path: Path) -> None:
    simulate(FOSTER, 80, 7, out=tmp_path, compiled=False)
    import pyarrow as pa
    import pyarrow.parquet as pq

    # What somebody has made of the deals may lie beside them.
    pq.write_table(pa.table({"reason": ["out"], "deals": [3]}), tmp_path / "mine.parquet")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    assert simulate(FOSTER, 80, 7, out=tmp_path, compiled=False).found == 80
    (tmp_path / "extra.parquet").write_bytes((tmp_path / "deals-0000000000000040.parquet").read_bytes())
    with pytest.raises(FolderError, match=r"extra\.parquet is a shard under another name; take it out"):
        simulate(FOSTER, 80, 7, out=tmp_path, compiled=False)


@needs_pyarrow
@pytest.mark.usefixtures("small_shards")
def test_a_run_goes_on(tmp_path: Path) -> None:
    def stop(done: int, asked: int) -> None:
        if done >= 80:
            raise KeyboardInterrupt

    players = ("random", "greedy")
    broken = simulate(FOSTER, 190, 7, players, out=tmp_path, compiled=False, progress=stop)
    assert (broken.deals, broken.interrupted) == (80, True)
    left_over = tmp_path / ".deals-0000000000000080.parquet.1.partial"
    left_over.write_bytes(b"half of it")
    whole = simulate(FOSTER, 190, 7, players, out=tmp_path, compiled=False, workers=2)
    assert (whole.deals, whole.found, whole.interrupted) == (190, 80, False)
    assert whole.sums == simulate(FOSTER, 190, 7, players, compiled=False).sums
    assert not left_over.exists()
    assert [row["number"] for row in rows_of(tmp_path)] == list(range(190))
    # The last shard, which was short, grows; and there is nothing left to do the next time.
    more = simulate(FOSTER, 230, 7, players, out=tmp_path, compiled=kernel.available())
    assert (more.deals, more.found) == (230, 160)
    assert [row["number"] for row in rows_of(tmp_path)] == list(range(230))
    again = simulate(FOSTER, 230, 7, players, out=tmp_path, compiled=False)
    assert (again.deals, again.found) == (230, 230)
    assert again.sums == more.sums


@needs_pyarrow
@pytest.mark.usefixtures("small_shards")
@pytest.mark.parametrize("lost", [0, 80])
@pytest.mark.parametrize("workers", [1, 2])
def test_the_deals_counted_are_the_first_ones(lost: int, workers: int, tmp_path: Path) -> None:
    """Also when a shard between others has been lost, and the run that is to make up for it is broken off."""
    simulate(FOSTER, 200, 7, out=tmp_path, compiled=False)
    (tmp_path / f"deals-{lost:016d}.parquet").unlink()
    told = []

    def stop(done: int, asked: int) -> None:
        told.append(done)
        raise KeyboardInterrupt

    broken = simulate(FOSTER, 200, 7, out=tmp_path, compiled=False, workers=workers, progress=stop)
    assert broken.interrupted
    assert broken.sums == simulate(FOSTER, 40, 7, compiled=False).sums
    assert broken.found == (40 if lost else 0)
    # What there is need not be played, though it is not counted yet.
    assert told == [160 if lost else 200]
    whole = simulate(FOSTER, 200, 7, out=tmp_path, compiled=False, workers=workers)
    assert whole.sums == simulate(FOSTER, 200, 7, compiled=False).sums


class Gone:
    """A crew far away, lost before it has done anything."""

    workers = 1
    away = True
    closed = False

    def in_order(self, work: Any, items: Any) -> Any:
        raise ClusterError("it is gone")

    def close(self) -> None:
        self.closed = True


@needs_pyarrow
def test_a_cluster_that_is_none_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that says what is simulated would refuse another simulation."""
    folder = tmp_path / "deals"
    with pytest.raises(ClusterError, match="a cluster has an address"):
        simulate(FOSTER, 100, 7, out=folder, cluster=" ", compiled=False)
    assert not folder.exists()
    crew = Gone()
    monkeypatch.setattr(run, "hire", lambda *_, **__: crew)
    with pytest.raises(ClusterError, match="it is gone"):
        simulate(FOSTER, 100, 7, out=folder, cluster="tcp://here:1", compiled=False)
    assert list(folder.iterdir()) == []
    assert crew.closed
    (folder / "letter.txt").write_text("")
    crew = Gone()
    with pytest.raises(FolderError, match="is not empty"):
        simulate(FOSTER, 100, 7, out=folder, cluster="tcp://here:1", compiled=False)
    assert crew.closed, "also when it is the folder that is wrong"


@needs_pyarrow
@pytest.mark.usefixtures("small_shards")
def test_a_folder_that_does_not_fit(tmp_path: Path) -> None:
    simulate(FOSTER, 100, 7, out=tmp_path, compiled=False)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for changes, message in (
        ({"seed": 8}, "its seed is 7, not 8"),
        ({"players": ("greedy", "random")}, "its players is random,random, not greedy,random"),
        ({"moves": True}, "its moves is False, not True"),
        ({"shuffle": "fast"}, "its shuffle is p66-shuffle-1, not splitmix64-counter-1"),
        ({"rules": ve.load("handbook")}, "its rules_hash is"),
        ({"deals": 50}, "ask for at least"),
    ):
        asked: dict[str, Any] = {"rules": FOSTER, "deals": 100, "seed": 7} | changes
        with pytest.raises(FolderError, match=message):
            simulate(**asked, out=tmp_path, compiled=False)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@needs_pyarrow
@pytest.mark.usefixtures("small_shards")
def test_broken_folders(tmp_path: Path) -> None:
    simulate(FOSTER, 100, 7, out=tmp_path / "one", compiled=False)
    shard = tmp_path / "one" / "deals-0000000000000040.parquet"
    whole = shard.read_bytes()
    shard.write_bytes(whole[: len(whole) // 2])
    result = command("foster", "--deals", 100, "--seed", 7, "--plain", "--out", tmp_path / "one")
    assert result.exit_code == 2
    assert "is no whole shard; delete it" in result.stderr
    shard.unlink()
    assert simulate(FOSTER, 100, 7, out=tmp_path / "one", compiled=False).found == 60
    assert shard.exists()
    (tmp_path / "one" / "_simulation.json").write_text("{")
    with pytest.raises(FolderError, match="cannot be read"):
        simulate(FOSTER, 100, 7, out=tmp_path / "one", compiled=False)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "letter.txt").write_text("dear")
    with pytest.raises(FolderError, match="not empty and holds no simulation"):
        simulate(FOSTER, 100, 7, out=tmp_path / "two", compiled=False)
    with pytest.raises(FolderError, match="cannot be used"):
        simulate(FOSTER, 100, 7, out=tmp_path / "two" / "letter.txt", compiled=False)


@needs_pyarrow
@pytest.mark.usefixtures("small_shards")
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 8}, "its seed is 8, not 7"),
        ({"players": ("greedy", "random")}, "its players is greedy,random, not random,random"),
        ({"shuffle": "fast"}, "its shuffle is splitmix64-counter-1, not p66-shuffle-1"),
        ({"moves": True}, "its moves is True, not False"),
        ({"rules": FOSTER.replace(marriage_plain=30)}, f"its rules_hash is .*, not {FOSTER.hash}"),
    ],
)
def test_a_shard_of_another_simulation_is_not_counted(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    ours: dict[str, Any] = {"rules": FOSTER, "deals": 120, "seed": 7, "compiled": False}
    simulate(**ours, out=tmp_path / "ours")
    simulate(**ours | changes, out=tmp_path / "theirs")
    name = "deals-0000000000000040.parquet"
    (tmp_path / "ours" / name).write_bytes((tmp_path / "theirs" / name).read_bytes())
    with pytest.raises(FolderError, match=f"{name} is of another simulation: {message}; take it out"):
        simulate(**ours, out=tmp_path / "ours")


@needs_pyarrow
@pytest.mark.usefixtures("small_shards")
def test_a_shard_from_elsewhere_is_refused_by_the_command(tmp_path: Path) -> None:
    for seed in (7, 8):
        assert command("foster", "--deals", 80, "--seed", seed, "--plain", "--out", tmp_path / str(seed)).exit_code == 0
    strange = tmp_path / "7" / "deals-0000000000000040.parquet"
    strange.write_bytes((tmp_path / "8" / strange.name).read_bytes())
    result = command("foster", "--deals", 80, "--seed", 7, "--plain", "--out", tmp_path / "7")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{strange} is of another simulation: its seed is 8, not 7" in result.stderr


@needs_pyarrow
@pytest.mark.usefixtures("small_shards")
def test_a_shard_under_another_ones_name_is_refused(tmp_path: Path) -> None:
    simulate(FOSTER, 120, 7, out=tmp_path, compiled=False)
    one, other = (tmp_path / f"deals-{first:016d}.parquet" for first in (40, 80))
    one.write_bytes(other.read_bytes())
    with pytest.raises(FolderError, match="holds other deals than its name says"):
        simulate(FOSTER, 120, 7, out=tmp_path, compiled=False)


@needs_pyarrow
@pytest.mark.usefixtures("small_shards")
def test_no_byte_of_a_shard_may_change(tmp_path: Path) -> None:
    """Neither in the rows, behind which the footer is whole, nor in the footer with its counts."""
    simulate(FOSTER, 40, 7, out=tmp_path, compiled=False, moves=True)
    shard = tmp_path / "deals-0000000000000000.parquet"
    whole = shard.read_bytes()
    for place in (10, len(whole) // 3, whole.rindex(b'"sums"') + 10, len(whole) - 70, len(whole) - 2):
        shard.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(FolderError, match="is no whole shard; delete it"):
            simulate(FOSTER, 40, 7, out=tmp_path, compiled=False, moves=True)
    shard.write_bytes(whole)
    assert simulate(FOSTER, 40, 7, out=tmp_path, compiled=False, moves=True).found == 40


@needs_pyarrow
@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
@pytest.mark.usefixtures("small_shards")
def test_a_shard_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    """Written by a program that may write no larger files, it fails in the middle."""
    import resource

    # The last shard is short, and is to be replaced by a longer one.
    simulate(FOSTER, 60, 7, out=tmp_path, compiled=False)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, limits[1]))
    try:
        with pytest.raises(FolderError, match=r"deals-0000000000000040\.parquet cannot be written: File too large"):
            simulate(FOSTER, 80, 7, out=tmp_path, compiled=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_the_codes_of_moves_are_those_of_the_docs() -> None:
    """Tables on disk and lots hold these numbers for good."""
    page = (ROOT / "docs" / "simulation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+)(?:–(\d+))? \| (.+) \| (.+) \|$", page, re.MULTILINE)
    kinds: dict[int, str] = {}
    written: dict[int, str] = {}
    for first, last, what, token in rows:
        for code in range(int(first), int(last or first) + 1):
            kinds[code], written[code] = what, token.replace("\\|", "|")
    assert list(kinds) == list(range(MOVE_COUNT))
    for code, what in kinds.items():
        assert what.startswith(KINDS[kind_of(code)]), code
    table = move_table(0, 20, 40, NINE, 0)
    suits, ranks = re.search(r"suits (.+) = 0 … 3 and the ranks (.+) = 0 … 7", kinds[0]).groups()  # type: ignore[union-attr]
    names = [suit + rank for suit in suits.split(", ") for rank in ranks.split(", ")]
    assert names == [move.token for move in table[:32]]
    assert written[0] == f"`SA` is {names.index('SA')}, `C7` {names.index('C7')}"
    assert [move.token[-1] for move in table[32:36]] == list(kinds[32].removeprefix("announce the marriage in ")[::3])
    assert [written[code] for code in range(36, 43)] == [f"`{move.token}`" for move in table[36:]]
    assert written[32] == f"`{move_table(1, 20, 40, NINE, 0)[32].token}`"


# ---- from outside -------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent otherwise there")
def test_interrupt_from_the_keyboard(tmp_path: Path) -> None:
    arguments = ["simulate", "foster", "--deals", "50000000", "--seed", "7", "--plain", "--json"]
    program = [sys.executable, "-m", "cli", *arguments]
    with subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    data = json.loads(out)
    assert data["interrupted"]
    assert 0 < data["deals"] < 50_000_000
    assert err == ""
