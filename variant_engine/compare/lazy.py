"""Deals whose cards are chosen only when something depends on them, and an exhaustive search through them.

A *slot* is a place of the pack: a card not looked at yet. To the core it is a card beyond the 32, which no rule knows:
it fills a hand, it is drawn, it is nobody's king. The search plays both rulesets on such a deal. It puts a real card
into a slot when that card is played, announced or exchanged, or when it could make a move that only one ruleset
allows. So one line of play stands for all packs that agree in the few cards it has looked at, and all deals can be
gone through by number of moves. What is found is dealt out with real cards and played again before it counts.

Suits are alike: trumps are always spades, and of the plain suits hearts are named first, then diamonds, then clubs.
What makes the search complete is that a move is allowed or not by what is known of the deal and: for an exchange, the
card to be exchanged; for an announcement, king and queen (and the other marriages, once one has been announced); for an
answer, where there are duties, the cards of the suit led and whether there is a trump.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from ..cards import KING, QUEEN, SUIT_MASK, cards_in
from ..encoding import BEATEN_BY, EXCHANGE_PLACE, PACK, SEATS, Rules
from ..engine import legal, play
from ..options.deal import HAND_CARDS, PACK_CARDS
from ..options.marriage import MARRIAGE_SCORING, SCORES_ITSELF
from ..options.play import FOLLOW_OPEN, HEAD_OPEN, REQUIRED, RUFF_OPEN
from ..phases import ANNOUNCE_MOVE, ANNOUNCED, ANSWER, BEFORE_DRAW, DRAW_MOVE, EXCHANGE_MOVE, LEAD, MOVE_COUNT, OVER
from ..rules.dealing import deal_cards
from ..state import CARRY, HAND, LED, PHASE, TALON, TO_MOVE, TRUMP, State, blank_state
from .lockstep import RESULT, Course, Parting, Step, differing_moves, follow, same_result, telling_move

#: The bit of the first slot; slots lie beyond every card and every move.
SLOT = 64
_CARDS = (1 << 32) - 1
_DUTIES = (FOLLOW_OPEN, HEAD_OPEN, RUFF_OPEN)


class Spent(Exception):
    """The search has used up what it was allowed."""


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
        self.turn_up = next(slot for slot in range(self.size) if start[_TURN_UP] == SLOT + slot)
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
        free = deal.here[HAND + seat] & deal.there[HAND + seat] & ~_CARDS
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


_TURN_UP = 7


class Exhaustive(Twins):
    """All deals by number of moves, fewest declarations first, then in the order of the cards."""

    def __init__(self, one: Rules, two: Rules, budget: int, carry: int = 0, results: bool = True) -> None:
        super().__init__(one, two, 1, carry)
        self.left = budget
        self.results = results
        #: Whether nothing has been passed over that might part the rulesets.
        self.complete = True

    def search(self, deepest: int) -> tuple[tuple[list[int], Course] | None, int]:
        """The first witness with at most ``deepest`` moves, or None; and up to how many moves there is none before it.

        The second is -1 when not even all deals without a move could be gone through.
        """
        proved = -1
        try:
            for depth in range(deepest + 1):
                for declared in range(depth + 1):
                    found = self._deeper(self.start(), depth, declared)
                    if found is not None:
                        return found, proved
                if self.complete:
                    proved = depth
        except Spent:
            pass
        return None, proved

    def _deeper(self, deal: LazyDeal, depth: int, declared: int) -> tuple[list[int], Course] | None:
        if depth == 0:
            found = self._differs(deal)
            return found or self._drawing(deal, 0, 0)
        if declared > depth:
            return None
        for seat, move, cards in self._moves(deal, declared > 0, depth > declared):
            after = deal.copy()
            if not all(self.place(after, seat, card) for card in cards) or not self.allowed(after, seat, move):
                continue
            self.left -= 1
            if self.left < 0:
                raise Spent
            self.play(after, seat, move)
            left = declared - (move >= 32)
            if after.here[PHASE] == OVER and after.there[PHASE] == OVER:
                if depth == 1 and left == 0 and self.results and not same_result(after.here, after.there):
                    found = self._whole(after, RESULT)
                    if found is not None:
                        return found
                continue
            found = self._deeper(after, depth - 1, left)
            if found is not None:
                return found
        return self._drawing(deal, depth, declared)

    def _drawing(self, deal: LazyDeal, depth: int, declared: int) -> tuple[list[int], Course] | None:
        """Draw, where that is a choice; it does not count as a move."""
        seat = deal.here[TO_MOVE]
        if deal.here[PHASE] != BEFORE_DRAW or not self.allowed(deal, seat, DRAW_MOVE):
            return None
        after = deal.copy()
        self.play(after, seat, DRAW_MOVE)
        return self._deeper(after, depth, declared)

    def _moves(self, deal: LazyDeal, declaring: bool, playing: bool) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Seat, move and the cards that must be put into the hand for it; whether it is allowed is seen to later."""
        here = deal.here
        mover = here[TO_MOVE]
        known = legal(self.one, here, mover)
        free = self._free(deal)
        if playing:
            if here[PHASE] in (LEAD, ANSWER):
                for card in self.order:
                    if not (known | free) >> card & 1:
                        continue
                    cards = () if known >> card & 1 else (card,)
                    yield mover, card, cards
                    other = card ^ KING ^ QUEEN
                    if self.unsaid and here[PHASE] == LEAD and card & 7 in (KING, QUEEN) and free >> other & 1:
                        yield mover, card, (*cards, other)
            else:
                for move in range(32):
                    if known >> move & 1:
                        yield mover, move, ()
        if declaring:
            for away in range(self.one[SEATS]):
                seat = (mover + away) % self.one[SEATS]
                mask = legal(self.one, here, seat)
                for move in range(32, MOVE_COUNT):
                    if mask >> move & 1 and move != DRAW_MOVE:
                        yield seat, move, ()
                    elif move < EXCHANGE_MOVE:
                        missing = self._missing(deal, seat, move - ANNOUNCE_MOVE, free)
                        if missing:
                            yield seat, move, missing
                    elif move == EXCHANGE_MOVE:
                        for place in self.exchanged:
                            if free >> place & 1:
                                yield seat, move, (place,)

    def _free(self, deal: LazyDeal) -> int:
        """The cards that may still be put somewhere, without those of a suit that is only another's twin."""
        suits = 1
        for suit in range(1, 4):
            suits |= 1 << suit
            if not deal.used & SUIT_MASK << 8 * suit:
                break
        mask = sum(SUIT_MASK << 8 * suit for suit in range(4) if suits >> suit & 1)
        return self.one[PACK] & mask & ~deal.used

    def _missing(self, deal: LazyDeal, seat: int, suit: int, free: int) -> tuple[int, ...]:
        """What the seat lacks of a marriage, if it may have it; empty if it has both or cannot have them."""
        pair = 1 << 8 * suit + KING | 1 << 8 * suit + QUEEN
        hand = deal.here[HAND + seat]
        if deal.here[LED] >= 0 and seat != deal.here[TO_MOVE]:
            hand |= 1 << deal.here[LED]
        lacks = pair & ~hand
        return tuple(cards_in(lacks)) if lacks and not lacks & ~free else ()

    def _differs(self, deal: LazyDeal) -> tuple[list[int], Course] | None:
        """A difference in what is allowed now, for some cards that have not been looked at."""
        here, there = deal.here, deal.there
        mover = there[TO_MOVE] if here[PHASE] == OVER else here[TO_MOVE]
        for away in range(self.one[SEATS]):
            seat = (mover + away) % self.one[SEATS]
            if seat == mover and (here[HAND + seat] ^ there[HAND + seat]) & ~_CARDS:
                found = self._drawn_differently(deal, seat)
                if found is not None:
                    return found
            for extra in self._extras(deal, seat):
                differ, move = self._with_extra(deal, seat, extra)
                if differ:
                    found = self._with_cards(deal, seat, move, extra)
                    if found is not None:
                        return found
        return None

    def _with_extra(self, deal: LazyDeal, seat: int, extra: tuple[int, ...]) -> tuple[int, int]:
        """The moves that only one allows if the seat holds some more cards, and the one of them to tell."""
        here, there = deal.here, deal.there
        more = sum(1 << card for card in extra)
        hands = here[HAND + seat], there[HAND + seat]
        here[HAND + seat] |= more
        there[HAND + seat] |= more
        differ = differing_moves(self.one, here, self.two, there, seat)
        move = telling_move(self.one, here, self.two, there, seat, differ) if differ else -1
        here[HAND + seat], there[HAND + seat] = hands
        return differ, move

    def _extras(self, deal: LazyDeal, seat: int) -> Iterator[tuple[int, ...]]:
        """Sets of cards that are worth having in the seat's hand."""
        here = deal.here
        free = self._free(deal)
        pairs = [missing for suit in range(4) if (missing := self._missing(deal, seat, suit, free))]
        exchange = tuple(place for place in self.exchanged if free >> place & 1)
        # Each of these bears on one move only, so that all may be tried at once.
        together = tuple(dict.fromkeys([*exchange, *(card for pair in pairs for card in pair)]))
        mover = seat == (deal.there if here[PHASE] == OVER else here)[TO_MOVE]
        announced = mover and here[PHASE] == ANNOUNCED
        answering = mover and here[PHASE] == ANSWER and self.duty_differs[here[TALON]]
        over = OVER in (here[PHASE], deal.there[PHASE])
        if together and not (announced or answering or over) and not self._with_extra(deal, seat, together)[0]:
            return
        yield ()
        if announced:
            for number in range(1, len(pairs) + 1):
                for some in combinations(pairs, number):
                    yield tuple(card for pair in some for card in pair)
        if together:
            yield together
        if over and mover:
            # Over under one ruleset only: whatever card is still in the hand may be played under the other.
            yield from ((card,) for card in self.order if not deal.used >> card & 1)
        if answering:
            led = here[LED] >> 3
            suit = [card for card in self.order if card >> 3 == led and not deal.used >> card & 1]
            other = [card for card in self.order if card >> 3 not in (0, led) and free >> card & 1][:1]
            trump = [card for card in self.order if card < 8 <= led * 8 and not deal.used >> card & 1][-1:]
            for number in range(len(suit) + 1):
                for cards in combinations(suit, number):
                    for more in ((), trump, other, trump + other):
                        yield (*cards, *more)

    def _with_cards(
        self, deal: LazyDeal, seat: int, move: int, extra: tuple[int, ...]
    ) -> tuple[list[int], Course] | None:
        """The parting with no more cards looked at than it takes: none, those of the move, or all of ``extra``."""
        pair = {(move - ANNOUNCE_MOVE) * 8 + KING, (move - ANNOUNCE_MOVE) * 8 + QUEEN}
        own = tuple(card for card in extra if (move < EXCHANGE_MOVE and card in pair) or card == move)
        if move == EXCHANGE_MOVE:
            own = tuple(card for card in extra if card in self.exchanged)
        for cards in dict.fromkeys(((), own, extra)):
            tried = deal.copy()
            if all(self.place(tried, seat, card) for card in cards) and (
                differing_moves(self.one, tried.here, self.two, tried.there, seat) >> move & 1
            ):
                found = self._whole(tried, Parting(seat, move))
                if found is not None:
                    return found
        # Too many cards for one hand, or no way to fill up the hands around them.
        self.complete = False
        return None

    def _drawn_differently(self, deal: LazyDeal, seat: int) -> tuple[list[int], Course] | None:
        """A card that the seat has drawn under one ruleset only."""
        slots = (deal.here[HAND + seat] ^ deal.there[HAND + seat]) & ~_CARDS
        low = slots & -slots
        card = next((card for card in self.order if self._free(deal) >> card & 1 and card >= 8), None)
        if card is None:
            return None
        tried = deal.copy()
        tried.cards[low.bit_length() - 1 - SLOT] = card
        tried.used |= 1 << card
        return self._whole(tried, Parting(seat, card))

    def _whole(self, deal: LazyDeal, where: Parting) -> tuple[list[int], Course] | None:
        def good(course: Course) -> bool:
            return len(course.moves) == len(deal.moves) and course.parting.is_result == where.is_result

        found = self.completed(deal, deal.moves, good)
        if found is None:
            self.complete = False
        return found


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
