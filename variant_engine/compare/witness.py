"""The smallest deal in which two rulesets part, or what was covered when none is found.

Deals are looked for in two ways. *Directed*: seeded deals are played in lockstep, and what parts them is shrunk.
*Exhaustive*: all deals by number of moves, as far as a fixed number of steps goes. The smaller find counts; if the
exhaustive search has ruled out every smaller number of moves, the witness is *smallest*, else it is a *local minimum*.
Nothing depends on a clock, so that the same two rulesets always get the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from ..cards import card_name, cards_in
from ..encoding import EXCHANGE_PLACE, PACK
from ..notation import SEATS as SEAT_LETTERS
from ..notation import Move, move_table
from ..options import OPTIONS
from ..options.ending import TIE_CARRY
from ..options.marriage import MARRIAGE_PLAIN, MARRIAGE_TRUMP
from ..options.meaning import meaningful
from ..ruleset import Ruleset, RulesetError, find_option
from ..table import Deal, deal
from .cutproof import CutProof, cut_proof
from .directed import CARDS_ONLY, witnesses
from .exhaustive import Exhaustive
from .lazy import deal_alike
from .lockstep import RESULT, Course, Step, counted, declarations, follow
from .shrink import Found, Shrinker

#: How many deals are played at most, how many that part the rulesets are kept, and how many of these are shrunk.
DEALS, KEPT, SHRUNK = 1200, 6, 3
#: A deal of so many moves may have come to its declarations by chance: whether cards alone do it is looked into too.
LONG = 12
#: Steps that the exhaustive search may take, and how many moves deep it goes at most.
STEPS, DEEPEST = 30_000, 6

#: Methods: of the fewest moves there can be; as small as shrinking goes; the packs differ, which needs no deal.
SMALLEST, LOCAL, PACKS = "smallest", "local minimum", "different packs"


@dataclass(frozen=True)
class Witness:
    """A deal in which two rulesets part. ``moves`` are what both play before that; the dealer is always seat 1.

    ``seat`` and ``move`` say which move only one of them allows; -1 and -1: the result differs. ``allowed_by`` is 0 or
    1. ``options`` are those that decide it; ``ruled_out`` is the number of moves up to which no deal parts them (-1:
    not even that is known); ``tried`` how many deals were played to find it.
    """

    rules: tuple[Ruleset, Ruleset]
    names: tuple[str, str]
    #: Where the value of an option in each of the rules comes from.
    origins: tuple[Ruleset, Ruleset]
    method: str
    options: tuple[str, ...]
    pack: tuple[int, ...] = ()
    carry: int = 0
    moves: tuple[Step, ...] = ()
    seat: int = -1
    move: int = -1
    allowed_by: int = 0
    ruled_out: int = -1
    tried: int = 0

    @property
    def kind(self) -> str:
        """``move`` (one allows what the other refuses), ``result``, or ``pack`` (they are played with other cards)."""
        return "pack" if self.method == PACKS else "result" if self.move < 0 else "move"

    @property
    def length(self) -> int:
        """How many moves both play, drawing not counted."""
        return counted(self.moves)

    @property
    def size(self) -> tuple[int, int, int]:
        """By which witnesses are compared: what is carried into the deal, moves, declarations among them."""
        return self.carry, self.length, declarations(self.moves)

    @cached_property
    def deals(self) -> tuple[Deal, Deal]:
        """The deal under each of the rules, after the moves that both play. A witness of kind ``pack`` has none."""
        one, two = (self.played(side) for side in (0, 1))
        return one, two

    def start(self, side: int) -> Deal:
        """The deal under one of the rules before the first move."""
        return deal(self.rules[side], pack=[card_name(card) for card in self.pack], dealer=1, carry=self.carry)

    def played(self, side: int) -> Deal:
        """The deal under one of the rules after the moves that both play."""
        current = self.start(side)
        for seat, code in self.moves:
            current = current.play(move_of(current, seat, code))
        return current

    def ended(self, side: int) -> Deal:
        """The same, with the move at which they part where the rules allow it."""
        current = self.deals[side]
        if self.kind == "move" and side == self.allowed_by:
            return current.play(move_of(current, self.seat, self.move))
        return current

    @property
    def token(self) -> str:
        """The move that only one allows, with its seat; empty for another kind."""
        if self.kind != "move":
            return ""
        move = move_of(self.deals[self.allowed_by], self.seat, self.move)
        return f"{SEAT_LETTERS[self.seat]}:{move.token}"

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        from .story import witness_json

        return witness_json(self)


@dataclass(frozen=True)
class NoWitness:
    """No deal found in which two rulesets part, and what was covered.

    ``same``: they answer every option that bears on a deal alike. ``unmet``: what the options that differ need is
    lacking in both. ``ruled_out``: up to how many moves there is none; ``tried``: how many deals were played.
    """

    names: tuple[str, str]
    same: bool
    option: str | None = None
    unmet: bool = False
    ruled_out: int = -1
    tried: int = 0
    proof: CutProof | None = None

    @property
    def proved(self) -> bool:
        """Whether it follows from the rules, or was shown by going through a whole cut-down pack."""
        return self.same or self.unmet or (self.proof is not None and self.proof.proves)

    @property
    def sentence(self) -> str:
        """What was covered, for people."""
        if self.same and self.option is not None:
            return f"no difference: they give the same answer to {self.option}, or one that bears on no deal"
        if self.same:
            return "no difference found: they give the same answer to every option that bears on play or score"
        if self.unmet:
            what = f"{self.option} needs" if self.option else "these options need"
            return f"no difference: without what {what}, no answer can matter"
        parts = []
        if self.ruled_out >= 0:
            parts.append(f"every deal of up to {self.ruled_out} moves, each way of playing it")
        if self.tried:
            parts.append(f"{self.tried} seeded deals played out in lockstep")
        if self.proof is not None:
            parts.append(self.proof.sentence)
        return "no difference found in " + "; ".join(parts)

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        proof = self.proof
        return {
            "rulesets": list(self.names),
            "option": self.option,
            "found": False,
            "proved": self.proved,
            "covered": self.sentence,
            "same": self.same,
            "unmet": self.unmet,
            "ruled_out": self.ruled_out,
            "tried": self.tried,
            "cut_down": None
            if proof is None
            else {
                "pack": proof.pack,
                "deals": proof.deals,
                "positions": proof.positions,
                "complete": proof.complete,
                "parts": proof.parts,
            },
        }


def move_of(current: Deal, seat: int, code: int) -> Move:
    """The move of a seat with a core code, as it is written in a deal."""
    ints = current._ints
    named = None if seat == current.to_move else seat
    trump = "SHDC".index(current.trump)
    return move_table(trump, ints[MARRIAGE_PLAIN], ints[MARRIAGE_TRUMP], ints[EXCHANGE_PLACE], named)[code]


def bearing(one: Ruleset, two: Ruleset) -> tuple[str, ...]:
    """The options that bear on a deal and in which two rulesets differ, in registry order."""
    return tuple(
        option.name
        for option in OPTIONS
        if option.affects in ("play", "score") and one.values[option.name] != two.values[option.name]
    )


def find_witness(
    one: Ruleset,
    two: Ruleset,
    option: str | None = None,
    *,
    deals: int = DEALS,
    steps: int = STEPS,
    results: bool = True,
    proof: bool = True,
    polish: bool = True,
) -> Witness | NoWitness:
    """The smallest deal that parts two rulesets, or with ``option`` what that option alone brings about.

    With ``option``, each is held against itself with the other's answer to it, and the smaller of the two deals counts,
    the first of equals. ``deals`` and ``steps`` bound the search; ``results`` false looks for moves
    only. Raises :class:`~variant_engine.ruleset.UnknownOption`.
    """
    limits = _Limits(deals, steps, results, proof, polish)
    if option is None:
        return _between((one, two), (one.id, two.id), (one, two), limits)
    name = find_option(option).name
    answers: list[NoWitness] = []
    best: Witness | None = None
    for base, other, changed in alone(one, two, name):
        called = f"{base.id} with {name} of {other.id}"
        if base is one:
            found = _between((base, changed), (base.id, called), (base, other), limits)
        else:
            found = _between((changed, base), (called, base.id), (other, base), limits)
        if isinstance(found, NoWitness):
            answers.append(found)
        elif best is None or found.size < best.size:
            best = found
        if best is not None and best.length == 0:
            break
        # Once there is a deal, nobody asks for a proof that there is none.
        limits = replace(limits, proof=limits.proof and best is None)
    if best is not None:
        return best
    if not answers:
        return NoWitness((one.id, two.id), one.values[name] == two.values[name], name)
    # Of two that found nothing, the one that does not just follow from a missing condition says more.
    answer = min(answers, key=lambda answer: (answer.unmet, answer.same))
    return replace(answer, option=name)


def alone(one: Ruleset, two: Ruleset, name: str) -> list[tuple[Ruleset, Ruleset, Ruleset]]:
    """What one option does by itself: each ruleset, the other, and the first with the second's answer.

    Only those that are no contradiction; none if the answers are the same.
    """
    if one.values[name] == two.values[name]:
        return []
    found = []
    for base, other in ((one, two), (two, one)):
        try:
            found.append((base, other, base.replace(**{name: other.values[name]})))
        except RulesetError:
            continue
    return found


@dataclass(frozen=True, slots=True)
class _Limits:
    deals: int
    steps: int
    results: bool
    proof: bool
    polish: bool


def _between(
    rules: tuple[Ruleset, Ruleset], names: tuple[str, str], origins: tuple[Ruleset, Ruleset], limits: _Limits
) -> Witness | NoWitness:
    one, two = rules
    differ = bearing(one, two)
    if not differ:
        return NoWitness(names, same=True)
    if one.ints[PACK] != two.ints[PACK]:
        options = tuple(name for name in differ if name in ("pack_cards", "exchange_card"))
        return Witness(rules, names, origins, PACKS, options)
    if not any(meaningful(rules.values, name) for rules in (one, two) for name in differ):
        return NoWitness(names, same=False, unmet=True)
    alike = deal_alike(one.ints, two.ints)
    tried, best = _directed(one, two, limits) if alike else _dealt_apart(one, two, limits)
    ruled_out = -1
    if alike:
        deepest = DEEPEST if best is None else min(DEEPEST, counted(best.course.moves))
        search = Exhaustive(one.ints, two.ints, limits.steps, results=limits.results)
        found, ruled_out = search.search(deepest)
        if found is not None:
            exact = Found(tuple(found[0]), 0, found[1])
            if best is None or exact.size <= best.size:
                best = exact
    if best is None:
        proof = cut_proof(one, two) if limits.proof else None
        return NoWitness(names, False, None, False, ruled_out, tried, proof)
    if limits.polish and counted(best.course.moves) > ruled_out + 1:
        best = Shrinker(one.ints, two.ints, limits.results).polished(best)
    course = best.course
    length = counted(course.moves)
    smallest = length == 0 or (length <= ruled_out + 1 and best.carry == 0)
    return Witness(
        rules,
        names,
        origins,
        SMALLEST if smallest else LOCAL,
        _deciding(rules, differ, best),
        best.pack,
        best.carry,
        course.moves,
        course.parting.seat,
        course.parting.move,
        0 if course.first_allows else 1,
        min(ruled_out, length - 1),
        tried,
    )


def _directed(one: Ruleset, two: Ruleset, limits: _Limits) -> tuple[int, Found | None]:
    """How many deals were played, and the smallest of what was found in them, shrunk."""
    mine, theirs = one.ints, two.ints
    kept: list[Found] = []
    last = limits.deals
    # What is carried into the deal can only matter where the rulesets differ in what they carry out of one.
    for carries in ((0,), (1,)) if mine[TIE_CARRY] != theirs[TIE_CARRY] else ((0,),):
        for number, pack, carry, course in islice(witnesses(mine, theirs, limits.deals, carries, limits.results), KEPT):
            kept.append(Found(tuple(pack), carry, course))
            last = number + 1
        if kept:
            break
    if len(kept) < KEPT:
        last = limits.deals
    shrinker = Shrinker(mine, theirs, limits.results)
    kept.sort(key=lambda found: (found.size, found.pack))
    shrunk = [shrinker.shrunk(found) for found in kept[:SHRUNK]]
    best = min(shrunk, key=lambda found: found.key, default=None)
    if best is not None and counted(best.course.moves) >= LONG and declarations(best.course.moves):
        bare = witnesses(mine, theirs, limits.deals, (best.carry,), limits.results, (CARDS_ONLY,))
        for _, pack, carry, course in islice(bare, SHRUNK):
            shrunk.append(shrinker.shrunk(Found(tuple(pack), carry, course)))
        best = min(shrunk, key=lambda found: found.key)
    return last, best


def _dealt_apart(one: Ruleset, two: Ruleset, limits: _Limits) -> tuple[int, Found | None]:
    """For rulesets that deal a pack in different ways: the pack in order, then others, then whole deals."""
    mine, theirs = one.ints, two.ints
    pack = cards_in(mine[PACK])
    for shift in range(len(pack)):
        turned = pack[shift:] + pack[:shift]
        course = follow(mine, theirs, turned, 1, 0, ())
        if course is not None:
            return shift + 1, Found(tuple(turned), 0, course)
    return _directed(one, two, limits)


def _deciding(rules: tuple[Ruleset, Ruleset], differ: Sequence[str], found: Found) -> tuple[str, ...]:
    """The options of which each, changed alone in one ruleset, makes it do in this deal what the other does."""
    if len(differ) == 1:
        return tuple(differ)
    deciding = []
    for name in differ:
        for side in (0, 1):
            try:
                changed = rules[side].replace(**{name: rules[1 - side].values[name]})
            except RulesetError:
                continue
            pair = (changed, rules[1]) if side == 0 else (rules[0], changed)
            course = follow(pair[0].ints, pair[1].ints, found.pack, 1, found.carry, found.course.moves)
            if not _same_parting(course, found.course):
                deciding.append(name)
                break
    return tuple(deciding) or tuple(differ)


def _same_parting(course: Course | None, before: Course) -> bool:
    if course is None:
        return False
    both_results = course.parting == RESULT == before.parting
    return len(course.moves) == len(before.moves) and (both_results or course.parting == before.parting)
