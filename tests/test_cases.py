"""The runner of case files: everything a case can expect can fail, and says so; what cannot be read is told apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.main import app
from variant_engine.cases import EXPECT_KEYS, RESULT_KEYS, Outcome, run_file
from variant_engine.diagnostics import Diagnostic, RuleFileError

GIVEN: dict[str, Any] = {
    "dealer": "B", "lead": "A", "trump": "H", "turn_up": "HT", "talon": ["SJ", "DQ", "DJ", "CT", "CJ"],
    "hands": {"A": "HK HQ DK CK CQ H9", "B": "S9 SQ DT D9 C9 DA"},
    "tricks": {"A": 2, "B": 1}, "points": {"A": 20, "B": 10},
}  # fmt: skip
#: A can go out.
RICH = {**GIVEN, "points": {"A": 66, "B": 10}, "score": {"A": 3, "B": 4}, "carry": 1}


def case(expect: dict[str, Any], play: str = "", /, **more: Any) -> dict[str, Any]:
    return {"name": "a case", "rulesets": ["foster"], "given": GIVEN, "play": play, "expect": expect, **more}


def run(folder: Path, *cases: Any, name: str = "made.cases.yaml") -> tuple[list[Outcome], list[Diagnostic]]:
    """Run cases from a file; JSON is YAML."""
    path = folder / name
    path.write_text(json.dumps({"cases": list(cases)}, indent=1), encoding="utf-8")
    return run_file(path)


def message(folder: Path, made: dict[str, Any]) -> str:
    """The message of a single case; empty when it passes."""
    (outcome,), problems = run(folder, made)
    assert outcome.readable
    assert problems == []
    assert outcome.passed == (outcome.message == "")
    return outcome.message


# ---- each key can pass and fail -----------------------------------------------------------------------------------

EXPECTATIONS: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    # Key, what holds, what does not, the play before, and what the message says.
    ("over", {"over": False}, {"over": True}, "", "over is False, expected true"),
    ("to_move", {"to_move": "B"}, {"to_move": "A"}, "A:HK", "to move is B, expected A"),
    ("points", {"points": {"A": 24, "B": 10}}, {"points": {"A": 23}}, "A:HK B:C9", "points of A is 24, expected 23"),
    ("points", {"points": {"B": 10}}, {"points": {"C": 10}}, "", "no seat C"),
    ("tricks", {"tricks": {"A": 3, "B": 1}}, {"tricks": {"B": 2}}, "A:HK B:C9", "tricks of B is 1, expected 2"),
    ("pending", {"pending": {"A": 0}}, {"pending": {"A": 20}}, "", "pending card points of A is 0, expected 20"),
    ("hand_size", {"hand_size": 6}, {"hand_size": 5}, "", "cards in hand of A is 6, expected 5"),
    ("hand_size", {"hand_size": {"A": 5, "B": 6}}, {"hand_size": {"B": 5}}, "A:HK", "hand of B is 6, expected 5"),
    ("legal_cards", {"legal_cards": ["CK", "CQ"]}, {"legal_cards": ["CK"]}, "A:+20C", "found CK CQ, expected CK"),
    (
        "legal", {"legal": ["=", "||", "66"]}, {"legal": ["=", "||"]}, "A:HK B:C9", "found 66 = ||, expected = ||",
    ),
    ("can", {"can": ["HK", "B:66", "|"]}, {"can": ["HK", "B:HK"]}, "", "B:HK should be allowed"),
    ("cannot", {"cannot": ["HA", "+20S", "+40C"]}, {"cannot": ["HA", "HK"]}, "", "HK is allowed, and should not be"),
    ("refused", {"refused": True}, {"refused": True, "over": False}, "A:HA", ""),
    ("refused_by", {"refused_by": "marriage_unled"}, {"refused_by": "follow_open"}, "A:+40H A:+20C", "not by follow"),
    ("result", {"result": {}}, {"result": {"winner": "B"}}, "", "the deal is not over"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "holds", "fails", "play", "says"), EXPECTATIONS)
def test_an_expectation(
    tmp_path: Path, key: str, holds: dict[str, Any], fails: dict[str, Any], play: str, says: str
) -> None:
    if key != "result":
        assert message(tmp_path, case(holds, play)) == ""
    if key != "refused":
        assert says in message(tmp_path, case(fails, play))


def test_a_refusal_that_does_not_come(tmp_path: Path) -> None:
    assert "HK is allowed, and should be refused" in message(tmp_path, case({"refused": True}, "A:HK"))
    assert "HK is allowed" in message(tmp_path, case({"refused_by": "follow_open"}, "A:HK"))
    # All tokens before the last must be allowed.
    assert "HA is not allowed" in message(tmp_path, case({"refused": True}, "A:HA A:HK"))
    # A marriage that counts something else is refused as well, but by no option.
    assert message(tmp_path, case({"refused": True}, "A:+30C")) == ""
    assert "counts 20" in message(tmp_path, case({"refused_by": "marriage_plain"}, "A:+30C"))
    # "refused: false" asks for nothing.
    assert message(tmp_path, case({"refused": False}, "A:HK")) == ""
    # What is refused changes nothing, so that more can be expected of the position before it.
    assert message(tmp_path, case({"refused": True, "to_move": "A", "over": False}, "A:HA")) == ""


RESULT = {"winner": "A", "game_points": 3, "score": "6-4", "carry": 0, "reason": "claim"}


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("winner", "B"),
        ("winner", "none"),
        ("game_points", 2),
        ("score", "3-4"),
        ("score", {"A": 5}),
        ("carry", 1),
        ("reason", "counted"),
    ],
)
def test_a_result(tmp_path: Path, key: str, wrong: Any) -> None:
    assert message(tmp_path, case({"result": RESULT}, "A:66", given=RICH)) == ""
    assert message(tmp_path, case({"result": {"score": {"A": 6, "B": 4}}}, "A:66", given=RICH)) == ""
    said = message(tmp_path, case({"result": {key: wrong}}, "A:66", given=RICH))
    assert "expected" in said
    assert key.replace("_", " ").split()[0] in said


def test_nobody_wins(tmp_path: Path) -> None:
    given = {
        "trump": "H", "lead": "A", "hands": {"A": "SA", "B": "S9"},
        "tricks": {"A": 5, "B": 6}, "points": {"A": 20, "B": 20},
    }  # fmt: skip
    result = {"winner": "none", "game_points": 0, "reason": "tie", "carry": 1}
    assert message(tmp_path, case({"result": result}, "SA S9", given=given)) == ""


def test_every_key_is_tried() -> None:
    """A key that the runner gains must be tried here."""
    assert {key for key, *_ in EXPECTATIONS} == set(EXPECT_KEYS)
    assert set(RESULT) == set(RESULT_KEYS)


# ---- what is played -----------------------------------------------------------------------------------------------


def test_an_unwritten_draw_is_put_in(tmp_path: Path) -> None:
    hands = {"hand_size": {"A": 5, "B": 6}, "to_move": "B"}
    assert message(tmp_path, case(hands, "A:HK B:C9 A:= A:HQ")) == ""
    assert message(tmp_path, case(hands, "A:HK B:C9 A:HQ")) == ""
    assert message(tmp_path, case({"hand_size": 6}, "A:HK B:C9 A:^H9")) == ""
    # Not before closing undrawn or a claim; nor for the other seat.
    assert message(tmp_path, case({"hand_size": 5}, "A:HK B:C9 A:||")) == ""
    assert message(tmp_path, case({"over": True, "hand_size": 5}, "A:HK B:C9 A:66")) == ""
    assert "B:SQ is not allowed" in message(tmp_path, case({}, "A:HK B:C9 B:SQ"))
    # The refusal is of the token that is written, after the draw.
    assert message(tmp_path, case({"refused": True, "hand_size": 6}, "A:HK B:C9 A:HK")) == ""
    # Nothing else is ever put in: where there is no choice, a draw cannot be written either.
    without = {"with": {"closing_draw": "after_drawing"}}
    assert message(tmp_path, case({"refused": True}, "A:HK B:C9 A:=", **without)) == ""


def test_a_claim_after_the_end_is_dropped(tmp_path: Path) -> None:
    automatic = {"with": {"claim_when": "automatic"}}
    given = {**GIVEN, "points": {"A": 55, "B": 10}}
    result = {"result": {"winner": "A", "reason": "reached"}}
    for play in ("A:HK B:DA", "A:HK B:DA A:66", "A:HK B:DA 66"):
        assert message(tmp_path, case(result, play, given=given, **automatic)) == ""
    assert "is over" in message(tmp_path, case(result, "A:HK B:DA A:HQ", given=given, **automatic))
    assert "is over" in message(tmp_path, case(result, "A:HK B:DA B:66", given=given, **automatic))
    # Where claims are made, one after the end is a mistake.
    assert "is over" in message(tmp_path, case({}, "A:66 A:66", given=given))


def test_an_illegal_move_fails_the_case_with_its_reason(tmp_path: Path) -> None:
    said = message(tmp_path, case({}, "A:+40H A:DK"))
    assert "DK is not allowed" in said
    said = message(tmp_path, case({}, "A:| A:+20C", **{"with": {"marriage_closed": "not_allowed"}}))
    assert "marriage_closed = not_allowed" in said
    assert "it is A's turn" in message(tmp_path, case({}, "B:C9"))


def test_changes_for_one_case(tmp_path: Path) -> None:
    assert message(tmp_path, case({"cannot": ["|"]}, **{"with": {"closing": "not_played"}})) == ""
    assert message(tmp_path, case({"can": ["+25C"]}, **{"with": {"marriage_plain": 25}})) == ""
    assert message(tmp_path, case({"can": ["|"]})) == ""


def test_each_ruleset_named(tmp_path: Path) -> None:
    outcomes, problems = run(tmp_path, case({"can": ["||"]}, "A:HK B:C9", rulesets=["foster", "handbook"]))
    assert [(outcome.ruleset, outcome.passed) for outcome in outcomes] == [("foster", True), ("handbook", False)]
    assert problems == []


def test_a_file_beside_a_ruleset(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text(
        'format: 1\nid: ours\ntitle: "Ours"\nkind: house\nextends: foster\noptions:\n  closing: not_played\n',
        encoding="utf-8",
    )
    made = {key: value for key, value in case({"cannot": ["|"]}).items() if key != "rulesets"}
    outcomes, problems = run(tmp_path, made, name="ours.cases.yaml")
    assert [outcome.message for outcome in outcomes] == [""]
    assert problems == []
    named, _ = run(tmp_path, case({"cannot": ["|"]}, rulesets=["ours.yaml"]))
    assert [outcome.passed for outcome in named] == [True]


# ---- what cannot be read ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "line_of", "says"),
    [
        ({"rulesets": ["fostre"]}, '"fostre"', "fostre"),
        ({"rulesets": "foster"}, '"rulesets"', "must be a list"),
        ({"rulesets": []}, '"rulesets"', "must be a list"),
        ({"expects": {}}, '"expects"', "unknown key 'expects'"),
        ({"given": {**GIVEN, "trumps": "H"}}, '"trumps"', "unknown key 'trumps'"),
        ({"given": {**GIVEN, "turn_up": "ST"}}, '"turn_up"', "another suit"),
        ({"given": {**GIVEN, "tricks": {"A": "x"}}}, '"A": "x"', "no number"),
        ({"given": "none"}, '"given"', "must be a mapping"),
        ({"expect": {"wins": "A"}}, '"wins"', "unknown key 'wins'"),
        ({"expect": {"result": {"points": 1}}}, '"points": 1\n', "unknown key 'points'"),
        ({"expect": {"result": "A"}}, '"result"', "must be a mapping"),
        ({"expect": {"can": "HK"}}, '"can"', "must be a list"),
        ({"expect": {"can": ["XX"]}}, '"can"', "'XX' is no move"),
        ({"expect": {"refused_by": "folow_open"}}, '"folow_open"', "no option 'folow_open'"),
        ({"expect": {"refused": True}}, '"expect"', "needs a token"),
        ({"play": "A:HK B:XX"}, '"play"', "'B:XX' is no move"),
        ({"play": ["A:HK"]}, '"play"', "one line of tokens"),
        ({"with": {"closing": "never"}}, '"with"', "'never'"),
        ({"with": {"shutting": "never"}}, '"with"', "no option"),
        ({"with": "closing"}, '"with"', "map options to values"),
        ({"with": {"hand_cards": 12}}, '"with"', "leave no talon"),
    ],
)
def test_unreadable_cases(tmp_path: Path, changes: dict[str, Any], line_of: str, says: str) -> None:
    """Told with the place, counted as failed, and no hindrance to the others."""
    outcomes, problems = run(tmp_path, {**case({"over": False}), **changes}, case({"over": False}))
    bad, good = outcomes
    assert good.passed
    assert not bad.passed
    assert not bad.readable
    assert says in bad.message
    (problem,) = problems
    assert says in problem.message
    text = (tmp_path / "made.cases.yaml").read_text(encoding="utf-8")
    assert problem.spot.line == text[: text.index(line_of)].count("\n") + 1


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ('play: "A:HK B:XX A:HQ"', "B:XX"),
        ("play: A:HK +2X", "+2X"),
        ("expect: {legal: [HX, CC]}", "HX"),
        ('given: {lead: A, trump: H, state: exhausted, hands: {A: "HK DQ", B: "CJ ZQ"}}', "ZQ"),
        ("given: {lead: A, trump: H, state: exhausted, hands: {A: HK DQ, B: [CJ, S7]}}", "S7"),
        ('given: {lead: A, trump: H, state: exhausted, hands: {A: "HK DQ", B: "CJ HK"}}', "HK"),
    ],
)
def test_a_bad_word_is_pointed_at(tmp_path: Path, line: str, word: str) -> None:
    """Not the list it stands in; of a card that is there twice the second."""
    made: dict[str, str] = {
        "given": "given: {lead: A, trump: H, state: exhausted, hands: {A: HK DQ, B: CJ S9}}",
        "play": "play: A:HK",
        "expect": "expect: {}",
    }
    made[line.partition(":")[0]] = line
    path = tmp_path / "made.cases.yaml"
    path.write_text("cases:\n  - rulesets: [foster]\n" + "".join(f"    {each}\n" for each in made.values()), "utf-8")
    _, (problem,) = run_file(path)
    text = problem.place.text
    shown = text[problem.spot.column - 1 : problem.place.end - 1]
    assert shown == word
    assert problem.spot.column - 1 == text.rindex(shown)


@pytest.mark.parametrize("key", ["given", "expect"])
def test_a_case_lacks_something(tmp_path: Path, key: str) -> None:
    (outcome,), (problem,) = run(tmp_path, {name: value for name, value in case({}).items() if name != key})
    assert not outcome.readable
    assert f"no '{key}'" in problem.message


def test_a_case_without_rulesets(tmp_path: Path) -> None:
    made = {name: value for name, value in case({}).items() if name != "rulesets"}
    (outcome,), (problem,) = run(tmp_path, made, name="made.yaml")
    assert not outcome.readable
    assert "names no 'rulesets'" in problem.message


@pytest.mark.parametrize("style", ["|", ">"])
def test_a_block_of_tokens_is_refused(tmp_path: Path, style: str) -> None:
    path = tmp_path / "block.cases.yaml"
    given = json.dumps(GIVEN)
    path.write_text(
        f"cases:\n  - rulesets: [foster]\n    given: {given}\n    play: {style}\n"
        "      A:HK\n      B:C9\n    expect: {}\n",
        encoding="utf-8",
    )
    (outcome,), (problem,) = run_file(path)
    assert not outcome.readable
    assert "one line of tokens" in problem.message
    assert problem.spot.line == 4


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "cases: []",
        "cases: 5",
        "cases: {}",
        "cases: [5]",
        "other: []",
        "cases:\n  - name: a\nmore: 1\n",
        "cases: [",
        "",
    ],
)
def test_a_file_that_is_none_of_cases(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.cases.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RuleFileError):
        run_file(path)


def test_values_are_read_as_written(tmp_path: Path) -> None:
    """A plain 66, a plain = and a card that YAML might take for something else are text here."""
    path = tmp_path / "plain.cases.yaml"
    path.write_text(
        "cases:\n  - name: 1\n    rulesets: [foster]\n    given:\n      dealer: B\n      trump: H\n      turn_up: HT\n"
        "      talon: [SJ, DQ, DJ]\n      hands: {A: HK HQ, B: S9 SQ}\n      tricks: {A: 1, B: 010}\n"
        "    play: A:HK B:S9\n    expect: {legal: [=, '||', 66], tricks: {A: 2, B: 010}}\n",
        encoding="utf-8",
    )
    outcomes, problems = run_file(path)
    assert problems == []
    # The count of tricks is a number; the text 010 is compared with what it would be written as.
    assert [(outcome.name, outcome.line) for outcome in outcomes] == [("1", 2)]
    assert outcomes[0].message == "tricks of B is 10, expected 010"


@pytest.mark.parametrize("answer", ["yes", "maybe", "1"])
def test_only_true_and_false_say_whether_a_move_is_refused(tmp_path: Path, answer: str) -> None:
    """Anything else would pass without having been checked."""
    file = tmp_path / "lax.cases.yaml"
    file.write_text(
        "cases:\n  - name: lax\n    rulesets: [foster]\n"
        "    given: {dealer: B, lead: A, trump: H, hands: {A: HK, B: CJ}}\n"
        f"    play: 'A:HK'\n    expect: {{refused: {answer}}}\n"
    )
    outcomes, problems = run_file(file)
    assert [outcome.readable for outcome in outcomes] == [False]
    assert "true or false" in problems[0].message


def test_a_file_of_cases_may_have_any_name(tmp_path: Path) -> None:
    file = tmp_path / "any.yaml"
    file.write_text(
        "# A comment first.\ncases:\n  - name: a lead\n    rulesets: [foster]\n"
        "    given: {dealer: B, lead: A, trump: H, hands: {A: HK, B: CJ}}\n    play: 'A:HK'\n    expect: {to_move: B}\n"
    )
    done = CliRunner().invoke(app, ["test", str(file)])
    assert done.exit_code == 0, done.output
    assert "1 passed, 0 failed" in done.output
