"""Reading a YAML file safely: plain data, and for every piece of it the place and the text as written.

What a file may use is small on purpose: one document of mappings, lists and scalars. Anchors, aliases, tags, merge
keys and duplicate keys are refused, so that what a reader sees is what there is. Scalars are read by YAML 1.2's core
schema, as editors read them: ``no`` is text.

The parser's events are turned into data in one pass with a stack of our own. That costs half of what composing nodes
and walking them costs, and no document, however deep, can exhaust Python's stack.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)

from .diagnostics import Diagnostic, Note, Place, RuleFileError, has_errors
from .evidence import Spot
from .hints import quoted
from .indents import moved, odd_lines
from .textfile import NEVER, banned_characters, decoded, file_content, shown_name, split_lines
from .yamlevents import Unread, events
from .yamlhelp import Marked, explained, space_help

#: A ruleset with evidence for every option has some 40,000 bytes and 2,500 nodes, four deep.
MAX_BYTES = 512 * 1024
MAX_NODES = 50_000
MAX_DEPTH = 20
#: What ``read_head`` reads at most in search of the options.
MAX_HEAD_BYTES = 16 * 1024
#: No use in telling more at once.
MAX_DIAGNOSTICS = 40

Key = tuple[str | int, ...]

#: What not even an escape may bring in. A line break within a text is a line feed.
_NO_TEXT = re.compile(f"[{NEVER}\r]")
_OPTIONS_LINE = re.compile(r"options[ \t]*:")

#: What a line that was moved to the left or right can lead to.
_OF_INDENTATION = ("Y110", "Y119", "Y120", "Y121")

_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLEANS = {
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
#: Longer numbers stay text: nothing here counts that far, and huge ones are slow to convert.
_LONGEST_NUMBER = 15


class Span(NamedTuple):
    """Part of a line: line and column from 1, and the column after the end. Of several lines, the part on the first."""

    line: int
    column: int
    end: int


class Loc(NamedTuple):
    """Where a piece of data stands: its key (None for a list item), its value, and a scalar's text as written.

    ``raw`` is None for a mapping or list. ``style`` tells how a scalar was written: ``""`` plain, ``"'"``, ``'"'``,
    or ``|`` and ``>`` for the block forms.
    """

    key: Span | None
    value: Span
    raw: str | None
    style: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file's data, with the place of every piece by its path of keys and list indices. Keys are always text."""

    data: Any
    locs: dict[Key, Loc]
    lines: list[str]
    file: str

    def place(self, path: Key, *, key: bool = False) -> Place:
        """Where the value at ``path`` stands, or its key. An absent value is found at its key."""
        loc = self.locs[path]
        span = loc.key if loc.key and (key or loc.value.end <= loc.value.column) else loc.value
        return self.at(span)

    def at(self, span: Span) -> Place:
        """The stretch of this file."""
        text = self.lines[span.line - 1] if span.line <= len(self.lines) else ""
        return Place(Spot(self.file, span.line, span.column), span.end, text)

    def raw(self, path: Key) -> str | None:
        """The text of the scalar at ``path`` as it was written, without quotes; None for anything else."""
        loc = self.locs.get(path)
        return loc.raw if loc else None

    def value_at(self, path: Key) -> Any:
        """The data at ``path``."""
        data = self.data
        for step in path:
            data = data[step]
        return data


def load_yaml(path: str | os.PathLike[str], shown: str | None = None) -> Document:
    """The document in a file, called ``shown`` in messages. Raises :class:`RuleFileError` for anything else."""
    name = shown_name(path) if shown is None else shown
    return parse_yaml(decoded(file_content(path, name, MAX_BYTES), name), name)


def read_head(path: str | os.PathLike[str], shown: str | None = None) -> Document:
    """As :func:`load_yaml`, but only of what stands above the line ``options:``; the rest is not even read."""
    name = shown_name(path) if shown is None else shown
    content = file_content(path, name, MAX_HEAD_BYTES, whole=False)
    head = []
    for line in content.splitlines(keepends=True):
        if re.match(_OPTIONS_LINE.pattern.encode(), line):
            break
        head.append(line)
    else:
        if len(content) >= MAX_HEAD_BYTES:
            message = f"'options:' does not begin within the first {MAX_HEAD_BYTES} bytes"
            raise RuleFileError([Diagnostic("Y105", message, Place.whole(name))])
    return parse_yaml(decoded(b"".join(head), name), name)


def parse_yaml(text: str, name: str) -> Document:
    """The document in ``text``. Raises :class:`RuleFileError` with everything that is wrong with it."""
    try:
        return _parsed(text, name)
    except RuleFileError as error:
        moved_line = _moved_line(error.diagnostics[0], split_lines(text), name)
        if moved_line is None:
            raise
    raise RuleFileError([moved_line])


def _moved_line(first: Diagnostic, lines: list[str], name: str) -> Diagnostic | None:
    """A problem said as what is behind it, if that is a line that is only indented wrongly."""
    if first.code not in _OF_INDENTATION:
        return None
    for odd in odd_lines(lines, first.spot.line, cases=name.endswith(".cases.yaml")):
        try:
            _parsed(moved(lines, odd), name)
        except RuleFileError:
            continue
        text = lines[odd.line - 1]
        place = Place(Spot(name, odd.line, odd.indent + 1), len(text.rstrip()) + 1, text)
        message = f"this line is indented by {_spaces(odd.indent)}, and lines like it by {_spaces(odd.usual)}"
        notes = () if first.spot.line == odd.line else (Note("here it no longer fits", first.place),)
        return Diagnostic("Y109", message, place, f"indent it by {_spaces(odd.usual)}", notes)
    return None


def _spaces(number: int) -> str:
    return f"{number or 'no'} space{'' if number == 1 else 's'}"


def _parsed(text: str, name: str) -> Document:
    lines = split_lines(text)
    banned = banned_characters(lines, name)
    if banned:
        raise RuleFileError(banned)
    builder = _Builder(lines, name)
    try:
        for event in events(text):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        found = _syntax_error(error, builder)
        # A line that is taken into the value above leaves the parser with a colon that it cannot place.
        if not (builder.found and builder.found[-1].code == "Y121" and builder.found[-1].spot == found.spot):
            builder.found.append(found)
    except Unread as error:
        message = "this cannot be read as YAML: a number in it is out of range"
        builder.problem("Y110", message, Span(error.line, error.column, error.column + 1))
    except _TooMuch:
        pass
    if builder.depth_of_root is None and not builder.found:
        raise RuleFileError([Diagnostic("Y118", "the file is empty", Place.whole(name))])
    if has_errors(builder.found):
        raise RuleFileError(builder.found)
    return builder.document


class _TooMuch(Exception):
    """The file has more than is read; the diagnostic has been noted."""


@dataclass(slots=True)
class _Frame:
    """A mapping or list being read."""

    path: Key
    data: dict[str, Any] | list[Any]
    keys: dict[str, Span] = field(default_factory=dict)
    #: Where it begins, if it is written in brackets: only at its end is it known how far it goes.
    start: Any = None
    key: str | None = None
    key_span: Span | None = None


class _Builder:
    """Takes events and keeps data, places and problems."""

    def __init__(self, lines: list[str], name: str) -> None:
        self.document = Document(None, {}, lines, name)
        self.found: list[Diagnostic] = []
        self.stack: list[_Frame] = []
        self.nodes = 0
        self.documents = 0
        self.depth_of_root: int | None = None

    def problem(self, code: str, message: str, span: Span, help_text: str = "", notes: tuple[Note, ...] = ()) -> None:
        self.found.append(Diagnostic(code, message, self.document.at(span), help_text, notes))
        if len(self.found) >= MAX_DIAGNOSTICS:
            raise _TooMuch

    def span(self, start: Any, end: Any) -> Span:
        """From two of the parser's marks; what goes on over several lines ends with the first."""
        if end.line == start.line:
            return Span(start.line + 1, start.column + 1, end.column + 1)
        lines = self.document.lines
        text = lines[start.line] if start.line < len(lines) else ""
        return Span(start.line + 1, start.column + 1, max(len(text.rstrip()), start.column) + 1)

    def take(self, event: Event) -> None:
        if isinstance(event, NodeEvent):
            self.nodes += 1
            if self.nodes > MAX_NODES:
                self.problem("Y117", f"the file has more than {MAX_NODES} keys and values", self._start(event))
                raise _TooMuch
            self._ban(event)
            if isinstance(event, CollectionStartEvent):
                self._open(event)
            else:
                self._scalar(event)
        elif isinstance(event, CollectionEndEvent):
            frame = self.stack.pop()
            if frame.start is not None:
                loc = self.document.locs[frame.path]
                self.document.locs[frame.path] = loc._replace(value=self.span(frame.start, event.end_mark))
        elif isinstance(event, DocumentStartEvent):
            self._begin(event)

    def _start(self, event: Event) -> Span:
        mark: Any = event.start_mark
        return Span(mark.line + 1, mark.column + 1, mark.column + 2)

    def _begin(self, event: DocumentStartEvent) -> None:
        self.documents += 1
        if self.documents > 1:
            self.problem("Y115", "a second document begins here; a file holds one", self._start(event))
            raise _TooMuch
        if event.version or event.tags:
            directive = next(n for n, line in enumerate(self.document.lines, 1) if line.startswith("%"))
            span = Span(directive, 1, len(self.document.lines[directive - 1]) + 1)
            self.problem("Y116", "directives such as '%YAML' are not used here", span, "remove the line")

    def _ban(self, event: NodeEvent) -> None:
        """Refuse what makes a document mean something else than it seems to."""
        start = self._start(event)
        text = self.document.lines[start.line - 1][start.column - 1 :] if start.line <= len(self.document.lines) else ""
        word = re.match(r"\S*?(?=[\s,\]}]|$)", text)
        span = start._replace(end=start.column + max(1, word.end() if word else 1))
        if isinstance(event, AliasEvent):
            self.problem("Y112", "aliases are not used here", span, "write the value again")
        elif event.anchor is not None:
            self.problem("Y111", "anchors are not used here", span, f"remove {quoted('&' + event.anchor)}")
        elif getattr(event, "tag", None) is not None:
            self.problem("Y113", "tags are not used here", span, f"remove {quoted(text[: span.end - span.column])}")

    def _open(self, event: CollectionStartEvent) -> None:
        span = self._start(event) if event.flow_style else self._rest_of_line(event)
        mapping = isinstance(event, MappingStartEvent)
        if self.stack and isinstance(self.stack[-1].data, dict) and self.stack[-1].key is None:
            self.problem("Y119", "a key must be plain text, not a list or a block", span)
            raise _TooMuch
        if len(self.stack) >= MAX_DEPTH:
            self.problem("Y117", f"the file is nested more than {MAX_DEPTH} levels deep", span)
            raise _TooMuch
        data: dict[str, Any] | list[Any] = {} if mapping else []
        path = self._add(data, span, None, "")
        self.stack.append(_Frame(path, data, start=event.start_mark if event.flow_style else None))

    def _rest_of_line(self, event: Event) -> Span:
        start = self._start(event)
        line = self.document.lines[start.line - 1] if start.line <= len(self.document.lines) else ""
        return start._replace(end=max(len(line.rstrip()) + 1, start.end))

    def _scalar(self, event: NodeEvent) -> None:
        raw, style = "", ""
        if isinstance(event, ScalarEvent):
            raw, style = event.value, event.style or ""
        span = self.span(event.start_mark, event.end_mark)
        end: Any = event.end_mark
        flow = bool(self.stack) and self.stack[-1].start is not None
        if not style and end.line > span.line - 1 and not flow:
            self._goes_on(span.line + 1, end.line)
        odd = _NO_TEXT.search(raw)
        if odd:
            self.problem("Y107", f"U+{ord(odd[0]):04X} must not stand in a rule file, nor an escape for it", span)
        frame = self.stack[-1] if self.stack else None
        if frame is not None and isinstance(frame.data, dict) and frame.key is None:
            self._key(frame, raw, span, style)
            return
        self._add(_read(raw) if not style else raw, span, raw, style)

    def _goes_on(self, line: int, last: int) -> None:
        """A plain value of several lines is mostly a line that was moved to the right, and silently taken in."""
        lines = self.document.lines
        while line <= last and not lines[line - 1].strip():
            line += 1
        text = lines[line - 1]
        indent = len(text) - len(text.lstrip())
        help_text = "indent it like the line above, or put a value of several lines in quotes"
        if line > 1 and space_help(lines[line - 2]):
            help_text = f"{space_help(lines[line - 2])} in the line above"
        span = Span(line, indent + 1, len(text.rstrip()) + 1)
        self.problem("Y121", "this line goes on with the value above", span, help_text)

    def _key(self, frame: _Frame, raw: str, span: Span, style: str) -> None:
        if raw == "<<" and not style:
            self.problem("Y114", "merge keys are not used here", span, "write the keys out")
        elif not raw:
            wide = span if span.end > span.column else span._replace(end=span.column + 1)
            self.problem("Y119", "a key is missing in front of the colon", wide)
        elif raw in frame.keys:
            note = Note("it was given here", self.document.at(frame.keys[raw]))
            self.problem("Y120", f"the key {quoted(raw)} is given twice", span, "remove one of the two", (note,))
        frame.keys.setdefault(raw, span)
        frame.key, frame.key_span = raw, span

    def _add(self, data: Any, span: Span, raw: str | None, style: str) -> Key:
        """Put a value where it belongs, and return its path."""
        if not self.stack:
            self.depth_of_root = 0
            path: Key = ()
            object.__setattr__(self.document, "data", data)
            key_span = None
        else:
            frame = self.stack[-1]
            key_span = frame.key_span
            if isinstance(frame.data, list):
                path = (*frame.path, len(frame.data))
                frame.data.append(data)
            else:
                assert frame.key is not None
                path = (*frame.path, frame.key)
                frame.data[frame.key] = data
                frame.key = frame.key_span = None
        self.document.locs[path] = Loc(key_span, span, raw, style)
        return path


def _read(raw: str) -> Any:
    """A plain scalar by YAML 1.2's core schema, except that very long numbers stay text."""
    if raw in _NULLS:
        return None
    if raw in _BOOLEANS:
        return _BOOLEANS[raw]
    if raw[0] in "+-.0123456789" and len(raw) <= _LONGEST_NUMBER:
        if _INT.fullmatch(raw):
            return int(raw, 0) if raw[1:2] in ("o", "x") else int(raw)
        if _FLOAT.fullmatch(raw):
            # Python writes infinity without YAML's full stop.
            return float(raw.lower().replace(".", "") if raw[-1] in "fFnN" else raw)
    return raw


def _syntax_error(error: yaml.MarkedYAMLError, builder: _Builder) -> Diagnostic:
    marked: Marked = explained(error, builder.document.lines)
    span = Span(marked.line, marked.column, marked.column + marked.length)
    return Diagnostic("Y110", marked.message, builder.document.at(span), marked.help)
