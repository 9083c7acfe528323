"""Exchanging a low trump for the turn-up."""

from __future__ import annotations

from ..encoding import EXCHANGE_PLACE, Rules
from ..options.exchange import (
    EXCHANGE_CLOSED,
    EXCHANGE_LAST_CARD,
    EXCHANGE_TALON_MIN,
    EXCHANGE_TRICK,
    EXCHANGE_TRICK_NEEDED,
    LAST_EXCHANGEABLE,
    OFFERED_AT_CLOSING,
)
from ..phases import CLOSED, OFFER, OPEN
from ..reasons import (
    EXCHANGE_CARD_NOT_HELD,
    EXCHANGE_TALON_TOO_SMALL,
    NO_TURN_UP,
    WANTS_EXCHANGE_TRICK,
)
from ..state import FACE_DOWN, HAND, PHASE, TALON, TRICKS, TRUMP, TURN_UP, State


def exchange_card(rules: Rules, state: State) -> int:
    """The card that may be exchanged for the turn-up, or -1 where there is no exchange."""
    place = rules[EXCHANGE_PLACE]
    return -1 if place < 0 else 8 * state[TRUMP] + place


def _lacks_trick(rules: Rules, state: State, seat: int) -> bool:
    return rules[EXCHANGE_TRICK] == EXCHANGE_TRICK_NEEDED and state[TRICKS + seat] == 0


def _talon_too_small(rules: Rules, state: State) -> bool:
    return state[FACE_DOWN] < rules[EXCHANGE_TALON_MIN]


def exchange_bars(rules: Rules, state: State, seat: int) -> int:
    """The reasons why the seat may not exchange now, where an exchange is admitted at all."""
    place = rules[EXCHANGE_PLACE]
    if place < 0:
        return 0
    if state[TURN_UP] < 0:
        return 1 << NO_TURN_UP
    reasons = 0
    if not state[HAND + seat] >> (8 * state[TRUMP] + place) & 1:
        reasons |= 1 << EXCHANGE_CARD_NOT_HELD
    phase = state[PHASE]
    if phase == OFFER and state[TALON] == CLOSED:
        # An exchange offered at the closing asks neither for a trick nor for the lead.
        return reasons
    if _lacks_trick(rules, state, seat):
        reasons |= 1 << WANTS_EXCHANGE_TRICK
    if phase == OFFER:
        # The last face-down card has just been drawn, so that there is no number of them to ask for.
        return reasons
    if _talon_too_small(rules, state):
        reasons |= 1 << EXCHANGE_TALON_TOO_SMALL
    return reasons


def offers_at_closing(rules: Rules, state: State) -> bool:
    """Whether the closer's adversary is asked for an exchange now that the talon has just been closed.

    The question is put whether or not the adversary holds the card, or the asking itself would betray it.
    """
    return (
        rules[EXCHANGE_CLOSED] == OFFERED_AT_CLOSING
        and exchange_card(rules, state) >= 0
        and state[TURN_UP] >= 0
        and not _talon_too_small(rules, state)
    )


def offers_last_card(rules: Rules, state: State, seat: int) -> bool:
    """Whether the seat, having drawn the last face-down card, is asked for an exchange before the turn-up goes."""
    return (
        rules[EXCHANGE_LAST_CARD] == LAST_EXCHANGEABLE
        and state[TALON] == OPEN
        and exchange_card(rules, state) >= 0
        and not _lacks_trick(rules, state, seat)
    )
