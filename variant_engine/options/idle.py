"""Options that the numbers of others leave nothing to decide, though all they need is there.

What sources say is compared all the same, and a rulebook gives the answer: these are for an author to be warned of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .meaning import meaningful

Values = Mapping[str, str | int]

#: What all cards of a pack count. Only ranks that every pack has count anything.
ALL_CARDS = {"ace_eleven": 4 * (11 + 10 + 4 + 3 + 2), "ace_one": 4 * (1 + 10 + 4 + 3 + 2)}

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


def _int(values: Values, name: str) -> int:
    return int(values[name])


def _one_win_is_a_game(values: Values) -> bool:
    least = min(_int(values, name) for name in _SCORES if meaningful(values, name))
    return least >= _int(values, "target_game_points")


def claim_is_as_dear_as_closing(values: Values) -> bool:
    """Whether a false claim by itself costs at least as much as a closing that fails at the same moment."""
    return values["claim_forfeit_rule"] == "fixed" and all(
        _int(values, f"claim_forfeit{which}") >= _int(values, f"closing_forfeit{which}") for which in ("", "_trickless")
    )


def _claim_needs_no_closing(values: Values) -> bool:
    """Whether a claim in an open talon is as dear, and as free, if it does not count as closing."""
    priced = values["look_back_price"] == "right_to_close" and meaningful(values, "look_back_price")
    return claim_is_as_dear_as_closing(values) and not priced


def _last_trick_wins_are_plain(values: Values) -> bool:
    """Whether the loser of a deal that the last trick decides is never schneider nor schwarz.

    Such a deal is played to the last card, so that both counts together are at least all there is in the pack.
    """
    target, limit = _int(values, "target_card_points"), _int(values, "schneider_limit")
    least = ALL_CARDS[str(values["card_points"])] + _int(values, "last_trick_bonus")
    if values["end_both_reached"] == "last_trick" and meaningful(values, "end_both_reached"):
        # Who has the target is safe, unless marriages brought it without a trick, or an earlier count is what counts.
        without_a_trick = values["marriage_counts"] == "at_once" and values["schwarz_by"] == "no_trick"
        earlier = values["closing"] == "on_lead" and values["closing_success"] == "at_closing"
        if without_a_trick or earlier:
            return False
    if values["end_none_reached"] == "last_trick":
        # The winner falls short of the target, and the loser has the rest.
        return least - (target - 1) >= max(limit, 1)
    if values["end_none_reached"] == "last_trick_if_equal":
        return least >= max(2 * limit, target)
    return True


IDLE: tuple[Idle, ...] = (
    Idle("next_dealer", ("target_game_points",), "one deal that is won decides the game", _one_win_is_a_game),
    Idle(
        "claim_open_closes",
        ("claim_forfeit", "claim_forfeit_trickless", "closing_forfeit", "closing_forfeit_trickless"),
        "a false claim costs no more for being a failed closing",
        _claim_needs_no_closing,
    ),
    Idle(
        "last_trick_value",
        ("target_card_points", "schneider_limit"),
        "the loser of such a deal is never schneider",
        _last_trick_wins_are_plain,
    ),
)
_BY_OPTION = {one.option: one for one in IDLE}


def idle(values: Values, name: str) -> Idle | None:
    """Which numbers leave an option that has all it needs nothing to decide; None if it decides something."""
    found = _BY_OPTION.get(name)
    return found if found is not None and meaningful(values, name) and found.holds(values) else None
