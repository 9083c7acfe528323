"""The rulebook of a ruleset as data: chapters of paragraphs of sentences, each with what its source says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..account import NEUTRAL, Said, said
from ..cited import citation, split_citation
from ..diagnostics import RuleFileError
from ..loading import load
from ..ruleset import Ruleset
from ..shelf import cited_files
from .language import Language, Values
from .phrases import CLAIMS, MARKS, PHRASES
from .plan import PARAGRAPHS, choose
from .templates import CHAPTERS


@dataclass(frozen=True, slots=True)
class Sentence:
    """One topic in words. ``options`` are the options whose values it gives, ``note`` the number of its reference.

    ``mark`` says in words that the source does not simply say so; ``note`` is 0 and ``mark`` empty where there is
    nothing to cite.
    """

    topic: str
    text: str
    options: tuple[str, ...]
    note: int = 0
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: its name for programs, its heading, and its paragraphs."""

    name: str
    title: str
    paragraphs: tuple[tuple[Sentence, ...], ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said about one option of a sentence, in words, and the option's name."""

    option: str
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A reference: its number and what is said about each option of its sentence."""

    number: int
    claims: tuple[Claim, ...]

    @property
    def text(self) -> str:
        """The reference as one text; options are named only where there are several to be told apart."""
        texts = {claim.text for claim in self.claims}
        if len(texts) == 1:
            return self.claims[0].text
        return " ".join(f"{claim.option}: {claim.text}" for claim in self.claims)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A rulebook: heading, what it is, chapters, references, and the sources they cite (pairs of id and words)."""

    ruleset: str
    language: str
    title: str
    about: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    notes: tuple[Note, ...]
    sources: tuple[tuple[str, str], ...]

    def sentences(self) -> Iterator[tuple[Chapter, Sentence]]:
        """All sentences, each with its chapter, in order."""
        for chapter in self.chapters:
            for paragraph in chapter.paragraphs:
                for sentence in paragraph:
                    yield chapter, sentence

    @property
    def prose(self) -> str:
        """The rules alone: chapters and sentences, without references."""
        blocks: list[str] = []
        for chapter in self.chapters:
            blocks.append(chapter.title)
            blocks += (" ".join(sentence.text for sentence in paragraph) for paragraph in chapter.paragraphs)
        return "\n\n".join(blocks)

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "ruleset": self.ruleset,
            "language": self.language,
            "title": self.title,
            "about": list(self.about),
            "chapters": [
                {
                    "chapter": chapter.name,
                    "title": chapter.title,
                    "paragraphs": [
                        [
                            {
                                "topic": one.topic,
                                "text": one.text,
                                "options": list(one.options),
                                "note": one.note or None,
                                "mark": one.mark or None,
                            }
                            for one in paragraph
                        ]
                        for paragraph in chapter.paragraphs
                    ],
                }
                for chapter in self.chapters
            ],
            "notes": [
                {"note": note.number, "claims": [{"option": c.option, "text": c.text} for c in note.claims]}
                for note in self.notes
            ],
            "sources": [{"ruleset": name, "source": text} for name, text in self.sources],
        }


def write(values: Values, language: Language) -> tuple[Chapter, ...]:
    """The chapters for a set of option values, without references. No paragraph and no chapter is empty."""
    chapters = []
    for name, title, templates in CHAPTERS:
        paragraphs = []
        for topics in PARAGRAPHS[name]:
            paragraph = []
            for topic in topics:
                chosen = choose(topic, values, templates[topic])
                if chosen is not None:
                    words = {place: language.say(message) for place, message in chosen.words}
                    text = language.say_values(templates[topic][chosen.case], values, words)
                    paragraph.append(Sentence(topic, text, chosen.cites))
            if paragraph:
                paragraphs.append(tuple(paragraph))
        if paragraphs:
            chapters.append(Chapter(name, language.say(title), tuple(paragraphs)))
    return tuple(chapters)


def rulebook(rules: Ruleset, language: str = "en") -> Rulebook:
    """The rulebook of a ruleset. Raises :class:`~variant_engine.rulebook.language.LanguageError`."""
    return _Writer(rules, Language(language)).book()


class _Writer:
    """Writes one rulebook: the sentences, then what is said about each."""

    def __init__(self, rules: Ruleset, language: Language) -> None:
        self.rules = rules
        self.language = language
        self.said = {name: said(rules, name) for name in rules.values}
        self.notes: list[Note] = []

    def book(self) -> Rulebook:
        rules = self.rules
        chapters = tuple(
            Chapter(
                chapter.name,
                chapter.title,
                tuple(tuple(self._noted(sentence) for sentence in paragraph) for paragraph in chapter.paragraphs),
            )
            for chapter in write(rules.values, self.language)
        )
        return Rulebook(
            ruleset=rules.id,
            language=self.language.code,
            title=self._phrase("heading", title=rules.title),
            about=tuple(self._about()),
            chapters=chapters,
            notes=tuple(self.notes),
            sources=tuple(self._sources()),
        )

    def _phrase(self, name: str, **words: object) -> str:
        return self.language.say(PHRASES[name], words)

    def _about(self) -> Iterator[str]:
        rules = self.rules
        if rules.summary:
            yield rules.summary
        yield self._phrase(rules.kind)
        if rules.diff:
            yield self._phrase("changed", changes=", ".join(f"{name}={value}" for name, value in rules.diff))
        if self.notes:
            yield self._phrase("how_to_read")
        if any("¶" in claim.text for note in self.notes for claim in note.claims):
            yield self._phrase("places_of_texts")

    @cached_property
    def _cited(self) -> list[str]:
        """The ids of the rulesets whose sources are cited, in the order of the registry."""
        found: dict[str, None] = {}
        for one in self.rules.evidence.values():
            places = [*one.where, *(place for other in one.also for place in other.where)]
            found |= dict.fromkeys(self._place(one.ruleset, place)[0] for place in places)
            if one.status == "silent":
                found[one.ruleset] = None
        return [name for name in found if name]

    def _sources(self) -> Iterator[tuple[str, str]]:
        for name in self._cited:
            source = self.rules.sources.get(name)
            title = self.rules.title if name == self.rules.id else ""
            if source is None:
                other = self._ruleset(name)
                if other is None or other.source is None:
                    continue
                source, title = other.source, other.title
            title = source.title or title
            if source.type == "text":
                words = self._phrase("text_source", file=source.file, hash=f"{source.sha256[:16]}…")
            else:
                words = self._phrase("program_source", package=source.package, version=source.version)
            yield name, f"{title}; {words}" if title else words

    def _ruleset(self, name: str) -> Ruleset | None:
        """The ruleset that a composite cites by id; None if it cannot be read."""
        found = cited_files(name, Path(self.rules.file))
        try:
            return load(found[0][0]) if len(found) == 1 else None
        except RuleFileError:
            return None

    # ---- references ---------------------------------------------------------------------------------------------

    def _noted(self, sentence: Sentence) -> Sentence:
        claims = tuple(
            Claim(name, self._claim(self.said[name])) for name in sentence.options if self.said[name].status != NEUTRAL
        )
        if not claims:
            return sentence
        self.notes.append(Note(len(self.notes) + 1, claims))
        statuses = {self.said[name].status for name in sentence.options}
        mark = next((self.language.say(mark) for status, mark in MARKS.items() if status in statuses), "")
        return Sentence(sentence.topic, sentence.text, sentence.options, len(self.notes), mark)

    def _claim(self, one: Said) -> str:
        owner = self.rules.evidence[one.option.name].ruleset
        places = self._places(owner, one.where)
        status = one.status
        if places and status in ("house", "set"):
            # What a composite gathers is no house rule; a value of --set may be one that a text offers.
            status = "stated" if status == "house" and self.rules.kind == "composite" else f"{status}_cited"
        parts = [self.language.say(CLAIMS[status], {"places": places, "spot": one.spot})]
        if one.why:
            parts.append(self._phrase("remark" if status == "stated" else "why", why=one.why.rstrip(".")))
        for value in one.readings:
            if value != one.value:
                parts += self._otherwise("reading", one.option.name, value, "")
        for other in one.also:
            parts += self._otherwise("also", one.option.name, other.value, self._places(owner, other.where))
        return " ".join(parts)

    @staticmethod
    def _place(ruleset: str, place: str) -> tuple[str, str]:
        """The ruleset that was read from the source, and the place in it. Composites write both, others the place."""
        return split_citation(place) or (ruleset, place)

    def _places(self, ruleset: str, where: tuple[str, ...]) -> str:
        """Places as a reference gives them: with the ruleset's id where several sources have to be told apart."""
        places = (self._place(ruleset, place) for place in where)
        return ", ".join(place if len(self._cited) < 2 else citation(name, place) for name, place in places)

    def _otherwise(self, phrase: str, name: str, value: str | int, places: str) -> Iterator[str]:
        """What the book would say if an option had another value."""
        for chapter in write(dict(self.rules.values) | {name: value}, self.language):
            for paragraph in chapter.paragraphs:
                for sentence in paragraph:
                    if name in sentence.options:
                        yield self._phrase(phrase, sentence=sentence.text, places=places)
