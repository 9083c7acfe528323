"""The files that a new ruleset begins with: what differs from its parent, or a copy of everything, and a first case."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .checking import check_text
from .diagnostics import Diagnostic, RuleFileError, has_errors
from .loading import load, locate
from .options import BY_NAME, OPTIONS, Option
from .ruleset import Ruleset
from .schema import ID_PATTERN
from .shelf import files_of
from .shipped import CASES, shipped_folder
from .textfile import shown_name

#: What an id looks like, and so the name of a ruleset's file.
ID = re.compile(ID_PATTERN)
_LONGEST_ID = 64

_HEADING = """\
# Worked examples of '{id}'. Run them with: sixtysix test {id}{cases}
# A case sets up a position (given), plays moves from it (play), and says what must then hold (expect). Write one for
# each rule that is yours. Cards are suit and rank: HA is the ace of hearts, ST the ten of spades. A and B are the
# players. More on cases: docs/authoring.md.
cases:
"""
_CASE = """\
  - name: "the first case: B is to answer the ace that A has led"
    rulesets: ["{id}.yaml"]
    given:
      dealer: "B"
      trump: "H"
      state: "exhausted"
      hands: {{"A": "HA HT", "B": "SA ST"}}
    play: "HA"
    expect:
      to_move: "B"
"""


class AuthoringError(ValueError):
    """A file that cannot be begun as asked. The message is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Files to be written, with their texts, and what ``check`` says about the ruleset among them.

    ``notes`` say which changes have no worked example among the cases.
    """

    files: Mapping[Path, str]
    problems: tuple[Diagnostic, ...]
    notes: tuple[str, ...] = ()

    def write(self) -> None:
        """Write the files; none that is there already is touched.

        Raises :class:`AuthoringError`, and then nothing has been written.
        """
        written: list[Path] = []
        try:
            for path, text in self.files.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("x", encoding="utf-8", newline="\n") as file:
                    written.append(path)
                    file.write(text)
        except OSError as error:
            for path in written:
                path.unlink()
            if isinstance(error, FileExistsError):
                raise AuthoringError(f"{shown_name(error.filename)} is there already and is left as it is") from None
            raise AuthoringError(f"{shown_name(error.filename)} cannot be written: {error.strerror}") from None


def new(
    name: str,
    parent: str,
    changes: Mapping[str, str | int],
    folder: Path,
    title: str = "",
    *,
    worked: bool = False,
) -> Draft:
    """A ruleset called ``name`` that says only in what it differs from ``parent`` (an id or a path), with a first case.

    With ``worked`` cases for each change are looked for, which takes some seconds: the smallest deals that show it.
    Raises :class:`AuthoringError`, :class:`~variant_engine.diagnostics.RuleFileError` for a parent that cannot be used,
    and :class:`~variant_engine.ruleset.RulesetError` for changes that cannot be made.
    """
    path = _fresh(name, folder)
    rules = load(parent)
    rules.replace(**changes)
    _reachable(parent, rules, folder)
    lines = [
        _modeline(path),
        f"# Only what differs from '{rules.id}' stands here. All options: sixtysix show {name}.yaml --resolved",
        "format: 1",
        f"id: {name}",
        f"title: {_quoted(title or _title(name))}",
        "kind: house",
        f"extends: {rules.id}",
        "options:" if changes else "options: {}",
    ]
    for option in OPTIONS:
        if option.name in changes:
            lines += [f"  # {line}" for line in _comment(option, rules)]
            lines.append(f"  {option.name}: {changes[option.name]}")
    cases: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    if worked:
        from .compare.examples import examples

        found = examples(rules, changes, path.name)
        cases, notes = found.cases, found.notes
    return replace(_draft(path, "\n".join(lines) + "\n", _first_cases(name, cases, notes)), notes=notes)


def _first_cases(name: str, cases: Sequence[str] = (), notes: Sequence[str] = ()) -> str:
    """A file of cases with these, or with one that holds by any rules; notes are comments above them."""
    said = [textwrap.fill(note, 110, initial_indent="  # ", subsequent_indent="  #   ") + "\n" for note in notes]
    return _HEADING.format(id=name, cases=CASES) + "".join(said) + ("\n".join(cases) or _CASE.format(id=name))


def fork(source: str, name: str, folder: Path, title: str = "") -> Draft:
    """A copy, called ``name``, of all that the file of a ruleset (an id or a path) says, and of its cases.

    Raises :class:`AuthoringError`, and :class:`~variant_engine.diagnostics.RuleFileError` for a source that cannot be
    used.
    """
    path = _fresh(name, folder)
    rules = load(source)
    file = locate(source)[0]
    if rules.parent is not None and not files_of(rules.parent) and file.parent.resolve() != folder.resolve():
        raise AuthoringError(
            f"'{rules.id}' extends '{rules.parent}', which lies beside it: fork it into the same folder"
        )
    text = file.read_text("utf-8-sig")
    text = re.sub(r"\A# yaml-language-server:.*\n", "", text)
    text = re.sub(r"^id:.*$", f"id: {name}", text, count=1, flags=re.MULTILINE)
    if title:
        text = re.sub(r"^title:.*$", lambda _: f"title: {_quoted(title)}", text, count=1, flags=re.MULTILINE)
    text = f"{_modeline(path)}\n# Forked from '{rules.id}'.\n{text}"
    cases = file.with_name(f"{rules.id}{CASES}")
    if cases.is_file():
        examples = _renamed(cases.read_text("utf-8-sig"), rules.id, f"{name}.yaml")
    else:
        examples = _first_cases(name)
    return _draft(path, text, examples)


def _renamed(cases: str, old: str, new: str) -> str:
    """Cases with the ruleset ``old``, wherever they name those that they bind, called ``new``."""

    def rename(names: re.Match[str]) -> str:
        listed = [each.strip().strip("\"'") for each in names[2].split(",")]
        return names[1] + ", ".join(f'"{new}"' if each in (old, f"{old}.yaml") else each for each in listed) + "]"

    return re.sub(r"^(\s*rulesets: \[)([^]\n]*)\]", rename, cases, flags=re.MULTILINE)


def _draft(path: Path, text: str, cases: str) -> Draft:
    problems = check_text(text, path)
    if has_errors(problems):
        raise RuleFileError(problems)
    return Draft({path: text, path.with_name(f"{path.stem}{CASES}"): cases}, tuple(problems))


def _fresh(name: str, folder: Path) -> Path:
    """The path of a new ruleset, whose id nothing else has."""
    if not ID.fullmatch(name) or len(name) > _LONGEST_ID:
        raise AuthoringError(
            f"'{name[:60]}' is no id: small letters, digits and hyphens, a letter first, as in 'three-cards'; "
            "and no word that YAML may read otherwise, such as 'no'"
        )
    path = folder / f"{name}.yaml"
    taken = [shown for _, shown in files_of(name)]
    if path.exists():
        raise AuthoringError(f"{shown_name(path)} is there already and is left as it is")
    if taken:
        raise AuthoringError(f"there is a ruleset called '{name}' already, {taken[0]}: choose another id")
    return path


def _reachable(parent: str, rules: Ruleset, folder: Path) -> None:
    """See to it that ``extends`` will find the parent from the new file's folder."""
    file = locate(parent)[0]
    if not any(path.resolve() == file.resolve() for path, _ in files_of(rules.id)) and (
        file.parent.resolve() != folder.resolve()
    ):
        raise AuthoringError(
            f"a ruleset can extend what ships, what SIXTYSIX_PATH names, or what lies beside it: "
            f"say -o {shown_name(file.parent)} to put it beside '{rules.id}'"
        )


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(character for character in escaped if character.isprintable()) + '"'


def _modeline(path: Path) -> str:
    """The first line, by which an editor finds the schema: a relative path where both lie in one project."""
    schema = (shipped_folder().parent / "schemas" / "ruleset.schema.json").resolve()
    beside = path.resolve().parent
    shown = str(schema)
    if schema.parent.parent in beside.parents or schema.parent.parent == beside:
        shown = os.path.relpath(schema, beside)
    return f"# yaml-language-server: $schema={shown.replace(os.sep, '/')}"


def _comment(option: Option, rules: Ruleset) -> list[str]:
    value = rules.values[option.name]
    said = str(value) if option.is_number else f"{value}: {option.meaning(value)}"
    return [option.question, f"({rules.id}: {said})"]


def matching(text: str) -> list[Option]:
    """The options that somebody may mean by a name, a part of it, or a word of the question."""
    if text in BY_NAME:
        return [BY_NAME[text]]
    words = text.lower().replace("-", "_").split()
    return [
        option for option in OPTIONS if all(word in option.name or word in option.question.lower() for word in words)
    ]
