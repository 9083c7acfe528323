"""Options about exchanging a low trump for the turn-up."""

from __future__ import annotations

from .declare import Condition, choice, number

_CH = "exchange"
_THERE_IS_ONE = Condition("exchange_card", ("nine", "jack", "seven"))

EXCHANGE_CARD = choice(
    "exchange_card", _CH, "Which trump may be exchanged for the turn-up?",
    (("nine", "the nine"), ("jack", "the jack"), ("seven", "the seven"), ("none", "there is no exchange")),
    neutral="nine",
)
NINE_EXCHANGED, JACK_EXCHANGED, SEVEN_EXCHANGED, NO_EXCHANGE = range(4)

EXCHANGE_TRICK = choice(
    "exchange_trick", _CH, "Must a player have won a trick before exchanging?",
    (("needed", "yes, at least one trick"), ("not_needed", "no")),
    neutral="needed", needs=(_THERE_IS_ONE,),
)
EXCHANGE_TRICK_NEEDED, EXCHANGE_TRICK_NOT_NEEDED = range(2)

EXCHANGE_WHEN = choice(
    "exchange_when", _CH, "At what moment may a player exchange?",
    (
        ("on_lead", "on lead, before leading, with no card on the table"),
        ("on_turn", "on lead, and also before answering the card led"),
        (
            "any_time",
            "at any time until the last draw, even out of turn, unless an announcement waits for its card or a trick "
            "for its draw",
        ),
    ),
    neutral="on_lead", needs=(_THERE_IS_ONE,),
)
EXCHANGE_ON_LEAD, EXCHANGE_ON_TURN, EXCHANGE_ANY_TIME = range(3)

EXCHANGE_TALON_MIN = number(
    "exchange_talon_min", _CH, "How many face-down cards must the talon still have for an exchange?",
    "face-down cards", neutral=1, lowest=1, highest=19, affects="play", needs=(_THERE_IS_ONE,),
)

EXCHANGE_CLOSED = choice(
    "exchange_closed", _CH, "May the turn-up still be exchanged after the talon has been closed?",
    (
        ("not_allowed", "no"),
        ("allowed", "yes, by either player, on the same conditions as before"),
        ("offered_at_closing", "only by the adversary of the closer, at the moment of closing, even without a trick"),
    ),
    neutral="not_allowed", needs=(_THERE_IS_ONE, Condition("closing", ("on_lead",))),
)
CLOSED_NOT_ALLOWED, CLOSED_ALLOWED, OFFERED_AT_CLOSING = range(3)

EXCHANGE_LAST_CARD = choice(
    "exchange_last_card", _CH,
    "May the exchange card be exchanged by who draws it as the last face-down card, before the turn-up is taken?",
    (
        ("kept", "no, it must be kept and the turn-up goes to the other player"),
        ("exchangeable", "yes, before the other player takes the turn-up"),
    ),
    neutral="kept", needs=(_THERE_IS_ONE,),
)
LAST_KEPT, LAST_EXCHANGEABLE = range(2)
