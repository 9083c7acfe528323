"""The rulebook: its prose says what the options say and nothing else, and every point leads to its source."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import variant_engine as ve
from cli.main import app
from tests.strategies import (
    Values,
    neutral,
    playout,
    random_deal,
    random_ruleset,
    repaired,
    ruleset,
    rulesets,
    shipped,
    values_of,
)
from variant_engine.options import BY_NAME, OPTIONS, Option
from variant_engine.options.meaning import meaningful
from variant_engine.phases import CLAIM, OPEN, kind_of
from variant_engine.rulebook import LanguageError, as_html, as_markdown, as_text, difference, languages, rulebook
from variant_engine.rulebook.book import write
from variant_engine.rulebook.language import Language
from variant_engine.rulebook.phrases import MARKS
from variant_engine.rulebook.plan import PARAGRAPHS, choose
from variant_engine.rulebook.templates import ANSWERS, CHAPTERS, TALONS
from variant_engine.ruleset import Ruleset
from variant_engine.state import CLOSER, TALON, TRICKS

LANGUAGES = languages()
IDS = [head.id for head in ve.rulesets()]


def effective(rules: Ruleset) -> Values:
    """The values that can make a difference."""
    return {name: value for name, value in rules.values.items() if meaningful(rules.values, name)}


def books(rules: Ruleset) -> list[str]:
    return [rulebook(rules, code).prose for code in LANGUAGES]


def neighbours() -> Iterator[tuple[Values, Values]]:
    """Every ruleset that ships and the neutral one, each beside itself with one option changed."""
    for base in (neutral(), *(dict(rules.values) for rules in shipped())):
        for option in OPTIONS:
            answers = option.answers()
            for value in answers if option.values else {answers[0], answers[-1], *answers[:8]}:
                if value != base[option.name]:
                    yield base, base | {option.name: value}


# ---- the words say what the options say --------------------------------------------------------------------------


@settings(max_examples=150)
@given(rulesets(), st.sampled_from(OPTIONS), st.data())
def test_rulesets_differ_in_the_text_if_and_only_if_they_differ(
    first: Ruleset, option: Option, data: st.DataObject
) -> None:
    second = ruleset(repaired(dict(first.values) | {option.name: data.draw(values_of(option))}))
    differ = effective(first) != effective(second)
    for one, other in zip(books(first), books(second), strict=True):
        assert (one != other) == differ
    assert bool(difference(first, second, ("one", "other")).words) == differ


@settings(max_examples=100)
@given(rulesets(), rulesets())
def test_any_two_rulesets_differ_in_the_text_if_and_only_if_they_differ(first: Ruleset, second: Ruleset) -> None:
    differ = effective(first) != effective(second)
    assert all((one != other) == differ for one, other in zip(books(first), books(second), strict=True))


@settings(max_examples=100)
@given(rulesets(), st.data())
def test_what_is_meaningless_leaves_no_trace(rules: Ruleset, data: st.DataObject) -> None:
    moot = [option for option in OPTIONS if not meaningful(rules.values, option.name)]
    other = ruleset(repaired(dict(rules.values) | {option.name: data.draw(values_of(option)) for option in moot}))
    if effective(rules) == effective(other):
        assert as_markdown(rulebook(rules)) == as_markdown(rulebook(other))


def test_every_single_change_of_a_known_ruleset_shows() -> None:
    for code in LANGUAGES:
        language = Language(code)
        known: dict[tuple[tuple[str, object], ...], object] = {}
        for before, after in neighbours():
            texts = [write(values, language) for values in (before, after)]
            live = [{n: v for n, v in values.items() if meaningful(values, n)} for values in (before, after)]
            assert (texts[0] != texts[1]) == (live[0] != live[1]), set(after.items()) - set(before.items())
            known[tuple(live[1].items())] = texts[1]
        assert len(known) > 400


@settings(max_examples=100)
@given(rulesets())
def test_every_option_that_matters_is_cited_once_and_no_other(rules: Ruleset) -> None:
    """A new option fails here until the book has words for it."""
    cited = [name for _, sentence in rulebook(rules).sentences() for name in sentence.options]
    assert sorted(cited) == sorted(effective(rules))


@settings(max_examples=150)
@given(rulesets())
def test_a_false_claim_of_a_closer_is_told_to_be_a_failed_closing_exactly_where_it_can_be_one(rules: Ruleset) -> None:
    can = rules.values["closing"] == "on_lead" and rules.values["claim_when"] in ("any_time", "on_turn", "on_lead")
    assert ("failed closing as well" in rulebook(rules).prose) == can
    assert ("auch ein gescheitertes Zudrehen" in rulebook(rules, "de").prose) == can


@pytest.mark.parametrize(("claim", "closing", "dearer"), [(1, 4, 4), (3, 2, 3)])
@pytest.mark.parametrize("closes", ["closes", "claim_only"])
def test_the_dearer_forfeit_holds_as_the_book_says(closes: str, claim: int, closing: int, dearer: int) -> None:
    rules = ve.load("foster").replace(
        claim_forfeit=claim, claim_forfeit_trickless=claim, closing_forfeit=closing, closing_forfeit_trickless=closing,
        claim_open_closes=closes,
    )  # fmt: skip
    prose = rulebook(rules).prose
    assert ("for the one or for the other, whichever is more" in prose) == (closing > claim)
    assert ("but the adversary scores no more for that" in prose) == (closing < claim)
    assert ("or claimed while it was open" in prose) == (closes == "closes")
    for tokens, scored in ((("|", "66"), dearer), (("66",), dearer if closes == "closes" else claim)):
        deal = ve.deal(rules, seed=7)
        for token in tokens:
            deal = deal.play(token)
        assert deal.result is not None
        assert deal.result.game_points == scored


def test_where_the_book_says_so_a_failed_closing_costs_a_false_claim_nothing_more() -> None:
    rng = Random(5)
    claims = 0
    while claims < 1000:
        rules = random_ruleset(rng)
        values = rules.values
        if "scores no more for that" not in rulebook(rules).prose:
            continue
        for deal in playout(random_deal(rules, rng), rng):
            for seat in range(deal.seats):
                claim = next((move for move in deal.legal(seat) if kind_of(move.code) == CLAIM), None)
                open_closes = values["claim_open_closes"] == "closes" and deal._state[TALON] == OPEN
                fails = deal._state[CLOSER] == seat or open_closes
                if claim is not None and fails and not deal.claim_is_right(seat):
                    result = deal.play(str(claim)).result
                    trickless = "_trickless" if deal._state[TRICKS + 1 - seat] == 0 else ""
                    assert result is not None
                    assert result.game_points == values[f"claim_forfeit{trickless}"]
                    claims += 1


def test_numbers_that_are_the_same_are_told_once() -> None:
    foster = ve.load("foster")
    alike = rulebook(foster.replace(value_schneider=1)).prose
    assert "for a plain win, however few card points the loser has." in alike
    assert "schneider" not in alike
    assert "fewer than 33 card points is schneider" in rulebook(foster).prose
    # Where nobody can be schneider for want of a limit, its value is not told either.
    unlimited = rulebook(foster.replace(value_schneider=1, schneider_limit=0)).prose
    assert "for a plain win." in unlimited
    assert "schneider" not in unlimited
    forfeit = "scores three game points for it, with a trick or without."
    assert [forfeit in rulebook(foster.replace(closing_forfeit=three)).prose for three in (2, 3)] == [False, True]


def test_the_heading_says_in_the_language_of_the_book_what_it_is() -> None:
    foster = ve.load("foster")
    assert rulebook(foster).title == foster.title
    assert rulebook(foster, "de").title == f"Spielregeln: {foster.title}"


def test_only_what_there_is_is_explained() -> None:
    program = rulebook(ve.load("schnapsen-vu"))
    assert not any("¶" in text for text in program.about)
    assert any("¶" in text for text in rulebook(ve.load("foster")).about)
    assert "No other card counts" not in program.prose
    assert "No other card counts" in rulebook(ve.load("foster")).prose


def test_every_sentence_is_the_right_one_for_some_ruleset() -> None:
    used: set[tuple[str, str]] = set()
    words: set[str] = set()
    templates = {topic: cases for _, _, chapter in CHAPTERS for topic, cases in chapter.items()}
    duties = [option.name for option in OPTIONS if option.name.startswith(("follow_", "head_", "ruff_"))]
    more: list[Values] = [
        neutral() | {name: ("free", "required")[number >> at & 1] for at, name in enumerate(duties)}
        for number in range(2 ** len(duties))
    ]
    more.append(neutral() | {"marriage_closed": "not_allowed", "marriage_exhausted": "not_allowed"})
    more.append(neutral() | {"closing_forfeit_trickless": 2})
    for values in (*more, *(pair[1] for pair in neighbours())):
        for topic, cases in templates.items():
            chosen = choose(topic, values, cases)
            if chosen is not None:
                used.add((topic, chosen.case))
                words |= {message for _, message in chosen.words}
    assert used == {(topic, case) for topic, cases in templates.items() for case in cases}
    assert words == {*TALONS.values(), *ANSWERS.values()}


def test_the_plan_has_every_topic_once() -> None:
    for name, _, templates in CHAPTERS:
        planned = [topic for paragraph in PARAGRAPHS[name] for topic in paragraph]
        assert sorted(planned) == sorted(templates)
    assert [name for name, _, _ in CHAPTERS] == list(PARAGRAPHS)


@given(rulesets())
@settings(max_examples=60)
def test_sentences_are_whole(rules: Ruleset) -> None:
    for code in LANGUAGES:
        for _, sentence in rulebook(rules, code).sentences():
            assert re.fullmatch(r"[A-ZÄÖÜ{][^{}]*[.]", sentence.text), sentence


# ---- references ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", IDS)
def test_what_a_source_says_is_cited(name: str) -> None:
    rules = ve.load(name)
    book = rulebook(rules)
    notes = {note.number: note for note in book.notes}
    assert list(notes) == list(range(1, len(notes) + 1))
    for _, sentence in book.sentences():
        claims = {claim.option: claim.text for claim in notes[sentence.note].claims} if sentence.note else {}
        assert tuple(claims) == sentence.options
        for option in sentence.options:
            said = rules.evidence[option]
            assert all(place in claims[option] for place in said.where)
            assert all(place in claims[option] for other in said.also for place in other.where)
            assert said.why.rstrip(".") in claims[option]
            if said.status == "silent":
                assert sentence.mark == MARKS["silent"]
                assert "editor's reading" in claims[option]
            if said.status == "ambiguous":
                assert sentence.mark
                assert claims[option].count("Another reading") == len(said.readings) - 1
            if not sentence.mark:
                assert said.status in ("stated", "implied")
    assert [source for source, _ in book.sources] == [name]


def test_another_reading_is_told_in_words() -> None:
    book = rulebook(ve.load("foster"))
    sentence = next(one for _, one in book.sentences() if one.topic == "claim_when")
    other = rulebook(ve.load("foster").replace(claim_when="on_lead"))
    words = next(one.text for _, one in other.sentences() if one.topic == "claim_when")
    assert words in book.notes[sentence.note - 1].text


def test_house_rules_and_changes_are_marked(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        'format: 1\nid: mine\ntitle: "Mine"\nkind: house\nextends: foster\noptions:\n  closing_talon_min: 4\n', "utf-8"
    )
    rules = ve.load(str(file)).replace(value_win=2, turn_up="seventh_card")
    claims = {claim.option: claim.text for note in rulebook(rules).notes for claim in note.claims}
    assert claims["closing_talon_min"] == f"A house rule, {file}:7."
    assert claims["value_win"] == "Set by hand."
    assert claims["turn_up"] == "Set by hand, from ¶7.5."
    assert claims["hand_cards"].startswith("¶7.2")
    assert any("turn_up=seventh_card" in text for text in rulebook(rules).about)


def test_sources_are_told_apart_where_there_are_several(tmp_path: Path) -> None:
    file = tmp_path / "both.yaml"
    file.write_text(
        'format: 1\nid: both\ntitle: "Both"\nkind: composite\nextends: foster\noptions:\n'
        '  value_win: {value: 2, where: ["handbook ¶1.1"]}\n',
        "utf-8",
    )
    book = rulebook(ve.load(str(file)))
    claims = {claim.option: claim.text for note in book.notes for claim in note.claims}
    assert claims["value_win"] == "handbook ¶1.1."
    assert claims["value_schwarz"] == "foster ¶9.5."
    titles = dict(book.sources)
    assert list(titles) == ["foster", "handbook"]
    assert ve.load("handbook").title in titles["handbook"]


def test_neutral_values_have_no_reference() -> None:
    book = rulebook(ruleset())
    assert book.notes == ()
    assert all(sentence.note == 0 for _, sentence in book.sentences())


# ---- forms ---------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Reads a page: tags are closed in order, ids are there once, links lead somewhere."""

    VOID = ("meta", "!doctype")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.attributes: dict[str, dict[str, str | None]] = {}
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.setdefault(tag, dict(attrs))
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(str(value))
            if name in ("href", "src"):
                self.links.append(str(value))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", IDS)
def test_the_page_is_whole_and_needs_nothing_else(name: str, code: str) -> None:
    page = Page(as_html(rulebook(ve.load(name), code)))
    assert page.open == []
    assert page.attributes["html"]["lang"] == code
    assert len(page.ids) == len(set(page.ids))
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert page.tags.count("h1") == page.tags.count("main") == page.tags.count("title") == 1
    assert not {"script", "img", "link"} & set(page.tags)


def test_markdown_has_every_footnote_once() -> None:
    text = as_markdown(rulebook(ve.load("foster")))
    told = re.findall(r"^\[\^(\d+)\]: ", text, re.MULTILINE)
    assert re.findall(r"\[\^(\d+)\](?!:)", text) == told
    assert len(told) == len(set(told)) > 40


def test_titles_are_not_obeyed() -> None:
    rules = ruleset()
    object.__setattr__(rules, "title", "<script>alert(1)</script> [x](http://y) *z*")
    book = rulebook(rules)
    assert "<script>" not in as_html(book)
    assert Page(as_html(book)).open == []
    markdown = as_markdown(book)
    assert "\\<script\\>" in markdown
    assert "\\[x\\](" in markdown


def test_text_is_wrapped_by_the_caller() -> None:
    book = rulebook(ve.load("foster"))
    assert "[1]" in as_text(book)
    assert as_text(book, lambda text, more: "x").count("x") > 20


def test_a_book_as_data_is_plain() -> None:
    book = rulebook(ve.load("handbook"), "de")
    data = json.loads(json.dumps(book.as_json()))
    assert data["language"] == "de"
    texts = [one["text"] for chapter in data["chapters"] for paragraph in chapter["paragraphs"] for one in paragraph]
    assert texts == [sentence.text for _, sentence in book.sentences()]
    assert {option for note in data["notes"] for option in (c["option"] for c in note["claims"])} <= set(BY_NAME)


def test_an_unknown_language_is_refused_with_a_suggestion() -> None:
    with pytest.raises(LanguageError, match="'en' and 'de'"):
        rulebook(ruleset(), "tlh")


# ---- the command ---------------------------------------------------------------------------------------------------


def run(*args: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(args), prog_name="sixtysix", env={"COLUMNS": "80"})
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.stderr


def test_the_command_prints_every_form() -> None:
    text = run("rules", "foster")
    assert "The pack and the deal\n---" in text
    assert max(map(len, text.splitlines())) <= 80
    assert run("rules", "foster", "--format", "markdown").startswith("# Sixty-six in Foster")
    assert run("rules", "foster", "--format", "html").startswith("<!DOCTYPE html>")
    assert "Zudrehen" in run("rules", "foster", "--lang", "de")
    assert json.loads(run("rules", "foster", "--json"))["ruleset"] == "foster"


def test_the_command_prints_only_what_is_different() -> None:
    text = run("rules", "foster", "--set", "closing_talon_min=4", "--diff", "foster")
    assert text.splitlines() == [
        "Closing", "-------", "",
        "foster (changed): There must still be at least four face-down cards in the",
        "    talon.",
        "foster: There must still be at least one face-down card in the talon.",
    ]  # fmt: skip
    for form in ("markdown", "html"):
        assert "four face-down cards" in run("rules", "foster", "--set", "closing_talon_min=4", "--diff", "foster",
                                             "--format", form)  # fmt: skip
    assert run("rules", "foster", "--diff", "foster").strip() == "In words there is no difference."
    assert run("rules", "app-it", "--diff", "app-af", "--lang", "de").strip() == "In Worten gibt es keinen Unterschied."


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("foster", "--format", "pdf"), "text, markdown or html"),
        (("foster", "--lang", "nl"), "--lang"),
        (("fostre",), "did you mean 'foster'?"),
        (("foster", "--set", "closing=maybe"), "closing"),
    ],
)
def test_the_command_refuses(args: tuple[str, ...], said: str) -> None:
    assert said in run("rules", *args, code=2)
