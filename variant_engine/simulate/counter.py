"""Random numbers for bulk play: SplitMix64 read by counter, so that every number has its own place.

Number *k* of a seed is the *k*-th output of SplitMix64 (Steele, Lea and Flood, 2014) started at the seed's key: a
64-bit finaliser over ``key + (k + 1) * GAMMA``. A counter is put together from the deal's number, the stream (one for
the shuffle, one for each seat's choices) and the place in that stream, so that no two streams of a seed ever share a
number, and a stream does not depend on what was drawn from another. The key of a seed is the start of
``SHA-256("sixtysix-bulk-1/" seed)``.

All arithmetic is modulo 2**64. The masks say so in plain Python; compiled, where ints wrap by themselves, they cost
nothing.
"""

from __future__ import annotations

from hashlib import sha256

from ..state import State

#: The name under which output says where its random numbers come from.
GENERATOR = "splitmix64-counter-1"

_LOW64 = 0xFFFFFFFFFFFFFFFF
_LOW32 = 0xFFFFFFFF
_GAMMA = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB

#: Streams of a deal: the shuffle, then one for each seat's choices.
SHUFFLE_STREAM = 0
SEAT_STREAM = 1
#: Numbers that a stream of a deal can give, as a power of two, and streams that a deal can have, likewise.
PLACE_BITS = 8
STREAM_BITS = 3
#: Deals of a seed that have streams of their own.
MAX_DEALS = 1 << 64 - PLACE_BITS - STREAM_BITS


def key_of(seed: int) -> int:
    """The key of a seed."""
    digest = sha256(b"sixtysix-bulk-1/%d" % seed).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def stream_of(number: int, stream: int) -> int:
    """The counter at which a stream of a deal begins."""
    return (number << STREAM_BITS | stream) << PLACE_BITS


def word_at(key: int, counter: int) -> int:
    """The 64-bit word at a counter, as a signed or an unsigned number; take parts of it through a mask."""
    word = key + (counter + 1) * _GAMMA & _LOW64
    word = (word ^ word >> 30 & 0x3FFFFFFFF) * _FIRST & _LOW64
    word = (word ^ word >> 27 & 0x1FFFFFFFFF) * _SECOND & _LOW64
    return word ^ word >> 31 & 0x1FFFFFFFF


def number_at(key: int, counter: int, below: int) -> int:
    """The random number below ``below`` (at most 2**31) at a counter.

    It is the upper half of the word, scaled: among n numbers none is favoured by more than n / 2**32.
    """
    return (word_at(key, counter) >> 32 & _LOW32) * below >> 32


def shuffle_by_counter(key: int, counter: int, pack: State, size: int) -> None:
    """Shuffle the first ``size`` cards of ``pack`` by Fisher and Yates's method, from the last place down."""
    for last in range(size - 1, 0, -1):
        other = number_at(key, counter, last + 1)
        counter += 1
        card = pack[last]
        pack[last] = pack[other]
        pack[other] = card
