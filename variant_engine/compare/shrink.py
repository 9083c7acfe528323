"""Making a witness as small as it goes, one step at a time.

Steps: cut the deal short by a claim; leave out declarations, tricks, stretches of tricks; carry nothing; then, with the
number of moves fixed, let a card change places with an earlier one in the order of the cards. What is left is a *local*
minimum: no single one of these steps makes it smaller. When tricks are left out, the cards that are still played are
dealt out anew, as in :mod:`variant_engine.compare.lazy`, and the rest filled up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..cards import KING, QUEEN, SORT_KEY
from ..encoding import Rules
from ..phases import (
    ANNOUNCE_MOVE,
    BEFORE_DRAW,
    CLAIM_MOVE,
    CLOSE_UNDRAWN_MOVE,
    DRAW_MOVE,
    EXCHANGE_MOVE,
    OVER,
)
from ..state import HAND, LED, PHASE, TO_MOVE, TRUMP
from .lazy import LazyDeal, Twins, deal_alike
from .lockstep import Course, Step, counted, dealt, declarations, follow


@dataclass(frozen=True, slots=True)
class Found:
    """A pack, what is carried into the deal, and how it is played until the rulesets part."""

    pack: tuple[int, ...]
    carry: int
    course: Course

    @property
    def size(self) -> tuple[int, int, int]:
        """What makes one witness smaller than another, before the order of the cards."""
        return self.carry, counted(self.course.moves), declarations(self.course.moves)

    @property
    def key(self) -> tuple[tuple[int, int, int], list[int], list[int]]:
        """Everything that makes one witness come before another."""
        codes = [SORT_KEY.get(move, move) for _, move in self.course.moves]
        return self.size, codes, [SORT_KEY[card] for card in self.pack]


class Shrinker:
    """Shrinks witnesses between two rulesets. ``results``: whether the parting may be one of the result."""

    def __init__(self, one: Rules, two: Rules, results: bool = True) -> None:
        self.one, self.two, self.results = one, two, results
        self.alike = deal_alike(one, two)
        self._twins: dict[int, Twins] = {}

    def tried(self, pack: Sequence[int], carry: int, moves: Sequence[Step]) -> Found | None:
        """The witness that these moves make, if they do part the rulesets."""
        course = follow(self.one, self.two, pack, 1, carry, moves)
        if course is None or (course.parting.is_result and not self.results):
            return None
        return Found(tuple(pack), carry, course)

    def shrunk(self, found: Found) -> Found:
        """The witness with as few moves and declarations as it goes."""
        best = self.renamed(found)
        if best.carry:
            best = self.tried(best.pack, 0, best.course.moves) or best
        better: Found | None = best
        while better is not None:
            best = better
            better = next(self._smaller(best), None)
        return best

    def _smaller(self, best: Found) -> Iterator[Found]:
        for moves in _shorter(best.course.moves, best.course.parting.is_result):
            found = self.tried(best.pack, best.carry, moves) or self._redealt(best, moves)
            if found is not None and found.size < best.size:
                yield found

    def renamed(self, found: Found) -> Found:
        """The witness with trumps spades and the plain suits named in the order in which they are played."""
        trump = dealt(self.one, found.pack, 1, 0)[TRUMP]
        order = [trump]
        for card in (*(move for _, move in found.course.moves if move < 32), *found.pack):
            if card >> 3 not in order:
                order.append(card >> 3)
        return self._recarded(found, lambda card: 8 * order.index(card >> 3) + (card & 7), range(len(order))) or found

    def polished(self, found: Found) -> Found:
        """The witness with the earliest cards that will do, in the order of the notation."""
        best = found
        improved = True
        while improved:
            improved = False
            redealt = self._redealt(best, best.course.moves, plain=True)
            if redealt is not None and redealt.key < best.key:
                best, improved = redealt, True
            for high in sorted({move for _, move in best.course.moves if move < 32}, key=SORT_KEY.__getitem__):
                for low in sorted(best.pack, key=SORT_KEY.__getitem__):
                    if SORT_KEY[low] >= SORT_KEY[high]:
                        break
                    swapped = self._swapped(best, low, high)
                    if swapped is not None and swapped.key < best.key:
                        best, improved = swapped, True
                        break
        return best

    def _swapped(self, found: Found, low: int, high: int) -> Found | None:
        pack = [high if card == low else low if card == high else card for card in found.pack]
        moves = [(seat, high if move == low else low if move == high else move) for seat, move in found.course.moves]
        # Trumps stay what they are, or the suits would come in another order.
        if low >> 3 != high >> 3 and dealt(self.one, pack, 1, 0)[TRUMP] != dealt(self.one, found.pack, 1, 0)[TRUMP]:
            return None
        return self.tried(pack, found.carry, moves)

    def _recarded(self, found: Found, card: object, suits: range) -> Found | None:
        assert callable(card)
        pack = [card(one) for one in found.pack]
        moves = []
        for seat, move in found.course.moves:
            if move < 32:
                move = card(move)
            elif move < EXCHANGE_MOVE:
                move = ANNOUNCE_MOVE + (card(8 * (move - ANNOUNCE_MOVE)) >> 3)
            moves.append((seat, move))
        return self.tried(pack, found.carry, moves)

    # ---- dealing out anew ------------------------------------------------------------------------------------------

    def _redealt(self, best: Found, moves: Sequence[Step], plain: bool = False) -> Found | None:
        """The moves with another pack, in which each card they need is where it is needed."""
        if not self.alike:
            return None
        twins = self._twins.get(best.carry)
        if twins is None:
            twins = self._twins[best.carry] = Twins(self.one, self.two, 1, best.carry)
        deal = twins.start()
        for seat, move in moves:
            if not self._step(twins, deal, seat, move):
                return None
        packs = twins.packs(deal)
        first = [next(packs, [])] if plain else [_like(twins, deal, best.pack)]
        for pack in first:
            found = self.tried(pack, best.carry, deal.moves) if pack else None
            if found is not None:
                return found
        return None

    def _step(self, twins: Twins, deal: LazyDeal, seat: int, move: int) -> bool:
        here = deal.here
        if here[PHASE] == OVER:
            return False
        if here[PHASE] == BEFORE_DRAW and move not in (DRAW_MOVE, CLOSE_UNDRAWN_MOVE, CLAIM_MOVE):
            if not twins.allowed(deal, here[TO_MOVE], DRAW_MOVE):
                return False
            twins.play(deal, here[TO_MOVE], DRAW_MOVE)
        if move == DRAW_MOVE and not twins.allowed(deal, seat, move):
            return True
        for card in self._wanted(twins, deal, seat, move):
            if not here[HAND + seat] >> card & 1 and here[LED] != card and not twins.place(deal, seat, card):
                return False
        if not twins.allowed(deal, seat, move):
            return False
        twins.play(deal, seat, move)
        return True

    def _wanted(self, twins: Twins, deal: LazyDeal, seat: int, move: int) -> tuple[int, ...]:
        if move < 32:
            return (move,) if seat == deal.here[TO_MOVE] else ()
        if move < EXCHANGE_MOVE:
            suit = 8 * (move - ANNOUNCE_MOVE)
            return suit + KING, suit + QUEEN
        return tuple(twins.exchanged)[:1] if move == EXCHANGE_MOVE else ()


def _like(twins: Twins, deal: LazyDeal, pack: Sequence[int]) -> list[int]:
    """The deal filled up like a pack: each card that is still free stays where it was, if that place is."""
    cards = dict(deal.cards)
    left = [card for card in pack if card not in cards.values()]
    for slot, card in enumerate(pack):
        if slot not in cards and card in left and (slot != twins.turn_up or card < 8):
            cards[slot] = card
            left.remove(card)
    if twins.turn_up not in cards:
        trump = next((card for card in left if card < 8), None)
        if trump is None:
            other = next((slot for slot, card in cards.items() if card < 8 and slot not in deal.cards), None)
            if other is None:
                return []
            trump = cards.pop(other)
        else:
            left.remove(trump)
        cards[twins.turn_up] = trump
    for slot in range(twins.size):
        if slot not in cards:
            cards[slot] = left.pop(0)
    return [cards[slot] for slot in range(twins.size)]


def _shorter(moves: Sequence[Step], result: bool) -> Iterator[list[Step]]:
    """Fewer moves: cut short by a claim (where the result differs), or with something left out.

    Many tricks first, then one, with and without what was declared, then single declarations.
    """
    if result:
        for number in range(counted(moves)):
            for seat in (0, 1):
                yield [*moves[:number], (seat, CLAIM_MOVE)]
    starts = [number for number, (_, move) in enumerate(moves) if move < 32]
    tricks = [(starts[place], starts[place + 1]) for place in range(0, len(starts) - 1, 2)]
    for number in sorted({len(tricks) // 2, len(tricks) // 4, 2, 1} - {0}, reverse=True):
        for first in range(len(tricks) - number + 1):
            begin, end = tricks[first][0], tricks[first + number - 1][1]
            kept = [one for one in moves[begin : end + 1] if one[1] >= 32 and one[1] != DRAW_MOVE]
            yield [*moves[:begin], *moves[end + 1 :]]
            if kept:
                yield [*moves[:begin], *kept, *moves[end + 1 :]]
            # What was announced for the trick goes with it.
            before = begin
            while before and moves[before - 1][1] >= 32:
                before -= 1
            if before < begin:
                yield [*moves[:before], *moves[end + 1 :]]
    for number, (_, move) in enumerate(moves):
        if move >= 32:
            yield [*moves[:number], *moves[number + 1 :]]
