"""PyYAML's syntax errors, said so that the author of a rule file knows what to do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import yaml

from .hints import printable, quoted

_QUOTE_IT = "put the value in quotes"
_KEY_VALUE = "write 'key: value'"

#: A key whose colon is followed by something that is no space to YAML.
_NO_SPACE = re.compile(r"[ ]*(?:- )?\w+:(\S|\u00a0)")
#: A key that has keys below it, and the first of them on the same line.
_KEYS_BELOW = re.compile(r"[ ]*(?:- )?(options|source|given|expect|result|hands|with|commentary): +\w+$")


def space_help(line: str) -> str:
    """What to do about a line that would be a key and its value, were there a space after the colon; else empty."""
    match = _NO_SPACE.match(line)
    if match is None:
        return ""
    instead = " instead of the no-break space" if match[1] == "\u00a0" else ""
    return f"put a space after the colon{instead}"


@dataclass(frozen=True, slots=True)
class Marked:
    """A syntax error in plain words; line and column count from 1."""

    line: int
    column: int
    length: int
    message: str
    help: str = ""


def explained(error: yaml.MarkedYAMLError, lines: list[str]) -> Marked:
    """What ``error`` means for the text in ``lines``."""
    return _Explainer(error, lines).explain()


class _Explainer:
    def __init__(self, error: yaml.MarkedYAMLError, lines: list[str]) -> None:
        self.lines = lines
        self.problem = error.problem or error.context or "this is not YAML"
        self.context = error.context or ""
        self.mark: Any = error.problem_mark or error.context_mark
        self.start: Any = error.context_mark or self.mark

    def explain(self) -> Marked:
        for pattern, method in _TABLE:
            match = re.search(pattern, self.problem)
            if match:
                return method(self, match)
        return self._at(self.mark, printable(self.problem))

    def _at(self, mark: Any, message: str, help_text: str = "", length: int = 1) -> Marked:
        # A mark at the end of the text stands on a line that is not there.
        line = min(mark.line, len(self.lines) - 1)
        column = mark.column if line == mark.line else len(self.lines[line])
        return Marked(line + 1, column + 1, length, message, help_text)

    def _whole_line(self, line: int, message: str, help_text: str) -> Marked:
        text = self.lines[line]
        indent = len(text) - len(text.lstrip())
        return Marked(line + 1, indent + 1, max(1, len(text.strip())), message, help_text)

    def _text(self, mark: Any) -> str:
        return self.lines[mark.line] if mark.line < len(self.lines) else ""

    def colon(self, _: re.Match[str]) -> Marked:
        line = self.mark.line
        before = self._text(self.mark)[: self.mark.column]
        below = _KEYS_BELOW.match(before)
        if below:
            help_text = f"begin a new line after '{below[1]}:', and indent it"
            return self._at(self.mark, f"a key below '{below[1]}' cannot stand on the same line", help_text)
        if re.search(r":\s", before):
            return self._at(self.mark, "the value holds ': ', which would begin a new key", _QUOTE_IT)
        above = line - 1
        while above > 0 and not self.lines[above].strip():
            above -= 1
        if above >= 0 and not re.search(r":([ \t]|$)", self.lines[above]):
            return self._no_colon(above)
        help_text = "indent it like the key above, or remove the value above if this belongs below it"
        return self._whole_line(line, "the line above has a value, so no key can be indented below it", help_text)

    def no_colon(self, _: re.Match[str]) -> Marked:
        return self._no_colon(self.start.line)

    def _no_colon(self, line: int) -> Marked:
        help_text = space_help(self.lines[line]) or _KEY_VALUE
        return self._whole_line(line, "this line has no ': ' between key and value", help_text)

    def open_quote(self, _: re.Match[str]) -> Marked:
        return self._at(self.start, "the quotation mark that opens here is never closed", "close it at the line's end")

    def bad_start(self, match: re.Match[str]) -> Marked:
        return self._at(self.mark, f"a plain value cannot begin with {match[1]}", _QUOTE_IT)

    def bad_name(self, _: re.Match[str]) -> Marked:
        character = self._text(self.start)[self.start.column : self.start.column + 1]
        return self._at(self.start, f"a plain value cannot begin with {quoted(character)}", _QUOTE_IT)

    def open_flow(self, match: re.Match[str]) -> Marked:
        closing = match[1]
        opening = {"]": "[", "}": "{"}[closing]
        if self.mark.line != self.start.line:
            return self._at(
                self.start, f"the '{opening}' that opens here is never closed", f"close it with '{closing}'"
            )
        return self._at(self.mark, f"expected ',' or '{closing}' here", "put a value that holds ',' or ':' in quotes")

    def block_end(self, match: re.Match[str]) -> Marked:
        text = self._text(self.mark)
        if match[1] == ":":
            return self._at(self.mark, "a key is missing in front of the colon", _KEY_VALUE)
        if text[: self.mark.column].strip():
            help_text = "put the whole value in quotes; a quotation mark like those around it is doubled"
            return self._at(self.mark, "this stands after the end of the value", help_text)
        if match[1] == "-":
            return self._at(self.mark, "a list item where a key was expected", "indent the list below its key")
        if "collection" in self.context:
            return self._whole_line(self.mark.line, "a key where a list item was expected", "begin the line with '- '")
        help_text = f"the block began at column {self.start.column + 1}"
        return self._whole_line(self.mark.line, "the indentation fits none of the lines above", help_text)

    def inline_list(self, _: re.Match[str]) -> Marked:
        help_text = "write [a, b], or every item on a line of its own"
        return self._at(self.mark, "a list cannot begin on the line of its key", help_text)

    def inline_key(self, _: re.Match[str]) -> Marked:
        return self._at(self.mark, "'? ' begins a key, which cannot stand here", _QUOTE_IT)

    def no_content(self, match: re.Match[str]) -> Marked:
        if match[1] == "<stream end>":
            # In a block a value may be missing; so this is in brackets.
            return self._at(self.mark, "the file ends before the bracket is closed", "close it with ']' or '}'")
        help_text = "write one, or put what stands here in quotes"
        return self._at(self.mark, f"a value is missing in front of '{match[1]}'", help_text)

    def escape(self, match: re.Match[str]) -> Marked:
        help_text = "write the backslash twice, or use single quotes"
        return self._at(self.mark, f"'\\{printable(match[1])}' means nothing in a text in double quotes", help_text)

    def block_text(self, _: re.Match[str]) -> Marked:
        return self._at(self.mark, "nothing but '+', '-' or a digit may follow '|' and '>'", _QUOTE_IT)

    def after_end(self, _: re.Match[str]) -> Marked:
        return self._at(self.mark, "this does not belong to what stands above it", _KEY_VALUE)


_TABLE = (
    (r"^mapping values are not allowed", _Explainer.colon),
    (r"^could not find expected ':'", _Explainer.no_colon),
    (r"^found unexpected end of stream", _Explainer.open_quote),
    (r"^found character (.*) that cannot start", _Explainer.bad_start),
    (r"^expected alphabetic or numeric character", _Explainer.bad_name),
    (r"^expected ',' or '(.)', but got", _Explainer.open_flow),
    (r"^expected <block end>, but found '(.*)'", _Explainer.block_end),
    (r"^sequence entries are not allowed", _Explainer.inline_list),
    (r"^mapping keys are not allowed", _Explainer.inline_key),
    (r"^expected the node content, but found '(.*)'", _Explainer.no_content),
    (r"^found unknown escape character '(.*)'", _Explainer.escape),
    (r"^expected chomping or indentation indicators", _Explainer.block_text),
    (r"^expected '<document start>'", _Explainer.after_end),
)
