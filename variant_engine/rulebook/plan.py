"""Which topics the chapters of a rulebook have, which options each cites, and which of its sentences is the right one.

A topic that bears an option's name cites this option, and is left out where no answer to it could make a difference
(:func:`~variant_engine.options.meaning.meaningful`). Here is only what is not so plain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..options import BY_NAME
from ..options.idle import claim_is_as_dear_as_closing
from ..options.meaning import Values, meaningful
from ..options.numbers import every_card_counts
from .templates import ALWAYS, ANSWERS, TALONS

#: The paragraphs of each chapter, with their topics.
PARAGRAPHS: dict[str, tuple[tuple[str, ...], ...]] = {
    "aim": (("the_game",), ("target_card_points", "two_counts")),
    "deal": (
        ("pack_cards", "rank_order", "card_points", "other_cards"),
        ("first_dealer", "cut_rank", "cut_tie", "next_dealer", "next_dealer_tie"),
        ("hand_cards", "first_packet", "turn_up", "trumps", "talon", "turn_up_place", "misdeal"),
    ),
    "play": (
        ("first_lead", "trick", "trick_kept"),
        ("talon_states", "answer_open", "answer_closed", "answer_exhausted"),
        ("irregularities",),
    ),
    "drawing": (("draw_first", "full_hands"), ("turn_up_to", "exhausted")),
    "marriages": (
        ("marriage", "marriage_plain"),
        ("marriage_scoring", "marriage_lead", "marriage_trick", "marriage_shown", "marriage_late"),
        ("marriage_counts", "marriage_unled", "marriage_closed", "marriage_exhausted"),
    ),
    "exchange": (
        ("exchange_card", "exchange_trick", "exchange_when", "exchange_talon_min"),
        ("exchange_last_card", "exchange_closed"),
    ),
    "closing": (
        ("closing", "why_close"),
        ("closing_first_lead", "closing_draw", "closing_talon_min"),
        ("closing_success", "closing_forfeit", "closing_adversary_first"),
    ),
    "claiming": (
        ("claim_when", "claim_right"),
        ("claim_open_closes", "claim_forfeit_rule", "false_claim_fails_closing"),
    ),
    "ending": (
        ("last_trick_bonus", "last_trick_bonus_closed"),
        ("end_one_reached", "end_both_reached", "end_none_reached"),
        ("value_win", "schneider_limit", "schwarz_by", "last_trick_value"),
    ),
    "game": (("target_game_points", "tie_carry"), ("double_game", "stakes")),
    "memory": (("count_written",), ("look_back", "look_back_price")),
}

#: Topics without an option that belong to one: they are left out where it is meaningless.
_BELONGS_TO = {"why_close": "closing_draw", "claim_right": "claim_forfeit_rule"}

#: Topics that cite more than the option whose name they bear.
_CITES = {
    "hand_cards": ("hand_cards", "packet_cards"),
    "marriage_plain": ("marriage_plain", "marriage_trump"),
    "closing_forfeit": ("closing_forfeit", "closing_forfeit_trickless", "closing_trickless"),
    "schneider_limit": ("schneider_limit", "value_schneider"),
    "schwarz_by": ("schwarz_by", "value_schwarz"),
}

#: Neighbours that share the sentence of the first where both matter and have the same one of these answers.
_SHARED = (
    ("next_dealer", "next_dealer_tie", ("alternate",)),
    ("marriage_closed", "marriage_exhausted", ("allowed", "not_allowed")),
)

_DUTIES = ("follow", "head", "ruff")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a topic says: the case of its sentences, the options it cites, and messages for places in the sentence."""

    case: str
    cites: tuple[str, ...] = ()
    words: tuple[tuple[str, str], ...] = ()


def choose(topic: str, values: Values, cases: Mapping[str, str]) -> Chosen | None:
    """What a topic says under these values, or None where it says nothing."""
    if topic == "talon_states":
        return Chosen(str(values["closing"]))
    if topic == "other_cards":
        return None if every_card_counts(values) else Chosen(ALWAYS)
    if topic == "false_claim_fails_closing":
        # It says what the claim costs beside its own forfeit; what it follows from is cited where that is said.
        if not meaningful(values, "claim_open_closes"):
            return None
        return Chosen(f"{values['claim_open_closes']}{'' if _closing_is_dearer(values) else ' no more'}")
    if topic.startswith("answer_"):
        return _answer(topic.removeprefix("answer_"), values)
    if topic not in BY_NAME:
        owner = _BELONGS_TO.get(topic)
        return Chosen(ALWAYS) if owner is None or meaningful(values, owner) else None
    if not meaningful(values, topic):
        return None
    if topic == "claim_forfeit_rule" and meaningful(values, "claim_forfeit"):
        case = "same" if values["claim_forfeit"] == values["claim_forfeit_trickless"] else "fixed"
        return Chosen(case, (topic, "claim_forfeit", "claim_forfeit_trickless"))
    for first, second, answers in _SHARED:
        both = all(meaningful(values, name) for name in (first, second))
        if topic in (first, second) and both and values[first] == values[second] in answers:
            return Chosen(f"{values[first]} {values[second]}", (first, second)) if topic == first else None
    case = str(values[topic])
    if topic == "hand_cards":
        case = _packets(int(values["hand_cards"]), int(values["packet_cards"]))
    elif topic == "closing_forfeit":
        case = str(values["closing_trickless"]) if meaningful(values, "closing_trickless") else "same"
    elif topic == "value_win" and _never_schneider(values):
        return Chosen("same", (topic, "value_schneider"))
    cites = tuple(name for name in _CITES.get(topic, (topic,)) if meaningful(values, name))
    return Chosen(case if case in cases else "n", cites)


def _never_schneider(values: Values) -> bool:
    """Whether a schneider scores as a plain win, so that its limit decides nothing."""
    return meaningful(values, "value_schneider") and not meaningful(values, "schneider_limit")


def _closing_is_dearer(values: Values) -> bool:
    """Whether a false claim can cost more for being a failed closing."""
    if not claim_is_as_dear_as_closing(values):
        return True
    # The adversary may have won a first trick since the talon was closed.
    since = meaningful(values, "closing_trickless") and values["closing_trickless"] == "at_closing"
    return since and int(values["closing_forfeit_trickless"]) > int(values["claim_forfeit"])


def _packets(hand: int, packet: int) -> str:
    if packet >= hand:
        return "whole"
    if packet == 1:
        return "single"
    return "rest" if hand % packet else "even"


def _duties(state: str, values: Values) -> dict[str, str]:
    """The options about what may be answered in one state of the talon, with their values; only those that matter."""
    names = [f"{duty}_{state}" for duty in _DUTIES]
    return {name: str(values[name]) for name in names if meaningful(values, name)}


def _answer(state: str, values: Values) -> Chosen | None:
    """The duties in one state of the talon; states in which they are the same share a sentence."""
    found = {each: _duties(each, values) for each in ("open", "closed", "exhausted")}
    states = [each for each, duties in found.items() if duties and [*duties.values()] == [*found[state].values()]]
    when = state
    if len(states) == 3:
        when = "every"
    elif states == ["closed", "exhausted"]:
        when = "closed_exhausted"
    else:
        states = [state]
    if not found[state] or state != states[0]:
        return None
    cites = tuple(name for each in states for name in found[each])
    answer = " ".join(found[state].values())
    return Chosen(ALWAYS, cites, (("when", TALONS[when]), ("answer", ANSWERS[answer])))
