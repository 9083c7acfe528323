"""The public table over the core: deals as immutable positions, moves, what a seat may know, results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from .cards import CARD_NAMES, card_name, cards_in
from .encoding import EXCHANGE_PLACE, PACK, SEATS, Rules
from .engine import bars as core_bars
from .engine import legal as core_legal
from .engine import play as core_play
from .notation import Move, MoveTable, NotationError, move_table, read_card, read_token, split_seat
from .options.closing import AUTOMATIC, CLAIM_WHEN
from .options.deal import HAND_CARDS, PACK_CARDS
from .options.ending import TARGET_CARD_POINTS
from .options.marriage import MARRIAGE_PLAIN, MARRIAGE_TRUMP
from .phases import CLAIM_MOVE, OVER, PHASES, TALONS
from .rules.dealing import deal_cards
from .shuffle import deal_code, deal_label, shuffled
from .state import (
    ANNOUNCED_SUITS,
    CARD_POINTS_WON,
    CARRY,
    CLOSER,
    DEALER,
    ENDED_BY,
    FACE_DOWN,
    HAND,
    KNOWN,
    LEADER,
    LED,
    LOOKED_BACK,
    MAX_TALON,
    PENDING,
    PHASE,
    PLAYED,
    SCORED,
    TALON,
    TALON_CARDS,
    TALON_TOP,
    TO_MOVE,
    TRICKS,
    TRUMP,
    TURN_UP,
    WINNER,
    State,
    blank_state,
)

if TYPE_CHECKING:
    from .explain import Refusal
    from .ruleset import Ruleset

#: Why a deal is over, by the core's code.
RESULT_REASONS = ("claim", "reached", "false_claim", "failed_close", "last_trick", "counted", "tie")

#: The moves made so far: a chain (what came before, seat, move), shared between positions; None at the start.
History = tuple["History", int, Move] | None

_NO_TALON = [0] * MAX_TALON


class IllegalMove(ValueError):
    """A move that the rules do not allow; ``refusal`` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Result:
    """How a deal ended.

    ``winner`` is a seat, or None when nobody wins. ``game_points`` are what the winner scores, carried ones included;
    ``card_points`` what each seat has counted; ``carry`` the game points carried to the next deal.
    """

    winner: int | None
    game_points: int
    reason: str
    card_points: tuple[int, ...]
    carry: int


class _Position:
    """What a deal and a seat's view of it have in common: reading the state's fields."""

    __slots__ = ("_history", "_ints", "_legal", "_moves", "_state", "rules")

    rules: Ruleset
    _ints: Rules
    _state: State
    _history: History
    #: All moves by code, as the seat to move writes them (a view: as its own seat does).
    _moves: MoveTable
    #: The mask of the legal moves (a deal: of the seat to move; a view: of its own), -1 until somebody asks.
    _legal: int

    @property
    def seats(self) -> int:
        """How many players there are."""
        return self._ints[SEATS]

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self._ints[SEATS]:
            raise ValueError(f"there is no seat {seat}: the seats are 0 to {self._ints[SEATS] - 1}")

    def _each(self, field: int) -> tuple[int, ...]:
        return tuple(self._state[field : field + self._ints[SEATS]])

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is; None when the deal is over."""
        return None if self._state[PHASE] == OVER else self._state[TO_MOVE]

    @property
    def over(self) -> bool:
        """Whether the deal is over."""
        return self._state[PHASE] == OVER

    @property
    def phase(self) -> str:
        """The phase: one of ``variant_engine.phases.PHASES``."""
        return PHASES[self._state[PHASE]]

    @property
    def talon_state(self) -> str:
        """``open``, ``closed`` or ``exhausted``."""
        return TALONS[self._state[TALON]]

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self._state[DEALER]

    @property
    def leader(self) -> int:
        """The seat that leads the trick to come or under way."""
        return self._state[LEADER]

    @property
    def closer(self) -> int | None:
        """The seat that closed the talon, if one did."""
        return self._state[CLOSER] if self._state[CLOSER] >= 0 else None

    @property
    def trump(self) -> str:
        """The trump suit's letter."""
        return "SHDC"[self._state[TRUMP]]

    @property
    def turn_up(self) -> str | None:
        """The turn-up, unless it has been taken."""
        return card_name(self._state[TURN_UP]) if self._state[TURN_UP] >= 0 else None

    @property
    def led(self) -> str | None:
        """The card led and not yet answered."""
        return card_name(self._state[LED]) if self._state[LED] >= 0 else None

    @property
    def face_down(self) -> int:
        """How many face-down cards the talon has, the turn-up not among them."""
        return self._state[FACE_DOWN]

    @property
    def card_points(self) -> tuple[int, ...]:
        """The card points that each seat has counted."""
        return self._each(CARD_POINTS_WON)

    @property
    def pending(self) -> tuple[int, ...]:
        """Each seat's marriage points (card points) that still wait for a trick."""
        return self._each(PENDING)

    @property
    def tricks(self) -> tuple[int, ...]:
        """How many tricks each seat has taken."""
        return self._each(TRICKS)

    @property
    def announced(self) -> tuple[str, ...]:
        """The suits each seat has announced marriages in, as letters."""
        each = self._each(ANNOUNCED_SUITS)
        return tuple("".join(suit for at, suit in enumerate("SHDC") if suits >> at & 1) for suits in each)

    @property
    def looked_back(self) -> tuple[bool, ...]:
        """Which seats have looked back at a price."""
        return tuple(bool(looked) for looked in self._each(LOOKED_BACK))

    @property
    def played(self) -> tuple[str, ...]:
        """The cards that lie in quitted tricks."""
        return tuple(card_name(card) for card in cards_in(self._state[PLAYED]))

    @property
    def history(self) -> tuple[tuple[int, Move], ...]:
        """The moves made so far, each with the seat that made it."""
        moves = []
        node = self._history
        while node is not None:
            node, seat, move = node
            moves.append((seat, move))
        return tuple(reversed(moves))

    @property
    def result(self) -> Result | None:
        """How the deal ended; None while it goes on."""
        state = self._state
        if state[PHASE] != OVER:
            return None
        winner = state[WINNER]
        return Result(
            winner if winner >= 0 else None,
            state[SCORED],
            RESULT_REASONS[state[ENDED_BY]],
            self._each(CARD_POINTS_WON),
            state[CARRY],
        )

    def claim_is_right(self, seat: int) -> bool:
        """Whether the seat has the card points to claim."""
        self._check_seat(seat)
        return self._state[CARD_POINTS_WON + seat] >= self._ints[TARGET_CARD_POINTS]


class View(_Position):
    """All that one seat may know of a deal, and nothing else: a copy with everything hidden taken out.

    ``hand`` is the seat's own; ``known`` are cards of other hands that everybody knows to be there (shown in a
    marriage, taken as the turn-up).
    """

    __slots__ = ("_hand_sizes", "seat")

    seat: int

    def __init__(self, deal: Deal, seat: int) -> None:
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
            self._moves = _move_table(ints, state, seat)
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


class Deal(_Position):
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
        made._moves = _move_table(ints, state, None)
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
        return _move_table(self._ints, state, seat).among(mask)

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


def _move_table(ints: Rules, state: State, seat: int | None) -> MoveTable:
    return move_table(state[TRUMP], ints[MARRIAGE_PLAIN], ints[MARRIAGE_TRUMP], ints[EXCHANGE_PLACE], seat)


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
    table = deal._moves if seat is None else _move_table(deal._ints, deal._state, seat)
    return table[read_token(rest, table)]


def is_claim(move: Move) -> bool:
    """Whether the move claims the target."""
    return move.code == CLAIM_MOVE


__all__ = ["Deal", "IllegalMove", "Move", "NotationError", "Result", "View", "deal", "parse"]
