"""What a typed word means in a position: tokens of the notation, short forms, and plain words."""

from __future__ import annotations

import re

from variant_engine.hints import nearest, printable
from variant_engine.notation import FIXED_TOKENS, SEATS, Move, NotationError, read_seat
from variant_engine.table import Deal, parse

from .look import Look, in_order
from .told import marriage_worth

_EXCHANGED = {"nine": "9", "jack": "J", "seven": "7", "none": "7"}

#: Words for moves; what the empty ones stand for depends on the position.
_WORDS = {
    "draw": "=", "take": "=", "claim": "66", "out": "66", "close": "", "exchange": "", "announce": "", "marriage": "",
    "royal": "", "decline": "-", "no": "-", "look": "@",
}  # fmt: skip
#: Words that may stand before a card and say nothing.
_IDLE = ("play", "lead", "answer")

#: Words for commands, so that a slip in one can be guessed.
COMMANDS = (
    "help", "rules", "score", "history", "tricks", "count", "hand", "show", "quit", "why",
)  # fmt: skip

_OF = re.compile(r"\b(\w+)\s+of\s+(\w+)\b")
_NUMBERED = re.compile(r"K([0-9]{1,2})")
_LONGEST_LINE = 400
#: So much of what was typed is shown again at most.
_LONGEST_ECHO = 40


class Unclear(ValueError):
    """What was typed means no move, or more than one. The message is a sentence for people."""


def as_typed(text: str) -> str:
    """What was typed, in quotes; shortened, for what is pasted by mistake may be long."""
    shown = printable(text[:_LONGEST_LINE])
    return f"'{shown}'" if len(shown) <= _LONGEST_ECHO else f"'{shown[: _LONGEST_ECHO - 3]}...'"


def tokens_of(line: str) -> list[str]:
    """The tokens on a line; ``queen of hearts`` becomes one, and so does ``announce clubs``."""
    line = _OF.sub(r"\2/\1", line[:_LONGEST_LINE].replace(",", " "))
    tokens: list[str] = []
    for word in line.split():
        if tokens and tokens[-1].lower() in ("announce", "marriage"):
            tokens[-1] = "+" + word.lstrip("+")
        elif tokens and tokens[-1].lower() == "exchange" and len(word) < 4:
            tokens[-1] = "^" + word.lstrip("^")
        elif word.lower() not in _IDLE:
            tokens.append(word)
    return tokens


def read_move(token: str, deal: Deal, seat: int, look: Look) -> Move:
    """The move that a typed token means for the player at ``seat``; whether it is allowed is another question.

    Raises :class:`Unclear`.
    """
    return _Reading(deal, seat, look).move(token)


class _Reading:
    def __init__(self, deal: Deal, seat: int, look: Look) -> None:
        self.deal = deal
        self.seat = seat
        self.look = look
        self.hand = in_order(deal.rules, deal.hand(seat))
        self.legal = {move.token for move in deal.legal(seat)}

    def move(self, token: str) -> Move:
        text = self.look.normal(token)
        head, colon, rest = text.partition(":")
        if colon:
            try:
                seat = read_seat(head, self.deal.seats)
            except NotationError:
                seats = " or ".join(SEATS[: self.deal.seats])
                raise Unclear(f"{as_typed(head)} is no seat: write {seats}.") from None
            if seat != self.seat:
                return _Reading(self.deal, seat, self.look)._of_another(rest)
            text = rest
        return self._parsed(self._token(text, token))

    def _of_another(self, text: str) -> Move:
        """A move of the player who is not at the screen: only a claim, for nobody is to learn about that hand."""
        if text.lower() not in ("66", "claim", "out"):
            raise Unclear("For the other player nothing can be done but claim: B:66.")
        return self._parsed("66")

    def _parsed(self, token: str) -> Move:
        try:
            return parse(self.deal, f"{SEATS[self.seat]}:{token}")
        except NotationError as error:
            raise Unclear(f"{error}.") from None

    def _token(self, text: str, typed: str) -> str:
        word = self._word(text.lower())
        if word is not None:
            return word
        if text in FIXED_TOKENS:
            return text
        if text.startswith("+"):
            return self._marriage(text[1:])
        if text.startswith("^"):
            card = self.look.read_card(text[1:])
            if card is not None and "^" + card != self.exchange and self.deal.rules["exchange_card"] != "none":
                raise Unclear(f"The card to exchange is {self.look.card(self.exchange[1:])}.")
            return self.exchange
        numbered = _NUMBERED.fullmatch(text)
        if numbered:
            return self._numbered(int(numbered[1]))
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None
        found = self._card(text)
        if found is None and number and number <= len(self.hand) and self.look.read_rank(text):
            found = self._number_or_rank(number, text)
        found = found or self._rank(text)
        if found is not None:
            return found
        if number is not None:
            return self._number(number)
        raise Unclear(_unknown(typed, self.look))

    # ---- moves that are no cards --------------------------------------------------------------------------------

    def _word(self, word: str) -> str | None:
        if word == "close":
            return "||" if self.deal.phase == "before the draw" else "|"
        if word == "exchange":
            return self.exchange
        if word == "royal":
            return self._token_of(self.deal.trump)
        if word in ("announce", "marriage"):
            return self._marriage("")
        return _WORDS.get(word)

    @property
    def exchange(self) -> str:
        """The token of the exchange."""
        return f"^{self.deal.trump}{_EXCHANGED[str(self.deal.rules['exchange_card'])]}"

    def _worth(self, suit: str) -> int:
        return marriage_worth(self.deal, suit)

    def _token_of(self, suit: str) -> str:
        return f"+{self._worth(suit)}{suit}"

    def _marriage(self, text: str) -> str:
        """A marriage by its number, its suit, or both; by nothing where only one can be meant."""
        digits = text[: len(text) - len(text.lstrip("0123456789"))][:4]
        rest = text[len(digits) :]
        suit = self.look.read_suit(rest) if rest else None
        if rest and suit is None:
            raise Unclear(f"An announcement is the number and the suit, as in {self.look.token('+20C')}.")
        if suit is not None:
            token = self._token_of(suit)
            if digits and int(digits) != self._worth(suit):
                counts = f"counts {self._worth(suit)}: {self.look.token(token)}"
                raise Unclear(f"The marriage in {self.look.suit(suit)} {counts}.")
            return token
        suits = [one for one in "SHDC" if not digits or self._worth(one) == int(digits)]
        if not suits:
            plain, royal = (self.deal.rules[name] for name in ("marriage_plain", "marriage_trump"))
            raise Unclear(f"A marriage counts {plain}, in trumps {royal}.")
        allowed = [one for one in suits if self._token_of(one) in self.legal]
        held = [one for one in suits if {one + "K", one + "Q"} <= set(self.hand)]
        for found in (allowed, held, suits):
            if len(found) == 1:
                return self._token_of(found[0])
            if found and found is not suits:
                choices = " or ".join(self.look.token(self._token_of(one)) for one in found)
                raise Unclear(f"Which marriage: {choices}?")
        raise Unclear("You hold no such marriage." if digits else "You hold no marriage.")

    # ---- cards --------------------------------------------------------------------------------------------------

    def _card(self, text: str) -> str | None:
        if "/" in text:
            suit, _, rank = text.partition("/")
            letter, place = self.look.read_suit(suit), self.look.read_rank(rank)
            return letter + place if letter and place else None
        return self.look.read_card(text)

    def _rank(self, text: str) -> str | None:
        rank = self.look.read_rank(text)
        if rank is None:
            return None
        held = [card for card in self.hand if card[1] == rank]
        allowed = [card for card in held if card in self.legal]
        for found in (allowed, held):
            if len(found) == 1:
                return found[0]
            if found:
                raise Unclear(f"Which one: {' or '.join(map(self.look.card, found))}?")
        raise Unclear("You have no card of that rank.")

    def _number(self, number: int) -> str:
        marriages = {self._worth(suit) for suit in "SHDC"}
        return self._marriage(str(number)) if number in marriages else self._numbered(number)

    def _number_or_rank(self, number: int, text: str) -> str:
        """The card that a number means which is a rank as well, in a hand of so many cards."""
        rank = self.look.read_rank(text)
        held = [card for card in self.hand if card[1] == rank]
        numbered = self.hand[number - 1]
        if not held or held == [numbered]:
            return numbered
        names = " or ".join(self.look.card(card) for card in held)
        raise Unclear(f"Which one: {names}, or your card number {number}? For that type k{number}.")

    def _numbered(self, number: int) -> str:
        if number != 1 == len(self.hand):
            raise Unclear(f"You have one card only, {self.look.card(self.hand[0])}.")
        if not 1 <= number <= len(self.hand):
            raise Unclear(f"Your cards are numbered from 1 to {len(self.hand)}.")
        return self.hand[number - 1]


def _unknown(typed: str, look: Look) -> str:
    meant = nearest(typed, (*_WORDS, *COMMANDS)) if typed.isalpha() and len(typed) > 2 else None
    if meant:
        return f"I do not understand {as_typed(typed)}; did you mean '{meant}'?"
    suit, slash, rank = typed.partition("/")
    words = f"{rank} of {suit}" if slash and suit.isalnum() and rank.isalnum() else typed
    return (
        f"I do not understand {as_typed(words)}. A card is suit and rank ({look.token('HQ')}) or its number in your "
        "hand (3); ? lists what you may do, help all else."
    )
