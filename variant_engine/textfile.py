"""Reading the text of a rule file: never too much of it, and nothing that is not plain text."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from .diagnostics import Diagnostic, Place, RuleFileError
from .evidence import Spot
from .hints import printable

_LINE_BREAK = re.compile("\r\n|\r|\n")
#: What not even an escape may bring into a file, as ranges of characters: commands to a terminal, halves of surrogate
#: pairs, line breaks that only YAML 1.1 knows, signs that turn the direction of writing.
NEVER = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u2028-\u202e\u2066-\u2069"
#: These, byte order marks and what is no character.
_BANNED = re.compile(f"[{NEVER}\ufeff\ufffe\uffff]")
#: How a name is shown that is no name at all.
_NAMELESS = "''"
_TABS = re.compile("\t+")


def shown_name(path: str | os.PathLike[str]) -> str:
    """A file's name as messages show it, safe to print: on one line, control characters as escapes."""
    return escaped(os.fspath(path).encode("utf-8", "replace").decode()) or _NAMELESS


def escaped(text: str) -> str:
    """``text`` with an escape for whatever a terminal would not show, or would obey.

    >>> escaped("a\\nb\\u202ec")
    'a\\\\nb\\\\u202ec'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def file_content(path: str | os.PathLike[str], name: str, limit: int, *, whole: bool = True) -> bytes:
    """The file's first ``limit`` bytes; with ``whole`` an error if there are more."""

    def refused(code: str, message: str, help_text: str = "") -> RuleFileError:
        return RuleFileError([Diagnostic(code, message, Place.whole(name), help_text)])

    if name == _NAMELESS:
        raise refused("Y103", "a file without a name cannot be there")
    if os.path.isdir(path):
        raise refused("Y102", "this is a folder, not a file", f"name the files in it: {Path(name) / '*.yaml'}")
    suffix = Path(path).suffix
    if suffix != ".yaml":
        renamed = Path(name).stem + ".yaml" if suffix == ".yml" else "NAME.yaml"
        raise refused("Y101", "rule files and case files end in '.yaml'", f"call it '{printable(renamed)}'")
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode):
            raise refused("Y102", "this is not an ordinary file")
        if whole and about.st_size > limit:
            raise refused("Y105", f"the file has {about.st_size} bytes; no more than {limit} are read")
        with open(path, "rb") as file:
            # One more than allowed, in case the file has grown meanwhile.
            content = file.read(limit + whole)
    except FileNotFoundError:
        raise refused("Y103", "there is no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "its name is not valid"
        raise refused("Y104", f"the file cannot be read: {reason.lower()}") from None
    if len(content) > limit:
        raise refused("Y105", f"the file has more than {limit} bytes")
    return content


def decoded(content: bytes, name: str) -> str:
    """The text of a file in UTF-8, without the byte order mark that it may begin with."""
    if content.startswith(b"\xef\xbb\xbf"):
        content = content[3:]
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        lines = split_lines(before)
        text = lines[-1] + "\N{REPLACEMENT CHARACTER}"
        place = Place(Spot(name, len(lines), len(text)), len(text) + 1, text)
        message = f"the file is not UTF-8: byte 0x{content[error.start]:02x}"
        raise RuleFileError([Diagnostic("Y106", message, place, "save it with the encoding UTF-8")]) from None


def split_lines(text: str) -> list[str]:
    """The lines of a text as YAML 1.2 counts them."""
    return _LINE_BREAK.split(text)


def banned_characters(lines: list[str], name: str) -> list[Diagnostic]:
    """The first character that must not stand in a rule file, if there is one."""
    for number, line in enumerate(lines, 1):
        match = _BANNED.search(line)
        if match:
            spot = Spot(name, number, match.start() + 1)
            message = f"the character U+{ord(match[0]):04X} must not stand in a file like this"
            return [Diagnostic("Y107", message, Place(spot, spot.column + 1, line))]
        tabs = _TABS.search(line)
        if tabs:
            place = Place(Spot(name, number, tabs.start() + 1), tabs.end() + 1, line)
            return [Diagnostic("Y108", "a tab; YAML is indented with spaces", place, "write two spaces for each level")]
    return []
