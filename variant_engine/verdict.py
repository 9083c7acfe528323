"""How a deal came to its result, as codes and the options that decided: who won and why, and what makes the value.

Nothing is decided here: it is read off a deal that is over, by the same functions that ended it.
"""

from __future__ import annotations

from dataclasses import dataclass

from .encoding import SEATS
from .options.closing import CLAIM_FORFEIT_RULE, CLOSING_SUCCESS, FORFEIT_MIRROR, VALUED_AT_CLOSING
from .options.ending import LAST_TRICK_BONUS, LAST_TRICK_BONUS_CLOSED, LAST_TRICK_VALUE, PLAIN_WIN
from .phases import CLOSED, OPEN
from .rules.ending import PLAIN, SCHNEIDER, closing_forfeit, false_claim_forfeit, has_target, margin, win_value
from .state import CLOSER, HAND, LEADER, LED, TALON, TRICKS, TRICKS_AT_CLOSING, next_seat
from .table import Deal


@dataclass(frozen=True, slots=True)
class Ground:
    """One step of the reckoning: a code, the seat it is about (None: nobody), and the options that make it so.

    ``number`` is in the unit of the first option that is a number, 0 where there is none.
    """

    code: str
    seat: int | None
    options: tuple[str, ...]
    number: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a deal ended as it did: what decided it, what was added to the counts, and what it is worth.

    ``value`` are the game points without the ``carried`` ones.
    """

    decided: Ground
    counted: tuple[Ground, ...]
    valued: tuple[Ground, ...]
    value: int
    carried: int


def verdict(deal: Deal) -> Verdict:
    """Why a deal ended as it did. Raises :class:`ValueError` while it goes on."""
    result = deal.result
    if result is None:
        raise ValueError("the deal is not over")
    decided = _decided(deal)
    bonus = _bonus(deal)
    counted = (bonus,) if bonus is not None else ()
    if result.winner is None:
        carry = (Ground("carried_over", None, ("tie_carry",), result.carry),)
        return Verdict(decided, counted, carry, 0, 0)
    valued, value = _valued(deal, result.winner)
    carried = result.game_points - value
    if carried:
        valued = (*valued, Ground("carried", result.winner, ("tie_carry",), carried))
    return Verdict(decided, counted, valued, value, carried)


def _played_out(deal: Deal) -> bool:
    state = deal._state
    return state[LED] < 0 and not any(state[HAND + seat] for seat in range(deal.seats))


def _bonus(deal: Deal) -> Ground | None:
    """What the last trick counted beside its cards."""
    talon = deal._state[TALON]
    if talon == OPEN or not _played_out(deal):
        return None
    index, name = (
        (LAST_TRICK_BONUS_CLOSED, "last_trick_bonus_closed")
        if talon == CLOSED
        else (LAST_TRICK_BONUS, "last_trick_bonus")
    )
    bonus = deal._ints[index]
    return Ground("last_trick_bonus", deal._state[LEADER], (name,), bonus) if bonus else None


def _decided(deal: Deal) -> Ground:
    result = deal.result
    assert result is not None
    ints, state, winner = deal._ints, deal._state, result.winner
    reason = result.reason
    there = [has_target(ints, state, seat) for seat in range(deal.seats)]
    if reason == "claim":
        return Ground("claimed", winner, ("target_card_points",))
    if reason == "reached":
        return Ground("reached", winner, ("claim_when", "target_card_points"))
    if reason == "false_claim":
        assert winner is not None
        return Ground("claimed_falsely", next_seat(ints[SEATS], winner), ("target_card_points",))
    if reason == "failed_close":
        closer = state[CLOSER]
        if there[closer] or not _played_out(deal):
            return Ground("adversary_first", closer, ("closing_adversary_first",))
        return Ground("closer_short", closer, ("target_card_points",))
    if all(there):
        code = {"last_trick": "both_last_trick", "tie": "both_nobody"}.get(reason, "both_higher")
        if code == "both_higher" and deal.rules["end_both_reached"] == "first_to_reach":
            code = "both_first"
        if reason == "counted" and _only_closer_counts(deal):
            return Ground("closer_made_it", winner, ("closing_adversary_first",))
        return Ground(code, winner, ("end_both_reached",))
    if any(there):
        if reason == "tie":
            return Ground("not_claimed", there.index(True), ("end_one_reached",))
        if _only_closer_counts(deal):
            return Ground("closer_made_it", winner, ("closing_adversary_first",))
        return Ground("one_reached", winner, ("end_one_reached",))
    code = {"last_trick": "none_last_trick", "tie": "none_nobody"}.get(reason, "none_higher")
    return Ground(code, winner, ("end_none_reached",))


def _only_closer_counts(deal: Deal) -> bool:
    return deal._state[CLOSER] >= 0 and deal.rules["closing_adversary_first"] == "irrelevant"


# ---- the value ----------------------------------------------------------------------------------------------------


def _valued(deal: Deal, winner: int) -> tuple[tuple[Ground, ...], int]:
    """What makes the value of a win, and the value."""
    result = deal.result
    assert result is not None
    ints, state = deal._ints, deal._state
    loser = next_seat(ints[SEATS], winner)
    if result.reason == "failed_close":
        return (_closing_forfeit(deal, winner),), closing_forfeit(ints, state, winner)
    if result.reason == "false_claim":
        value = false_claim_forfeit(ints, state, loser)
        failed = _closing_forfeit(deal, winner)
        alone, grounds = _false_claim(deal, loser, winner)
        if value > alone:
            more = () if state[CLOSER] == loser else ("claim_open_closes",)
            return (Ground("failed_closing_too", loser, more), failed), value
        return grounds, value
    if result.reason == "last_trick" and ints[LAST_TRICK_VALUE] == PLAIN_WIN:
        value = int(deal.rules["value_win"])
        return (Ground("plain_win", winner, ("last_trick_value", "value_win"), value),), value
    return _by_margin(deal, winner), win_value(ints, state, winner)


def _by_margin(deal: Deal, winner: int) -> tuple[Ground, ...]:
    ints, state = deal._ints, deal._state
    loser = next_seat(ints[SEATS], winner)
    by = margin(ints, state, winner)
    value = win_value(ints, state, winner)
    if by == PLAIN:
        ground = Ground("plain", loser, ("value_win", "schneider_limit"), value)
    elif by == SCHNEIDER:
        ground = Ground("schneider", loser, ("value_schneider", "schneider_limit"), value)
    else:
        ground = Ground("schwarz", loser, ("value_schwarz", "schwarz_by"), value)
    if state[CLOSER] == winner and ints[CLOSING_SUCCESS] == VALUED_AT_CLOSING:
        return Ground("valued_at_closing", loser, ("closing_success",)), ground
    return (ground,)


def _closing_forfeit(deal: Deal, adversary: int) -> Ground:
    ints, state = deal._ints, deal._state
    value = closing_forfeit(ints, state, adversary)
    at_closing = deal.rules["closing_trickless"] == "at_closing" and state[CLOSER] >= 0
    if state[(TRICKS_AT_CLOSING if at_closing else TRICKS) + adversary] == 0:
        code = "closing_forfeit_trickless_then" if at_closing else "closing_forfeit_trickless"
        return Ground(code, adversary, ("closing_forfeit_trickless", "closing_trickless"), value)
    return Ground("closing_forfeit", adversary, ("closing_forfeit",), value)


def _false_claim(deal: Deal, claimer: int, adversary: int) -> tuple[int, tuple[Ground, ...]]:
    """What a false claim costs by itself, and why."""
    if deal._ints[CLAIM_FORFEIT_RULE] == FORFEIT_MIRROR:
        mirrored = Ground("mirrored", claimer, ("claim_forfeit_rule",))
        return win_value(deal._ints, deal._state, claimer), (mirrored, *_by_margin(deal, claimer))
    trickless = deal._state[TRICKS + adversary] == 0
    name = "claim_forfeit_trickless" if trickless else "claim_forfeit"
    value = int(deal.rules[name])
    return value, (Ground(name, adversary, (name,), value),)
