"""Rules of thumb for any ruleset: a quick, sensible opponent, not a strong one.

In this order: claim when it is right; take an exchange; announce the marriage that counts most; close when the cards
that cannot be beaten should bring the target; draw rather than close before drawing; then the card with the best score:

* Answering, win when the trick is worth it: a ten or ace to gain or to save, the target itself, or any trick once the
  talon gives no more cards. Win with the cheapest card that does, trumps being dear while the talon is open; otherwise
  throw the card that counts least, sparing trumps and halves of marriages.
* Leading while the talon is open, lead low in a plain suit and spare marriages; later lead what cannot be beaten,
  trumps first, else low.

Nothing here asks which ruleset is played; what a card counts and what beats it comes from the rules.
"""

from __future__ import annotations

from ..cards import QUEENS, SUIT_MASK
from ..encoding import BEATEN_BY, COUNTS, PACK, Rules
from ..options.ending import TARGET_CARD_POINTS
from ..phases import (
    ANNOUNCE_MOVE,
    ANSWER,
    CLAIM_MOVE,
    CLOSE_MOVE,
    DRAW_MOVE,
    EXCHANGE_MOVE,
    MOVE_COUNT,
    OPEN,
)
from ..rules.answer import answer_wins
from ..rules.marriage import marriage_value
from ..state import CARD_POINTS_WON, HAND, LED, PENDING, PHASE, PLAYED, TALON, TRUMP, TURN_UP, State

#: A trick that counts this much is worth a trump while the talon is open.
_WORTH_A_TRUMP = 10
#: What an adversary who must follow is expected to add to a trick, in card points.
_EXPECTED_ADDITION = 3


def unseen_cards(rules: Rules, state: State, seat: int) -> int:
    """The cards that may be in the adversary's hand: all but own and played ones, the turn-up and the card led."""
    seen = state[PLAYED] | state[HAND + seat]
    if state[TURN_UP] >= 0:
        seen |= 1 << state[TURN_UP]
    if state[LED] >= 0:
        seen |= 1 << state[LED]
    return rules[PACK] & ~seen


def is_master(rules: Rules, unseen: int, card: int) -> bool:
    """Whether no unseen card of its suit beats the card."""
    return (unseen >> (card & 24)) & rules[BEATEN_BY + (card & 7)] == 0


def expected_gain(rules: Rules, state: State, seat: int) -> int:
    """Card points to be expected from leading every card that cannot be beaten, once both must follow."""
    unseen = unseen_cards(rules, state, seat)
    hand = state[HAND + seat]
    trump = state[TRUMP]
    trumps_out = 0
    for place in range(8):
        trumps_out += unseen >> (8 * trump + place) & 1
    gain = 0
    for place in range(8):
        card = 8 * trump + place
        if hand >> card & 1 and is_master(rules, unseen, card):
            gain += rules[COUNTS + place] + _EXPECTED_ADDITION
            # Each such lead takes one trump out of the way of the plain suits.
            trumps_out -= 1
    for card in range(32):
        if card >> 3 != trump and hand >> card & 1 and is_master(rules, unseen, card) and trumps_out <= 1:
            gain += rules[COUNTS + (card & 7)] + _EXPECTED_ADDITION
    return gain


def _spared(rules: Rules, state: State, seat: int, card: int) -> int:
    """How much one would rather keep a card: what it counts, more for trumps and for halves of marriages in hand."""
    keep = 2 * rules[COUNTS + (card & 7)]
    if card >> 3 == state[TRUMP]:
        keep += 12
    hand = state[HAND + seat]
    pair = hand & QUEENS & (hand >> 1) & (SUIT_MASK << (card & 24))
    if (pair | pair << 1) >> card & 1:
        keep += 15
    return keep


def _answer_score(rules: Rules, state: State, seat: int, card: int) -> int:
    spared = _spared(rules, state, seat, card)
    if not answer_wins(rules, state, card):
        return 100 - spared
    own = rules[COUNTS + (card & 7)]
    stake = rules[COUNTS + (state[LED] & 7)] + state[PENDING + seat]
    if state[CARD_POINTS_WON + seat] + stake + own >= rules[TARGET_CARD_POINTS]:
        return 1000
    if state[TALON] != OPEN:
        return 300 - spared
    by_trump = card >> 3 == state[TRUMP] and state[LED] >> 3 != state[TRUMP]
    if by_trump and stake < _WORTH_A_TRUMP:
        return 60 - spared
    # In its own suit a winning card saves what it counts; a trump need not be saved by ruffing with it.
    gained = stake if by_trump else stake + own
    return 100 + 4 * gained - spared


def _lead_score(rules: Rules, state: State, seat: int, card: int) -> int:
    spared = _spared(rules, state, seat, card)
    if state[TALON] == OPEN:
        return 100 - spared
    if is_master(rules, unseen_cards(rules, state, seat), card):
        first = 40 if card >> 3 == state[TRUMP] else 0
        return 200 + first + rules[COUNTS + (card & 7)]
    return 100 - spared


def _best_announcement(rules: Rules, state: State, moves: int) -> int:
    best = -1
    most = -1
    for suit in range(4):
        value = marriage_value(rules, state, suit)
        if moves >> (ANNOUNCE_MOVE + suit) & 1 and value > most:
            best = ANNOUNCE_MOVE + suit
            most = value
    return best


def greedy_move(rules: Rules, state: State, seat: int, moves: int) -> int:
    """The code of the move that the rules of thumb prefer among ``moves``."""
    if moves >> CLAIM_MOVE & 1:
        return CLAIM_MOVE
    if moves >> EXCHANGE_MOVE & 1:
        return EXCHANGE_MOVE
    announcement = _best_announcement(rules, state, moves)
    if announcement >= 0:
        return announcement
    if moves >> CLOSE_MOVE & 1:
        hoped = state[CARD_POINTS_WON + seat] + expected_gain(rules, state, seat)
        if hoped >= rules[TARGET_CARD_POINTS]:
            return CLOSE_MOVE
    if moves >> DRAW_MOVE & 1:
        return DRAW_MOVE
    best = -1
    most = -1000
    for card in range(32):
        if moves >> card & 1:
            if state[PHASE] == ANSWER:
                score = _answer_score(rules, state, seat, card)
            else:
                score = _lead_score(rules, state, seat, card)
            if score > most:
                best = card
                most = score
    if best >= 0:
        return best
    for move in range(MOVE_COUNT):
        if moves >> move & 1:
            return move
    return -1
