"""Whole deals at a stretch: shuffle, deal, play to the end, count.

One function, :func:`play_deals`, in the core's subset (see :mod:`variant_engine.state`): it runs as it stands in plain
Python, over lists, and compiled, over arrays, and comes to the same numbers. All it counts are ints, so that the counts
of two runs of deals add up exactly to those of the run over both.

Deal *n* is dealt by seat B when *n* is even, else by seat A, so that either seat is forehand in turn.
"""

from __future__ import annotations

from ..cards import number_of
from ..encoding import PACK, SEATS, Rules
from ..engine import play
from ..options.deal import PACK_CARDS
from ..phases import OVER
from ..players.greedy import greedy_move
from ..players.uniform import sensible_moves, uniform_move
from ..rules.closing import tricks_taken
from ..rules.dealing import deal_cards
from ..rules.ending import SCHNEIDER, SCHWARZ, margin, margin_counts
from ..state import (
    BY_FAILED_CLOSE,
    BY_FALSE_CLAIM,
    CARD_POINTS_WON,
    CARRY,
    CLOSER,
    DEALER,
    ENDED_BY,
    MAX_SEATS,
    PHASE,
    SCORED,
    TO_MOVE,
    TRICKS,
    TRUMP,
    WINNER,
    State,
    clear,
    next_seat,
)
from .counter import SEAT_STREAM, SHUFFLE_STREAM, number_at, shuffle_by_counter, stream_of
from .sha import SCRATCH_LENGTH, shuffle_by_label

#: The players that :func:`play_deals` knows, by code.
RANDOM, GREEDY = range(2)

#: Where packs come from: given, shuffled by the counter, or by the seed's label as everywhere else in the program.
GIVEN, BY_COUNTER, BY_LABEL = range(3)

# ---- what is counted over all deals (``sums``) --------------------------------------------------------------------

DEALS = 0
#: Decisions, and the sum of their squares over the deals; likewise for tricks.
MOVES = 1
MOVES_SQUARED = 2
TRICKS_PLAYED = 3
TRICKS_SQUARED = 4
#: Deals that nobody won.
TIES = 5
#: Deals by why they ended: the codes of ``ENDED_BY``.
REASONS = 6
# Then blocks with an entry for each seat.
WINS = REASONS + 7
GAME_POINTS = WINS + MAX_SEATS
GAME_POINTS_SQUARED = GAME_POINTS + MAX_SEATS
CARD_POINTS = GAME_POINTS_SQUARED + MAX_SEATS
CARD_POINTS_SQUARED = CARD_POINTS + MAX_SEATS
#: Wins that counted as schneider, as schwarz.
SCHNEIDER_WINS = CARD_POINTS_SQUARED + MAX_SEATS
SCHWARZ_WINS = SCHNEIDER_WINS + MAX_SEATS
#: Deals lost by a wrong claim or a closing that failed.
FORFEITS = SCHWARZ_WINS + MAX_SEATS
CLOSINGS = FORFEITS + MAX_SEATS
CLOSINGS_WON = CLOSINGS + MAX_SEATS
# Blocks with an entry for each seat as the dealer: deals, those won by forehand, by the dealer; game points of forehand
# less those of the dealer, and the sum of their squares.
DEALT = CLOSINGS_WON + MAX_SEATS
FOREHAND_WINS = DEALT + MAX_SEATS
DEALER_WINS = FOREHAND_WINS + MAX_SEATS
FOREHAND_LEAD = DEALER_WINS + MAX_SEATS
FOREHAND_LEAD_SQUARED = FOREHAND_LEAD + MAX_SEATS
SUMS_LENGTH = FOREHAND_LEAD_SQUARED + MAX_SEATS

# ---- what is written down of each deal (``rows``, a column after the other) ----------------------------------------

ROW_DEALER = 0
ROW_TRUMP = 1
ROW_WINNER = 2
ROW_SCORED = 3
ROW_REASON = 4
ROW_CARRY = 5
ROW_CLOSER = 6
ROW_MOVES = 7
ROW_CARD_POINTS = 8
ROW_TRICKS = ROW_CARD_POINTS + MAX_SEATS
#: The pack's rank among all orders, in three parts of 40 bits, lowest first.
ROW_RANK = ROW_TRICKS + MAX_SEATS
ROW_LENGTH = ROW_RANK + 3
RANK_PART_BITS = 40

#: How much is written down: nothing, rows, or rows and the moves (in ``log``, each as ``64 * seat + move``).
NO_ROWS, ROWS, ROWS_AND_MOVES = range(3)
#: A deal has fewer moves than this: 32 cards, 4 marriages, 15 draws, and an exchange, an offer or a claim now and then.
MAX_MOVES = 80

# ---- scratch space (``work``) -------------------------------------------------------------------------------------

#: The pack of the deal under way.
WORK_PACK = 0
#: Where each seat's stream of choices has got to.
WORK_PLACES = 32
#: What the shuffle by label needs; see :mod:`variant_engine.simulate.sha`.
WORK_LABEL = WORK_PLACES + MAX_SEATS
WORK_LENGTH = WORK_LABEL + SCRATCH_LENGTH


def lay_out(pack: int, work: State) -> None:
    """The pack (a mask of its cards) in its order before the shuffle: S H D C x A T K Q J 9 8 7."""
    at = WORK_PACK
    for suit in range(4):
        for down in range(8):
            card = 8 * suit + 7 - down
            if pack >> card & 1:
                work[at] = card
                at += 1


def dealer_of(number: int, seats: int) -> int:
    """Who deals deal ``number``: the seats in turn, the last one first, so that seat A is forehand in deal 0."""
    return seats - 1 - number % seats


def bot_move(rules: Rules, state: State, seat: int, player: int, key: int, work: State) -> int:
    """The move of a player, by code."""
    moves = sensible_moves(rules, state, seat)
    if player == GREEDY:
        return greedy_move(rules, state, seat, moves)
    place = work[WORK_PLACES + seat]
    work[WORK_PLACES + seat] = place + 1
    return uniform_move(moves, number_at(key, place, number_of(moves)))


def count_deal(rules: Rules, state: State, moves: int, sums: State) -> None:
    """Add a finished deal to the counts."""
    sums[DEALS] += 1
    sums[MOVES] += moves
    sums[MOVES_SQUARED] += moves * moves
    tricks = tricks_taken(rules, state)
    sums[TRICKS_PLAYED] += tricks
    sums[TRICKS_SQUARED] += tricks * tricks
    sums[REASONS + state[ENDED_BY]] += 1
    dealer = state[DEALER]
    sums[DEALT + dealer] += 1
    for seat in range(rules[SEATS]):
        card_points = state[CARD_POINTS_WON + seat]
        sums[CARD_POINTS + seat] += card_points
        sums[CARD_POINTS_SQUARED + seat] += card_points * card_points
    winner = state[WINNER]
    closer = state[CLOSER]
    if closer >= 0:
        sums[CLOSINGS + closer] += 1
        sums[CLOSINGS_WON + closer] += winner == closer
    if winner < 0:
        sums[TIES] += 1
        return
    scored = state[SCORED]
    sums[WINS + winner] += 1
    sums[GAME_POINTS + winner] += scored
    sums[GAME_POINTS_SQUARED + winner] += scored * scored
    sums[FOREHAND_LEAD_SQUARED + dealer] += scored * scored
    if winner == dealer:
        sums[DEALER_WINS + dealer] += 1
        sums[FOREHAND_LEAD + dealer] -= scored
    else:
        sums[FOREHAND_WINS + dealer] += 1
        sums[FOREHAND_LEAD + dealer] += scored
    reason = state[ENDED_BY]
    if reason == BY_FAILED_CLOSE or reason == BY_FALSE_CLAIM:
        sums[FORFEITS + next_seat(rules[SEATS], winner)] += 1
    elif margin_counts(rules, reason):
        by = margin(rules, state, winner)
        sums[SCHNEIDER_WINS + winner] += by == SCHNEIDER
        sums[SCHWARZ_WINS + winner] += by == SCHWARZ


def write_row(rules: Rules, state: State, moves: int, work: State, rows: State, row: int, count: int) -> None:
    """Write a finished deal down as row ``row`` of ``count``."""
    rows[ROW_DEALER * count + row] = state[DEALER]
    rows[ROW_TRUMP * count + row] = state[TRUMP]
    rows[ROW_WINNER * count + row] = state[WINNER]
    rows[ROW_SCORED * count + row] = state[SCORED]
    rows[ROW_REASON * count + row] = state[ENDED_BY]
    rows[ROW_CARRY * count + row] = state[CARRY]
    rows[ROW_CLOSER * count + row] = state[CLOSER]
    rows[ROW_MOVES * count + row] = moves
    for seat in range(rules[SEATS]):
        rows[(ROW_CARD_POINTS + seat) * count + row] = state[CARD_POINTS_WON + seat]
        rows[(ROW_TRICKS + seat) * count + row] = state[TRICKS + seat]
    # The rank of the pack, as in the deal code, by long multiplication.
    low = 0
    middle = 0
    high = 0
    part = (1 << RANK_PART_BITS) - 1
    left = rules[PACK]
    size = rules[PACK_CARDS]
    for place in range(size):
        card = work[WORK_PACK + place]
        # Before the card come the cards of the suits before its own, and the higher ones of its own suit.
        suit_start = card & 24
        before = number_of(left & ((1 << suit_start) - 1))
        before += number_of(left >> (card + 1) & ((1 << (suit_start + 7 - card)) - 1))
        left &= ~(1 << card)
        low = low * (size - place) + before
        middle = middle * (size - place) + (low >> RANK_PART_BITS)
        high = high * (size - place) + (middle >> RANK_PART_BITS)
        low &= part
        middle &= part
    rows[ROW_RANK * count + row] = low
    rows[(ROW_RANK + 1) * count + row] = middle
    rows[(ROW_RANK + 2) * count + row] = high


def play_deals(
    rules: Rules,
    first: int,
    count: int,
    key: int,
    shuffle: int,
    players: State,
    packs: State,
    work: State,
    state: State,
    sums: State,
    detail: int,
    rows: State,
    log: State,
) -> int:
    """Play deals ``first`` to ``first + count - 1`` of a seed and add them to ``sums``; returns the number of moves.

    ``key`` is the seed's, for the players' choices and for a shuffle by counter. ``shuffle`` tells where packs come
    from; given ones stand in ``packs`` one behind the other. ``players`` has a code for each seat. ``detail`` tells
    what is written down in ``rows`` and ``log``.
    """
    size = rules[PACK_CARDS]
    seats = rules[SEATS]
    logged = 0
    all_moves = 0
    for number in range(first, first + count):
        if shuffle == GIVEN:
            for place in range(size):
                work[WORK_PACK + place] = packs[(number - first) * size + place]
        else:
            lay_out(rules[PACK], work)
            if shuffle == BY_COUNTER:
                shuffle_by_counter(key, stream_of(number, SHUFFLE_STREAM), work, size)
            else:
                shuffle_by_label(number, work, size, WORK_LABEL)
        clear(state)
        deal_cards(rules, state, work, dealer_of(number, seats), 0)
        for seat in range(seats):
            work[WORK_PLACES + seat] = stream_of(number, SEAT_STREAM + seat)
        moves = 0
        while state[PHASE] != OVER:
            seat = state[TO_MOVE]
            move = bot_move(rules, state, seat, players[seat], key, work)
            play(rules, state, seat, move)
            moves += 1
            if detail == ROWS_AND_MOVES:
                log[logged] = seat << 6 | move
                logged += 1
        all_moves += moves
        count_deal(rules, state, moves, sums)
        if detail != NO_ROWS:
            write_row(rules, state, moves, work, rows, number - first, count)
    return all_moves
