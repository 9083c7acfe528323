"""Tokens: how moves are written and read, and German card names.

One notation serves the command line, records, case files and ``str(move)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from .cards import CARD_BY_NAME, SUITS, card_name
from .phases import (
    ANNOUNCE_MOVE,
    CLAIM_MOVE,
    CLOSE_MOVE,
    CLOSE_UNDRAWN_MOVE,
    DECLINE_MOVE,
    DRAW_MOVE,
    EXCHANGE_MOVE,
    LOOK_BACK_MOVE,
    MOVE_COUNT,
)

SEATS = "ABCD"


class Move(NamedTuple):
    """A move: what is done, as the core's ``code`` and as a ``token``, and by whom if not by the seat to move.

    ``seat`` is None for the seat to move; another seat's move carries it, and so does its text: ``B:66``.
    """

    code: int
    token: str
    seat: int | None = None

    def __str__(self) -> str:
        return self.token if self.seat is None else f"{SEATS[self.seat]}:{self.token}"

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"


FIXED_TOKENS: dict[str, int] = {
    "-": DECLINE_MOVE,
    "|": CLOSE_MOVE,
    "||": CLOSE_UNDRAWN_MOVE,
    "=": DRAW_MOVE,
    "66": CLAIM_MOVE,
    "@": LOOK_BACK_MOVE,
}


class MoveTable(tuple[Move, ...]):
    """All moves of a deal, by code."""

    def __init__(self, moves: Iterable[Move]) -> None:
        self._cards: dict[int, tuple[Move, ...]] = {}
        self._others: dict[int, tuple[Move, ...]] = {}

    def among(self, mask: int) -> tuple[Move, ...]:
        """The moves of a mask of codes, in the order of the codes."""
        # Put together by suits: what a hand has of a suit recurs all the time, a whole hand hardly ever.
        cards = self._cards
        try:
            return (
                cards[mask & 0xFF]
                + cards[mask & 0xFF00]
                + cards[mask & 0xFF0000]
                + cards[mask & 0xFF000000]
                + self._others[mask >> 32]
            )
        except KeyError:
            for suit in (0xFF, 0xFF00, 0xFF0000, 0xFF000000):
                cards[mask & suit] = tuple(move for move in self if mask & suit & 1 << move.code)
            self._others[mask >> 32] = tuple(move for move in self[32:] if mask >> move.code & 1)
            return self.among(mask)


@lru_cache(maxsize=4096)
def move_table(trump: int, plain: int, royal: int, exchange_place: int, seat: int | None) -> MoveTable:
    """All moves by code, for a trump suit, the values of marriages in card points, and the rank that is exchanged."""
    tokens = [card_name(card) for card in range(32)]
    tokens += [f"+{royal if suit == trump else plain}{SUITS[suit]}" for suit in range(4)]
    fixed = {code: token for token, code in FIXED_TOKENS.items()}
    fixed[EXCHANGE_MOVE] = "^" + card_name(8 * trump + max(exchange_place, 0))
    tokens += [fixed[code] for code in range(EXCHANGE_MOVE, MOVE_COUNT)]
    return MoveTable(Move(code, token, seat) for code, token in enumerate(tokens))


class NotationError(ValueError):
    """A token, card or seat that cannot be read; the message says what would be right."""


def read_seat(text: str, seats: int = 2) -> int:
    """The number of a seat's letter. Raises :class:`NotationError`."""
    if len(text) == 1 and text in SEATS[:seats]:
        return SEATS.index(text)
    raise NotationError(f"{text!r} is no seat: write {' or '.join(SEATS[:seats])}")


def read_card(text: str) -> int:
    """The card of a name such as ``HQ``. Raises :class:`NotationError`."""
    card = CARD_BY_NAME.get(text)
    if card is None:
        raise NotationError(
            f"{text!r} is no card: write the suit (S H D C), then the rank (A T K Q J 9 8 7), as in HQ"
        )
    return card


def read_cards(text: str) -> list[int]:
    """The cards of a list separated by spaces. Raises :class:`NotationError`."""
    return [read_card(name) for name in text.split()]


def split_seat(token: str, seats: int = 2) -> tuple[int | None, str]:
    """The seat a token carries (None if it carries none) and the token without it. Raises :class:`NotationError`."""
    head, colon, rest = token.partition(":")
    if not colon:
        return None, token
    return read_seat(head, seats), rest


def read_token(token: str, table: tuple[Move, ...]) -> int:
    """The code of a move's token (without a seat), for a deal whose moves are ``table``.

    Raises :class:`NotationError` for what is no token, for an announcement that names the wrong number, and for the
    exchange of a card that the rules do not exchange.
    """
    fixed = FIXED_TOKENS.get(token)
    if fixed is not None:
        return fixed
    if token.startswith("+"):
        suit = SUITS.find(token[-1]) if len(token) > 1 else -1
        if suit < 0 or not token[1:-1].isdecimal():
            raise NotationError(f"{token!r} announces nothing: write the value and the suit, as in +20C")
        expected = table[ANNOUNCE_MOVE + suit]
        if expected.token != token:
            raise NotationError(f"{token!r}: the marriage of that suit counts {expected.token[1:-1]}: {expected.token}")
        return expected.code
    if token.startswith("^"):
        read_card(token[1:])
        expected = table[EXCHANGE_MOVE]
        if expected.token != token:
            raise NotationError(f"{token!r}: the card to exchange here is {expected.token[1:]}")
        return EXCHANGE_MOVE
    if token in CARD_BY_NAME:
        return CARD_BY_NAME[token]
    raise NotationError(
        f"{token!r} is no move: a card (HQ), +20C, ^H9, - (declines), | (closes), || (closes undrawn), = (draws), "
        "66 (claims) or @ (looks back)"
    )


_GERMAN_SUITS: Mapping[str, str] = {"E": "C", "L": "S", "G": "S", "H": "H", "R": "H", "S": "D"}
_GERMAN_RANKS: Mapping[str, str] = {
    "D": "A", "A": "A", "Z": "T", "T": "T", "K": "K", "O": "Q", "U": "J", "9": "9", "8": "8", "7": "7",
}


def from_german(card: str) -> str:
    """The French name of a card with German suits and ranks: ``EO`` is ``CQ``. Raises :class:`NotationError`."""
    if len(card) == 2 and card[0] in _GERMAN_SUITS and card[1] in _GERMAN_RANKS:
        return _GERMAN_SUITS[card[0]] + _GERMAN_RANKS[card[1]]
    raise NotationError(f"{card!r} is no German card: write the suit (E L H S), then the rank (D Z K O U 9 8 7)")
