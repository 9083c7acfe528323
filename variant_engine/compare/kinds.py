"""What kind of difference an option makes between two rulesets: in play, in the score alone, or none that ever shows.

An option is judged alone: a ruleset against itself with the other's answer to this one question, and the other way
round, since an answer that is idle in one ruleset may matter in the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from ..encoding import PACK, Rules
from ..options import BY_NAME, OPTIONS, Option
from ..options.ending import TIE_CARRY
from ..options.meaning import meaningful
from ..ruleset import Ruleset
from .cutproof import CutProof, cut_proof
from .directed import witnesses
from .exhaustive import Exhaustive
from .lazy import deal_alike
from .witness import NoWitness, Witness, alone, find_witness

#: Kinds of difference, the weightiest first.
PARTS, SCORE, NEVER, BETWEEN, PRESENTATION = (
    "parts in play",
    "same play, other score",
    "never matters",
    "between deals",
    "presentation only",
)
KINDS = (PARTS, SCORE, NEVER, BETWEEN, PRESENTATION)

#: Deals that are played before an option counts as one that never matters; and, once the result has been seen to
#: differ, before it counts as one that changes no move.
DEALS, MORE = 800, 200
#: The exhaustive search that backs this up: steps and moves; and the steps for a witness.
_STEPS, _DEEPEST, _WITNESS_STEPS = 1_500, 4, 8_000


@dataclass(frozen=True)
class Kind:
    """What one option does between two rulesets, and what shows it."""

    option: Option
    names: tuple[str, str]
    kind: str
    answer: Witness | NoWitness | None

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {
            "option": self.option.name,
            "rulesets": list(self.names),
            "kind": self.kind,
            "witness": self.answer.as_json() if self.answer is not None else None,
        }

    @property
    def proved(self) -> bool:
        """Of an option that never matters: whether that was shown on a cut-down pack, or follows from the rules."""
        return isinstance(self.answer, NoWitness) and self.answer.proved


def effect(one: Rules, two: Rules, deals: int = DEALS) -> str:
    """Whether two rulesets part in play, only in the score, or were never seen to: ``PARTS``, ``SCORE``, ``NEVER``."""
    return _effect(one, two, deals)


@lru_cache(maxsize=4096)
def _effect(one: Rules, two: Rules, deals: int) -> str:
    if one == two:
        return NEVER
    if one[PACK] != two[PACK]:
        return PARTS
    scored = -1
    for carries in ((0,), (1,)) if one[TIE_CARRY] != two[TIE_CARRY] else ((0,),):
        limit = deals
        for number, _, _, course in witnesses(one, two, deals, carries):
            if not course.parting.is_result:
                return PARTS
            if scored < 0:
                scored, limit = number, min(deals, number + MORE)
            if number >= limit:
                break
        if scored >= 0:
            break
    if scored < 0 and deal_alike(one, two):
        found, _ = Exhaustive(one, two, _STEPS).search(_DEEPEST)
        if found is not None:
            return SCORE if found[1].parting.is_result else PARTS
    return SCORE if scored >= 0 else NEVER


def kind_of(one: Ruleset, two: Ruleset, name: str, deals: int = DEALS) -> str:
    """What the difference between two rulesets in one option comes to, without a witness."""
    option = BY_NAME[name]
    if option.affects == "table":
        return PRESENTATION
    if option.affects == "game":
        return BETWEEN
    found = {_alone_effect(base, changed, option, deals) for base, _, changed in alone(one, two, name)}
    if name == "pack_cards" and not found:
        # It cannot be changed alone, but other cards are another game.
        return PARTS
    return next((kind for kind in (PARTS, SCORE) if kind in found), NEVER)


def _alone_effect(base: Ruleset, changed: Ruleset, option: Option, deals: int) -> str:
    if not meaningful(base.values, option.name):
        return NEVER
    return effect(base.ints, changed.ints, deals)


def difference(one: Ruleset, two: Ruleset, name: str, deals: int = DEALS) -> Kind:
    """What the difference between two rulesets in one option comes to, with a witness or what was covered."""
    kind = kind_of(one, two, name, deals)
    names = (one.id, two.id)
    if kind in (PARTS, SCORE):
        answer = find_witness(one, two, name, deals=deals, steps=_WITNESS_STEPS, results=kind == SCORE)
        if isinstance(answer, NoWitness):
            # It cannot be changed alone; the rulesets themselves show it.
            answer = find_witness(one, two, deals=deals, steps=_WITNESS_STEPS)
        return Kind(BY_NAME[name], names, kind, answer)
    if kind == NEVER:
        return Kind(BY_NAME[name], names, kind, _covered(one, two, name, deals))
    return Kind(BY_NAME[name], names, kind, None)


def _covered(one: Ruleset, two: Ruleset, name: str, deals: int) -> NoWitness:
    proofs: list[CutProof] = []
    met = False
    for base, _, changed in alone(one, two, name):
        if meaningful(base.values, name):
            met = True
            proof = cut_proof(base, changed)
            if proof is not None:
                proofs.append(proof)
    if not met:
        return NoWitness((one.id, two.id), False, name, unmet=True)
    weakest = min(proofs, key=lambda proof: proof.proves, default=None)
    return NoWitness((one.id, two.id), False, name, tried=deals, proof=weakest)


def differences(rulesets: Sequence[Ruleset], deals: int = DEALS) -> tuple[Kind, ...]:
    """For every option in which any two of the rulesets differ, the weightiest that the difference comes to.

    Of several pairs of rulesets that show it, the first is taken.
    """
    found = []
    for option in OPTIONS:
        pairs = [
            (one, two) for one, two in combinations(rulesets, 2) if one.values[option.name] != two.values[option.name]
        ]
        if pairs:
            kinds = [KINDS.index(kind_of(one, two, option.name, deals)) for one, two in pairs]
            one, two = pairs[kinds.index(min(kinds))]
            found.append(difference(one, two, option.name, deals))
    return tuple(found)
