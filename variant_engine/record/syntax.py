"""Reading the text of a record into its pieces, with their places. What the pieces mean is another question."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from typing import NoReturn

from ..diagnostics import Diagnostic, Place
from ..evidence import Spot
from ..hints import printable, quoted
from ..notation import SEATS
from .model import HEADER, OPENING_TAGS, RESULT_TAGS, DealRecord, Line, Record, RecordError, Tag, Token

_HEADER = re.compile(r"\ufeff?%[ \t]*P66[ \t]+([0-9]{1,6}\.[0-9]{1,6})[ \t]*(?=[\r\n]|\Z)")
_SPACE = re.compile(r"[ \t\r\n]+")
_COMMENT = re.compile(r"\{[^}]*\}|;[^\r\n]*")
_ESCAPED_LINE = re.compile(r"%[^\r\n]*")
_TAG = re.compile(r'\[[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]*"((?:[^"\\\r\n]|\\["\\])*)"[ \t]*\]')
_HEAD = re.compile(r"([0-9]{1,3})\.[ \t]*([A-Z])(?![A-Za-z0-9:])")
_MARKS = re.compile(r"(?:[ \t]*(?:[!?]{1,2}|\$[0-9]{1,3}))+")
_WORD = re.compile(r"[^\s;{}\[\]!?$%*\"]+")
_ESCAPE = re.compile(r"\\(.)")
_LINE_BREAK = re.compile("\r\n|\r|\n")
#: Control characters, further line breaks, halves of surrogate pairs, marks that turn text round, byte order marks.
_BANNED = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


class Places:
    """Places in a text by offset."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self._starts = [0, *(match.end() for match in _LINE_BREAK.finditer(text))]

    def place(self, start: int, end: int) -> Place:
        """The stretch from ``start`` to ``end``, of which the first line is shown."""
        number = bisect_right(self._starts, start)
        begins = self._starts[number - 1]
        broken = _LINE_BREAK.search(self.text, begins)
        line = self.text[begins : broken.start() if broken else len(self.text)]
        column = start - begins + 1
        return Place(Spot(self.name, number, column), min(max(end - begins, column), len(line)) + 1, line)


def read(text: str, name: str = "record.p66") -> Record:
    """The record in a text.

    Raises :class:`RecordError` at the first place that is not in the form of a record. Whether the deals keep to their
    rules is for :func:`~variant_engine.record.check` to say.
    """
    return _Reader(text, name).record()


class _Reader:
    """A cursor over one text."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.at = 0
        self.places = Places(text, name)

    def refuse(self, code: str, message: str, start: int, end: int, help_text: str = "") -> NoReturn:
        raise RecordError([Diagnostic(code, message, self.places.place(start, end), help_text)])

    # ---- the file -------------------------------------------------------------------------------------------------

    def record(self) -> Record:
        banned = _BANNED.search(self.text, self.text.startswith("\ufeff"))
        if banned:
            message = f"the character U+{ord(banned[0]):04X} must not stand in a record"
            self.refuse("P703", message, banned.start(), banned.end())
        header = self._header()
        deals = []
        before, _ = self._gap()
        while self.at < len(self.text):
            if self.text[self.at] != "[":
                self._stray("a deal begins with its tags")
            deal, before = self._deal(before)
            deals.append(deal)
        if not deals:
            message = "the record has no deals"
            raise RecordError([Diagnostic("P702", message, Place.whole(self.name))])
        return Record(tuple(deals), header, before, self.name)

    def _header(self) -> str:
        match = _HEADER.match(self.text)
        if match is None:
            end = _LINE_BREAK.search(self.text)
            self.refuse(
                "P702",
                "this is no record",
                0,
                end.start() if end else len(self.text),
                f"the first line of a record is '{HEADER}'",
            )
        if match[1] != "1.0":
            self.refuse(
                "P702",
                f"records of version {match[1]} cannot be read",
                match.start(1),
                match.end(1),
                "this program reads version 1.0",
            )
        self.at = match.end()
        return match[0]

    def _gap(self) -> tuple[str, bool]:
        """White space and comments up to the next piece; and whether a new line began among them."""
        start = self.at
        fresh = False
        text = self.text
        while self.at < len(text):
            space = _SPACE.match(text, self.at)
            if space:
                fresh = fresh or "\n" in space[0] or "\r" in space[0]
                self.at = space.end()
                continue
            comment = _COMMENT.match(text, self.at)
            if comment is None and text[self.at] == "%" and text[self.at - 1] in "\r\n":
                comment = _ESCAPED_LINE.match(text, self.at)
            if comment is None:
                break
            self.at = comment.end()
        if text[self.at : self.at + 1] == "{":
            self.refuse("P705", "this comment is never closed", self.at, self.at + 1, "close it with '}'")
        return text[start : self.at], fresh

    # ---- a deal ---------------------------------------------------------------------------------------------------

    def _deal(self, before: str) -> tuple[DealRecord, str]:
        """The deal that begins at the cursor, and the gap after it."""
        tags: list[Tag] = []
        lines: list[Line] = []
        fresh = True
        while self._sees("["):
            tag = self._tag(before)
            if tags and tags[-1].name == "Play":
                # The play belongs to the tag in front of it; whatever comes now begins the next deal.
                self._next_deal(tag)
                return DealRecord(tuple(tags)), before
            tags.append(tag)
            before, fresh = self._gap()
        while self.at < len(self.text) and not self._sees("[") and not self._sees("*"):
            line, after, fresh = self._line(before, fresh, bool(lines))
            lines.append(line)
            before = after
        if not self._sees("*"):
            if self._sees("["):
                at = self.at
                self._next_deal(self._tag(before))
                self.at = at
            return DealRecord(tuple(tags), tuple(lines)), before
        self.at += 1
        star = before
        results: list[Tag] = []
        committed = any(tag.name == "Commit" for tag in tags)
        before, _ = self._gap()
        while self._sees("["):
            at = self.at
            tag = self._tag(before)
            if tag.name not in RESULT_TAGS and not (committed and tag.name in OPENING_TAGS):
                self.at = at
                break
            results.append(tag)
            before, _ = self._gap()
        if self.at < len(self.text) and not self._sees("["):
            self._stray("the deal has ended with its '*'; another begins with its tags")
        return DealRecord(tuple(tags), tuple(lines), star, tuple(results)), before

    def _next_deal(self, tag: Tag) -> None:
        """Refuse a tag that can only belong to the end of a deal; else leave it to be read again as the next deal's."""
        assert tag.place is not None
        if tag.name in RESULT_TAGS:
            message = f"'{tag.name}' stands after the '*' that ends a deal"
            raise RecordError([Diagnostic("P744", message, tag.place, "write '*' on a line of its own before it")])
        self.at -= len(tag.text)

    def _sees(self, character: str) -> bool:
        return self.text[self.at : self.at + 1] == character

    def _stray(self, expected: str) -> NoReturn:
        word = _WORD.match(self.text, self.at)
        end = word.end() if word else self.at + 1
        self.refuse("P706", f"{quoted(self.text[self.at : end])} has no place here", self.at, end, expected)

    def _tag(self, before: str) -> Tag:
        start = self.at
        match = _TAG.match(self.text, start)
        if match is None:
            broken = _LINE_BREAK.search(self.text, start)
            closed = self.text.find("]", start, broken.start() if broken else len(self.text))
            end = closed + 1 if closed >= 0 else broken.start() if broken else len(self.text)
            help_text = (
                'a tag is a name and a value in quotes: [Dealer "B"]; in the value write \\" for " and \\\\ for \\'
            )
            self.refuse("P704", "this is no tag", start, end, help_text)
        self.at = match.end()
        value = _ESCAPE.sub(r"\1", match[2])
        tag = Tag(match[1], value, before, place=self.places.place(start, match.end()))
        return tag if tag.text == match[0] else replace(tag, raw=match[0])

    def _line(self, before: str, fresh: bool, after_line: bool) -> tuple[Line, str, bool]:
        """A line of play, the gap after it, and whether a new line began there."""
        start = self.at
        match = _HEAD.match(self.text, start)
        if match is None:
            self._no_head(start)
        if not fresh:
            what = "the trick before" if after_line else "the tags"
            self.refuse(
                "P734", f"a trick begins a line of its own, after {what}", start, match.end(), "break the line here"
            )
        if match[2] not in SEATS:
            self.refuse(
                "P733", f"{match[2]!r} is no seat", match.start(2), match.end(2), f"write {' or '.join(SEATS[:2])}"
            )
        self.at = match.end()
        tokens: list[Token] = []
        gap, fresh = self._gap()
        while not fresh and self.at < len(self.text) and not self._sees("*") and not self._sees("["):
            token_start = self.at
            word = _WORD.match(self.text, token_start)
            if word is None or _HEAD.match(self.text, token_start):
                if word is not None:
                    head = _HEAD.match(self.text, token_start)
                    assert head is not None
                    self.refuse(
                        "P734", "a trick begins a line of its own", token_start, head.end(), "break the line here"
                    )
                self._stray("here a move is expected")
            self.at = word.end()
            marks = _MARKS.match(self.text, self.at)
            if marks:
                self.at = marks.end()
            place = self.places.place(token_start, word.end())
            tokens.append(Token(word[0], marks[0] if marks else "", gap, place))
            gap, fresh = self._gap()
        if not tokens:
            self.refuse("P730", "this line has no moves", start, match.end(), "remove it, or write what was played")
        usual = f"{int(match[1])}. {match[2]}"
        raw = "" if usual == match[0] else match[0]
        place = self.places.place(start, match.end())
        return Line(int(match[1]), SEATS.index(match[2]), tuple(tokens), before, raw, place), gap, fresh

    def _no_head(self, start: int) -> NoReturn:
        word = _WORD.match(self.text, start)
        end = word.end() if word else start + 1
        found = printable(self.text[start:end])
        help_text = "a line of play begins with the number of the trick and the seat that leads: 1. A"
        if re.fullmatch(r"[0-9]{1,3}\.?", found):
            self.refuse("P733", "this line does not say who leads", start, end, help_text)
        if word is None:
            self._stray(help_text)
        self.refuse("P734", f"'{found}' begins a line that is not headed", start, end, help_text)
