"""The majority of several sources, option by option, as a ruleset in which every value is cited.

Sources of one lineage are one voice. A voice counts for what its text says, be it only implied or one reading of
several; where a text is silent, or where a value can make no difference in it, it has no vote. Most votes win; where
the most are even, the option is left open, and the program takes the neutral value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from ..account import Said
from ..cited import citation
from ..evidence import STATUSES
from ..options import OPTIONS, Option
from ..options.meaning import meaningful
from ..ruleset import Ruleset
from .matrix import Matrix, compare

#: How the vote on an option ends. ``taken``: a value has most votes. ``tie``: several have. ``unsaid``: nobody votes.
#: ``moot``: a value has most votes, but under the other values taken it could make no difference.
OUTCOMES = ("taken", "tie", "unsaid", "moot")

#: How wide the lines of a written file are.
_COLUMNS = 118


@dataclass(frozen=True, slots=True)
class Voice:
    """One vote: the ruleset that is cited, which speaks for its lineage, and what it says."""

    ruleset: str
    said: Said

    @property
    def where(self) -> tuple[str, ...]:
        """The places, each after the id of the ruleset."""
        return tuple(citation(self.ruleset, place) for place in self.said.where)


@dataclass(frozen=True, slots=True)
class Vote:
    """The vote on one option: the voices of each value, most first; the value taken if there is one.

    ``divided`` names lineages whose rulesets contradict each other, so that they have no vote.
    """

    option: Option
    voices: tuple[tuple[str | int, tuple[Voice, ...]], ...]
    outcome: str
    divided: tuple[str, ...]

    @property
    def value(self) -> str | int | None:
        """The value taken, if one is."""
        return self.voices[0][0] if self.outcome == "taken" else None

    @property
    def winners(self) -> tuple[Voice, ...]:
        """The voices for the first value."""
        return self.voices[0][1] if self.voices else ()

    @property
    def status(self) -> str:
        """How sure the value is where it is surest."""
        return min((voice.said.status for voice in self.winners), key=STATUSES.index)

    @property
    def why(self) -> str:
        """The count in words, with what the others say."""
        votes = [len(voices) for _, voices in self.voices]
        if len(votes) == 1:
            return f"all {votes[0]} that speak of it" if votes[0] > 1 else "the only one that speaks of it"
        others = "; ".join(f"{_names(voices)}: {value}" for value, voices in self.voices[1:])
        return f"{votes[0]} of {sum(votes)}; {others}"

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "option": self.option.name,
            "outcome": self.outcome,
            "value": self.value,
            "neutral": self.option.neutral,
            "votes": [
                {"value": value, "rulesets": [v.ruleset for v in voices], "where": [p for v in voices for p in v.where]}
                for value, voices in self.voices
            ],
            "divided": list(self.divided),
        }


@dataclass(frozen=True)
class Consensus:
    """The votes on all options. ``rulesets`` are the ids in the order given, ``lineages`` how they form voices."""

    rulesets: tuple[str, ...]
    lineages: Mapping[str, tuple[str, ...]]
    votes: tuple[Vote, ...]

    def with_outcome(self, outcome: str) -> tuple[Vote, ...]:
        """The votes with an outcome, in registry order."""
        return tuple(vote for vote in self.votes if vote.outcome == outcome)

    def as_json(self) -> dict[str, Any]:
        """As plain data, without the options on which nobody has a vote."""
        return {
            "rulesets": list(self.rulesets),
            "lineages": {lineage: list(names) for lineage, names in self.lineages.items()},
            "counts": {outcome: len(self.with_outcome(outcome)) for outcome in OUTCOMES},
            "values": {vote.option.name: vote.value for vote in self.with_outcome("taken")},
            "open": [vote.option.name for vote in self.with_outcome("tie")],
            "unsaid": [vote.option.name for vote in self.with_outcome("unsaid")],
            "moot": [vote.option.name for vote in self.with_outcome("moot")],
            "votes": [vote.as_json() for vote in self.votes if vote.outcome != "unsaid"],
        }


def consensus(sources: Sequence[Ruleset]) -> Consensus:
    """The majority of attested rulesets.

    Raises :class:`ValueError`, with a sentence for people, for other rulesets, for two with the same id, and if they
    are fewer than two voices.
    """
    changed = [rules.id for rules in sources if rules.kind != "attested" or rules.diff]
    if changed:
        raise ValueError(f"only attested rulesets have a vote, and '{changed[0]}' is not one")
    matrix = compare(sources)
    if len(matrix.lineages) < 2:
        raise ValueError("a majority takes at least two voices; rulesets of one lineage are one")
    votes = [_vote(matrix, option) for option in OPTIONS]
    return Consensus(matrix.rulesets, matrix.lineages, tuple(_without_moot(votes)))


def _vote(matrix: Matrix, option: Option) -> Vote:
    row = matrix.rows[option.index]
    found: dict[str | int, list[Voice]] = {}
    divided = []
    for lineage, names in matrix.lineages.items():
        entries = [Voice(name, row.values[name]) for name in names]
        entries = [voice for voice in entries if voice.said.spoken and not voice.said.moot_by]
        if len({voice.said.value for voice in entries}) > 1:
            divided.append(lineage)
        elif entries:
            clearest = min(entries, key=lambda voice: STATUSES.index(voice.said.status))
            found.setdefault(clearest.said.value, []).append(clearest)
    ranked = sorted(found.items(), key=lambda one: -len(one[1]))
    voices = tuple((value, tuple(those)) for value, those in ranked)
    outcome = "taken" if voices else "unsaid"
    if len(voices) > 1 and len(voices[0][1]) == len(voices[1][1]):
        outcome = "tie"
    return Vote(option, voices, outcome, tuple(divided))


def _without_moot(votes: list[Vote]) -> list[Vote]:
    """The votes, without values that make no difference under those taken; leaving one out may make others moot."""
    while True:
        values = {vote.option.name: vote.value if vote.value is not None else vote.option.neutral for vote in votes}
        moot = {
            vote.option.name
            for vote in votes
            if vote.outcome == "taken" and not meaningful(values, vote.option.name)
        }
        if not moot:
            return votes
        votes = [
            Vote(vote.option, vote.voices, "moot", vote.divided) if vote.option.name in moot else vote for vote in votes
        ]


# ----- the file -----


def as_yaml(found: Consensus, name: str) -> str:
    """The majority as the text of a composite ruleset file called ``name``."""
    voices = [" and ".join(names) for names in found.lineages.values()]
    lines = [f"# The majority of {', '.join(voices)}."]
    if any(len(names) > 1 for names in found.lineages.values()):
        lines.append("# Rulesets joined by 'and' descend from one text and have one vote.")
    ties = found.with_outcome("tie")
    if ties:
        lines.append("# Left open, since the most votes are even; the neutral value holds:")
    for vote in ties:
        told = "; ".join(f"{value} ({', '.join(_places(those))})" for value, those in vote.voices)
        lines += _wrapped(f"{vote.option.name}: {told}", "#   ", "#     ")
    for outcome, why in (("unsaid", "Nobody has a vote on"), ("moot", "Without effect under the values taken")):
        options = [vote.option.name for vote in found.with_outcome(outcome)]
        if options:
            lines += _wrapped(f"{why}: {', '.join(options)}.", "# ", "#   ")
    title = f"The majority of {', '.join(found.rulesets)}"
    lines += ["format: 1", f"id: {name}", f"title: {_quoted(title)}", "kind: composite", "options:"]
    chapter = ""
    for vote in found.with_outcome("taken"):
        if vote.option.chapter != chapter:
            chapter = vote.option.chapter
            lines.append(f"  # ----- {chapter} -----")
        lines += [
            f"  {vote.option.name}:",
            f"    value: {vote.value}",
            f"    status: {vote.status}",
            *_where(_places(vote.winners)),
            f"    why: {_quoted(vote.why)}",
        ]
        if vote.status == "ambiguous":
            readings = dict.fromkeys(reading for voice in vote.winners for reading in voice.said.readings)
            lines.append(f"    readings: [{', '.join(map(str, readings))}]")
    if chapter == "":
        lines[-1] = "options: {}"
    return "\n".join(lines) + "\n"


def _places(voices: Sequence[Voice]) -> list[str]:
    return [place for voice in voices for place in voice.where]


def _names(voices: Sequence[Voice]) -> str:
    return ", ".join(voice.ruleset for voice in voices)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _wrapped(text: str, indent: str, more: str) -> list[str]:
    return wrap(text, _COLUMNS, initial_indent=indent, subsequent_indent=more, break_on_hyphens=False)


def _where(places: Sequence[str]) -> list[str]:
    """A list of places, over as many lines as it takes."""
    lines = []
    line = "    where: ["
    for number, place in enumerate(places):
        item = _quoted(place) + (", " if number + 1 < len(places) else "]")
        if len(line) + len(item) > _COLUMNS and not line.isspace():
            lines.append(line.rstrip())
            line = " " * len("    where: [")
        line += item
    return [*lines, line]
