"""The rulebook of a ruleset in plain prose: sentences chosen by option values, with references to the source."""

from __future__ import annotations

from .book import Chapter, Note, Rulebook, Sentence, rulebook
from .difference import Difference, OptionChange, WordChange, difference
from .language import LanguageError, languages
from .render import as_html, as_markdown, as_text, difference_html, difference_markdown, difference_text

__all__ = [
    "Chapter",
    "Difference",
    "LanguageError",
    "Note",
    "OptionChange",
    "Rulebook",
    "Sentence",
    "WordChange",
    "as_html",
    "as_markdown",
    "as_text",
    "difference",
    "difference_html",
    "difference_markdown",
    "difference_text",
    "languages",
    "rulebook",
]
