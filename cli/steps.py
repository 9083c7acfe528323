"""Telling people at a terminal how far a command is; programs and files are told nothing."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType

from .terminal import width

#: So long a command may take without a word, and so long the line stands before it is written anew.
_PATIENCE, _PAUSE = 0.5, 0.1


class Steps:
    """A line on the standard error that says which of so many steps is being taken; gone when all are."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._next = monotonic() + _PATIENCE if sys.stderr.isatty() else None
        self._shown = False

    def __enter__(self) -> Steps:
        return self

    def __call__(self, done: int, of: int, now: str = "") -> None:
        """Say that so many steps are done, and what is done now."""
        if self._next is None or monotonic() < self._next:
            return
        said = f"{self._what}: {done} of {of}" + (f", {now}" if now else "")
        sys.stderr.write(f"\r{said[: width() - 1]}\x1b[K")
        sys.stderr.flush()
        self._shown = True
        self._next = monotonic() + _PAUSE

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
