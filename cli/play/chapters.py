"""The rules in words at the table: the chapter that is in force at the moment, and the duties of who answers."""

from __future__ import annotations

from functools import lru_cache

from variant_engine.hints import nearest
from variant_engine.rulebook import Chapter, Rulebook, Sentence, rulebook
from variant_engine.ruleset import Ruleset
from variant_engine.table import Deal

from .console import Console
from .typed import as_typed

#: The chapters that matter most in each phase.
_BY_PHASE = {
    "lead": "play",
    "announced": "marriages",
    "answer": "play",
    "before the draw": "closing",
    "offer": "exchange",
    "over": "ending",
}


@lru_cache(maxsize=4)
def _book(rules: Ruleset) -> Rulebook:
    return rulebook(rules)


def duty(rules: Ruleset, talon: str) -> str:
    """What the second player must do in a state of the talon, in a sentence; empty where there is nothing to say."""
    for _, sentence in _book(rules).sentences():
        if f"follow_{talon}" in sentence.options:
            return sentence.text
    return ""


def chapter_in_force(deal: Deal | None) -> str:
    """The name of the chapter that matters most in a position."""
    return "aim" if deal is None else _BY_PHASE[deal.phase]


def show_chapters(console: Console, rules: Ruleset, wanted: str, deal: Deal | None) -> None:
    """Show the chapter that is in force, the one that is named, or ``all``."""
    book = _book(rules)
    names = [chapter.name for chapter in book.chapters]
    name = wanted.lower() or chapter_in_force(deal)
    if name != "all" and name not in names:
        meant = nearest(name, names)
        if meant is None:
            console.say(f"There is no chapter {as_typed(wanted)}; there are {', '.join(names)}.")
            return
        name = meant
    shown = [chapter for chapter in book.chapters if name in ("all", chapter.name)]
    if name == "all":
        console.say(book.title)
    for chapter in shown:
        console.say(f"{chapter.title} ({rules.id})")
        _show_chapter(console, book, chapter)
    others = [other for other in names if other != name]
    if name != "all":
        console.say(f"Other chapters: rules {', '.join(others)}; or rules all.")


def _show_chapter(console: Console, book: Rulebook, chapter: Chapter) -> None:
    numbers = []
    for paragraph in chapter.paragraphs:
        console.say(" ".join(map(_with_note, paragraph)), indent="  ")
        numbers += [sentence.note for sentence in paragraph if sentence.note]
    for note in book.notes:
        if note.number in numbers:
            console.say(f"[{note.number}] {note.text}", indent="  ", more="      ")


def _with_note(sentence: Sentence) -> str:
    reference = ", ".join(part for part in (str(sentence.note) if sentence.note else "", sentence.mark) if part)
    return f"{sentence.text} [{reference}]" if reference else sentence.text
