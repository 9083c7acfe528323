"""Worked examples of what a new ruleset changes: for each change the smallest deals that tell it from its neighbours.

A number is told from the nearest one below it and the nearest above that make a difference, a word from the one it
stands in place of. What cannot be shown is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..cases import HOLDS, Case, cases_of
from ..options import OPTIONS, Option
from ..options.numbers import comes_to
from ..ruleset import Ruleset
from ..yamlfile import parse_yaml
from .coverage import Value, changed, neighbours
from .propose import case_text
from .witness import Witness, find_witness

#: How long a case is looked for: deals that are played, steps through all deals.
_DEALS, _STEPS = 300, 6_000
#: So many neighbours of a number are tried on either side.
_NEAR = 2


@dataclass(frozen=True, slots=True)
class Examples:
    """Cases, as items of a file of cases that binds the new ruleset, and what has to be said of those there are not."""

    cases: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Example:
    """A case, and the options that it is an example of; ``told`` is the value that the first is told from."""

    case: Case
    text: str
    options: list[str]
    told: Value

    @property
    def content(self) -> str:
        """All of the case but its name."""
        return self.text.partition("\n")[2]

    def tells(self, other: Ruleset) -> bool:
        """Whether the case does not hold by other rules."""
        return self.case.verdict(other)[0] != HOLDS


@dataclass(slots=True)
class _Search:
    """Looks for the examples of all changes."""

    rules: Ruleset
    parent: Ruleset
    found: list[_Example] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def look(self, option: Option) -> None:
        """Look for examples of one change, and note what cannot be shown."""
        mine, before = self.rules.values[option.name], self.parent.values[option.name]
        if mine == before:
            self.notes.append(f"no example found for {option.name}: it is {mine} in {self.parent.id}, too")
            return
        if option.affects in ("table", "game"):
            what = "at the table" if option.affects == "table" else "between deals"
            why = f"a case is one deal, and this is about what happens {what}"
            self.notes.append(f"no example found for {option.name}: {why}")
            return
        same = comes_to(self.rules.values, option.name, mine)
        if same != mine:
            self.notes.append(f"{option.name}: beside the other rules {mine} comes to the same as {same}")
        alike: list[Value] = []
        for side in neighbours(option, self.rules) if option.is_number else ():
            alike += self._nearest(option.name, side[:_NEAR])
        if not self._shown(option.name, before) and not self._tell(option.name, before) and not self._of(option.name):
            self.notes.append(self._nothing(option.name, mine, before))
        elif alike:
            told = " or ".join(map(str, alike))
            self.notes.append(f"{option.name}: no deal was found that tells {mine} from {told}")

    def _of(self, name: str) -> list[_Example]:
        return [one for one in self.found if name in one.options]

    def _shown(self, name: str, value: Value) -> bool:
        """Whether an example of the option tells its value from another already."""
        other = changed(self.rules, name, value)
        return other is not None and any(one.tells(other) for one in self._of(name))

    def _nearest(self, name: str, side: Sequence[Value]) -> list[Value]:
        """Find what tells the value from the first of ``side`` that can be told from it; gives those that cannot."""
        alike: list[Value] = []
        for other in side:
            if changed(self.rules, name, other) is None:
                continue
            if self._tell(name, other):
                return alike
            alike.append(other)
        return alike

    def _tell(self, name: str, value: Value) -> bool:
        """Look for an example that tells the option's value from another, and keep it if it is a new one.

        Those of before are not asked: that one is not played to its end by other rules does not make it clear.
        """
        other = changed(self.rules, name, value)
        if other is None:
            return False
        witness = find_witness(self.rules, other, deals=_DEALS, steps=_STEPS, proof=False)
        if not isinstance(witness, Witness) or witness.kind == "pack":
            return False
        text = case_text(witness, self.rules, name)
        (case,) = cases_of(parse_yaml("cases:\n" + text, "new.cases.yaml"), Path("new.cases.yaml"))
        made = _Example(case, text, [name], value)
        if case.verdict(self.rules)[0] != HOLDS or not made.tells(other):
            return False
        same = next((one for one in self.found if one.content == made.content), None)
        if same is None:
            self.found.append(made)
        elif name not in same.options:
            same.options.append(name)
            self.notes.append(f"one example for {' and '.join(same.options)}: the same deal shows both")
        return True

    def _nothing(self, name: str, mine: Value, before: Value) -> str:
        other = changed(self.rules, name, before)
        if other is None:
            return f"no example found for {name}: by itself it cannot be {before} beside the other changes"
        shown = next((one for one in self.found if one.tells(other)), None)
        if shown is not None:
            return f"no example found for {name} alone: that of {shown.options[0]} shows it as well"
        return f"no example found for {name}: no deal was found that tells {mine} from {before}"


def examples(parent: Ruleset, changes: Mapping[str, Value], bound: str) -> Examples:
    """Worked examples of each change to ``parent``, as cases that bind the ruleset called ``bound``."""
    search = _Search(parent.replace(**changes), parent)
    for option in OPTIONS:
        if option.name in changes:
            search.look(option)
    cases = []
    for one in search.found:
        text = one.text.replace(f"rulesets: [{search.rules.id}]", f'rulesets: ["{bound}"]', 1)
        if len(search._of(one.options[0])) > 1:
            head = f"{one.options[0]}: {search.rules.values[one.options[0]]}"
            text = text.replace(f'name: "{head}"', f'name: "{head}, not {one.told}"', 1)
        cases.append(text)
    return Examples(tuple(cases), tuple(search.notes))
