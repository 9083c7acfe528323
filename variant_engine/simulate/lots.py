"""Random choice by lots, for playing the same deal under other rules.

A player who takes the *n*-th of the legal moves plays on quite differently as soon as a rule adds a move to the list.
Here every move has a lot of its own, a random number that depends on the deal, the seat, the number of tricks taken,
whether the talon is closed, and the move, and on nothing else; the highest lot among the moves allowed is played. So
one move more or less changes a choice only if it is itself the one chosen, and never the choices after it.

Each choice is uniform over the moves allowed, whatever went before. Who has to choose again in the same trick looks at
lots that have lost to another and are no longer just any numbers; that is fair as long as all of them have. A move that
was not there before must not meet them. By an exchange a card comes in: whether to exchange is therefore drawn first
and apart, before any lot is looked at. By a closing an exchange may come up once more: hence the talon's part in a lot.

Lots are words of the counter generator (see :mod:`variant_engine.simulate.counter`) under a key of their own.
"""

from __future__ import annotations

from hashlib import sha256

from ..cards import lowest_of, number_of
from ..encoding import SEATS, Rules
from ..phases import CLOSED, EXCHANGE_MOVE
from ..state import TALON, TRICKS, State
from .counter import number_at, word_at

#: The name under which output says how random players choose.
LOTS = "sixtysix-lots-2"
_POSITIVE = 0x7FFFFFFFFFFFFFFF
_EXCHANGE = 1 << EXCHANGE_MOVE
#: Room for the numbers of tricks and of moves, as powers of two.
_TRICK_BITS = 5
_MOVE_BITS = 6


def lots_key_of(seed: int) -> int:
    """The key of a seed's lots."""
    digest = sha256(b"%s/%d" % (LOTS.encode("ascii"), seed)).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def tricks_done(rules: Rules, state: State) -> int:
    """How many tricks have been taken."""
    tricks = 0
    for seat in range(rules[SEATS]):
        tricks += state[TRICKS + seat]
    return tricks


def chosen_by_lot(rules: Rules, state: State, seat: int, moves: int, key: int, number: int) -> int:
    """The move of a random player among ``moves`` in deal ``number`` of the seed with that key of lots."""
    closed = 1 if state[TALON] == CLOSED else 0
    start = ((number * 2 + seat) << _TRICK_BITS | tricks_done(rules, state)) << 1 | closed
    start <<= _MOVE_BITS
    if moves & _EXCHANGE:
        if number_at(key, start + EXCHANGE_MOVE, number_of(moves)) == 0:
            return EXCHANGE_MOVE
        moves &= ~_EXCHANGE
    best = -1
    highest = -1
    while moves:
        move = lowest_of(moves)
        moves &= moves - 1
        # Half the word, lest its sign count in compiled code and not in plain Python.
        lot = word_at(key, start + move) >> 1 & _POSITIVE
        if lot > highest:
            best = move
            highest = lot
    return best
