"""Claiming to have reached the target."""

from __future__ import annotations

from ..encoding import Rules
from ..options.closing import (
    CLAIM_CLOSES,
    CLAIM_OPEN_CLOSES,
    CLOSING,
    CLOSING_ADVERSARY_FIRST,
    CLOSING_NOT_PLAYED,
    IRRELEVANT,
)
from ..phases import CLAIM, CLOSED, OPEN
from ..reasons import CLAIM_WOULD_CLOSE, LOOK_BACK_BARS, ONLY_CLOSER_COUNTS
from ..state import CLOSER, LOOKED_BACK, TALON, State
from .admission import admitted


def adversary_is_irrelevant(rules: Rules, state: State, seat: int) -> bool:
    """Whether the seat's count does not matter, because another seat has closed and only the closer's does."""
    return state[TALON] == CLOSED and state[CLOSER] != seat and rules[CLOSING_ADVERSARY_FIRST] == IRRELEVANT


def claim_closes(rules: Rules, state: State) -> bool:
    """Whether a claim would close the talon, which is open."""
    return (
        state[TALON] == OPEN
        and rules[CLAIM_OPEN_CLOSES] == CLAIM_CLOSES
        and rules[CLOSING] != CLOSING_NOT_PLAYED
    )


def claim_bars(rules: Rules, state: State, seat: int) -> int:
    """The reasons why the seat may not claim now, where claims are admitted. Being wrong is not among them."""
    reasons = 0
    if adversary_is_irrelevant(rules, state, seat):
        reasons |= 1 << ONLY_CLOSER_COUNTS
    if state[LOOKED_BACK + seat] and claim_closes(rules, state):
        reasons |= 1 << CLAIM_WOULD_CLOSE | 1 << LOOK_BACK_BARS
    return reasons


def may_claim(rules: Rules, state: State, seat: int) -> bool:
    """Whether the seat may claim now, rightly or not."""
    return admitted(rules, state, seat) >> CLAIM & 1 == 1 and claim_bars(rules, state, seat) == 0
