"""A line that is indented differently from its like: the probable cause of much that cannot be read as YAML.

A parser notices a moved line where the *next* one no longer fits, and then speaks of that. Here the keys that rule
files have tell how deep a line belongs, and where they do not, its neighbours do. What is found is a guess; whether it
would mend the file is for the caller to try.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from .options import BY_NAME

_KEY = re.compile(r"^( *)([\"']?)([A-Za-z_][\w-]*)\2 *:(?= |$)")
_VALUE = re.compile(r": +[^ #]|^ *- ")

#: Keys that stand in only one kind of place of a ruleset: at the top, or with an option's evidence.
_TOP = frozenset(
    ("format", "id", "kind", "lineage", "language", "summary", "extends", "source", "options", "commentary")
)
_EVIDENCE = frozenset(("value", "status", "where", "why", "readings", "also"))
#: The same of a file of cases: the keys of a case, of a position.
_CASE = frozenset(("rulesets", "where", "with", "given", "play", "expect"))
_GIVEN = frozenset(("dealer", "lead", "trump", "talon", "state", "hands", "drawn", "announced", "closer", "at_closing"))

#: Keys that belong at one depth, and the depth at which they mostly stand.
_OF_RULESETS = ((_TOP, 0), (frozenset(BY_NAME), 2), (_EVIDENCE, 4))
_OF_CASES = ((frozenset(("cases",)), 0), (_CASE, 4), (_GIVEN, 6))

#: No more lines than this are tried; of a long file fewer, since each try reads it again, of a very long one none.
_MOST, _LINES_READ = 12, 12_000


class Odd(NamedTuple):
    """A line (from 1), how it is indented, and how its like are."""

    line: int
    indent: int
    usual: int


class _Line(NamedTuple):
    number: int
    indent: int
    key: str
    #: Whether something stands behind the key, or it is an item of a list; below a line without it a block may begin.
    has_value: bool


def odd_lines(lines: list[str], error: int, *, cases: bool) -> list[Odd]:
    """Lines that might be indented wrongly where a parser failed at line ``error``, the likeliest first."""
    read = [_line(number, text) for number, text in enumerate(lines, 1) if text.strip() and text.lstrip()[0] != "#"]
    found = [*_by_key(read, cases), *_by_neighbours(read, error)]
    return list(dict.fromkeys(found))[: min(_MOST, _LINES_READ // max(len(lines), 1))]


def moved(lines: list[str], odd: Odd) -> str:
    """The text with the line indented as its like are."""
    text = list(lines)
    text[odd.line - 1] = " " * odd.usual + text[odd.line - 1].lstrip(" ")
    return "\n".join(text)


def _line(number: int, text: str) -> _Line:
    match = _KEY.match(text)
    indent = len(text) - len(text.lstrip(" "))
    return _Line(number, indent, match[3] if match else "", bool(_VALUE.search(text)))


def _by_key(read: list[_Line], cases: bool) -> Iterator[Odd]:
    """Lines whose key stands at another depth than keys like it."""
    groups = _OF_CASES if cases else _OF_RULESETS
    for keys, custom in groups:
        mine = [line for line in read if line.key in keys]
        usual = _usual(mine, custom)
        yield from (Odd(line.number, line.indent, usual) for line in mine if line.indent != usual)


def _usual(mine: list[_Line], custom: int) -> int:
    """The depth of most lines, the customary one having a vote and the last word. The top is always at 0."""
    counted = Counter([custom, *(line.indent for line in mine)])
    return max(counted, key=lambda indent: (counted[indent], indent == custom)) if custom else 0


def _by_neighbours(read: list[_Line], error: int) -> Iterator[Odd]:
    """Lines near the error that are indented differently from the lines on both sides."""
    at = max((place for place, line in enumerate(read) if line.number <= error), default=-1)
    for place in (at - 1, at, at - 2, at + 1):
        if not 0 < place < len(read):
            continue
        before, line = read[place - 1], read[place]
        after = read[place + 1] if place + 1 < len(read) else None
        if after is not None and before.has_value and before.indent == after.indent != line.indent:
            yield Odd(line.number, line.indent, before.indent)
        if after is not None and not before.has_value and before.indent < after.indent != line.indent:
            yield Odd(line.number, line.indent, after.indent)
        if before.has_value and line.indent != before.indent:
            yield Odd(line.number, line.indent, before.indent)
