"""Everything that a report on some rulesets tells: who says what, whether it matters, and the deals that show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ..compare.distance import Distance, Distances
from ..compare.gaps import Gap, Gaps, find_gaps
from ..compare.kinds import KINDS, PARTS, SCORE, Kind, difference, kind_of
from ..compare.matrix import Matrix, compare
from ..compare.witness import NoWitness, Witness, find_witness
from ..options import OPTIONS, Option
from ..ruleset import Ruleset

#: Is told now and then what is being done.
Say = Callable[[str], None]


def _quiet(what: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What the difference in one option comes to.

    ``kind`` is the weightiest of all pairs; ``pairs`` has the kind for each two rulesets that differ. ``shown`` has,
    for each two answers, the pair that shows it best, with a witness or what was covered; the weightiest first.
    """

    option: Option
    kind: str
    pairs: Mapping[tuple[str, str], str]
    shown: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rulesets as wholes: how far they lie apart, and the smallest deal in which they part."""

    distance: Distance
    answer: Witness | NoWitness


@dataclass(frozen=True)
class Dossier:
    """A report's matter. ``effects`` are by option; without them, ``pairs`` and ``gaps`` it is a bare comparison."""

    rulesets: tuple[Ruleset, ...]
    matrix: Matrix
    effects: Mapping[str, Effect] = field(default_factory=dict)
    pairs: tuple[Pair, ...] = ()
    gaps: tuple[Gaps, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The rulesets' names, those of one lineage side by side."""
        return tuple(name for names in self.matrix.lineages.values() for name in names)

    def ruleset(self, name: str) -> Ruleset:
        """The ruleset with a name of the comparison."""
        return self.rulesets[self.matrix.rulesets.index(name)]

    @property
    def distances(self) -> Distances:
        """The distances of all pairs."""
        return Distances(self.matrix.rulesets, tuple(pair.distance for pair in self.pairs))

    def gap(self, name: str, option: str) -> Gap | None:
        """How often a value that a text leaves open decides, if that was tried."""
        found = (gap for gaps in self.gaps if gaps.ruleset == name for gap in gaps.gaps if gap.option.name == option)
        return next(found, None)


def bare(rulesets: Sequence[Ruleset], names: Sequence[str] | None = None) -> Dossier:
    """The comparison alone. Raises :class:`ValueError` for names that are not all different."""
    return Dossier(tuple(rulesets), compare(rulesets, names))


def with_effects(rulesets: Sequence[Ruleset], say: Say = _quiet) -> Dossier:
    """The comparison, and what each difference comes to. Raises :class:`ValueError` for two with the same id."""
    dossier = bare(rulesets)
    return Dossier(dossier.rulesets, dossier.matrix, effects(rulesets, say))


def whole(
    rulesets: Sequence[Ruleset],
    *,
    deals: int = 400,
    seed: int = 66,
    players: Sequence[str] = ("greedy", "greedy"),
    say: Say = _quiet,
) -> Dossier:
    """All there is to tell about some rulesets.

    What a text leaves open is read as the text itself or the others among them read it, so that the page names all whom
    it quotes. Raises :class:`ValueError` for fewer than two rulesets, or two with the same id.
    """
    if len(rulesets) < 2:
        raise ValueError("a report compares two rulesets or more")
    dossier = with_effects(rulesets, say)
    pairs = []
    for one, two in combinations(rulesets, 2):
        say(f"{one.id} and {two.id}")
        pairs.append(Pair(_distance(one, two, dossier.effects), find_witness(one, two)))
    gaps = []
    for rules in rulesets:
        if rules.kind == "attested":
            say(f"what {rules.id} leaves open")
            gaps.append(find_gaps(rules, rulesets, deals=deals, seed=seed, players=players))
    return Dossier(dossier.rulesets, dossier.matrix, dossier.effects, tuple(pairs), tuple(gaps))


def effects(rulesets: Sequence[Ruleset], say: Say = _quiet) -> dict[str, Effect]:
    """What the difference in each option comes to, for the options in which any two of the rulesets differ."""
    found = {}
    for option in OPTIONS:
        by_answers: dict[frozenset[str | int], list[tuple[Ruleset, Ruleset]]] = {}
        pairs: dict[tuple[str, str], str] = {}
        for one, two in combinations(rulesets, 2):
            mine, theirs = one.values[option.name], two.values[option.name]
            if mine != theirs:
                by_answers.setdefault(frozenset((mine, theirs)), []).append((one, two))
        if not by_answers:
            continue
        say(option.name)
        shown = []
        for differing in by_answers.values():
            kinds = [kind_of(one, two, option.name) for one, two in differing]
            pairs |= {(one.id, two.id): kind for (one, two), kind in zip(differing, kinds, strict=True)}
            best = min(range(len(kinds)), key=lambda place: KINDS.index(kinds[place]))
            shown.append(difference(*differing[best], option.name))
        shown.sort(key=lambda kind: KINDS.index(kind.kind))
        found[option.name] = Effect(option, shown[0].kind, pairs, tuple(shown))
    return found


def _distance(one: Ruleset, two: Ruleset, found: Mapping[str, Effect]) -> Distance:
    kinds = {
        name: effect.pairs[one.id, two.id] for name, effect in found.items() if (one.id, two.id) in effect.pairs
    }
    parting, scoring = (tuple(name for name, kind in kinds.items() if kind == wanted) for wanted in (PARTS, SCORE))
    return Distance((one.id, two.id), tuple(kinds), parting, scoring)
