"""Reasons why a move is not allowed, as small ints; a set of reasons is a bit mask.

A reason either names the option it comes from or is structural: it follows from what the move *is* (a card that is not
in the hand cannot be played) under any rules whatever. Options come in registry order, so that the bits of a mask read
from low to high give the order in which a refusal lists them.
"""

from __future__ import annotations

from dataclasses import dataclass

from .options import BY_NAME, OPTIONS


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: its code and the option that it comes from (None: structural)."""

    code: str
    option: str | None


_STRUCTURAL = (
    "deal_over",
    "not_your_turn",
    "not_now",
    "card_not_held",
    "no_marriage_held",
    "already_announced",
    "lead_the_marriage",
    "claim_now",
    "no_turn_up",
    "exchange_card_not_held",
    "already_looked_back",
    "nothing_to_look_at",
)
(
    DEAL_OVER,
    NOT_YOUR_TURN,
    NOT_NOW,
    CARD_NOT_HELD,
    NO_MARRIAGE_HELD,
    ALREADY_ANNOUNCED,
    LEAD_THE_MARRIAGE,
    CLAIM_NOW,
    NO_TURN_UP,
    EXCHANGE_CARD_NOT_HELD,
    ALREADY_LOOKED_BACK,
    NOTHING_TO_LOOK_AT,
) = range(12)

#: The options that can bar a move, in registry order.
_BARRING = (
    "follow_open",
    "follow_closed",
    "follow_exhausted",
    "head_open",
    "head_closed",
    "head_exhausted",
    "ruff_open",
    "ruff_closed",
    "ruff_exhausted",
    "marriage_trick",
    "marriage_lead",
    "marriage_unled",
    "marriage_late",
    "marriage_closed",
    "marriage_exhausted",
    "exchange_card",
    "exchange_trick",
    "exchange_when",
    "exchange_talon_min",
    "exchange_closed",
    "closing",
    "closing_first_lead",
    "closing_draw",
    "closing_talon_min",
    "closing_adversary_first",
    "claim_when",
    "claim_open_closes",
    "look_back",
    "look_back_price",
)
(
    FOLLOW,
    _FOLLOW_CLOSED,
    _FOLLOW_EXHAUSTED,
    HEAD,
    _HEAD_CLOSED,
    _HEAD_EXHAUSTED,
    RUFF,
    _RUFF_CLOSED,
    _RUFF_EXHAUSTED,
    WANTS_MARRIAGE_TRICK,
    WRONG_MARRIAGE_CARD,
    MUST_BE_LED,
    TOO_LATE_TO_ANNOUNCE,
    NO_MARRIAGE_CLOSED,
    NO_MARRIAGE_EXHAUSTED,
    NO_EXCHANGE_HERE,
    WANTS_EXCHANGE_TRICK,
    EXCHANGE_WRONG_MOMENT,
    EXCHANGE_TALON_TOO_SMALL,
    NO_EXCHANGE_CLOSED,
    NO_CLOSING,
    NO_CLOSING_YET,
    CLOSING_WRONG_SIDE_OF_DRAW,
    CLOSING_TALON_TOO_SMALL,
    ONLY_CLOSER_COUNTS,
    NO_CLAIM_NOW,
    CLAIM_WOULD_CLOSE,
    NOTHING_HIDDEN,
    LOOK_BACK_BARS,
) = range(12, 41)

REASONS: tuple[Reason, ...] = tuple(Reason(code, None) for code in _STRUCTURAL) + tuple(
    Reason(option, option) for option in _BARRING
)

if [BY_NAME[option].index for option in _BARRING] != sorted(BY_NAME[option].index for option in _BARRING):
    raise AssertionError("the options that bar moves must be listed in registry order")
if len(REASONS) > 62 or len(OPTIONS) < len(_BARRING):
    raise AssertionError("a set of reasons must fit into a signed 64-bit int")


def reasons_in(mask: int) -> tuple[Reason, ...]:
    """The reasons of a mask: structural ones first, then options in registry order."""
    return tuple(reason for bit, reason in enumerate(REASONS) if mask >> bit & 1)
