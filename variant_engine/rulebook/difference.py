"""How two rulesets differ: by options with where each was said, and by the sentences of their rulebooks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..account import Said, said
from ..options import OPTIONS, Option
from ..options.meaning import meaningful
from ..ruleset import Ruleset
from .book import Sentence, write
from .language import Language
from .plan import PARAGRAPHS


@dataclass(frozen=True, slots=True)
class OptionChange:
    """An option on which two rulesets differ, with what each says about it."""

    option: Option
    first: Said
    second: Said
    #: Whether the difference can show: False where other options make both answers meaningless.
    matters: bool


@dataclass(frozen=True, slots=True)
class WordChange:
    """A topic on which two rulebooks differ, with the sentence of each; empty where one has nothing to say."""

    chapter: str
    title: str
    topic: str
    options: tuple[str, ...]
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Difference:
    """How two rulesets differ. ``names`` tell them apart; ``words`` is in the language asked for."""

    names: tuple[str, str]
    options: tuple[OptionChange, ...]
    words: tuple[WordChange, ...]

    def told(self) -> list[WordChange]:
        """What has to be read: ``words`` without those whose sentences another of them has on both sides.

        Where one sentence of the one rulebook is two of the other, each of the three has the same to say.
        """
        kept: list[WordChange] = []
        for one in self.words:
            if not any(_says(other, one) for other in kept):
                kept = [other for other in kept if not _says(one, other)]
                kept.append(one)
        return kept

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "rulesets": list(self.names),
            "options": [
                {
                    "option": one.option.name,
                    "question": one.option.question,
                    "matters": one.matters,
                    "values": {
                        name: each.as_json() | {"meaning": one.option.meaning(each.value), "ruleset": each.ruleset}
                        for name, each in zip(self.names, (one.first, one.second), strict=True)
                    },
                }
                for one in self.options
            ],
            "words": [
                {
                    "chapter": one.chapter,
                    "topic": one.topic,
                    "options": list(one.options),
                    "sentences": dict(zip(self.names, (one.first, one.second), strict=True)),
                }
                for one in self.words
            ],
        }


def _says(one: WordChange, other: WordChange) -> bool:
    """Whether everything that ``other`` says of both rulebooks is said by ``one``."""
    sides = ((one.first, other.first), (one.second, other.second))
    return all(theirs in mine if theirs else not mine for mine, theirs in sides)


def difference(
    first: Ruleset, second: Ruleset, names: tuple[str, str] | None = None, language: str = "en"
) -> Difference:
    """How two rulesets differ; ``names`` is what they are called, by default their ids, which must then differ.

    Raises :class:`ValueError` for equal names, and :class:`~variant_engine.rulebook.language.LanguageError`.
    """
    called = names or (first.id, second.id)
    if called[0] == called[1]:
        raise ValueError("the two rulesets of a difference need names of their own")
    changes = tuple(
        OptionChange(
            option,
            said(first, option.name),
            said(second, option.name),
            any(meaningful(rules.values, option.name) for rules in (first, second)),
        )
        for option in OPTIONS
        if first.values[option.name] != second.values[option.name]
    )
    return Difference(called, changes, _words(first, second, Language(language)))


def _words(first: Ruleset, second: Ruleset, language: Language) -> tuple[WordChange, ...]:
    books = [write(rules.values, language) for rules in (first, second)]
    titles = {chapter.name: chapter.title for book in books for chapter in book}
    found: list[dict[str, Sentence]] = [
        {sentence.topic: sentence for chapter in book for paragraph in chapter.paragraphs for sentence in paragraph}
        for book in books
    ]
    changes = []
    for name, paragraphs in PARAGRAPHS.items():
        for topic in (topic for paragraph in paragraphs for topic in paragraph):
            sentences = [book.get(topic) for book in found]
            texts = [sentence.text if sentence else "" for sentence in sentences]
            if texts[0] != texts[1]:
                for at, sentence in enumerate(sentences):
                    other = sentences[1 - at]
                    if sentence is None and other is not None:
                        texts[at] = _elsewhere(found[at], other)
                options = dict.fromkeys(option for sentence in sentences if sentence for option in sentence.options)
                changes.append(WordChange(name, titles[name], topic, tuple(options), *texts))
    return tuple(changes)


def _elsewhere(book: dict[str, Sentence], sentence: Sentence) -> str:
    """What a book says in other sentences about the options of a sentence that it does not have."""
    saying = [one.text for one in book.values() if set(one.options) & set(sentence.options)]
    return " ".join(saying)
