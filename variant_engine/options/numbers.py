"""What the numbers of a ruleset come to together: sizes of the talon, what cards count, which numbers are as good.

Contradictions, warnings and the reports on cases reckon with the same.
"""

from __future__ import annotations

from .meaning import Values, meaningful

#: What all cards of a pack count. Only ranks that every pack has count anything.
ALL_CARDS = {"ace_eleven": 4 * (11 + 10 + 4 + 3 + 2), "ace_one": 4 * (1 + 10 + 4 + 3 + 2)}
#: The least that a card counts if it counts anything.
LEAST_CARD = {"ace_eleven": 2, "ace_one": 1}
#: In a pack of so few cards every card counts something.
_ALL_COUNT = 20


def int_of(values: Values, name: str) -> int:
    """The value of an option that is a number."""
    return int(values[name])


# ---- the talon ------------------------------------------------------------------------------------------------------


def talon_after_deal(values: Values) -> int:
    """Face-down cards of the talon after the deal, the turn-up not counted."""
    return int_of(values, "pack_cards") - 2 * int_of(values, "hand_cards") - 1


def _closes_before_drawing(values: Values) -> bool:
    """Whether the talon can be closed while it has all its cards."""
    return meaningful(values, "closing_first_lead") and (
        values["closing_first_lead"] == "allowed" or values["closing_draw"] != "after_drawing"
    )


def sizes_for_closing(values: Values) -> range:
    """How many face-down cards there can be when the talon is closed, from the most down.

    Both players draw after each trick, so that the talon loses two at a time. There is no size where the first trick
    ends it.
    """
    whole = talon_after_deal(values)
    return range(whole if _closes_before_drawing(values) else whole - 2, 0, -2)


def sizes_for_exchange(values: Values) -> range:
    """How many face-down cards there can be at an exchange, from the most down, but for that of the last card."""
    whole = talon_after_deal(values)
    kept = values["exchange_closed"] != "not_allowed" and _closes_before_drawing(values)
    return range(whole if values["exchange_trick"] == "not_needed" or kept else whole - 2, 0, -2)


_SIZES = {"closing_talon_min": sizes_for_closing, "exchange_talon_min": sizes_for_exchange}


# ---- card points ----------------------------------------------------------------------------------------------------


def every_card_counts(values: Values) -> bool:
    """Whether there are no cards in the pack that count nothing, so that no trick is worth nothing."""
    return values["pack_cards"] == _ALL_COUNT


def least_when_played_out(values: Values) -> int:
    """What both players have together, at the least, when all cards are played and nobody has closed."""
    return ALL_CARDS[str(values["card_points"])] + int_of(values, "last_trick_bonus")


def counts_without_a_trick(values: Values) -> bool:
    """Whether marriages can bring card points to who never wins a trick."""
    at_once = values["marriage_counts"] == "at_once" and meaningful(values, "marriage_counts")
    return at_once and values["marriage_trick"] == "not_needed"


def least_unless_schwarz(values: Values) -> int:
    """No loser who is not schwarz ever has fewer card points than this."""
    card = LEAST_CARD[str(values["card_points"])]
    marriages = [int_of(values, name) for name in ("marriage_plain", "marriage_trump")]
    trick = 2 * card if every_card_counts(values) else 0
    if values["schwarz_by"] == "no_trick":
        return trick
    # Whatever counts anything can be all that the loser has.
    counts = [trick] if trick else [card, *_last_trick_bonuses(values), *marriages]
    if counts_without_a_trick(values):
        counts += marriages
    return min(count for count in counts if count > 0)


def _last_trick_bonuses(values: Values) -> list[int]:
    names = ("last_trick_bonus", "last_trick_bonus_closed")
    return [int_of(values, name) for name in names if meaningful(values, name)]


def most_card_points(values: Values) -> int:
    """More card points than this nobody can ever have: all cards, all marriages and the last trick."""
    marriages = 3 * int_of(values, "marriage_plain") + int_of(values, "marriage_trump")
    return ALL_CARDS[str(values["card_points"])] + marriages + max(_last_trick_bonuses(values))


# ---- numbers that are as good ---------------------------------------------------------------------------------------


def comes_to(values: Values, name: str, value: str | int) -> str | int:
    """The first of all values of an option that make no difference from ``value``, while the others stay as they are.

    For a number of face-down cards it is a size that the talon can have, or the first that it cannot reach; for the
    schneider limit, what saves nobody who is not schwarz. Any other value is like no other.
    """
    if name in _SIZES:
        return next((size for size in reversed(_SIZES[name](values)) if size >= int(value)), _beyond(values, name))
    if name == "schneider_limit":
        return max(int(value), least_unless_schwarz(values))
    return value


def _beyond(values: Values, name: str) -> int:
    return max(_SIZES[name](values), default=0) + 1
