"""Cases under every ruleset: where one book's worked example contradicts another's rules, and which option decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..cases import CONTRADICTS, HOLDS, UNFIT, UNPLAYABLE, Case
from ..options import OPTIONS
from ..ruleset import Ruleset, RulesetError
from .coverage import Progress, Value, unseen


@dataclass(frozen=True, slots=True)
class Row:
    """A case of a ruleset under all of them: by id, what :meth:`Case.verdict` says."""

    case: Case
    ruleset: str
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A case of one ruleset that does not hold by another's rules.

    ``options`` are those of which each, answered as in the case's own ruleset, makes it hold: with both values, the
    own one first. Where none does so alone, they are a smallest set that does so ``together``.
    """

    case: Case
    ruleset: str
    under: str
    message: str
    options: Mapping[str, tuple[Value, Value]]
    together: bool

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {
            **_named(self.case),
            "ruleset": self.ruleset,
            "under": self.under,
            "message": self.message,
            "options": {name: list(values) for name, values in self.options.items()},
            "together": self.together,
        }


@dataclass(frozen=True, slots=True)
class Unplayable:
    """A case of one ruleset that plays a move which another's rules do not have: no contradiction, and no agreement."""

    case: Case
    ruleset: str
    under: str
    message: str

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {**_named(self.case), "ruleset": self.ruleset, "under": self.under, "message": self.message}


@dataclass(frozen=True, slots=True)
class Crossed:
    """Cases under all rulesets. ``left_out`` counts those that change an option, and so are no book's own example."""

    rulesets: tuple[str, ...]
    rows: tuple[Row, ...]
    contradictions: tuple[Contradiction, ...]
    unplayable: tuple[Unplayable, ...]
    left_out: int

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        rows = [{**_named(row.case), "ruleset": row.ruleset, "cells": dict(row.cells)} for row in self.rows]
        return {
            "rulesets": list(self.rulesets),
            "rows": rows,
            "contradictions": [one.as_json() for one in self.contradictions],
            "unplayable": [one.as_json() for one in self.unplayable],
            "left_out": self.left_out,
        }


def _named(case: Case) -> dict[str, Any]:
    return {"file": case.file_name, "line": case.line, "name": case.name, "where": case.where}


def cross(cases: Sequence[Case], rulesets: Sequence[Ruleset], progress: Progress = unseen) -> Crossed:
    """The cases under the rulesets given, and under those that they bind themselves."""
    bound = [(case, case.bound()) for case in cases]
    every = {rules.id: rules for _, own in bound for rules in own}
    every |= {rules.id: rules for rules in rulesets if rules.id not in every}
    # In the order given, with the users' own behind.
    order = [rules.id for rules in rulesets] + [name for name in every if all(name != r.id for r in rulesets)]
    rows: list[Row] = []
    found: list[Contradiction] = []
    unplayable: list[Unplayable] = []
    left_out = 0
    for done, (case, own) in enumerate(bound):
        progress(done, len(bound))
        if case.changes():
            left_out += 1
            continue
        verdicts = {name: case.verdict(every[name]) for name in order}
        for rules in own[:1]:
            cells = {name: verdict for name, (verdict, _) in verdicts.items()}
            rows.append(Row(case, rules.id, cells))
            for name, (verdict, message) in verdicts.items():
                if any(name == mine.id for mine in own):
                    continue
                if verdict == CONTRADICTS:
                    deciding = _deciding(case, rules, every[name])
                    found.append(Contradiction(case, rules.id, name, message, *deciding))
                elif verdict == UNPLAYABLE:
                    unplayable.append(Unplayable(case, rules.id, name, message))
    return Crossed(tuple(order), tuple(rows), tuple(found), tuple(unplayable), left_out)


def _deciding(case: Case, mine: Ruleset, theirs: Ruleset) -> tuple[dict[str, tuple[Value, Value]], bool]:
    """The options that decide, and whether only together."""
    differ = {
        option.name: (mine.values[option.name], theirs.values[option.name])
        for option in OPTIONS
        if mine.values[option.name] != theirs.values[option.name]
    }
    alone = {name: values for name, values in differ.items() if _holds(case, theirs, {name: values})}
    if alone:
        return alone, False
    needed = dict(differ)
    for name in differ:
        fewer = {other: values for other, values in needed.items() if other != name}
        if _holds(case, theirs, fewer):
            needed = fewer
    return needed, True


def _holds(case: Case, theirs: Ruleset, answered: Mapping[str, tuple[Value, Value]]) -> bool:
    try:
        mended = theirs.replace(**{name: values[0] for name, values in answered.items()})
    except RulesetError:
        return False
    return case.verdict(mended)[0] == HOLDS


#: How a cell is written in a table.
SIGNS = {HOLDS: "=", CONTRADICTS: "x", UNFIT: "-", UNPLAYABLE: "/"}
