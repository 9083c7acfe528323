"""How cards look to the player, and how typed cards are understood: signs or letters, French or German, in colour."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from variant_engine.cards import RANKS
from variant_engine.encoding import COUNTS
from variant_engine.notation import NotationError, from_german
from variant_engine.record.build import german
from variant_engine.ruleset import Ruleset

#: What ``--colours`` takes.
COLOURS = ("two", "four", "none")

#: What the German letters stand for, and which cards the rules mean by their words.
LEGEND = (
    "Cards: suit, then rank. E Eichel, L Laub, H Herz, S Schellen; D Daus (the ace), Z Zehn (the ten), K König (the "
    "king), O Ober (the queen), U Unter (the jack), 9, 8, 7."
)

_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_WORDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_GERMAN_WORDS = {"S": "Laub", "H": "Herz", "D": "Schellen", "C": "Eichel"}
_RANK_WORDS = {
    "ace": "A", "ten": "T", "king": "K", "queen": "Q", "jack": "J", "nine": "9", "eight": "8", "seven": "7",
}  # fmt: skip
_GERMAN_RANKS = {
    "A": "Daus", "T": "Zehn", "K": "König", "Q": "Ober", "J": "Unter", "9": "Neun", "8": "Acht", "7": "Sieben",
}  # fmt: skip
_GERMAN_RANK_WORDS = {
    "daus": "D", "ass": "D", "zehn": "Z", "könig": "K", "koenig": "K", "ober": "O", "unter": "U", "neun": "9",
    "acht": "8", "sieben": "7",
}  # fmt: skip

_RANK_NAMES = {letter: word for word, letter in _RANK_WORDS.items()}

#: Terminal codes by suit; with two colours only the red suits have one.
_RED = {"H": "91", "D": "91"}
_FOUR = {"H": "91", "D": "94", "C": "92"}
_GERMAN_FOUR = {"H": "91", "D": "93", "S": "92"}

_FRENCH_CARD = re.compile(r"\b([SHDC])([ATKQJ987])\b")
_GERMAN_CARD = re.compile(r"\b([ELHS])([DZKOU987])\b")
_SIGNED_CARD = re.compile(r"([♠♥♦♣])(?:10|[ATKQJ987])?")

_TO_LETTERS = str.maketrans({
    "♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C", "\ufe0e": None, "\ufe0f": None,
})  # fmt: skip

_RANK_ORDER = {"ten_second": "ATKQJ987", "ten_fifth": "AKQJT987"}


@dataclass(frozen=True, slots=True)
class Look:
    """How cards are shown and typed. ``signs``: ♥Q rather than HQ; ``german``: German suits and ranks, as letters."""

    signs: bool = True
    german: bool = False
    colours: str = "none"

    def card(self, name: str) -> str:
        """A card as the player sees it."""
        if self.german:
            return german(name)
        return _SIGNS[name[0]] + name[1].replace("T", "10") if self.signs else name

    def cards(self, names: Iterable[str]) -> str:
        """Several cards."""
        return " ".join(map(self.card, names))

    def suit(self, letter: str) -> str:
        """A suit in a word."""
        return (_GERMAN_WORDS if self.german else _WORDS)[letter]

    def rank(self, letter: str) -> str:
        """A rank in a word."""
        return _GERMAN_RANKS[letter] if self.german else _RANK_NAMES[letter]

    def token(self, token: str) -> str:
        """A move's token, or a card, as the player would type it."""
        return german(token) if self.german else token

    def paint(self, text: str) -> str:
        """Text with its cards in colour."""
        if self.colours == "none":
            return text
        signed = self.signs and not self.german
        pattern = _SIGNED_CARD if signed else _GERMAN_CARD if self.german else _FRENCH_CARD
        four = self.colours == "four"
        codes = _RED if not four else _GERMAN_FOUR if self.german else _FOUR
        return pattern.sub(lambda found: _coloured(found[0], codes.get(self._suit_of(found[1]), "")), text)

    def _suit_of(self, first: str) -> str:
        if self.german:
            return from_german(first + "9")[0]
        return first.translate(_TO_LETTERS)

    # ---- reading ------------------------------------------------------------------------------------------------

    def normal(self, token: str) -> str:
        """What was typed, in capitals and letters."""
        return token.translate(_TO_LETTERS).upper()

    def read_card(self, text: str) -> str | None:
        """The card that normal text names (suit and rank in either order), or None."""
        text = text.replace("10", "T")
        for one in (text, text[::-1]):
            if self.german:
                try:
                    return from_german(one)
                except NotationError:
                    continue
            if _FRENCH_CARD.fullmatch(one):
                return one
        return None

    def read_rank(self, text: str) -> str | None:
        """The rank (as in the notation) that normal text names, or None."""
        word = text.lower()
        if word in _RANK_WORDS:
            # Also where the cards are German: the rules are told in these words.
            return _RANK_WORDS[word]
        letter = _GERMAN_RANK_WORDS.get(word, "") if self.german else ""
        letter = letter or text.replace("10", "T")
        if len(letter) != 1:
            return None
        card = self.read_card(("L" if self.german else "S") + letter)
        return card[1] if card else None

    def read_suit(self, text: str) -> str | None:
        """The suit's letter (as in the notation) that normal text names, or None."""
        words = list(_WORDS.items()) + (list(_GERMAN_WORDS.items()) if self.german else [])
        for letter, word in words:
            if text.lower() in (word.lower(), word.lower().removesuffix("s")):
                return letter
        if len(text) != 1:
            return None
        card = self.read_card(text + "9")
        return card[0] if card else None


def ranks_and_counts(rules: Ruleset, look: Look) -> str:
    """Which cards there are, in the order in which they beat each other, and what they count."""
    pack = _in_pack(rules)
    ranks = [look.rank(rank) for rank in _RANK_ORDER[str(rules["rank_order"])] if rank in pack]
    counts = {rank: rules.ints[COUNTS + RANKS.index(rank)] for rank in pack}
    told = [f"{look.rank(rank)} {number}" for rank, number in counts.items() if number]
    if len(told) < len(pack):
        told.append("the lower cards nothing")
    return f"The cards from the highest: {', '.join(ranks)}. They count: {', '.join(told)}."


def _in_pack(rules: Ruleset) -> str:
    return "ATKQJ987"[: int(rules["pack_cards"]) // 4]


def _coloured(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if code else text


def in_order(rules: Ruleset, cards: Iterable[str]) -> list[str]:
    """A hand in the order in which it is held: by suits, and in each as the cards beat each other."""
    ranks = _RANK_ORDER[str(rules["rank_order"])]
    return sorted(cards, key=lambda card: ("SHDC".index(card[0]), ranks.index(card[1])))
