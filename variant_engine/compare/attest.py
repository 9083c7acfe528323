"""Whether one source describes a combination of rules, or only several together do.

Options that only concern people at the table do not count: the machine plays on unchanged, and two rulesets that differ
in nothing else have the same hash. They are listed apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..account import Said, said
from ..options import BY_NAME, OPTIONS, Option
from ..ruleset import Ruleset
from .matrix import Column, compare

#: What a source makes of a value. ``says``: that very value. ``offers``: another reading of an ambiguous text, or
#: another way that the text itself offers. ``open``: the source is silent, or the question does not arise in it.
#: ``contradicts``: the source says something else. ``moot``: in the ruleset asked about, no value makes a difference.
RELATIONS = ("says", "offers", "open", "contradicts", "moot")

#: The answers. ``attested``: at least one source contradicts nothing. ``hybrid``: none describes it, but each value
#: that somebody has given and that a source contradicts is said or offered by another. ``own``: it has values that
#: no source has.
VERDICTS = ("attested", "hybrid", "own")


@dataclass(frozen=True, slots=True)
class Departure:
    """An option in which the ruleset departs from a source: both values, and the sources that have the ruleset's."""

    option: Option
    mine: Said
    theirs: Said
    backers: tuple[tuple[str, Said, str], ...]

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "option": self.option.name,
            "question": self.option.question,
            "value": self.mine.value,
            "status": self.mine.status,
            "theirs": self.theirs.as_json(),
            "said_by": [
                {"source": name, "relation": relation, "where": _places(one, self.mine.value)}
                for name, one, relation in self.backers
            ],
        }


@dataclass(frozen=True)
class Standing:
    """A source (the rulesets of one lineage that agree are one) and what it makes of each option."""

    column: Column
    entries: dict[str, Said]
    relations: dict[str, str]
    departures: tuple[Departure, ...]
    at_the_table: tuple[Departure, ...]

    @property
    def name(self) -> str:
        """The ids of the source's rulesets."""
        return self.column.head

    def options(self, relation: str) -> tuple[str, ...]:
        """The options that count and have a relation, in registry order."""
        return tuple(
            name for name, one in self.relations.items() if one == relation and BY_NAME[name].affects != "table"
        )

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many options have each relation; those at the table are not counted."""
        return {relation: len(self.options(relation)) for relation in RELATIONS}

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "rulesets": list(self.column.rulesets),
            "lineage": self.column.lineage,
            "counts": self.counts,
            "offers": list(self.options("offers")),
            "open": list(self.options("open")),
            "departures": [one.as_json() for one in self.departures],
            "at_the_table": [one.as_json() for one in self.at_the_table],
        }


@dataclass(frozen=True)
class Attestation:
    """The answer: every source with its standing, the nearest first."""

    rules: Ruleset
    standings: tuple[Standing, ...]

    @property
    def attested_by(self) -> tuple[Standing, ...]:
        """The sources that contradict nothing."""
        return tuple(one for one in self.standings if not one.departures)

    @property
    def nearest(self) -> tuple[Standing, ...]:
        """The sources from which the ruleset departs in the fewest options."""
        fewest = len(self.standings[0].departures)
        return tuple(one for one in self.standings if len(one.departures) == fewest)

    @cached_property
    def unbacked(self) -> tuple[Departure, ...]:
        """Values that somebody has given, that a source contradicts and that none has."""
        found = {
            one.option.name: one
            for standing in self.standings
            for one in standing.departures
            if one.mine.spoken and not one.backers
        }
        return tuple(found[option.name] for option in OPTIONS if option.name in found)

    @property
    def verdict(self) -> str:
        """One of ``VERDICTS``. A value that only fills a gap, neutral or an editor's, makes no rules somebody's own."""
        if self.attested_by:
            return "attested"
        return "own" if self.unbacked else "hybrid"

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "ruleset": self.rules.id,
            "verdict": self.verdict,
            "attested_by": [list(one.column.rulesets) for one in self.attested_by],
            "nearest": [list(one.column.rulesets) for one in self.nearest],
            "unbacked": [one.option.name for one in self.unbacked],
            "sources": [one.as_json() for one in self.standings],
        }


def attest(rules: Ruleset, sources: Sequence[Ruleset]) -> Attestation:
    """Ask of each source whether it describes the rules of a ruleset: all its values, as it is played.

    Raises :class:`ValueError` without sources, and for a source that is not attested.
    """
    if not sources or any(source.kind != "attested" for source in sources):
        raise ValueError("a combination of rules is held against attested rulesets, at least one")
    matrix = compare(sources)
    mine = {option.name: said(rules, option.name) for option in OPTIONS}
    entries = [
        (column, {row.option.name: column.entry(row) for row in matrix.rows}) for column in matrix.columns
    ]
    judged = [(column, theirs, relations(mine, theirs)) for column, theirs in entries]
    standings = []
    for column, theirs, found in judged:
        parted = [name for name, relation in found.items() if relation == "contradicts"]
        departures = [
            Departure(
                BY_NAME[name],
                mine[name],
                theirs[name],
                tuple(
                    (other.head, said_there[name], there[name])
                    for other, said_there, there in judged
                    if there[name] in ("says", "offers")
                ),
            )
            for name in parted
        ]
        counted = tuple(one for one in departures if one.option.affects != "table")
        at_the_table = tuple(one for one in departures if one.option.affects == "table")
        standings.append(Standing(column, theirs, found, counted, at_the_table))
    standings.sort(key=lambda one: (len(one.departures), one.counts["offers"], one.counts["open"], one.name))
    return Attestation(rules, tuple(standings))


def relations(mine: dict[str, Said], theirs: dict[str, Said]) -> dict[str, str]:
    """What a source makes of each value, in registry order."""
    found: dict[str, str] = {}
    for option in OPTIONS:
        name = option.name
        found[name] = _relation(mine[name], theirs[name])
    # Where the source has already refused the other way of playing, what it has to say on its details does not count.
    for name, relation in found.items():
        needs = theirs[name].moot_by
        if relation == "contradicts" and any(found[need] == "contradicts" for need in needs):
            found[name] = "open"
    return found


def _relation(mine: Said, theirs: Said) -> str:
    if mine.moot_by:
        return "moot"
    if not theirs.spoken:
        return "open"
    if mine.value == theirs.value:
        return "says"
    return "offers" if mine.value in theirs.possible else "contradicts"


def _places(one: Said, value: str | int) -> list[str]:
    """Where a source says or offers a value."""
    for other in one.also:
        if other.value == value:
            return list(other.where)
    return list(one.where)
