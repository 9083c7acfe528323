"""Where a report goes and in which form: printed, or written to a file, whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from .common import fail, name_of
from .terminal import Paint, emit, paint, plain, width

#: The forms of a report, and the endings of files that stand for them.
FORMATS = ("text", "json", "csv", "markdown", "html")
_ENDINGS = {".txt": "text", ".json": "json", ".csv": "csv", ".md": "markdown", ".html": "html", ".htm": "html"}

Format = Annotated[
    str | None,
    typer.Option(
        "--format", metavar="|".join(FORMATS), help="The form; without it, the file's ending decides; if printed, text."
    ),
]
Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the file if there is one.")]


@dataclass(frozen=True, slots=True)
class Target:
    """A report's form and, unless it is printed, its file."""

    form: str
    file: str | None

    @classmethod
    def of(
        cls, form: str | None, file: str | None, force: bool, as_json: bool = False, forms: Sequence[str] = FORMATS
    ) -> Target:
        """What the command line asks for, among ``forms``.

        Ends the command if it cannot be had, before anything is worked out.
        """
        if form is not None and form not in forms:
            fail(f"--format takes one of {', '.join(forms)}, not '{form}'")
        if as_json and form not in (None, "json"):
            fail(f"--json and --format {form} do not go together")
        if file is not None:
            check_target(file, force)
            endings = {ending: meant for ending, meant in _ENDINGS.items() if meant in forms}
            form = form or ("json" if as_json else endings.get(os.path.splitext(file)[1].lower()))
            if form is None:
                fail(f"'{name_of(file)}' ends in none of {', '.join(endings)}, and no --format is given")
        return cls(form or ("json" if as_json else "text"), file)

    def write(self, forms: Mapping[str, Callable[[], Any]], text: Callable[[int, Paint], str]) -> None:
        """Write the report. ``forms`` make it in each form but text; json as plain data, the others as text."""
        if self.form == "text":
            made = text(width(), paint()) if self.file is None else text(100, plain)
        elif self.form == "json":
            made = json.dumps(forms["json"](), ensure_ascii=False, indent=2)
        else:
            made = forms[self.form]()
        write_or_print(made, self.file)


def check_target(file: str, force: bool) -> None:
    """End the command if a file cannot be written there."""
    if not file:
        fail("a file to write has a name; this one is empty")
    if os.path.isdir(file):
        fail(f"'{name_of(file)}' is a folder; -o takes a file")
    if os.path.lexists(file) and not force:
        fail(f"'{name_of(file)}' is there already; --force overwrites it")
    if not os.path.isdir(os.path.dirname(os.path.abspath(file))):
        fail(f"'{name_of(file)}' cannot be written: there is no such folder")


def write_or_print(text: str, file: str | None) -> None:
    """Write a file whole or not at all and say so; without one, print."""
    if file is None:
        emit(text.removesuffix("\n"))
        return
    from .writing import write_whole

    try:
        write_whole(file, text if text.endswith("\n") else text + "\n")
    except OSError as error:
        fail(f"'{name_of(file)}' cannot be written: {(error.strerror or 'unknown reason').lower()}")
    say_written(file)


def say_written(path: str | os.PathLike[str]) -> None:
    """Say that a file has been written."""
    emit(f"written: {name_of(path)}")
