"""The public table over the core: deals as immutable positions, and the moves that lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from .cards import CARD_NAMES, card_name, cards_in
from .encoding import PACK, SEATS, Rules
from .engine import bars as core_bars
from .engine import legal as core_legal
from .engine import play as core_play
from .notation import Move, NotationError, read_card, read_token, split_seat
from .options.closing import AUTOMATIC, CLAIM_WHEN
from .options.deal import HAND_CARDS, PACK_CARDS
from .phases import CLAIM_MOVE
from .rules.dealing import deal_cards
from .shuffle import deal_code, deal_label, shuffled
from .standing import History, Result, Standing, moves_of
from .state import (
    CARRY,
    FACE_DOWN,
    HAND,
    TALON_CARDS,
    TALON_TOP,
    TO_MOVE,
    State,
    blank_state,
)
from .view import View

if TYPE_CHECKING:
    from .explain import Refusal
    from .ruleset import Ruleset


class IllegalMove(ValueError):
    """A move that the rules do not allow; ``refusal`` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


class Deal(Standing):
    """A deal: an immutable position, and the moves that led to it.

    ``pack`` is the pack it was dealt from, top card first; empty for a position set up by hand. ``score`` are the game
    points of each seat before the deal.
    """

    __slots__ = ("pack", "score")

    pack: tuple[str, ...]
    score: tuple[int, ...]

    @classmethod
    def _of(
        cls, rules: Ruleset, ints: Rules, state: State, pack: tuple[str, ...], score: tuple[int, ...], history: History
    ) -> Deal:
        made = cls.__new__(cls)
        made.rules = rules
        made._ints = ints
        made._moves = moves_of(ints, state, None)
        made._state = state
        made._history = history
        made._legal = -1
        made.pack = pack
        made.score = score
        return made

    def hand(self, seat: int) -> tuple[str, ...]:
        """A seat's cards, sorted."""
        self._check_seat(seat)
        return tuple(card_name(card) for card in cards_in(self._state[HAND + seat]))

    @property
    def talon(self) -> tuple[str, ...]:
        """The face-down cards of the talon, top first."""
        state = self._state
        start = TALON_CARDS + state[TALON_TOP]
        return tuple(card_name(card) for card in state[start : start + state[FACE_DOWN]])

    @property
    def code(self) -> str | None:
        """The deal code of the pack; None for a position set up by hand."""
        if not self.pack:
            return None
        return deal_code([read_card(name) for name in self.pack], _order(self._ints[PACK]))

    def _legal_mask(self) -> int:
        mask = self._legal
        if mask < 0:
            state = self._state
            mask = self._legal = core_legal(self._ints, state, state[TO_MOVE])
        return mask

    def legal(self, seat: int | None = None) -> tuple[Move, ...]:
        """The moves that a seat, by default the one to move, may make now.

        A seat that is not to move can have moves too (a claim, a late announcement); they carry the seat.
        """
        state = self._state
        if seat is None or seat == state[TO_MOVE]:
            mask = self._legal
            return self._moves.among(self._legal_mask() if mask < 0 else mask)
        self._check_seat(seat)
        mask = core_legal(self._ints, state, seat)
        return moves_of(self._ints, state, seat).among(mask)

    def _bars(self, move: Move) -> int:
        seat = self._state[TO_MOVE] if move.seat is None else move.seat
        return core_bars(self._ints, self._state, seat, move.code)

    def why_not(self, move: Move | str) -> Refusal | None:
        """None when the move is allowed, else the refusal that says why not."""
        if isinstance(move, str):
            move = parse(self, move)
        reasons = self._bars(move)
        if not reasons:
            return None
        from .explain import refusal

        return refusal(self.rules, self._state, move, reasons)

    def play(self, move: Move | str) -> Deal:
        """The position after the move. Raises :class:`IllegalMove`, whose refusal says why."""
        if isinstance(move, str):
            move = parse(self, move)
        before = self._state
        seat = move.seat
        if seat is None:
            seat = before[TO_MOVE]
            mask = self._legal
            allowed = (self._legal_mask() if mask < 0 else mask) >> move.code & 1
        else:
            self._check_seat(seat)
            allowed = core_legal(self._ints, before, seat) >> move.code & 1
        if not allowed:
            refused = self.why_not(move)
            assert refused is not None, "a move is legal exactly when nothing bars it"
            raise IllegalMove(refused)
        state = before[:]
        core_play(self._ints, state, seat, move.code)
        made = Deal.__new__(Deal)
        made.rules = self.rules
        made._ints = self._ints
        made._moves = self._moves
        made._state = state
        made._history = (self._history, seat, move)
        made._legal = -1
        made.pack = self.pack
        made.score = self.score
        return made

    def view(self, seat: int) -> View:
        """What a seat may know."""
        self._check_seat(seat)
        return View(self, seat)

    @property
    def claims_itself(self) -> bool:
        """Whether reaching the target ends the deal without a claim."""
        return self._ints[CLAIM_WHEN] == AUTOMATIC

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Deal)
            and self._ints == other._ints
            and self._state == other._state
            and self.pack == other.pack
            and self.score == other.score
            and self.history == other.history
        )

    def __hash__(self) -> int:
        return hash((self.pack, tuple(self._state)))

    def __repr__(self) -> str:
        return f"<Deal {self.rules.id}: {self.phase}, talon {self.talon_state}, {len(self.history)} moves>"


def deal(
    rules: Ruleset,
    *,
    seed: int | None = None,
    number: int = 0,
    pack: Sequence[str] | None = None,
    dealer: int = 1,
    turn_up_at: int = 0,
    score: tuple[int, ...] = (0, 0),
    carry: int = 0,
) -> Deal:
    """A fresh deal: from deal ``number`` of a ``seed``, or from a ``pack`` listed top card first.

    ``dealer`` is a seat; the other is forehand and leads. ``turn_up_at`` is the place in the talon, from 1 at the top,
    where forehand draws the turn-up under rules that say so (0: the middle). ``score`` and ``carry`` are game points.
    Raises :class:`ValueError` for a pack that is not an order of the ruleset's cards, or a place outside the talon.
    """
    ints = rules.ints
    order = _order(ints[PACK])
    if (seed is None) == (pack is None):
        raise ValueError("a deal needs either a seed or a pack")
    if pack is None:
        assert seed is not None
        cards = shuffled(order, deal_label(seed, number))
    else:
        cards = [read_card(name) for name in pack]
        if sorted(cards) != sorted(order):
            raise ValueError(_wrong_pack(cards, order))
    if not 0 <= dealer < ints[SEATS]:
        raise ValueError(f"there is no seat {dealer}: the dealer is a seat from 0 to {ints[SEATS] - 1}")
    talon = ints[PACK_CARDS] - ints[SEATS] * ints[HAND_CARDS]
    if not 0 <= turn_up_at <= talon:
        raise ValueError(f"the talon has {talon} cards; there is no card {turn_up_at} to draw")
    state = blank_state()
    deal_cards(ints, state, cards, dealer, turn_up_at)
    state[CARRY] = carry
    return Deal._of(rules, ints, state, tuple([CARD_NAMES[card] for card in cards]), score, None)


@cache
def _order(pack: int) -> tuple[int, ...]:
    return tuple(cards_in(pack))


def _wrong_pack(cards: list[int], order: Sequence[int]) -> str:
    for card in cards:
        if cards.count(card) > 1:
            return f"the pack has {card_name(card)} twice"
        if card not in order:
            return f"{card_name(card)} is not in a pack of {len(order)} cards"
    missing = [card_name(card) for card in order if card not in cards]
    return f"the pack lacks {' '.join(missing)}"


def parse(deal: Deal, token: str) -> Move:
    """The move that a token stands for in a deal; it may carry a seat: ``B:66``.

    Raises :class:`NotationError` for what cannot be read. Whether the move is allowed is another question.
    """
    ints = deal._ints
    seat, rest = split_seat(token, ints[SEATS])
    if seat == deal._state[TO_MOVE]:
        seat = None
    table = deal._moves if seat is None else moves_of(deal._ints, deal._state, seat)
    return table[read_token(rest, table)]


def is_claim(move: Move) -> bool:
    """Whether the move claims the target."""
    return move.code == CLAIM_MOVE


__all__ = ["Deal", "IllegalMove", "Move", "NotationError", "Result", "View", "deal", "parse"]
