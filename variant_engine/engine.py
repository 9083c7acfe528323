"""The state machine: legal moves, reasons, and playing a move.

``legal`` and ``bars`` ask the same rules; ``play`` only ever changes the state it is given. The seat is always named:
seats that are not to move can have moves too.
"""

from __future__ import annotations

from .encoding import COUNTS, SEATS, Rules
from .options.closing import AUTOMATIC, CLAIM_WHEN
from .options.ending import LAST_TRICK_BONUS, LAST_TRICK_BONUS_CLOSED, TARGET_CARD_POINTS
from .phases import (
    ADMITTED,
    ADMITTED_OTHERS,
    ANNOUNCE,
    ANNOUNCE_MOVE,
    ANNOUNCED,
    ANSWER,
    BEFORE_DRAW,
    CLAIM,
    CLAIM_MOVE,
    CLOSE,
    CLOSE_MOVE,
    CLOSE_UNDRAWN,
    CLOSE_UNDRAWN_MOVE,
    CLOSED,
    DECLINE,
    DECLINE_MOVE,
    DRAW,
    DRAW_MOVE,
    EXCHANGE,
    EXCHANGE_MOVE,
    KINDS,
    LEAD,
    LOOK_BACK,
    LOOK_BACK_MOVE,
    OFFER,
    OPEN,
    OVER,
    PLAY,
    kind_of,
)
from .reasons import DEAL_OVER, NOT_NOW, NOT_YOUR_TURN
from .rules.admission import admitted, narrowing_bars
from .rules.answer import answer_wins, play_bars, playable
from .rules.claim import claim_bars
from .rules.closing import closing_bars, look_back_bars, may_close_undrawn
from .rules.dealing import draw, take_turn_up
from .rules.ending import finish_automatically, finish_claim, finish_played_out
from .rules.exchange import exchange_bars, exchange_card, offers_at_closing
from .rules.marriage import announce_bars, announceable, counts_now, marriage_cards, marriage_value, scores_itself
from .state import (
    ANNOUNCED_SUITS,
    ANNOUNCING,
    CARD_POINTS_AT_CLOSING,
    CARD_POINTS_WON,
    CLOSER,
    FIRST_THERE,
    HAND,
    KNOWN,
    LEADER,
    LED,
    LOOKED_BACK,
    PENDING,
    PHASE,
    PLAYED,
    TALON,
    TO_MOVE,
    TRICKS,
    TRICKS_AT_CLOSING,
    TURN_UP,
    State,
    next_seat,
)

# The admission masks of the two phases asked for most, spelt as bits once.
_PLAYS = 1 << PLAY
_ANNOUNCES = 1 << ANNOUNCE
_EXCHANGES = 1 << EXCHANGE
_DECLINES = 1 << DECLINE
_CLOSES = 1 << CLOSE
_CLOSES_UNDRAWN = 1 << CLOSE_UNDRAWN
_DRAWS = 1 << DRAW
CLAIMS = 1 << CLAIM
LOOKS_BACK = 1 << LOOK_BACK
#: The kinds of the short phases between the tricks.
_WITHOUT_A_CARD = _DECLINES | _CLOSES_UNDRAWN | _DRAWS
EVERY_KIND = (1 << len(KINDS)) - 1


def legal(rules: Rules, state: State, seat: int, among: int = EVERY_KIND) -> int:
    """The moves that the seat may make now, as a mask; ``among``: only those of some kinds (bits)."""
    kinds = admitted(rules, state, seat) & among
    moves = 0
    if kinds & _PLAYS:
        moves = playable(rules, state, seat)
        if kinds == _PLAYS:
            return moves
    if kinds & _ANNOUNCES:
        announced = announceable(rules, state, seat)
        if announced:
            moves |= announced << ANNOUNCE_MOVE
    if kinds & _EXCHANGES and exchange_bars(rules, state, seat) == 0:
        moves |= 1 << EXCHANGE_MOVE
    if kinds & _CLOSES and closing_bars(rules, state, seat, False) == 0:
        moves |= 1 << CLOSE_MOVE
    if kinds & _WITHOUT_A_CARD:
        if kinds & _DECLINES:
            moves |= 1 << DECLINE_MOVE
        if kinds & _CLOSES_UNDRAWN and closing_bars(rules, state, seat, True) == 0:
            moves |= 1 << CLOSE_UNDRAWN_MOVE
        if kinds & _DRAWS:
            moves |= 1 << DRAW_MOVE
    if kinds & CLAIMS and claim_bars(rules, state, seat) == 0:
        moves |= 1 << CLAIM_MOVE
    if kinds & LOOKS_BACK and look_back_bars(rules, state, seat) == 0:
        moves |= 1 << LOOK_BACK_MOVE
    return moves


def bars(rules: Rules, state: State, seat: int, move: int) -> int:
    """The reasons why the seat may not make the move now, as a mask; 0 when it may."""
    if state[PHASE] == OVER:
        return 1 << DEAL_OVER
    kind = kind_of(move)
    place = 3 * state[PHASE] + state[TALON]
    if seat != state[TO_MOVE] and not ADMITTED_OTHERS[place] >> kind & 1:
        return 1 << NOT_YOUR_TURN
    reasons = narrowing_bars(rules, state, seat, kind)
    if seat == state[TO_MOVE] and not ADMITTED[place] >> kind & 1:
        return reasons | 1 << NOT_NOW
    if kind == PLAY:
        reasons |= play_bars(rules, state, seat, move)
    elif kind == ANNOUNCE:
        reasons |= announce_bars(rules, state, seat, move - ANNOUNCE_MOVE)
    elif kind == EXCHANGE:
        reasons |= exchange_bars(rules, state, seat)
    elif kind == CLOSE or kind == CLOSE_UNDRAWN:
        reasons |= closing_bars(rules, state, seat, kind == CLOSE_UNDRAWN)
    elif kind == CLAIM:
        reasons |= claim_bars(rules, state, seat)
    elif kind == LOOK_BACK:
        reasons |= look_back_bars(rules, state, seat)
    return reasons


def play(rules: Rules, state: State, seat: int, move: int) -> None:
    """Make a legal move. What an illegal one would do is undefined: ask ``legal`` or ``bars`` first."""
    if move < ANNOUNCE_MOVE:
        if state[PHASE] == ANSWER:
            _answer(rules, state, seat, move)
        else:
            _lead(rules, state, seat, move)
    elif move < EXCHANGE_MOVE:
        _announce(rules, state, seat, move - ANNOUNCE_MOVE)
    elif move == CLAIM_MOVE:
        finish_claim(rules, state, seat)
    elif move == EXCHANGE_MOVE:
        _exchange(rules, state, seat)
    elif move == DRAW_MOVE:
        draw(rules, state)
    elif move == CLOSE_MOVE or move == CLOSE_UNDRAWN_MOVE:
        _close(rules, state, seat)
    elif move == DECLINE_MOVE:
        _end_offer(rules, state)
    else:
        state[LOOKED_BACK + seat] = 1


def _credit(rules: Rules, state: State, seat: int, card_points: int) -> None:
    before = state[CARD_POINTS_WON + seat]
    state[CARD_POINTS_WON + seat] = before + card_points
    # In a position where both have the target already, nobody knows who was there first.
    if state[FIRST_THERE] < 0 and before < rules[TARGET_CARD_POINTS] <= before + card_points:
        state[FIRST_THERE] = seat


def _announce(rules: Rules, state: State, seat: int, suit: int) -> None:
    value = marriage_value(rules, state, suit)
    state[ANNOUNCED_SUITS + seat] |= 1 << suit
    state[KNOWN + seat] |= state[HAND + seat] & marriage_cards(1 << suit)
    if state[PHASE] != ANSWER:
        state[ANNOUNCING] |= 1 << suit
        state[PHASE] = ANNOUNCED
    if counts_now(rules, state, seat):
        _credit(rules, state, seat, value)
        if rules[CLAIM_WHEN] == AUTOMATIC:
            finish_automatically(rules, state, seat)
    else:
        state[PENDING + seat] += value


def _lead(rules: Rules, state: State, seat: int, card: int) -> None:
    if state[PHASE] == LEAD and scores_itself(rules, state, seat, card):
        _announce(rules, state, seat, card >> 3)
    bit = 1 << card
    state[HAND + seat] &= ~bit
    state[KNOWN + seat] &= ~bit
    state[LED] = card
    if state[PHASE] == OVER:
        return
    state[ANNOUNCING] = 0
    state[LEADER] = seat
    state[TO_MOVE] = next_seat(rules[SEATS], seat)
    state[PHASE] = ANSWER


def _answer(rules: Rules, state: State, seat: int, card: int) -> None:
    """Answer the card led, and take the trick: count it, then draw or go on."""
    bit = 1 << card
    hand = state[HAND + seat] & ~bit
    state[HAND + seat] = hand
    state[KNOWN + seat] &= ~bit
    led = state[LED]
    winner = seat if answer_wins(rules, state, card) else state[LEADER]
    state[PLAYED] |= bit | 1 << led
    state[LED] = -1
    state[LEADER] = winner
    state[TO_MOVE] = winner
    state[PHASE] = LEAD
    state[TRICKS + winner] += 1
    card_points = rules[COUNTS + (led & 7)] + rules[COUNTS + (card & 7)] + state[PENDING + winner]
    state[PENDING + winner] = 0
    talon = state[TALON]
    if hand == 0 and talon != OPEN:
        card_points += rules[LAST_TRICK_BONUS_CLOSED if talon == CLOSED else LAST_TRICK_BONUS]
    _credit(rules, state, winner, card_points)
    if rules[CLAIM_WHEN] == AUTOMATIC:
        finish_automatically(rules, state, winner)
        if state[PHASE] == OVER:
            return
    if talon == OPEN:
        # Who has no card left, as can only be in a position set up by hand, has nothing to close with.
        if hand != 0 and may_close_undrawn(rules, state, winner):
            state[PHASE] = BEFORE_DRAW
        else:
            draw(rules, state)
    elif hand == 0:
        finish_played_out(rules, state, winner)


def _exchange(rules: Rules, state: State, seat: int) -> None:
    given = exchange_card(rules, state)
    taken = state[TURN_UP]
    state[HAND + seat] = state[HAND + seat] & ~(1 << given) | 1 << taken
    state[KNOWN + seat] = state[KNOWN + seat] & ~(1 << given) | 1 << taken
    state[TURN_UP] = given
    if state[PHASE] == OFFER:
        _end_offer(rules, state)


def _close(rules: Rules, state: State, seat: int) -> None:
    state[TALON] = CLOSED
    state[CLOSER] = seat
    for other in range(rules[SEATS]):
        state[TRICKS_AT_CLOSING + other] = state[TRICKS + other]
        state[CARD_POINTS_AT_CLOSING + other] = state[CARD_POINTS_WON + other]
    state[PHASE] = LEAD
    if offers_at_closing(rules, state):
        state[PHASE] = OFFER
        state[TO_MOVE] = next_seat(rules[SEATS], seat)


def _end_offer(rules: Rules, state: State) -> None:
    """Go on after an offer: the closer leads, or the other player takes the turn-up and the winner leads."""
    if state[TALON] == OPEN:
        take_turn_up(state, next_seat(rules[SEATS], state[TO_MOVE]))
    state[PHASE] = LEAD
    state[TO_MOVE] = state[LEADER]
