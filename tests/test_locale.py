"""The catalogues: every message is translated, places match, and what ships is what the sources give."""

from __future__ import annotations

import gettext
import re
import tomllib
from pathlib import Path

import pytest

from variant_engine.rulebook.catalogue import (
    CatalogueError,
    catalogues,
    compiled,
    main,
    problems,
    read_po,
    updated,
    wanted,
    write_po,
)
from variant_engine.rulebook.language import DOMAIN, LOCALE, Language, languages
from variant_engine.rulebook.templates import CHAPTERS

ROOT = Path(__file__).resolve().parent.parent
PO = catalogues()
HEADER = "Language: xx\nPlural-Forms: nplurals=2; plural=(n != 1);\n"


def ids(path: Path) -> str:
    return path.parent.parent.name


def test_german_ships() -> None:
    assert languages() == ("en", *sorted(ids(path) for path in PO))
    assert "de" in languages()


@pytest.mark.parametrize("path", PO, ids=ids)
def test_every_message_is_translated_and_its_places_match(path: Path) -> None:
    text = path.read_text("utf-8")
    assert problems(text) == []
    assert {message.key for message in read_po(text)[1]} == {message.key for message in wanted()}


@pytest.mark.parametrize("path", PO, ids=ids)
def test_what_ships_is_up_to_date(path: Path) -> None:
    """If this fails: python -m variant_engine.rulebook.catalogue"""
    text = path.read_text("utf-8")
    assert updated(text) == text
    assert path.with_suffix(".mo").read_bytes() == compiled(text)


@pytest.mark.parametrize("path", PO, ids=ids)
def test_the_wheel_has_it(path: Path) -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    package = f"variant_engine.locale.{ids(path)}.LC_MESSAGES"
    assert package in tool["packages"]
    assert tool["package-data"][package] == ["*.po", "*.mo"]


@pytest.mark.parametrize("path", PO, ids=ids)
def test_gettext_reads_what_was_compiled(path: Path) -> None:
    catalogue = gettext.translation(DOMAIN, LOCALE, [ids(path)])
    for message in read_po(path.read_text("utf-8"))[1]:
        if message.plural is None:
            assert catalogue.gettext(message.text) == message.translations[0]
        else:
            said = [catalogue.ngettext(message.text, message.plural, number) for number in (1, 2)]
            assert tuple(said) == message.translations


@pytest.mark.parametrize("path", PO, ids=ids)
def test_sentences_of_one_topic_stay_apart(path: Path) -> None:
    language = Language(ids(path))
    for _, _, templates in CHAPTERS:
        for topic, cases in templates.items():
            places = {place: "…" for text in cases.values() for place in re.findall(r"\{(#?\w+)\}", text)}
            said = [language.say(text, places) for text in cases.values()]
            assert len(set(said)) == len(said), topic


def test_a_singular_may_spell_its_number_out_and_nothing_else_may() -> None:
    entries = (
        'msgid "{n} card"\nmsgid_plural "{n} cards"\nmsgstr[0] "eine Karte"\nmsgstr[1] "%s"\n\n'
        'msgid "for {who}"\nmsgstr "%s"\n'
    )
    assert problems(entries % ("{n} Karten", "für {who}")) == []
    assert len(problems(entries % ("Karten", "für {whom}"))) == 2
    assert problems(entries % ("{n} Karten", "")) == ["not translated: for {who}"]


def test_what_is_untranslated_stays_english() -> None:
    text = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "one"\nmsgstr ""\n'
    assert b"one" not in compiled(text)


def test_reading_and_writing_agree() -> None:
    messages = wanted()
    text = write_po(HEADER, messages)
    assert read_po(text)[0] == HEADER
    assert [(each.key, each.translations) for each in read_po(text)[1]] == [(m.key, m.translations) for m in messages]
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('msgid "a"\nmsgtsr "b"\n', "line 2"),
        ('"a"\n', "line 1"),
        ('msgid "a"\nmsgstr "b"c"\n', "line 2"),
    ],
)
def test_a_broken_catalogue_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(CatalogueError, match=said):
        read_po(text)


def test_the_command_sees_that_nothing_is_out_of_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0
    assert capsys.readouterr().err == ""


# ---- the glossary ----------------------------------------------------------------------------------------------------


def glossary() -> list[tuple[str, str]]:
    """The rows of the glossary: the English word, and the German one that the catalogue uses."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", (ROOT / "docs" / "glossary.md").read_text("utf-8"), re.M)
    return [(english.strip(), german.strip()) for english, german in rows if english not in ("English", "---")]


def test_the_catalogue_uses_the_words_of_the_glossary() -> None:
    said = (LOCALE / "de" / "LC_MESSAGES" / f"{DOMAIN}.po").read_text("utf-8").lower()
    assert len(glossary()) > 30
    for english, german in glossary():
        stem = german.removeprefix("sich ").lower()
        # Verbs are inflected in the sentences.
        stem = stem[: max(4, len(stem) - 2)] if stem.endswith("en") else stem
        assert stem in said, (english, german)


def test_the_catalogue_has_no_second_word_for_a_thing() -> None:
    said = (LOCALE / "de" / "LC_MESSAGES" / f"{DOMAIN}.po").read_text("utf-8")
    german = "\n".join(line for line in said.splitlines() if not line.startswith(("#", "msgid")))
    for other in ("Hochzeit", "decken", "Stock", "Auftrumpf", "Atout", "Partner", "Augenpunkte"):
        assert other not in german
