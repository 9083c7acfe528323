"""One ruleset file by itself: what it says, and what is wrong with it apart from its relation to others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from .claims import check_claims
from .diagnostics import Diagnostic
from .hints import quoted
from .options import BY_NAME
from .structure import check_ruleset
from .textfile import shown_name
from .yamlfile import MAX_DIAGNOSTICS, Document, load_yaml


@dataclass(frozen=True, slots=True)
class Examined:
    """What a file says, and what is wrong with it."""

    document: Document
    problems: tuple[Diagnostic, ...]
    #: The options that it gives a valid value for.
    values: Mapping[str, str | int]

    @property
    def data(self) -> dict[str, Any]:
        """The document's data; empty if it is no mapping."""
        return self.document.data if isinstance(self.document.data, dict) else {}


def examine(path: Path, shown: str) -> Examined:
    """What a file says. Raises :class:`~variant_engine.diagnostics.RuleFileError` if it cannot be read at all."""
    try:
        about = path.stat()
    except (OSError, ValueError):
        return _examine_afresh(path, shown)
    return _examine_once(path.absolute(), shown, (about.st_mtime_ns, about.st_size, about.st_ino))


@lru_cache(maxsize=64)
def _examine_once(path: Path, shown: str, _: tuple[int, ...]) -> Examined:
    return _examine_afresh(path, shown)


def _examine_afresh(path: Path, shown: str) -> Examined:
    return examine_document(load_yaml(path, shown), path)


def examine_document(document: Document, path: Path | None) -> Examined:
    """What a document says; ``path`` is the file that it is in, if it is in one."""
    problems = check_ruleset(document)
    values: dict[str, str | int] = {}
    if isinstance(document.data, dict):
        name = document.data.get("id")
        if isinstance(name, str) and ("id",) not in problems.paths and path and name != path.stem:
            message = f"the id {quoted(name)} is not the name of the file"
            problems.add("S116", message, ("id",), f"write '{shown_name(path.stem)}', or call the file '{name}.yaml'")
        values = _own_values(document.data.get("options"))
        check_claims(problems)
    found = sorted(problems.found, key=Diagnostic.sort_key)
    if len(found) >= MAX_DIAGNOSTICS:
        # The search has ended there, so that nobody knows whether there is more.
        found = found[:MAX_DIAGNOSTICS]
        found.append(Diagnostic("S100", "there may be more problems than these", found[-1].place))
    return Examined(document, tuple(found), values)


def _own_values(options: Any) -> dict[str, str | int]:
    values: dict[str, str | int] = {}
    if isinstance(options, dict):
        for name, given in options.items():
            value = given.get("value") if isinstance(given, dict) else given
            option = BY_NAME.get(name)
            if option is not None and isinstance(value, (str, int)):
                try:
                    values[name] = option.decode(option.encode(value))
                except ValueError:
                    continue
    return values
