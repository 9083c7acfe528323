"""The matrix of what rulesets say, and its text: what differs, how, and how sure each value is."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import pytest

import variant_engine as ve
from cli.compare_text import SIGNS, cell, compare_text
from cli.terminal import plain
from tests.strategies import neutral
from variant_engine.account import ALL_STATUSES, HOUSE, NEUTRAL, SET, account, explain_option, said
from variant_engine.compare import DIFFERENCES, Matrix, compare
from variant_engine.evidence import Alternative, Evidence, Spot
from variant_engine.options import BY_NAME, OPTIONS
from variant_engine.options.meaning import moot_by
from variant_engine.ruleset import Ruleset, Source, UnknownOption

TEXTS = ("handbook", "foster", "app-af", "app-it", "howto-no")


def text(name: str, lineage: str = "", **answers: Evidence | str | int) -> Ruleset:
    """An attested ruleset in which the neutral value of every option is stated, apart from ``answers``."""
    evidence = {}
    for option in OPTIONS:
        given = answers.get(option.name, option.neutral)
        if not isinstance(given, Evidence):
            given = Evidence(given, "stated", ("¶1.1",))
        evidence[option.name] = dataclasses.replace(given, spot=Spot(f"{name}.yaml", 9, 3), ruleset=name)
    return Ruleset(
        id=name, title=name, kind="attested", lineage=lineage or name, language="en", summary="",
        source=Source("text"), parent=None, file=f"{name}.yaml",
        values={option: one.value for option, one in evidence.items()}, evidence=evidence,
    )  # fmt: skip


def row(matrix: Matrix, option: str) -> Any:
    return next(one for one in matrix.rows if one.option.name == option)


def silent(value: str | int) -> Evidence:
    return Evidence(value, "silent", why="a guess")


def ambiguous(*readings: str | int) -> Evidence:
    return Evidence(readings[0], "ambiguous", ("¶2.1",), "either way", readings)


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        ("free", "free", "none"),
        ("free", silent("free"), "none"),
        ("free", "required", "contradiction"),
        ("free", silent("required"), "silence"),
        (silent("free"), silent("required"), "silence"),
        ("free", ambiguous("required", "free"), "reading"),
        (ambiguous("free", "required"), ambiguous("required", "free"), "reading"),
        ("free", Evidence("required", "stated", also=(Alternative("free", ("¶3.1",)),)), "reading"),
        ("free", Evidence("required", "garbled", ("¶2.1",)), "contradiction"),
        ("free", Evidence("required", "implied", ("¶2.1",)), "contradiction"),
    ],
)
def test_the_kind_of_difference(here: Evidence | str, there: Evidence | str, expected: str) -> None:
    matrix = compare([text("one", follow_open=here), text("two", follow_open=there)])
    assert row(matrix, "follow_open").difference == expected
    assert row(matrix, "follow_open").differs == (expected != "none")


def test_a_third_voice_can_make_a_silent_difference_a_real_one() -> None:
    texts = [text("one"), text("two", head_open=silent("required")), text("three", head_open="required")]
    assert row(compare(texts[:2]), "head_open").difference == "silence"
    assert row(compare(texts), "head_open").difference == "contradiction"


def test_a_value_that_makes_no_difference_is_moot() -> None:
    matrix = compare([text("one"), text("two", closing="not_played", closing_forfeit=1)])
    assert row(matrix, "closing").difference == "contradiction"
    assert row(matrix, "closing_forfeit").difference == "moot"
    entry = row(matrix, "closing_forfeit").values["two"]
    assert entry.moot_by == ("closing",)
    assert cell(entry) == " 1*"


LAST_TRICK = {"end_both_reached": "last_trick", "end_none_reached": "last_trick"}
AUTOMATIC = {"claim_when": "automatic"}


@pytest.mark.parametrize(
    ("name", "values", "because"),
    [
        ("tie_carry", LAST_TRICK | AUTOMATIC, ("claim_when", "end_none_reached")),
        ("next_dealer_tie", LAST_TRICK, ("end_one_reached", "end_both_reached", "end_none_reached")),
        ("tie_carry", LAST_TRICK | {"end_one_reached": "nobody"}, ()),
        ("last_trick_value", {"end_both_reached": "nobody"}, ("end_both_reached", "end_none_reached")),
        ("last_trick_value", {"end_both_reached": "last_trick"}, ()),
        ("last_trick_value", {"end_both_reached": "last_trick"} | AUTOMATIC, ("claim_when", "end_none_reached")),
        ("last_trick_value", {"end_none_reached": "last_trick_if_equal"}, ()),
        ("value_schneider", {"schneider_limit": 0}, ("schneider_limit",)),
        ("value_schneider", {"schneider_limit": 1}, ()),
        ("schneider_limit", {"value_win": 2}, ("value_win", "value_schneider")),
        ("schneider_limit", {"value_win": 2, "schneider_limit": 0}, ("value_win", "value_schneider")),
        ("schneider_limit", {"schneider_limit": 0}, ()),
        # Another answer to it would differ from a plain win, so its being the same is no reason against it.
        ("value_schneider", {"value_win": 2}, ()),
        ("value_schneider", {"value_win": 2, "schneider_limit": 0}, ("schneider_limit",)),
        ("closing_trickless", {"closing_forfeit_trickless": 2}, ("closing_forfeit", "closing_forfeit_trickless")),
        ("closing_trickless", {"closing_forfeit": 3}, ("closing_forfeit", "closing_forfeit_trickless")),
        ("closing_trickless", {"closing_forfeit": 3, "closing": "not_played"}, ("closing",)),
        ("cut_rank", {"first_dealer": "any_agreed"}, ("first_dealer",)),
        ("cut_tie", {"first_dealer": "low_card_deals"}, ()),
    ],
)
def test_any_of_several_conditions_may_let_a_value_matter(
    name: str, values: dict[str, str | int], because: tuple[str, ...]
) -> None:
    assert moot_by(neutral() | values, name) == because


def test_a_lineage_that_agrees_shares_a_column_and_counts_once() -> None:
    garbled = Evidence("free", "garbled", ("¶5.3",), "a slip")
    matrix = compare([text("af", "app"), text("other", head_open="required"), text("it", "app", follow_open=garbled)])
    assert [column.head for column in matrix.columns] == ["af+it", "other"]
    assert matrix.lineages == {"app": ("af", "it"), "other": ("other",)}
    # What one translation has spoilt the other has kept.
    assert matrix.columns[0].entry(row(matrix, "follow_open")).status == "stated"
    shown = compare_text(matrix, 80, plain)
    assert "3 texts of 2 lineages: af+it, other." in shown
    assert "af and it come from one text (app), agree throughout and count once." in shown


def test_a_lineage_that_disagrees_has_a_column_each_and_says_so() -> None:
    matrix = compare([text("af", "app", head_open="required"), text("it", "app"), text("other")])
    assert [column.head for column in matrix.columns] == ["af", "it", "other"]
    assert row(matrix, "head_open").difference == "lineage"
    assert "af and it come from one text (app) and count once, but do not agree throughout." in compare_text(
        matrix, 80, plain
    )


def test_a_changed_ruleset_is_a_voice_of_its_own() -> None:
    foster = ve.load("foster")
    matrix = compare([foster, foster.replace(head_open="required")], ["foster", "changed"])
    assert len(matrix.columns) == 2
    assert [one.option.name for one in matrix.differing] == ["head_open"]
    assert row(matrix, "head_open").values["changed"].status == SET


def test_names_must_differ() -> None:
    with pytest.raises(ValueError, match="a name of its own"):
        compare([text("one"), text("one")])


# ---- the shipped texts ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def texts() -> Matrix:
    return compare([ve.load(name) for name in TEXTS])


def test_rows_are_the_registry_and_differ_when_values_do(texts: Matrix) -> None:
    assert [one.option.name for one in texts.rows] == [option.name for option in OPTIONS]
    for one in texts.rows:
        assert one.differs == (len({entry.value for entry in one.values.values()}) > 1)
    assert sum(len(texts.of_kind(kind)) for kind in DIFFERENCES) == len(OPTIONS)
    assert texts.texts
    assert texts.lineages["app"] == ("app-af", "app-it")


def test_json_is_the_matrix(texts: Matrix) -> None:
    data = json.loads(json.dumps(texts.as_json()))
    assert data["rulesets"] == list(TEXTS)
    assert [one["option"] for one in data["rows"]] == [one.option.name for one in texts.differing]
    for one in data["rows"]:
        assert one["question"] == BY_NAME[one["option"]].question
        assert set(one["values"]) == set(TEXTS)
        for name, entry in one["values"].items():
            assert set(entry) == {"value", "status", "where", "file", "line"}
            assert entry["value"] == ve.load(name).values[one["option"]]
            assert entry["file"] == f"rulesets/{name}.yaml"
            assert isinstance(entry["line"], int)
            assert entry["where"] or entry["status"] == "silent"
    assert len(texts.as_json(every=True)["rows"]) == len(OPTIONS)
    assert data["counts"]["differ"] == len(data["rows"])


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_no_line_is_wider_than_asked_for(texts: Matrix, width: int) -> None:
    for every in (False, True):
        for line in compare_text(texts, width, plain, every=every).splitlines():
            assert len(line) <= max(width, 70), line
            assert line == line.rstrip()


@pytest.mark.parametrize("width", [60, 80, 140])
def test_every_difference_is_in_the_text_with_every_value(texts: Matrix, width: int) -> None:
    shown = compare_text(texts, width, plain)
    for one in texts.differing:
        place = re.search(rf"^{one.option.name}\b", shown, re.MULTILINE)
        assert place is not None
        block = shown[place.start() :].split("\n\n")[0].split("\n")
        rest = "\n".join(block[: 1 if width == 140 else 12])
        for value in {str(entry.value) for entry in one.values.values()}:
            assert value in rest
    assert f"{len(texts.differing)} of {len(OPTIONS)} options differ" in shown
    assert f"{len(texts.of_kind('silence')):>3}  only because a text is silent" in shown


def test_at_80_columns_the_question_stands_above_the_values(texts: Matrix) -> None:
    lines = compare_text(texts, 80, plain).splitlines()
    question = lines.index("double_game: Does a game count double when the loser has no game point?")
    assert lines[question + 1].split() == ["[single]", "double", "[single]", "[single]"]


def test_a_wide_terminal_gets_a_line_for_each_option(texts: Matrix) -> None:
    lines = compare_text(texts, 120, plain).splitlines()
    row = next(line for line in lines if line.startswith("double_game"))
    assert row.split() == ["double_game", "[single]", "double", "[single]", "[single]"]


def test_signs_tell_statuses_apart_without_colour() -> None:
    assert set(SIGNS) == set(ALL_STATUSES)
    signs = {status: SIGNS[status][0] for status in ("stated", "implied", "silent", "ambiguous", "garbled")}
    assert len(set(signs.values())) == 5
    shown = compare_text(compare([text("one"), text("two", head_open=ambiguous("required", "free"))]), 80, plain)
    assert "?value   ambiguous: one reading taken" in shown
    assert "~value" not in shown
    assert re.search(r"^head_open +free +\?required$", shown, re.MULTILINE)


def test_colour_changes_nothing_but_colour(texts: Matrix) -> None:
    def mark(words: str, style: str) -> str:
        return f"<{style}>{words}</>"

    assert re.sub(r"</?(?:bold|faint)?>", "", compare_text(texts, 80, mark)).replace(" \n", "\n").split() == (
        compare_text(texts, 80, plain).split()
    )


def test_agreement_is_said() -> None:
    shown = compare_text(compare([text("one"), text("two")]), 80, plain)
    assert shown.splitlines()[:2] == ["2 texts: one, two.", f"They agree on all {len(OPTIONS)} options."]


# ---- what one ruleset says ------------------------------------------------------------------------------------------


def test_said_tells_where_a_value_comes_from() -> None:
    foster = ve.load("foster")
    one = said(foster, "turn_up")
    assert (one.status, one.ruleset, one.file) == ("stated", "foster", "rulesets/foster.yaml")
    assert one.possible == {"thirteenth_card", "seventh_card", "drawn_by_forehand"}
    changed = said(foster.replace(closing_forfeit=1), "closing_forfeit")
    assert (changed.status, changed.spot, changed.value) == (SET, "", 1)
    with pytest.raises(UnknownOption, match="did you mean 'turn_up'"):
        said(foster, "turnup")


def test_house_values_and_neutral_ones(tmp_path: Any) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text('format: 1\nid: mine\ntitle: "Mine"\nkind: house\noptions:\n  head_open: required\n', "utf-8")
    mine = ve.load(str(file))
    assert said(mine, "head_open").status == HOUSE
    assert said(mine, "head_open").line == 6
    assert said(mine, "follow_open").status == NEUTRAL
    assert not said(mine, "follow_open").spoken
    assert [one.option.name for one in account(mine).departing] == ["head_open"]
    assert account(mine).statuses == {HOUSE: 1, NEUTRAL: len(OPTIONS) - 1}


def test_explanation_asks_the_others() -> None:
    others = [ve.load("handbook"), ve.load("app-it")]
    explanation = explain_option(ve.load("foster"), "closing_draw", others)
    data = explanation.as_json()
    assert data["meaning"] == BY_NAME["closing_draw"].meaning(data["value"])
    assert list(data["others"]) == ["handbook", "app-it"]
    assert data["others"]["handbook"]["status"] == "ambiguous"
