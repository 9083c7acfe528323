"""A ruleset held against its text: each claim beside the sentences that it cites, and the sentences left over."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..account import said
from ..diagnostics import Diagnostic, Place, RuleFileError
from ..evidence import MENTIONED_PLACE, PLACE, expand, sentences, text_hash
from ..hints import quoted
from ..loading import load, locate, shipped_files
from ..options import OPTIONS, Option
from ..ruleset import Ruleset
from ..structure import check_cases
from ..yamlfile import Document, Key, load_yaml, read_head

#: A text of rules has some 10,000 bytes.
MAX_TEXT_BYTES = 4 * 1024 * 1024

_LINE, _SENTENCE = 1, 2


class TextError(ValueError):
    """A ruleset and a text that cannot be held against each other. The message is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a ruleset says that its text says. ``other`` marks another way that the text offers beside the value."""

    option: Option
    value: str | int
    status: str
    why: str
    file: str
    line: int
    places: tuple[str, ...]
    other: bool = False

    def as_json(self, text: Mapping[str, str]) -> dict[str, Any]:
        """As plain data, with the sentences of the claim."""
        return {
            "option": self.option.name,
            "question": self.option.question,
            "value": self.value,
            "meaning": self.option.meaning(self.value),
            "status": self.status,
            "other": self.other,
            "why": self.why,
            "file": self.file,
            "line": self.line,
            "places": [{"place": place, "sentence": text.get(place)} for place in self.places],
        }


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with all that rests on it: claims, names of cases; or why it states no rule."""

    place: str
    text: str
    claims: tuple[Claim, ...]
    cases: tuple[str, ...]
    commentary: str

    @property
    def covered(self) -> bool:
        """Whether anything accounts for the sentence."""
        return bool(self.claims or self.cases or self.commentary)

    def as_json(self) -> dict[str, Any]:
        """As plain data; the claims by option and value."""
        return {
            "place": self.place,
            "sentence": self.text,
            "claims": [{"option": claim.option.name, "value": claim.value} for claim in self.claims],
            "cases": list(self.cases),
            "commentary": self.commentary or None,
        }


@dataclass(frozen=True)
class Reading:
    """A ruleset and the text it was read from. ``problems`` are the places that the text does not have."""

    rules: Ruleset
    sha256: str
    lines: int
    claims: tuple[Claim, ...]
    sentences: tuple[Sentence, ...]
    problems: tuple[Diagnostic, ...]

    @cached_property
    def text(self) -> dict[str, str]:
        """The sentences by their places."""
        return {sentence.place: sentence.text for sentence in self.sentences}

    @property
    def uncovered(self) -> tuple[Sentence, ...]:
        """The sentences that neither a claim nor a case cites, and that are not listed as commentary."""
        return tuple(sentence for sentence in self.sentences if not sentence.covered)

    @property
    def silent(self) -> tuple[Claim, ...]:
        """The claims that the text says nothing."""
        return tuple(claim for claim in self.claims if not claim.places)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many sentences there are, and what accounts for them."""
        found = {"sentences": len(self.sentences), "cited": 0, "cases_only": 0, "commentary": 0, "uncovered": 0}
        for one in self.sentences:
            kind = "cited" if one.claims else "commentary" if one.commentary else "cases_only"
            found[kind if one.covered else "uncovered"] += 1
        return found

    def as_json(self) -> dict[str, Any]:
        """As plain data, without the problems."""
        return {
            "ruleset": self.rules.id,
            "file": self.rules.file,
            "sha256": self.sha256,
            "lines": self.lines,
            "counts": self.counts,
            "claims": [claim.as_json(self.text) for claim in self.claims],
            "sentences": [sentence.as_json() for sentence in self.sentences],
            "uncovered": [sentence.place for sentence in self.uncovered],
        }


def read_text(path: str | os.PathLike[str]) -> bytes:
    """The content of a text's file. Raises :class:`TextError`."""
    shown = quoted(os.fspath(path))
    try:
        if not Path(path).is_file():
            raise TextError(f"there is no file {shown}" if not Path(path).exists() else f"{shown} is no file")
        with open(path, "rb") as file:
            content = file.read(MAX_TEXT_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, TextError):
            raise
        reason = (error.strerror if isinstance(error, OSError) else None) or "its name is not valid"
        raise TextError(f"{shown} cannot be read: {reason.lower()}") from None
    if len(content) > MAX_TEXT_BYTES:
        raise TextError(f"{shown} has more than {MAX_TEXT_BYTES} bytes")
    return content


def hold_against(name_or_path: str | os.PathLike[str], content: bytes) -> Reading:
    """Hold a ruleset against the content of its text's file.

    Raises :class:`TextError` for a ruleset that was not read from a text, and for another text than that one;
    :class:`~variant_engine.diagnostics.RuleFileError` for an unusable file.
    """
    rules = load(name_or_path)
    path, shown = locate(name_or_path)
    digest = _checked(rules, content)
    try:
        lines = sentences(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise TextError("the text is not UTF-8") from None
    text = {f"¶{n}.{s}": one for n, line in enumerate(lines, 1) for s, one in enumerate(line, 1)}
    claims = _claims(rules)
    cases_path = path.with_name(f"{path.stem}.cases.yaml")
    cases, problems = _cases(cases_path, str(Path(shown).with_name(cases_path.name)), rules.id, lines)
    problems = [*_missing(load_yaml(path, shown), lines), *problems]
    found = tuple(
        Sentence(
            place,
            sentence,
            tuple(claim for claim in claims if place in claim.places),
            tuple(name for name, places in cases if place in places),
            rules.commentary.get(place, ""),
        )
        for place, sentence in text.items()
    )
    return Reading(rules, digest, len(lines), claims, found, tuple(problems))


def _checked(rules: Ruleset, content: bytes) -> str:
    """The hash of the text, if it is the right one."""
    source = rules.source
    if source is None:
        near = ", ".join(name for name, above in rules.sources.items() if above.type == "text")
        more = f"; hold {near} against its text" if near else ""
        raise TextError(f"{quoted(rules.id)} was not read from one source of its own{more}")
    if source.type != "text":
        raise TextError(f"{quoted(rules.id)} was read from a {source.type}, not from a text")
    digest = text_hash(content)
    if digest != source.sha256:
        others = _texts().get(digest, [])
        what = f"it is the text of {', '.join(others)}" if others else "it has changed, or it is another text"
        raise TextError(
            f"this is not the text that {quoted(rules.id)} was read from, {source.file}: {what}\n"
            f"  its SHA-256 is {digest}\n"
            f"  {rules.file} has {source.sha256}"
        )
    return digest


def _texts() -> dict[str, list[str]]:
    """The shipped rulesets by the hash of their text."""
    found: dict[str, list[str]] = {}
    for path in shipped_files():
        try:
            source = read_head(path).data.get("source", {})
        except RuleFileError:
            continue
        if "sha256" in source:
            found.setdefault(source["sha256"], []).append(path.stem)
    return found


def _claims(rules: Ruleset) -> tuple[Claim, ...]:
    """What the ruleset itself claims, in registry order; what it inherits rests on another source."""
    claims = []
    for option in OPTIONS:
        one = said(rules, option.name)
        if one.ruleset == rules.id and one.file is not None and one.line is not None:
            claims.append(Claim(option, one.value, one.status, one.why, one.file, one.line, one.where))
            claims += [
                Claim(option, other.value, one.status, "", one.file, one.line, other.where, other=True)
                for other in one.also
            ]
    return tuple(claims)


def _cases(path: Path, shown: str, ruleset: str, lines: list[list[str]]) -> tuple[_NamedPlaces, list[Diagnostic]]:
    """The cases that bind the ruleset, by name and with the places they come from; and the places that are missing."""
    if not path.is_file():
        return [], []
    document = load_yaml(path, shown)
    wrong = check_cases(document).found
    if wrong:
        raise RuleFileError(wrong)
    found = []
    problems = []
    for index, case in enumerate(document.data["cases"]):
        if ruleset not in case["rulesets"]:
            continue
        places = MENTIONED_PLACE.findall(str(case.get("where", "")))
        found.append((str(case["name"]), frozenset(places)))
        problems += [
            _problem(place, document.place(("cases", index, "where")), lines)
            for place in places
            if not _there(place, lines)
        ]
    return found, problems


_NamedPlaces = list[tuple[str, frozenset[str]]]


# ----- places that are not there -----


def _missing(document: Document, lines: list[list[str]]) -> list[Diagnostic]:
    found = []
    for places, path, key in _mentions(document):
        found += [
            _problem(place, document.place(path, key=key), lines) for place in places if not _there(place, lines)
        ]
    return sorted(found, key=Diagnostic.sort_key)


def _mentions(document: Document) -> Iterator[tuple[list[str] | tuple[str, ...], Key, bool]]:
    """The places that a ruleset file names, with where it does: a path, and whether it is the key there."""
    for path, loc in document.locs.items():
        inside = path[2:]
        if path[:1] == ("commentary",) and len(path) == 2:
            yield expand(str(path[1])), path, True
        if loc.raw is None:
            continue
        text = str(document.value_at(path))
        if path[:1] == ("options",) and len(inside) >= 2 and inside[-2] == "where" and PLACE.match(text):
            yield [text], path, False
        elif inside == ("why",) or path[:1] == ("commentary",):
            yield MENTIONED_PLACE.findall(text), path, False


def _numbers(place: str) -> tuple[int, int]:
    match = re.fullmatch(PLACE, place)
    assert match is not None  # Whoever calls has a place.
    return int(match[_LINE]), int(match[_SENTENCE])


def _there(place: str, lines: list[list[str]]) -> bool:
    line, sentence = _numbers(place)
    return line <= len(lines) and sentence <= len(lines[line - 1])


def _problem(place: str, where: Place, lines: list[list[str]]) -> Diagnostic:
    line, _ = _numbers(place)
    if line > len(lines):
        help_text = f"it has {len(lines)} lines"
    else:
        number = len(lines[line - 1])
        help_text = f"its line ¶{line} has {number} sentence{'' if number == 1 else 's'}"
    return Diagnostic("E416", f"the text has no place {quoted(place)}", where, help_text)
