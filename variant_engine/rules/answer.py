"""What the second player may answer, and who wins the trick."""

from __future__ import annotations

from ..cards import SUIT_MASK, suit_cards
from ..encoding import BEATEN_BY, DUTIES, MUST_FOLLOW, MUST_HEAD, MUST_RUFF, Rules
from ..phases import ANNOUNCED, ANSWER
from ..reasons import (
    CARD_NOT_HELD,
    CLAIM_NOW,
    FOLLOW,
    HEAD,
    LEAD_THE_MARRIAGE,
    RUFF,
    WRONG_MARRIAGE_CARD,
)
from ..state import ANNOUNCING, HAND, LED, PHASE, TALON, TRUMP, State
from .marriage import leadable_of, marriage_cards, shows_without_leading

EVERY_CARD = 0xFFFFFFFF


def obligations(rules: Rules, state: State, seat: int) -> tuple[int, int, int]:
    """What is left by the duties to follow suit, to head the card led and to ruff: three masks of cards.

    The three bear on different cards, so that each card is barred by the duty that really stands in its way: following
    bars other suits, heading bars lower cards of the suit led, ruffing bars plain cards of who is void.
    """
    led = state[LED]
    duties = rules[DUTIES + state[TALON]]
    hand = state[HAND + seat]
    same_suit = hand & suit_cards(led)
    follow = EVERY_CARD
    head = EVERY_CARD
    ruff = EVERY_CARD
    if same_suit:
        if duties & MUST_FOLLOW:
            follow = same_suit
        if duties & MUST_HEAD:
            higher = same_suit & (rules[BEATEN_BY + (led & 7)] << (led & 24))
            if higher:
                head = ~(same_suit & ~higher)
    elif duties & MUST_RUFF:
        trumps = hand & (SUIT_MASK << (8 * state[TRUMP]))
        if trumps:
            ruff = trumps
    return follow, head, ruff


def announced_duties(rules: Rules, state: State) -> tuple[int, int, int]:
    """What is left to lead after announcing by the duties to claim at once, to lead the marriage, and its right card.

    Who has shown more than one marriage may not lead at all.
    """
    suits = state[ANNOUNCING]
    claim = 0 if shows_without_leading(state) else EVERY_CARD
    return claim, marriage_cards(suits), leadable_of(rules, suits)


def playable(rules: Rules, state: State, seat: int) -> int:
    """The cards that the seat to move may play."""
    hand = state[HAND + seat]
    if state[PHASE] == ANSWER:
        if rules[DUTIES + state[TALON]] == 0:
            return hand
        follow, head, ruff = obligations(rules, state, seat)
        return hand & follow & head & ruff
    if state[PHASE] == ANNOUNCED:
        claim, marriage, card = announced_duties(rules, state)
        return hand & claim & marriage & card
    return hand


def play_bars(rules: Rules, state: State, seat: int, card: int) -> int:
    """The reasons why the seat to move may not play ``card``."""
    bit = 1 << card
    if not state[HAND + seat] & bit:
        return 1 << CARD_NOT_HELD
    reasons = 0
    if state[PHASE] == ANSWER:
        follow, head, ruff = obligations(rules, state, seat)
        talon = state[TALON]
        if not follow & bit:
            reasons |= 1 << (FOLLOW + talon)
        if not head & bit:
            reasons |= 1 << (HEAD + talon)
        if not ruff & bit:
            reasons |= 1 << (RUFF + talon)
    elif state[PHASE] == ANNOUNCED:
        claim, marriage, leadable = announced_duties(rules, state)
        if not claim & bit:
            reasons |= 1 << CLAIM_NOW
        if not marriage & bit:
            reasons |= 1 << LEAD_THE_MARRIAGE
        elif not leadable & bit:
            reasons |= 1 << WRONG_MARRIAGE_CARD
    return reasons


def answer_wins(rules: Rules, state: State, card: int) -> bool:
    """Whether ``card`` takes the trick from the card led: a higher card of its suit, or a trump on a plain card."""
    led = state[LED]
    if card >> 3 == led >> 3:
        return rules[BEATEN_BY + (led & 7)] >> (card & 7) & 1 == 1
    return card >> 3 == state[TRUMP]
