"""A deal's state: one flat list of ints, laid out here.

The core (``cards``, ``options``, ``encoding``, ``reasons``, ``state``, ``phases``, ``rules/``, ``engine``) keeps to a
few laws, so that the same source runs as plain Python and, compiled from outside, as machine code:

* A function takes the rules (a tuple of ints, or an array) and the state (a list of ints, or an array), reads both by
  the named indices below, and returns ints or tuples of ints. It changes nothing but the state it was given.
* No dict or set or string constants inside functions, no exceptions, no ``None``, no keyword-only parameters, no
  methods of ints, no enum members. ``tests/test_kernel_subset.py`` compiles function by function and names a culprit.
* State changes only in ``engine`` and in the ``rules`` modules that it calls for that.

A flat list is what makes the immutable public position affordable: copying one is a single call, an order of magnitude
cheaper than copying an object field by field.

Fields that belong to a seat are blocks of ``MAX_SEATS``: ``state[HAND + seat]``.
"""

from __future__ import annotations

State = list[int]

MAX_SEATS = 2

#: One of the phases and talon states of :mod:`variant_engine.phases`.
PHASE = 0
TALON = 1
TO_MOVE = 2
#: The seat that leads the trick to come or under way.
LEADER = 3
#: The card led and not yet answered, or -1.
LED = 4
DEALER = 5
TRUMP = 6
#: The face-up card that belongs to the talon, or -1 once it is taken.
TURN_UP = 7
#: Face-down cards of the talon that are left, and the place of the next one in the ``TALON_CARDS`` block.
FACE_DOWN = 8
TALON_TOP = 9
#: Who closed the talon, or -1.
CLOSER = 10
#: Suits (bits) announced on the lead under way.
ANNOUNCING = 11
#: The first seat whose counted card points reached the target, or -1.
FIRST_THERE = 12
#: Cards that everybody has seen played.
PLAYED = 13
#: Game points carried into the deal, and, when it is over, out of it.
CARRY = 14
#: When the deal is over: the winner's seat or -1, the game points scored, and why (one of the codes below).
WINNER = 15
SCORED = 16
ENDED_BY = 17

_SEAT_FIELDS = 18
HAND = _SEAT_FIELDS
#: Card points that count, and marriage points that still wait for a trick.
CARD_POINTS_WON = HAND + MAX_SEATS
PENDING = CARD_POINTS_WON + MAX_SEATS
TRICKS = PENDING + MAX_SEATS
#: Suits (bits) of the marriages announced in this deal.
ANNOUNCED_SUITS = TRICKS + MAX_SEATS
#: Whether the seat has looked back at a price.
LOOKED_BACK = ANNOUNCED_SUITS + MAX_SEATS
#: Tricks and card points as they stood when the talon was closed.
TRICKS_AT_CLOSING = LOOKED_BACK + MAX_SEATS
CARD_POINTS_AT_CLOSING = TRICKS_AT_CLOSING + MAX_SEATS
#: Cards of the hand that the other players know to be there.
KNOWN = CARD_POINTS_AT_CLOSING + MAX_SEATS

#: The face-down cards of the talon, top first; those above ``TALON_TOP`` are gone.
TALON_CARDS = KNOWN + MAX_SEATS
MAX_TALON = 28
STATE_LENGTH = TALON_CARDS + MAX_TALON

#: Why a deal is over: values of ``ENDED_BY``.
BY_CLAIM, BY_REACHING, BY_FALSE_CLAIM, BY_FAILED_CLOSE, BY_LAST_TRICK, BY_COUNT, BY_TIE = range(7)


_NONE_YET = (LED, TURN_UP, CLOSER, FIRST_THERE, WINNER, ENDED_BY)
_BLANK = [-1 if field in _NONE_YET else 0 for field in range(STATE_LENGTH)]


def blank_state() -> State:
    """A state with no cards in it, to be filled by a deal or a position."""
    return _BLANK.copy()


def clear(state: State) -> None:
    """Make a used state blank again."""
    for field in range(STATE_LENGTH):
        state[field] = 0
    state[LED] = -1
    state[TURN_UP] = -1
    state[CLOSER] = -1
    state[FIRST_THERE] = -1
    state[WINNER] = -1
    state[ENDED_BY] = -1


def next_seat(seats: int, seat: int) -> int:
    """The seat after ``seat`` among ``seats`` players, clockwise."""
    following = seat + 1
    return 0 if following == seats else following
