"""A rulebook as Markdown, as a page of HTML that needs nothing else, and as text for a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from .book import Rulebook, Sentence
from .difference import Difference
from .language import Language
from .phrases import PHRASES

#: Wraps a paragraph: the text, and what its lines begin with after the first.
Fill = Callable[[str, str], str]

_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~&])")

_STYLE = """\
:root { color-scheme: light dark; }
body { font: 1.06rem/1.6 Georgia, serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.25; }
nav ol { columns: 2; }
a { text-underline-offset: .15em; }
.mark { font-style: italic; }
.says { margin: .4rem 0; }
section.notes, footer { font-size: .9rem; }
:target { outline: 2px solid; outline-offset: 2px; }
@media print { nav { display: none; } body { max-width: none; } }
"""


def _unfilled(text: str, _: str) -> str:
    return text


def _words(code: str) -> Callable[..., str]:
    language = Language(code)
    return lambda name, **words: language.say(PHRASES[name], words)


def _plain(one: Sentence) -> str:
    reference = ", ".join(part for part in (str(one.note) if one.note else "", one.mark) if part)
    return f"{one.text} [{reference}]" if reference else one.text


def as_text(book: Rulebook, fill: Fill = _unfilled) -> str:
    """The rulebook as text; ``fill`` wraps its paragraphs."""
    phrase = _words(book.language)
    blocks = [_underlined(book.title, "="), *(fill(text, "") for text in book.about)]
    for chapter in book.chapters:
        blocks.append(_underlined(chapter.title, "-"))
        blocks += [fill(" ".join(map(_plain, paragraph)), "") for paragraph in chapter.paragraphs]
    if book.notes:
        blocks.append(_underlined(phrase("references"), "-"))
        blocks.append("\n".join(fill(f"[{note.number}] {note.text}", "    ") for note in book.notes))
    if book.sources:
        blocks.append(_underlined(phrase("sources"), "-"))
        blocks.append("\n".join(fill(f"{name}: {text}", "    ") for name, text in book.sources))
    return "\n\n".join(blocks)


def _underlined(title: str, line: str) -> str:
    return f"{title}\n{line * len(title)}"


def _safe(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def _markdown(one: Sentence) -> str:
    mark = f" *({_safe(one.mark)})*" if one.mark else ""
    return _safe(one.text) + (f"[^{one.note}]" if one.note else "") + mark


def as_markdown(book: Rulebook) -> str:
    """The rulebook as Markdown, with footnotes."""
    phrase = _words(book.language)
    blocks = [f"# {_safe(book.title)}", *map(_safe, book.about)]
    for chapter in book.chapters:
        blocks.append(f"## {_safe(chapter.title)}")
        blocks += [" ".join(map(_markdown, paragraph)) for paragraph in chapter.paragraphs]
    if book.sources:
        blocks.append(f"## {phrase('sources')}")
        blocks.append("\n".join(f"- `{name}`: {_safe(text)}" for name, text in book.sources))
    if book.notes:
        blocks.append(f"## {phrase('references')}")
        blocks.append("\n".join(f"[^{note.number}]: {_safe(note.text)}" for note in book.notes))
    return "\n\n".join(blocks) + "\n"


def _page(code: str, title: str, body: list[str]) -> str:
    head = [
        "<!DOCTYPE html>",
        f'<html lang="{code}">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{_STYLE}</style>",
        "</head>",
        "<body>",
    ]
    return "\n".join([*head, *body, "</body>", "</html>"]) + "\n"


def as_html(book: Rulebook) -> str:
    """The rulebook as one page: headings, contents, and references that lead there and back."""
    phrase = _words(book.language)

    def sentence(one: Sentence) -> str:
        text = escape(one.text)
        if one.note:
            label = escape(phrase("reference", n=one.note))
            link = f'<a id="r{one.note}" href="#n{one.note}" role="doc-noteref" aria-label="{label}">[{one.note}]</a>'
            text += f"<sup>{link}</sup>"
        return text + (f' <span class="mark">({escape(one.mark)})</span>' if one.mark else "")

    contents = [f'<li><a href="#{c.name}">{escape(c.title)}</a></li>' for c in book.chapters]
    label = escape(phrase("contents"))
    body = ["<header>", f"<h1>{escape(book.title)}</h1>", *(f"<p>{escape(text)}</p>" for text in book.about)]
    body += ["</header>", f'<nav aria-label="{label}">', f"<h2>{label}</h2>", "<ol>", *contents, "</ol>", "</nav>"]
    body.append("<main>")
    for chapter in book.chapters:
        body += [f'<section aria-labelledby="{chapter.name}">', f'<h2 id="{chapter.name}">{escape(chapter.title)}</h2>']
        body += [f"<p>{' '.join(map(sentence, paragraph))}</p>" for paragraph in chapter.paragraphs]
        body.append("</section>")
    body.append("</main>")
    if book.notes:
        body += ['<section class="notes" role="doc-endnotes" aria-labelledby="notes">']
        body += [f'<h2 id="notes">{escape(phrase("references"))}</h2>', "<ol>"]
        back = escape(phrase("back"))
        body += [
            f'<li id="n{note.number}">{escape(note.text)} '
            f'<a href="#r{note.number}" role="doc-backlink" aria-label="{back}">↩</a></li>'
            for note in book.notes
        ]
        body += ["</ol>", "</section>"]
    if book.sources:
        body += ["<footer>", f"<h2>{escape(phrase('sources'))}</h2>", "<ul>"]
        body += [f"<li><b>{escape(name)}</b>: {escape(text)}</li>" for name, text in book.sources]
        body += ["</ul>", "</footer>"]
    return _page(book.language, book.title, body)


# ---- what is different ----------------------------------------------------------------------------------------------


def _sides(found: Difference, phrase: Callable[..., str]) -> list[tuple[str, list[list[tuple[str, str]]]]]:
    """By heading, the pairs of names and sentences."""
    chapters: dict[str, list[list[tuple[str, str]]]] = {}
    for one in found.told():
        texts = (one.first, one.second)
        pair = [(name, text or phrase("says_nothing")) for name, text in zip(found.names, texts, strict=True)]
        chapters.setdefault(one.title, []).append(pair)
    return list(chapters.items())


def difference_text(found: Difference, language: str = "en", fill: Fill = _unfilled) -> str:
    """The sentences in which two rulebooks differ, as text."""
    phrase = _words(language)
    blocks = []
    for title, pairs in _sides(found, phrase):
        blocks.append(_underlined(title, "-"))
        blocks += ["\n".join(fill(f"{name}: {text}", "    ") for name, text in pair) for pair in pairs]
    return "\n\n".join(blocks) or phrase("differs_not")


def difference_markdown(found: Difference, language: str = "en") -> str:
    """The sentences in which two rulebooks differ, as Markdown."""
    phrase = _words(language)
    blocks = [f"# {_safe(' · '.join(found.names))}"]
    for title, pairs in _sides(found, phrase):
        blocks.append(f"## {_safe(title)}")
        blocks += ["\n".join(f"- **{_safe(name)}**: {_safe(text)}" for name, text in pair) for pair in pairs]
    if not found.words:
        blocks.append(phrase("differs_not"))
    return "\n\n".join(blocks) + "\n"


def difference_html(found: Difference, language: str = "en") -> str:
    """The sentences in which two rulebooks differ, as one page of HTML."""
    phrase = _words(language)
    title = " · ".join(found.names)
    body = ["<main>", f"<h1>{escape(title)}</h1>"]
    for heading, pairs in _sides(found, phrase):
        body += ["<section>", f"<h2>{escape(heading)}</h2>"]
        for pair in pairs:
            body += ["<dl>", *(f'<dt>{escape(name)}</dt><dd class="says">{escape(text)}</dd>' for name, text in pair)]
            body.append("</dl>")
        body.append("</section>")
    if not found.words:
        body.append(f"<p>{escape(phrase('differs_not'))}</p>")
    return _page(language, title, [*body, "</main>"])
