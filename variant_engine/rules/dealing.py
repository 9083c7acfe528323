"""From a pack to a deal, and drawing from the talon."""

from __future__ import annotations

from collections.abc import Sequence

from ..encoding import SEATS, Rules
from ..options.deal import (
    DEALER_FIRST,
    DRAWN_BY_FOREHAND,
    FIRST_PACKET,
    HAND_CARDS,
    LAST_CARD,
    PACK_CARDS,
    PACKET_CARDS,
    SEVENTH_CARD,
)
from ..options.deal import (
    TURN_UP as TURN_UP_OPTION,
)
from ..options.play import DRAW_FIRST, LOSER_FIRST, TO_FIRST_DRAWER, TURN_UP_TO
from ..phases import EXHAUSTED, LEAD, OFFER, OPEN
from ..state import (
    DEALER,
    FACE_DOWN,
    HAND,
    KNOWN,
    LEADER,
    PHASE,
    TALON,
    TALON_CARDS,
    TALON_TOP,
    TO_MOVE,
    TRUMP,
    TURN_UP,
    State,
    next_seat,
)
from .ending import finish_played_out
from .exchange import offers_last_card


def middle_of(face_down: int) -> int:
    """Where forehand draws the turn-up when nothing else is said: half the talon, rounded down, counted from 1."""
    return face_down // 2


def deal_cards(rules: Rules, state: State, pack: Sequence[int], dealer: int, turn_up_at: int) -> None:
    """Deal ``pack``, listed top first, into a blank state; forehand is then on lead.

    ``turn_up_at`` is the place in the talon, from 1 at the top, of the card that forehand draws for the turn-up; 0
    stands for the middle. It matters only where forehand draws.
    """
    seats = rules[SEATS]
    forehand = next_seat(seats, dealer)
    hand_cards = rules[HAND_CARDS]
    seat = dealer if rules[FIRST_PACKET] == DEALER_FIRST else forehand
    at = 0
    turn_up = -1
    dealt = 0
    while dealt < hand_cards:
        packet = min(rules[PACKET_CARDS], hand_cards - dealt)
        for _ in range(seats):
            hand = 0
            for card in range(at, at + packet):
                hand |= 1 << pack[card]
            state[HAND + seat] |= hand
            at += packet
            seat = next_seat(seats, seat)
        if dealt == 0 and rules[TURN_UP_OPTION] == SEVENTH_CARD:
            turn_up = pack[at]
            at += 1
        dealt += packet
    left = rules[PACK_CARDS] - at
    skip = -1
    if turn_up < 0:
        if rules[TURN_UP_OPTION] == LAST_CARD:
            skip = at + left - 1
        elif rules[TURN_UP_OPTION] == DRAWN_BY_FOREHAND:
            skip = at + (turn_up_at if turn_up_at > 0 else middle_of(left)) - 1
        else:
            skip = at
        turn_up = pack[skip]
    face_down = 0
    for place in range(at, at + left):
        if place != skip:
            state[TALON_CARDS + face_down] = pack[place]
            face_down += 1
    state[FACE_DOWN] = face_down
    state[TURN_UP] = turn_up
    state[TRUMP] = turn_up >> 3
    state[DEALER] = dealer
    state[LEADER] = forehand
    state[TO_MOVE] = forehand
    state[PHASE] = LEAD
    state[TALON] = OPEN


def _take_face_down(state: State, seat: int) -> None:
    top = state[TALON_TOP]
    state[HAND + seat] |= 1 << state[TALON_CARDS + top]
    state[TALON_TOP] = top + 1
    state[FACE_DOWN] -= 1


def take_turn_up(state: State, seat: int) -> None:
    """Give the turn-up, the talon's last card, to a seat; everybody sees where it goes."""
    bit = 1 << state[TURN_UP]
    state[HAND + seat] |= bit
    state[KNOWN + seat] |= bit
    state[TURN_UP] = -1
    state[TALON] = EXHAUSTED


def draw(rules: Rules, state: State) -> None:
    """Let both players draw after a trick that the leader-to-be has taken, and put that player on lead.

    If the last face-down card may still be exchanged, the phase becomes the offer and the turn-up stays for now. An odd
    card that cannot be shared equally stays where it is.
    """
    seats = rules[SEATS]
    winner = state[LEADER]
    first = next_seat(seats, winner) if rules[DRAW_FIRST] == LOSER_FIRST else winner
    second = next_seat(seats, first)
    state[PHASE] = LEAD
    state[TO_MOVE] = winner
    if state[FACE_DOWN] >= seats:
        _take_face_down(state, first)
        _take_face_down(state, second)
        if state[FACE_DOWN] == 0 and state[TURN_UP] < 0:
            state[TALON] = EXHAUSTED
    elif state[FACE_DOWN] == 1 and state[TURN_UP] >= 0:
        if rules[TURN_UP_TO] == TO_FIRST_DRAWER:
            take_turn_up(state, first)
            _take_face_down(state, second)
        else:
            _take_face_down(state, first)
            if offers_last_card(rules, state, first):
                state[PHASE] = OFFER
                state[TO_MOVE] = first
            else:
                take_turn_up(state, second)
    else:
        state[TALON] = EXHAUSTED
        if state[HAND + winner] == 0:
            finish_played_out(rules, state, winner)
