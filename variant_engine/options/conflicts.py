"""Contradictions between options: combinations that no deck of cards and no player could satisfy.

A combination that is merely pointless (an option that another makes meaningless) is not here: that follows from an
option's ``needs``. What can be played but hardly be meant is in :mod:`.doubts`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .meaning import Values
from .numbers import int_of, talon_after_deal


@dataclass(frozen=True, slots=True)
class Conflict:
    """Several options that cannot go together.

    ``broken`` tells whether resolved values contradict each other; ``message`` says what is wrong and ``fix`` what
    would be right, in terms of the values. The first of ``options`` is the one a report points at.
    """

    code: str
    options: tuple[str, ...]
    broken: Callable[[Values], bool]
    message: Callable[[Values], str]
    fix: Callable[[Values], str]


#: The smallest pack that has the card.
_NEEDS_PACK = {"nine": 24, "seven": 32}


def _fits(option: str) -> Conflict:
    number = {"exchange_talon_min": "R306", "closing_talon_min": "R307"}[option]
    return Conflict(
        number,
        (option, "hand_cards", "pack_cards"),
        lambda v: talon_after_deal(v) >= 1 and int_of(v, option) > talon_after_deal(v),
        lambda v: f"'{option}' asks for {v[option]} face-down cards, "
        f"but the talon never has more than {talon_after_deal(v)}",
        lambda v: f"write at most {talon_after_deal(v)}",
    )


CONFLICTS: tuple[Conflict, ...] = (
    Conflict(
        "R301",
        ("hand_cards", "pack_cards"),
        lambda v: talon_after_deal(v) < 1,
        lambda v: f"two hands of {v['hand_cards']} leave no talon in a pack of {v['pack_cards']} cards",
        lambda v: f"write at most {int_of(v, 'pack_cards') // 2 - 1} for 'hand_cards'",
    ),
    Conflict(
        "R302",
        ("exchange_card", "pack_cards"),
        lambda v: _NEEDS_PACK.get(str(v["exchange_card"]), 0) > int_of(v, "pack_cards"),
        lambda v: f"a pack of {v['pack_cards']} cards has no {v['exchange_card']} to exchange",
        lambda v: f"write 'jack' (or 'none') for 'exchange_card', or a larger pack than {v['pack_cards']}",
    ),
    Conflict(
        "R303",
        ("packet_cards", "hand_cards"),
        lambda v: int_of(v, "packet_cards") > int_of(v, "hand_cards"),
        lambda v: f"packets of {v['packet_cards']} are larger than a hand of {v['hand_cards']} cards",
        lambda v: f"write at most {v['hand_cards']} for 'packet_cards'",
    ),
    Conflict(
        "R304",
        ("turn_up", "packet_cards", "hand_cards"),
        lambda v: v["turn_up"] == "seventh_card" and int_of(v, "packet_cards") == int_of(v, "hand_cards"),
        lambda v: "the turn-up cannot come after the first round of packets when the first packet is the whole hand",
        lambda v: "write 'thirteenth_card' for 'turn_up', or smaller packets",
    ),
    Conflict(
        "R305",
        ("schneider_limit", "target_card_points"),
        lambda v: int_of(v, "schneider_limit") > int_of(v, "target_card_points"),
        lambda v: f"the schneider limit of {v['schneider_limit']} lies above the target of {v['target_card_points']}",
        lambda v: f"write at most {v['target_card_points']} for 'schneider_limit'",
    ),
    _fits("exchange_talon_min"),
    _fits("closing_talon_min"),
)


def broken_conflicts(values: Values) -> list[Conflict]:
    """The contradictions in a complete set of option values, in the order of their codes."""
    return [conflict for conflict in CONFLICTS if conflict.broken(values)]
