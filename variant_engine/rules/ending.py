"""What a deal is worth and who wins it. Everything here that is returned as a value is in game points."""

from __future__ import annotations

from ..encoding import SEATS, Rules
from ..options.closing import (
    AT_END,
    CLAIM_FORFEIT,
    CLAIM_FORFEIT_RULE,
    CLAIM_FORFEIT_TRICKLESS,
    CLAIM_WHEN,
    CLOSER_FAILS,
    CLOSING_ADVERSARY_FIRST,
    CLOSING_FORFEIT,
    CLOSING_FORFEIT_TRICKLESS,
    CLOSING_SUCCESS,
    CLOSING_TRICKLESS,
    FORFEIT_MIRROR,
    IRRELEVANT,
    TRICKLESS_AT_CLOSING,
    VALUED_AT_CLOSING,
)
from ..options.ending import (
    BOTH_FIRST_TO_REACH,
    BOTH_HIGHER_COUNT,
    BOTH_LAST_TRICK,
    BY_NO_CARD_POINTS,
    CARRY_NOTHING,
    CARRY_ONE,
    END_BOTH_REACHED,
    END_NONE_REACHED,
    END_ONE_REACHED,
    LAST_TRICK_VALUE,
    NONE_HIGHER_COUNT,
    NONE_LAST_TRICK,
    NONE_LAST_TRICK_IF_EQUAL,
    PLAIN_WIN,
    SCHNEIDER_LIMIT,
    SCHWARZ_BY,
    TARGET_CARD_POINTS,
    THAT_PLAYER,
    TIE_CARRY,
    VALUE_SCHNEIDER,
    VALUE_SCHWARZ,
    VALUE_WIN,
)
from ..phases import CLOSED, OVER
from ..state import (
    BY_CLAIM,
    BY_COUNT,
    BY_FAILED_CLOSE,
    BY_FALSE_CLAIM,
    BY_LAST_TRICK,
    BY_REACHING,
    BY_TIE,
    CARD_POINTS_AT_CLOSING,
    CARD_POINTS_WON,
    CARRY,
    CLOSER,
    ENDED_BY,
    FIRST_THERE,
    PHASE,
    SCORED,
    TALON,
    TRICKS,
    TRICKS_AT_CLOSING,
    WINNER,
    State,
    next_seat,
)
from .claim import adversary_is_irrelevant, claim_closes

#: By how much a deal is won.
PLAIN, SCHNEIDER, SCHWARZ = range(3)


def margin(rules: Rules, state: State, winner: int) -> int:
    """Whether a win is plain, schneider or schwarz, by the adversary's tricks and card points."""
    loser = next_seat(rules[SEATS], winner)
    tricks = state[TRICKS + loser]
    card_points = state[CARD_POINTS_WON + loser]
    if state[CLOSER] == winner and rules[CLOSING_SUCCESS] == VALUED_AT_CLOSING:
        tricks = state[TRICKS_AT_CLOSING + loser]
        card_points = state[CARD_POINTS_AT_CLOSING + loser]
    if rules[SCHWARZ_BY] == BY_NO_CARD_POINTS:
        schwarz = card_points == 0
    else:
        schwarz = tricks == 0
    if schwarz:
        return SCHWARZ
    return SCHNEIDER if card_points < rules[SCHNEIDER_LIMIT] else PLAIN


def win_value(rules: Rules, state: State, winner: int) -> int:
    """What a win is worth by its margin."""
    by = margin(rules, state, winner)
    if by == PLAIN:
        return rules[VALUE_WIN]
    return rules[VALUE_SCHNEIDER] if by == SCHNEIDER else rules[VALUE_SCHWARZ]


def most_game_points(rules: Rules) -> int:
    """The most that a deal can score, apart from what is carried into it."""
    return max(
        rules[VALUE_WIN],
        rules[VALUE_SCHNEIDER],
        rules[VALUE_SCHWARZ],
        rules[CLOSING_FORFEIT],
        rules[CLOSING_FORFEIT_TRICKLESS],
        rules[CLAIM_FORFEIT],
        rules[CLAIM_FORFEIT_TRICKLESS],
    )


def margin_counts(rules: Rules, ended_by: int) -> bool:
    """Whether the margin decided what a deal that ended so was worth, rather than a forfeit or a fixed value."""
    if ended_by == BY_LAST_TRICK:
        return rules[LAST_TRICK_VALUE] != PLAIN_WIN
    return ended_by == BY_CLAIM or ended_by == BY_REACHING or ended_by == BY_COUNT


def closing_forfeit(rules: Rules, state: State, adversary: int) -> int:
    """What the closer's adversary scores when the closing fails."""
    at_closing = state[CLOSER] >= 0 and rules[CLOSING_TRICKLESS] == TRICKLESS_AT_CLOSING
    tricks = state[(TRICKS_AT_CLOSING if at_closing else TRICKS) + adversary]
    return rules[CLOSING_FORFEIT_TRICKLESS] if tricks == 0 else rules[CLOSING_FORFEIT]


def false_claim_forfeit(rules: Rules, state: State, claimer: int) -> int:
    """What a false claim gives the adversary: what it costs by itself, or as the failed closing that it also is.

    It is one when the claimer has closed, and where a claim in an open talon counts as closing; the dearer then holds.
    """
    adversary = next_seat(rules[SEATS], claimer)
    if rules[CLAIM_FORFEIT_RULE] == FORFEIT_MIRROR:
        forfeit = win_value(rules, state, claimer)
    elif state[TRICKS + adversary] == 0:
        forfeit = rules[CLAIM_FORFEIT_TRICKLESS]
    else:
        forfeit = rules[CLAIM_FORFEIT]
    if state[CLOSER] == claimer or claim_closes(rules, state):
        return max(forfeit, closing_forfeit(rules, state, adversary))
    return forfeit


def has_target(rules: Rules, state: State, seat: int) -> bool:
    """Whether the seat's counted card points have reached the target."""
    return state[CARD_POINTS_WON + seat] >= rules[TARGET_CARD_POINTS]


def finish(state: State, winner: int, value: int, ended_by: int) -> None:
    """End the deal for ``winner``, who gets ``value`` and whatever has been carried."""
    state[PHASE] = OVER
    state[WINNER] = winner
    state[SCORED] = value + state[CARRY]
    state[ENDED_BY] = ended_by
    state[CARRY] = 0


def finish_tied(rules: Rules, state: State) -> None:
    """End the deal with no winner; the rules say what is carried."""
    carried = 0
    if rules[TIE_CARRY] == CARRY_ONE:
        carried = 1
    elif rules[TIE_CARRY] != CARRY_NOTHING:
        carried = state[CARRY] + 1
    state[PHASE] = OVER
    state[WINNER] = -1
    state[SCORED] = 0
    state[ENDED_BY] = BY_TIE
    state[CARRY] = carried


def finish_reached(rules: Rules, state: State, seat: int, ended_by: int) -> None:
    """End the deal for a seat that has the target, by a right claim or by itself."""
    if state[TALON] == CLOSED and state[CLOSER] != seat and rules[CLOSING_ADVERSARY_FIRST] == CLOSER_FAILS:
        finish(state, seat, closing_forfeit(rules, state, seat), BY_FAILED_CLOSE)
    else:
        finish(state, seat, win_value(rules, state, seat), ended_by)


def finish_claim(rules: Rules, state: State, seat: int) -> None:
    """End the deal by a claim, right or wrong."""
    if has_target(rules, state, seat):
        finish_reached(rules, state, seat, BY_CLAIM)
    else:
        adversary = next_seat(rules[SEATS], seat)
        finish(state, adversary, false_claim_forfeit(rules, state, seat), BY_FALSE_CLAIM)


def finish_automatically(rules: Rules, state: State, seat: int) -> None:
    """End the deal if the seat has the target and no claim is needed; an irrelevant adversary plays on."""
    if not has_target(rules, state, seat):
        return
    if adversary_is_irrelevant(rules, state, seat):
        return
    finish_reached(rules, state, seat, BY_REACHING)


def _finish_by_last_trick(rules: Rules, state: State, seat: int) -> None:
    value = rules[VALUE_WIN] if rules[LAST_TRICK_VALUE] == PLAIN_WIN else win_value(rules, state, seat)
    finish(state, seat, value, BY_LAST_TRICK)


def _lead_in_count(rules: Rules, state: State, seat: int) -> int:
    """By how many card points the seat is ahead of the adversary; negative when behind."""
    return state[CARD_POINTS_WON + seat] - state[CARD_POINTS_WON + next_seat(rules[SEATS], seat)]


def _finish_by_higher_count(rules: Rules, state: State, last_winner: int) -> None:
    ahead = _lead_in_count(rules, state, last_winner)
    if ahead == 0:
        finish_tied(rules, state)
    else:
        winner = last_winner if ahead > 0 else next_seat(rules[SEATS], last_winner)
        finish(state, winner, win_value(rules, state, winner), BY_COUNT)


def _finish_both(rules: Rules, state: State, last_winner: int) -> None:
    answer = rules[END_BOTH_REACHED]
    first = state[FIRST_THERE]
    if answer == BOTH_FIRST_TO_REACH and first >= 0:
        finish(state, first, win_value(rules, state, first), BY_COUNT)
    elif answer == BOTH_HIGHER_COUNT:
        _finish_by_higher_count(rules, state, last_winner)
    elif answer == BOTH_LAST_TRICK:
        _finish_by_last_trick(rules, state, last_winner)
    else:
        finish_tied(rules, state)


def _finish_neither(rules: Rules, state: State, last_winner: int) -> None:
    answer = rules[END_NONE_REACHED]
    equal = _lead_in_count(rules, state, last_winner) == 0
    if answer == NONE_LAST_TRICK or (answer == NONE_LAST_TRICK_IF_EQUAL and equal):
        _finish_by_last_trick(rules, state, last_winner)
    elif answer == NONE_HIGHER_COUNT:
        _finish_by_higher_count(rules, state, last_winner)
    else:
        finish_tied(rules, state)


def finish_played_out(rules: Rules, state: State, last_winner: int) -> None:
    """End a deal in which every card has been played and nobody went out before."""
    other = next_seat(rules[SEATS], last_winner)
    here = has_target(rules, state, last_winner)
    there = has_target(rules, state, other)
    closer = state[CLOSER]
    if closer >= 0:
        adversary = next_seat(rules[SEATS], closer)
        if not has_target(rules, state, closer):
            finish(state, adversary, closing_forfeit(rules, state, adversary), BY_FAILED_CLOSE)
            return
        if rules[CLOSING_ADVERSARY_FIRST] == IRRELEVANT:
            finish(state, closer, win_value(rules, state, closer), BY_COUNT)
            return
        # Where no claim can be made, the count alone shows who was there first.
        beaten = rules[CLAIM_WHEN] == AT_END and state[FIRST_THERE] == adversary
        if beaten and rules[CLOSING_ADVERSARY_FIRST] == CLOSER_FAILS:
            finish(state, adversary, closing_forfeit(rules, state, adversary), BY_FAILED_CLOSE)
            return
    if here and there:
        _finish_both(rules, state, last_winner)
    elif here or there:
        if rules[END_ONE_REACHED] == THAT_PLAYER:
            winner = last_winner if here else other
            finish(state, winner, win_value(rules, state, winner), BY_COUNT)
        else:
            finish_tied(rules, state)
    else:
        _finish_neither(rules, state, last_winner)
