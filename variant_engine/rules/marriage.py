"""Announcing marriages: when it is allowed, what it counts, which card is led."""

from __future__ import annotations

from ..cards import KING, KINGS, QUEEN, QUEENS
from ..encoding import Rules
from ..options.ending import TARGET_CARD_POINTS
from ..options.marriage import (
    AT_ONCE,
    KING_ONLY,
    MARRIAGE_COUNTS,
    MARRIAGE_LEAD,
    MARRIAGE_PLAIN,
    MARRIAGE_SCORING,
    MARRIAGE_TRICK,
    MARRIAGE_TRUMP,
    QUEEN_ONLY,
    SCORES_ITSELF,
    TRICK_NEEDED,
    WITH_NEXT_TRICK,
)
from ..phases import ANNOUNCE, ANNOUNCED, ANSWER
from ..reasons import (
    ALREADY_ANNOUNCED,
    MUST_BE_LED,
    NO_MARRIAGE_HELD,
    WANTS_MARRIAGE_TRICK,
    WRONG_MARRIAGE_CARD,
)
from ..state import (
    ANNOUNCED_SUITS,
    ANNOUNCING,
    CARD_POINTS_WON,
    HAND,
    LEADER,
    LED,
    PHASE,
    TRICKS,
    TRUMP,
    State,
)
from .admission import admitted
from .claim import may_claim


def marriage_cards(suits: int) -> int:
    """The kings and queens of some suits (bits)."""
    mask = 0
    for suit in range(4):
        if suits >> suit & 1:
            mask |= (1 << QUEEN | 1 << KING) << (8 * suit)
    return mask


def leadable_of(rules: Rules, suits: int) -> int:
    """Those cards of announced marriages that may be led."""
    if rules[MARRIAGE_LEAD] == QUEEN_ONLY:
        return marriage_cards(suits) & QUEENS
    if rules[MARRIAGE_LEAD] == KING_ONLY:
        return marriage_cards(suits) & KINGS
    return marriage_cards(suits)


def shows_without_leading(state: State) -> bool:
    """Whether more than one marriage was announced for one lead, which only who goes out may do."""
    suits = state[ANNOUNCING]
    return suits & (suits - 1) != 0


def marriages_held(state: State, seat: int) -> int:
    """The suits (bits) of which the seat holds king and queen, a king or queen just led and not answered included."""
    hand = state[HAND + seat]
    if state[PHASE] == ANSWER and state[LEADER] == seat:
        hand |= 1 << state[LED]
    pairs = hand & QUEENS & (hand >> 1)
    suits = 0
    if pairs:
        for suit in range(4):
            if pairs >> (8 * suit + QUEEN) & 1:
                suits |= 1 << suit
    return suits


def marriage_value(rules: Rules, state: State, suit: int) -> int:
    """What the marriage of a suit counts, in card points."""
    return rules[MARRIAGE_TRUMP] if suit == state[TRUMP] else rules[MARRIAGE_PLAIN]


def counts_now(rules: Rules, state: State, seat: int) -> bool:
    """Whether a marriage that the seat announces now counts at once, rather than waiting for a trick."""
    if rules[MARRIAGE_COUNTS] == WITH_NEXT_TRICK:
        return False
    return rules[MARRIAGE_COUNTS] == AT_ONCE or state[TRICKS + seat] > 0


def _goes_out_with(rules: Rules, state: State, seat: int) -> bool:
    """Whether all marriages still in hand, shown at once, would bring a target that has not been reached."""
    count = state[CARD_POINTS_WON + seat]
    target = rules[TARGET_CARD_POINTS]
    if count >= target or not counts_now(rules, state, seat):
        return False
    held = marriages_held(state, seat) & ~state[ANNOUNCED_SUITS + seat]
    for suit in range(4):
        if held >> suit & 1:
            count += marriage_value(rules, state, suit)
    return count >= target


def announce_bars(rules: Rules, state: State, seat: int, suit: int) -> int:
    """The reasons why the seat may not announce the marriage of ``suit`` now, where announcing is admitted."""
    if state[ANNOUNCED_SUITS + seat] >> suit & 1:
        return 1 << ALREADY_ANNOUNCED
    if not marriages_held(state, seat) >> suit & 1:
        return 1 << NO_MARRIAGE_HELD
    reasons = 0
    phase = state[PHASE]
    if phase == ANSWER:
        # The card led settles which marriage it can only have been.
        led = state[LED]
        if not marriage_cards(1 << suit) >> led & 1:
            return 1 << NO_MARRIAGE_HELD
        if not leadable_of(rules, 1 << suit) >> led & 1:
            reasons |= 1 << WRONG_MARRIAGE_CARD
    if rules[MARRIAGE_TRICK] == TRICK_NEEDED and state[TRICKS + seat] == 0:
        reasons |= 1 << WANTS_MARRIAGE_TRICK
    if phase == ANNOUNCED and not (_goes_out_with(rules, state, seat) and may_claim(rules, state, seat)):
        reasons |= 1 << MUST_BE_LED
    return reasons


def announceable(rules: Rules, state: State, seat: int) -> int:
    """The suits (bits) of the marriages that the seat may announce now."""
    held = marriages_held(state, seat)
    suits = 0
    if held:
        for suit in range(4):
            if held >> suit & 1 and announce_bars(rules, state, seat, suit) == 0:
                suits |= 1 << suit
    return suits


def scores_itself(rules: Rules, state: State, seat: int, card: int) -> bool:
    """Whether leading ``card`` scores its marriage without an announcement."""
    suit = card >> 3
    return (
        rules[MARRIAGE_SCORING] == SCORES_ITSELF
        and leadable_of(rules, 1 << suit) >> card & 1 == 1
        and admitted(rules, state, seat) >> ANNOUNCE & 1 == 1
        and announce_bars(rules, state, seat, suit) == 0
    )
