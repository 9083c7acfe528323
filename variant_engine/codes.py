"""What the codes of diagnostics mean: the catalogue behind ``sixtysix explain`` and ``docs/diagnostics.md``.

The words are in ``codes.toml``; every code that the program uses has an entry there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .hints import slips

_FILE = Path(__file__).with_name("codes.toml")
#: Nothing longer is taken for a misspelt code, and no more codes than this are near one.
_LONGEST, _FEW = 20, 3


@dataclass(frozen=True, slots=True)
class Code:
    """A code: what is wrong, what to do, and a piece of a file with the mistake and without it (or words instead)."""

    name: str
    title: str
    means: str
    do: str
    wrong: str | None = None
    right: str | None = None
    example: str = ""

    @property
    def family(self) -> str:
        """The letter that the code begins with."""
        return self.name[0]

    def as_json(self) -> dict[str, str | None]:
        """As plain data, for ``--json``."""
        return {
            "code": self.name,
            "about": families()[self.family],
            "title": self.title,
            "means": self.means,
            "do": self.do,
            "wrong": self.wrong,
            "right": self.right,
            "example": self.example or None,
        }


def codes() -> Mapping[str, Code]:
    """Every code by name, in the order of the catalogue."""
    return _read()[1]


def families() -> Mapping[str, str]:
    """What the codes that begin with each letter are about."""
    return _read()[0]


def nearest_codes(name: str) -> tuple[str, ...]:
    """The codes that ``name`` was probably meant to be: a few, or none."""
    wanted = name.strip().upper()[:_LONGEST]
    near = [code for code in codes() if slips(wanted, code) == 1]
    return tuple(near) if len(near) <= _FEW else ()


def family_of(name: str) -> tuple[str, ...]:
    """The codes that begin with the letter of ``name``, if it could be a code at all."""
    wanted = name.strip().upper()[:_LONGEST]
    return tuple(code for code in codes() if re.fullmatch(rf"{code[0]}\d*", wanted))


def shown(text: str) -> str:
    """A piece of a file as it can be printed: what cannot be seen is written as an escape."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


@cache
def _read() -> tuple[dict[str, str], dict[str, Code]]:
    with open(_FILE, "rb") as file:
        data = tomllib.load(file)
    about = data.pop("families")
    return about, {name: Code(name, **entry) for name, entry in data.items()}
