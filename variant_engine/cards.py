"""Cards as small ints, sets of cards as bit masks.

A card is ``suit * 8 + place``, where the place of a rank is fixed (seven 0 … ace 7) whatever the rules say. How ranks
beat each other and what they count are two separate tables that come from the rules; nothing here knows either.

This module belongs to the compilable core; see :mod:`variant_engine.state` for what that allows.
"""

from __future__ import annotations

SUITS = "SHDC"
#: Letters by place: the seven has place 0, the ace place 7.
RANKS = "789JQKTA"

SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE = range(8)
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)

#: All eight places of one suit, to be shifted by ``8 * suit``.
SUIT_MASK = 0xFF
QUEENS = 0x10101010
KINGS = 0x20202020


def suit_cards(card: int) -> int:
    """The mask of all cards of the same suit as ``card``."""
    return SUIT_MASK << (card & 24)


def number_of(mask: int) -> int:
    """How many cards, moves or whatever else a mask holds. Compiled code has its own way of counting bits."""
    return mask.bit_count()


def lowest_of(mask: int) -> int:
    """The lowest card or move of a mask that is not empty. Compiled code has its own way of finding it."""
    return (mask & -mask).bit_length() - 1


def card_name(card: int) -> str:
    """The card as suit and rank: ``HQ``."""
    return SUITS[card >> 3] + RANKS[card & 7]


#: The name of every card.
CARD_NAMES: tuple[str, ...] = tuple(card_name(card) for card in range(32))
#: Every card by its name.
CARD_BY_NAME: dict[str, int] = {card_name(card): card for card in range(32)}


def cards_in(mask: int) -> list[int]:
    """The cards of a mask, sorted as hands are written: suits S H D C, ranks A T K Q J 9 8 7."""
    return [card for card in _SORTED if mask >> card & 1]


_SORTED = [suit * 8 + place for suit in range(4) for place in (ACE, TEN, KING, QUEEN, JACK, NINE, EIGHT, SEVEN)]
#: The place of each card in the order S H D C x A T K Q J 9 8 7.
SORT_KEY: dict[int, int] = {card: index for index, card in enumerate(_SORTED)}


def mask_of(cards: list[int] | tuple[int, ...]) -> int:
    """The mask of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def names(mask: int) -> str:
    """The cards of a mask as text: ``SA ST HK``."""
    return " ".join(card_name(card) for card in cards_in(mask))


def pack_mask(pack_cards: int) -> int:
    """The cards of a pack of 20, 24 or 32: the highest places of each suit."""
    per_suit = pack_cards // 4
    mask = 0
    for suit in range(4):
        mask |= ((SUIT_MASK << (8 - per_suit)) & SUIT_MASK) << (8 * suit)
    return mask


def pack_order(pack_cards: int) -> list[int]:
    """The cards of a pack in the order S H D C x A T K Q J 9 8 7."""
    return cards_in(pack_mask(pack_cards))
