"""Proofs on cut-down packs: every deal of a few cards, played in every way under two rulesets at once.

A proof says that the rulesets never part *on that pack*. It is no proof for the whole pack; but what can part rulesets
is nearly always there with a few cards already, and what was found never to part them there deserves belief.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

from ..cards import RANKS, cards_in
from ..cutdown import cut_down
from ..differing import ALL_MOVES
from ..encoding import EXCHANGE_PLACE, PACK, SEATS, Rules
from ..engine import legal, play
from ..options.deal import HAND_CARDS, PACK_CARDS
from ..options.ending import TIE_CARRY
from ..phases import OVER
from ..rules.dealing import deal_cards
from ..ruleset import Ruleset, RulesetError
from ..state import FACE_DOWN, HAND, PHASE, TALON_CARDS, TURN_UP, State, blank_state
from .lazy import deal_alike
from .lockstep import dealt, parting

#: More positions than this are not looked at; and with the larger pack.
MOST_POSITIONS, MOST_IN_LARGE = 200_000, 5_000_000


@dataclass(frozen=True, slots=True)
class CutProof:
    """What going through a cut-down pack has shown: whether all was gone through, and whether the rulesets part."""

    pack: str
    deals: int
    positions: int
    complete: bool
    parts: bool

    @property
    def proves(self) -> bool:
        """Whether the rulesets never part on this pack."""
        return self.complete and not self.parts

    @property
    def sentence(self) -> str:
        """What was done, for people."""
        did = "every deal and every way to play it" if self.complete else f"the first {self.deals} deals"
        said = "they part there" if self.parts else "no difference"
        return f"{self.pack}: {did} ({self.positions} positions): {said}"


def cut_proof(one: Ruleset, two: Ruleset, *, large: bool = False) -> CutProof | None:
    """Go through the smallest pack that has everything the rules speak of: king, queen and the exchanged cards.

    Two suits, hands of two cards, marriages scaled with the target; with ``large`` aces too and hands of three, which
    takes some ten seconds. None where the rules cannot be cut down to it or do not deal alike.
    """
    most = MOST_IN_LARGE if large else MOST_POSITIONS
    exchanged = {RANKS[ints[EXCHANGE_PLACE]] for ints in (one.ints, two.ints) if ints[EXCHANGE_PLACE] >= 0}
    ranks = ("AKQ" if large else "KQ") + "".join(sorted(exchanged or {"J"}, reverse=True))
    hand = 2 if len(ranks) == 3 else 3
    try:
        small = [cut_down(rules, suits=2, ranks=ranks, hand=hand, marriages=True) for rules in (one, two)]
    except RulesetError:
        return None
    mine, theirs = small[0].ints, small[1].ints
    if not deal_alike(mine, theirs):
        return None
    name = f"a pack of {' '.join(ranks)} in two suits, hands of {hand}, target {small[0]['target_card_points']}"
    carries = (0,) if mine[TIE_CARRY] == theirs[TIE_CARRY] else (0, 1)
    deals = positions = 0
    for pack in _packs(mine):
        for carry in carries:
            seen: set[tuple[int, ...]] = set()
            parts = _parts(mine, theirs, dealt(mine, pack, 1, carry), dealt(theirs, pack, 1, carry), seen)
            positions += len(seen)
            if parts:
                return CutProof(name, deals + 1, positions, True, True)
        deals += 1
        if positions > most:
            return CutProof(name, deals, positions, False, False)
    return CutProof(name, deals, positions, True, False)


def _packs(ints: Rules) -> Iterator[list[int]]:
    """A pack for every deal that differs in hands, turn-up or the order of the talon; trumps are the first suit."""
    slots = blank_state()
    size = ints[PACK_CARDS]
    deal_cards(ints, slots, range(size), 1, 0)
    hands = [[slot for slot in range(size) if slots[HAND + seat] >> slot & 1] for seat in range(ints[SEATS])]
    talon = slots[TALON_CARDS : TALON_CARDS + slots[FACE_DOWN]]
    cards = cards_in(ints[PACK])
    for turn_up in (card for card in cards if card >> 3 == cards[0] >> 3):
        for first in combinations([card for card in cards if card != turn_up], ints[HAND_CARDS]):
            rest = [card for card in cards if card != turn_up and card not in first]
            for second in combinations(rest, ints[HAND_CARDS]):
                for order in permutations([card for card in rest if card not in second]):
                    pack = [turn_up] * size
                    for slot, card in zip((*hands[0], *hands[1], *talon), (*first, *second, *order), strict=True):
                        pack[slot] = card
                    pack[slots[TURN_UP]] = turn_up
                    yield pack


def _parts(one: Rules, two: Rules, here: State, there: State, seen: set[tuple[int, ...]]) -> bool:
    key = (*here, *there)
    if key in seen:
        return False
    seen.add(key)
    if parting(one, here, two, there) is not None:
        return True
    if here[PHASE] == OVER:
        return False
    for seat in range(one[SEATS]):
        moves = legal(one, here, seat) & ALL_MOVES
        while moves:
            move = (moves & -moves).bit_length() - 1
            moves &= moves - 1
            mine, theirs = here[:], there[:]
            play(one, mine, seat, move)
            play(two, theirs, seat, move)
            if _parts(one, two, mine, theirs, seen):
                return True
    return False
