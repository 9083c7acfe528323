"""Options about the end of a deal, the game, and what players may remember."""

from __future__ import annotations

from .deal import MAYBE_UNDECIDED
from .declare import Condition, Differing, choice, number

TARGET_CARD_POINTS = number(
    "target_card_points", "ending", "How many card points must be reached?", "card points",
    neutral=66, lowest=2, highest=240,
)

LAST_TRICK_BONUS = number(
    "last_trick_bonus", "ending", "What does the last trick count when the talon is exhausted?", "card points",
    neutral=10, lowest=0, highest=40,
)
LAST_TRICK_BONUS_CLOSED = number(
    "last_trick_bonus_closed", "ending", "What does the last trick count when the talon was closed?", "card points",
    neutral=0, lowest=0, highest=40, needs=(Condition("closing", ("on_lead",)),),
)

END_ONE_REACHED = choice(
    "end_one_reached", "ending", "All cards are played, nobody claimed, one player has the target: who wins?",
    (("that_player", "that player"), ("nobody", "nobody, for it was not claimed")),
    neutral="that_player", affects="score",
    needs=(Condition("claim_when", ("any_time", "on_turn", "on_lead", "at_end")),),
)
THAT_PLAYER, NOT_CLAIMED = range(2)

END_BOTH_REACHED = choice(
    "end_both_reached", "ending", "All cards are played, nobody claimed, both players have the target: who wins?",
    (
        ("nobody", "nobody"),
        ("first_to_reach", "who reached it first"),
        ("higher_count", "who has more card points; nobody if they are equal"),
        ("last_trick", "who won the last trick"),
    ),
    neutral="nobody", affects="score",
    needs=(Condition("claim_when", ("any_time", "on_turn", "on_lead", "at_end")),),
)
BOTH_NOBODY, BOTH_FIRST_TO_REACH, BOTH_HIGHER_COUNT, BOTH_LAST_TRICK = range(4)

END_NONE_REACHED = choice(
    "end_none_reached", "ending", "All cards are played and nobody has the target: who wins?",
    (
        ("nobody", "nobody"),
        ("last_trick", "who won the last trick"),
        ("last_trick_if_equal", "nobody, unless the counts are equal: then who won the last trick"),
        ("higher_count", "who has more card points; nobody if they are equal"),
    ),
    neutral="nobody", affects="score",
)
NONE_NOBODY, NONE_LAST_TRICK, NONE_LAST_TRICK_IF_EQUAL, NONE_HIGHER_COUNT = range(4)

LAST_TRICK_VALUE = choice(
    "last_trick_value", "ending", "What is a deal worth that was decided by winning the last trick?",
    (("as_counted", "what the loser's count makes it"), ("plain_win", "the value of a plain win, whatever the counts")),
    neutral="as_counted", affects="score",
    needs=(
        (
            Condition("end_both_reached", ("last_trick",)),
            Condition("end_none_reached", ("last_trick", "last_trick_if_equal")),
        ),
    ),
)
AS_COUNTED, PLAIN_WIN = range(2)

SCHNEIDER_LIMIT = number(
    "schneider_limit", "ending", "How many card points save the loser from being schneider?", "card points",
    neutral=33, lowest=0, highest=120, needs=(Differing("value_win", "value_schneider"),),
)
SCHWARZ_BY = choice(
    "schwarz_by", "ending", "What makes the loser schwarz?",
    (("no_trick", "having won no trick"), ("no_card_points", "having no card points")),
    neutral="no_trick", affects="score",
)
BY_NO_TRICK, BY_NO_CARD_POINTS = range(2)

VALUE_WIN = number(
    "value_win", "ending", "What does a plain win score?", "game points", neutral=1, lowest=0, highest=12
)
VALUE_SCHNEIDER = number(
    "value_schneider", "ending", "What does a win score when the loser is schneider?", "game points",
    neutral=2, lowest=0, highest=12, needs=(Condition("schneider_limit", tuple(range(1, 121))),),
)
VALUE_SCHWARZ = number(
    "value_schwarz", "ending", "What does a win score when the loser is schwarz?", "game points",
    neutral=3, lowest=0, highest=12,
)

TIE_CARRY = choice(
    "tie_carry", "game", "What is carried over from a deal that nobody won?",
    (
        ("nothing", "nothing"),
        ("one", "one game point for the winner of the next deal that is won, however many deals were drawn"),
        ("one_each", "one game point for each drawn deal, to the winner of the next deal that is won"),
    ),
    neutral="nothing", affects="score", needs=(MAYBE_UNDECIDED,),
)
CARRY_NOTHING, CARRY_ONE, CARRY_ONE_EACH = range(3)

TARGET_GAME_POINTS = number(
    "target_game_points", "game", "How many game points win the game?", "game points",
    neutral=7, lowest=1, highest=101, affects="game",
)
DOUBLE_GAME = choice(
    "double_game", "game", "Does a game count double when the loser has no game point?",
    (("single", "no"), ("double", "yes")),
    neutral="single", affects="game",
)
SINGLE_GAME, DOUBLE_IF_SCORELESS = range(2)
STAKES = choice(
    "stakes", "game", "What is a game played for?",
    (
        ("per_game", "so much a game"),
        ("per_point", "so much for each game point by which the winner is ahead"),
    ),
    neutral="per_game", affects="game",
)
PER_GAME, PER_POINT = range(2)

COUNT_WRITTEN = choice(
    "count_written", "memory", "May the running count of card points be written down?",
    (("forbidden", "no, it is kept in the head"), ("allowed", "yes")),
    neutral="allowed", affects="table",
)
LOOK_BACK = choice(
    "look_back", "memory", "At which quitted tricks may a player look freely?",
    (
        ("none", "at none"),
        ("last_trick", "at the last one only"),
        ("own_tricks", "at those the player has won"),
        ("all_tricks", "at all"),
    ),
    neutral="all_tricks",
)
LOOK_NONE, LOOK_LAST, LOOK_OWN, LOOK_ALL = range(4)
LOOK_BACK_PRICE = choice(
    "look_back_price", "memory", "What does it cost to look further back?",
    (
        ("forbidden", "it is not allowed at all"),
        ("right_to_close", "who does it may not close in this deal"),
    ),
    neutral="forbidden", needs=(Condition("look_back", ("none", "last_trick", "own_tricks")),),
)
LOOKING_FORBIDDEN, COSTS_RIGHT_TO_CLOSE = range(2)
