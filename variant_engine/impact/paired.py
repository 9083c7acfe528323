"""The same deals under several rulesets: whole deals or whole games, counted and compared as they are played.

One function, :func:`play_paired`, in the core's subset (see :mod:`variant_engine.state`), runs plain and compiled. It
plays each *unit*, a deal or a game, under a first ruleset and then under each of its *variants*: with the same pack
(each ruleset takes its own cards out of one shuffled pack, so that smaller packs keep the order of the larger one), the
same first dealer and the same lots. All counts are ints.

While a variant has not parted from the first ruleset, both seats' legal moves, the whole state and the player's choice
are compared at every step. Where any of these differs, the variant has been *reached*. From there on it is played for
itself, and only what was played is compared: cards, exchanges, closings, and which marriages were announced, said or
not. Drawing, declining an offer and claiming are no other play by themselves: elsewhere they go without a word.
"""

from __future__ import annotations

from ..cards import number_of
from ..differing import ALL_MOVES, apart
from ..encoding import PACK, RULES_LENGTH, SEATS, Rules
from ..engine import EVERY_KIND, legal, play
from ..options.ending import TARGET_GAME_POINTS
from ..phases import ANNOUNCE_MOVE, CLOSE_MOVE, CLOSE_UNDRAWN_MOVE, EXCHANGE_MOVE, OVER
from ..players.greedy import greedy_move
from ..players.uniform import sensible
from ..rules.dealing import deal_cards
from ..rules.exchange import exchange_card
from ..rules.game import dealer_after
from ..simulate.lots import chosen_by_lot
from ..simulate.playout import GREEDY, MAX_MOVES, WORK_PACK, dealer_of, lay_out
from ..simulate.sha import SCRATCH_LENGTH, shuffle_by_label
from ..state import (
    ANNOUNCED_SUITS,
    CARRY,
    DEALER,
    MAX_SEATS,
    PHASE,
    SCORED,
    STATE_LENGTH,
    TALON_CARDS,
    TO_MOVE,
    WINNER,
    State,
    clear,
)

#: What a unit is.
WHOLE_DEALS, WHOLE_GAMES = range(2)
#: Deals of a game are those of the seed from this number on, so many for each game. A game that long is left undecided.
GAMES_FROM = 1 << 40
GAME_DEALS = 64
MAX_UNITS = 1 << 32

# ---- what is counted (``sums``) -----------------------------------------------------------------------------------

# What is measured in each unit. In a deal: game points of A less those of B; of forehand less those of the dealer; of
# whoever scores. In a game: whether A wins it; nothing; how many deals it has.
LEAD, FOREHAND, GAME_POINTS = range(3)
A_WINS, _NOTHING, LENGTH = range(3)
MEASURES = 3

UNITS = 0
#: Of the first ruleset: for each measure the sum and the sum of squares.
FIRST = 1
#: Of the whole (the last variant) beside the others, its parts: units in which the whole changes the result; of these
#: those in which some part changes it; and those in which some part comes to the very result of the whole.
WHOLE_CHANGED = FIRST + 2 * MEASURES
PART_CHANGED = WHOLE_CHANGED + 1
PART_SAME = PART_CHANGED + 1
#: For each measure: the differences of all parts added up, and what is left of the whole's; sum and sum of squares.
PARTS = PART_SAME + 1
REST = PARTS + 2 * MEASURES
#: Then a block for each variant.
VARIANTS = REST + 2 * MEASURES

REACHED = 0
PLAY_CHANGED = 1
RESULT_CHANGED = 2
#: For each measure: the variant's own, and its difference from the first ruleset's; sum and sum of squares.
OWN = 3
DIFFERENCE = OWN + 2 * MEASURES
VARIANT_LENGTH = DIFFERENCE + 2 * MEASURES

# ---- scratch space (``work``) -------------------------------------------------------------------------------------

#: First the pack under play, as in ``playout``; then the packs of a unit's deals, as shuffled, and the shuffle's own.
WORK_PACKS = WORK_PACK + 32
WORK_HASH = WORK_PACKS + 32 * GAME_DEALS
#: Measures of the first ruleset, of the variant under play, of the parts together.
WORK_FIRST = WORK_HASH + SCRATCH_LENGTH
WORK_OWN = WORK_FIRST + MEASURES
WORK_PARTS = WORK_OWN + MEASURES
WORK_SCORE = WORK_PARTS + MEASURES
#: All cards of all rulesets, as a mask; how many of the unit's packs have been shuffled; what came of the unit.
WORK_CARDS = WORK_SCORE + MAX_SEATS
WORK_SHUFFLED = WORK_CARDS + 1
WORK_FOUND = WORK_SHUFFLED + 1
WORK_RESULT = WORK_FOUND + 1
#: What each ruleset's unit came to, as one number.
WORK_RESULTS = WORK_RESULT + 1
MAX_RULESETS = 256
WORK_LENGTH = WORK_RESULTS + MAX_RULESETS

# ---- the first ruleset's deal (``line``): for each step the state, both seats' legal moves, the choice ------------

_STEP_MOVES = STATE_LENGTH
_STEP_CHOICE = _STEP_MOVES + MAX_SEATS
_STEP = _STEP_CHOICE + 1
#: Then what was played, with -1 behind it, and the marriages announced by each seat.
LINE_PLAYED = _STEP * (MAX_MOVES + 1)
LINE_ANNOUNCED = LINE_PLAYED + MAX_MOVES + 1
LINE_LENGTH = LINE_ANNOUNCED + MAX_SEATS

#: Ways to play a deal: writing the line down; beside it, as long as nothing differs; then comparing only what is
#: played; not comparing at all.
RECORDING, BESIDE, PARTED, UNWATCHED = range(4)
#: What came of it, as bits.
WAS_REACHED, WAS_PLAYED_OTHERWISE = 1, 2


def union_of(rulesets: Rules, count: int) -> int:
    """All cards that are in the pack of any of the rulesets."""
    cards = 0
    for place in range(count):
        cards |= rulesets[place * RULES_LENGTH + PACK]
    return cards


def take_out(rules: Rules, work: State, source: int, size: int) -> None:
    """Put the ruleset's own cards, in the order of the shuffled pack at ``source``, where it is dealt from."""
    at = WORK_PACK
    for place in range(size):
        card = work[source + place]
        if rules[PACK] >> card & 1:
            work[at] = card
            at += 1


def as_played(rules: Rules, state: State, seat: int, move: int) -> int:
    """The move as it is compared with another ruleset's, or -1 for one that is not."""
    if move < ANNOUNCE_MOVE or move == CLOSE_MOVE or move == CLOSE_UNDRAWN_MOVE:
        return seat << 8 | move
    if move == EXCHANGE_MOVE:
        return seat << 8 | 64 + exchange_card(rules, state)
    return -1


def differs_here(line: State, at: int, state: State, fields: int) -> bool:
    """Whether the state differs from that of the step at ``at`` in one of its first fields."""
    field = 0
    while field < fields and line[at + field] == state[field]:
        field += 1
    return field < fields


def play_one(
    first: Rules, rules: Rules, manner: int, number: int, key: int, players: State, state: State, line: State
) -> int:
    """Play a deal to its end, in one of the manners above; returns what came of it."""
    step = 0
    played = 0
    found = 0
    while True:
        at = step * _STEP
        # The order of the talon cannot change any more once the cards are dealt.
        fields = STATE_LENGTH if step == 0 else TALON_CARDS
        if manner == RECORDING:
            for field in range(fields):
                line[at + field] = state[field]
        elif manner == BESIDE and differs_here(line, at, state, fields):
            manner = PARTED
            found |= WAS_REACHED
        if state[PHASE] == OVER:
            break
        seat = state[TO_MOVE]
        moves = 0
        for one in range(rules[SEATS]):
            if one == seat or manner < PARTED:
                mask = legal(rules, state, one, EVERY_KIND) & ALL_MOVES
                if one == seat:
                    moves = mask
                if manner == RECORDING:
                    line[at + _STEP_MOVES + one] = mask
                elif manner == BESIDE and apart(first, line[at + _STEP_MOVES + one], rules, mask) != 0:
                    manner = PARTED
                    found |= WAS_REACHED
        moves = sensible(rules, state, seat, moves)
        if players[seat] == GREEDY:
            move = greedy_move(rules, state, seat, moves)
        else:
            move = chosen_by_lot(rules, state, seat, moves, key, number)
        if manner == RECORDING:
            line[at + _STEP_CHOICE] = move
        elif manner == BESIDE and line[at + _STEP_CHOICE] != move:
            manner = PARTED
            found |= WAS_REACHED
        shown = as_played(rules, state, seat, move)
        if shown >= 0 and manner != UNWATCHED:
            if manner == RECORDING:
                line[LINE_PLAYED + played] = shown
            elif line[LINE_PLAYED + played] != shown:
                found |= WAS_PLAYED_OTHERWISE
            played += 1
        play(rules, state, seat, move)
        step += 1
    if manner == RECORDING:
        line[LINE_PLAYED + played] = -1
    elif manner != UNWATCHED and line[LINE_PLAYED + played] != -1:
        found |= WAS_PLAYED_OTHERWISE
    for one in range(rules[SEATS]):
        if manner == RECORDING:
            line[LINE_ANNOUNCED + one] = state[ANNOUNCED_SUITS + one]
        elif manner != UNWATCHED and line[LINE_ANNOUNCED + one] != state[ANNOUNCED_SUITS + one]:
            found |= WAS_PLAYED_OTHERWISE
    return found


def count_measures(work: State, sums: State, place: int, own: int, minus: int) -> None:
    """Add to the sums and sums of squares at ``place`` the measures at ``own``, less those at ``minus`` (-1: none)."""
    for measure in range(MEASURES):
        value = work[own + measure]
        if minus >= 0:
            value -= work[minus + measure]
        sums[place + 2 * measure] += value
        sums[place + 2 * measure + 1] += value * value


def measure_deal(state: State, work: State) -> int:
    """Put down what a deal comes to, and return it as one number: winner, game points, carry."""
    winner = state[WINNER]
    scored = state[SCORED]
    work[WORK_OWN + LEAD] = 0
    work[WORK_OWN + FOREHAND] = 0
    work[WORK_OWN + GAME_POINTS] = 0
    if winner >= 0:
        work[WORK_OWN + LEAD] = scored if winner == 0 else -scored
        work[WORK_OWN + FOREHAND] = -scored if winner == state[DEALER] else scored
        work[WORK_OWN + GAME_POINTS] = scored
    return winner + 1 | scored << 4 | state[CARRY] << 20


def count_whole(work: State, sums: State, variants: int) -> None:
    """Count what the parts, all variants but the last, explain of the whole, which has just been played."""
    result = work[WORK_RESULTS + variants]
    count_measures(work, sums, PARTS, WORK_PARTS, -1)
    # What is left: the whole's difference from the first ruleset, put in place of its own measures, less theirs.
    for measure in range(MEASURES):
        work[WORK_OWN + measure] -= work[WORK_FIRST + measure]
    count_measures(work, sums, REST, WORK_OWN, WORK_PARTS)
    if result == work[WORK_RESULTS]:
        return
    sums[WHOLE_CHANGED] += 1
    changed = 0
    same = 0
    for which in range(1, variants):
        if work[WORK_RESULTS + which] != work[WORK_RESULTS]:
            changed = 1
        if work[WORK_RESULTS + which] == result:
            same = 1
    sums[PART_CHANGED] += changed
    sums[PART_SAME] += same


def play_unit(
    first: Rules, rules: Rules, unit: int, manner: int, number: int, key: int, players: State, work: State,
    line: State, state: State,
) -> int:  # fmt: skip
    """Play a deal or a game by some rules, leave what it comes to in ``work``, and return how many deals it has."""
    seats = rules[SEATS]
    dealer = dealer_of(number if unit == WHOLE_DEALS else 0, seats)
    for seat in range(seats):
        work[WORK_SCORE + seat] = 0
    carry = 0
    dealt = 0
    while True:
        deal = number if unit == WHOLE_DEALS else GAMES_FROM + number * GAME_DEALS + dealt
        cards = work[WORK_CARDS]
        size = number_of(cards)
        source = WORK_PACKS + 32 * dealt
        if dealt == work[WORK_SHUFFLED]:
            lay_out(cards, work)
            shuffle_by_label(deal, work, size, WORK_HASH)
            for place in range(size):
                work[source + place] = work[WORK_PACK + place]
            work[WORK_SHUFFLED] += 1
        take_out(rules, work, source, size)
        clear(state)
        deal_cards(rules, state, work, dealer, 0)
        state[CARRY] = carry
        work[WORK_FOUND] = play_one(first, rules, manner, deal, key, players, state, line)
        dealt += 1
        if unit == WHOLE_DEALS:
            work[WORK_RESULT] = measure_deal(state, work)
            return dealt
        winner = state[WINNER]
        carry = state[CARRY]
        dealer = dealer_after(rules, dealer, winner)
        work[WORK_OWN + A_WINS] = 0
        work[WORK_OWN + _NOTHING] = 0
        work[WORK_OWN + LENGTH] = dealt
        work[WORK_RESULT] = 0
        if winner >= 0:
            work[WORK_SCORE + winner] += state[SCORED]
            if work[WORK_SCORE + winner] >= rules[TARGET_GAME_POINTS]:
                work[WORK_RESULT] = winner + 1
                work[WORK_OWN + A_WINS] = 1 if winner == 0 else 0
                return dealt
        if dealt == GAME_DEALS:
            return dealt


def play_paired(
    rulesets: Rules, variants: int, whole: int, unit: int, first: int, count: int, key: int, players: State,
    work: State, line: State, rules: State, state: State, sums: State,
) -> int:  # fmt: skip
    """Play units ``first`` to ``first + count - 1`` under a ruleset and its variants; returns how many deals that made.

    ``rulesets`` holds the first ruleset and its variants one behind another; ``whole`` is 1 if the last variant has the
    changes of all others, else 0. ``key`` is that of the seed's lots; the seed itself has been prepared in ``work``.
    ``rules`` is room for the rules under play.
    """
    work[WORK_CARDS] = union_of(rulesets, variants + 1)
    deals = 0
    for number in range(first, first + count):
        work[WORK_SHUFFLED] = 0
        for measure in range(MEASURES):
            work[WORK_PARTS + measure] = 0
        for which in range(variants + 1):
            for field in range(RULES_LENGTH):
                rules[field] = rulesets[which * RULES_LENGTH + field]
            manner = UNWATCHED
            if unit == WHOLE_DEALS:
                manner = RECORDING if which == 0 else BESIDE
            deals += play_unit(rulesets, rules, unit, manner, number, key, players, work, line, state)  # type: ignore[arg-type]
            result = work[WORK_RESULT]
            work[WORK_RESULTS + which] = result
            if which == 0:
                for measure in range(MEASURES):
                    work[WORK_FIRST + measure] = work[WORK_OWN + measure]
                sums[UNITS] += 1
                count_measures(work, sums, FIRST, WORK_OWN, -1)
                continue
            at = VARIANTS + (which - 1) * VARIANT_LENGTH
            found = work[WORK_FOUND]
            sums[at + REACHED] += 1 if found & WAS_REACHED else 0
            sums[at + PLAY_CHANGED] += 1 if found & WAS_PLAYED_OTHERWISE else 0
            sums[at + RESULT_CHANGED] += 1 if result != work[WORK_RESULTS] else 0
            count_measures(work, sums, at + OWN, WORK_OWN, -1)
            count_measures(work, sums, at + DIFFERENCE, WORK_OWN, WORK_FIRST)
            if which < variants:
                for measure in range(MEASURES):
                    work[WORK_PARTS + measure] += work[WORK_OWN + measure] - work[WORK_FIRST + measure]
        if whole != 0:
            count_whole(work, sums, variants)
    return deals
