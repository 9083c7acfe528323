"""All deals by number of moves, until one parts two rulesets.

The search plays lazy deals (:mod:`variant_engine.compare.lazy`). Beside the cards played it looks at those that
could make a move which only one ruleset allows. What is found is dealt out with real cards and played again before it
counts. Suits are alike: trumps are spades, and of the plain suits hearts are named first, then diamonds, then clubs.

What makes the search complete is that a move is allowed or not by what is known of the deal and: for an exchange, the
card to be exchanged; for an announcement, king and queen (and the other marriages, once one has been announced); for an
answer, where there are duties, the cards of the suit led and whether there is a trump. The tests hold it against going
through every pack of a small one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ..cards import KING, QUEEN, SUIT_MASK, cards_in
from ..differing import differing_moves, same_result
from ..encoding import PACK, SEATS, Rules
from ..engine import legal
from ..phases import (
    ANNOUNCE_MOVE,
    ANNOUNCED,
    ANSWER,
    BEFORE_DRAW,
    DRAW_MOVE,
    EXCHANGE_MOVE,
    LEAD,
    MOVE_COUNT,
    OVER,
)
from ..state import HAND, LED, PHASE, TALON, TO_MOVE
from .lazy import REAL_CARDS, SLOT, LazyDeal, Twins
from .lockstep import RESULT, Course, Parting, telling_move


class Spent(Exception):
    """The search has used up what it was allowed."""


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
            if seat == mover and (here[HAND + seat] ^ there[HAND + seat]) & ~REAL_CARDS:
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
        slots = (deal.here[HAND + seat] ^ deal.there[HAND + seat]) & ~REAL_CARDS
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
