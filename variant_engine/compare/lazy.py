"""Deals whose cards are chosen only when something depends on them.

A *slot* is a place of the pack: a card not looked at yet. To the core it is a card beyond the 32, which no rule knows:
it fills a hand, it is drawn, it is nobody's king. A lazy deal is played under two rulesets at once; a real card is put
into a slot when it is played, announced or exchanged. So one line of play stands for all packs that agree in the few
cards it has looked at. Trumps are always spades.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from ..cards import KING, QUEEN, SUIT_MASK, cards_in
from ..encoding import BEATEN_BY, EXCHANGE_PLACE, PACK, SEATS, Rules
from ..engine import legal, play
from ..options.deal import HAND_CARDS, PACK_CARDS
from ..options.marriage import MARRIAGE_SCORING, SCORES_ITSELF
from ..options.play import FOLLOW_OPEN, HEAD_OPEN, REQUIRED, RUFF_OPEN
from ..phases import ANSWER
from ..rules.dealing import deal_cards
from ..state import CARRY, HAND, PHASE, TALON, TRUMP, TURN_UP, State, blank_state
from .lockstep import Course, Step, follow

#: The bit of the first slot; slots lie beyond every card and every move.
SLOT = 64
#: The mask of all real cards.
REAL_CARDS = (1 << 32) - 1
_DUTIES = (FOLLOW_OPEN, HEAD_OPEN, RUFF_OPEN)


@dataclass(slots=True)
class LazyDeal:
    """A deal under two rulesets, with the cards that have been looked at by slot."""

    here: State
    there: State
    cards: dict[int, int] = field(default_factory=dict)
    used: int = 0
    moves: tuple[Step, ...] = ()
    #: Seats (bits) that a duty or a marriage that scores by itself has bound: a card put into their hand now must agree
    #: with what they played before.
    bound: int = 0

    def copy(self) -> LazyDeal:
        """The same deal, to go on with in another way."""
        return LazyDeal(self.here[:], self.there[:], dict(self.cards), self.used, self.moves, self.bound)


class Twins:
    """Two rulesets that deal alike, and how deals of theirs are made and completed."""

    def __init__(self, one: Rules, two: Rules, dealer: int = 1, carry: int = 0) -> None:
        self.one, self.two, self.dealer, self.carry = one, two, dealer, carry
        self.order = cards_in(one[PACK])
        self.size = one[PACK_CARDS]
        self.trumps = one[PACK] & SUIT_MASK
        start = self._dealt(one, list(range(SLOT, SLOT + self.size)))
        self.turn_up = next(slot for slot in range(self.size) if start[TURN_UP] == SLOT + slot)
        self.initial = start[HAND] | start[HAND + 1]
        self.hands = [start[HAND + seat] >> SLOT for seat in range(one[SEATS])]
        self.exchanged = {ints[EXCHANGE_PLACE] for ints in (one, two) if ints[EXCHANGE_PLACE] >= 0}
        self.duty_differs = [
            any(one[duty + talon] != two[duty + talon] for duty in _DUTIES)
            or one[BEATEN_BY : BEATEN_BY + 8] != two[BEATEN_BY : BEATEN_BY + 8]
            for talon in range(3)
        ]
        #: Whether leading a king or queen can score a marriage without a word.
        self.unsaid = SCORES_ITSELF in (one[MARRIAGE_SCORING], two[MARRIAGE_SCORING])
        self.duty_there = [
            any(REQUIRED in (one[duty + talon], two[duty + talon]) for duty in _DUTIES) for talon in range(3)
        ]

    def _dealt(self, ints: Rules, pack: list[int]) -> State:
        state = blank_state()
        deal_cards(ints, state, pack, self.dealer, 0)
        state[TRUMP] = 0
        state[CARRY] = self.carry
        return state

    def start(self, cards: dict[int, int] | None = None) -> LazyDeal:
        """A deal in which nothing has been looked at but some cards, by slot."""
        cards = cards or {}
        pack = [cards.get(slot, SLOT + slot) for slot in range(self.size)]
        used = sum(1 << card for card in cards.values())
        return LazyDeal(self._dealt(self.one, pack), self._dealt(self.two, pack), dict(cards), used)

    def place(self, deal: LazyDeal, seat: int, card: int) -> bool:
        """Put a card that has not been seen yet into a seat's hand; False if it cannot have been there."""
        free = deal.here[HAND + seat] & deal.there[HAND + seat] & ~REAL_CARDS
        turn_up = 1 << SLOT + self.turn_up
        if card >> 3 == 0 and self.turn_up not in deal.cards:
            left = self.trumps & ~deal.used & ~(1 << card)
            if not left:
                # The last trump can only be the turn-up itself.
                free &= turn_up
        else:
            free &= ~turn_up
        if deal.used >> card & 1:
            return False
        deal.used |= 1 << card
        # The cards of the first hand come first, since they could be anything from the beginning.
        for slots in (free & self.initial, free & ~self.initial & ~turn_up, free & turn_up):
            if slots:
                bit = slots & -slots
                slot = bit.bit_length() - 1 - SLOT
                for state in (deal.here, deal.there):
                    state[HAND + seat] ^= bit | 1 << card
                deal.cards[slot] = card
                if not deal.bound >> seat & 1 or self.agrees(deal):
                    return True
                for state in (deal.here, deal.there):
                    state[HAND + seat] ^= bit | 1 << card
                del deal.cards[slot]
        return False

    def agrees(self, deal: LazyDeal) -> bool:
        """Whether the moves made so far were allowed, and came to the same, with all the cards now known."""
        again = self.start(deal.cards)
        for seat, move in deal.moves:
            if not self.allowed(again, seat, move):
                return False
            self.play(again, seat, move)
        return again.here == deal.here and again.there == deal.there

    def allowed(self, deal: LazyDeal, seat: int, move: int) -> bool:
        """Whether both rulesets allow a move."""
        return bool(legal(self.one, deal.here, seat) & legal(self.two, deal.there, seat) & 1 << move)

    def play(self, deal: LazyDeal, seat: int, move: int) -> None:
        """Make a move under both rulesets."""
        if move < 32:
            if deal.here[PHASE] == ANSWER:
                if self.duty_there[deal.here[TALON]]:
                    deal.bound |= 1 << seat
            elif self.unsaid and move & 7 in (KING, QUEEN):
                # Whether this has scored a marriage depends on a card that may not have been looked at.
                deal.bound |= 1 << seat
        play(self.one, deal.here, seat, move)
        play(self.two, deal.there, seat, move)
        deal.moves = (*deal.moves, (seat, move))

    def packs(self, deal: LazyDeal) -> Iterator[list[int]]:
        """Whole packs with the known cards in their slots, the rest filled up in many ways, the plainest first."""
        left = [card for card in self.order if not deal.used >> card & 1]
        cards = dict(deal.cards)
        if self.turn_up not in cards:
            trump = next((card for card in left if card < 8), None)
            if trump is None:
                return
            cards[self.turn_up] = trump
            left.remove(trump)
        hands = [[slot for slot in range(self.size) if hand >> slot & 1 and slot not in cards] for hand in self.hands]
        rest = [slot for slot in range(self.size) if slot not in cards and not self.initial >> SLOT + slot & 1]
        forehand = (self.dealer + 1) % len(hands)
        seen: set[tuple[int, ...]] = set()
        for mine in permutations(range(4)):
            for theirs in permutations(range(4)):
                free, pack = list(left), dict(cards)
                for seat, suits in ((forehand, mine), (self.dealer, theirs)):
                    if (mine, theirs) != ((0, 1, 2, 3), (0, 1, 2, 3)):
                        free = [card for suit in suits for card in free if card >> 3 == suit]
                    for slot in hands[seat]:
                        pack[slot] = free.pop(0)
                free.sort(key=self.order.index)
                pack |= dict(zip(rest, free, strict=True))
                whole = [pack[slot] for slot in range(self.size)]
                if tuple(whole) not in seen:
                    seen.add(tuple(whole))
                    yield whole

    def completed(
        self, deal: LazyDeal, moves: Sequence[Step], good: Callable[[Course], bool]
    ) -> tuple[list[int], Course] | None:
        """A whole pack with which the moves lead to a parting that is ``good``; None if no way of filling up does."""
        for pack in self.packs(deal):
            course = follow(self.one, self.two, pack, self.dealer, self.carry, moves)
            if course is not None and good(course):
                return pack, course
        return None


def deal_alike(one: Rules, two: Rules) -> bool:
    """Whether both rulesets deal every pack alike."""
    slots = list(range(SLOT, SLOT + one[PACK_CARDS]))
    if (one[PACK], one[HAND_CARDS]) != (two[PACK], two[HAND_CARDS]):
        return False
    states = []
    for ints in (one, two):
        state = blank_state()
        deal_cards(ints, state, slots, 1, 0)
        states.append(state)
    return states[0] == states[1]
