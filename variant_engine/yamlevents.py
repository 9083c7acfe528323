"""PyYAML's parser as a stream of events, with a place for every failure."""

from __future__ import annotations

from collections.abc import Iterator

from yaml.events import Event
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner


class Unread(Exception):
    """Where the parser stood when it failed in a way of its own."""

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column


class _Parser(Reader, Scanner, Parser):
    """PyYAML's parser in pure Python: the C one words its errors differently, so messages would vary by machine."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


def events(text: str) -> Iterator[Event]:
    """The parser's events. Raises :class:`yaml.MarkedYAMLError`, or :class:`Unread`."""
    parser = _Parser(text)
    while True:
        try:
            event = parser.get_event()  # type: ignore[no-untyped-call]
        except (ValueError, OverflowError):
            # An escape such as "\UFFFFFFFF", or a version of a thousand digits.
            raise Unread(parser.line + 1, parser.column + 1) from None
        if event is None:
            return
        yield event
