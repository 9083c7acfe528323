"""What the sources make of a combination of rules, and the vote of several sources, as text."""

from __future__ import annotations

from collections.abc import Sequence

from variant_engine.compare.attest import Attestation, Departure, Standing
from variant_engine.compare.consensus import Consensus, Vote

from .terminal import Paint, fill, table

_ANSWERS = {
    "attested": "Yes: {names} {describe} this combination, as far as {they} {go}.",
    "hybrid": "No source describes this combination. It is a hybrid: what one source contradicts, another says.",
    "own": "No source describes this combination, and no source has these values: {unbacked}.",
}


def _plural(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def attestation(found: Attestation, width: int, paint: Paint, *, every: bool = False) -> str:
    """The answer, a table of the sources, and where the ruleset departs from the nearest (or from every one)."""
    rules = found.rules
    changes = "".join(f", {name}={value}" for name, value in rules.diff)
    lines = _fill(f"{rules.id}{changes}: {rules.title}", width, paint, "bold")
    names = [one.name for one in found.attested_by]
    one = len(names) == 1
    answer = _ANSWERS[found.verdict].format(
        names=" and ".join(names),
        describe="describes" if one else "describe",
        they="it" if one else "they",
        go="goes" if one else "go",
        unbacked=", ".join(f"{one.option.name}={one.mine.value}" for one in found.unbacked),
    )
    lines += [*_fill(answer, width, paint, "bold"), ""]
    counts = [
        (one.name, *(str(one.counts[relation]) for relation in ("contradicts", "offers", "open", "says")))
        for one in found.standings
    ]
    lines += table([("SOURCE", "CONTRADICTS", "OFFERS TOO", "LEAVES OPEN", "SAYS"), *counts], width)
    shown = found.standings if every else found.nearest
    for standing in shown:
        lines += _standing(standing, width, paint)
    left = len(found.standings) - len(shown)
    if left and not found.attested_by:
        lines += ["", f"--all shows the departures from the other {_plural(left, 'source')} too."]
    return "\n".join(lines)


def _standing(standing: Standing, width: int, paint: Paint) -> list[str]:
    name = standing.name
    departures = standing.departures
    head = f"{name}: departs in {_plural(len(departures), 'option')}" if departures else f"{name}: contradicts nothing"
    lines = ["", *_fill(head, width, paint, "bold")]
    for one in departures:
        lines += _departure(one, name, width)
    if standing.at_the_table:
        told = "; ".join(f"{one.option.name}: {one.theirs.value}" for one in standing.at_the_table)
        lines += _fill(f"only at the table, not counted: {told}", width)
    for relation, told in (("offers", "it offers that too, as another way or reading"), ("open", "it leaves open")):
        options = standing.options(relation)
        if options:
            lines += _fill(f"{told}: {', '.join(options)}", width)
    return lines


def _departure(one: Departure, name: str, width: int) -> list[str]:
    note = f" ({one.mine.status})" if one.mine.status in ("neutral", "silent", "set") else ""
    places = f", {', '.join(one.theirs.where)}" if one.theirs.where else ""
    lines = _fill(f"{one.option.name} = {one.mine.value}{note}", width)
    rows = [f"{name} has {one.theirs.value} ({one.theirs.status}{places})"]
    for relation, verb in (("says", "said by"), ("offers", "offered by")):
        backers = [
            f"{head} ({', '.join(one.as_json()['said_by'][place]['where'])})"
            for place, (head, _, found) in enumerate(one.backers)
            if found == relation
        ]
        if backers:
            rows.append(f"{verb} {', '.join(backers)}")
    if not one.backers:
        rows.append("no source says that")
    return [*lines, *(line for row in rows for line in fill(row, width, indent="    ", more="      ").splitlines())]


def _fill(text: str, width: int, paint: Paint | None = None, style: str = "") -> list[str]:
    if paint is None:
        return fill(text, width, indent="  ", more="    ").splitlines()
    return [paint(line, style) for line in fill(text, width, more="  ").splitlines()]


def consensus(found: Consensus, width: int, paint: Paint, written: str) -> str:
    """What was written where, how the votes went, and what was left open."""
    taken = found.with_outcome("taken")
    ties = found.with_outcome("tie")
    lines = _fill(f"{written}: {_plural(len(taken), 'value')} by majority", width, paint, "bold")
    voices = ", ".join("+".join(names) for names in found.lineages.values())
    lines += _fill(f"{_plural(len(found.lineages), 'voice')}: {voices}", width)
    split = [vote for vote in taken if len(vote.voices) > 1]
    lines += _votes(split, "not unanimous", width, paint)
    lines += _votes(ties, "left open, since the most votes are even (the neutral value holds)", width, paint)
    for outcome, told in (("unsaid", "nobody has a vote on"), ("moot", "without effect under the values taken")):
        options = [vote.option.name for vote in found.with_outcome(outcome)]
        if options:
            lines += ["", *_fill(f"{told}: {', '.join(options)}", width, paint, "faint")]
    return "\n".join(lines)


def _votes(votes: Sequence[Vote], title: str, width: int, paint: Paint) -> list[str]:
    if not votes:
        return []
    rows = [
        (
            vote.option.name,
            "; ".join(f"{value}: {', '.join(voice.ruleset for voice in those)}" for value, those in vote.voices),
        )
        for vote in votes
    ]
    return ["", *_fill(title, width, paint, "bold"), *table(rows, width, indent="  ")]
