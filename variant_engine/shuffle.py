"""Shuffling by seed: SHA-256 in counter mode with rejection sampling, version 1.

The stream of a label joins the digests ``SHA-256("p66-shuffle-1/" label "/" counter)`` for the counter
0, 1, 2, … (decimal, all in ASCII), read as big-endian 32-bit words. A number below *n* is the next word modulo *n*,
words at or above the largest multiple of *n* that fits being skipped. A pack is shuffled by Fisher and Yates's method
from the last place down to the second: the card there changes places with the one at a number below its place + 1.

Deal *n* (from 0) of seed *S* has the label ``S/n``; the stream of a player's choices in it, ``S/n/seat``; the *k*-th
cut for the deal, ``S/cut/k``. The same seed gives the same deals wherever the program deals. Test vectors are in
``docs/shuffle.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from struct import unpack

VERSION = "p66-shuffle-1"
_WORDS = 1 << 32


def _prefix(label: str) -> bytes:
    return f"{VERSION}/{label}/".encode("ascii")


class Stream:
    """An endless, reproducible stream of random numbers for one label."""

    __slots__ = ("_counter", "_prefix", "_words")

    def __init__(self, label: str) -> None:
        self._prefix = _prefix(label)
        self._counter = 0
        self._words: list[int] = []

    def randrange(self, below: int) -> int:
        """A number from 0 to ``below - 1``, all equally likely. Raises :class:`ValueError` if ``below`` is below 1."""
        if below < 1:
            raise ValueError("a random number needs at least one value to choose from")
        limit = _WORDS - _WORDS % below
        while True:
            if not self._words:
                digest = sha256(self._prefix + b"%d" % self._counter).digest()
                self._words = list(unpack(">8I", digest))
                self._words.reverse()
                self._counter += 1
            word = self._words.pop()
            if word < limit:
                return word % below


def shuffled(cards: Sequence[int], label: str) -> list[int]:
    """The cards in the order that the label's stream gives them."""
    # Stream.randrange written out: a deal begins with this, and twenty-three calls take as long as the rest of it.
    pack = list(cards)
    prefix = _prefix(label)
    last = len(pack) - 1
    counter = 0
    while last > 0:
        for word in unpack(">8I", sha256(prefix + b"%d" % counter).digest()):
            below = last + 1
            if word < _WORDS - _WORDS % below:
                other = word % below
                pack[last], pack[other] = pack[other], pack[last]
                last -= 1
                if not last:
                    break
        counter += 1
    return pack


def deal_label(seed: int, number: int) -> str:
    """The label of deal ``number`` (from 0) of a seed."""
    return f"{seed}/{number}"


def player_stream(seed: int, number: int, seat: int) -> Stream:
    """The stream of a seat's random choices in deal ``number`` of a seed."""
    return Stream(f"{seed}/{number}/{seat}")


#: The digits of deal codes: Crockford's base 32.
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def deal_code(pack: Sequence[int], order: Sequence[int]) -> str:
    """The deal code of a pack: its size, a hyphen, and its rank among all orders in Crockford's base 32.

    ``order`` lists the pack's cards in the order S H D C x A T K Q J 9 8 7. Raises :class:`ValueError` when ``pack`` is
    not an order of just these cards.
    """
    left = list(order)
    rank = 0
    for card in pack:
        if card not in left:
            raise ValueError("the pack is not made of the cards it should have")
        rank = rank * len(left) + left.index(card)
        left.remove(card)
    if left:
        raise ValueError("the pack is short of cards")
    text = ""
    for _ in range(code_length(len(order))):
        text = CROCKFORD[rank % 32] + text
        rank //= 32
    return f"{len(order)}-{text}"


def pack_of_code(code: str, order: Sequence[int]) -> list[int]:
    """The pack that a deal code stands for. Raises :class:`ValueError` for a code that stands for none."""
    size, _, digits = code.strip().upper().partition("-")
    if size != str(len(order)):
        raise ValueError(f"the deal code is not for a pack of {len(order)} cards")
    digits = digits.replace("O", "0").replace("I", "1").replace("L", "1")
    if len(digits) != code_length(len(order)) or any(digit not in CROCKFORD for digit in digits):
        raise ValueError(f"a deal code for {len(order)} cards has {code_length(len(order))} digits after the hyphen")
    rank = 0
    for digit in digits:
        rank = rank * 32 + CROCKFORD.index(digit)
    places: list[int] = []
    for size_left in range(1, len(order) + 1):
        places.append(rank % size_left)
        rank //= size_left
    if rank:
        raise ValueError("the deal code is larger than any pack's")
    left = list(order)
    return [left.pop(place) for place in reversed(places)]


def code_length(cards: int) -> int:
    """How many digits the deal code of so many cards has."""
    orders = 1
    for size in range(2, cards + 1):
        orders *= size
    length = 0
    while orders > 1:
        orders = (orders + 31) // 32
        length += 1
    return length
