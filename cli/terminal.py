"""Writing to the terminal: encodings, pipes that close early, colour only where it is wanted, and lines that fit."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, TextIO

#: Puts text in a style: ``bold`` or ``faint``.
Paint = Callable[[str, str], str]

_CODES = {"bold": "1", "faint": "2"}

#: Lines are never set wider than this, however wide the terminal.
_WIDEST = 200


def width() -> int:
    """The columns of the terminal; 80 in a pipe, unless the variable COLUMNS says otherwise."""
    return min(max(shutil.get_terminal_size((80, 24)).columns, 40), _WIDEST)


def plain(text: str, style: str) -> str:
    """The paint for pipes and files: none."""
    return text


def _coloured(text: str, style: str) -> str:
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if text.strip() else text


def paint(stream: TextIO | None = None) -> Paint:
    """The paint for a stream, by default the standard output: colours on a terminal, unless NO_COLOR is set."""
    stream = stream or sys.stdout
    wanted = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return _coloured if wanted else plain


def prepare_streams() -> None:
    """See to it that every character can be written, whatever the locale: UTF-8 in place of ASCII, no failures."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None or not stream.encoding:
            continue
        if stream.encoding.lower().replace("-", "").replace("_", "") in ("ascii", "usascii", "646", "ansix3.41968"):
            reconfigure(encoding="utf-8")
        reconfigure(errors="replace")


def emit(text: str) -> None:
    """Print to the standard output. If nobody reads on (``| head``), the rest is dropped without a word."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
    except OSError as error:
        _drop_output()
        complain(f"error: the output cannot be written: {error.strerror or error}")
        raise SystemExit(2) from None


def _drop_output() -> None:
    """Send what is still in the buffer nowhere; it would fail again when Python closes the stream."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def emit_json(data: Any) -> None:
    """Print an object as JSON."""
    emit(json.dumps(data, ensure_ascii=False, indent=2))


def complain(text: str) -> None:
    """Print to the standard error."""
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except BrokenPipeError:
        pass


def fill(text: str, columns: int, *, indent: str = "", more: str | None = None) -> str:
    """Text in lines of at most so many columns; words are never broken. ``more`` indents all but the first line."""
    return textwrap.fill(
        text,
        max(columns, 20),
        initial_indent=indent,
        subsequent_indent=indent if more is None else more,
        break_long_words=False,
        break_on_hyphens=False,
    )


def table(rows: Sequence[tuple[str, ...]], columns: int, *, indent: str = "") -> list[str]:
    """Rows in columns as wide as they must be, two spaces apart; what is too long in the last column is wrapped."""
    if not rows:
        return []
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    start = len(indent) + sum(widths) + 2 * len(widths)
    lines = []
    for row in rows:
        head = indent + "".join(f"{cell:<{size}}  " for cell, size in zip(row, widths, strict=False))
        longest = max((len(word) for word in row[-1].split()), default=0)
        if columns - start < max(longest, 20):
            # The last column has too little room; give it lines of its own.
            lines.append(head.rstrip())
            lines += fill(row[-1], columns, indent=indent + "    ").splitlines() if row[-1] else []
        else:
            lines += (fill(row[-1], columns, indent=head, more=" " * start) if row[-1] else head.rstrip()).splitlines()
    return lines
