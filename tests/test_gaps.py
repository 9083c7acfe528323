"""Gaps: readings from evidence and other texts; the same deals and lots for every reading; the order; intervals."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import variant_engine as ve
from cli.main import app
from tests.strategies import shipped
from variant_engine.compare.gaps import OPEN_STATUSES, Gaps, _Base, find_gaps
from variant_engine.compare.lockstep import dealt
from variant_engine.engine import legal, play
from variant_engine.options import OPTIONS
from variant_engine.phases import ANNOUNCE_MOVE, OVER
from variant_engine.state import PHASE


@pytest.fixture(scope="module")
def found() -> Gaps:
    return find_gaps(ve.load("handbook"), shipped(), deals=80, seed=3, players=("greedy", "random"))


def test_every_open_option_is_accounted_for(found: Gaps) -> None:
    rules = ve.load("handbook")
    still_open = {o.name for o in OPTIONS if rules.evidence[o.name].status in OPEN_STATUSES}
    assert {gap.option.name for gap in found.gaps} | {name for name, _ in found.idle} == still_open
    assert not {gap.option.name for gap in found.gaps} & {name for name, _ in found.idle}


def test_readings_come_from_the_evidence_and_from_other_texts(found: Gaps) -> None:
    gap = next(gap for gap in found.gaps if gap.option.name == "exchange_when")
    by = {reading.value: reading.said_by for reading in gap.readings}
    assert by["on_turn"] == ("handbook",)
    assert "foster" in by["any_time"]
    assert gap.value not in by
    alone = find_gaps(ve.load("handbook"), (), deals=1, players=("greedy", "greedy"))
    own = next(gap for gap in alone.gaps if gap.option.name == "exchange_when")
    assert {name for reading in own.readings for name in reading.said_by} == {"handbook"}


def test_the_order_is_by_how_often_it_decides(found: Gaps) -> None:
    counts = [(gap.result.count or 0, gap.moves.count or 0) for gap in found.gaps]
    assert counts == sorted(counts, reverse=True)


def test_any_reading_counts_for_the_option(found: Gaps) -> None:
    for gap in found.gaps:
        for whole, parts in (
            (gap.result.count or 0, [reading.result.count or 0 for reading in gap.readings]),
            (gap.moves.count or 0, [reading.moves.count or 0 for reading in gap.readings]),
        ):
            assert max(parts) <= whole <= sum(parts)
        assert gap.result.low is not None
        assert gap.result.high is not None
        assert 0 <= gap.result.low <= gap.result.value <= gap.result.high <= 1


def test_the_same_question_gets_the_same_answer(found: Gaps) -> None:
    assert find_gaps(ve.load("handbook"), shipped(), deals=80, seed=3, players=("greedy", "random")) == found


def test_a_reading_that_is_the_same_rules_changes_nothing() -> None:
    rules = ve.load("foster")
    for number in range(10):
        assert _Base(rules.ints, 1, number, ("random", "greedy")).differs(rules.ints) == (False, False)


def test_one_move_more_does_not_change_what_is_chosen_after_it() -> None:
    """With and without marriages, players who lead the same cards otherwise choose by the same lots."""
    rules = ve.load("handbook")
    without = rules.replace(marriage_trick="needed").ints
    base = _Base(rules.ints, 9, 0, ("random", "random"))
    state = dealt(rules.ints, base.pack, base.dealer, 0)
    other = dealt(without, base.pack, base.dealer, 0)
    same = 0
    while state[PHASE] != OVER:
        choice = base._choose(rules.ints, state)
        if legal(rules.ints, state, choice[0]) == legal(without, other, choice[0]) and choice[1] < ANNOUNCE_MOVE:
            assert base._choose(without, other) == choice
            same += 1
        play(rules.ints, state, *choice)
        if not legal(without, other, choice[0]) >> choice[1] & 1:
            break
        play(without, other, *choice)
    assert same


def test_a_lot_is_as_good_as_random() -> None:
    rules = ve.load("foster")
    firsts = [_Base(rules.ints, 4, number, ("random", "random")).line[0][1][1] for number in range(300)]
    closings = sum(move >= 32 for move in firsts)
    # Six cards and the closing, now and then a marriage: a seventh and a little more.
    assert 25 < closings < 85


def test_readings_of_the_deal_change_every_deal() -> None:
    rules = ve.load("app-af")
    gaps = find_gaps(rules, shipped(), deals=20, players=("greedy", "greedy"))
    packets = next(gap for gap in gaps.gaps if gap.option.name == "packet_cards")
    assert packets.moves.value > 0.9


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"players": ("greedy",)}, "players"),
        ({"players": ("greedy", "nobody")}, "players"),
        ({"deals": 0}, "at least one deal"),
    ],
)
def test_bad_questions(how: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find_gaps(ve.load("foster"), **how)  # type: ignore[arg-type]


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.stdout


def test_the_command() -> None:
    code, text = run("gaps", "handbook", "--deals", "30")
    assert code == 0
    assert "30 deals of seed 66, greedy against greedy" in " ".join(text.split())
    assert "exchange_when" in text
    code, text = run("gaps", "handbook", "--deals", "30", "--json")
    assert code == 0
    data = json.loads(text)
    assert data["players"] == ["greedy", "greedy"]
    assert data["gaps"][0]["result"].keys() >= {"share", "low", "high", "count"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("gaps",),
        ("gaps", "nobody"),
        ("gaps", "foster", "--players", "greedy"),
        ("gaps", "foster", "--players", "greedy,nobody"),
        ("gaps", "foster", "--deals", "0"),
    ],
)
def test_bad_input(arguments: tuple[str, ...]) -> None:
    assert run(*arguments)[0] == 2
