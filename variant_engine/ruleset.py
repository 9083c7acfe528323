"""A resolved ruleset: a value for every option, and for each value what is said about where it comes from.

Nothing here reads files; :mod:`variant_engine.loading` does, and hands out these objects.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from .cards import card_name, cards_in, names
from .evidence import Evidence
from .hints import number_range, option_help, quoted, value_help
from .options import BY_NAME, OPTIONS, Option
from .options.conflicts import broken_conflicts

Values = Mapping[str, str | int]


class RulesetError(ValueError):
    """A change to a ruleset that cannot be made. The message is a sentence for people."""


class UnknownOption(RulesetError, LookupError):
    """There is no option of that name."""


class BadValue(RulesetError):
    """The option has no such value."""


class ContradictoryOptions(RulesetError):
    """Values that no deck of cards can satisfy together."""


@dataclass(frozen=True, slots=True)
class Source:
    """What an attested ruleset was read from: a text's file bound by its hash, or a program's package and version."""

    type: str
    file: str = ""
    sha256: str = ""
    package: str = ""
    version: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """What a ruleset's file says about itself above its options; ``sound``: whether its rules can be used."""

    id: str
    title: str
    kind: str
    lineage: str
    language: str
    summary: str
    parent: str | None
    file: str
    sound: bool = True


def find_option(name: str) -> Option:
    """The option called ``name``; raises :class:`UnknownOption` with the nearest name."""
    try:
        return BY_NAME[name]
    except (KeyError, TypeError):
        raise UnknownOption(f"there is no option called {quoted(name)}; {option_help(str(name))}") from None


def checked_value(name: str, value: object) -> str | int:
    """``value`` if the option ``name`` has it; raises :class:`UnknownOption` or :class:`BadValue`."""
    option = find_option(name)
    try:
        return option.decode(option.encode(value))  # type: ignore[arg-type]  # encode refuses other types
    except (ValueError, TypeError):
        raise BadValue(_no_value(option, value)) from None


def _no_value(option: Option, value: object) -> str:
    if option.is_number:
        return f"'{option.name}' must be {number_range(option)}, not {quoted(value)}"
    return f"{quoted(value)} is no value of '{option.name}'; {value_help(option, str(value))}"


def read_value(name: str, text: str) -> str | int:
    """The value that ``text`` writes for the option ``name``, as on a command line: ``--set hand_cards=5``."""
    option = find_option(name)
    # No number of an option has more than nine digits, and int() of a very long one would be slow.
    if option.is_number and text.isascii() and text.isdigit() and len(text) < 10:
        return checked_value(name, int(text))
    return checked_value(name, text)


_MAPPINGS = ("values", "evidence", "sources", "commentary")


@dataclass(frozen=True, eq=False)
class Ruleset:
    """The rules of one variant, complete and unchangeable. Get one from ``load``; vary it with :meth:`replace`.

    ``values`` and ``evidence`` have every option, in registry order. ``sources`` gives, for this ruleset and its
    ancestors, the source each was read from: the ``ruleset`` of an :class:`Evidence` is a key of it, if that ruleset
    has a source. ``commentary`` gives, for the places of the ruleset's own text that no option cites, the reason.
    """

    id: str
    title: str
    kind: str
    lineage: str
    language: str
    summary: str
    source: Source | None
    parent: str | None
    file: str
    values: Values
    evidence: Mapping[str, Evidence]
    sources: Mapping[str, Source] = field(default_factory=dict)
    _loaded: Ruleset | None = None
    #: The mask of the cards of a cut-down pack; 0 for a whole one. See :func:`variant_engine.cutdown.cut_down`.
    cut_pack: int = 0
    commentary: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in _MAPPINGS:
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __getitem__(self, name: str) -> str | int:
        return self.values[find_option(name).name]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ruleset):
            return NotImplemented
        mine, theirs = ((one.id, one.file, one.cut_pack, one.values, one.evidence) for one in (self, other))
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self.id, self.file, self.cut_pack, tuple(self.values.values())))

    def __repr__(self) -> str:
        changes = "".join(f", {name}={value!r}" for name, value in self.diff)
        return f"<Ruleset {self.id}{changes}>"

    def __getstate__(self) -> dict[str, Any]:
        """For pickling and copying, which do not know how to deal with read-only views."""
        state = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return state | {name: dict(state[name]) for name in _MAPPINGS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def replace(self, **changes: str | int) -> Ruleset:
        """This ruleset with some options changed.

        Raises a :class:`RulesetError`, which is a ``ValueError``, for an unknown option, a value that the option does
        not have, or values that contradict each other. A changed option claims no source, except that a value which
        the text itself offers (among ``also`` or ``readings``) keeps the place where it does.
        """
        loaded = self._loaded or self
        values = dict(self.values)
        for name, value in changes.items():
            values[find_option(name).name] = checked_value(name, value)
        broken = contradictions(values, self.cut_pack)
        if broken:
            raise ContradictoryOptions("; ".join(broken))
        evidence = {
            name: said if said.value == values[name] else _set_by_hand(said, values[name])
            for name, said in loaded.evidence.items()
        }
        kept = ("id", "title", "kind", "lineage", "language", "summary", "source", "parent", "file", "sources")
        same = {name: getattr(loaded, name) for name in (*kept, "cut_pack", "commentary")}
        return Ruleset(**same, values=values, evidence=evidence, _loaded=loaded)

    @property
    def diff(self) -> tuple[tuple[str, str | int], ...]:
        """The changes that :meth:`replace` has made since the ruleset was loaded, in registry order."""
        if self._loaded is None:
            return ()
        before = self._loaded.values
        return tuple((name, value) for name, value in self.values.items() if value != before[name])

    @cached_property
    def hash(self) -> str:
        """``sha256:`` and the digest of the rules that bear on play, score or game; see :func:`rules_hash`."""
        return rules_hash(self.values, self.cut_pack)

    @cached_property
    def ints(self) -> tuple[int, ...]:
        """The values as the core reads them."""
        from .encoding import encode

        return encode(self.values, self.cut_pack)


def contradictions(values: Values, cut_pack: int = 0) -> list[str]:
    """What cannot go together in a complete set of values, as sentences; ``cut_pack`` as in :class:`Ruleset`."""
    if not cut_pack:
        return [f"{one.message(values)} ({one.fix(values)})" for one in broken_conflicts(values)]
    # How many cards there are decides, not how many the whole pack has; which cards these are is seen to here.
    values = dict(values) | {"pack_cards": cut_pack.bit_count()}
    found = [one.message(values) for one in broken_conflicts(values) if one.code != "R302"]
    letter = {"nine": "9", "jack": "J", "seven": "7", "none": ""}[str(values["exchange_card"])]
    if letter and not any(card_name(card).endswith(letter) for card in cards_in(cut_pack)):
        found.append(f"a cut-down pack without a {values['exchange_card']} has nothing to exchange")
    return found


def rules_hash(values: Values, cut_pack: int = 0) -> str:
    """The hash by which records know a set of rules.

    SHA-256 of the lines ``option=value``, in UTF-8, sorted by code point and joined by single line feeds, with none
    at the end. Options at their neutral value are left out, so that the program may gain options without the hashes
    of old records changing; so are options that only concern people at the table. A cut-down pack adds a line of its
    own, ``cut_pack=SA SK …``.
    """
    lines = [
        f"{option.name}={values[option.name]}"
        for option in OPTIONS
        if option.affects != "table" and values[option.name] != option.neutral
    ]
    if cut_pack:
        lines.append(f"cut_pack={names(cut_pack)}")
    lines.sort()
    return "sha256:" + hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _set_by_hand(said: Evidence, value: str | int) -> Evidence:
    """What can be said about ``value`` where the loaded ruleset said something else."""
    for other in said.also:
        if other.value == value:
            return Evidence(value, where=other.where, ruleset=said.ruleset)
    if value in said.readings:
        return Evidence(value, where=said.where, ruleset=said.ruleset)
    return Evidence(value)
