"""From resolved option values to the one tuple of ints that the core reads.

The tuple begins with the options in registry order (``rules[FOLLOW_OPEN]``) and ends with what follows from them: the
cards of the pack, what each rank counts, which ranks beat it, which moves each phase admits. The two rank tables are
written out independently.
"""

from __future__ import annotations

from collections.abc import Mapping

from .cards import ACE, EIGHT, JACK, KING, NINE, QUEEN, SEVEN, TEN, pack_mask
from .narrowing import PLACES, admissions
from .options import BY_NAME, OPTIONS
from .options.deal import PACK_CARDS
from .options.play import FOLLOW_OPEN, HEAD_OPEN, REQUIRED, RUFF_OPEN

Rules = tuple[int, ...]

#: How many players sit at the table. A count, not a rule of thumb: nothing in the core writes ``1 - seat``.
SEATS = len(OPTIONS)
#: Mask of the cards in the pack.
PACK = SEATS + 1
#: The place of the rank that may be exchanged, or -1.
EXCHANGE_PLACE = PACK + 1
#: Eight entries by place: what a card counts, in card points.
COUNTS = EXCHANGE_PLACE + 1
#: Eight entries by place: mask of the places that beat it in its own suit.
BEATEN_BY = COUNTS + 8
#: For each state of the talon, which duties (bits) the second player has at all.
DUTIES = BEATEN_BY + 8
MUST_FOLLOW, MUST_HEAD, MUST_RUFF = 1, 2, 4
#: By ``3 * phase + talon``, the kinds of moves (bits) that table and options admit: to the seat to move, to the others.
ADMITS = DUTIES + 3
ADMITS_OTHERS = ADMITS + PLACES
RULES_LENGTH = ADMITS_OTHERS + PLACES

_COUNTS = {
    "ace_eleven": {ACE: 11, TEN: 10, KING: 4, QUEEN: 3, JACK: 2},
    "ace_one": {ACE: 1, TEN: 10, KING: 4, QUEEN: 3, JACK: 2},
}
_ORDERS = {
    "ten_second": (SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE),
    "ten_fifth": (SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE),
}
_DUTIES = ((MUST_FOLLOW, FOLLOW_OPEN), (MUST_HEAD, HEAD_OPEN), (MUST_RUFF, RUFF_OPEN))
_EXCHANGED = {"nine": NINE, "jack": JACK, "seven": SEVEN, "none": -1}


def encode(values: Mapping[str, str | int], cut_pack: int = 0) -> Rules:
    """The core's rules for a complete set of option values; ``cut_pack`` is the mask of a cut-down pack's cards.

    Raises :class:`ValueError` for a value that its option does not have, :class:`KeyError` for a missing option.
    """
    numbers = [option.encode(values[option.name]) for option in OPTIONS]
    counts = _COUNTS[str(values["card_points"])]
    order = _ORDERS[str(values["rank_order"])]
    pack = cut_pack or pack_mask(int(values["pack_cards"]))
    numbers[PACK_CARDS] = pack.bit_count()
    numbers += [2, pack, _EXCHANGED[str(values["exchange_card"])]]
    numbers += [counts.get(place, 0) for place in range(8)]
    numbers += [sum(1 << higher for higher in order[order.index(place) + 1 :]) for place in range(8)]
    numbers += [
        sum(duty for duty, option in _DUTIES if numbers[option + talon] == REQUIRED) for talon in range(3)
    ]
    numbers += admissions(numbers)
    return tuple(numbers)


def neutral_values() -> dict[str, str | int]:
    """Every option at its neutral value."""
    return {name: option.neutral for name, option in BY_NAME.items()}
