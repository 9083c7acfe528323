"""Gaps: readings from evidence and other texts; the same deals and lots for every reading; the order; intervals."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from typer.testing import CliRunner

import variant_engine as ve
from cli.main import app
from tests.strategies import shipped
from variant_engine.compare.gaps import OPEN_STATUSES, Gaps, Reading, _Base, find_gaps
from variant_engine.compare.lockstep import dealt
from variant_engine.engine import legal, play
from variant_engine.options import OPTIONS
from variant_engine.phases import ANNOUNCE_MOVE, OVER
from variant_engine.ruleset import Ruleset
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
    # First those that can act as the text is read.
    assert [gap.under is not None for gap in found.gaps] == sorted(gap.under is not None for gap in found.gaps)
    for acting in (True, False):
        some = [gap for gap in found.gaps if (gap.under is None) == acting]
        counts = [(gap.result.count or 0, gap.moves.count or 0) for gap in some]
        assert counts == sorted(counts, reverse=True)


def test_any_reading_of_a_text_counts_for_the_option(found: Gaps) -> None:
    for gap in found.gaps:
        for whole, parts in (
            (gap.result.count or 0, [reading.result.count or 0 for reading in gap.readings if reading.in_text]),
            (gap.moves.count or 0, [reading.moves.count or 0 for reading in gap.readings if reading.in_text]),
        ):
            assert max(parts, default=0) <= whole <= sum(parts)
        assert gap.result.low is not None
        assert gap.result.high is not None
        assert 0 <= gap.result.low <= gap.result.value <= gap.result.high <= 1


def readings_of(found: Gaps, option: str) -> dict[str | int, Reading]:
    (gap,) = (gap for gap in found.gaps if gap.option.name == option)
    return {reading.value: reading for reading in gap.readings}


def deemed(rules: Ruleset, option: str, **evidence: Any) -> Ruleset:
    """The ruleset with something else said about where a value comes from."""
    return replace(rules, evidence={**rules.evidence, option: replace(rules.evidence[option], **evidence)})


def test_what_only_a_program_has_does_not_count_in_the_order() -> None:
    found = find_gaps(ve.load("app-af"), shipped(), deals=20, players=("greedy", "greedy"))
    (gap,) = (gap for gap in found.gaps if gap.option.name == "packet_cards")
    (reading,) = gap.readings
    assert (reading.value, reading.said_by, reading.in_text) == (1, ("schnapsen-vu",), False)
    assert (reading.moves.count or 0) > 0
    assert (gap.moves.count, gap.result.count) == (0, 0)
    assert gap.decides
    # Beside the readings of texts, a program's stands uncounted; with a text that agrees, it counts.
    both = readings_of(find_gaps(ve.load("handbook"), shipped(), deals=1), "marriage_counts")
    assert {value: one.in_text for value, one in both.items()} == {"with_a_trick": True, "with_next_trick": False}


def test_what_only_a_garbled_text_says_is_a_reading() -> None:
    asked = deemed(ve.load("foster"), "exchange_when", status="silent", readings=(), also=())
    article = ve.load("app-it")
    assert article.evidence["exchange_when"].status == "garbled"
    assert readings_of(find_gaps(asked, [article], deals=1), "exchange_when")["on_lead"].said_by == ("app-it",)
    # What an editor filled in for a text is nobody's reading.
    mute = deemed(article, "exchange_when", status="silent")
    assert dict(find_gaps(asked, [mute], deals=1).idle)["exchange_when"] == "no text reads it otherwise"


def test_another_way_that_the_text_itself_offers_is_a_reading() -> None:
    asked = deemed(ve.load("foster"), "turn_up", status="ambiguous")
    assert asked.evidence["turn_up"].readings == ()
    by = readings_of(find_gaps(asked, (), deals=1), "turn_up")
    assert {value: one.said_by for value, one in by.items()} == {
        "seventh_card": ("foster",),
        "drawn_by_forehand": ("foster",),
    }
    assert all(one.in_text for one in by.values())


def test_what_is_without_effect_is_tried_under_the_reading_that_lets_it_act() -> None:
    rules = ve.load("howto-no")
    assert rules["closing"] == "not_played"
    found = find_gaps(rules, shipped(), deals=20, players=("random", "random"))
    under = {gap.option.name: gap.under for gap in found.gaps}
    assert under["closing"] is None
    assert under["closing_draw"] == ("closing", "on_lead")
    assert (readings_of(found, "closing_draw")["either"].moves.count or 0) > 0
    # Where no text reads the other option so, it is said why nothing was tried.
    settled = find_gaps(deemed(rules, "closing", status="stated", readings=()), shipped(), deals=1)
    assert dict(settled.idle)["closing_draw"] == "it is without effect while closing = not_played"
    lone = deemed(rules, "closing", status="silent", readings=())
    program = [other for other in shipped() if other.source is not None and other.source.type == "program"]
    assert "closing_draw" in dict(find_gaps(lone, program, deals=1).idle)


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
    assert readings_of(gaps, "packet_cards")[1].moves.value > 0.9


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
    assert "with_next_trick: schnapsen-vu (program)" in " ".join(text.split())
    assert "Only if closing is read as on_lead:" in run("gaps", "howto-no", "--deals", "5")[1]
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
