"""What one seat may know of a deal."""

from __future__ import annotations

from .cards import card_name, cards_in
from .encoding import PACK, SEATS
from .engine import legal as core_legal
from .notation import Move
from .standing import Standing, moves_of
from .state import HAND, KNOWN, LED, MAX_TALON, PLAYED, TALON_CARDS, TO_MOVE, TURN_UP

_NO_TALON = [0] * MAX_TALON


class View(Standing):
    """All that one seat may know of a deal, and nothing else: a copy with everything hidden taken out.

    ``hand`` is the seat's own; ``known`` are cards of other hands that everybody knows to be there (shown in a
    marriage, taken as the turn-up).
    """

    __slots__ = ("_hand_sizes", "seat")

    seat: int

    def __init__(self, deal: Standing, seat: int) -> None:
        ints = deal._ints
        state = deal._state[:TALON_CARDS]
        sizes = []
        for other in range(ints[SEATS]):
            hand = state[HAND + other]
            sizes.append(hand.bit_count())
            if other != seat:
                state[HAND + other] = hand & state[KNOWN + other]
        state += _NO_TALON
        self._hand_sizes = tuple(sizes)
        self.rules = deal.rules
        self.seat = seat
        self._ints = ints
        self._state = state
        self._history = deal._history
        if seat == state[TO_MOVE]:
            # What a seat may do follows from what it knows, so that deal and view need not both work it out.
            self._moves = deal._moves
            self._legal = deal._legal_mask()
        else:
            self._moves = moves_of(ints, state, seat)
            self._legal = -1

    @property
    def hand(self) -> tuple[str, ...]:
        """The seat's own cards, sorted."""
        return tuple(card_name(card) for card in cards_in(self._state[HAND + self.seat]))

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return self._hand_sizes

    def known(self, seat: int) -> tuple[str, ...]:
        """The cards of another seat's hand that everybody knows to be there."""
        self._check_seat(seat)
        return tuple(card_name(card) for card in cards_in(self._state[HAND + seat]))

    @property
    def unseen(self) -> tuple[str, ...]:
        """The cards that this seat has not seen: in the talon, or in another hand."""
        state = self._state
        seen = state[PLAYED]
        for seat in range(self._ints[SEATS]):
            seen |= state[HAND + seat]
        for card in (state[TURN_UP], state[LED]):
            if card >= 0:
                seen |= 1 << card
        return tuple(card_name(card) for card in cards_in(self._ints[PACK] & ~seen))

    def legal(self) -> tuple[Move, ...]:
        """The moves this seat may make now, which follow from what it knows."""
        return self._moves.among(self._legal_mask())

    def move(self, code: int) -> Move:
        """The move with a core code, for this seat."""
        return self._moves[code]

    def _legal_mask(self) -> int:
        mask = self._legal
        if mask < 0:
            mask = self._legal = core_legal(self._ints, self._state, self.seat)
        return mask

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, View)
            and self.seat == other.seat
            and self._ints == other._ints
            and self._state == other._state
            and self._hand_sizes == other._hand_sizes
            and self.history == other.history
        )

    def __hash__(self) -> int:
        return hash((self.seat, tuple(self._state)))
