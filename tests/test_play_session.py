"""Whole games as sessions: under every ruleset, in every way of typing; what is shown, hidden, asked and refused."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import variant_engine as ve
from cli.play.look import Look, ranks_and_counts
from cli.play.people import People
from cli.play.session import Session
from cli.play.typed import Unclear, read_move, tokens_of
from tests.playing import (
    AGAINST_GREEDY,
    AGAINST_RANDOM,
    RUNNING,
    TWO,
    Played,
    Typist,
    mostly_sensible,
    random_typist,
    typed,
)
from tests.strategies import random_ruleset, shipped
from variant_engine.ruleset import Ruleset

FOSTER = ve.load("foster")
HANDBOOK = ve.load("handbook")
CARD = re.compile(r"\b[SHDC][ATKQJ987]\b")
LETTERS = Look(signs=False)


# ---- whole games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", shipped(), ids=lambda rules: rules.id)
@pytest.mark.parametrize("people", [AGAINST_GREEDY, AGAINST_RANDOM, TWO], ids=["greedy", "random", "two"])
def test_a_whole_game(rules: Ruleset, people: People) -> None:
    for seed in range(3):
        look = (Look(), LETTERS, Look(german=True))[seed]
        played = Played(rules, mostly_sensible(Random(seed)), people=people, seed=seed, look=look, count=seed == 1)
        assert played.code == 0
        game = played.session.game
        assert game is not None
        assert game.over
        assert "The game is over." in played.text
        prompts = set(played.prompts)
        assert all(len(line) <= 80 or line in prompts for text in played.shown for line in text.splitlines())


def test_games_under_any_rules() -> None:
    rng = Random(11)
    for number in range(30):
        rules = FOSTER.replace(**dict(random_ruleset(rng).values) | {"target_game_points": 2})
        people = rng.choice((AGAINST_GREEDY, AGAINST_RANDOM, TWO))
        assert Played(rules, _limited(mostly_sensible(rng), 600), people=people, seed=number).code == 0


def _limited(typist: Typist, most: int) -> Typist:
    """A typist who gives up after so many lines: some rules let no deal be won."""
    left = iter(range(most))

    def type_line(session: Session, prompt: str) -> str:
        if next(left, None) is None:
            raise EOFError
        return typist(session, prompt)

    return type_line


_HOSTILE = (
    "?", "? ", "? 66", "? @", "why", "rules", "rules x", "66", "b:66", "A:HQ", ":", "B:", "+", "+20", "+99999999999",
    "^", "^^", "k", "k0", "k999", "K1", "1", "0", "10", "20", "40", "queen of hearts", "of", "|", "||", "=", "@", "-",
    "", "a" * 5000, "♥Q", "♥", "\x1b[2J", "\x00", "hq dk ca", "close", "draw", "exchange h9", "announce clubs", "take",
)  # fmt: skip
_LINES = st.lists(st.one_of(st.text(max_size=30), st.sampled_from(_HOSTILE)))


@settings(max_examples=60)
@given(_LINES, st.sampled_from(["foster", "handbook", "schnapsen-vu"]), st.booleans())
def test_hostile_input(lines: list[str], name: str, two: bool) -> None:
    """Whatever is typed, it is answered, or is a move that is allowed."""
    played = Played(ve.load(name), typed([*lines, *lines]), people=TWO if two else AGAINST_RANDOM, seed=len(lines))
    assert played.code == 0
    assert all(char.isprintable() or char == "\n" for text in _answers(played) for char in text)


def _answers(played: Played) -> list[str]:
    """What was shown, without what was typed."""
    return [text for text in played.shown if not text.startswith(tuple(played.prompts))]


# ---- what is shown ------------------------------------------------------------------------------------------------


def test_a_refusal_says_why_and_where() -> None:
    """In the closed talon suit must be followed; the rule, its file and the place in the book are told."""
    rules = HANDBOOK.replace(follow_open="required")
    played = Played(rules, _first_answer(["? {wrong}", "{wrong}", "quit"]), seed=2, look=LETTERS)
    assert "Not allowed: to play" in played.text
    assert played.text.count("must be followed by who can. rule follow_open = required (yes, who has a card of") == 2
    assert "changed for this game" in played.text
    played = Played(HANDBOOK, typed(["y", "? |", "? +20C", "? @"]), seed=1, look=LETTERS)
    assert re.search(r"rule look_back = all_tricks \(at all\) \[.*rulesets/handbook.yaml:\d+\]", played.text)


def _first_answer(lines: list[str]) -> Typist:
    """A typist who leads anything, and types the lines at the first answer at which a card of the hand is refused."""
    left = iter(lines)

    def type_line(session: Session, prompt: str) -> str:
        deal = session.deal
        allowed = [move.token for move in deal.legal(0)]
        wrong = [card for card in deal.hand(0) if card not in allowed]
        if deal.phase == "answer" and wrong:
            return next(left).format(wrong=wrong[0])
        return next(token for token in allowed if token[0] in "SHDC=")

    return type_line


def test_the_count_is_hidden_where_it_may_not_be_written() -> None:
    hidden = Played(FOSTER, _one_deal(), seed=3)
    before_end, _, end = hidden.text.partition("The deal is over.")
    assert "ard points" not in before_end.partition("Every move")[2].replace("game points", "").partition("1.")[2]
    assert "Card points you" in end
    asked = Played(FOSTER, typed(["", "count"]), seed=3)
    assert "kept in the head" in asked.text
    assert "rule count_written = forbidden" in asked.text
    shown = Played(FOSTER, typed(["", "count"]), seed=3, count=True)
    assert "Card points: you 0, Greedy 0." in shown.text
    assert "Card points you 0" in Played(HANDBOOK, typed([]), seed=3).text


def _one_deal(people: People = AGAINST_GREEDY) -> Typist:
    plays = random_typist(Random(5))

    def type_line(session: Session, prompt: str) -> str:
        if session.game is not None and session.game.number:
            raise EOFError
        line = plays(session, prompt)
        deal = session.positions[-1] if session.positions else None
        marriages = [move for move in deal.legal() if move.token.startswith("+")] if deal is not None else []
        return "1" if marriages and prompt == "Your move: " else line

    return type_line


def test_tricks_are_looked_at_as_the_rules_allow() -> None:
    """Foster: the last one is free, and who looks further back may not close any more."""
    played = Played(FOSTER, _after_two_tricks(["tricks", "@", "tricks", "? close", "@"]), seed=3, look=LETTERS)
    text = played.text
    assert "Trick 2: " in text
    assert "The others may not be looked at freely; type @ to look all the same, at a price." in text
    price = text.partition("back at the tricks.")[2]
    assert "Trick 1: " in price
    assert "who does it may not close in this deal" in price
    assert "Not allowed: to look back at all tricks. You have looked back once already" in text
    never = Played(ve.load("app-af"), _after_two_tricks(["tricks", "@"]), seed=3)
    assert "No trick may be looked at." in never.text
    assert "Not allowed: to look back at all tricks." in never.text
    free = Played(HANDBOOK, _after_two_tricks(["tricks"]), seed=3)
    assert "Trick 1: " in free.text
    assert "Trick 2: " in free.text
    assert "No trick has been taken" in Played(HANDBOOK, typed(["tricks"]), seed=3).text


def test_looking_back_is_offered_only_where_it_can_be_done() -> None:
    """Not after it has been done, not where it is forbidden, not where nothing is to be seen by it."""
    offer = "type @ to look all the same"
    twice = Played(FOSTER, _after_two_tricks(["tricks", "@", "tricks", "quit"]), seed=3, look=LETTERS).text
    before, _, after = twice.partition("back at the tricks.")
    assert offer in before
    assert offer not in after
    assert "The others may not be looked at again: you have looked back once already" in after
    assert "[@]" in before
    assert "[@]" not in after
    forbidden = Played(FOSTER.replace(look_back_price="forbidden"), _after_two_tricks(["tricks"]), seed=3).text
    assert "The others may not be looked at." in forbidden
    assert offer not in forbidden
    assert "rule look_back_price = forbidden" in forbidden


def _after_two_tricks(lines: list[str]) -> Typist:
    left = iter(lines)

    def type_line(session: Session, prompt: str) -> str:
        deal = session.positions[-1] if session.positions else None
        if deal is not None and sum(deal.tricks) == 2 and deal.phase == "lead":
            return next(left, "quit")
        if deal is not None and sum(deal.tricks) == 2 and deal.phase == "answer":
            # It is asked on lead only; an answer brings the lead or another chance to answer.
            return next(left, "quit")
        return "" if "[y/n]" in prompt or deal is None or deal.phase == "before the draw" else "1"

    return type_line


@pytest.mark.parametrize("rules", [FOSTER, HANDBOOK], ids=["foster", "handbook"])
def test_two_people_do_not_see_each_others_hands(rules: Ruleset) -> None:
    """Nothing on the screen since it was last wiped shows a card of a hand to anyone but its owner."""
    plays = mostly_sensible(Random(4), ("?", "tricks", "score", "hand", "count", "zz"))
    handed_over = 0

    def type_line(session: Session, prompt: str) -> str:
        nonlocal handed_over
        waits = "press Enter when only you see the screen" in prompt
        handed_over += waits
        if session.positions:
            # What was shown before is out of sight, or is about cards that are in the pack again.
            since = re.split(r"-{20}|Deal \d+\. ", "\n".join([*RUNNING[0], prompt]))[-1]
            since = since.replace("(HQ)", "").replace("? HQ", "")  # an example
            for seat in range(2):
                if seat != session.at_screen:
                    secret = set(session.deal.hand(seat)) - set(session.deal.view(1 - seat).known(seat))
                    assert not secret & set(CARD.findall(since)), (since, secret)
        return "" if waits else plays(session, prompt)

    played = Played(rules, type_line, people=TWO, look=LETTERS)
    assert played.code == 0
    assert handed_over > 10
    assert sum(text == "-" * 20 for text in played.shown) > 10


def test_what_is_left_of_a_line_is_not_told_to_the_next_player() -> None:
    def type_line(session: Session, prompt: str) -> str:
        if not session.positions or "press Enter" in prompt:
            if session.positions and session.deal.phase == "answer":
                raise EOFError
            return ""
        first, second = session.deal.hand(session.deal.to_move or 0)[:2]
        return f"{first} {second}"

    played = Played(FOSTER, type_line, people=TWO, seed=4, look=LETTERS)
    after = "\n".join(played.shown).rpartition("-" * 20)[2]
    assert "(The rest of what" in after
    assert len(CARD.findall(after)) == 1, after


def test_a_player_is_told_what_was_drawn_at_the_next_turn() -> None:
    played = Played(HANDBOOK, _one_deal(TWO), people=TWO, seed=3)
    assert "You drew" in played.text
    assert "draws a card" in played.text


@pytest.mark.parametrize("first", ["winner", "loser"])
def test_cards_are_drawn_in_the_order_of_the_rules(first: str) -> None:
    """Who draws first is told first, whoever that is."""
    rules = HANDBOOK.replace(draw_first=first)
    seen = set()
    for seed in range(4):
        shown = Played(rules, _one_deal(), seed=seed, look=LETTERS).shown
        for taken, drawn in pairwise(shown):
            takes = r"(?:; (you|greedy)|(you|greedy) answers? \w+ and) takes? the"
            winner = re.search(takes, taken.lower())
            drawer = re.match(r"(you|greedy) (?:draws?|takes?) .*, (you|greedy) ", drawn.lower())
            if winner is None or drawer is None:
                continue
            who = next(name for name in winner.groups() if name)
            seen.add(who)
            assert drawer[1 if first == "winner" else 2] == who, (taken, drawn)
    assert seen == {"you", "greedy"}


# ---- typing -------------------------------------------------------------------------------------------------------


def test_short_forms() -> None:
    look = Look(signs=False)
    start = ve.deal(FOSTER, seed=7)
    hand = start.hand(0)
    assert hand == ("SQ", "S9", "HJ", "DQ", "CT", "CK")
    for text, card in {
        "sq": "SQ", "♠Q": "SQ", "qs": "SQ", "k1": "SQ", "1": "SQ", "9": "S9", "j": "HJ", "jack": "HJ", "10": "CT",
        "c10": "CT", "t": "CT", "k": "CK", "king of clubs": "CK", "play ck": "CK", "queen of diamond": "DQ", "6": "CK",
    }.items():  # fmt: skip
        played = Played(FOSTER, typed(["", text]), look=look)
        assert f"You lead {card}." in played.text, text
    for text, said in {
        "q": "Which one: SQ or DQ?",
        "a": "You have no card of that rank.",
        "8": "You have no card of that rank.",
        "k7": "numbered from 1 to 6",
        "k0": "numbered",
        "20": "You hold no such marriage.",
        "40": "King and queen of that suit are not both there.",
        "marriage": "You hold no marriage.",
        "30": "numbered",
        "+30": "A marriage counts 20, in trumps 40.",
        "hq": "The card is not in the hand.",
        "exchange": "A trick must have been won before exchanging",
        "^h9": "The card to exchange is S9.",
        "draw": "There is nothing to draw at this moment.",
        "no": "Nothing has been offered.",
        "b:66": "Greedy plays for itself.",
        "c:66": "no seat",
        "b:ca": "nothing can be done but claim",
        "hlep": "did you mean 'help'?",
        "=": "There is nothing to draw at this moment.",
        "x": "do not understand",
    }.items():
        played = Played(FOSTER, typed(["", text]), look=look)
        assert said in played.text, (text, played.text[-300:])
        assert "You lead S" not in played.text
        assert len(played.session.positions) == 1


def test_what_is_said_of_the_last_card() -> None:
    given: dict[str, object] = {"dealer": "B", "trump": "H", "talon": "", "hands": {"A": "HT", "B": "SA"}}
    deal = ve.position(FOSTER, given)
    assert read_move("1", deal, 0, LETTERS).token == "HT"
    for number in ("0", "2", "k6"):
        with pytest.raises(Unclear, match=r"You have one card only, ♥10\."):
            read_move(number, deal, 0, Look())


def test_the_turn_up_is_not_exchanged_for_itself() -> None:
    seed = next(seed for seed in range(100) if (ve.game(FOSTER, seed=seed).next_deal().turn_up or "")[1] == "9")
    played = Played(FOSTER, typed(["", "exchange", "exchange"]), seed=seed, look=LETTERS)
    assert re.search(r"Not allowed: to exchange [SHDC]9 for the turn-up\.", played.text)


@pytest.mark.parametrize("line", ["?", "??", "? ?", "?? ", "why"])
def test_the_question_alone_lists_the_moves(line: str) -> None:
    played = Played(HANDBOOK, typed([line]), seed=3, look=LETTERS)
    assert "You may: " in played.text
    assert "not understand" not in played.text


def test_every_move_can_be_typed() -> None:
    rng = Random(3)
    for number in range(60):
        rules = FOSTER.replace(**random_ruleset(rng).values)
        deal = ve.deal(rules, seed=number)
        for look in (Look(), Look(signs=False), Look(german=True)):
            while not deal.over:
                seat = deal.to_move
                assert seat is not None
                for move in deal.legal():
                    assert read_move(look.token(move.token), deal, seat, look) == move
                    if len(move.token) == 2 and move.token[0] in "SHDC":
                        assert read_move(look.card(move.token), deal, seat, look) == move
                deal = deal.play(rng.choice(deal.legal()))


def test_several_moves_on_a_line() -> None:
    start = ve.deal(HANDBOOK, seed=7, dealer=1)
    assert start.hand(0)
    played = Played(HANDBOOK, typed(["| zz 1", "1 2 3"]), seed=2, look=LETTERS)
    assert "(Not played: " in played.text


def test_a_forgotten_announcement_can_be_made_good() -> None:
    """Foster lets it be made good until the adversary has answered: the question comes before the bot's answer."""
    seed = _seed_with_marriage()
    for answer, announced in (("y", True), ("", False), ("no", False), ("x\ny", True), ("66", False)):
        typist = _king_without_a_word(answer.split("\n"))
        played = Played(FOSTER, typist, seed=seed, look=LETTERS)
        assert "You have not announced 20 in" in played.text or "You have not announced 40 in" in played.text
        assert ("You announce the marriage" in played.text) == announced
    assert "You announce" in Played(FOSTER, _king_without_a_word([], "{king} +{worth}"), seed=seed, look=LETTERS).text
    assert "not announced" not in Played(HANDBOOK, _king_without_a_word([]), seed=seed, look=LETTERS).text


def _marriage(session: Session) -> str | None:
    legal = [move.token for move in session.deal.legal()]
    return next((token for token in legal if token.startswith("+")), None)


def _king_without_a_word(answers: list[str], how: str = "{king}") -> Typist:
    left = iter(answers)

    def type_line(session: Session, prompt: str) -> str:
        if "not announced" in prompt:
            return next(left)
        if not session.positions:
            return ""
        token = _marriage(session)
        if token is None or any(session.deal.tricks):
            raise EOFError
        return how.format(king=f"{token[-1]}K", worth=token[1:])

    return type_line


def _seed_with_marriage() -> int:
    for seed in range(500):
        game = ve.game(FOSTER, seed=seed, chooser_deals=False)
        deal = game.next_deal()
        if game.dealer == 1 and any(move.token.startswith("+") for move in deal.legal()):
            # The person must have cut the higher card, and choose to lead.
            return seed
    raise AssertionError("there is such a deal")


def test_drawing_goes_without_saying_only_where_nothing_hangs_on_the_card() -> None:
    """An exchange typed before the draw would tell, by being refused, which card comes next."""
    seen: list[str] = []

    def type_line(session: Session, prompt: str) -> str:
        if not session.positions:
            return ""
        deal = session.deal
        if deal.phase == "before the draw":
            if not seen:
                seen.append("")
                return "exchange"
            raise EOFError
        return "1"

    played = Played(FOSTER, type_line, seed=7)
    assert "First draw: press Enter." in played.text
    assert played.session.deal.phase == "before the draw"


# ---- the game -----------------------------------------------------------------------------------------------------


def test_the_cut_and_the_choice() -> None:
    leads = Played(FOSTER, typed([""]), seed=7)
    assert "You cut ♦A, Greedy cuts ♠Q." in leads.text
    assert "Greedy deals, you lead." in leads.text
    deals = Played(FOSTER, typed(["maybe", "y"]), seed=7)
    assert "You deal, Greedy leads." in deals.text
    again = Played(FOSTER, typed([]), people=TWO, seed=4)
    assert "Anna cuts ♥10, Tibor cuts ♦10. Cut again." in again.text
    bots = [Played(FOSTER, typed([]), seed=seed) for seed in range(20)]
    assert any("Greedy chooses to lead. Deal 1. You deal" in " ".join(one.text.split()) for one in bots)


def test_forehand_draws_the_turn_up() -> None:
    rules = HANDBOOK.replace(turn_up="drawn_by_forehand")
    seed = next(seed for seed in range(20) if ve.game(rules, seed=seed).dealer == 1)
    top = Played(rules, typed(["x", "99", "1"]), seed=seed, look=LETTERS)
    assert "Type a number from 1 to 12." in top.text
    assert f"The turn-up is {ve.game(rules, seed=seed).next_deal().pack[12]}" in top.text
    middle = Played(rules, typed([""]), seed=seed, look=LETTERS)
    assert f"The turn-up is {ve.game(rules, seed=seed).next_deal().turn_up}" in middle.text


def test_a_game_counts_double_and_is_owed() -> None:
    for seed in range(30):
        played = Played(FOSTER.replace(target_game_points=2), random_typist(Random(seed)), seed=seed)
        game = played.session.game
        assert game is not None
        if 0 in game.score:
            assert "It counts double" in played.text
            assert "2 stakes." in played.text
            assert "rule double_game = double" in played.text
            return
    raise AssertionError("no such game")


def test_what_is_carried_is_told() -> None:
    rules = FOSTER.replace(end_none_reached="nobody", end_one_reached="nobody", last_trick_bonus=0)
    for seed in range(40):
        played = Played(rules, _never_claiming(Random(seed)), people=TWO, seed=seed)
        if "Carried over to the next deal" in played.text:
            assert "1 game point carried over." in played.text
            return
    raise AssertionError("no such game")


def _never_claiming(rng: Random) -> Typist:
    def type_line(session: Session, prompt: str) -> str:
        if session.game is not None and session.game.number:
            raise EOFError
        if not prompt.endswith("your move: "):
            return ""
        return rng.choice([move.token for move in session.deal.legal() if move.token not in ("66", "@", "|", "||")])

    return type_line


@pytest.mark.parametrize("closed", [False, True])
def test_the_bonus_for_the_last_trick_is_told(closed: bool) -> None:
    rules = HANDBOOK.replace(last_trick_bonus=10, last_trick_bonus_closed=5)

    def type_line(session: Session, prompt: str) -> str:
        if session.game is not None and session.game.number:
            raise EOFError
        if not session.positions:
            return ""
        tokens = [move.token for move in session.deal.legal(0)]
        if closed and "|" in tokens and session.deal.phase == "lead":
            return "|"
        return next(token for token in tokens if token in session.deal.hand(0) or token in ("=", "-"))

    for seed in range(20):
        played = Played(rules, type_line, seed=seed)
        bonus = (5, "closed", "_closed") if closed else (10, "exhausted", "")
        told = r"\((\d+) of the card points for the last trick, by (you|Greedy); talon (\w+)\.\)(.{60})"
        found = re.search(told, played.text)
        if found is not None and found[3] == bonus[1]:
            assert int(found[1]) == bonus[0]
            assert f"rule last_trick_bonus{bonus[2]} = {bonus[0]}" in found[4]
            return
    raise AssertionError("no such deal")


# ---- how it looks -------------------------------------------------------------------------------------------------


def test_looks() -> None:
    assert "1 ♠Q  2 ♠9" in Played(FOSTER, typed([""])).shown[-6]
    plain = Played(FOSTER, typed([""]), look=LETTERS)
    assert plain.text.isascii()
    german = Played(FOSTER, typed(["", "1", "? eu"]), look=Look(german=True))
    assert "You lead LO." in german.text
    assert "EU" in german.text
    four = Played(FOSTER, typed([""]), look=Look(colours="four"))
    hand = next(line for line in four.shown if "Your hand" in line)
    assert "♠Q" in hand
    assert "\x1b[91m♥J\x1b[0m" in hand
    assert "\x1b[94m♦Q\x1b[0m" in hand
    assert "\x1b[92m♣10\x1b[0m" in hand
    two = Look(colours="two")
    assert two.paint("♥Q ♣Q ♦10") == "\x1b[91m♥Q\x1b[0m ♣Q \x1b[91m♦10\x1b[0m"
    assert Look(signs=False, colours="two").paint("HQ CQ") == "\x1b[91mHQ\x1b[0m CQ"
    assert Look(german=True, colours="four").paint("LO SU") == "\x1b[92mLO\x1b[0m \x1b[93mSU\x1b[0m"


GERMAN = Look(german=True)
#: What is no German card, but a French one.
FRENCH = re.compile(r"\b(?:[SHDC][ATQJ]|[DC][K987])\b|[♠♥♦♣]|spades|hearts|diamonds|clubs|\bqueen |\bjack ")


@pytest.mark.parametrize("people", [AGAINST_RANDOM, TWO], ids=["random", "two"])
@pytest.mark.parametrize("name", ["foster", "handbook", "app-af", "schnapsen-vu"])
def test_no_french_card_among_german_ones(name: str, people: People) -> None:
    asides = ("?", "? 20", "? exchange", "tricks", "@", "help", "zz", "k99", "u", "+20", "+30e", "^hu", "hand", "? su")
    rng = Random(6)
    plays = mostly_sensible(rng, asides)
    asked: list[ve.Deal] = []

    def type_line(session: Session, prompt: str) -> str:
        deal = session.positions[-1] if session.positions else None
        if deal is not None and deal.to_move == session.at_screen and deal.to_move is not None and deal not in asked:
            asked.append(deal)
            wrong = [card for card in deal.hand(deal.to_move) if deal.why_not(card) is not None]
            return f"? {GERMAN.card(rng.choice(wrong))}" if wrong else "?"
        return plays(session, prompt)

    played = Played(ve.load(name).replace(follow_open="required"), type_line, people=people, look=GERMAN, seed=3)
    for text in _answers(played):
        told = re.sub(r"D Daus .*? U Unter \(the jack\)|king\), O Ober \(the queen\), U Unter \(the jack\)", "", text)
        assert not FRENCH.search(told), text
    assert re.search(r"The suit led \([ELHS][DZKOU987]\) must be followed", played.text)


def test_questions_among_german_cards() -> None:
    lines = ["", "? HQ", "? ♥Q", "? HO", "? +30E", "queen of hearts", "ober of herz", "?"]
    played = Played(FOSTER, typed(lines), look=GERMAN)
    text = played.text
    assert "I do not understand 'HQ'. A card is suit and rank (HO) or its number" in text
    assert "Not allowed: to play HO. The card is not in the hand." in text
    assert "The marriage in Eichel counts 20: +20E." in text
    plain = Played(FOSTER, typed(["", "? HO", "? ♥Q", "help"]), look=LETTERS).text
    assert "I do not understand 'HO'. A card is suit and rank (HQ)" in plain
    assert "Not allowed: to play HQ." in plain
    german = Played(FOSTER, typed(["help"]), look=GERMAN).text
    for form in ("HO, 'Ober of Herz'", "? HO", "+20E", "^H9", "König or Ober"):
        assert form in german, form


@pytest.mark.parametrize(("words", "card"), [
    ("queen of hearts", "HQ"), ("ober of herz", "HQ"), ("Unter of Schellen", "DJ"), ("ten of clubs", "CT"),
    ("zehn of eichel", "CT"), ("daus of laub", "SA"), ("nine of spade", "S9"),
])  # fmt: skip
def test_cards_in_words_are_understood_in_both_languages(words: str, card: str) -> None:
    deal = ve.game(FOSTER, seed=7).next_deal()
    assert read_move(tokens_of(words)[0], deal, 0, GERMAN).token == card


def test_ranks_and_counts_are_told_in_the_names_of_the_cards() -> None:
    assert ranks_and_counts(FOSTER, LETTERS) == (
        "The cards from the highest: ace, ten, king, queen, jack, nine. They count: ace 11, ten 10, king 4, queen 3, "
        "jack 2, the lower cards nothing."
    )
    assert ranks_and_counts(ve.load("schnapsen-vu"), GERMAN) == (
        "The cards from the highest: Daus, Zehn, König, Ober, Unter. They count: Daus 11, Zehn 10, König 4, Ober 3, "
        "Unter 2."
    )


def test_a_hand_is_sorted_as_the_cards_beat_each_other() -> None:
    from cli.play.look import in_order

    assert in_order(FOSTER, ["HK", "SQ", "HT", "HA"]) == ["SQ", "HA", "HT", "HK"]
    assert in_order(FOSTER.replace(rank_order="ten_fifth"), ["HK", "HT", "HJ"]) == ["HK", "HJ", "HT"]


def test_rules_at_the_table() -> None:
    played = Played(FOSTER, typed(["", "rules", "rules clsoing", "rules nowhere", "rules all"]))
    text = played.text
    assert "The play (foster)" in text
    assert "Closing" in text
    assert "There is no chapter 'nowhere'; there are aim" in text
    assert "rulesets/foster" not in text.partition("The play")[0]
    assert "¶21.3" in text


def test_help_and_the_end_of_the_input() -> None:
    played = Played(FOSTER, typed(["help", "", "help", "score", "history", "hand", "show"]))
    assert played.text.count("announces a marriage") == 2
    assert "The input has ended. The game is not kept." in played.text
    assert "No deal has been finished yet." in played.text
    assert "B:66" in Played(FOSTER, typed(["help"]), people=TWO).text
    assert "Eichel" in Played(FOSTER, typed(["help"]), look=Look(german=True)).text
    for word in ("quit", "exit", "bye"):
        assert Played(FOSTER, typed([word])).code == 0


def test_ctrl_c() -> None:
    def type_line(session: Session, prompt: str) -> str:
        raise KeyboardInterrupt

    played = Played(FOSTER, type_line)
    assert played.code == 130
    assert "Interrupted." in played.text
