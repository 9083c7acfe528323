"""Reports as CSV: one fact a line, with names in the first one, in UTF-8 with line feeds.

Spreadsheets take a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and a ruleset may be anybody's.
Such cells of free text get an apostrophe in front, which spreadsheets do not show.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from ..account import said
from ..compare.gaps import Gaps
from ..compare.kinds import Kind
from ..compare.matrix import Matrix
from ..compare.story import tell
from ..compare.witness import NoWitness, Witness
from ..impact.result import DIFFERENCES, Difference, Impact
from ..options import BY_NAME
from ..simulate.result import Estimate
from .words import line

_FORMULA = ("=", "+", "-", "@")


def free(text: str) -> str:
    """Free text as it is safe in a cell."""
    text = line(text)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _csv(head: Sequence[str], rows: Iterable[Sequence[str | int | float]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


COMPARE = (
    "option", "chapter", "question", "difference", "effect", "ruleset", "value", "meaning", "status", "moot_by",
    "where", "why", "readings", "also", "file", "line",
)  # fmt: skip


def compare_csv(matrix: Matrix, kinds: Sequence[Kind] = (), *, every: bool = False) -> str:
    """A comparison: a line for each option and ruleset. ``effect`` is empty unless ``kinds`` are given."""
    effects: Mapping[str, str] = {kind.option.name: kind.kind for kind in kinds}
    rows: list[list[str | int]] = []
    for row in matrix.rows if every else matrix.differing:
        option = row.option
        for name, one in row.values.items():
            entry: list[str | int] = [
                option.name, option.chapter, option.question, row.difference, effects.get(option.name, ""),
                free(name), one.value, option.meaning(one.value), one.status, " ".join(one.moot_by),
                "; ".join(one.where), free(one.why), "; ".join(str(value) for value in one.readings),
                "; ".join(str(other.value) for other in one.also), free(one.file or ""), one.line or "",
            ]  # fmt: skip
            rows.append(entry)
    return _csv(COMPARE, rows)


GAPS = (
    "ruleset", "option", "value", "status", "reading", "said_by", "result_share", "result_low", "result_high",
    "moves_share", "moves_low", "moves_high", "deals", "untried", "why", "in_text", "under",
)  # fmt: skip


def gaps_csv(found: Gaps) -> str:
    """What a text leaves open: a line for each reading, one for any that a text has, one for each untried option."""
    rows: list[list[str | int | float]] = []
    for gap in found.gaps:
        start = [free(found.ruleset), gap.option.name, gap.value, gap.status]
        under = " = ".join(map(str, gap.under)) if gap.under else ""
        for reading in gap.readings:
            by = "; ".join(line(name) for name in reading.said_by)
            numbers = [*_numbers(reading.result), *_numbers(reading.moves)]
            in_text = "yes" if reading.in_text else "no"
            rows.append([*start, reading.value, free(by), *numbers, found.deals, "", free(gap.why), in_text, under])
        if gap.several:
            numbers = [*_numbers(gap.result), *_numbers(gap.moves)]
            rows.append([*start, "", "", *numbers, found.deals, "", free(gap.why), "yes", under])
    rows += [[free(found.ruleset), name, *[""] * 10, found.deals, because, "", "", ""] for name, because in found.idle]
    return _csv(GAPS, rows)


def _numbers(estimate: Estimate) -> list[str | int | float]:
    return [round(number, 6) for number in (estimate.value, estimate.low or 0.0, estimate.high or 0.0)]


WITNESS = ("part", "name", "value", "text")


def witness_csv(answer: Witness | NoWitness) -> str:
    """A witness: its parts (``deal``, ``hand``, ``move``, ``verdict``, ``rule``, …), each with a name and a value."""
    rows: list[list[str | int]] = [["ruleset", number, free(name), ""] for number, name in enumerate(answer.names, 1)]
    if isinstance(answer, NoWitness):
        return _csv(WITNESS, [*rows, ["none", "proved" if answer.proved else "not found", "", answer.sentence]])
    story = tell(answer)
    if answer.kind != "pack":
        start = answer.start(0)
        data = answer.as_json()
        rows += [["deal", "dealer", data["dealer"], ""], ["deal", "trump", start.trump, ""]]
        rows += [["deal", "carry", answer.carry, ""], ["deal", "pack", " ".join(start.pack), ""]]
        rows += [["hand", seat, " ".join(cards), ""] for seat, cards in data["hands"].items()]
        rows += [["deal", "turn_up", start.turn_up or "", ""], ["deal", "talon", " ".join(start.talon), ""]]
        rows += [["move", number, free(token), ""] for number, token in enumerate(data["moves"], 1)]
        rows.append(["parting", answer.kind, free(answer.token), story.question])
    rows += [["verdict", free(side.name), "", free(side.verdict)] for side in story.sides]
    for name in answer.options:
        for called, rules in zip(answer.names, answer.origins, strict=True):
            one = said(rules, name)
            text = f"{name}: {BY_NAME[name].meaning(one.value)} ({one.status}) {', '.join(one.where)}".rstrip()
            rows.append(["rule", free(called), one.value, text])
    return _csv(WITNESS, [*rows, ["method", answer.method, answer.length, story.method]])


_SHARES = ("reached", "play", "result", "games_result")
IMPACT = (
    "players", "deals", "games", "label", "option", "before", "value",
    *(f"{name}{part}" for name in _SHARES for part in ("", "_low", "_high")),
    *(f"{name}_{part}" for name in DIFFERENCES for part in ("first", "variant", "difference", "low", "high", "saved")),
)  # fmt: skip


def impact_csv(found: Impact) -> str:
    """How much each rule matters: a line for each pair of players and each change; the whole has no option."""
    rows: list[list[str | int | float]] = []
    for panel in found.panels:
        for effect in (*panel.ranked, *([panel.whole] if panel.whole else [])):
            variant = effect.variant
            row: list[str | int | float | None] = [
                ",".join(panel.players), panel.deals, panel.game_count, free(variant.label), variant.option,
                variant.before, variant.value,
            ]  # fmt: skip
            for name in _SHARES:
                share: Estimate | None = getattr(effect, name)
                row += [share.value, share.low, share.high] if share else [None] * 3
            for name in DIFFERENCES:
                one: Difference = getattr(effect, name)
                row += [one.first, one.variant, one.value, one.low, one.high, one.saved]
            rows.append(["" if cell is None else cell for cell in row])
    return _csv(IMPACT, rows)
