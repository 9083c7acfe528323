"""Copies of the rules that games were played by, kept beside the records: a game outlives its rules' file.

A copy is an ordinary rule file with a value for every option, ``rules/DIGITS/ID.yaml``: the digits are the first of the
rules' hash. Where the file that it was made from still says the same, that one is read, since it says more.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..diagnostics import RuleFileError
from ..loading import load, shipped_files
from ..options import OPTIONS
from ..replacing import replace_file
from ..ruleset import Ruleset
from ..textfile import shown_name
from .files import reason_of, refuse_file

_DIGITS = 16
_HEAD = """\
# Kept by 'sixtysix play', so that games by these rules can be gone on with. Every option is written out.
"""
_ORIGIN = re.compile(r'^# made from (".*")$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Copy:
    """Kept rules, and the file that they were made from; empty for rules that ship."""

    rules: Ruleset
    origin: str = ""

    def now(self) -> Ruleset | None:
        """What stands in that file today; None if nothing that can be read does."""
        if not self.origin:
            return None
        try:
            return load(Path(self.origin))
        except (OSError, ValueError, RuleFileError):
            return None


def keep_copy(folder: Path, rules: Ruleset) -> Path | None:
    """Keep a copy of a ruleset as it was loaded, without its changes; None for one that no file can hold.

    Raises :class:`~variant_engine.record.RecordError` if it cannot be written.
    """
    if rules.cut_pack:
        return None
    rules = rules._loaded or rules
    path = _folder(folder, rules.hash) / f"{rules.id}.yaml"
    if os.path.abspath(rules.file) == os.path.abspath(path):
        # Read from the copy itself, which knows better where it came from.
        return path
    text = _copy_text(rules)
    try:
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode())
    except (OSError, ValueError) as error:
        refuse_file(shown_name(path), f"a copy of the rules cannot be kept: {reason_of(error)}", "", "P762")
    return path


def _folder(folder: Path, digest: str) -> Path:
    return folder / digest.removeprefix("sha256:")[:_DIGITS]


def _copy_text(rules: Ruleset) -> str:
    lines = [_HEAD.rstrip("\n")]
    origin = _origin_of(rules)
    if origin:
        lines.append(f"# made from {json.dumps(origin)}")
    lines += ["format: 1", f"id: {rules.id}", f"title: {json.dumps(rules.title, ensure_ascii=False)}", "kind: house"]
    lines += [f"{name}: {getattr(rules, name)}" for name in ("lineage", "language") if getattr(rules, name)]
    lines.append("options:")
    lines += [f"  {option.name}: {rules.values[option.name]}" for option in OPTIONS]
    return "\n".join(lines) + "\n"


def _origin_of(rules: Ruleset) -> str:
    """The file that a ruleset of the user's own was read from, wherever the program is started next."""
    return "" if ships(rules) or not os.path.isfile(rules.file) else os.path.abspath(rules.file)


def ships(rules: Ruleset) -> bool:
    """Whether a ruleset comes with the program, so that it is found by its id."""
    return rules.file in {f"rulesets/{path.name}" for path in shipped_files()}


def copies(folder: Path, name: str, digest: str) -> Iterator[Copy]:
    """The kept rules that may have a hash once they are changed: those that have it, then all with the id.

    Copies that cannot be read are passed over.
    """
    try:
        paths = [*sorted(_folder(folder, digest).glob("*.yaml")), *sorted(folder.glob(f"*/{name}.yaml"))]
    except OSError:
        return
    for path in dict.fromkeys(paths):
        try:
            about = path.stat()
            yield _loaded(path, about.st_mtime_ns, about.st_size)
        except (OSError, ValueError, RuleFileError):
            continue


@lru_cache(maxsize=256)
def _loaded(path: Path, modified: int, size: int) -> Copy:
    rules = load(path)
    found = _ORIGIN.search(path.read_text(encoding="utf-8"))
    return Copy(rules, json.loads(found[1]) if found else "")
