"""Problems in rule files, with their places: as data, as text for people, for GitHub, and as JSON.

What the codes mean is in :mod:`variant_engine.codes`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .evidence import Spot

ERROR = "error"
WARNING = "warning"

#: Longest stretch of a source line that is shown, in columns of the terminal.
SHOWN_WIDTH = 100
#: How much of a long line is kept in front of the underlined part.
_LEAD_IN = 30
#: Up to here a line of a file is looked at; nobody reads further.
_LONGEST_LINE = 20_000


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of one line of a file: where it begins, the column after its end, and the line's text.

    A place with line 0 means the file as a whole.
    """

    spot: Spot
    end: int = 0
    text: str = ""

    @classmethod
    def whole(cls, file: str) -> Place:
        """The place that means all of ``file``."""
        return cls(Spot(file, 0, 0))


@dataclass(frozen=True, slots=True)
class Note:
    """Another place that has to do with a problem, or (without a place) another fact."""

    message: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that is certainly meant: the text to be put in the place of a stretch."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem of one file; ``fix`` only where there can be no doubt what was meant."""

    code: str
    message: str
    place: Place
    help: str = ""
    notes: tuple[Note, ...] = ()
    severity: str = ERROR
    fix: Fix | None = None

    @property
    def spot(self) -> Spot:
        """Where the problem begins."""
        return self.place.spot

    @property
    def is_error(self) -> bool:
        """Whether the file cannot be used because of this."""
        return self.severity == ERROR

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """By place, then code."""
        return (self.spot.file, self.spot.line, self.spot.column, self.code, self.message)


class RuleFileError(Exception):
    """A file that cannot be used, with all that is wrong with it."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(render(self.diagnostics))

    def __reduce__(self) -> tuple[type[RuleFileError], tuple[tuple[Diagnostic, ...]]]:
        return (RuleFileError, (self.diagnostics,))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any of them is more than a warning."""
    return any(found.is_error for found in diagnostics)


def render(diagnostics: Iterable[Diagnostic], style: str = "text") -> str:
    """All diagnostics in one of the styles ``text`` and ``github``, without a line feed at the end."""
    one = {"text": as_text, "github": as_github}[style]
    return "\n".join(one(found) for found in diagnostics)


def as_text(found: Diagnostic) -> str:
    """A diagnostic as people read it: the place, the line with the part underlined, notes and help."""
    lines = [f"{_position(found.place)}: {found.severity}[{found.code}]: {found.message}", *_excerpt(found.place)]
    for note in found.notes:
        if note.place is None:
            lines.append(f"  note: {note.message}")
        else:
            lines += [f"  {_position(note.place)}: note: {note.message}", *_excerpt(note.place)]
    if found.help:
        first, *more = found.help.split("\n")
        lines += [f"  help: {first}", *(f"        {line}" for line in more)]
    return "\n".join(lines)


def as_github(found: Diagnostic) -> str:
    """A diagnostic as a workflow command, which GitHub shows beside the line."""
    said = [found.message]
    said += [f"{_position(note.place)}: {note.message}" if note.place else note.message for note in found.notes]
    if found.help:
        said.append(f"help: {found.help}")
    where = {"file": found.spot.file}
    if found.spot.line:
        where |= {"line": str(found.spot.line), "col": str(found.spot.column)}
        where["endColumn"] = str(max(found.place.end, found.spot.column + 1))
    where["title"] = found.code
    fields = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in where.items())
    return f"::{found.severity} {fields}::{_escaped(chr(10).join(said))}"


def as_json(found: Diagnostic) -> dict[str, Any]:
    """A diagnostic as plain data for JSON. Lines and columns count from 1; they are null for a whole file."""
    return {
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        **_place_json(found.place),
        "help": found.help or None,
        "notes": [
            {"message": note.message, **(_place_json(note.place) if note.place else {"file": None})}
            for note in found.notes
        ],
        "fix": found.fix and {**_place_json(found.fix.place), "text": found.fix.text},
    }


def _place_json(place: Place) -> dict[str, Any]:
    if not place.spot.line:
        return {"file": place.spot.file, "line": None, "column": None, "end_column": None}
    return {"file": place.spot.file, "line": place.spot.line, "column": place.spot.column, "end_column": place.end}


def _escaped(text: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def _position(place: Place) -> str:
    return str(place.spot) if place.spot.line else place.spot.file


def _excerpt(place: Place) -> list[str]:
    """The source line with its number, and carets beneath the stretch."""
    if not place.spot.line:
        return []
    start = min(place.spot.column - 1, _LONGEST_LINE)
    end = max(min(place.end - 1, _LONGEST_LINE), start + 1)
    shown, first, last = _cropped([_visible(c) for c in place.text[:_LONGEST_LINE]], start, end)
    before = sum(map(_width, shown[:first]))
    under = max(1, sum(map(_width, shown[first:last])))
    number = f"{place.spot.line:>2}"
    return [
        f"  {number} | {''.join(shown)}".rstrip(),
        f"  {' ' * len(number)} | {' ' * before}{'^' * under}",
    ]


def _cropped(characters: list[str], start: int, end: int) -> tuple[list[str], int, int]:
    """As many characters as fit, around ``start``; with the places where the underlined part now begins and ends."""
    widths = [_width(c) for c in characters]
    if sum(widths) <= SHOWN_WIDTH:
        return characters, start, end
    first = 0
    if sum(widths[:end]) > SHOWN_WIDTH - 1:
        first = max(0, start - _LEAD_IN)
    last, used = first, 0
    while last < len(characters) and used + widths[last] <= SHOWN_WIDTH - 2:
        used += widths[last]
        last += 1
    head = ["…"] if first else []
    tail = ["…"] if last < len(characters) else []
    shift = len(head) - first
    return head + characters[first:last] + tail, start + shift, min(end, last) + shift


def _visible(character: str) -> str:
    """The character, or what stands for it where a terminal would not show it or would obey it."""
    if character.isprintable() or unicodedata.combining(character):
        return character
    return " " if character == "\t" or unicodedata.category(character) == "Zs" else "\N{REPLACEMENT CHARACTER}"


def _width(character: str) -> int:
    """How many columns of a terminal the character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
