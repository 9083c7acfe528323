"""Options that the numbers of others leave nothing to decide, though all they need is there.

What sources say is compared all the same, and a rulebook gives the answer: these are for an author to be warned of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .meaning import Values, meaningful
from .numbers import counts_without_a_trick, every_card_counts, int_of, least_unless_schwarz, least_when_played_out

#: What a deal that is won can score.
_SCORES = (
    "value_win", "value_schneider", "value_schwarz",
    "closing_forfeit", "closing_forfeit_trickless", "claim_forfeit", "claim_forfeit_trickless",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Idle:
    """An option, those whose numbers can leave it nothing to decide, in which way, and whether values do."""

    option: str
    because: tuple[str, ...]
    words: str
    holds: Callable[[Values], bool]


def _one_win_is_a_game(values: Values) -> bool:
    least = min(int_of(values, name) for name in _SCORES if decides(values, name))
    return least >= int_of(values, "target_game_points")


def claim_is_as_dear_as_closing(values: Values) -> bool:
    """Whether a false claim by itself costs at least as much as a closing that fails at the same moment."""
    return values["claim_forfeit_rule"] == "fixed" and all(
        int_of(values, f"claim_forfeit{which}") >= int_of(values, f"closing_forfeit{which}")
        for which in ("", "_trickless")
    )


def _claim_needs_no_closing(values: Values) -> bool:
    """Whether a claim in an open talon is as dear, and as free, if it does not count as closing."""
    priced = values["look_back_price"] == "right_to_close" and meaningful(values, "look_back_price")
    return claim_is_as_dear_as_closing(values) and not priced


def _last_trick_wins_are_plain(values: Values) -> bool:
    """Whether the loser of a deal that the last trick decides is never schneider nor schwarz.

    Such a deal is played to the last card, so that both counts together are at least all there is in the pack.
    """
    target, limit = int_of(values, "target_card_points"), int_of(values, "schneider_limit")
    least = least_when_played_out(values)
    if values["end_both_reached"] == "last_trick" and meaningful(values, "end_both_reached"):
        # Who has the target is safe, unless marriages brought it without a trick, or an earlier count is what counts.
        without_a_trick = values["marriage_counts"] == "at_once" and values["schwarz_by"] == "no_trick"
        earlier = values["closing"] == "on_lead" and values["closing_success"] == "at_closing"
        if without_a_trick or earlier:
            return False
    if somebody_has_the_target(values):
        return True
    if values["end_none_reached"] == "last_trick":
        # The winner falls short of the target, and the loser has the rest.
        return least - (target - 1) >= max(limit, 1)
    if values["end_none_reached"] == "last_trick_if_equal":
        return least >= max(2 * limit, target)
    return True


def somebody_has_the_target(values: Values) -> bool:
    """Whether both can never be short of the target when all cards are played.

    Where somebody has closed, it is the closer alone who can be, which is a failed closing.
    """
    return 2 * (int_of(values, "target_card_points") - 1) < least_when_played_out(values)


def _last_trick_never_decides(values: Values) -> bool:
    both = values["end_both_reached"] == "last_trick" and meaningful(values, "end_both_reached")
    return somebody_has_the_target(values) and not both


def _somebody_wins(values: Values) -> bool:
    """Whether only a deal in which nobody has the target could be won by nobody, and there is none."""
    undecided = {"end_one_reached": ("nobody",), "end_both_reached": ("nobody", "higher_count")}
    return somebody_has_the_target(values) and not any(
        values[name] in answers and meaningful(values, name) for name, answers in undecided.items()
    )


def _no_trick_is_no_card_points(values: Values) -> bool:
    return every_card_counts(values) and not counts_without_a_trick(values)


def _schwarz_already(values: Values) -> bool:
    return values["schwarz_by"] == "no_card_points" and int_of(values, "schneider_limit") == 1


def _schwarz_or_safe(values: Values) -> bool:
    return int_of(values, "schneider_limit") <= least_unless_schwarz(values)


_ENOUGH = ("target_card_points", "card_points", "last_trick_bonus")
_ALWAYS_SOMEBODY = "somebody always has the target when all cards are played"

IDLE: tuple[Idle, ...] = (
    Idle("next_dealer", ("target_game_points",), "one deal that is won decides the game", _one_win_is_a_game),
    Idle(
        "claim_open_closes",
        ("claim_forfeit", "claim_forfeit_trickless", "closing_forfeit", "closing_forfeit_trickless"),
        "a false claim costs no more for being a failed closing",
        _claim_needs_no_closing,
    ),
    Idle("end_none_reached", _ENOUGH, _ALWAYS_SOMEBODY, somebody_has_the_target),
    Idle("next_dealer_tie", _ENOUGH, f"{_ALWAYS_SOMEBODY}, and wins", _somebody_wins),
    Idle("tie_carry", _ENOUGH, f"{_ALWAYS_SOMEBODY}, and wins", _somebody_wins),
    Idle("last_trick_value", _ENOUGH, _ALWAYS_SOMEBODY, _last_trick_never_decides),
    Idle(
        "last_trick_value",
        ("target_card_points", "schneider_limit"),
        "the loser of such a deal is never schneider",
        _last_trick_wins_are_plain,
    ),
    Idle(
        "schwarz_by",
        ("pack_cards",),
        "every card counts, so that to have no trick is to have no card points",
        _no_trick_is_no_card_points,
    ),
    Idle(
        "value_schneider",
        ("schneider_limit", "schwarz_by"),
        "who has fewer card points is schwarz already",
        _schwarz_already,
    ),
    Idle(
        "value_schneider",
        ("schneider_limit", "schwarz_by", "pack_cards", "card_points"),
        "nobody has fewer card points but who is schwarz",
        _schwarz_or_safe,
    ),
)


def idle(values: Values, name: str) -> Idle | None:
    """Which numbers leave an option that has all it needs nothing to decide; None if it decides something."""
    mine = [one for one in IDLE if one.option == name]
    return next((one for one in mine if one.holds(values)), None) if mine and meaningful(values, name) else None


def decides(values: Values, name: str) -> bool:
    """Whether the option has all it needs, and no numbers leave it nothing to decide."""
    return meaningful(values, name) and idle(values, name) is None
