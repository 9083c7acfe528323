"""The shuffle and the deal codes: the vectors of ``docs/shuffle.md``, round trips, and evenness on fixed seeds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise, permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import variant_engine as ve
from variant_engine import shuffle
from variant_engine.cards import card_name, names, pack_mask, pack_order
from variant_engine.notation import read_cards
from variant_engine.shuffle import Stream, deal_code, deal_label, pack_of_code, player_stream, shuffled

DOC = (Path(__file__).parent.parent / "docs" / "shuffle.md").read_text(encoding="utf-8")
SIZES = (20, 24, 32)


def rows(pattern: str) -> list[tuple[str, ...]]:
    """The rows of the page's tables that match a pattern from end to end."""
    found = [match.groups() for line in DOC.splitlines() if (match := re.fullmatch(pattern, line))]
    assert found, pattern
    return found


# ---- the vectors ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("label", "words"), rows(r"\| `(\S+)` \| `((?:[0-9a-f]{8} ?){9})` \|"))
def test_words(label: str, words: str) -> None:
    stream = Stream(label)
    assert [stream.randrange(1 << 32) for _ in range(9)] == [int(word, 16) for word in words.split()]


@pytest.mark.parametrize(("below", "numbers"), rows(r"\| (\d+) \| ([\d ]+) \|"))
def test_numbers(below: str, numbers: str) -> None:
    stream = Stream("1/0")
    assert [stream.randrange(int(below)) for _ in numbers.split()] == [int(number) for number in numbers.split()]


@pytest.mark.parametrize(("label", "pack", "code"), rows(r"\| `(\S+)` \| ((?:[SHDC][ATKQJ987] ?)+) \| `(\S+)` \|"))
def test_packs(label: str, pack: str, code: str) -> None:
    cards = read_cards(pack)
    order = pack_order(len(cards))
    assert shuffled(order, label) == cards
    assert deal_code(cards, order) == code
    assert pack_of_code(code, order) == cards


def test_the_first_and_the_last_code() -> None:
    for size, last in ((20, "20-23GV7FJ1B7ZZZ"), (24, "24-GDH96GYKVK8VZZZZ"), (32, "32-6APNM5AWCX4AR65SMNZZZZZZ")):
        order = pack_order(size)
        assert f"`{last}`" in DOC
        assert deal_code(order, order) == last[:3] + "0" * (len(last) - 3)
        assert deal_code(order[::-1], order) == last


def test_a_deal_uses_its_label() -> None:
    rules = ve.load("foster")
    deal = ve.deal(rules, seed=66, number=123456)
    assert deal.code == "24-BRX1R9PTVW7130EF"
    assert deal_label(66, 123456) == "66/123456"
    assert player_stream(1, 0, 0).randrange(1 << 32) == 0x0670550B


# ---- the stream and the shuffle -------------------------------------------------------------------------------------


@settings(derandomize=True)
@given(st.integers(), st.integers(0, 10**6), st.integers(0, 60))
def test_the_shuffle_draws_from_the_stream(seed: int, number: int, size: int) -> None:
    label = deal_label(seed, number)
    stream = Stream(label)
    pack = list(range(size))
    for last in range(size - 1, 0, -1):
        other = stream.randrange(last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    assert shuffled(range(size), label) == pack


class Digest:
    """A digest of our choice: words too large for every *n* that is no power of two, between small ones."""

    def __init__(self, text: bytes) -> None:
        self.text = text

    def digest(self) -> bytes:
        return (b"\xff\xff\xff\xff" + b"\0\0\0\1") * 4


def test_words_that_would_favour_low_numbers_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle, "sha256", Digest)
    assert [Stream("x").randrange(3), Stream("x").randrange(6)] == [1, 1]
    assert [Stream("x").randrange(4), Stream("x").randrange(1 << 32)] == [3, 0xFFFFFFFF]
    # Places 4 and 3 count 5 and 4 cards: for 5 the first word is skipped, for 4 it is not.
    assert shuffled([10, 11, 12, 13, 14], "x")[4] == 11
    assert shuffled([10, 11, 12, 13], "x")[3] == 13


@pytest.mark.parametrize("below", [0, -1])
def test_no_number_below_nothing(below: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        Stream("x").randrange(below)


# ---- evenness -------------------------------------------------------------------------------------------------------

#: How far a sum of squares may lie from what is expected, in standard deviations.
FAR = 4.5


def far_off(counts: Sequence[int], freedom: int) -> float:
    """Pearson's sum for counts that should be equal, in standard deviations above or below its mean."""
    expected = sum(counts) / len(counts)
    total = sum((count - expected) ** 2 for count in counts) / expected
    return abs(total - freedom) / float((2 * freedom) ** 0.5)


def places(shuffle_pack: Callable[[int], list[int]], deals: int) -> float:
    """How uneven the places are at which cards come to lie: 24 x 24 counts with 23 x 23 degrees of freedom."""
    order = pack_order(24)
    counts = {(card, place): 0 for card in order for place in range(24)}
    for number in range(deals):
        for place, card in enumerate(shuffle_pack(number)):
            counts[card, place] += 1
    return far_off(list(counts.values()), 23 * 23)


@pytest.mark.parametrize("seed", [1, 2, 66])
def test_every_card_lies_everywhere(seed: int) -> None:
    order = pack_order(24)
    assert places(lambda number: shuffled(order, deal_label(seed, number)), 5000) < FAR


def test_a_careless_shuffle_would_be_noticed() -> None:
    def careless(number: int) -> list[int]:
        stream = Stream(deal_label(1, number))
        pack = pack_order(24)
        for place in range(24):
            other = stream.randrange(24)
            pack[place], pack[other] = pack[other], pack[place]
        return pack

    assert places(careless, 5000) > 2 * FAR


@pytest.mark.parametrize("seed", [1, 2, 66])
def test_every_order_of_four_cards(seed: int) -> None:
    counts = dict.fromkeys(permutations(range(4)), 0)
    for number in range(12_000):
        counts[tuple(shuffled(range(4), deal_label(seed, number)))] += 1
    assert far_off(list(counts.values()), 23) < FAR


@pytest.mark.parametrize("below", [2, 3, 7, 24, 100])
def test_every_number_of_one_stream(below: int) -> None:
    stream = Stream("evenness")
    counts = [0] * below
    for _ in range(200 * below):
        counts[stream.randrange(below)] += 1
    assert far_off(counts, below - 1) < FAR


def test_neighbouring_deals_have_nothing_in_common() -> None:
    order = pack_order(24)
    packs = [shuffled(order, deal_label(1, number)) for number in range(5000)]
    same = sum(one == other for a, b in pairwise(packs) for one, other in zip(a, b, strict=True))
    # Two packs agree at one place in the mean, with a standard deviation of one.
    assert abs(same - 4999) < FAR * 4999**0.5


# ---- codes ----------------------------------------------------------------------------------------------------------


@st.composite
def packs(draw: st.DrawFn) -> list[int]:
    """A pack of any size, in any order."""
    pack = pack_order(draw(st.sampled_from(SIZES)))
    Random(draw(st.integers(0, 2**64))).shuffle(pack)
    return pack


@settings(derandomize=True)
@given(packs())
def test_code_and_back(pack: list[int]) -> None:
    order = pack_order(len(pack))
    code = deal_code(pack, order)
    assert re.fullmatch(r"(20-[0-9A-HJKMNP-TV-Z]{13}|24-[0-9A-HJKMNP-TV-Z]{16}|32-[0-9A-HJKMNP-TV-Z]{24})", code)
    assert pack_of_code(code, order) == pack


@settings(derandomize=True)
@given(st.sampled_from(SIZES).flatmap(lambda size: st.tuples(st.permutations(pack_order(size)), st.just(size))))
def test_codes_are_in_the_order_of_packs(drawn: tuple[list[int], int]) -> None:
    pack, size = drawn
    order = pack_order(size)
    key = {card: place for place, card in enumerate(order)}
    other = pack[:-3] + sorted(pack[-3:], key=key.__getitem__)
    earlier = [key[card] for card in other] < [key[card] for card in pack]
    assert (deal_code(other, order) < deal_code(pack, order)) == earlier


@settings(derandomize=True)
@given(st.sampled_from(SIZES), st.text(max_size=40))
def test_any_text_is_a_code_or_refused(size: int, text: str) -> None:
    order = pack_order(size)
    for code in (text, f"{size}-{text}"):
        try:
            pack = pack_of_code(code, order)
        except ValueError:
            continue
        assert sorted(pack) == sorted(order)


def test_a_code_is_read_leniently() -> None:
    order = pack_order(24)
    pack = pack_of_code("24-BRX1R9PTVW7130EF", order)
    assert pack_of_code(" 24-brxLr9ptvw7i3oef ", order) == pack


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("20-0000000000000", "not for a pack of 24"),
        ("24-GDH96GYKVK900000", "larger than any"),
        ("24-ZZZZZZZZZZZZZZZZ", "larger than any"),
        ("24-U000000000000000", "16 digits"),
        ("24-000000000000000", "16 digits"),
        ("24", "16 digits"),
        ("", "not for a pack"),
    ],
)
def test_what_is_no_code_is_refused(code: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pack_of_code(code, pack_order(24))


def test_only_the_right_cards_have_a_code() -> None:
    order = pack_order(20)
    assert names(pack_mask(20)) == " ".join(card_name(card) for card in order)
    with pytest.raises(ValueError, match="should have"):
        deal_code([*order[:-1], order[0]], order)
    with pytest.raises(ValueError, match="short"):
        deal_code(order[:-1], order)
