"""Options about marriages."""

from __future__ import annotations

from .declare import Condition, choice, number

_CH = "marriages"

MARRIAGE_PLAIN = number(
    "marriage_plain", _CH, "What does a marriage in a plain suit count?", "card points",
    neutral=20, lowest=0, highest=100,
)
MARRIAGE_TRUMP = number(
    "marriage_trump", _CH, "What does the royal marriage, in trumps, count?", "card points",
    neutral=40, lowest=0, highest=100,
)

MARRIAGE_SCORING = choice(
    "marriage_scoring", _CH, "Does a marriage have to be announced to count?",
    (
        ("announced", "yes, a king or queen led without a word counts nothing extra"),
        ("automatic", "no, leading the king or queen of a pair scores it"),
    ),
    neutral="announced",
)
MUST_ANNOUNCE, SCORES_ITSELF = range(2)

MARRIAGE_TRICK = choice(
    "marriage_trick", _CH, "Must a player have won a trick before announcing a marriage?",
    (
        ("not_needed", "no, it may be announced on the very first lead"),
        ("needed", "yes, at least one trick"),
    ),
    neutral="not_needed",
)
TRICK_NOT_NEEDED, TRICK_NEEDED = range(2)

MARRIAGE_COUNTS = choice(
    "marriage_counts", _CH, "When do the card points of a marriage count?",
    (
        ("with_a_trick", "at once for who has a trick, else with the first trick won; without one they are lost"),
        ("with_next_trick", "with the next trick won, even for who has one already; without it they are lost"),
        ("at_once", "at once, whether or not the player ever wins a trick"),
    ),
    neutral="with_a_trick", affects="score",
    needs=(
        (
            Condition("marriage_plain", tuple(range(1, 101))),
            Condition("marriage_trump", tuple(range(1, 101))),
        ),
    ),
)
WITH_A_TRICK, WITH_NEXT_TRICK, AT_ONCE = range(3)

MARRIAGE_LEAD = choice(
    "marriage_lead", _CH, "Which card of an announced marriage is led?",
    (("king_or_queen", "either"), ("queen", "the queen"), ("king", "the king")),
    neutral="king_or_queen",
)
KING_OR_QUEEN, QUEEN_ONLY, KING_ONLY = range(3)

MARRIAGE_UNLED = choice(
    "marriage_unled", _CH, "May a marriage that brings the target be shown without being led?",
    (
        ("not_allowed", "no, one of its cards must be led"),
        ("one", "yes, one marriage"),
        ("any_number", "yes, several at once if that is what it takes"),
    ),
    neutral="not_allowed",
    needs=(Condition("claim_when", ("any_time", "on_turn", "on_lead")),),
)
UNLED_NOT_ALLOWED, UNLED_ONE, UNLED_ANY_NUMBER = range(3)

MARRIAGE_LATE = choice(
    "marriage_late", _CH, "Until when can a forgotten announcement be made good?",
    (
        ("not_allowed", "it cannot: once the card lies it is too late"),
        ("until_answered", "until the adversary has answered the card led"),
    ),
    neutral="not_allowed",
    needs=(Condition("marriage_scoring", ("announced",)),),
)
LATE_NOT_ALLOWED, UNTIL_ANSWERED = range(2)

MARRIAGE_SHOWN = choice(
    "marriage_shown", _CH, "Are both cards of a marriage shown?",
    (("both", "yes, always"), ("on_demand", "only if the adversary asks"), ("not_described", "the rules do not say")),
    neutral="not_described", affects="table",
)

_ALLOWED = (("allowed", "yes"), ("not_allowed", "no"))
MARRIAGE_CLOSED = choice(
    "marriage_closed", _CH, "May marriages be announced once the talon has been closed?", _ALLOWED, neutral="allowed",
    needs=(Condition("closing", ("on_lead",)),),
)
MARRIAGE_EXHAUSTED = choice(
    "marriage_exhausted", _CH, "May marriages be announced once the talon is exhausted?", _ALLOWED, neutral="allowed",
)
MARRIAGE_ALLOWED, MARRIAGE_NOT_ALLOWED = range(2)
