"""Cards on the table: what lies where at a moment of a deal, for drawing it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..compare.story import Story, tell
from ..compare.witness import Witness
from ..notation import SEATS as SEAT_LETTERS
from ..table import Deal

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten", "9": "nine", "8": "eight", "7": "seven"}
#: A card among words; not within a move's token, which stays as it is typed.
CARD = re.compile(r"(?<![\^:+])\b([SHDC])([AKQJT987])\b")


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it is drawn, and its name in words."""

    token: str

    @property
    def suit(self) -> str:
        """The suit's sign."""
        return SUIT_SIGNS[self.token[0]]

    @property
    def rank(self) -> str:
        """The rank as cards have it: a ten is 10."""
        return "10" if self.token[1] == "T" else self.token[1]

    @property
    def letter(self) -> str:
        """The suit's letter in small, for its colour."""
        return self.token[0].lower()

    @property
    def words(self) -> str:
        """The name in words."""
        return f"{_RANKS[self.token[1]]} of {_SUITS[self.token[0]]}"


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment of a deal: the hands by seat, the talon (top first), the turn-up, and what has been led and counted."""

    caption: str
    trump: str
    hands: tuple[tuple[str, tuple[Card, ...]], ...]
    talon: tuple[Card, ...]
    talon_state: str
    turn_up: Card | None
    led: Card | None
    leader: str
    counts: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A witness with everything that a page shows of it."""

    witness: Witness
    story: Story
    scenes: tuple[Scene, ...]


def told(witness: Witness) -> Told:
    """A witness as story and scenes: the cards as dealt, and the position in which the rulesets part."""
    story = tell(witness)
    if witness.kind == "pack":
        return Told(witness, story, ())
    start, other = witness.start(0), witness.start(1)
    if _lies(start) != _lies(other):
        dealt = [
            _scene(begun, f"The cards as dealt by {name}")
            for begun, name in zip((start, other), witness.names, strict=True)
        ]
        return Told(witness, story, tuple(dealt))
    scenes = [_scene(start, "The cards as dealt")]
    if witness.moves and witness.kind == "move":
        allowing = witness.deals[witness.allowed_by]
        scenes.append(_scene(allowing, "The position in which they part"))
    return Told(witness, story, tuple(scenes))


def _lies(deal: Deal) -> tuple[object, ...]:
    return tuple(deal.hand(seat) for seat in range(deal.seats)), deal.talon, deal.turn_up


def _scene(deal: Deal, caption: str) -> Scene:
    return Scene(
        caption=caption,
        trump=SUIT_SIGNS[deal.trump],
        hands=tuple((SEAT_LETTERS[seat], _cards(deal.hand(seat))) for seat in range(deal.seats)),
        talon=_cards(deal.talon),
        talon_state=deal.talon_state,
        turn_up=Card(deal.turn_up) if deal.turn_up else None,
        led=Card(deal.led) if deal.led else None,
        leader=SEAT_LETTERS[deal.leader],
        counts=tuple((SEAT_LETTERS[seat], deal.card_points[seat], deal.tricks[seat]) for seat in range(deal.seats)),
    )


def _cards(tokens: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(Card(token) for token in tokens)
