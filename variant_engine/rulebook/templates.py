"""The sentences of a rulebook, all in one place: chapter by chapter, topic by topic, one sentence for each case.

A topic that bears an option's name has a sentence for each of its values; a number has the case ``n``, and where a
number reads differently a case of its own. ``{hand_cards}`` is the option's number with its unit ("six cards", or
"nothing" for none); ``{#hand_cards}`` is the number alone. What else a topic needs is in :mod:`.plan`.

The English sentences are the keys of the catalogues in ``variant_engine/locale``: after a change here run
``python -m variant_engine.rulebook.catalogue`` and translate what it names.
"""

from __future__ import annotations

Templates = dict[str, dict[str, str]]

#: For topics that are the same in every ruleset.
ALWAYS = "always"

AIM: Templates = {
    "the_game": {
        ALWAYS: "Sixty-Six is a card game for two. It is played in tricks: one player leads a card, that is, lays it "
        "face up on the table; the other answers with a card; and one of them takes both.",
    },
    "target_card_points": {
        "n": "The cards taken in tricks count card points, and so do marriages, a king and queen of one suit in the "
        "same hand; the aim of a deal is to collect {target_card_points}.",
    },
    "two_counts": {
        ALWAYS: "Whoever wins a deal scores game points, and the game goes over several deals. Card points are "
        "counted within one deal only and begin anew with the next.",
    },
}

DEAL: Templates = {
    "pack_cards": {
        "20": "The pack has twenty cards, five in each of the four suits: ace, king, queen, jack and ten.",
        "24": "The pack has twenty-four cards, six in each of the four suits: ace, king, queen, jack, ten and nine.",
        "32": "The pack has thirty-two cards, eight in each of the four suits: ace, king, queen, jack, ten, nine, "
        "eight and seven.",
    },
    "rank_order": {
        "ten_second": "In every suit the ace is the highest card and the ten comes next, above the king; below the ten "
        "the cards rank in the common order.",
        "ten_fifth": "In every suit the cards rank in the common order, from the ace as the highest downwards; the ten "
        "stands below the jack.",
    },
    "card_points": {
        "ace_eleven": "Whoever takes these cards in tricks counts 11 card points for each ace, 10 for each ten, 4 for "
        "each king, 3 for each queen and 2 for each jack, which makes 120 in the whole pack.",
        "ace_one": "Whoever takes these cards in tricks counts 10 card points for each ten, 4 for each king, 3 for "
        "each queen, 2 for each jack and only 1 for each ace, which makes 80 in the whole pack.",
    },
    "other_cards": {
        ALWAYS: "No other card counts anything.",
    },
    "first_dealer": {
        "any_agreed": "Who deals first is settled in any way that both players accept.",
        "high_card_deals": "To settle who deals first both players cut, and the higher card deals.",
        "low_card_deals": "To settle who deals first both players cut, and the lower card deals.",
        "high_card_chooses": "To settle who deals first both players cut, and the one with the higher card chooses "
        "whether to deal.",
    },
    "cut_rank": {
        "as_in_play": "In cutting, the cards rank as they do in play.",
        "ten_low": "In cutting, the cards rank in the common order, the ten below the jack.",
    },
    "cut_tie": {
        "cut_again": "Players who cut cards of the same rank cut again.",
        "clubs_high": "If both cut cards of the same rank, the suit decides: clubs are highest, then spades, hearts "
        "and diamonds.",
        "spades_high": "If both cut cards of the same rank, the suit decides: spades are highest, then hearts, "
        "diamonds and clubs.",
    },
    "next_dealer": {
        "alternate": "After a deal that somebody has won, the deal passes to the other player.",
        "winner_deals": "After a deal that somebody has won, its winner deals.",
        "loser_deals": "After a deal that somebody has won, its loser deals.",
        "alternate alternate": "From then on the players deal in turn, whether or not the last deal was won.",
    },
    "next_dealer_tie": {
        "alternate": "After a deal that nobody has won, the deal passes to the other player.",
        "same_dealer": "After a deal that nobody has won, the same dealer deals again.",
    },
    "hand_cards": {
        "whole": "The dealer shuffles, lets the adversary cut, and deals each player {hand_cards}, face down and all "
        "in one packet.",
        "single": "The dealer shuffles, lets the adversary cut, and deals each player {hand_cards}, face down and one "
        "at a time.",
        "even": "The dealer shuffles, lets the adversary cut, and deals each player {hand_cards}, face down and in "
        "packets of {#packet_cards}.",
        "rest": "The dealer shuffles, lets the adversary cut, and deals each player {hand_cards}, face down and in "
        "packets of {#packet_cards}; the last packet is what is still missing.",
    },
    "first_packet": {
        "forehand": "The first packet goes to the adversary of the dealer, who is called forehand.",
        "dealer": "The first packet goes to the dealer; the adversary of the dealer is called forehand.",
    },
    "turn_up": {
        "thirteenth_card": "When both hands have been dealt, the next card of the pack is turned up.",
        "seventh_card": "After the first packet of each player the next card of the pack is turned up; then the "
        "dealing goes on.",
        "drawn_by_forehand": "When both hands have been dealt, forehand draws a card from the rest of the pack and "
        "turns it up.",
        "last_card": "The bottom card of the pack is turned up.",
    },
    "trumps": {
        ALWAYS: "This card is called the turn-up. Its suit is trumps for this deal; the other three are plain suits.",
    },
    "talon": {
        ALWAYS: "The cards that are left over lie face down as the talon, from which the players will draw.",
    },
    "turn_up_place": {
        "under_talon": "The turn-up lies face up, partly or wholly beneath the talon.",
        "beside_talon": "The turn-up lies face up beside the talon.",
        "either": "The turn-up lies face up, beneath the talon or beside it, as the players like.",
    },
    "misdeal": {
        "not_described": "What follows a misdeal is not laid down.",
        "deal_kept": "After a misdeal the same dealer deals again.",
        "deal_lost": "A misdeal costs the dealer the deal: the adversary deals instead.",
    },
}

PLAY: Templates = {
    "first_lead": {
        ALWAYS: "Forehand leads to the first trick, and may lead any card; afterwards whoever has taken a trick leads "
        "to the next.",
    },
    "trick": {
        ALWAYS: "Of two cards of the same suit the higher takes the trick, and a trump takes a card of a plain suit; "
        "otherwise the trick belongs to the card led.",
    },
    "trick_kept": {
        ALWAYS: "Whoever takes the trick lays both cards aside face down, and adds what they count.",
    },
    "talon_states": {
        "on_lead": "What the second player may answer depends on the talon. It is open as long as the players draw "
        "from it, closed after one of them has ended the drawing, and exhausted when its last card has been drawn.",
        "not_played": "What the second player may answer depends on the talon. It is open as long as the players draw "
        "from it, and exhausted when its last card has been drawn.",
    },
    # One of TALONS and one of ANSWERS.
    "answer_open": {ALWAYS: "{when}, {answer}."},
    "answer_closed": {ALWAYS: "{when}, {answer}."},
    "answer_exhausted": {ALWAYS: "{when}, {answer}."},
    "irregularities": {
        "not_described": "What is done about irregularities, such as a revoke or a wrong draw, is not laid down.",
        "other_chapter": "For irregularities, such as a revoke, a wrong draw or a wrong deal, the text refers to its "
        "chapter on another game.",
        "deal_is_lost": "Whoever commits an irregularity, such as a revoke, a wrong draw or a wrong deal, loses the "
        "deal.",
    },
}

#: For which states of the talon an answer is described.
TALONS = {
    "open": "While the talon is open",
    "closed": "Once the talon has been closed",
    "exhausted": "Once the talon is exhausted",
    "closed_exhausted": "Once the talon has been closed or is exhausted",
    "every": "Whether the talon is open, closed or exhausted",
}

#: What the second player must do, by whether following, heading and ruffing are required.
ANSWERS = {
    "free free free": "the second player may play any card; there is no duty to follow suit, to beat the card led or "
    "to trump",
    "required free free": "the second player must follow suit if able, but need not beat the card led; whoever has "
    "none of the suit may play any card",
    "free required free": "the second player need neither follow suit nor trump, but whoever does play the suit led "
    "must beat the card led if able",
    "free free required": "the second player need not follow suit, nor beat the card led; but whoever has none of "
    "the suit must play a trump if able",
    "required required free": "the second player must follow suit if able, and with a higher card if able; whoever "
    "has none of the suit may play any card",
    "required free required": "the second player must follow suit if able, but need not beat the card led; whoever "
    "has none of the suit must play a trump if able",
    "free required required": "the second player need not follow suit, but whoever does play the suit led must beat "
    "the card led if able, and whoever has none of the suit must play a trump if able",
    "required required required": "the second player must follow suit if able, and with a higher card if able; "
    "whoever has none of the suit must play a trump if able",
}

DRAWING: Templates = {
    "draw_first": {
        "winner": "As long as the talon is open, both players draw a card from it after every trick, the winner of "
        "the trick first.",
        "loser": "As long as the talon is open, both players draw a card from it after every trick, the loser of "
        "the trick first.",
    },
    "full_hands": {
        ALWAYS: "So both hands are full again before the winner of the trick leads to the next.",
    },
    "turn_up_to": {
        "second_drawer": "When only one face-down card and the turn-up are left, whoever draws first takes the "
        "face-down card, and the other takes the turn-up.",
        "first_drawer": "When only one face-down card and the turn-up are left, whoever draws first takes the turn-up, "
        "and the other takes the face-down card.",
    },
    "exhausted": {
        ALWAYS: "Then the talon is exhausted, and the cards in hand are played out.",
    },
}

MARRIAGES: Templates = {
    "marriage": {
        ALWAYS: "King and queen of one suit in the same hand are a marriage; the marriage in trumps is the royal "
        "marriage.",
    },
    "marriage_plain": {
        "n": "A marriage in a plain suit counts {marriage_plain}, the royal marriage {marriage_trump}.",
    },
    "marriage_scoring": {
        "announced": "To score a marriage, the player who has the lead must announce it; a king or queen led without a "
        "word counts nothing extra.",
        "automatic": "A marriage need not be announced: the player on lead scores it by leading one of its cards while "
        "holding the other.",
    },
    "marriage_lead": {
        "king_or_queen": "Either of the two cards may be the one that is led.",
        "queen": "The card that is led must be the queen.",
        "king": "The card that is led must be the king.",
    },
    "marriage_trick": {
        "not_needed": "A marriage may be scored on the very first lead, before any trick has been won.",
        "needed": "Nobody may score a marriage without having won a trick.",
    },
    "marriage_shown": {
        "both": "Both cards of the marriage are always shown.",
        "on_demand": "The second card is shown only if the adversary asks for it.",
        "not_described": "Whether the second card has to be shown is not laid down.",
    },
    "marriage_late": {
        "not_allowed": "A forgotten announcement cannot be made good once the card lies on the table.",
        "until_answered": "A forgotten announcement may be made good as long as the adversary has not played to the "
        "trick.",
    },
    "marriage_counts": {
        "with_a_trick": "The card points of a marriage count at once for a player who has won a trick, and otherwise "
        "with the first trick that the player wins; without one they are lost.",
        "with_next_trick": "The card points of a marriage count with the next trick that the player wins, even for one "
        "who has won tricks before; if no trick follows they are lost.",
        "at_once": "The card points of a marriage count at once, whether or not the player ever wins a trick.",
    },
    "marriage_unled": {
        "not_allowed": "Even if its card points bring the target, one card of the marriage must be led.",
        "one": "If its card points bring the target, the marriage may be shown without being led, and the deal claimed "
        "with it.",
        "any_number": "If their card points bring the target, a marriage, or several at once, may be shown without "
        "being led, and the deal claimed with them.",
    },
    "marriage_closed": {
        "allowed": "After the talon has been closed marriages may still be scored.",
        "not_allowed": "After the talon has been closed no marriage can be scored any more.",
        "allowed allowed": "Marriages may be scored to the very end, after the talon has been closed as well as after "
        "it is exhausted.",
        "not_allowed not_allowed": "After the talon has been closed, or is exhausted, no marriage can be scored any "
        "more.",
    },
    "marriage_exhausted": {
        "allowed": "Marriages still count after the talon is exhausted.",
        "not_allowed": "After the talon is exhausted no marriage can be scored any more.",
    },
}

EXCHANGE: Templates = {
    "exchange_card": {
        "nine": "A player who holds the nine of trumps, the exchange card, may change it for the turn-up, putting "
        "the nine in the place of the turn-up.",
        "jack": "A player who holds the jack of trumps, the exchange card, may change it for the turn-up, putting "
        "the jack in the place of the turn-up.",
        "seven": "A player who holds the seven of trumps, the exchange card, may change it for the turn-up, putting "
        "the seven in the place of the turn-up.",
        "none": "No card can be exchanged for the turn-up.",
    },
    "exchange_trick": {
        "needed": "The player must have won at least one trick.",
        "not_needed": "The player need not have won a trick.",
    },
    "exchange_when": {
        "on_lead": "The moment for it is one's own lead, before the card is led.",
        "on_turn": "The moment for it is one's own turn: on lead before the card is led, or before answering the card "
        "led.",
        "any_time": "It can be done at any time between the deal and the last draw, even when it is the adversary's "
        "turn, but not between an announcement and its card, nor between a trick and its draw.",
    },
    "exchange_talon_min": {"n": "The talon must still have at least {exchange_talon_min}."},
    "exchange_last_card": {
        "kept": "Whoever draws the exchange card as the last face-down card must keep it, and the turn-up goes to "
        "the other player.",
        "exchangeable": "Whoever draws the exchange card as the last face-down card may still exchange it before the "
        "other player takes the turn-up.",
    },
    "exchange_closed": {
        "not_allowed": "After the talon has been closed nothing can be exchanged any more.",
        "allowed": "After the talon has been closed either player may still exchange, on the same conditions.",
        "offered_at_closing": "When the talon is closed the adversary of the closer may exchange on the spot, even "
        "without a trick; after that nothing can be exchanged any more.",
    },
}

CLOSING: Templates = {
    "closing": {
        "on_lead": "A player who has the lead may close the talon: the turn-up is turned face down, nobody draws any "
        "more, and the cards in hand are played out.",
        "not_played": "The talon cannot be closed; the players draw until it is exhausted.",
    },
    "why_close": {
        ALWAYS: "Whoever closes undertakes to reach the target with the cards in hand.",
    },
    "closing_first_lead": {
        "allowed": "Forehand may do so even before leading to the first trick.",
        "not_allowed": "It cannot be done before the first trick has been played.",
    },
    "closing_draw": {
        "after_drawing": "After a trick the talon is closed only when both players have drawn, so that the hands are "
        "full.",
        "before_drawing": "After a trick the talon is closed at once, before drawing, so that both hands are a card "
        "short.",
        "either": "After a trick the talon may be closed before or after drawing, as the closer likes.",
    },
    "closing_talon_min": {"n": "There must still be at least {closing_talon_min} in the talon."},
    "closing_success": {
        "at_end": "A closer who reaches the target wins the deal, and its value goes by the adversary's tricks and "
        "card points at that moment.",
        "at_closing": "A closer who reaches the target wins the deal, and its value goes by the tricks and card points "
        "that the adversary had when the talon was closed.",
    },
    "closing_forfeit": {
        "at_closing": "A closer who fails loses the deal, and the adversary scores {closing_forfeit} for it, or "
        "{closing_forfeit_trickless} if the adversary had no trick when the talon was closed.",
        "at_end": "A closer who fails loses the deal, and the adversary scores {closing_forfeit} for it, or "
        "{closing_forfeit_trickless} if the adversary has no trick when the deal is over.",
        "same": "A closer who fails loses the deal, and the adversary scores {closing_forfeit} for it, with a trick "
        "or without.",
    },
    "closing_adversary_first": {
        "closer_fails": "If the adversary reaches the target before the closer, the closer has failed and pays for "
        "that.",
        "adversary_wins": "If the adversary reaches the target before the closer, the adversary wins as in any other "
        "deal.",
        "irrelevant": "If the adversary reaches the target before the closer, that changes nothing: the deal goes on, "
        "and only the closer's count matters.",
    },
}

CLAIMING: Templates = {
    "claim_when": {
        "any_time": "A player who has reached the target claims it, and that ends the deal; this can be done at any "
        "stage, whoever is to move.",
        "on_turn": "A player who has reached the target claims it, and that ends the deal; this can be done only when "
        "it is the player's turn to play.",
        "on_lead": "A player who has reached the target claims it, and that ends the deal; this can be done only when "
        "the player has the lead.",
        "automatic": "Nobody has to claim: the deal is over as soon as a player has reached the target.",
        "at_end": "Nobody can claim: every deal is played out to the last card and then counted.",
    },
    "claim_right": {
        ALWAYS: "If the count bears the claim out, the claimer has won the deal; if not, the claim was false and the "
        "claimer has lost it.",
    },
    "claim_open_closes": {
        "claim_only": "A claim does not close the talon: the two are different things.",
        "closes": "A claim made while the talon is open counts as closing it. Of all that can forbid closing, though, "
        "only having looked back at the price of that right forbids such a claim.",
    },
    "claim_forfeit_rule": {
        "fixed": "For a false claim the adversary scores {claim_forfeit}, or {claim_forfeit_trickless} without a "
        "trick.",
        "same": "For a false claim the adversary scores {claim_forfeit}, with a trick or without.",
        "mirror": "For a false claim the adversary scores what the claimer would have scored if it had been true.",
    },
    "false_claim_fails_closing": {
        "claim_only": "If the claimer had closed the talon, a false claim is a failed closing as well: the adversary "
        "scores for the one or for the other, whichever is more.",
        "closes": "If the claimer had closed the talon, or claimed while it was open, a false claim is a failed "
        "closing as well: the adversary scores for the one or for the other, whichever is more.",
        "claim_only no more": "If the claimer had closed the talon, a false claim is a failed closing as well, but the "
        "adversary scores no more for that.",
        "closes no more": "If the claimer had closed the talon, or claimed while it was open, a false claim is a "
        "failed closing as well, but the adversary scores no more for that.",
    },
}

ENDING: Templates = {
    "last_trick_bonus": {
        "0": "If the talon is exhausted, the last trick counts nothing beyond its cards.",
        "n": "If the talon is exhausted, the last trick counts {last_trick_bonus} beyond its cards.",
    },
    "last_trick_bonus_closed": {
        "0": "If the talon was closed, the last trick counts nothing beyond its cards.",
        "n": "If the talon was closed, the last trick counts {last_trick_bonus_closed} beyond its cards.",
    },
    "end_one_reached": {
        "that_player": "When all cards have been played and only one player has the target, that player wins the "
        "deal, even without a claim.",
        "nobody": "When all cards have been played and only one player has the target, nobody wins the deal, for it "
        "was not claimed.",
    },
    "end_both_reached": {
        "nobody": "If both have the target, nobody wins.",
        "first_to_reach": "If both have the target, the one who reached it first wins.",
        "higher_count": "If both have the target, the one with more card points wins, and nobody if they are equal.",
        "last_trick": "If both have the target, the one who won the last trick wins.",
    },
    "end_none_reached": {
        "nobody": "When all cards have been played and neither player has the target, nobody wins.",
        "last_trick": "When all cards have been played and neither player has the target, the one who won the last "
        "trick wins.",
        "last_trick_if_equal": "When all cards have been played and neither player has the target, nobody wins, unless "
        "both have the same number of card points: then the one who won the last trick does.",
        "higher_count": "When all cards have been played and neither player has the target, the one with more card "
        "points wins, and nobody if they are equal.",
    },
    "value_win": {
        "n": "The winner of a deal scores {value_win} for a plain win.",
        "same": "The winner of a deal scores {value_win} for a plain win, however few card points the loser has.",
    },
    "schneider_limit": {
        "0": "A loser is never schneider, for no card points are needed to be safe from it.",
        "n": "A loser with fewer than {schneider_limit} is schneider, and the winner scores {value_schneider}.",
    },
    "schwarz_by": {
        "no_trick": "A loser who has won no trick is schwarz, and the winner scores {value_schwarz}.",
        "no_card_points": "A loser who has no card points is schwarz, and the winner scores {value_schwarz}.",
    },
    "last_trick_value": {
        "as_counted": "A deal decided by winning the last trick scores as the loser's count makes it.",
        "plain_win": "A deal decided by winning the last trick scores as a plain win, whatever the counts.",
    },
}

GAME: Templates = {
    "target_game_points": {"n": "Whoever first has {target_game_points} wins the game."},
    "tie_carry": {
        "nothing": "A deal that nobody wins scores nothing, and nothing is carried over from it.",
        "one": "A deal that nobody wins scores nothing, but the winner of the next deal that is won scores one game "
        "point more, however many deals nobody has won before it.",
        "one_each": "A deal that nobody wins scores nothing, but the winner of the next deal that is won scores one "
        "game point more for each deal that nobody has won before it.",
    },
    "double_game": {
        "single": "A game counts the same even if the loser has no game point.",
        "double": "A game counts double if the loser has no game point.",
    },
    "stakes": {
        "per_game": "If there is a stake, it is so much a game.",
        "per_point": "If there is a stake, it is so much for each game point by which the winner is ahead.",
    },
}

MEMORY: Templates = {
    "count_written": {
        "forbidden": "The running count of card points may not be written down; each player keeps it in the head.",
        "allowed": "The running count of card points may be written down.",
    },
    "look_back": {
        "none": "Tricks that have been laid aside may not be looked at.",
        "last_trick": "Of the tricks that have been laid aside only the last may be looked at.",
        "own_tricks": "Of the tricks that have been laid aside each player may look at those won by that player.",
        "all_tricks": "All tricks that have been laid aside may be looked at.",
    },
    "look_back_price": {
        "forbidden": "To look further back is not allowed at all.",
        "right_to_close": "Whoever looks further back may not close the talon in this deal.",
    },
}

#: The chapters in order: a name for programs, the heading, and the sentences.
CHAPTERS: tuple[tuple[str, str, Templates], ...] = (
    ("aim", "The game in short", AIM),
    ("deal", "The pack and the deal", DEAL),
    ("play", "The play", PLAY),
    ("drawing", "The draw", DRAWING),
    ("marriages", "Marriages", MARRIAGES),
    ("exchange", "The exchange", EXCHANGE),
    ("closing", "Closing", CLOSING),
    ("claiming", "Claiming", CLAIMING),
    ("ending", "The end of a deal", ENDING),
    ("game", "The game", GAME),
    ("memory", "Memory", MEMORY),
)
