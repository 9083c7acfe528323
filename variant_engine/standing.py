"""What can be read off a position: the part that a deal and a seat's view of it have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .cards import card_name, cards_in
from .encoding import EXCHANGE_PLACE, SEATS, Rules
from .notation import Move, MoveTable, move_table
from .options.ending import TARGET_CARD_POINTS
from .options.marriage import MARRIAGE_PLAIN, MARRIAGE_TRUMP
from .phases import OVER, PHASES, TALONS
from .state import (
    ANNOUNCED_SUITS,
    CARD_POINTS_WON,
    CARRY,
    CLOSER,
    DEALER,
    ENDED_BY,
    FACE_DOWN,
    LEADER,
    LED,
    LOOKED_BACK,
    PENDING,
    PHASE,
    PLAYED,
    SCORED,
    TALON,
    TO_MOVE,
    TRICKS,
    TRUMP,
    TURN_UP,
    WINNER,
    State,
)

if TYPE_CHECKING:
    from .ruleset import Ruleset

#: Why a deal is over, by the core's code.
RESULT_REASONS = ("claim", "reached", "false_claim", "failed_close", "last_trick", "counted", "tie")

#: The moves made so far: a chain (what came before, seat, move), shared between positions; None at the start.
History = tuple["History", int, Move] | None


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


class Standing:
    """A position that can be read: a deal or a seat's view of one."""

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

    def _legal_mask(self) -> int:
        raise NotImplementedError

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


def moves_of(ints: Rules, state: State, seat: int | None) -> MoveTable:
    """All moves by code, as they are written for the seat to move (None) or for another."""
    return move_table(state[TRUMP], ints[MARRIAGE_PLAIN], ints[MARRIAGE_TRUMP], ints[EXCHANGE_PLACE], seat)
