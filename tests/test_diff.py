"""How two rulesets differ: by options with where each was said, and in words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from typer.testing import CliRunner

import variant_engine as ve
from cli.main import app
from tests.strategies import ruleset, rulesets
from variant_engine.rulebook import difference, difference_html, difference_markdown, difference_text
from variant_engine.rulebook.book import write
from variant_engine.rulebook.language import Language
from variant_engine.ruleset import Ruleset


def run(*args: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["diff", *args], prog_name="sixtysix", env={"COLUMNS": "80"})
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.stderr


def run_json(*args: str) -> Any:
    return json.loads(run(*args, "--json"))


@given(rulesets(), rulesets())
@settings(max_examples=60)
def test_a_difference_is_of_the_values_and_of_the_sentences(first: Ruleset, second: Ruleset) -> None:
    found = difference(first, second, ("one", "other"))
    assert {one.option.name for one in found.options} == {n for n, v in first.values.items() if second[n] != v}
    for one in found.options:
        assert (one.first.value, one.second.value) == (first[one.option.name], second[one.option.name])
    texts = [
        {s.topic: s.text for c in write(rules.values, Language()) for p in c.paragraphs for s in p}
        for rules in (first, second)
    ]
    assert {one.topic for one in found.words} == {t for t in texts[0] | texts[1] if texts[0].get(t) != texts[1].get(t)}
    # Every difference that matters shows in words.
    told = {name for one in found.words for name in one.options}
    assert {one.option.name for one in found.options if one.matters} <= told


@given(rulesets(), rulesets())
@settings(max_examples=30)
def test_a_difference_reads_the_same_from_both_sides(first: Ruleset, second: Ruleset) -> None:
    here, there = difference(first, second, ("a", "b")), difference(second, first, ("b", "a"))
    assert [(one.first, one.second) for one in here.options] == [(one.second, one.first) for one in there.options]
    assert [(one.first, one.second) for one in here.words] == [(one.second, one.first) for one in there.words]


def test_a_meaningless_difference_is_told_but_not_in_words() -> None:
    first = ruleset(closing="not_played")
    found = difference(first, ruleset(closing="not_played", closing_forfeit=4), ("a", "b"))
    assert [(one.option.name, one.matters) for one in found.options] == [("closing_forfeit", False)]
    assert found.words == ()


def test_where_one_says_nothing_the_other_speaks() -> None:
    found = difference(ruleset(), ruleset(closing="not_played"), ("a", "b"))
    empty = [one.topic for one in found.words if not one.second]
    assert "closing_forfeit" in empty
    assert "b: Nothing is said about this." in difference_text(found)
    assert "Dazu wird nichts gesagt." in difference_text(difference(ruleset(), ruleset(closing="not_played"),
                                                                    ("a", "b"), "de"), "de")  # fmt: skip
    assert "## Closing" in difference_markdown(found)
    assert "<h2>Closing</h2>" in difference_html(found)


def test_what_the_other_says_in_another_sentence_is_said() -> None:
    """Two sentences of the one are one sentence of the other, which says no less."""
    foster = ve.load("foster")
    changed = foster.replace(next_dealer_tie="same_dealer")
    found = {one.topic: one for one in difference(changed, foster, ("one", "other")).words}
    merged = "From then on the players deal in turn, whether or not the last deal was won."
    assert foster["next_dealer"] == foster["next_dealer_tie"] == "alternate"
    assert found["next_dealer"].second == found["next_dealer_tie"].second == merged


def test_what_was_said_is_not_said_again() -> None:
    """One sentence of the one is another topic's sentence of the other: two topics, and one pair to read."""
    found = difference(ve.load("handbook"), ve.load("handbook").replace(closing="not_played"), ("one", "other"))
    pairs = [(one.first, one.second) for one in found.words]
    assert len(set(pairs)) < len(pairs)
    told = [(one.first, one.second) for one in found.told()]
    assert sorted(told) == sorted(set(pairs))
    for text in (difference_text(found), difference_markdown(found), difference_html(found)):
        assert text.count("Marriages still count after the talon is exhausted.") == 1


@given(rulesets(), rulesets())
@settings(max_examples=30)
def test_nothing_is_lost_where_nothing_is_said_again(first: Ruleset, second: Ruleset) -> None:
    found = difference(first, second, ("one", "other"))
    for one in found.words:
        assert any(one.first in told.first and one.second in told.second for told in found.told())
    for one in found.told():
        others = [told for told in found.told() if told is not one]
        assert not any(one.first in told.first and one.second in told.second for told in others if told.first)


def test_names_must_tell_them_apart() -> None:
    with pytest.raises(ValueError, match="names of their own"):
        difference(ruleset(), ruleset())


# ---- the command ---------------------------------------------------------------------------------------------------


def test_the_command_names_values_lines_and_places() -> None:
    text = run("foster", "handbook")
    assert "closing_draw: Is the talon closed before or after drawing?" in text
    foster = ve.load("foster")
    said = foster.evidence["closing_draw"]
    assert said.spot is not None
    assert f"stated: {said.spot.file}:{said.spot.line}; ¶32.2" in text
    assert max(map(len, text.splitlines())) <= 80
    count = len(difference(foster, ve.load("handbook")).options)
    assert text.splitlines()[-1].startswith(f"{count} options differ")


def test_the_command_in_words_and_in_german() -> None:
    assert "foster: After a trick the talon may be closed before or after drawing" in run(
        "foster", "handbook", "--words"
    )
    assert "Das Zudrehen" in run("foster", "handbook", "--words", "--lang", "de")


def test_the_command_as_data() -> None:
    data = run_json("foster", "handbook")
    assert data["rulesets"] == ["foster", "handbook"]
    one = next(each for each in data["options"] if each["option"] == "closing_draw")
    assert one["values"]["foster"]["value"] == "either"
    assert one["values"]["foster"]["where"][0] == "¶32.2"
    assert one["values"]["foster"]["file"] == "rulesets/foster.yaml"
    assert one["matters"]
    words = next(each for each in data["words"] if each["topic"] == "closing_draw")
    assert words["options"] == ["closing_draw"]
    assert set(words["sentences"]) == {"foster", "handbook"}


def test_the_command_finds_none() -> None:
    assert run("foster", "foster") == "No option differs.\n"
    assert run("app-it", "app-af") == "No option differs.\n"
    assert run_json("foster", "foster")["rulesets"] == ["foster", "foster (again)"]


@pytest.mark.parametrize("args", [("foster",), ("foster", "fostre"), ("foster", "handbook", "--lang", "xx")])
def test_the_command_refuses(args: tuple[str, ...]) -> None:
    run(*args, code=2)
