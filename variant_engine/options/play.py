"""Options about what the second player must do, and about drawing.

Three questions, each asked for an open, a closed and an exhausted talon. The three answers lie side by side in the
rules tuple in that order, so that the core reads ``rules[FOLLOW_OPEN + talon]``.
"""

from __future__ import annotations

from .declare import Condition, choice

_CLOSES = Condition("closing", ("on_lead",))
_TALON: tuple[tuple[str, str, tuple[Condition, ...]], ...] = (
    ("open", "while the talon is open", ()),
    ("closed", "once the talon has been closed", (_CLOSES,)),
    ("exhausted", "once the talon is exhausted", ()),
)


def _for_each_talon(topic: str, question: str, free: str, required: str) -> list[int]:
    return [
        choice(
            f"{topic}_{state}", "play", question.format(when=when),
            (("free", free), ("required", required)), neutral="free", needs=needs,
        )
        for state, when, needs in _TALON
    ]


FREE, REQUIRED = range(2)

FOLLOW_OPEN, FOLLOW_CLOSED, FOLLOW_EXHAUSTED = _for_each_talon(
    "follow", "Must a card of the suit led be played, by who has one, {when}?",
    "no, any suit may be played", "yes, who has a card of the suit led must play one",
)
HEAD_OPEN, HEAD_CLOSED, HEAD_EXHAUSTED = _for_each_talon(
    "head", "Must a player who follows suit beat the card led if able, {when}?",
    "no, a lower card of the suit will do", "yes, a higher card of the suit must be played by who has one",
)
RUFF_OPEN, RUFF_CLOSED, RUFF_EXHAUSTED = _for_each_talon(
    "ruff", "Must a player who has none of the suit led play a trump, {when}?",
    "no, any card may be played", "yes, who has a trump must play one",
)

DRAW_FIRST = choice(
    "draw_first", "drawing", "Who draws first after a trick?",
    (("winner", "the winner of the trick"), ("loser", "the loser of the trick")),
    neutral="winner",
)
WINNER_FIRST, LOSER_FIRST = range(2)

TURN_UP_TO = choice(
    "turn_up_to", "drawing", "Who gets the turn-up when it and one card of the talon are left?",
    (
        ("second_drawer", "the player who draws second; the first takes the last face-down card"),
        ("first_drawer", "the player who draws first; the second takes the last face-down card"),
    ),
    neutral="second_drawer",
)
TO_SECOND_DRAWER, TO_FIRST_DRAWER = range(2)
