"""Reports as Markdown, in tables as GitHub and most others read them.

Free text is escaped, so that nothing in a ruleset becomes markup, a link or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..account import Said, said
from ..compare.gaps import Gaps
from ..compare.kinds import KINDS, Kind
from ..compare.matrix import DIFFERENCES, Matrix
from ..compare.story import tell
from ..compare.witness import NoWitness, Witness
from ..hints import counted
from ..options import BY_NAME
from ..simulate.result import Estimate
from .words import DIFFERENCE_WORDS, EFFECT_WORDS, line

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&$@]|^[#+-]|(?<=\d)\.(?= )|:(?=//)|(?<=www)\.)", re.IGNORECASE)


def escaped(text: str) -> str:
    """Text as Markdown that reads as it stands: no markup, no HTML, no link."""
    return _SPECIAL.sub(r"\\\1", line(text))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]


def compare_markdown(matrix: Matrix, kinds: Sequence[Kind] = (), *, every: bool = False) -> str:
    """A comparison: a table for each kind of difference."""
    effects = {kind.option.name: kind for kind in kinds}
    names = [name for some in matrix.lineages.values() for name in some]
    total = len(matrix.rows)
    lines = ["# Where rulesets differ", ""]
    lines.append(f"{len(matrix.differing)} of {counted(total, 'option')} differ: {', '.join(map(escaped, names))}.")
    for lineage, some in matrix.lineages.items():
        if len(some) > 1:
            lines += ["", f"Of one lineage ({escaped(lineage)}), and counted once: {', '.join(map(escaped, some))}."]
    for difference in DIFFERENCES:
        rows = matrix.of_kind(difference)
        if not rows or (difference == "none" and not every):
            continue
        word, meaning = DIFFERENCE_WORDS[difference]
        lines += ["", f"## {word[0].upper()}{word[1:]} ({len(rows)})", "", f"{meaning[0].upper()}{meaning[1:]}.", ""]
        head = ["option", "question", *map(escaped, names), *(["does it matter"] if kinds else [])]
        table = []
        for row in rows:
            said_by_each = [_entry(row.values[name]) for name in names]
            cells = [f"`{row.option.name}`", escaped(row.option.question), *said_by_each]
            if kinds:
                effect = effects.get(row.option.name)
                cells.append(effect.kind if effect else "")
            table.append(cells)
        lines += _table(head, table)
    if kinds:
        lines += _effects(kinds)
    return "\n".join(lines) + "\n"


def _entry(one: Said) -> str:
    notes = [one.status, *one.where, *([f"moot: {', '.join(one.moot_by)}"] if one.moot_by else [])]
    return f"`{one.value}` ({escaped(', '.join(notes))})"


def _effects(kinds: Sequence[Kind]) -> list[str]:
    lines = ["", "## Does it matter"]
    for wanted in KINDS:
        some = [kind for kind in kinds if kind.kind == wanted]
        if not some:
            continue
        lines += ["", f"### {wanted[0].upper()}{wanted[1:]} ({len(some)})", "", f"{EFFECT_WORDS[wanted].capitalize()}."]
        for kind in some:
            between = " and ".join(map(escaped, kind.names))
            shown = "" if kind.answer is None else f": {_shown(kind.answer)}"
            lines += ["", f"- `{kind.option.name}`, {between}{shown}"]
    return lines


def _shown(answer: Witness | NoWitness) -> str:
    if isinstance(answer, NoWitness):
        return escaped(f"{answer.sentence}{' (proved)' if answer.proved else ''}.")
    if answer.kind == "pack":
        return "they are played with other cards."
    story = tell(answer)
    moves = " ".join(answer.as_json()["moves"])
    after = f"after `{moves}`" if moves else "before the first move"
    if answer.kind == "result":
        return f"{after}: {escaped(story.sides[0].verdict)}; or {escaped(story.sides[1].verdict)}."
    return f"{after} only {escaped(answer.names[answer.allowed_by])} allows `{answer.token}`."


def gaps_markdown(found: Gaps) -> str:
    """What a text leaves open: a table, the most decisive first."""
    lines = [f"# What {escaped(found.ruleset)} leaves open", ""]
    lines.append(
        f"Over {found.deals} deals of seed {found.seed}, {' against '.join(found.players)}: in what share of deals "
        "another reading changes the result, and what may be played on the way there (95 % interval). What only a "
        "program has does not count in the order."
    )
    rows = []
    for gap in found.gaps:
        under = f", under `{gap.under[0]}` = `{gap.under[1]}`" if gap.under else ""
        start = [f"`{gap.option.name}`", f"`{gap.value}` ({gap.status}{under})"]
        for reading in gap.readings:
            by = ", ".join(map(escaped, reading.said_by)) + ("" if reading.in_text else " (program)")
            rows.append([*start, f"`{reading.value}`", by, _share(reading.result), _share(reading.moves)])
        if gap.several:
            rows.append([*start, "any that a text has", "", _share(gap.result), _share(gap.moves)])
    lines += ["", *_table(["option", "taken as", "read as", "by", "result changes", "moves change"], rows)]
    for because in dict.fromkeys(why for _, why in found.idle):
        names = ", ".join(f"`{name}`" for name, why in found.idle if why == because)
        lines += ["", f"Not tried, since {because}: {names}."]
    return "\n".join(lines) + "\n"


def _share(estimate: Estimate) -> str:
    return f"{estimate.value:.1%} ({estimate.low or 0.0:.1%} to {estimate.high or 0.0:.1%})"


def witness_markdown(answer: Witness | NoWitness) -> str:
    """A witness as a story."""
    one, two = map(escaped, answer.names)
    if isinstance(answer, NoWitness):
        return f"# {one} and {two}\n\n{escaped(answer.sentence[0].upper() + answer.sentence[1:])}.\n"
    story = tell(answer)
    lines = [f"# Where {one} and {two} part", "", escaped(story.opening)]
    if story.cards:
        lines += ["", *_table(["", "cards"], [[escaped(label), f"`{cards}`"] for label, cards in story.cards])]
    if story.play:
        lines += ["", *(f"{number}. {escaped(sentence)}" for number, sentence in enumerate(story.play, 1))]
    lines += ["", f"**{escaped(story.question)}**"]
    for index, side in enumerate(story.sides):
        lines += ["", f"- {escaped(side.name)}: {escaped(side.verdict)}."]
        for name in answer.options:
            stated = said(answer.origins[index], name)
            where = f", {', '.join(stated.where)}" if stated.where else ""
            meaning = escaped(BY_NAME[name].meaning(stated.value))
            lines.append(f"  - `{name}` = `{stated.value}` ({stated.status}{escaped(where)}): {meaning}")
    return "\n".join([*lines, "", escaped(story.method)]) + "\n"
