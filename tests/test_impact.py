"""How much a rule matters: counts are those of the deals, pairing is what it says, bad questions are refused."""

from __future__ import annotations

import csv
import io
import json
import multiprocessing
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
from tests.test_lots import chosen, place_of
from variant_engine import kernel
from variant_engine.cards import cards_in
from variant_engine.encoding import PACK
from variant_engine.impact import Impact, impact
from variant_engine.impact import paired as at
from variant_engine.impact import run as impact_run
from variant_engine.impact.tasks import Pairing, play_units
from variant_engine.phases import CLAIM_MOVE
from variant_engine.players import PLAYERS
from variant_engine.players.uniform import sensible
from variant_engine.ruleset import Ruleset
from variant_engine.shuffle import deal_label, shuffled
from variant_engine.simulate import SimulationError, simulate
from variant_engine.simulate.lots import lots_key_of
from variant_engine.simulate.tasks import Part, added
from variant_engine.state import blank_state

FOSTER = ve.load("foster")
HANDBOOK = ve.load("handbook")
BOTH = ("greedy", "random")


def paired(*rulesets: Ruleset, players: tuple[str, str] = BOTH, unit: int = 0, seed: int = 5) -> Pairing:
    return Pairing(tuple(rules.ints for rules in rulesets), False, unit, seed, players, False)


def block(sums: tuple[int, ...], place: int = 0) -> tuple[int, ...]:
    start = at.VARIANTS + place * at.VARIANT_LENGTH
    return sums[start : start + at.VARIANT_LENGTH]


def test_random_players_are_those_of_simulate() -> None:
    """Other random numbers, the same players: means agree within what chance explains."""
    sums = play_units(paired(FOSTER, players=("random", "random")), Part(0, 2500))
    other = simulate(FOSTER, 10_000, 1, compiled=False)
    total, squares = sums[at.FIRST + 2 * at.GAME_POINTS :][:2]
    mean = total / 2500
    error = sqrt((squares / 2500 - mean * mean) / 2500)
    simulated = other.seats[0].game_points.value + other.seats[1].game_points.value
    assert abs(mean - simulated) < 4.5 * error


# ---- counting -----------------------------------------------------------------------------------------------------


def seen_playing(rules: Ruleset, pack: list[str], number: int, players: tuple[str, str], how: dict[str, Any]) -> Any:
    """A deal through the public table: the positions, what was played, the end."""
    key = lots_key_of(5)
    deal = ve.deal(rules, pack=pack, **how)
    line, played = [], []
    while not deal.over:
        seat = deal.to_move
        assert seat is not None
        if players[seat] == "greedy":
            move = PLAYERS["greedy"](deal.view(seat), Random(0))
        else:
            moves = sensible(rules.ints, deal._state, seat, deal._legal_mask())
            codes = [code for code in range(43) if moves >> code & 1]
            code = chosen(key, number, seat, place_of(deal), codes)
            move = next(one for one in deal.legal() if one in deal._moves.among(1 << code))
        legal = tuple(sorted(str(one) for seat in (0, 1) for one in deal.legal(seat)))
        line.append((legal, str(move), tuple(deal._state)))
        if not str(move).startswith(("+", "=", "-", "66")):
            played.append((seat, str(move)))
        deal = deal.play(move)
    line.append(((), "", tuple(deal._state)))
    return line, (played, deal.announced), deal


def by_hand(first: Ruleset, other: Ruleset, deals: int, players: tuple[str, str]) -> Counter[str]:
    count: Counter[str] = Counter()
    for number in range(deals):
        cards = shuffled(cards_in(first.ints[PACK] | other.ints[PACK]), deal_label(5, number))
        found = []
        for rules in (first, other):
            pack = [ve.cards.card_name(card) for card in cards if rules.ints[PACK] >> card & 1]
            found.append(seen_playing(rules, pack, number, players, {"dealer": 1 - number % 2}))
        (line, played, end), (their_line, their_played, their_end) = found
        count["reached"] += line != their_line
        count["play"] += played != their_played
        results = [(d.result.winner, d.result.game_points, d.result.carry) for d in (end, their_end)]
        count["result"] += results[0] != results[1]
        for deal, sign in ((end, -1), (their_end, 1)):
            result = deal.result
            if result.winner is not None:
                count["lead"] += sign * result.game_points * (1 if result.winner == 0 else -1)
                count["forehand"] += sign * result.game_points * (-1 if result.winner == deal.dealer else 1)
                count["scored"] += sign * result.game_points
    return count


@pytest.mark.parametrize("players", [("random", "random"), ("greedy", "greedy"), ("random", "greedy")])
@pytest.mark.parametrize("name", ["handbook", "howto-no", "schnapsen-vu", "app-it"])
def test_counts_are_those_of_the_deals(name: str, players: tuple[str, str]) -> None:
    other = ve.load(name)
    found = block(play_units(paired(FOSTER, other, players=players), Part(0, 12)))
    count = by_hand(FOSTER, other, 12, players)
    assert found[at.RESULT_CHANGED] == count["result"]
    assert found[at.PLAY_CHANGED] == count["play"]
    assert found[at.REACHED] == count["reached"]
    for measure, what in ((at.LEAD, "lead"), (at.FOREHAND, "forehand"), (at.GAME_POINTS, "scored")):
        assert found[at.DIFFERENCE + 2 * measure] == count[what]


def test_single_options_count_right() -> None:
    rng = Random(8)
    for _ in range(6):
        first = random_ruleset(rng)
        other = random_ruleset(rng)
        found = block(play_units(paired(first, other), Part(0, 5)))
        count = by_hand(first, other, 5, BOTH)
        assert [found[at.REACHED], found[at.PLAY_CHANGED], found[at.RESULT_CHANGED]] == [
            count["reached"], count["play"], count["result"],
        ]  # fmt: skip


def test_reached_takes_in_the_others() -> None:
    rng = Random(9)
    for _ in range(8):
        rulesets = [random_ruleset(rng) for _ in range(3)]
        for number in range(10):
            sums = play_units(paired(*rulesets), Part(number, 1))
            for place in range(2):
                found = block(sums, place)
                assert found[at.REACHED] >= max(found[at.PLAY_CHANGED], found[at.RESULT_CHANGED])


@pytest.mark.parametrize(
    ("change", "players"),
    [
        # What a seat may do that is not to move; what is chosen where all else is the same.
        ({"exchange_when": "on_turn"}, ("random", "random")),
        ({"rank_order": "ten_fifth"}, ("greedy", "greedy")),
    ],
    ids=str,
)
def test_what_only_the_other_seat_or_the_player_sees_is_reached(change: dict[str, str], players: Any) -> None:
    other = FOSTER.replace(**change)
    found = block(play_units(paired(FOSTER, other, players=players), Part(0, 25)))
    count = by_hand(FOSTER, other, 25, players)
    assert found[at.REACHED] == count["reached"] > 0


def test_the_same_rules_change_nothing() -> None:
    for unit in (at.WHOLE_DEALS, at.WHOLE_GAMES):
        found = block(play_units(paired(FOSTER, FOSTER, unit=unit), Part(0, 15)))
        assert not any(found[: at.OWN])
        assert not any(found[at.DIFFERENCE :])


def game_by_hand(rules: Ruleset, number: int, players: tuple[str, str]) -> tuple[int | None, int]:
    game = ve.game(rules, seed=5, dealer=1)
    deals = 0
    while not game.over and deals < at.GAME_DEALS:
        which = at.GAMES_FROM + number * at.GAME_DEALS + deals
        pack = [ve.cards.card_name(card) for card in shuffled(cards_in(rules.ints[PACK]), deal_label(5, which))]
        how = {"dealer": game.dealer, "carry": game.carry}
        game = game.after(seen_playing(rules, pack, which, players, how)[2])
        deals += 1
    return game.winner, deals


def test_games_are_those_of_the_table() -> None:
    rules = HANDBOOK.replace(next_dealer="winner_deals", target_game_points=5, tie_carry="one_each")
    sums = play_units(paired(FOSTER, rules, players=("random", "greedy"), unit=at.WHOLE_GAMES), Part(0, 6))
    mine = [game_by_hand(FOSTER, number, ("random", "greedy")) for number in range(6)]
    own = [game_by_hand(rules, number, ("random", "greedy")) for number in range(6)]
    found = block(sums)
    assert sums[at.FIRST + 2 * at.A_WINS] == sum(winner == 0 for winner, _ in mine)
    assert sums[at.FIRST + 2 * at.LENGTH] == sum(deals for _, deals in mine)
    assert found[at.OWN + 2 * at.A_WINS] == sum(winner == 0 for winner, _ in own)
    assert found[at.OWN + 2 * at.LENGTH] == sum(deals for _, deals in own)
    assert found[at.RESULT_CHANGED] == sum(one[0] != two[0] for one, two in zip(mine, own, strict=True))


DRAWN = dict.fromkeys(("end_none_reached", "end_both_reached", "end_one_reached"), "nobody")


def test_another_carry_is_another_result() -> None:
    """Though winner and game points are the same: in every drawn deal and in no other."""
    rules = ve.load("howto-no").replace(tie_carry="one_each", **DRAWN)
    other = rules.replace(tie_carry="nothing")
    found = block(play_units(paired(rules, other, players=("random", "random")), Part(0, 60)))
    count = by_hand(rules, other, 60, ("random", "random"))
    assert found[at.RESULT_CHANGED] == found[at.REACHED] == count["result"] > 5
    assert found[at.PLAY_CHANGED] == 0


def test_a_game_that_nobody_can_win_is_left_undecided() -> None:
    worth = ("value_win", "value_schneider", "value_schwarz", "closing_forfeit", "closing_forfeit_trickless",
             "claim_forfeit", "claim_forfeit_trickless")  # fmt: skip
    endless = FOSTER.replace(**dict.fromkeys(worth, 0))
    found = block(play_units(paired(FOSTER, endless, unit=at.WHOLE_GAMES), Part(0, 4)))
    assert found[at.OWN + 2 * at.A_WINS] == 0
    assert found[at.OWN + 2 * at.LENGTH] == 4 * at.GAME_DEALS
    assert found[at.RESULT_CHANGED] == 4


def test_what_a_drawn_deal_leaves_is_carried_into_the_next_of_the_game() -> None:
    rules = ve.load("howto-no").replace(target_game_points=5, tie_carry="one_each", **DRAWN)
    players = ("random", "random")
    sums = play_units(paired(rules, FOSTER, players=players, unit=at.WHOLE_GAMES), Part(0, 6))
    games = [game_by_hand(rules, number, players) for number in range(6)]
    assert games != [game_by_hand(rules.replace(tie_carry="nothing"), number, players) for number in range(6)]
    assert sums[at.FIRST + 2 * at.A_WINS] == sum(winner == 0 for winner, _ in games)
    assert sums[at.FIRST + 2 * at.LENGTH] == sum(length for _, length in games)


def test_every_part_counts_towards_the_whole() -> None:
    """Three parts, of which one alone changes the result, or comes to the very result of the whole."""
    for which in (1, 2, 3):
        for alone, expected in ((7, (1, 1, 0)), (9, (1, 1, 1)), (5, (1, 0, 0))):
            work, sums = [0] * at.WORK_LENGTH, [0] * at.VARIANTS
            work[at.WORK_RESULTS : at.WORK_RESULTS + 5] = [5, 5, 5, 5, 9]
            work[at.WORK_RESULTS + which] = alone
            at.count_whole(work, sums, 4)
            assert tuple(sums[at.WHOLE_CHANGED : at.PART_SAME + 1]) == expected


def test_unpaired_the_variants_have_deals_of_their_own() -> None:
    panel = small(paired=False).panels[0]
    assert panel.others is not None
    first = slice(at.FIRST, at.FIRST + 2 * at.MEASURES)
    assert all(mine[first] != others[first] for mine, others in zip(panel.sums, panel.others, strict=True))


# ---- the same however it is cut -----------------------------------------------------------------------------------


def test_parts_add_up() -> None:
    pairing = Pairing((FOSTER.ints, HANDBOOK.ints), True, 0, 9, BOTH, False)
    whole = play_units(pairing, Part(0, 30))
    assert added(play_units(pairing, Part(0, 11)), play_units(pairing, Part(11, 19))) == whole


def small(**how: Any) -> Impact:
    settings: dict[str, Any] = {"each": True, "deals": 60, "games": 6, "seed": 2, "compiled": False, "players": [BOTH]}
    return impact(FOSTER, HANDBOOK, **settings | how)


def same(one: Impact, other: Impact) -> bool:
    return [panel.sums for panel in one.panels] == [panel.sums for panel in other.panels]


def test_workers_change_nothing_even_if_one_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact_run, "_PLAIN_PART", 60)
    alone = small()
    killed: list[int] = []

    def kill(done: int, asked: int) -> None:
        if not killed:
            victim = multiprocessing.active_children()[0]
            killed.append(victim.pid or 0)
            victim.kill()
            victim.join()

    assert same(small(workers=2, progress=kill), alone)
    assert killed


@pytest.mark.slow
@pytest.mark.skipif(not kernel.available(), reason="numba is not installed")
def test_compiled_is_the_same_as_plain() -> None:
    rng = Random(11)
    for _ in range(25):
        rulesets = tuple(random_ruleset(rng).ints for _ in range(4))
        for unit, units in ((at.WHOLE_DEALS, 12), (at.WHOLE_GAMES, 3)):
            players = (rng.choice(BOTH), rng.choice(BOTH))
            plain = Pairing(rulesets, True, unit, rng.randrange(100), players, False)
            native = Pairing(rulesets, True, unit, plain.seed, players, True)
            assert play_units(plain, Part(3, units)) == play_units(native, Part(3, units))


@pytest.mark.slow
@pytest.mark.skipif(not kernel.available(), reason="numba is not installed")
def test_threads_change_nothing() -> None:
    how = {"compiled": True, "deals": 20_000, "games": 500}
    assert same(small(workers=3, **how), small(**how))


# ---- what follows from the sums -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found() -> Impact:
    return small(deals=150, games=12, players=[("greedy", "greedy"), ("random", "random")])


def test_parts_and_rest_make_the_whole(found: Impact) -> None:
    for panel in found.panels:
        assert panel.whole is not None
        for name, part in panel.explained.items():
            singles = sum(getattr(effect, name).value for effect in panel.ranked)
            assert part.parts.value == pytest.approx(singles)
            assert part.whole.value == pytest.approx(getattr(panel.whole, name).value)
            assert part.rest.value == pytest.approx(part.whole.value - part.parts.value)
        results = panel.results_explained
        assert results is not None
        changed, alike = results
        assert (alike.count or 0) <= (changed.count or 0) <= (panel.whole.result or changed).count  # type: ignore[operator]


def test_ranks_by_what_changes_results(found: Impact) -> None:
    for panel in found.panels:
        shares = [effect.result.value for effect in panel.ranked if effect.result]
        assert shares == sorted(shares, reverse=True)
    best = max(effect.weight for panel in found.panels for effect in panel.ranked)
    first = [effect for panel in found.panels for effect in panel.ranked if effect.variant == found.ranking[0]]
    assert best in [effect.weight for effect in first]


def test_every_difference_is_accounted_for(found: Impact) -> None:
    differ = {name for name, value in FOSTER.values.items() if HANDBOOK.values[name] != value}
    named = {variant.option for variant in found.ranking} | {name for name, _ in found.idle}
    assert named == differ
    assert "first_dealer" in dict(found.idle)


def test_an_option_by_all_its_values() -> None:
    found = impact(FOSTER, option="closing_draw", deals=5, games=1, compiled=False, players=[BOTH])
    assert {variant.value for variant in found.ranking} == {"before_drawing", "after_drawing"}
    numbers = impact(FOSTER, option="claim_forfeit_trickless", deals=2, games=0, compiled=False, players=[BOTH])
    assert all(isinstance(variant.value, int) for variant in numbers.ranking)


def test_an_option_that_contradicts_the_rest_is_left_out() -> None:
    found = impact(FOSTER, ve.load("schnapsen-vu"), each=True, deals=2, games=0, compiled=False, players=[BOTH])
    assert found.unfit
    assert all(why for _, why in found.unfit)


def test_nothing_to_compare() -> None:
    found = impact(FOSTER, FOSTER, each=True, compiled=False)
    assert found.panels == ()
    assert found.ranking == ()


def test_ctrl_c_leaves_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact_run, "_PLAIN_PART", 60)

    def stop(done: int, asked: int) -> None:
        if done * 3 > asked:
            raise KeyboardInterrupt

    found = small(progress=stop)
    assert found.interrupted
    assert 0 < found.panels[0].deals < 60
    assert found.as_json()["interrupted"] is True


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"deals": 0}, "number of deals"),
        ({"deals": 10**12}, "number of deals"),
        ({"games": -1}, "number of games"),
        ({"workers": 0}, "number of workers"),
        ({"players": []}, "players are needed"),
        ({"players": [("greedy",)]}, "two players"),
        ({"players": [("greedy", "gredy")]}, "did you mean 'greedy'"),
        ({"seed": 10**30}, "digits"),
        ({"option": "closing_draw"}, "either another ruleset or an option"),
    ],
)
def test_bad_questions(how: dict[str, Any], message: str) -> None:
    with pytest.raises(SimulationError, match=message):
        small(**how)


# ---- the command --------------------------------------------------------------------------------------------------


def command(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["impact", *map(str, arguments)])


QUICK = ("--plain", "--deals", 40, "--games", 4, "--players", "greedy,random")


def test_the_command() -> None:
    result = command("foster", "handbook", "--each", *QUICK)
    assert result.exit_code == 0, result.output
    assert "greedy against random" in result.stdout
    assert "closing_draw=after_drawing" in result.stdout
    assert "in plain Python" in result.stdout
    assert max(len(line) for line in result.stdout.splitlines()) <= 80
    data = json.loads(command("foster", "handbook", "--each", *QUICK, "--json").stdout)
    assert data["panels"][0]["deals"] == 40
    assert data["panels"][0]["effects"][-1]["option"] is None
    assert data["panels"][0]["effects"][-1]["reached"].keys() == {"count", "share", "low", "high"}
    assert data["ranking"][0] == data["panels"][0]["effects"][0]["label"]


def test_one_option_and_changes() -> None:
    changed = ("--set", "closing=not_played", "--option", "tie_carry=nothing")
    result = command("foster", *changed, *QUICK, "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["first"]["changes"] == {"closing": "not_played"}
    assert [effect["label"] for effect in data["panels"][0]["effects"]] == ["tie_carry=nothing"]


def test_unpaired_is_said() -> None:
    result = command("foster", "handbook", *QUICK, "--unpaired")
    assert result.exit_code == 0, result.output
    assert "were others" in " ".join(result.stdout.split())


def test_the_table(tmp_path: Path) -> None:
    file = tmp_path / "impact.csv"
    result = command("foster", "handbook", "--each", *QUICK, "-o", file)
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    assert rows[-1]["label"] == "handbook"
    assert rows[-1]["option"] == ""
    assert all(0 <= float(row["result_low"]) <= float(row["result"]) <= float(row["result_high"]) <= 1 for row in rows)


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_the_picture_is_the_same_every_time(ending: str, start: bytes, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.{ending}" for number in range(2)]
    for file in files:
        result = command("foster", "handbook", "--each", *QUICK, "--picture", file)
        assert result.exit_code == 0, result.output
    assert files[0].read_bytes().startswith(start)
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.filterwarnings("default")
def test_few_deals_in_plain_python_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without numba the default is smaller, and it is said."""
    monkeypatch.setattr(kernel, "available", lambda: False)
    monkeypatch.setattr("variant_engine.simulate.run._told", False)
    monkeypatch.setattr(impact_run, "PLAIN_DEALS", 10)
    result = command("foster", "handbook", "--players", "greedy,greedy")
    assert result.exit_code == 0, result.output
    assert "100 deals" in result.stdout
    assert "numba is not installed" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("foster",),
        ("foster", "nobody"),
        ("foster", "handbook", "--deals", "0"),
        ("foster", "handbook", "--deals", "-5"),
        ("foster", "handbook", "--deals", "1e9"),
        ("foster", "handbook", "--deals", str(10**20)),
        ("foster", "handbook", "--games", "-1"),
        ("foster", "handbook", "--workers", "0"),
        ("foster", "handbook", "--players", "greedy"),
        ("foster", "handbook", "--players", "greedy,nobody"),
        ("foster", "--each"),
        ("foster", "--option", "nobody"),
        ("foster", "--option", "closing_draw=nothing"),
        ("foster", "--option", "closing_draw=either"),
        ("foster", "--option", "hand_cards=12"),
        ("foster", "handbook", "--option", "closing_draw"),
        ("foster", "handbook", "--format", "html"),
        ("foster", "handbook", "-o", "/nowhere/impact.csv"),
        ("foster", "handbook", "--picture", "impact.gif"),
        ("foster", "handbook", "--picture", "/nowhere/impact.svg"),
    ],
)
def test_bad_input(arguments: tuple[str, ...]) -> None:
    result = command(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_claims_are_no_play_of_their_own() -> None:
    """A claim goes without a word elsewhere; what is compared are cards, exchanges, closings."""
    assert at.as_played(FOSTER.ints, blank_state(), 0, CLAIM_MOVE) == -1
    assert at.as_played(FOSTER.ints, blank_state(), 1, 5) == 256 + 5
