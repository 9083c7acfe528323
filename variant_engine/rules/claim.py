"""Claiming to have reached the target."""

from __future__ import annotations

from ..encoding import Rules
from ..options.closing import (
    AT_END,
    AUTOMATIC,
    CLAIM_CLOSES,
    CLAIM_OPEN_CLOSES,
    CLAIM_WHEN,
    CLOSING_ADVERSARY_FIRST,
    IRRELEVANT,
    ON_LEAD,
    ON_TURN,
)
from ..options.marriage import MARRIAGE_UNLED, UNLED_NOT_ALLOWED
from ..phases import ANNOUNCED, ANSWER, CLOSED, OFFER, OPEN
from ..reasons import CLAIM_WOULD_CLOSE, LOOK_BACK_BARS, MUST_BE_LED, NO_CLAIM_NOW, ONLY_CLOSER_COUNTS
from ..state import CLOSER, LOOKED_BACK, PHASE, TALON, TO_MOVE, State


def _moment_barred(rules: Rules, state: State, seat: int) -> bool:
    when = rules[CLAIM_WHEN]
    if when == AUTOMATIC or when == AT_END:
        return True
    if when == ON_TURN or when == ON_LEAD:
        if seat != state[TO_MOVE]:
            return True
        return when == ON_LEAD and (state[PHASE] == ANSWER or state[PHASE] == OFFER)
    return False


def claim_bars(rules: Rules, state: State, seat: int) -> int:
    """The reasons why the seat may not claim now. Whether the claim would be right is not among them."""
    reasons = 0
    if _moment_barred(rules, state, seat):
        reasons |= 1 << NO_CLAIM_NOW
    phase = state[PHASE]
    if phase == ANNOUNCED and rules[MARRIAGE_UNLED] == UNLED_NOT_ALLOWED and seat == state[TO_MOVE]:
        reasons |= 1 << MUST_BE_LED
    talon = state[TALON]
    if talon == CLOSED:
        if rules[CLOSING_ADVERSARY_FIRST] == IRRELEVANT and seat != state[CLOSER]:
            reasons |= 1 << ONLY_CLOSER_COUNTS
    elif talon == OPEN and rules[CLAIM_OPEN_CLOSES] == CLAIM_CLOSES and state[LOOKED_BACK + seat]:
        reasons |= 1 << CLAIM_WOULD_CLOSE | 1 << LOOK_BACK_BARS
    return reasons
