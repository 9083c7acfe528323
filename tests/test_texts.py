"""The rulesets and the texts that they were read from, where SIXTYSIX_TEXTS names the folder of the texts."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.strategies import shipped
from variant_engine.compare.against_text import hold_against
from variant_engine.diagnostics import render
from variant_engine.evidence import MENTIONED_PLACE, PLACE, sentence_at, text_hash
from variant_engine.options import OPTIONS
from variant_engine.ruleset import Ruleset

ROOT = Path(__file__).resolve().parent.parent
FOLDER = os.environ.get("SIXTYSIX_TEXTS", "")
needs_texts = pytest.mark.skipif(
    not FOLDER, reason="SIXTYSIX_TEXTS must name the folder of the texts that the rulesets were read from"
)

FROM_TEXTS = [rules for rules in shipped() if rules.source is not None and rules.source.type == "text"]
BY_ID = {rules.id: rules for rules in shipped()}


def content(rules: Ruleset) -> bytes:
    assert rules.source is not None
    return (Path(FOLDER) / rules.source.file).read_bytes()


def places(rules: Ruleset) -> list[tuple[str, str]]:
    """Every place that the ruleset cites, with the option it is cited for."""
    return [
        (name, place)
        for name, said in rules.evidence.items()
        for place in (*said.where, *(place for other in said.also for place in other.where))
    ]


def test_the_five_texts_are_there() -> None:
    assert {rules.id for rules in FROM_TEXTS} == {"handbook", "foster", "app-af", "app-it", "howto-no"}
    assert len({rules.source.sha256 for rules in FROM_TEXTS if rules.source}) == 5


@needs_texts
@pytest.mark.parametrize("rules", FROM_TEXTS, ids=lambda rules: rules.id)
def test_the_text_is_the_one_that_was_read(rules: Ruleset) -> None:
    assert rules.source is not None
    assert text_hash(content(rules)) == rules.source.sha256


@needs_texts
@pytest.mark.parametrize("rules", FROM_TEXTS, ids=lambda rules: rules.id)
def test_every_place_is_in_the_text(rules: Ruleset) -> None:
    text = content(rules).decode("utf-8")
    cited = places(rules)
    assert len(cited) > 30
    assert [(name, place) for name, place in cited if not sentence_at(text, place)] == []


@pytest.mark.parametrize("rules", FROM_TEXTS, ids=lambda rules: rules.id)
def test_places_are_places(rules: Ruleset) -> None:
    """What can be said without the text: places are written as places, each once, and only silence has none."""
    for option in OPTIONS:
        said = rules.evidence[option.name]
        assert said.status
        assert all(PLACE.match(place) for place in said.where)
        assert len(set(said.where)) == len(said.where)
        if said.status != "silent":
            assert said.where, option.name


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_two_translations_of_one_text_agree(option: object) -> None:
    """They share a lineage, and every option has the same value in both."""
    name = option.name  # type: ignore[attr-defined]
    african, italian = BY_ID["app-af"], BY_ID["app-it"]
    assert african.lineage == italian.lineage
    assert african[name] == italian[name]


@needs_texts
@pytest.mark.parametrize("rules", FROM_TEXTS, ids=lambda rules: rules.id)
def test_claims_cases_commentary_and_remarks_name_places_of_the_text(rules: Ruleset) -> None:
    reading = hold_against(rules.id, content(rules))
    assert render(reading.problems) == ""
    assert len(reading.claims) >= len(OPTIONS)
    # What the comments of the file mention, too.
    mentioned = MENTIONED_PLACE.findall((ROOT / rules.file).read_text(encoding="utf-8"))
    assert [place for place in mentioned if place not in reading.text] == []


@needs_texts
@pytest.mark.parametrize("rules", FROM_TEXTS, ids=lambda rules: rules.id)
def test_every_sentence_is_cited_or_listed_as_commentary(rules: Ruleset) -> None:
    reading = hold_against(rules.id, content(rules))
    assert [sentence.place for sentence in reading.uncovered] == []
    # Nothing is listed that is not there: commentary is checked as claims are.
    assert set(rules.commentary) <= set(reading.text)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _runs(words: list[str], length: int) -> set[tuple[str, ...]]:
    """All runs of words, save lists of card points, for which there are no other words."""
    runs = zip(*(words[start:] for start in range(length)), strict=False)
    return {run for run in runs if not any(word.isdigit() for word in run)}


PAGES = [
    *sorted((ROOT / "rulesets").glob("*.yaml")),
    *sorted((ROOT / "docs").rglob("*.md")),
    # What is printed, in words of the project's own: options, books of rules, explanations.
    *sorted((ROOT / "variant_engine").rglob("*.py")),
    *sorted((ROOT / "variant_engine").rglob("*.po")),
    *sorted((ROOT / "variant_engine").rglob("*.toml")),
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
]


@needs_texts
@pytest.mark.parametrize("rules", FROM_TEXTS, ids=lambda rules: rules.id)
def test_no_six_words_in_a_row_are_copied(rules: Ruleset) -> None:
    theirs = _runs(_words(content(rules).decode("utf-8")), 6)
    assert len(theirs) > 400
    copied = {
        f"{page.name}: {' '.join(run)}"
        for page in PAGES
        for run in _runs(_words(page.read_text(encoding="utf-8")), 6) & theirs
    }
    assert copied == set()
