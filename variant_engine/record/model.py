"""What a record is made of: values that keep every character of the text they were read from.

A record is a header and deals; a deal is tags, lines of play, the ``*`` that ends it, and the tags of its result. Each
piece knows its own text and, in ``before``, the white space and comments between it and the piece in front of it, so
that a text read and written again is the same text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..diagnostics import Place, RuleFileError
from ..notation import SEATS

HEADER = "% P66 1.0"

#: Tags that stand after the ``*``; the last three only in a deal that was committed to.
RESULT_TAGS = ("Points", "Result", "Reason")
OPENING_TAGS = ("Pack", "Seed", "Salt")

#: Comments in what stands between two pieces.
_COMMENT = re.compile(r"\{([^}]*)\}|;([^\r\n]*)|(?:(?<=[\r\n])|\A)%[^\r\n]*")
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class RecordError(RuleFileError):
    """A record that cannot be used, with all that is wrong with it."""


@dataclass(frozen=True, slots=True)
class Tag:
    """One ``[Name "value"]``. ``raw`` is its text where that is not the usual form."""

    name: str
    value: str
    before: str = "\n"
    raw: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The tag as it stands in the record."""
        return self.raw or tag_text(self.name, self.value)


@dataclass(frozen=True, slots=True)
class Token:
    """One move as written, with the annotations (``!``, ``?``, ``$3``) right after it."""

    text: str
    marks: str = ""
    before: str = " "
    place: Place | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Line:
    """One trick: its number, the seat that leads it, and all tokens from after the trick before to its answer."""

    number: int
    seat: int
    tokens: tuple[Token, ...]
    before: str = "\n"
    raw: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)

    @property
    def head(self) -> str:
        """The line's beginning: number and leader."""
        return self.raw or f"{self.number}. {SEATS[self.seat]}"


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal of a record. ``star`` is what stands before its ``*``; None for a deal that is not finished."""

    tags: tuple[Tag, ...]
    lines: tuple[Line, ...] = ()
    star: str | None = None
    results: tuple[Tag, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether the deal has its ``*``."""
        return self.star is not None

    def tag(self, name: str) -> Tag | None:
        """The tag of that name, before the play or after it."""
        return next((tag for tag in (*self.tags, *self.results) if tag.name == name), None)

    def get(self, name: str, default: str = "") -> str:
        """The value of a tag, or the default."""
        found = self.tag(name)
        return default if found is None else found.value

    def name(self, seat: int) -> str:
        """Who sits there: the name, or the seat's letter if there is none."""
        return self.get(SEATS[seat]) or SEATS[seat]

    @property
    def place(self) -> Place | None:
        """Where the deal begins."""
        return self.tags[0].place if self.tags else None

    @property
    def comments(self) -> tuple[str, ...]:
        """The texts of all comments between the deal's pieces, in order."""
        return tuple(comment for gap in self._gaps() for comment in comments_in(gap))

    def _gaps(self) -> list[str]:
        gaps = [tag.before for tag in self.tags]
        for line in self.lines:
            gaps += [line.before, *(token.before for token in line.tokens)]
        if self.star is not None:
            gaps.append(self.star)
        return gaps + [tag.before for tag in self.results]


@dataclass(frozen=True, slots=True)
class Record:
    """A record file: its header, its deals, and what stands after the last of them."""

    deals: tuple[DealRecord, ...]
    header: str = HEADER
    after: str = "\n"
    name: str = field(default="", compare=False)


def comments_in(gap: str) -> tuple[str, ...]:
    """The texts of the comments between two pieces."""
    found = (match[1] if match[1] is not None else match[2] for match in _COMMENT.finditer(gap))
    return tuple(text.strip() for text in found if text is not None)


def tag_text(name: str, value: str) -> str:
    """A tag in the usual form."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def new_tag(name: str, value: str, before: str = " ") -> Tag:
    """A tag that can be written: control characters and line breaks become spaces.

    Raises :class:`ValueError` for a name that is none.
    """
    if not _TAG_NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name for a tag")
    return Tag(name, writable(value), before)


def writable(value: str) -> str:
    """A value as a tag can hold it: control characters and line breaks become spaces."""
    return "".join(c if c.isprintable() else " " for c in value)


def write(record: Record) -> str:
    """The text of a record. What was read is written again byte for byte."""
    pieces = [record.header]
    for deal in record.deals:
        pieces += _deal_pieces(deal)
    pieces.append(record.after)
    return "".join(pieces)


def deal_text(deal: DealRecord) -> str:
    """The text of one deal, with what stands before it."""
    return "".join(_deal_pieces(deal))


def _deal_pieces(deal: DealRecord) -> list[str]:
    pieces = []
    for tag in deal.tags:
        pieces += [tag.before, tag.text]
    for line in deal.lines:
        pieces += [line.before, line.head]
        for token in line.tokens:
            pieces += [token.before, token.text, token.marks]
    if deal.star is not None:
        pieces += [deal.star, "*"]
        for tag in deal.results:
            pieces += [tag.before, tag.text]
    return pieces
