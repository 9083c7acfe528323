"""The program's shuffle by seed (see :mod:`variant_engine.shuffle`) in the core's subset, for bulk play.

It gives the packs that ``shuffled(order, deal_label(seed, number))`` gives, one block of SHA-256 at a time. Where it
runs, a label must fit into one block; see :func:`fits`. The scratch space, from ``base``: the text before the deal's
number, its length, and the working words.
"""

from __future__ import annotations

from ..shuffle import VERSION
from ..state import State

_LOW32 = 0xFFFFFFFF
#: A block holds 64 bytes, of which nine are needed to end a message.
_MOST_BYTES = 55

#: Scratch space: the block's bytes, where the deal's number begins in them, the message schedule, the digest.
_TEXT = 0
_TEXT_LENGTH = 64
_WORDS = 65
_DIGEST = _WORDS + 64
SCRATCH_LENGTH = _DIGEST + 8


def _primes(count: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found


def _root_bits(prime: int, power: int) -> int:
    """The first 32 bits of the fractional part of a root of ``prime``: the constants of SHA-256."""
    scaled = prime << 32 * power
    low, high = 0, 1 << 40
    while high - low > 1:
        middle = (low + high) // 2
        if middle**power <= scaled:
            low = middle
        else:
            high = middle
    return low & _LOW32


_START = tuple(_root_bits(prime, 2) for prime in _primes(8))
_ROUND = tuple(_root_bits(prime, 3) for prime in _primes(64))


def fits(seed: int, last: int) -> bool:
    """Whether the labels of a seed's deals up to number ``last`` fit into a block, for counters of three digits."""
    return len(f"{VERSION}/{seed}/{last}/") + 3 <= _MOST_BYTES


def prepare(seed: int, work: State, base: int) -> None:
    """Put what all labels of a seed have in common into the scratch space."""
    text = f"{VERSION}/{seed}/".encode("ascii")
    for place, byte in enumerate(text):
        work[base + _TEXT + place] = byte
    work[base + _TEXT_LENGTH] = len(text)


def _turned(word: int, by: int) -> int:
    return (word >> by | word << (32 - by)) & _LOW32


def write_decimal(number: int, work: State, at: int) -> int:
    """Write a number in decimal, and return the place behind it."""
    digits = 1
    power = 10
    while power <= number:
        power *= 10
        digits += 1
    rest = number
    for place in range(digits):
        work[at + digits - 1 - place] = 48 + rest % 10
        rest //= 10
    return at + digits


def digest_block(work: State, base: int, length: int) -> None:
    """SHA-256 of the first ``length`` bytes of the text in the scratch space, one block's worth, as eight words."""
    for place in range(length, 64):
        work[base + _TEXT + place] = 0
    # The text is put back into shape for the next label by whoever writes it; only bytes behind it are touched.
    work[base + _TEXT + length] = 0x80
    words = base + _WORDS
    for place in range(16):
        at = base + _TEXT + 4 * place
        work[words + place] = work[at] << 24 | work[at + 1] << 16 | work[at + 2] << 8 | work[at + 3]
    work[words + 15] = 8 * length
    for place in range(16, 64):
        early = work[words + place - 15]
        late = work[words + place - 2]
        early = _turned(early, 7) ^ _turned(early, 18) ^ early >> 3
        late = _turned(late, 17) ^ _turned(late, 19) ^ late >> 10
        work[words + place] = work[words + place - 16] + early + work[words + place - 7] + late & _LOW32
    a, b, c, d = _START[0], _START[1], _START[2], _START[3]
    e, f, g, h = _START[4], _START[5], _START[6], _START[7]
    for place in range(64):
        mixed = _turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)
        first = h + mixed + (e & f ^ ~e & g) + _ROUND[place] + work[words + place]
        second = (_turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)) + (a & b ^ a & c ^ b & c)
        h, g, f, e = g, f, e, d + first & _LOW32
        d, c, b, a = c, b, a, first + second & _LOW32
    digest = base + _DIGEST
    work[digest] = a + _START[0] & _LOW32
    work[digest + 1] = b + _START[1] & _LOW32
    work[digest + 2] = c + _START[2] & _LOW32
    work[digest + 3] = d + _START[3] & _LOW32
    work[digest + 4] = e + _START[4] & _LOW32
    work[digest + 5] = f + _START[5] & _LOW32
    work[digest + 6] = g + _START[6] & _LOW32
    work[digest + 7] = h + _START[7] & _LOW32


def shuffle_by_label(number: int, work: State, size: int, base: int) -> None:
    """Shuffle the first ``size`` cards of ``work`` as the program shuffles deal ``number`` of the prepared seed."""
    start = write_decimal(number, work, base + _TEXT + work[base + _TEXT_LENGTH])
    work[start] = 47
    counter = 0
    used = 8
    for last in range(size - 1, 0, -1):
        below = last + 1
        limit = (1 << 32) - (1 << 32) % below
        while True:
            if used == 8:
                end = write_decimal(counter, work, start + 1)
                digest_block(work, base, end - base - _TEXT)
                counter += 1
                used = 0
            word = work[base + _DIGEST + used]
            used += 1
            if word < limit:
                break
        other = word % below
        card = work[last]
        work[last] = work[other]
        work[other] = card
