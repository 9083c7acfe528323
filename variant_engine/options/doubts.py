"""Combinations that can be played but hardly be meant: a number that nothing can reach, a price that nobody pays.

Sources may well say such things, and cut-down packs bring them about; so an author is warned, and nothing is refused.
"""

from __future__ import annotations

from .conflicts import Conflict
from .idle import decides
from .meaning import Values, meaningful
from .numbers import int_of, most_card_points, sizes_for_closing, sizes_for_exchange


def _free_look(values: Values) -> bool:
    """Whether a player may look back at a price that nobody can pay."""
    price = values["look_back_price"] == "right_to_close" and meaningful(values, "look_back_price")
    return price and values["closing"] == "not_played"


def most_for_closing(values: Values) -> int:
    """How many face-down cards there can be when the talon is closed; none are left where the first trick ends it."""
    return max(sizes_for_closing(values), default=0)


def most_for_exchange(values: Values) -> int:
    """How many face-down cards there can be at an exchange, but for that of the last card."""
    return max(sizes_for_exchange(values), default=0)


def _or_less(most: int, else_write: str) -> str:
    return f"write at most {most}, or {else_write}" if most else f"write {else_write}"


def _cards(number: str | int) -> str:
    return f"{number} face-down card{'' if number == 1 else 's'}"


def _left(most: int) -> str:
    return f"no more than {most} are left" if most else "none is left"


def _dearer_with_a_trick(forfeit: str, what: str) -> Conflict:
    trickless = f"{forfeit}_trickless"
    return Conflict(
        "R354",
        (forfeit, trickless),
        lambda v: meaningful(v, forfeit) and int_of(v, forfeit) > int_of(v, trickless),
        lambda v: f"{what} costs more ({v[forfeit]}) if the adversary has a trick than without one ({v[trickless]})",
        lambda v: f"write at least {v[forfeit]} for '{trickless}', if it is not meant so",
    )


def _bigger_for_less(bigger: str, smaller: str, between: str = "") -> Conflict:
    """A win that scores less than a smaller one; ``between``: where this decides, it is the one to compare with."""
    wins = {"value_win": "a plain win", "value_schneider": "a schneider", "value_schwarz": "a schwarz"}
    return Conflict(
        "R356",
        (bigger, smaller),
        lambda v: int_of(v, bigger) < int_of(v, smaller)
        and decides(v, bigger)
        and decides(v, smaller)
        and not (between and decides(v, between)),
        lambda v: f"{wins[bigger]} scores less ({v[bigger]}) than {wins[smaller]} ({v[smaller]})",
        lambda v: f"write at least {v[smaller]} for '{bigger}', if it is not meant so",
    )


DOUBTS: tuple[Conflict, ...] = (
    Conflict(
        "R351",
        ("closing_talon_min", "closing_first_lead", "closing_draw", "hand_cards", "pack_cards"),
        lambda v: meaningful(v, "closing_talon_min") and int_of(v, "closing_talon_min") > most_for_closing(v),
        lambda v: f"nobody can ever close: 'closing_talon_min' asks for {_cards(v['closing_talon_min'])}, and after "
        f"the first trick {_left(most_for_closing(v))}",
        lambda v: _or_less(most_for_closing(v), "'allowed' for 'closing_first_lead', or 'either' for 'closing_draw'"),
    ),
    Conflict(
        "R352",
        ("exchange_talon_min", "exchange_trick", "hand_cards", "pack_cards"),
        lambda v: meaningful(v, "exchange_talon_min") and int_of(v, "exchange_talon_min") > most_for_exchange(v),
        lambda v: f"'exchange_talon_min' asks for {_cards(v['exchange_talon_min'])}, but after the first trick, "
        f"which is needed for an exchange, {_left(most_for_exchange(v))}",
        lambda v: _or_less(most_for_exchange(v), "'not_needed' for 'exchange_trick'"),
    ),
    Conflict(
        "R353",
        ("target_card_points", "card_points", "marriage_plain", "marriage_trump"),
        lambda v: int_of(v, "target_card_points") > most_card_points(v),
        lambda v: f"nobody can ever reach {v['target_card_points']} card points: all cards, marriages and the last "
        f"trick make {most_card_points(v)}",
        lambda v: f"write at most {most_card_points(v)} for 'target_card_points'",
    ),
    _dearer_with_a_trick("claim_forfeit", "a false claim"),
    _dearer_with_a_trick("closing_forfeit", "a failed closing"),
    Conflict(
        "R355",
        ("look_back_price", "closing"),
        _free_look,
        lambda v: "looking back costs the right to close, which nobody has: it is free",
        lambda v: "write 'all_tricks' for 'look_back', or 'forbidden' for 'look_back_price'",
    ),
    _bigger_for_less("value_schneider", "value_win"),
    _bigger_for_less("value_schwarz", "value_schneider"),
    _bigger_for_less("value_schwarz", "value_win", between="value_schneider"),
)


def doubtful(values: Values) -> list[Conflict]:
    """The doubtful combinations in a complete set of option values that has no contradictions."""
    return [doubt for doubt in DOUBTS if doubt.broken(values)]
