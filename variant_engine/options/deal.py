"""Options about the pack, the deal and who deals."""

from __future__ import annotations

from .declare import Condition, choice, number

_CH = "deal"

#: Answers about the end of a deal after which nobody may have won it.
MAYBE_UNDECIDED = (
    Condition("end_one_reached", ("nobody",)),
    Condition("end_both_reached", ("nobody", "higher_count")),
    Condition("end_none_reached", ("nobody", "last_trick_if_equal", "higher_count")),
)

PACK_CARDS = number(
    "pack_cards", _CH, "How many cards are in the pack, the lowest ranks being left out?", "cards",
    neutral=24, allowed=(20, 24, 32), affects="play",
)

RANK_ORDER = choice(
    "rank_order", _CH, "In which order do the cards of a suit beat each other?",
    (
        ("ten_second", "ace, ten, king, queen, jack, nine, eight, seven"),
        ("ten_fifth", "ace, king, queen, jack, ten, nine, eight, seven"),
    ),
    neutral="ten_second",
)
TEN_SECOND, TEN_FIFTH = range(2)

CARD_POINTS = choice(
    "card_points", _CH, "How many card points do the cards count?",
    (
        ("ace_eleven", "ace 11, ten 10, king 4, queen 3, jack 2, the lower cards nothing"),
        ("ace_one", "ace 1, ten 10, king 4, queen 3, jack 2, the lower cards nothing"),
    ),
    neutral="ace_eleven", affects="score",
)
ACE_ELEVEN, ACE_ONE = range(2)

HAND_CARDS = number(
    "hand_cards", _CH, "How many cards is each player dealt?", "cards", neutral=6, lowest=2, highest=15, affects="play"
)

PACKET_CARDS = number(
    "packet_cards", _CH, "How many cards at a time are dealt (the last packet being what is still missing)?",
    "cards", neutral=3, lowest=1, highest=15, affects="play",
)

FIRST_PACKET = choice(
    "first_packet", _CH, "Who is dealt the first packet?",
    (("forehand", "the adversary of the dealer"), ("dealer", "the dealer")),
    neutral="forehand",
)
FOREHAND_FIRST, DEALER_FIRST = range(2)

TURN_UP = choice(
    "turn_up", _CH, "Which card is turned up for trumps?",
    (
        ("thirteenth_card", "the first card after both hands have been dealt"),
        ("seventh_card", "the first card after the first round of packets; dealing then goes on"),
        ("drawn_by_forehand", "a card that forehand draws from the talon after the hands have been dealt"),
        ("last_card", "the bottom card of the pack, which simply stays where it is"),
    ),
    neutral="thirteenth_card",
)
THIRTEENTH_CARD, SEVENTH_CARD, DRAWN_BY_FOREHAND, LAST_CARD = range(4)

TURN_UP_PLACE = choice(
    "turn_up_place", _CH, "Where does the turn-up lie while there is a talon?",
    (
        ("under_talon", "face up, partly or wholly beneath the talon"),
        ("beside_talon", "face up, beside the talon"),
        ("either", "under or beside the talon, as the players like"),
    ),
    neutral="under_talon", affects="table",
)

FIRST_DEALER = choice(
    "first_dealer", _CH, "How is the first dealer of a game found?",
    (
        ("any_agreed", "in any way both players accept"),
        ("high_card_deals", "both cut; the higher card deals"),
        ("low_card_deals", "both cut; the lower card deals"),
        ("high_card_chooses", "both cut; the higher card has the choice whether to deal"),
    ),
    neutral="any_agreed", affects="game",
)
ANY_AGREED, HIGH_CARD_DEALS, LOW_CARD_DEALS, HIGH_CARD_CHOOSES = range(4)
_BY_CUTTING = Condition("first_dealer", ("high_card_deals", "low_card_deals", "high_card_chooses"))

CUT_RANK = choice(
    "cut_rank", _CH, "How do the cards rank when players cut for the deal?",
    (("as_in_play", "as they do in play"), ("ten_low", "in the common order, the ten below the jack")),
    neutral="as_in_play", affects="game", needs=(_BY_CUTTING, Condition("rank_order", ("ten_second",))),
)
AS_IN_PLAY, TEN_LOW = range(2)

CUT_TIE = choice(
    "cut_tie", _CH, "What happens when both players cut cards of the same rank?",
    (
        ("cut_again", "both cut again"),
        ("clubs_high", "the suit decides: clubs, spades, hearts, diamonds"),
        ("spades_high", "the suit decides: spades, hearts, diamonds, clubs"),
    ),
    neutral="cut_again", affects="game", needs=(_BY_CUTTING,),
)
CUT_AGAIN, CLUBS_HIGH, SPADES_HIGH = range(3)

NEXT_DEALER = choice(
    "next_dealer", _CH, "Who deals after a deal that somebody won?",
    (
        ("alternate", "the players deal in turn"),
        ("winner_deals", "the winner of the deal"),
        ("loser_deals", "the loser of the deal"),
    ),
    neutral="alternate", affects="game",
)
ALTERNATE, WINNER_DEALS, LOSER_DEALS = range(3)

NEXT_DEALER_TIE = choice(
    "next_dealer_tie", _CH, "Who deals after a deal that nobody won?",
    (("alternate", "the players deal in turn"), ("same_dealer", "the same dealer deals again")),
    neutral="alternate", affects="game", needs=(MAYBE_UNDECIDED,),
)
TIE_ALTERNATE, SAME_DEALER = range(2)

MISDEAL = choice(
    "misdeal", _CH, "Does a misdeal lose the deal?",
    (
        ("not_described", "the rules do not go into it"),
        ("deal_kept", "no, the same dealer deals again"),
        ("deal_lost", "yes, the deal passes to the adversary"),
    ),
    neutral="not_described", affects="table",
)

IRREGULARITIES = choice(
    "irregularities", _CH, "What is done about irregularities (a revoke, a wrong draw, a wrong deal)?",
    (
        ("not_described", "the rules do not go into it"),
        ("other_chapter", "the text refers to its chapter on another game"),
        ("deal_is_lost", "the offender loses the deal"),
    ),
    neutral="not_described", affects="table",
)
