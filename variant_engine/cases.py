"""Case files: worked examples that bind a ruleset, read and run.

A case sets up a position, plays some tokens, and says what must then hold. Values are taken as they are written, not as
YAML would type them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .diagnostics import Diagnostic, RuleFileError
from .expect import CHECKS, Failed
from .hints import nearest
from .loading import load
from .notation import NotationError, split_seat
from .options import BY_NAME
from .positions import KEYS as GIVEN_KEYS
from .positions import PositionError, position
from .reader import TOKEN, is_idle_draw, moves_for
from .ruleset import Ruleset, RulesetError, read_value
from .table import Deal
from .textfile import escaped
from .yamlfile import MAX_DIAGNOSTICS, Document, Key, load_yaml

#: More tokens than this are in no deal, nor moves to choose from.
MAX_TOKENS = 200

#: What becomes of a case under a ruleset: see :meth:`Case.verdict`.
HOLDS, CONTRADICTS, UNFIT, UNPLAYABLE = "holds", "contradicts", "unfit", "unplayable"

CASE_KEYS = ("name", "rulesets", "where", "with", "given", "play", "expect")
RESULT_KEYS = ("winner", "game_points", "score", "carry", "reason")
EXPECT_KEYS = (
    "result", "over", "to_move", "points", "tricks", "pending", "hand_size", "refused", "refused_by", "legal_cards",
    "legal", "can", "cannot",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case under one ruleset. ``readable`` is False when the case makes no sense as written."""

    file: str
    line: int
    name: str
    ruleset: str
    passed: bool
    message: str
    readable: bool = True


#: Where a word of a list in a case begins or ends: beside a space, a quote, a comma or a bracket.
_EDGE = r"(?:(?<=[\s'\",\[\]])|(?=[\s'\",\[\]])|^|$)"


class _Unreadable(Exception):
    """Something in a case that cannot be: where (a path below the case; a word of the text there) and why."""

    def __init__(
        self, message: str, path: tuple[str | int, ...], *, key: bool = False, word: str = "", help_text: str = ""
    ) -> None:
        super().__init__(message)
        self.word = word
        self.path = path
        self.key = key
        self.help = help_text


class _NoSuchMove(Failed):
    """A move is played that these rules do not have."""


def run_file(path: str | os.PathLike[str]) -> tuple[list[Outcome], list[Diagnostic]]:
    """Run every case of a file under every ruleset it names.

    Returns the outcomes, and a diagnostic for each case that cannot be read (those count as failed). Raises
    :class:`~variant_engine.diagnostics.RuleFileError` when the file as a whole is no file of cases.
    """
    outcomes: list[Outcome] = []
    problems: list[Diagnostic] = []
    for case in read_cases(path):
        for outcome, problem in case.run():
            outcomes.append(outcome)
            if problem is not None and problem not in problems:
                problems.append(problem)
    return outcomes, problems


def read_cases(path: str | os.PathLike[str]) -> list[Case]:
    """The cases of a file. Raises :class:`~variant_engine.diagnostics.RuleFileError` when it is no file of cases."""
    return cases_of(load_yaml(path), Path(path))


def cases_of(document: Document, file: Path) -> list[Case]:
    """The cases of a document; ``file`` is where it lies, for rulesets beside it."""
    return [Case(document, index, case, file) for index, case in _cases(document)]


def unreadable(document: Document, file: Path, touched: Callable[[Key], bool]) -> list[Diagnostic]:
    """What makes a case of a document unreadable, of the cases that are not ``touched`` by another problem already.

    Whether a case that can be read holds is not asked.
    """
    found: dict[Diagnostic, None] = {}
    try:
        cases = cases_of(document, file)
    except RuleFileError as error:
        return [] if touched(()) else list(error.diagnostics)
    for case in cases:
        if len(found) >= MAX_DIAGNOSTICS:
            break
        if not touched(case.path):
            found |= dict.fromkeys(problem for _, problem in case.run() if problem is not None)
    return list(found)


def _problem(document: Document, path: tuple[str | int, ...], error: _Unreadable) -> Diagnostic:
    found = path + error.path
    while found not in document.locs:
        found = found[:-1]
    place = document.place(found, key=error.key)
    start = place.spot.column - 1
    if error.word and found == path + error.path:
        words = [*re.finditer(rf"{_EDGE}{re.escape(error.word)}{_EDGE}", place.text[start : place.end - 1])]
        if words:
            # Of a word that is there twice the second is the one too many.
            first, last = (start + edge + 1 for edge in words[-1].span())
            place = replace(place, spot=replace(place.spot, column=first), end=last)
    return Diagnostic("C600", str(error), place, error.help)


def _cases(document: Document) -> Iterator[tuple[int, Mapping[str, Any]]]:
    top = document.data
    try:
        if not isinstance(top, Mapping):
            raise _Unreadable("a file of cases is a mapping with the key 'cases'", ())
        for key in top:
            if key != "cases":
                raise _Unreadable(f"unknown key '{key}'", (key,), key=True, help_text="the only key here is 'cases'")
        if not isinstance(top.get("cases"), list) or not top["cases"]:
            raise _Unreadable("'cases' must be a list of cases", ("cases",))
        for index, case in enumerate(top["cases"]):
            if not isinstance(case, Mapping):
                raise _Unreadable("a case is a mapping", ("cases", index))
    except _Unreadable as error:
        raise RuleFileError([_problem(document, (), error)]) from None
    yield from enumerate(top["cases"])


def _written(document: Document, path: tuple[str | int, ...], value: Any) -> Any:
    """A value with every scalar as its text in the file; an absent one is None."""
    if isinstance(value, Mapping):
        return {key: _written(document, (*path, key), below) for key, below in value.items()}
    if isinstance(value, list):
        return [_written(document, (*path, index), below) for index, below in enumerate(value)]
    return None if value is None else document.raw(path)


def _only(keys: Sequence[str], found: Any, path: tuple[str | int, ...], what: str) -> None:
    if not isinstance(found, Mapping):
        raise _Unreadable(f"{what} must be a mapping of keys to values", path)
    for key in found:
        if key not in keys:
            close = nearest(key, keys)
            known = f"did you mean '{close}'?" if close else f"the keys are {', '.join(keys)}"
            raise _Unreadable(f"unknown key '{key}' in {what}", (*path, key), key=True, help_text=known)


class Case:
    """One case of a file, to be run under the rulesets that it names, or under any."""

    def __init__(self, document: Document, index: int, case: Mapping[str, Any], file: Path) -> None:
        self.document = document
        self.path: tuple[str | int, ...] = ("cases", index)
        self.file = file
        self.case = _written(document, self.path, case)
        self.name = escaped(str(self.case.get("name") or f"case {index + 1}"))
        self.line = document.place(self.path).spot.line

    @property
    def file_name(self) -> str:
        """The file that the case is in, as messages show it."""
        return self.document.file

    @property
    def where(self) -> str:
        """The place in the source that the case is taken from; empty if it names none."""
        given = self.case.get("where") or ""
        return ", ".join(map(str, given)) if isinstance(given, list) else str(given)

    def bound(self) -> list[Ruleset]:
        """The rulesets that the case binds, without its changes to them; none if it cannot be read."""
        return list(self.named())

    def named(self) -> dict[Ruleset, str]:
        """The rulesets that :meth:`bound` gives, each with the name that binds it in a file beside this one."""
        try:
            self._check_shape()
            beside = self.case.get("rulesets") is None
            return {
                self._load_plain(name, path): Path(name).name if beside else name for path, name in self._rulesets()
            }
        except _Unreadable:
            return {}

    def changes(self) -> dict[str, str | int]:
        """The options that the case itself changes."""
        given = self.case.get("with") or {}
        return {option: read_value(option, str(value)) for option, value in given.items()}

    def verdict(self, rules: Ruleset) -> tuple[str, str]:
        """What becomes of the case under ``rules`` as they are, and why: ``holds``, ``contradicts`` or neither.

        It is ``unfit`` where the position cannot be set up by these rules, and ``unplayable`` where they have no such
        move as it plays, which is no other answer to its question.
        """
        try:
            self._follow(rules)
        except _Unreadable as error:
            return UNFIT, str(error)
        except _NoSuchMove as error:
            return UNPLAYABLE, str(error)
        except Failed as error:
            return CONTRADICTS, str(error)
        return HOLDS, ""

    def run(self) -> Iterator[tuple[Outcome, Diagnostic | None]]:
        """The outcome under each ruleset that the case names, with a diagnostic where it cannot be read."""
        try:
            self._check_shape()
            names = self._rulesets()
        except _Unreadable as error:
            yield self._outcome("", str(error), readable=False), _problem(self.document, self.path, error)
            return
        for path, name in names:
            try:
                message = self._run_under(self._load(name, path))
            except _Unreadable as error:
                yield self._outcome(name, str(error), readable=False), _problem(self.document, self.path, error)
            else:
                yield self._outcome(name, message), None

    def _outcome(self, ruleset: str, message: str, *, readable: bool = True) -> Outcome:
        passed = readable and not message
        return Outcome(self.document.file, self.line, self.name, ruleset, passed, message, readable)

    def _check_shape(self) -> None:
        _only(CASE_KEYS, self.case, (), "a case")
        for key in ("given", "expect"):
            if self.case.get(key) is None:
                raise _Unreadable(f"the case has no '{key}'", ())
        _only(GIVEN_KEYS, self.case["given"], ("given",), "'given'")
        _only(EXPECT_KEYS, self.case["expect"], ("expect",), "'expect'")
        for key in ("refused", "over"):
            value = self.case["expect"].get(key)
            if value is not None and str(value).lower() not in ("true", "false"):
                raise _Unreadable(f"{value!r}: write true or false", ("expect", key))
        if self.case["expect"].get("result") is not None:
            _only(RESULT_KEYS, self.case["expect"]["result"], ("expect", "result"), "'result'")
        play = self.document.locs.get((*self.path, "play"))
        if play is not None and (play.raw is None or play.style in ("|", ">")):
            fix = 'write it in quotes on one line: play: "A:HQ B:H9"'
            raise _Unreadable("'play' must be one line of tokens", ("play",), help_text=fix)

    def _rulesets(self) -> list[tuple[tuple[str | int, ...], str]]:
        names = self.case.get("rulesets")
        if names is None:
            beside = self.file.name.removesuffix(".cases.yaml")
            if beside == self.file.name:
                raise _Unreadable("the case names no 'rulesets' to run under", ())
            return [((), str(self.file.with_name(beside + ".yaml")))]
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            raise _Unreadable("'rulesets' must be a list of ids or paths", ("rulesets",))
        return [(("rulesets", index), name) for index, name in enumerate(names)]

    def _load_plain(self, name: str, path: tuple[str | int, ...]) -> Ruleset:
        beside = self.file.parent / name
        try:
            return load(str(beside) if name.endswith(".yaml") and beside.exists() else name)
        except RuleFileError as error:
            first = error.diagnostics[0]
            raise _Unreadable(f"{name}: {first.message}", path, help_text=first.help) from None

    def _load(self, name: str, path: tuple[str | int, ...]) -> Ruleset:
        rules = self._load_plain(name, path)
        changes = self.case.get("with") or {}
        if not isinstance(changes, Mapping):
            raise _Unreadable("'with' must map options to values", ("with",))
        try:
            return rules.replace(**{option: read_value(option, str(value)) for option, value in changes.items()})
        except RulesetError as error:
            raise _Unreadable(str(error), ("with",)) from None

    def _run_under(self, rules: Ruleset) -> str:
        """Empty when the case holds under the rules, else what does not."""
        try:
            self._follow(rules)
        except Failed as failed:
            return str(failed)
        return ""

    def _follow(self, rules: Ruleset) -> None:
        """Set the case up, play it and look at what it expects. Raises :class:`Failed` for what does not hold."""
        try:
            deal = position(rules, self.case["given"])
        except PositionError as error:
            raise _Unreadable(str(error), ("given", *error.path), word=error.word) from None
        deal = self._play(deal)
        for key, expected in self.case["expect"].items():
            if expected is not None:
                CHECKS[key](deal, expected)

    def _tokens(self, text: str, path: tuple[str | int, ...]) -> list[str]:
        tokens = text.split()
        for token in tokens:
            if not TOKEN.fullmatch(token):
                raise _Unreadable(f"{token!r} is no move", path, word=token)
            try:
                split_seat(token)
            except NotationError as error:
                raise _Unreadable(str(error), path, word=token) from None
        return tokens

    def _play(self, deal: Deal) -> Deal:
        tokens = self._tokens(self.case.get("play") or "", ("play",))
        if len(tokens) > MAX_TOKENS:
            raise _Unreadable(f"'play' has {len(tokens)} moves; no deal has more than {MAX_TOKENS}", ("play",))
        expect = self.case["expect"]
        for key in ("legal", "can", "cannot", "legal_cards"):
            listed = expect.get(key)
            if listed is not None and not isinstance(listed, list):
                raise _Unreadable(f"'{key}' must be a list", ("expect", key))
            if len(listed or ()) > MAX_TOKENS:
                raise _Unreadable(f"'{key}' lists more than {MAX_TOKENS} moves", ("expect", key))
            for token in listed or ():
                self._tokens(str(token), ("expect", key))
        by = expect.get("refused_by")
        if by is not None and by not in BY_NAME:
            close = nearest(str(by), BY_NAME)
            fix = f"did you mean '{close}'?" if close else ""
            raise _Unreadable(f"there is no option '{by}'", ("expect", "refused_by"), help_text=fix)
        wants_refusal = str(expect.get("refused")).lower() == "true" or by is not None
        if wants_refusal and not tokens:
            raise _Unreadable("'refused' needs a token to refuse in 'play'", ("expect",))
        for place, token in enumerate(tokens):
            last = wants_refusal and place == len(tokens) - 1
            try:
                moves = moves_for(deal, token)
            except NotationError as error:
                if last and by is None:
                    return deal
                raise Failed(f"{token}: {error}") from None
            for move in moves:
                refused = deal.why_not(move)
                if refused is not None and not (last and move is moves[-1]):
                    if is_idle_draw(deal, move):
                        why = "there never is a choice before the draw"
                        raise _NoSuchMove(f"{move.token} is no move by these rules: {why}")
                    raise Failed(refused.sentence)
                if refused is None:
                    deal = deal.play(move)
                elif by is not None and by not in refused.options:
                    raise Failed(f"{token} is refused, but not by {by}: {refused.sentence}")
                else:
                    return deal
            if last:
                raise Failed(f"{token} is allowed, and should be refused")
        return deal
