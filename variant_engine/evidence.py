"""Places in a source, and what a ruleset says about where its values come from.

A place ``¶n.s`` is the s-th sentence of the n-th non-empty line of a text's file. The splitter here defines what a
sentence is; it is deliberately mechanical, so that a place means the same to every reader.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

#: How sure an attested value is. ``stated``: the text says it. ``implied``: it follows. ``silent``: the editor's
#: reading. ``ambiguous``: several readings. ``garbled``: a slip of a translation, read by its sense.
STATUSES = ("stated", "implied", "silent", "ambiguous", "garbled")

#: A sentence ends with . ! or ?, closing quotes and brackets included, before white space, or before a capital that
#: follows a full stop without the space that should be there.
_BOUNDARY = re.compile(r"(?<=[.!?])[\"'”’)\]]*(?:\s+|(?=[A-ZÅÄÖÆØÉ][a-zåäöæøé]))")

PLACE = re.compile(r"^¶([1-9]\d*)\.([1-9]\d*)$")
#: A place in a program: module, then names, separated by full stops.
PROGRAM_PLACE = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$")
#: A place, or the sentences from one to another of the same line: ``¶1.1``, ``¶37.2-37.3``.
PLACES_PATTERN = r"^¶([1-9]\d*)\.([1-9]\d*)(?:-\1\.([1-9]\d*))?$"
#: A place in a text where it is mentioned among words.
MENTIONED_PLACE = re.compile(r"¶[1-9]\d*\.[1-9]\d*")
_PLACES = re.compile(PLACES_PATTERN)
#: So many sentences at most may stand behind one range.
_LONGEST_RANGE = 200


def sentences(text: str) -> list[list[str]]:
    """The sentences of a text: a list for each non-empty line, in order.

    >>> sentences("A TITLE\\n\\nOne. Two (or three). Four")
    [['A TITLE'], ['One.', 'Two (or three).', 'Four']]
    """
    result = []
    for line in text.lstrip("\ufeff").splitlines():
        stripped = line.strip()
        if stripped:
            result.append(_split(stripped))
    return result


def _split(line: str) -> list[str]:
    parts = []
    start = 0
    for boundary in _BOUNDARY.finditer(line):
        end = boundary.end()
        if end == start or end >= len(line):
            continue
        parts.append(line[start:end].strip())
        start = end
    parts.append(line[start:].strip())
    return parts


def sentence_at(text: str, place: str) -> str | None:
    """The sentence at a place ``¶n.s``, or None when the text has no such place."""
    match = PLACE.match(place)
    if match is None:
        return None
    lines = sentences(text)
    line, sentence = int(match[1]), int(match[2])
    if line > len(lines) or sentence > len(lines[line - 1]):
        return None
    return lines[line - 1][sentence - 1]


def expand(places: str) -> tuple[str, ...]:
    """The single places of a place or of a range within one line; none if it is neither.

    >>> expand("¶37.2-37.4")
    ('¶37.2', '¶37.3', '¶37.4')
    """
    match = _PLACES.match(places)
    if match is None:
        return ()
    line, first = match[1], int(match[2])
    last = int(match[3]) if match[3] else first
    if match[3] and not first < last < first + _LONGEST_RANGE:
        return ()
    return tuple(f"¶{line}.{sentence}" for sentence in range(first, last + 1))


def text_hash(content: bytes) -> str:
    """The SHA-256 that binds a ruleset to the text it was read from."""
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a rule file: its name as shown to people, and line and column counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another way that the text itself offers, with where it does."""

    value: str | int
    where: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a ruleset says about one option: the value, how sure it is, where the source says it, and why.

    ``where`` holds places in the source; ``readings`` all readings of an ambiguous text; ``also`` the other ways a
    text offers; ``spot`` the place in the rule file, None for a value that was set by the user or is neutral.
    ``status`` is empty for a value that claims no source (a house rule, a neutral value, ``--set``).
    """

    value: str | int
    status: str = ""
    where: tuple[str, ...] = ()
    why: str = ""
    readings: tuple[str | int, ...] = ()
    also: tuple[Alternative, ...] = ()
    spot: Spot | None = None
    #: The ruleset whose file says it; empty for a neutral value and for ``--set``.
    ruleset: str = ""
