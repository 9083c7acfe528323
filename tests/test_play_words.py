"""What is said at the table: why something cannot be done now, what marriages came to, and what was typed."""

from __future__ import annotations

import pytest

import variant_engine as ve
from cli.play.console import Console
from cli.play.ending import show_end_of_deal
from cli.play.keeping import Keeper, Resumed
from cli.play.look import Look, in_order
from cli.play.people import People
from cli.play.session import Session
from cli.play.source import show_refusal
from cli.play.told import Teller
from cli.play.typed import Unclear, as_typed, read_move
from tests.playing import RUNNING, TWO, Played, typed
from variant_engine.record.store import Store
from variant_engine.ruleset import Ruleset
from variant_engine.table import parse

FOSTER = ve.load("foster")
LETTERS = Look(signs=False)
PEOPLE = People(("Anna", "greedy"), {1: "greedy"})

GIVEN: dict[str, object] = {
    "dealer": "B", "trump": "H", "turn_up": "HT", "talon": "SK DK DQ",
    "hands": {"A": "CK CQ SA S9", "B": "HJ ST SQ H9"}, "tricks": {"A": 1, "B": 1}, "points": {"A": 20, "B": 11},
}  # fmt: skip


def _at(rules: Ruleset, *tokens: str, **given: object) -> list[ve.Deal]:
    positions = [ve.position(rules, GIVEN | given)]
    for token in tokens:
        positions.append(positions[-1].play(token))
    return positions


def _refused(deal: ve.Deal, token: str, look: Look = LETTERS) -> str:
    shown: list[str] = []
    refusal = deal.why_not(parse(deal, token))
    assert refusal is not None, token
    show_refusal(Console(lambda prompt: "", shown.append, look), deal, refusal, PEOPLE)
    return " ".join(" ".join(shown).split())


# ---- why not now --------------------------------------------------------------------------------------------------


def test_why_something_has_no_place_now() -> None:
    choice = FOSTER.replace(closing_draw="either")
    for deal, token, said in (
        (_at(FOSTER, "S9")[-1], "+20C", "A marriage is announced on lead."),
        (_at(FOSTER, "S9")[-1], "|", "The talon is closed on lead, with no card on the table."),
        (_at(FOSTER)[-1], "=", "There is nothing to draw at this moment."),
        (_at(FOSTER)[-1], "-", "Nothing has been offered."),
        (_at(choice)[-1], "||", "That is done right after a trick, before the draw."),
        (_at(FOSTER, "|")[-1], "|", "The talon has been closed already."),
        (_at(choice, "SA", "SQ")[-1], "S9", "First the cards must be drawn."),
        (_at(FOSTER, "+20C")[-1], "|", "A marriage has been announced, and one of its cards must be led."),
        (
            _at(FOSTER.replace(exchange_closed="offered_at_closing"), "|")[-1], "HJ",
            "First the exchange that is offered must be made or declined.",
        ),
        (
            _at(FOSTER, talon=[], turn_up=None, state="exhausted")[-1], "|", "The talon is exhausted.",
        ),
        (_at(FOSTER)[-1], "B:HJ", "It is your turn."),
    ):  # fmt: skip
        assert said in _refused(deal, token), (token, _refused(deal, token))


def test_the_card_led_and_the_marriage_are_named_as_they_are_shown() -> None:
    deal = _at(FOSTER, "|", "SA")[-1]
    assert "The suit led (SA) must be followed by who can." in _refused(deal, "HJ")
    assert "The suit led (♠A) must be followed by who can." in _refused(deal, "HJ", Look())
    assert "The suit led (LD) must be followed by who can." in _refused(deal, "HJ", Look(german=True))
    bar = (deal.why_not("HJ") or pytest.fail("it is allowed")).bars[-1]
    assert (bar.led, bar.text) == ("SA", "the suit led (SA) must be followed by who can")
    assert "König and Ober of that suit" in _refused(_at(FOSTER)[-1], "+20S", Look(german=True))
    assert "King and queen of that suit" in _refused(_at(FOSTER)[-1], "+20S")


def test_a_card_asked_for_before_the_draw_is_answered_as_it_would_be_played() -> None:
    def type_line(session: Session, prompt: str) -> str:
        if not session.positions:
            return ""
        if session.deal.phase != "before the draw":
            return "1"
        return next(lines, "quit")

    lines = iter(["? k1", "? exchange", "? ="])
    text = Played(FOSTER, type_line, seed=7, look=LETTERS).text
    asked = text.partition("? k1")[2]
    assert asked.startswith(" Allowed: to play ")
    assert "? exchange First draw: press Enter." in asked
    assert "Allowed: to draw." in asked


# ---- marriages ----------------------------------------------------------------------------------------------------


def test_a_marriage_that_waited_is_said_to_count() -> None:
    """Also where the count is hidden: it was announced for all to hear."""
    waiting = _at(FOSTER, "+20C", "CK", "HJ", tricks={"A": 0, "B": 1}, points={"A": 0, "B": 11})
    told = Teller(TWO, LETTERS, False).move(waiting[-2], waiting[-1])
    assert told[0] == "Tibor answers HJ and takes the trick."
    won = _at(FOSTER, "+20C", "CQ", "ST", tricks={"A": 0, "B": 1}, points={"A": 0, "B": 11})
    assert Teller(TWO, LETTERS, False).move(won[1], won[2])[0] == "Anna leads CQ."
    assert Teller(TWO, LETTERS, False).move(won[-2], won[-1])[0] == (
        "Tibor answers ST; Anna takes the trick; the 20 announced before now count."
    )
    assert "(33 card points); the 20" in Teller(TWO, LETTERS, True).move(won[-2], won[-1])[0]


@pytest.mark.parametrize("look", [LETTERS, Look(german=True)], ids=["letters", "german"])
def test_what_was_announced_is_told_at_the_end(look: Look) -> None:
    made = _at(FOSTER, "+20C", "CK", "HJ", "A:66")[-1]
    lost = _at(FOSTER, "+20C", "CK", "HJ", "A:66", tricks={"A": 0, "B": 1}, points={"A": 0, "B": 11})[-1]
    clubs = look.suit("C")
    for deal, said in (
        (made, f"you 20 in {clubs}; Greedy none"),
        (lost, f"you 20 in {clubs} (20 of them not counted, for want of a trick); Greedy none"),
    ):
        shown: list[str] = []
        console = Console(lambda prompt: "", shown.append, look)
        show_end_of_deal(console, PEOPLE, deal, ve.game(FOSTER, seed=1))
        assert f"Marriages {said}" in " ".join(" ".join(shown).split())
    shown = []
    none = _at(FOSTER, "66")[-1]
    show_end_of_deal(Console(lambda prompt: "", shown.append, look), PEOPLE, none, ve.game(FOSTER, seed=1))
    assert "Marriages" not in " ".join(shown)


def test_who_may_see_it_is_asked_about_a_forgotten_marriage_after_going_on() -> None:
    """Two people, a game gone on with: nobody has been at the screen, and the question tells about a hand."""
    for seed in range(100):
        game = ve.game(FOSTER, seed=seed, chooser_deals=False)
        deal = game.next_deal()
        marriages = [move.token[-1] for move in deal.legal() if move.token.startswith("+")]
        if marriages:
            break
    positions = (deal, deal.play(f"{marriages[0]}K"))
    kept = Resumed(game, TWO, Keeper(None, Store()), positions, (seed, 0))
    played = Played(FOSTER, typed(["", "n"]), people=TWO, resumed=kept)
    assert "press Enter when only you see the screen" in played.prompts[0]
    assert "You have not announced" in played.prompts[1]


# ---- what was typed -----------------------------------------------------------------------------------------------


def test_a_number_that_is_a_rank_as_well() -> None:
    """With eight cards in a hand, 7 and 8 may be either."""
    rules = FOSTER.replace(pack_cards=32, hand_cards=8, exchange_card="none")
    look, seen = LETTERS, set()
    for seed in range(40):
        deal = ve.deal(rules, seed=seed)
        seat = deal.to_move or 0
        hand = in_order(rules, deal.hand(seat))
        sevens = [card for card in hand if card[1] == "7"]
        if not sevens or sevens == [hand[6]]:
            assert read_move("7", deal, seat, look).token == hand[6]
            seen.add("number")
        else:
            with pytest.raises(Unclear, match=r"or your card number 7\? For that type k7\."):
                read_move("7", deal, seat, look)
            seen.add("unclear")
        assert read_move("k7", deal, seat, look).token == hand[6]
    assert seen == {"number", "unclear"}


def test_what_was_typed_is_shown_again_in_short() -> None:
    assert as_typed("x" * 40) == "'" + "x" * 40 + "'"
    assert as_typed("x" * 41) == "'" + "x" * 37 + "...'"
    assert "\x1b" not in as_typed("\x1b" * 100)
    lines = ["", "x" * 5000, "rules " + "y" * 5000, "1 " + "z" * 300, "\x1b[2J" * 90, "w" * 300 + ":66"]
    played = Played(FOSTER, typed(lines), look=LETTERS)
    prompts = tuple(played.prompts)
    told = [line for text in played.shown if not text.startswith(prompts) for line in text.splitlines()]
    assert all(len(line) <= 80 for line in told)
    assert "I do not understand 'queen of nothing'" in Played(FOSTER, typed(["", "queen of nothing"])).text


def test_leaving_is_explained_as_it_will_be() -> None:
    assert "leaves; the game is not kept" in Played(FOSTER, typed(["help"])).text
    keeper = Keeper(lambda: pytest.fail("nothing is dealt"), Store())
    assert "leaves; the game is kept" in Played(FOSTER, typed(["help"]), keeper=keeper).text


def test_nothing_typed_at_an_offer_is_told_what_can_be() -> None:
    def type_line(session: Session, prompt: str) -> str:
        if not session.positions:
            return ""
        offered = session.deal.phase == "offer"
        if offered and "Type exchange" in session_text():
            raise EOFError
        return "" if offered else "close" if session.deal.phase == "lead" else "1"

    def session_text() -> str:
        return " ".join(RUNNING[0])

    rules = FOSTER.replace(exchange_closed="offered_at_closing")
    text = Played(rules, type_line, people=TWO, look=LETTERS).text
    assert "Type exchange, or no; ? lists what you may do." in text
