"""What the commands share: kinds of arguments, help texts, and errors that name what was probably meant."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .terminal import complain

if TYPE_CHECKING:
    from variant_engine.ruleset import Ruleset

_CASES = ".cases.yaml"

#: Exit codes: the answer is no; the command or a file could not be used. (0: done.)
NO, UNUSABLE = 1, 2

RulesetName = Annotated[
    str, typer.Argument(metavar="RULESET", help="An id that 'sixtysix list' shows, or a path to a .yaml file.")
]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="OPTION=VALUE", help="Change an option of the ruleset; may be given several times."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON; its keys are listed above.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="The same seed gives the same cards, everywhere.")]
Number = Annotated[int, typer.Option("--number", metavar="N", min=0, help="Which deal of the seed, from 0.")]
Dealer = Annotated[str, typer.Option("--dealer", metavar="A|B", help="Who deals; the other leads.")]


def help_text(what: str, example: str, json_keys: str = "") -> str:
    """A command's help: what it does, an example, the keys of its JSON. The \\b keeps lines as they are."""
    parts = [what, "\b\nExample:\n" + "\n".join(f"  {line}" for line in example.split("\n"))]
    if json_keys:
        parts.append("\b\nKeys of --json:\n" + "\n".join(f"  {line}" for line in json_keys.split("\n")))
    return "\n\n".join(parts)


def fail(message: str) -> NoReturn:
    """End with a message on the standard error: the command could not be used as it was given."""
    from variant_engine.textfile import escaped

    # A message may repeat whatever was given.
    complain("\n".join(map(escaped, f"sixtysix: {message}".split("\n"))))
    raise typer.Exit(UNUSABLE)


def name_of(path: str | os.PathLike[str]) -> str:
    """A file's name as messages show it: on one line, nothing that a terminal would obey."""
    from variant_engine.textfile import shown_name

    return shown_name(path)


def look_at_folders() -> None:
    """Say of what ``SIXTYSIX_PATH`` names and is no folder that it is none."""
    for name in filter(None, os.environ.get("SIXTYSIX_PATH", "").split(os.pathsep)):
        if not os.path.isdir(name):
            complain(f"sixtysix: SIXTYSIX_PATH names '{name_of(name)}', which is no folder")


def load_ruleset(name: str, changes: Sequence[str] | None = None) -> Ruleset:
    """The ruleset with an id or at a path, changed as the options say. Ends with all problems of an unusable one."""
    from variant_engine.diagnostics import RuleFileError
    from variant_engine.loading import load
    from variant_engine.ruleset import RulesetError

    try:
        rules = load(name)
    except RuleFileError as error:
        complain(str(error))
        raise typer.Exit(UNUSABLE) from None
    if not changes:
        return rules
    try:
        return rules.replace(**read_changes(changes))
    except RulesetError as error:
        fail(str(error))


def read_changes(texts: Sequence[str], flag: str = "--set") -> dict[str, str | int]:
    """The options and values of every ``option=value``. Ends if an option is there twice."""
    changes: dict[str, str | int] = {}
    for text in texts:
        name, value = read_change(flag, text)
        if name in changes:
            fail(f"{flag} is given twice for '{name}': {changes[name]} and {value}")
        changes[name] = value
    return changes


def read_change(flag: str, text: str) -> tuple[str, str | int]:
    """The option and the value of ``option=value``."""
    from variant_engine.ruleset import RulesetError, read_value

    name, equals, value = text.partition("=")
    name = name.strip()
    if not equals or not name:
        fail(f"{flag} takes OPTION=VALUE, as in {flag} closing=not_played; not '{text}'")
    try:
        return name, read_value(name, value.strip())
    except RulesetError as error:
        fail(str(error))


def read_seat(flag: str, text: str) -> int:
    """The number of the seat with a letter."""
    from variant_engine.notation import NotationError
    from variant_engine.notation import read_seat as seat_of

    try:
        return seat_of(text.upper())
    except NotationError as error:
        fail(f"{flag}: {error}")


def files_or_shipped(given: Sequence[str] | None, suffix: str) -> list[str]:
    """The files to look at: those given, an id standing for its file; else all shipped ones with the suffix.

    For cases, a ruleset's file stands for the cases beside it.
    """
    from variant_engine.loading import shipped_folder
    from variant_engine.shelf import user_files

    folder = shipped_folder()
    shipped = {path.name.removesuffix(suffix): _shown(str(path)) for path in sorted(folder.glob(f"*{suffix}"))}
    if suffix == ".yaml":
        shipped = {name: path for name, path in shipped.items() if not name.endswith(".cases")}
    if not given:
        return list(shipped.values())
    # An id may also be one of the user's own; where it is both, the shipped one is not silently taken.
    own = {path.stem: str(path.with_name(path.stem + suffix)) for path in user_files()}
    both = [name for name in given if name in own and name in shipped and not os.path.exists(name)]
    if both:
        fail(f"'{both[0]}' is a shipped ruleset and {own[both[0]]}: give the path of the one that you mean")
    files = own | shipped
    found = [files[name] if name in files and not os.path.exists(name) else name for name in given]
    return list(dict.fromkeys(_cases_of(name) if suffix == _CASES else name for name in found))


def _cases_of(name: str) -> str:
    """The file of cases that belongs beside a ruleset's file, there or not; any other name as it is.

    What holds cases is a file of cases, whatever it is called.
    """
    if not name.endswith(".yaml") or name.endswith(_CASES) or not os.path.isfile(name):
        return name
    try:
        with open(name, "rb") as file:
            start = file.read(65536)
    except OSError:
        return name
    return name if re.search(rb"^cases[ \t]*:", start, re.MULTILINE) else name.removesuffix(".yaml") + _CASES


def _shown(path: str) -> str:
    """A path as people read it best: relative, if it lies below the working folder."""
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return path
    return path if relative.startswith("..") else relative
