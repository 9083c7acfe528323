"""What a ruleset says about its options: for each the value, where it comes from, and whether it can matter at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from .evidence import STATUSES, Alternative
from .options import OPTIONS, Option
from .options.meaning import moot_by
from .ruleset import Ruleset, find_option

#: Beside the statuses of attested values: written down without a source; set by the user; nobody has said anything.
HOUSE, SET, NEUTRAL = "house", "set", "neutral"
ALL_STATUSES = (*STATUSES, HOUSE, SET, NEUTRAL)


@dataclass(frozen=True, slots=True)
class Said:
    """What one ruleset says about one option.

    ``status`` is one of ``ALL_STATUSES``; ``where`` holds places in the source, ``file`` and ``line`` the place in the
    rule file (None where nobody wrote the value down), ``ruleset`` the id of the ruleset whose file it is: another's
    where the value is inherited, empty for a neutral or a set one. ``moot_by`` names the options because of whose
    values this one can make no difference; empty where it can.
    """

    option: Option
    value: str | int
    status: str
    where: tuple[str, ...]
    file: str | None
    line: int | None
    ruleset: str
    why: str
    readings: tuple[str | int, ...]
    also: tuple[Alternative, ...]
    moot_by: tuple[str, ...]

    @property
    def possible(self) -> frozenset[str | int]:
        """The value, the other readings of an ambiguous text, and the other ways that the text offers."""
        return frozenset((self.value, *self.readings, *(other.value for other in self.also)))

    @property
    def spoken(self) -> bool:
        """Whether anybody has said this, rather than an editor or the program having filled it in."""
        return self.status not in ("silent", NEUTRAL)

    @property
    def spot(self) -> str:
        """``file:line``, or empty."""
        return f"{self.file}:{self.line}" if self.file is not None else ""

    @property
    def departs(self) -> bool:
        """Whether the value is another than the neutral one."""
        return self.value != self.option.neutral

    def as_json(self) -> dict[str, Any]:
        """As plain data: the value, how sure it is, its places in the source, and file and line of the rule file."""
        return {
            "value": self.value,
            "status": self.status,
            "where": list(self.where),
            "file": self.file,
            "line": self.line,
        }


def said(rules: Ruleset, name: str) -> Said:
    """What a ruleset says about an option. Raises :class:`~variant_engine.ruleset.UnknownOption`."""
    option = find_option(name)
    name = option.name
    evidence = rules.evidence[name]
    status = evidence.status
    if not status:
        changed = name in dict(rules.diff)
        status = SET if changed else HOUSE if evidence.ruleset else NEUTRAL
    written = evidence.spot if status != SET else None
    return Said(
        option=option,
        value=evidence.value,
        status=status,
        where=evidence.where,
        file=written.file if written else None,
        line=written.line if written else None,
        ruleset="" if status == SET else evidence.ruleset,
        why=evidence.why,
        readings=evidence.readings,
        also=evidence.also,
        moot_by=moot_by(rules.values, name),
    )


@dataclass(frozen=True, slots=True)
class Account:
    """A ruleset with what it says about each of its options, in registry order."""

    rules: Ruleset
    options: tuple[Said, ...]

    @property
    def departing(self) -> tuple[Said, ...]:
        """The options whose value is not the neutral one."""
        return tuple(one for one in self.options if one.departs)

    @property
    def statuses(self) -> dict[str, int]:
        """How many options have each status; those that none has are left out."""
        found = [one.status for one in self.options]
        return {status: found.count(status) for status in ALL_STATUSES if status in found}

    def as_json(self, options: Iterable[Said]) -> dict[str, Any]:
        """As plain data, with the given ones of the options."""
        rules = self.rules
        return {
            "id": rules.id,
            "title": rules.title,
            "kind": rules.kind,
            "lineage": rules.lineage,
            "language": rules.language,
            "summary": rules.summary,
            "file": rules.file,
            "parent": rules.parent,
            "source": {key: text for key, text in asdict(rules.source).items() if text} if rules.source else None,
            "hash": rules.hash,
            "changes": dict(rules.diff),
            "statuses": self.statuses,
            "options": [
                {
                    "option": one.option.name,
                    "chapter": one.option.chapter,
                    "question": one.option.question,
                    **one.as_json(),
                    "ruleset": one.ruleset or None,
                    "neutral": one.option.neutral,
                }
                for one in options
            ],
        }


def account(rules: Ruleset) -> Account:
    """What a ruleset says about all its options."""
    return Account(rules, tuple(said(rules, option.name) for option in OPTIONS))


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an option has its value in a ruleset, and what others say on the same question."""

    rules: Ruleset
    said: Said
    others: tuple[tuple[str, Said], ...]

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        one = self.said
        option = one.option
        return {
            "ruleset": self.rules.id,
            "option": option.name,
            "chapter": option.chapter,
            "question": option.question,
            **one.as_json(),
            "meaning": option.meaning(one.value),
            "why": one.why,
            "readings": [_with_meaning(option, value) for value in one.readings],
            "also": [_with_meaning(option, other.value) | {"where": list(other.where)} for other in one.also],
            "values": [_with_meaning(option, token) for token in option.tokens],
            "neutral": option.neutral,
            "moot_by": list(one.moot_by),
            "others": {name: other.as_json() for name, other in self.others},
        }


def _with_meaning(option: Option, value: str | int) -> dict[str, Any]:
    return {"value": value, "meaning": option.meaning(value)}


def explain_option(rules: Ruleset, name: str, others: Iterable[Ruleset]) -> Explanation:
    """Why the option has its value. Raises :class:`~variant_engine.ruleset.UnknownOption`."""
    return Explanation(rules, said(rules, name), tuple((other.id, said(other, name)) for other in others))
