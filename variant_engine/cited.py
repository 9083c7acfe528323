"""The places of a composite: each names the ruleset that was read from the source, then the place in that source."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .diagnostics import Diagnostic
from .evidence import PLACE, PROGRAM_PLACE
from .hints import quoted
from .yamlfile import Document, Key

#: A ruleset's id and a place in its source.
_CITATION = re.compile(r"^([a-z][a-z0-9]*(?:-[a-z0-9]+)*) (\S+)$")

#: Finds the head of a ruleset by its id; a sentence that says why where there is none to be had.
FindHead = Callable[[str], Mapping[str, Any] | str]


def citation(ruleset: str, place: str) -> str:
    """How a composite cites a place.

    >>> citation("foster", "¶7.6")
    'foster ¶7.6'
    """
    return f"{ruleset} {place}"


def split_citation(text: str) -> tuple[str, str] | None:
    """The ruleset and the place of a citation, or None for anything else."""
    match = _CITATION.match(text)
    if match is None or not (PLACE.match(match[2]) or PROGRAM_PLACE.match(match[2])):
        return None
    return match[1], match[2]


def check_cited(document: Document, find: FindHead) -> list[Diagnostic]:
    """What is wrong with the places of a composite. The document has the shape that the schema asks for."""
    data = document.data
    if not isinstance(data, dict) or data.get("kind") != "composite" or not isinstance(data.get("options"), dict):
        return []
    found = []
    for name, given in data["options"].items():
        if not isinstance(given, dict):
            continue
        paths: list[Key] = [("options", name)]
        paths += [("options", name, "also", index) for index in range(len(given.get("also", ())))]
        for path in paths:
            for index, text in enumerate(document.value_at(path).get("where", ())):
                wrong = _wrong(text, find)
                if wrong is not None:
                    code, message, help_text = wrong
                    found.append(Diagnostic(code, message, document.place((*path, "where", index)), help_text))
    return found


def _wrong(text: str, find: FindHead) -> tuple[str, str, str] | None:
    example = "write the id of the ruleset read from the source, a space and the place: 'foster ¶7.6'"
    parts = split_citation(text)
    if parts is None:
        return "E411", f"{quoted(text)} is no place in a source", example
    ruleset, place = parts
    head = find(ruleset)
    if isinstance(head, str):
        return "E413", head, "a place can only be looked up in a source that some ruleset was read from"
    source = head.get("source")
    kind = source.get("type") if isinstance(source, dict) else None
    if kind is None:
        return "E413", f"{quoted(ruleset)} was not read from a source, so it has no places", example
    if (kind == "text") != bool(PLACE.match(place)):
        other = "write ¶n.s after the id" if kind == "text" else "write module and names after the id"
        return "E411", f"{quoted(place)} is no place in a {kind}, which {quoted(ruleset)} was read from", other
    return None
