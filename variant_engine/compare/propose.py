"""Proposals of cases for the options that no case exercises: the smallest deal in which another value shows.

What is proposed is what the program makes of the rules. Whether the source means that is for the author to say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..cases import HOLDS, cases_of
from ..notation import SEATS as SEAT_LETTERS
from ..options import BY_NAME
from ..ruleset import Ruleset
from ..table import Deal
from ..yamlfile import parse_yaml
from .coverage import Coverage, Value, changed, other_values
from .witness import Witness, find_witness, move_of

#: The searches for one value, the second if the first finds nothing: deals that are played, steps through all deals.
_SEARCHES = ((300, 6_000), (2_000, 6_000))


@dataclass(frozen=True, slots=True)
class Proposal:
    """A case that tells an option's value from ``other``: its text as an item of ``cases``; None if none was found."""

    rules: Ruleset
    option: str
    other: Value | None
    case: str | None
    said: str

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {
            "ruleset": self.rules.id,
            "option": self.option,
            "other": self.other,
            "case": self.case,
            "said": self.said,
        }


def propose(covered: Coverage, begin: Callable[[str], None] = lambda name: None) -> Iterator[Proposal]:
    """A case for every option of a ruleset that none of its cases exercises; ``begin`` is told which one is next."""
    for name in covered.missing:
        begin(name)
        yield _proposal(covered.rules, name)


def _proposal(rules: Ruleset, name: str) -> Proposal:
    option = BY_NAME[name]
    others = {value: changed(rules, name, value) for value in other_values(option, rules)}
    for deals, steps in _SEARCHES:
        best: tuple[int, Value, str] | None = None
        for value, other in others.items():
            found = find_witness(rules, other, deals=deals, steps=steps, proof=False) if other is not None else None
            if isinstance(found, Witness) and found.kind != "pack" and (best is None or found.length < best[0]):
                text = case_text(found, rules, name)
                if other is not None and _shows(text, rules, other):
                    best = (found.length, value, text)
        if best is not None:
            said = f"{option.question} Here: {option.meaning(rules.values[name])}. Not: {option.meaning(best[1])}."
            return Proposal(rules, name, best[1], best[2], said)
    told = " or ".join(str(value) for value, other in others.items() if other is not None)
    return Proposal(rules, name, None, None, f"no case was found that tells {rules.values[name]} from {told}")


def _shows(text: str, rules: Ruleset, other: Ruleset) -> bool:
    """Whether the case holds by the rules and not by the others, from its text on."""
    document = parse_yaml("cases:\n" + text, "proposed.cases.yaml")
    (case,) = cases_of(document, Path("proposed.cases.yaml"))
    return case.verdict(rules)[0] == HOLDS and case.verdict(other)[0] != HOLDS


def case_text(witness: Witness, rules: Ruleset, name: str) -> str:
    """A witness as an item of a file of cases, by which ``rules`` (the first of its two) are right."""
    start = witness.start(0)
    tokens = " ".join(f"{SEAT_LETTERS[seat]}:{move_of(start, seat, code).token}" for seat, code in witness.moves)
    if witness.kind == "move":
        expect = f"{{{'can' if witness.allowed_by == 0 else 'cannot'}: [{_quoted(witness.token)}]}}"
    else:
        expect = _result(witness)
    value = rules.values[name]
    lines = [
        f"name: {_quoted(f'{name}: {value}')}",
        f"rulesets: [{rules.id}]",
        "given:",
        *(f"  {line}" for line in _given(start, witness.carry)),
    ]
    if tokens:
        lines.append(f"play: {_quoted(tokens)}")
    lines.append(f"expect: {expect}")
    return "".join(f"{'  - ' if not place else '    '}{line}\n" for place, line in enumerate(lines))


def _result(witness: Witness) -> str:
    result = witness.ended(0).result
    other = witness.ended(1).result
    if result is None:
        return "{over: false}"
    winner = "none" if result.winner is None else SEAT_LETTERS[result.winner]
    said = f"winner: {winner}, game_points: {result.game_points}, reason: {result.reason}"
    if other is not None and result.carry != other.carry:
        said += f", carry: {result.carry}"
    also = ""
    if other is not None and result.card_points != other.card_points:
        counted = ", ".join(f"{SEAT_LETTERS[seat]}: {points}" for seat, points in enumerate(result.card_points))
        also = f", points: {{{counted}}}"
    return f"{{result: {{{said}}}{also}}}"


def _given(start: Deal, carry: int) -> list[str]:
    lines = [f"dealer: {SEAT_LETTERS[start.dealer]}", f"trump: {start.trump}"]
    if start.turn_up:
        lines.append(f"turn_up: {start.turn_up}")
    lines.append(f"talon: [{', '.join(start.talon)}]")
    hands = ", ".join(f"{SEAT_LETTERS[seat]}: {_quoted(' '.join(start.hand(seat)))}" for seat in range(start.seats))
    lines.append(f"hands: {{{hands}}}")
    if carry:
        lines.append(f"carry: {carry}")
    return lines


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
