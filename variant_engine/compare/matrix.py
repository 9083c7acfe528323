"""The matrix of what rulesets say: a row for each option, an entry for each ruleset, and what kind of difference it is.

Attested rulesets of one lineage descend from one text, so that they are one voice: where all their values agree they
share a column, and where only they disagree among themselves that is no difference between sources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..account import ALL_STATUSES, Said, said
from ..options import OPTIONS, Option
from ..ruleset import Ruleset

#: How the entries of a row differ, the weightiest first. ``contradiction``: whatever the reading, what one ruleset says
#: another denies. ``lineage``: only rulesets of one lineage disagree. ``reading``: another reading of an ambiguous
#: text, or another way that a text offers, would agree. ``silence``: all that say something agree; a value filled in
#: for a silent one differs. ``moot``: only a value that can make no difference in its ruleset differs. ``none``: all
#: agree.
DIFFERENCES = ("contradiction", "lineage", "reading", "silence", "moot", "none")

#: Of the entries of a lineage, which agree, the first in this order speaks for all: what one translation has spoilt
#: another may have kept.
_CLEAREST = ("set", "house", "stated", "implied", "garbled", "ambiguous", "silent", "neutral")


@dataclass(frozen=True, slots=True)
class Row:
    """One option with what each ruleset says about it, by the ruleset's name in the comparison."""

    option: Option
    values: Mapping[str, Said]
    difference: str

    @property
    def differs(self) -> bool:
        """Whether not all values are the same."""
        return self.difference != "none"


@dataclass(frozen=True, slots=True)
class Column:
    """One voice of a comparison: a ruleset, or several of one lineage whose values all agree."""

    rulesets: tuple[str, ...]
    lineage: str

    @property
    def head(self) -> str:
        """The column's heading."""
        return "+".join(self.rulesets)

    def entry(self, row: Row) -> Said:
        """What the column says: of several entries with the same value the clearest."""
        return min((row.values[name] for name in self.rulesets), key=lambda one: _CLEAREST.index(one.status))


@dataclass(frozen=True)
class Matrix:
    """What some rulesets say about every option. ``rulesets`` are their names, in the order in which they were given.

    ``lineages`` groups the names by voice: attested rulesets of one lineage are one, every other is its own.
    ``texts`` tells whether all of them are attested and read from texts.
    """

    rulesets: tuple[str, ...]
    lineages: Mapping[str, tuple[str, ...]]
    rows: tuple[Row, ...]
    texts: bool

    @cached_property
    def differing(self) -> tuple[Row, ...]:
        """The rows in which not all values are the same, in registry order."""
        return tuple(row for row in self.rows if row.differs)

    def of_kind(self, difference: str) -> tuple[Row, ...]:
        """The rows that differ in one way, in registry order."""
        return tuple(row for row in self.rows if row.difference == difference)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The voices: one column for a lineage whose values all agree, else one for each of its rulesets."""
        columns: list[Column] = []
        for lineage, names in self.lineages.items():
            if all(len({row.values[name].value for name in names}) == 1 for row in self.rows):
                columns.append(Column(names, lineage))
            else:
                columns += [Column((name,), lineage) for name in names]
        return tuple(columns)

    @cached_property
    def statuses(self) -> tuple[str, ...]:
        """The statuses that occur."""
        found = {one.status for row in self.rows for one in row.values.values()}
        return tuple(status for status in ALL_STATUSES if status in found)

    def as_json(self, *, every: bool = False) -> dict[str, Any]:
        """As plain data: the rows that differ, or with ``every`` all of them."""
        return {
            "rulesets": list(self.rulesets),
            "rows": [
                {
                    "option": row.option.name,
                    "question": row.option.question,
                    "difference": row.difference,
                    "values": {name: one.as_json() for name, one in row.values.items()},
                }
                for row in (self.rows if every else self.differing)
            ],
            "lineages": {lineage: list(names) for lineage, names in self.lineages.items()},
            "counts": {"options": len(self.rows), "differ": len(self.differing)}
            | {kind: len(self.of_kind(kind)) for kind in DIFFERENCES},
        }


def compare(rulesets: Sequence[Ruleset], names: Sequence[str] | None = None) -> Matrix:
    """Compare rulesets. ``names`` is what they are called in the comparison, by default their ids.

    Raises :class:`ValueError` for names that are not all different.
    """
    called = tuple(names) if names is not None else tuple(rules.id for rules in rulesets)
    if len(set(called)) != len(rulesets):
        raise ValueError("each ruleset of a comparison needs a name of its own")
    lineages: dict[str, tuple[str, ...]] = {}
    for name, rules in zip(called, rulesets, strict=True):
        # A house ruleset differs from its parent on purpose; it is a voice of its own.
        voice = rules.lineage if rules.kind == "attested" and not rules.diff else name
        lineages[voice] = (*lineages.get(voice, ()), name)
    rows = []
    for option in OPTIONS:
        values = {name: said(rules, option.name) for name, rules in zip(called, rulesets, strict=True)}
        rows.append(Row(option, values, _difference(values, lineages)))
    texts = all(
        rules.kind == "attested" and rules.source is not None and rules.source.type == "text" for rules in rulesets
    )
    return Matrix(called, lineages, tuple(rows), texts)


def _agree(entries: Sequence[Said]) -> bool:
    return len({one.value for one in entries}) < 2


def _common(choices: Sequence[frozenset[str | int]]) -> bool:
    return bool(frozenset.intersection(*choices))


def _difference(values: Mapping[str, Said], lineages: Mapping[str, tuple[str, ...]]) -> str:
    """Which of ``DIFFERENCES`` the entries make: each step leaves out, or widens, what cannot be held against them."""
    if _agree(list(values.values())):
        return "none"
    live = {name: one for name, one in values.items() if not one.moot_by}
    if _agree(list(live.values())):
        return "moot"
    spoken = {name: one for name, one in live.items() if one.spoken}
    if _agree(list(spoken.values())):
        return "silence"
    if _common([one.possible for one in spoken.values()]):
        return "reading"
    voices = [
        frozenset[str | int]().union(*(spoken[name].possible for name in names if name in spoken))
        for names in lineages.values()
        if any(name in spoken for name in names)
    ]
    return "lineage" if _common(voices) else "contradiction"
