"""Mending rule files: what is certainly meant is written, and nothing else of the file is touched.

Comments, layout, line ends and a byte order mark stay as they are. A fix may bring another mistake to light (a misspelt
option with a quoted number), so a file is looked at again until nothing more is certain.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .checking import check_text
from .diagnostics import Diagnostic, Fix
from .replacing import replace_file
from .textfile import decoded, file_content, shown_name
from .yamlfile import MAX_BYTES

#: A file is looked at so often at most; each time must leave fewer mistakes.
_ROUNDS = 5
_LINE = re.compile("[^\r\n]*(?:\r\n|\r|\n|$)")
_MARK = "\ufeff"


class FixError(ValueError):
    """A file that cannot be written. The message is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A file before and after: its name in messages, the texts, and the problems that were fixed."""

    path: Path
    file: str
    before: str
    after: str
    fixed: tuple[Diagnostic, ...]

    def diff(self) -> str:
        """What changes, as a unified diff; empty if nothing does. Ends without a line feed."""
        lines = difflib.unified_diff(
            self.before.splitlines(keepends=True), self.after.splitlines(keepends=True), self.file, self.file
        )
        shown = [line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n" for line in lines]
        return "".join(shown).rstrip("\n")

    def write(self) -> None:
        """Put the mended file in the place of the old one, whole or not at all. Raises :class:`FixError`."""
        if self.after == self.before:
            return
        target = self.path.resolve()
        try:
            if target.read_bytes() != self.before.encode():
                raise FixError(f"{self.file} has changed meanwhile and is left as it is")
            replace_file(target, self.after.encode(), target.stat().st_mode & 0o7777)
        except OSError as error:
            raise FixError(f"{self.file} cannot be written: {(error.strerror or 'unknown error').lower()}") from None


def mend(path: str | os.PathLike[str]) -> Mended:
    """What can be fixed in a file for certain. Raises :class:`~variant_engine.diagnostics.RuleFileError`."""
    name = shown_name(path)
    content = file_content(path, name, MAX_BYTES)
    text = decoded(content, name)
    mark = _MARK if content.startswith(_MARK.encode()) else ""
    after, fixed = mended_text(text, path)
    return Mended(Path(path), name, mark + text, mark + after, fixed)


def mended_text(text: str, path: str | os.PathLike[str]) -> tuple[str, tuple[Diagnostic, ...]]:
    """The text of a file with all that is certain fixed, and the problems that were fixed."""
    name = shown_name(path)
    fixed: list[Diagnostic] = []
    found = check_text(text, path)
    for _ in range(_ROUNDS):
        now = [one for one in found if one.fix is not None and one.spot.file == name]
        if not now:
            break
        changed = applied(text, (one.fix for one in now if one.fix is not None))
        after = check_text(changed, path)
        # Whatever was fixed must be gone, and the file must still be read as far as it was.
        if any(one.code[0] == "Y" for one in after) or _told(after) & _told(now):
            break
        text, found = changed, after
        fixed += now
    return text, tuple(fixed)


def _told(found: Iterable[Diagnostic]) -> set[tuple[str, int, str | int]]:
    """What is said of which line, and of which column."""
    told: set[tuple[str, int, str | int]] = set()
    for one in found:
        told |= {(one.code, one.spot.line, one.message), (one.code, one.spot.line, one.spot.column)}
    return told


def applied(text: str, fixes: Iterable[Fix]) -> str:
    """The text with fixes applied; of two that overlap, the first."""
    lines = _LINE.findall(text)
    reached = (len(lines) + 1, 0)
    for fix in sorted(fixes, key=lambda one: (one.place.spot.line, one.place.spot.column), reverse=True):
        line, start, end = fix.place.spot.line, fix.place.spot.column, fix.place.end
        if (line, end) > reached:
            continue
        old = lines[line - 1]
        lines[line - 1] = old[: start - 1] + fix.text + old[end - 1 :]
        reached = (line, start)
    return "".join(lines)
