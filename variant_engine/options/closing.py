"""Options about closing the talon, and about claiming the target. Texts use one word for both; here they are two."""

from __future__ import annotations

from .declare import Condition, Differing, choice, number

_CLOSES = Condition("closing", ("on_lead",))
_CLAIMS = Condition("claim_when", ("any_time", "on_turn", "on_lead"))

CLOSING = choice(
    "closing", "closing", "May the talon be closed, and by whom?",
    (("on_lead", "yes, by the player who has the lead"), ("not_played", "no, there is no closing")),
    neutral="on_lead",
)
CLOSING_ON_LEAD, CLOSING_NOT_PLAYED = range(2)

CLOSING_FIRST_LEAD = choice(
    "closing_first_lead", "closing", "May the talon be closed before the first trick?",
    (("allowed", "yes, by forehand before the first lead"), ("not_allowed", "no, a trick must have been played")),
    neutral="allowed", needs=(_CLOSES,),
)
FIRST_LEAD_ALLOWED, FIRST_LEAD_NOT_ALLOWED = range(2)

CLOSING_DRAW = choice(
    "closing_draw", "closing", "Is the talon closed before or after drawing?",
    (
        ("after_drawing", "after drawing, with full hands"),
        ("before_drawing", "right after the trick, before drawing; nobody draws"),
        ("either", "either, as the closer likes"),
    ),
    neutral="after_drawing", needs=(_CLOSES,),
)
AFTER_DRAWING, BEFORE_DRAWING, EITHER_DRAWING = range(3)

CLOSING_TALON_MIN = number(
    "closing_talon_min", "closing", "How many face-down cards must the talon still have to be closed?",
    "face-down cards", neutral=1, lowest=1, highest=19, affects="play", needs=(_CLOSES,),
)

CLOSING_SUCCESS = choice(
    "closing_success", "closing", "By which state of the adversary is a successful closing valued?",
    (("at_end", "as it is when the closer has made it"), ("at_closing", "as it was when the talon was closed")),
    neutral="at_end", affects="score", needs=(_CLOSES,),
)
VALUED_AT_END, VALUED_AT_CLOSING = range(2)

CLOSING_FORFEIT = number(
    "closing_forfeit", "closing", "What does the adversary score when the closer fails?", "game points",
    neutral=2, lowest=0, highest=12, needs=(_CLOSES,),
)
CLOSING_FORFEIT_TRICKLESS = number(
    "closing_forfeit_trickless", "closing", "What does an adversary without a trick score when the closer fails?",
    "game points",
    neutral=3, lowest=0, highest=12, needs=(_CLOSES,),
)
CLOSING_TRICKLESS = choice(
    "closing_trickless", "closing", "When must the adversary be without a trick to score that?",
    (("at_closing", "when the talon was closed"), ("at_end", "when the deal is over")),
    neutral="at_closing", affects="score",
    needs=(_CLOSES, Differing("closing_forfeit", "closing_forfeit_trickless")),
)
TRICKLESS_AT_CLOSING, TRICKLESS_AT_END = range(2)

CLOSING_ADVERSARY_FIRST = choice(
    "closing_adversary_first", "closing", "What if the adversary reaches the target before the closer?",
    (
        ("closer_fails", "the closer has failed and pays the forfeit for that"),
        ("adversary_wins", "the adversary wins as in any other deal"),
        ("irrelevant", "nothing; the deal goes on and only the closer's count matters"),
    ),
    neutral="closer_fails", affects="score", needs=(_CLOSES,),
)
CLOSER_FAILS, ADVERSARY_WINS, IRRELEVANT = range(3)

CLAIM_WHEN = choice(
    "claim_when", "claiming", "At which moments may a player claim to have reached the target?",
    (
        ("any_time", "at any stage, whoever is to move"),
        ("on_turn", "when it is the player's turn to play"),
        ("on_lead", "when the player has the lead"),
        ("automatic", "no claim is needed: reaching the target ends the deal"),
        ("at_end", "never before the end: every deal is played out and counted"),
    ),
    neutral="any_time",
)
ANY_TIME, ON_TURN, ON_LEAD, AUTOMATIC, AT_END = range(5)

CLAIM_OPEN_CLOSES = choice(
    "claim_open_closes", "claiming", "Does a claim while the talon is open count as closing it?",
    (
        ("claim_only", "no, claiming and closing are two things"),
        (
            "closes",
            "yes: a false one is a failed closing too (the dearer forfeit holds), and who has lost the right to close "
            "cannot make one",
        ),
    ),
    neutral="claim_only", needs=(_CLOSES, _CLAIMS),
)
CLAIM_ONLY, CLAIM_CLOSES = range(2)

CLAIM_FORFEIT_RULE = choice(
    "claim_forfeit_rule", "claiming", "How is the forfeit for a false claim found?",
    (
        ("fixed", "it is a fixed number of game points"),
        ("mirror", "the adversary scores what the claimer would have scored"),
    ),
    neutral="fixed", affects="score", needs=(_CLAIMS,),
)
FORFEIT_FIXED, FORFEIT_MIRROR = range(2)

_FIXED = Condition("claim_forfeit_rule", ("fixed",))
CLAIM_FORFEIT = number(
    "claim_forfeit", "claiming", "What does the adversary score for a false claim?", "game points",
    neutral=2, lowest=0, highest=12, needs=(_CLAIMS, _FIXED),
)
CLAIM_FORFEIT_TRICKLESS = number(
    "claim_forfeit_trickless", "claiming", "What does an adversary without a trick score for a false claim?",
    "game points",
    neutral=2, lowest=0, highest=12, needs=(_CLAIMS, _FIXED),
)
