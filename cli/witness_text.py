"""Witnesses, kinds of difference, gaps and distances as text."""

from __future__ import annotations

from collections.abc import Sequence

from variant_engine.compare.distance import Distances
from variant_engine.compare.gaps import Gap, Gaps
from variant_engine.compare.kinds import KINDS, Kind
from variant_engine.compare.story import Story, tell
from variant_engine.compare.witness import NoWitness, Witness
from variant_engine.simulate.result import Estimate

from .terminal import Paint, fill, table

#: What a kind of difference means.
_KINDS = {
    "parts in play": "some deal has a move that one allows and the other refuses",
    "same play, other score": "the same moves, but some deal ends with another winner, other game points or carry",
    "never matters": "no deal was found that it parts",
    "between deals": "who deals, how the game is counted: no deal by itself",
    "presentation only": "what people do at the table",
}


def witness_text(witness: Witness, width: int, paint: Paint) -> str:
    """A witness as a short story."""
    return "\n".join(_story(tell(witness), f"Where {witness.names[0]} and {witness.names[1]} part", width, paint))


def _story(story: Story, title: str, width: int, paint: Paint) -> list[str]:
    lines = [paint(line, "bold") for line in fill(title, width).splitlines()]
    lines += fill(story.opening, width).splitlines()
    lines += table([*story.cards], width, indent="  ")
    if story.play:
        lines.append("")
        for number, sentence in enumerate(story.play, 1):
            lines += fill(sentence, width, indent=f"{number:>3}. ", more="     ").splitlines()
    lines += ["", *(paint(line, "bold") for line in fill(story.question, width).splitlines())]
    for side in story.sides:
        lines += fill(f"{side.name}: {side.verdict}.", width, indent="  ", more="    ").splitlines()
        for rule in side.rules:
            lines += fill(rule, width, indent="      ", more="        ").splitlines()
    return [*lines, "", *fill(story.method, width).splitlines()]


def no_witness_text(answer: NoWitness, width: int) -> str:
    """What was covered when no witness was found."""
    return fill(f"{answer.names[0]} and {answer.names[1]}: {answer.sentence}.", width, more="  ")


def outcome(found: Witness | NoWitness) -> str:
    """In one line what was found, for those who have the deal written to a file."""
    start = f"{found.names[0]} and {found.names[1]}: "
    if isinstance(found, NoWitness):
        return start + found.sentence
    if found.kind == "pack":
        return start + "they are played with other cards"
    after = f"after {found.length} move{'' if found.length == 1 else 's'}, "
    if found.kind == "result":
        return start + after + "the results differ"
    return start + after + f"only {found.names[found.allowed_by]} allows {found.token}"


# ---- kinds ---------------------------------------------------------------------------------------------------------


def kinds_text(kinds: Sequence[Kind], width: int, paint: Paint) -> str:
    """What each differing option comes to, the weightiest kind first, with what shows it."""
    lines: list[str] = []
    for kind in KINDS:
        some = [one for one in kinds if one.kind == kind]
        if not some:
            continue
        heading = f"{kind[0].upper()}{kind[1:]} ({len(some)}): {_KINDS[kind]}"
        lines += ["", *(paint(line, "bold") for line in fill(heading, width).splitlines())]
        lines += table([(one.option.name, _shown(one)) for one in some], width, indent="  ")
    if any(isinstance(one.answer, Witness) for one in kinds):
        example = next(one for one in kinds if isinstance(one.answer, Witness))
        command = f"sixtysix witness {example.names[0]} {example.names[1]} --option {example.option.name}"
        lines += ["", f"A deal as a story: {command}"]
    return "\n".join(lines).lstrip("\n")


def _shown(kind: Kind) -> str:
    answer = kind.answer
    between = f"{kind.names[0]}, {kind.names[1]}"
    if answer is None:
        return between
    if isinstance(answer, NoWitness):
        return f"{between}: {'proved' if answer.proved else 'not found'}; {answer.sentence}"
    if answer.kind == "pack":
        return f"{between}: they are played with other cards"
    story = tell(answer)
    moves = " ".join(answer.as_json()["moves"])
    after = f"after {moves}" if moves else "before the first move"
    if answer.kind == "result":
        return f"{between}: {after}, {story.sides[0].verdict}; or {story.sides[1].verdict}"
    if answer.options == (kind.option.name,):
        value = answer.origins[answer.allowed_by].values[kind.option.name]
        return f"{between}: {after}, only {value} allows {answer.token}"
    return f"{between}: {after}, only {answer.names[answer.allowed_by]} allows {answer.token}"


# ---- gaps ----------------------------------------------------------------------------------------------------------


def gaps_text(found: Gaps, width: int, paint: Paint) -> str:
    """What a text leaves open, most decisive first."""
    players = " against ".join(found.players)
    lines = fill(
        f"{found.ruleset}: what its text leaves open, over {found.deals} deals of seed {found.seed}, {players}. "
        "How often another reading changes the result, and what may be played on the way there (95 % interval). "
        "What only a program has does not count in the order.",
        width,
    ).splitlines()
    deciding = [gap for gap in found.gaps if gap.decides]
    idle = [gap for gap in found.gaps if not gap.decides]
    for gap in deciding:
        lines += ["", *_gap(gap, width, paint)]
    if idle:
        highest = max(gap.result.high or 0.0 for gap in idle)
        lines.append("")
        for under in dict.fromkeys(gap.under for gap in idle):
            names = ", ".join(gap.option.name for gap in idle if gap.under == under)
            what = f", if {under[0]} is read as {under[1]}; else without effect" if under else ""
            said = f"Never in these deals (at most {highest:.1%}){what}: {names}."
            lines += fill(said, width, more="  ").splitlines()
    for because in dict.fromkeys(why for _, why in found.idle):
        names = ", ".join(name for name, why in found.idle if why == because)
        said = f"Not tried, since {because}: {names}."
        lines += fill(said, width, more="  ").splitlines()
    return "\n".join(lines)


def _gap(gap: Gap, width: int, paint: Paint) -> list[str]:
    head = f"{gap.option.name} ({gap.status}, taken as {gap.value})"
    lines = [paint(head, "bold")]
    if gap.under is not None:
        lines += fill(f"Only if {gap.under[0]} is read as {gap.under[1]}:", width, indent="  ").splitlines()
    lines += fill(f"{gap.option.question}", width, indent="  ").splitlines()
    rows = [("", "result", "moves", "reading")]
    for reading in gap.readings:
        who = f"{reading.value}: {', '.join(reading.said_by)}{'' if reading.in_text else ' (program)'}"
        rows.append(("", _share(reading.result), _share(reading.moves), who))
    if gap.several:
        rows.append(("", _share(gap.result), _share(gap.moves), "any that a text has"))
    return lines + table(rows, width)


def _share(estimate: Estimate) -> str:
    low, high = estimate.low or 0.0, estimate.high or 0.0
    return f"{estimate.value:.1%} ({low:.1%} to {high:.1%})"


# ---- distances -----------------------------------------------------------------------------------------------------


def distances_text(found: Distances, width: int, paint: Paint) -> str:
    """The table of distances: options that part in play, that change the score, that differ at all."""
    lines = fill(
        "Options that part the two in play + those that change only the score / those that differ at all.", width
    ).splitlines()
    cells = {(one, two): "-" if one == two else _cell(found, one, two) for one in found.names for two in found.names}
    size = {two: max(len(two), *(len(cells[one, two]) for one in found.names)) for two in found.names}
    first = max(len(name) for name in found.names)
    if first + sum(size.values()) + 2 * len(size) <= width:
        lines += ["", paint(" " * first + "".join(f"  {name:>{size[name]}}" for name in found.names), "bold")]
        for one in found.names:
            lines.append(f"{one:<{first}}" + "".join(f"  {cells[one, two]:>{size[two]}}" for two in found.names))
    else:
        rows = [(pair.names[0], pair.names[1], _cell(found, *pair.names)) for pair in found.pairs]
        lines += ["", *table(rows, width)]
    lines += ["", "Nearest neighbour:"]
    rows = [(name, other, _cell(found, name, other)) for name, other in found.nearest.items()]
    return "\n".join(lines + table(rows, width, indent="  "))


def _cell(found: Distances, one: str, two: str) -> str:
    pair = found.between(one, two)
    return f"{len(pair.parting)}+{len(pair.scoring)}/{len(pair.differ)}"
