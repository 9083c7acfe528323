"""The text of ``explain``, and of the reports on cases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from .terminal import fill, table

if TYPE_CHECKING:
    from variant_engine.cases import Case
    from variant_engine.codes import Code
    from variant_engine.compare.coverage import Coverage
    from variant_engine.compare.crossed import Crossed, Unplayable
    from variant_engine.compare.propose import Proposal


# ---- explain -------------------------------------------------------------------------------------------------------


def code_text(code: Code, columns: int) -> str:
    """All about one code."""
    from variant_engine.codes import shown

    parts = [f"{code.name}: {code.title}", fill(code.means, columns)]
    if code.wrong is not None:
        # Where nothing is left of what is right, the mistake is that it is missing.
        wrong = shown(code.wrong) or f"(without {shown(code.right or '').strip()})"
        parts.append("Wrong:\n" + _indented(wrong))
        parts.append("Right:\n" + _indented(shown(code.right or "")))
    else:
        parts.append(fill(f"Example: {code.example}", columns))
    parts.append(fill(f"What to do: {code.do}", columns))
    return "\n\n".join(parts)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.rstrip("\n").split("\n"))


def all_codes_text(codes: Iterable[Code], columns: int) -> str:
    """A line for each code, by what they are about."""
    from variant_engine.codes import families

    lines = []
    for letter, group in groupby(codes, lambda code: code.family):
        lines += ["", f"{letter}: {families()[letter]}", *table([(code.name, code.title) for code in group], columns)]
    return "\n".join(lines[1:])


# ---- test ----------------------------------------------------------------------------------------------------------


def coverage_text(found: Coverage, columns: int, *, own: bool = False) -> str:
    """What the cases of a ruleset exercise, and what not; ``own``: of the options that its own file answers."""
    from variant_engine.compare.coverage import forced_by
    from variant_engine.options import BY_NAME

    all_told = len(found.exercised) + len(found.missing)
    which, cases = "own options" if own else "options", "case" if found.cases == 1 else "cases"
    lines = [f"{found.rules.id}: {len(found.exercised)} of {all_told} {which} exercised by {found.cases} {cases}"]
    if found.missing:
        lines.append("  no case exercises:")
        lines += table([(name, BY_NAME[name].question) for name in found.missing], columns, indent="    ")
    if found.alike:
        lines.append("  exercised, but with another value every case would come out the same:")
        rows = [(name, _told_alike(found.rules.values[name], values)) for name, values in found.alike.items()]
        lines += table(rows, columns, indent="    ")
    by = {name: forced_by(found.rules, name) for name in found.outside}
    forced = [f"{name} (by {' and '.join(because)})" for name, because in by.items() if because]
    for names, what in (
        (found.meaningless, "meaningless here"),
        (forced, "forced by another option"),
        ([name for name in found.outside if not by[name]], "not to be shown by a case"),
    ):
        if names:
            lines.append(fill(f"{what}: {', '.join(names)}", columns, indent="  ", more="    "))
    return "\n".join(lines)


def _told_alike(mine: str | int, others: Sequence[str | int]) -> str:
    *most, last = map(str, others)
    told = f"{', '.join(most)} or {last}" if most else last
    return f"is {mine}; {told} would do as well"


def crossed_text(found: Crossed, columns: int) -> str:
    """A line of signs for every case, and what contradicts what."""
    from variant_engine.compare.crossed import SIGNS

    names = found.rulesets
    lines = [
        "Cases under every ruleset: = holds, x contradicts,",
        "- the position cannot be set up, / a move that is played does not exist there",
    ]
    lines += [f"  {' ' * place}{name}" for place, name in enumerate(names)]
    lines += [
        f"  {''.join(SIGNS[row.cells[name]] for name in names)}  {row.ruleset}: {row.case.name}" for row in found.rows
    ]
    if found.left_out:
        lines.append(f"Left out: {found.left_out} that change an option, and so are nobody's own example.")
    lines += ["", f"{len(found.contradictions)} contradictions" if found.contradictions else "No contradictions."]
    for one in found.contradictions:
        where = f", {one.case.where}" if one.case.where else ""
        lines.append(f"{one.case.file_name}:{one.case.line}: {one.ruleset}{where}, against {one.under}")
        lines.append(fill(one.case.name, columns, indent="  "))
        lines.append(fill(f"by {one.under}: {one.message}", columns, indent="  ", more="    "))
        if one.together:
            lines.append("  what decides it, together:")
        indent = "    " if one.together else "  "
        for name, (mine, theirs) in one.options.items():
            lines.append(f"{indent}{name}: {one.ruleset} {mine}, {one.under} {theirs}")
    if found.unplayable:
        lines += ["", "Not to be played under other rules, and so neither for nor against them:"]
    for message, cases in _by_message(found.unplayable).items():
        lines.append(fill(message, columns, indent="  ", more="    "))
        for case, under in cases.items():
            where = f"{case.file_name}:{case.line}: {', '.join(under)}"
            lines.append(fill(where, columns, indent="    ", more="      "))
    return "\n".join(lines)


def _by_message(unplayable: Sequence[Unplayable]) -> dict[str, dict[Case, list[str]]]:
    """What keeps cases from being played, which cases, and under which rules."""
    found: dict[str, dict[Case, list[str]]] = {}
    for one in unplayable:
        found.setdefault(one.message, {}).setdefault(one.case, []).append(one.under)
    return found


def bound_to(proposal: Proposal, name: str) -> Proposal:
    """A proposal whose case binds its ruleset by this name, an id or a path."""
    if proposal.case is None or name == proposal.rules.id:
        return proposal
    line = f"rulesets: [{proposal.rules.id}]\n"
    return replace(proposal, case=proposal.case.replace(line, f"rulesets: [{json.dumps(name)}]\n", 1))


def proposals_text(proposals: Sequence[Proposal]) -> str:
    """A file of cases: one for each option that a case can exercise, and comments for the others."""
    lines = [
        "# Proposed by the program from the rules as they stand: read each against the source, then keep or delete it.",
    ]
    cases = [one for one in proposals if one.case is not None]
    lines.append("cases:" if cases else "# No case is missing that could be found.")
    for one in proposals:
        if one.case is not None:
            lines += [fill(one.said, 100, indent="  # "), one.case.rstrip("\n")]
        else:
            lines.append(fill(f"{one.option}: {one.said}", 100, indent="  # "))
    return "\n".join(lines)
