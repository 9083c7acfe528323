"""What a ruleset's cases leave untested: options that no case exercises, and values that no case tells apart.

An option is exercised when changing its value, and nothing else, changes what becomes of some case. A case that itself
changes an option (``with``) tells the value it sets from the ruleset's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..cases import HOLDS, Case
from ..loading import load, rulesets
from ..options import BY_NAME, OPTIONS, Option
from ..options.conflicts import broken_conflicts
from ..options.idle import decides
from ..options.numbers import comes_to
from ..ruleset import Ruleset, RulesetError

Value = str | int
#: Is told how many of how many steps are done.
Progress = Callable[[int, int], None]

#: A case sets up a position after dealing, so that it cannot show how the cards are dealt.
_DEALING = ("packet_cards", "first_packet", "turn_up")
#: Of a number with more answers than this not all are tried.
_FEW = 4


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the cases of a ruleset exercise.

    ``alike`` gives, for the options that are exercised, the values that no case tells from the ruleset's own.
    ``meaningless`` are the options that others, or their numbers, make so, and ``outside`` those that no case could
    show: what happens between deals, at the table, or in dealing, and what others force (:func:`forced_by`).
    """

    rules: Ruleset
    cases: int
    exercised: tuple[str, ...]
    missing: tuple[str, ...]
    alike: Mapping[str, tuple[Value, ...]]
    meaningless: tuple[str, ...]
    outside: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {
            "ruleset": self.rules.id,
            "cases": self.cases,
            "exercised": list(self.exercised),
            "missing": list(self.missing),
            "alike": {name: list(values) for name, values in self.alike.items()},
            "meaningless": list(self.meaningless),
            "outside": list(self.outside),
        }


def unseen(done: int, of: int) -> None:
    """The progress of which nobody wants to hear."""


def cover(cases: Sequence[Case], progress: Progress = unseen) -> tuple[Coverage, ...]:
    """What the cases exercise of each ruleset that they bind, in the order in which the rulesets first come."""
    bound: dict[Ruleset, list[Case]] = {}
    for case in cases:
        for rules in case.bound():
            bound.setdefault(rules, []).append(case)
    found: list[Coverage] = []

    def begin(option: Option) -> None:
        progress(len(found) * len(OPTIONS) + option.index, len(bound) * len(OPTIONS))

    for rules, mine in bound.items():
        found.append(_cover(rules, mine, begin))
    return tuple(found)


def _cover(rules: Ruleset, cases: Sequence[Case], begin: Callable[[Option], None]) -> Coverage:
    # A case that fails says nothing about the rules.
    tried = [_Tried(case, base) for case, base in _bases(rules, cases) if case.verdict(base)[0] == HOLDS]
    exercised, missing, meaningless, outside = [], [], [], []
    alike: dict[str, tuple[Value, ...]] = {}
    for option in OPTIONS:
        begin(option)
        others = [value for value in other_values(option, rules) if changed(rules, option.name, value) is not None]
        told = [value for value in others if any(one.tells(rules, option.name, value) for one in tried)]
        if told:
            exercised.append(option.name)
            rest = tuple(value for value in others if value not in told)
            if rest:
                alike[option.name] = rest
        elif option.affects in ("table", "game") or option.name in _DEALING:
            outside.append(option.name)
        elif not decides(rules.values, option.name):
            meaningless.append(option.name)
        elif not others:
            outside.append(option.name)
        else:
            missing.append(option.name)
    return Coverage(
        rules, len(cases), tuple(exercised), tuple(missing), alike, tuple(meaningless), tuple(outside)
    )


def _bases(rules: Ruleset, cases: Sequence[Case]) -> Iterator[tuple[Case, Ruleset]]:
    for case in cases:
        try:
            yield case, rules.replace(**case.changes())
        except RulesetError:
            continue


class _Tried:
    """A case that holds, and the rules by which it does: the ruleset's with the case's own changes."""

    def __init__(self, case: Case, base: Ruleset) -> None:
        self.case = case
        self.base = base

    def tells(self, rules: Ruleset, name: str, value: Value) -> bool:
        """Whether the case tells ``value`` from the one that ``rules`` have."""
        mine = self.base.values[name]
        if mine == rules.values[name]:
            other = value
        elif mine == value:
            other = rules.values[name]
        else:
            return False
        flipped = changed(self.base, name, other)
        return flipped is not None and self.case.verdict(flipped)[0] != HOLDS


def changed(rules: Ruleset, name: str, value: Value) -> Ruleset | None:
    """The rules with one option changed; None where that contradicts another."""
    try:
        return rules.replace(**{name: value})
    except RulesetError:
        return None


def forced_by(rules: Ruleset, name: str) -> tuple[str, ...]:
    """The options that leave ``name`` no other value, since every other one contradicts them; none where one is left.

    What contradicts all the other values is named alone.
    """
    barring: list[dict[str, None]] = []
    for value in BY_NAME[name].answers():
        if value != rules.values[name]:
            broken = broken_conflicts({**rules.values, name: value})
            barring.append({one: None for conflict in broken for one in conflict.options if one != name})
            if not broken:
                return ()
    together = {one: None for each in barring for one in each}
    return tuple(one for one in together if all(one in each for each in barring)) or tuple(together)


def other_values(option: Option, rules: Ruleset) -> list[Value]:
    """The values to be told from the ruleset's own: every word, and of numbers what rulesets say and the neighbours.

    A neighbour is the next number that can make a difference; of those that come to the same there is one.
    """
    mine = rules.values[option.name]
    answers: Sequence[Value] = option.answers()
    if not option.is_number or len(answers) <= _FEW:
        return [value for value in answers if value != mine]

    def same(value: Value) -> Value:
        return comes_to(rules.values, option.name, value)

    below, above = neighbours(option, rules)
    said = sorted({int(option.neutral), *(int(load(head.id).values[option.name]) for head in rulesets())})
    found: dict[Value, Value] = {same(mine): mine}
    for value in (*below[:1], *above[:1], *said):
        found.setdefault(same(value), value)
    return sorted((value for value in found.values() if value != mine), key=int)


def neighbours(option: Option, rules: Ruleset) -> tuple[list[Value], list[Value]]:
    """The numbers below and above the ruleset's own that can make a difference from it, the nearest first."""
    mine = rules.values[option.name]
    answers: Sequence[Value] = option.answers()
    place = answers.index(mine)

    def differing(values: Sequence[Value]) -> list[Value]:
        own = comes_to(rules.values, option.name, mine)
        return [value for value in values if comes_to(rules.values, option.name, value) != own]

    return differing(answers[:place])[::-1], differing(answers[place:])
