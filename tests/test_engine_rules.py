"""Examples for values that no text uses, rule by rule. What the texts use is in the cases beside their rulesets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import variant_engine as ve
from tests.strategies import Value, legal_tokens, play, refused_by, ruleset
from variant_engine.rules.ending import most_game_points

#: A position in the middle of a deal, the talon open, A on lead; A has a marriage, the royal one, and the exchange.
OPEN: dict[str, Any] = {
    "dealer": "B", "lead": "A", "trump": "H", "turn_up": "HT", "talon": "SJ DQ DJ CT CJ",
    "hands": {"A": "HK HQ DK CK CQ H9", "B": "S9 SQ DT D9 C9 DA"},
    "tricks": {"A": 2, "B": 1}, "points": {"A": 20, "B": 10},
}  # fmt: skip
#: The last trick before the talon is exhausted: one card face down and the turn-up.
LAST_DRAW: dict[str, Any] = {
    "dealer": "B", "lead": "A", "trump": "H", "turn_up": "HT", "talon": "H9",
    "hands": {"A": "HK HQ DK CK CQ SA", "B": "S9 SQ DT D9 C9 DA"},
    "tricks": {"A": 3, "B": 1}, "points": {"A": 20, "B": 10},
}  # fmt: skip
#: Two tricks to go, the talon exhausted.
LATE: dict[str, Any] = {
    "dealer": "B", "lead": "A", "trump": "H", "state": "exhausted", "hands": {"A": "SA SK", "B": "S9 SQ"},
    "tricks": {"A": 5, "B": 5}, "points": {"A": 30, "B": 30},
}  # fmt: skip


def at(given: Mapping[str, Any], changes: Mapping[str, Any] | None = None, /, **rules: Value) -> ve.Deal:
    """A position: one of those above, some keys changed, under the neutral rules with some changed."""
    return ve.position(ruleset(rules), {**given, **(changes or {})})


def ended(deal: ve.Deal) -> tuple[int | None, int, str]:
    """Winner, game points and reason of a deal that is over."""
    assert deal.result is not None
    return deal.result.winner, deal.result.game_points, deal.result.reason


# ---- answering ----------------------------------------------------------------------------------------------------

ANSWERS = {"S led": ("SQ", "SA SK S9 HJ"), "void": ("DQ", "SA SK S9 HJ"), "void of both": ("DQ", "SA SK S9 C9")}


@pytest.mark.parametrize("state", ["open", "closed", "exhausted"])
@pytest.mark.parametrize(
    ("duties", "situation", "cards"),
    [
        ((), "S led", "SA SK S9 HJ"),
        (("follow",), "S led", "SA SK S9"),
        (("head",), "S led", "SA SK HJ"),
        (("ruff",), "S led", "SA SK S9 HJ"),
        (("follow", "head"), "S led", "SA SK"),
        (("follow", "head", "ruff"), "S led", "SA SK"),
        (("follow", "head"), "void", "SA SK S9 HJ"),
        (("ruff",), "void", "HJ"),
        (("follow", "head", "ruff"), "void", "HJ"),
        (("follow", "head", "ruff"), "void of both", "SA SK S9 C9"),
    ],
)
def test_duties(state: str, duties: tuple[str, ...], situation: str, cards: str) -> None:
    """Each duty by itself, for each state of the talon, while the other states ask for nothing."""
    led, hand = ANSWERS[situation]
    rules = ruleset({f"{duty}_{state}": "required" for duty in duties})
    given: dict[str, Any] = {
        "lead": "A", "led": led, "trump": "H", "state": state, "hands": {"A": "DT CT CA", "B": hand},
    }  # fmt: skip
    if state != "exhausted":
        given |= {"turn_up": "HT", "talon": "DJ"}
    if state == "closed":
        given["closer"] = "A"
    deal = ve.position(rules, given)
    assert legal_tokens(deal, 1) & set(hand.split()) == set(cards.split())
    barred = set(hand.split()) - set(cards.split())
    assert all(set(refused_by(deal, card)) <= {f"{duty}_{state}" for duty in duties} for card in barred)
    # What is asked for in one state of the talon says nothing about the others.
    for other in {"open", "closed", "exhausted"} - {state}:
        free = ve.position(ruleset({f"{duty}_{other}": "required" for duty in duties}), given)
        assert legal_tokens(free, 1) >= set(hand.split())


def test_each_card_is_barred_by_the_duty_that_stands_in_its_way() -> None:
    rules = ruleset(follow_exhausted="required", head_exhausted="required", ruff_exhausted="required")
    given = {"lead": "A", "led": "SQ", "trump": "H", "state": "exhausted", "hands": {"A": "C9 CT", "B": "SA SJ HJ"}}
    deal = ve.position(rules, given)
    assert refused_by(deal, "SJ") == ("head_exhausted",)
    assert refused_by(deal, "HJ") == ("follow_exhausted",)
    assert refused_by(deal, "C9") == ("card_not_held",)
    void = ve.position(rules, given | {"led": "DQ"})
    assert refused_by(void, "SA") == ("ruff_exhausted",)


def test_in_trumps_led_a_higher_trump_is_due() -> None:
    rules = ruleset(head_open="required", ruff_open="required")
    given = {**OPEN, "led": "HQ", "hands": {"A": "HK DK CK CQ H9", "B": "HA HJ D9 DT C9 DA"}}
    assert legal_tokens(ve.position(rules, given), 1) & {"HA", "HJ"} == {"HA"}


@pytest.mark.parametrize(
    ("led", "answer", "winner"),
    [
        ("SA", "ST", 0), ("ST", "SA", 1), ("S9", "SJ", 1), ("SA", "DA", 0), ("S9", "DA", 0),
        ("SA", "H9", 1), ("SA", "HA", 1), ("ST", "HJ", 1), ("H9", "SA", 0), ("H9", "HJ", 1), ("HT", "HK", 0),
    ],
)  # fmt: skip
def test_who_takes_a_trick(led: str, answer: str, winner: int) -> None:
    """A higher card of the suit led, or any trump on a plain card."""
    given = {"lead": "A", "trump": "H", "state": "exhausted", "hands": {"A": f"{led} CK", "B": f"{answer} CQ"}}
    deal = play(ve.position(ruleset(), given), f"{led} {answer}")
    assert deal.tricks == ((1, 0) if winner == 0 else (0, 1))
    assert deal.to_move == deal.leader == winner


# ---- drawing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "own", "others"), [("winner", "SJ", "DQ"), ("loser", "DQ", "SJ")])
def test_who_draws_first(first: str, own: str, others: str) -> None:
    deal = play(at(OPEN, draw_first=first), "HK C9")
    assert own in deal.hand(0)
    assert others in deal.hand(1)
    assert deal.to_move == 0
    assert deal.talon == ("DJ", "CT", "CJ")


@pytest.mark.parametrize(
    ("draw_first", "turn_up_to", "seat"),
    [
        ("winner", "second_drawer", 1),
        ("winner", "first_drawer", 0),
        ("loser", "second_drawer", 0),
        ("loser", "first_drawer", 1),
    ],
)
def test_who_gets_the_turn_up(draw_first: str, turn_up_to: str, seat: int) -> None:
    deal = play(at(LAST_DRAW, draw_first=draw_first, turn_up_to=turn_up_to), "SA S9")
    assert "HT" in deal.hand(seat)
    assert "H9" in deal.hand(1 - seat)
    assert deal.talon_state == "exhausted"
    assert deal.turn_up is None
    assert deal.view(1 - seat).known(seat) == ("HT",)
    assert deal.to_move == 0


# ---- exchanging ---------------------------------------------------------------------------------------------------


def test_the_last_card_is_kept() -> None:
    deal = play(at(LAST_DRAW), "SA S9")
    assert deal.phase == "lead"
    assert "HT" in deal.hand(1)
    assert refused_by(deal, "^H9") == ("not_now",)


def test_the_last_card_can_be_exchanged() -> None:
    deal = play(at(LAST_DRAW, exchange_last_card="exchangeable"), "SA S9")
    assert (deal.phase, deal.talon_state, deal.to_move) == ("offer", "open", 0)
    assert legal_tokens(deal) == {"^H9", "-", "66"}
    taken = deal.play("^H9")
    assert "HT" in taken.hand(0)
    assert "H9" in taken.hand(1)
    assert taken.view(0).known(1) == ("H9",)
    assert taken.view(1).known(0) == ("HT",)
    declined = deal.play("-")
    assert "HT" in declined.hand(1)
    for after in (taken, declined):
        assert (after.phase, after.talon_state, after.to_move) == ("lead", "exhausted", 0)


def test_the_last_card_is_offered_to_the_first_drawer_who_need_not_lead() -> None:
    rules: dict[str, Value] = {"exchange_last_card": "exchangeable", "draw_first": "loser"}
    deal = play(at(LAST_DRAW, **rules), "SA S9")
    assert (deal.phase, deal.to_move) == ("offer", 1)
    after = deal.play("^H9")
    assert "HT" in after.hand(1)
    assert "H9" in after.hand(0)
    assert after.to_move == 0


def test_the_last_card_is_offered_whether_or_not_it_is_the_exchange_card() -> None:
    """Or the asking would tell the adversary what was drawn."""
    given = {**LAST_DRAW, "talon": "DJ"}
    deal = play(at(given, exchange_last_card="exchangeable"), "SA S9")
    assert deal.phase == "offer"
    assert refused_by(deal, "^H9") == ("exchange_card_not_held",)
    # Without a trick there is no exchange, and everybody knows that.
    trickless = {"lead": "B", "tricks": {"A": 0, "B": 4}, "hands": {"A": "S9 SQ DT D9 C9 DA", "B": "HK HQ DK CK CQ SA"}}
    asked = at(LAST_DRAW, trickless, exchange_last_card="exchangeable", draw_first="loser")
    assert play(asked, "SA S9").phase == "lead"
    asked = at(LAST_DRAW, trickless, exchange_last_card="exchangeable", draw_first="loser", exchange_trick="not_needed")
    assert play(asked, "SA S9").phase == "offer"
    # Where the first drawer takes the turn-up itself, there is nothing to exchange.
    own = at(LAST_DRAW, exchange_last_card="exchangeable", turn_up_to="first_drawer")
    assert play(own, "SA S9").phase == "lead"


def test_no_offer_where_there_is_no_exchange() -> None:
    rules: dict[str, Value] = {"exchange_card": "none", "exchange_last_card": "exchangeable"}
    assert play(at(LAST_DRAW, **rules), "SA S9").phase == "lead"
    offered: dict[str, Value] = {"exchange_card": "none", "exchange_closed": "offered_at_closing"}
    assert play(at(OPEN, **offered), "|").phase == "lead"
    assert "exchange_card" in refused_by(at(OPEN, exchange_card="none"), "^H7")


@pytest.mark.parametrize(("card", "token"), [("nine", "^H9"), ("jack", "^HJ"), ("seven", "^H7")])
def test_the_exchange_card(card: str, token: str) -> None:
    given = {**OPEN, "hands": {"A": "H9 HJ H7", "B": "S9 SQ DT"}}
    deal = at(given, pack_cards=32, exchange_card=card).play(token)
    assert deal.turn_up == token[1:]
    assert "HT" in deal.hand(0)
    assert deal.to_move == 0
    assert deal.view(1).known(0) == ("HT",)


def test_exchanging_needs_a_trick_only_where_it_does() -> None:
    trickless = {"tricks": {"A": 0, "B": 3}}
    assert refused_by(at(OPEN, trickless), "^H9") == ("exchange_trick",)
    assert refused_by(at(OPEN, trickless, exchange_trick="not_needed"), "^H9") == ()


@pytest.mark.parametrize(
    ("when", "led", "seat", "allowed"),
    [
        ("on_lead", None, "A", True), ("on_turn", None, "A", True), ("any_time", None, "A", True),
        ("on_lead", "SA", "B", False), ("on_turn", "SA", "B", True), ("any_time", "SA", "B", True),
        ("on_lead", None, "B", False), ("on_turn", None, "B", False), ("any_time", None, "B", True),
        ("on_lead", "SA", "A", False), ("on_turn", "SA", "A", False), ("any_time", "SA", "A", True),
    ],
)  # fmt: skip
def test_the_moment_of_an_exchange(when: str, led: str | None, seat: str, allowed: bool) -> None:
    own, other = "SA H9 CK" if led is None or seat == "A" else "SA DK CK", "H9 S9 SQ" if seat == "B" else "D9 S9 SQ"
    hands = {"A": own if seat == "A" else "SA DK CK", "B": other}
    given: dict[str, Any] = {**OPEN, "hands": hands}
    if led is not None:
        given |= {"led": led, "hands": {**hands, "A": hands["A"].replace("SA ", "")}}
    deal = at(given, exchange_when=when)
    assert (refused_by(deal, f"{seat}:^H9") == ()) == allowed
    if allowed:
        after = deal.play(f"{seat}:^H9")
        assert (after.turn_up, after.to_move, after.led) == ("H9", deal.to_move, led)
    else:
        assert "exchange_when" in refused_by(deal, f"{seat}:^H9")


def test_nobody_exchanges_between_the_halves_of_one_act() -> None:
    """Not between an announcement and its card, nor between a trick and its draw, where closing may come in there."""
    announced = play(at(OPEN, exchange_when="any_time"), "+40H")
    assert refused_by(announced, "^H9") != ()
    assert refused_by(announced.play("HQ"), "A:^H9") == ()
    won = play(at(OPEN, exchange_when="any_time", closing_draw="before_drawing"), "HK C9")
    assert won.phase == "before the draw"
    assert refused_by(won, "^H9") != ()
    assert refused_by(won.play("="), "^H9") == ()


@pytest.mark.parametrize("least", [1, 5, 6, 9])
def test_cards_left_for_an_exchange(least: int) -> None:
    """Five cards lie face down."""
    assert (refused_by(at(OPEN, exchange_talon_min=least), "^H9") == ()) == (least <= 5)
    if least > 5:
        assert refused_by(at(OPEN, exchange_talon_min=least), "^H9") == ("exchange_talon_min",)


def test_exchanging_after_closing() -> None:
    assert refused_by(play(at(OPEN), "|"), "^H9") == ("exchange_closed",)
    closed = play(at(OPEN, exchange_closed="allowed"), "|")
    assert refused_by(closed, "^H9") == ()
    assert closed.play("^H9").turn_up == "H9"


def test_the_exchange_offered_at_the_closing() -> None:
    """Only to the closer's adversary, only then, and without a trick."""
    hands = {"A": "HK HQ DK CK CQ SA", "B": "S9 SQ DT D9 C9 H9"}
    given = {"hands": hands, "tricks": {"A": 3, "B": 0}}
    offer = at(OPEN, given, exchange_closed="offered_at_closing").play("|")
    assert (offer.phase, offer.talon_state, offer.to_move, offer.closer) == ("offer", "closed", 1, 0)
    assert legal_tokens(offer) == {"^H9", "-", "66"}
    assert offer.legal(0) == (ve.parse(offer, "A:66"),)
    taken = offer.play("^H9")
    assert "HT" in taken.hand(1)
    assert taken.turn_up == "H9"
    declined = offer.play("-")
    assert declined.turn_up == "HT"
    for after in (taken, declined):
        assert (after.phase, after.to_move, after.talon_state) == ("lead", 0, "closed")
    assert "exchange_closed" in refused_by(declined, "^H9")
    # Asked even without the card, so that the asking gives nothing away.
    without = at(OPEN, exchange_closed="offered_at_closing").play("|")
    assert legal_tokens(without) == {"-", "66"}
    # Not where the talon has too few cards for an exchange.
    few = at(OPEN, given, exchange_closed="offered_at_closing", exchange_talon_min=6).play("|")
    assert few.phase == "lead"


def test_the_offer_also_follows_a_closing_before_the_draw() -> None:
    given = {"drawn": "false", "hands": {"A": "HK HQ DK CK CQ", "B": "S9 SQ DT D9 H9"}}
    deal = at(OPEN, given, exchange_closed="offered_at_closing", closing_draw="before_drawing").play("||")
    assert (deal.phase, deal.to_move) == ("offer", 1)
    assert deal.play("^H9").to_move == 0


# ---- closing ------------------------------------------------------------------------------------------------------


def test_closing_before_the_first_lead() -> None:
    fresh: dict[str, Any] = {"tricks": {}, "points": {}}
    assert refused_by(at(OPEN, fresh), "|") == ()
    assert refused_by(at(OPEN, fresh, closing_first_lead="not_allowed"), "|") == ("closing_first_lead",)
    assert refused_by(at(OPEN, closing_first_lead="not_allowed"), "|") == ()
    # Any trick will do, also one of the other player's.
    assert refused_by(at(OPEN, {"tricks": {"A": 0, "B": 1}}, closing_first_lead="not_allowed"), "|") == ()
    # Before the first lead there is nothing to draw, and so no wrong side of the draw.
    assert refused_by(at(OPEN, fresh, closing_draw="before_drawing"), "|") == ()


def test_closing_before_the_draw_only() -> None:
    deal = play(at(OPEN, closing_draw="before_drawing"), "HK C9")
    assert deal.phase == "before the draw"
    assert legal_tokens(deal) == {"=", "||", "66"}
    closed = deal.play("||")
    assert (closed.talon_state, closed.phase, closed.to_move) == ("closed", "lead", 0)
    assert len(closed.hand(0)) == len(closed.hand(1)) == 5
    assert closed.talon == ("SJ", "DQ", "DJ", "CT", "CJ")
    drawn = deal.play("=")
    assert len(drawn.hand(0)) == len(drawn.hand(1)) == 6
    assert refused_by(drawn, "|") == ("closing_draw",)


def test_closing_on_either_side_of_the_draw() -> None:
    deal = play(at(OPEN, closing_draw="either"), "HK C9")
    assert legal_tokens(deal) == {"=", "||", "66"}
    assert refused_by(deal.play("="), "|") == ()
    # After drawing only, there is no choice and no step of its own.
    assert play(at(OPEN), "HK C9").phase == "lead"


@pytest.mark.parametrize(
    ("least", "before", "after"),
    [(1, True, True), (3, True, True), (4, True, False), (5, True, False), (6, False, False)],
)
def test_cards_left_for_closing(least: int, before: bool, after: bool) -> None:
    """Five cards lie face down before the draw, three after it."""
    deal = play(at(OPEN, closing_draw="either", closing_talon_min=least), "HK C9")
    assert ("||" in legal_tokens(deal)) == before
    if before:
        deal = deal.play("=")
    assert ("|" in legal_tokens(deal)) == after
    if not after:
        assert refused_by(deal, "|") == ("closing_talon_min",)


def test_no_closing() -> None:
    deal = at(OPEN, closing="not_played", closing_draw="either")
    assert refused_by(deal, "|") == ("closing",)
    assert play(deal, "HK C9").phase == "lead"


CLOSED_BY_A: dict[str, Any] = {
    "dealer": "B", "lead": "A", "trump": "H", "turn_up": "HT", "talon": "SJ DQ DJ", "state": "closed", "closer": "A",
    "hands": {"A": "HK", "B": "S9"}, "tricks": {"A": 5, "B": 1}, "points": {"A": 70, "B": 40},
    "at_closing": {"tricks": {"A": 4, "B": 0}, "points": {"A": 40, "B": 0}},
}  # fmt: skip


@pytest.mark.parametrize(("success", "game_points"), [("at_end", 1), ("at_closing", 3)])
def test_what_a_successful_closing_is_worth(success: str, game_points: int) -> None:
    assert ended(at(CLOSED_BY_A, closing_success=success).play("66")) == (0, game_points, "claim")
    counted = play(at(CLOSED_BY_A, closing_success=success), "HK S9")
    assert ended(counted) == (0, game_points, "counted")
    # A deal that the other wins is valued as it ended, whoever closed.
    other = {"points": {"A": 0, "B": 70}, "tricks": {"A": 1, "B": 5}}
    wins = at(CLOSED_BY_A, other, closing_success=success, closing_adversary_first="adversary_wins")
    assert ended(wins.play("B:66")) == (1, 2, "claim")


@pytest.mark.parametrize(
    ("at_closing", "points", "expected"),
    [
        ({"tricks": {"A": 4, "B": 1}, "points": {"A": 40, "B": 20}}, 40, 2),
        ({"tricks": {"B": 2}, "points": {"B": 33}}, 60, 1),
    ],
)
def test_valued_as_at_the_closing(at_closing: Mapping[str, Any], points: int, expected: int) -> None:
    """Schneider as well as schwarz, by the count as it stood."""
    given = {"at_closing": at_closing, "points": {"A": 70, "B": points}}
    assert ended(at(CLOSED_BY_A, given, closing_success="at_closing").play("66"))[1] == expected


@pytest.mark.parametrize(
    ("trickless", "then", "now", "game_points"),
    [
        ("at_closing", 0, 1, 5),
        ("at_closing", 1, 1, 4),
        ("at_end", 0, 1, 4),
        ("at_end", 0, 0, 5),
        ("at_closing", 0, 0, 5),
    ],
)
def test_the_forfeit_for_a_failed_closing(trickless: str, then: int, now: int, game_points: int) -> None:
    given = {
        "tricks": {"A": 4, "B": now}, "points": {"A": 30, "B": 10},
        "at_closing": {"tricks": {"A": 3, "B": then}, "points": {}},
    }  # fmt: skip
    rules: dict[str, Value] = {
        "closing_trickless": trickless, "closing_forfeit": 4, "closing_forfeit_trickless": 5,
    }  # fmt: skip
    failed = play(at(CLOSED_BY_A, given, **rules), "HK S9")
    assert ended(failed) == (1, game_points, "failed_close")
    claimed = at(CLOSED_BY_A, given, **rules).play("66")
    assert ended(claimed) == (1, game_points, "false_claim")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("closer_fails", (1, 4, "failed_close")), ("adversary_wins", (1, 1, "claim"))],
)
def test_the_adversary_claims_first(answer: str, expected: tuple[int, int, str]) -> None:
    given = {"points": {"A": 60, "B": 66}, "at_closing": {"tricks": {"A": 1, "B": 1}}}
    deal = at(CLOSED_BY_A, given, closing_adversary_first=answer, closing_forfeit=4)
    assert ended(deal.play("B:66")) == expected


def test_only_the_closers_count_matters() -> None:
    given = {"points": {"A": 60, "B": 66}, "at_closing": {"tricks": {"A": 1, "B": 1}}}
    rules: dict[str, Value] = {"closing_adversary_first": "irrelevant", "closing_forfeit": 4}
    deal = at(CLOSED_BY_A, given, **rules)
    assert refused_by(deal, "B:66") == ("closing_adversary_first",)
    # The king and the nine bring A 64 only.
    assert ended(play(deal, "HK S9")) == (1, 4, "failed_close")
    made = at(CLOSED_BY_A, given | {"points": {"A": 62, "B": 66}}, **rules)
    assert ended(play(made, "HK S9")) == (0, 1, "counted")
    automatic = at(CLOSED_BY_A, given | {"points": {"A": 62, "B": 64}}, claim_when="automatic", **rules)
    assert ended(play(automatic, "HK S9")) == (0, 1, "reached")
    # In an open talon the adversary's count matters as ever.
    assert refused_by(at(OPEN, **rules), "B:66") == ()


def test_the_adversary_reaches_it_first_and_no_claim_is_needed() -> None:
    given = {
        "hands": {"A": "S9 D9", "B": "HA SA"}, "lead": "A", "points": {"A": 60, "B": 56},
        "at_closing": {"tricks": {"A": 1, "B": 1}},
    }  # fmt: skip
    for answer, expected in (("closer_fails", (1, 2, "failed_close")), ("adversary_wins", (1, 1, "reached"))):
        deal = at(CLOSED_BY_A, given, claim_when="automatic", closing_adversary_first=answer)
        assert ended(play(deal, "S9 SA")) == expected
    deal = play(at(CLOSED_BY_A, given, claim_when="automatic", closing_adversary_first="irrelevant"), "S9 SA")
    assert not deal.over
    assert ended(play(deal, "HA D9")) == (1, 2, "failed_close")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("closer_fails", (1, 2, "failed_close")),
        ("adversary_wins", (1, 1, "counted")),
        ("irrelevant", (0, 1, "counted")),
    ],
)
def test_both_reach_it_where_only_the_end_counts(answer: str, expected: tuple[int, int, str]) -> None:
    """The adversary was there first, the closer with the last trick."""
    given = {
        "hands": {"A": "HA S9", "B": "CT SA"}, "points": {"A": 60, "B": 56}, "at_closing": {"tricks": {"A": 1, "B": 1}},
    }  # fmt: skip
    rules: dict[str, Value] = {"closing_adversary_first": answer, "end_both_reached": "first_to_reach"}
    deal = play(at(CLOSED_BY_A, given, claim_when="at_end", **rules), "S9 SA CT HA")
    assert deal.card_points == (81, 67)
    assert ended(deal) == expected


@pytest.mark.parametrize("answer", ["closer_fails", "adversary_wins", "irrelevant"])
def test_the_closer_reaches_it_first_where_only_the_end_counts(answer: str) -> None:
    """That the adversary gets there too, with the last trick, is no failure."""
    given = {
        "hands": {"A": "HA S9", "B": "CT SA"}, "points": {"A": 60, "B": 56}, "at_closing": {"tricks": {"A": 1, "B": 1}},
    }  # fmt: skip
    rules: dict[str, Value] = {"closing_adversary_first": answer, "end_both_reached": "first_to_reach"}
    deal = play(at(CLOSED_BY_A, given, claim_when="at_end", **rules), "HA CT S9 SA")
    assert deal.card_points == (81, 67)
    assert ended(deal) == (0, 1, "counted")


# ---- claiming -----------------------------------------------------------------------------------------------------

HAS_66: dict[str, Any] = {"points": {"A": 66, "B": 66}}


@pytest.mark.parametrize(
    ("when", "led", "seat", "allowed"),
    [
        ("any_time", False, "A", True), ("any_time", False, "B", True), ("any_time", True, "A", True),
        ("any_time", True, "B", True), ("on_turn", False, "A", True), ("on_turn", False, "B", False),
        ("on_turn", True, "A", False), ("on_turn", True, "B", True), ("on_lead", False, "A", True),
        ("on_lead", False, "B", False), ("on_lead", True, "A", False), ("on_lead", True, "B", False),
        ("automatic", False, "A", False), ("at_end", False, "A", False), ("at_end", True, "B", False),
    ],
)  # fmt: skip
def test_the_moment_of_a_claim(when: str, led: bool, seat: str, allowed: bool) -> None:
    deal = at(OPEN, HAS_66, claim_when=when)
    if led:
        deal = at(
            OPEN, HAS_66 | {"led": "HK", "hands": {"A": "HQ DK CK CQ H9", "B": "S9 SQ DT D9 C9 DA"}}, claim_when=when
        )
    barred = refused_by(deal, f"{seat}:66")
    assert barred == (() if allowed else ("claim_when",))
    if allowed:
        assert ended(deal.play(f"{seat}:66")) == ("AB".index(seat), 1, "claim")


def test_a_claim_while_the_other_has_announced() -> None:
    """Who announced must lead first, where marriages cannot just be shown; the other player may claim all the same."""
    deal = at(OPEN, HAS_66).play("+40H")
    assert refused_by(deal, "66") == ("marriage_unled",)
    assert refused_by(deal, "B:66") == ()
    assert ended(deal.play("B:66")) == (1, 1, "claim")


def test_on_lead_includes_the_moment_before_drawing() -> None:
    deal = play(at(OPEN, closing_draw="either", claim_when="on_lead"), "HK C9")
    assert refused_by(deal, "66") == ()
    assert refused_by(deal, "B:66") == ("claim_when",)
    offer = at(OPEN, exchange_closed="offered_at_closing", claim_when="on_lead").play("|")
    assert refused_by(offer, "66") == ("claim_when",)
    offer = at(OPEN, exchange_closed="offered_at_closing", claim_when="on_turn").play("|")
    assert refused_by(offer, "66") == ()


def test_reaching_the_target_ends_the_deal() -> None:
    given = {"points": {"A": 50, "B": 10}}
    by_trick = play(at(OPEN, given, claim_when="automatic"), "HK DA")
    assert by_trick.card_points == (65, 10)
    assert not by_trick.over
    by_trick = play(at(OPEN, {"points": {"A": 51, "B": 10}}, claim_when="automatic"), "HK DA")
    assert ended(by_trick) == (0, 2, "reached")
    by_marriage = at(OPEN, given, claim_when="automatic").play("+40H")
    assert ended(by_marriage) == (0, 2, "reached")
    waiting = at(OPEN, given | {"tricks": {"A": 0, "B": 3}}, claim_when="automatic").play("+40H")
    assert not waiting.over


def test_no_claim_before_the_end() -> None:
    given = {"points": {"A": 66, "B": 20}}
    deal = at(LATE, given, claim_when="at_end")
    assert refused_by(deal, "66") == ("claim_when",)
    assert ended(play(deal, "SA S9 SK SQ")) == (0, 2, "counted")


@pytest.mark.parametrize(("tricks", "points", "game_points"), [(0, 0, 3), (1, 20, 2), (1, 33, 1), (2, 65, 1)])
def test_the_mirrored_forfeit(tricks: int, points: int, game_points: int) -> None:
    """The adversary scores what the claimer would have: by the adversary's own tricks and count."""
    given = {"points": {"A": 40, "B": points}, "tricks": {"A": 3, "B": tricks}}
    deal = at(OPEN, given, claim_forfeit_rule="mirror", claim_forfeit=7, claim_forfeit_trickless=8)
    assert ended(deal.play("66")) == (1, game_points, "false_claim")
    fixed = at(OPEN, given, claim_forfeit=7, claim_forfeit_trickless=8)
    assert ended(fixed.play("66")) == (1, 7 if tricks else 8, "false_claim")


def test_a_claim_that_counts_as_closing() -> None:
    rules: dict[str, Value] = {
        "claim_open_closes": "closes", "closing_forfeit": 4, "closing_forfeit_trickless": 5, "claim_forfeit": 2,
        "claim_forfeit_trickless": 3, "look_back": "none", "look_back_price": "right_to_close",
    }  # fmt: skip
    assert ended(at(OPEN, **rules).play("66")) == (1, 4, "false_claim")
    assert ended(at(OPEN, {"tricks": {"A": 3}}, **rules).play("66")) == (1, 5, "false_claim")
    assert ended(at(LATE, **rules).play("66")) == (1, 2, "false_claim")
    # The other player's false claim in a closed talon is not the closer's failure.
    given = {"at_closing": {"tricks": {"A": 1, "B": 1}}}
    assert ended(at(CLOSED_BY_A, given, **rules).play("B:66")) == (0, 2, "false_claim")
    assert ended(at(CLOSED_BY_A, given | {"points": {"A": 10}}, **rules).play("66")) == (1, 4, "false_claim")
    # Who has looked back may not close, and so not claim either while the talon is open.
    looked = at(OPEN, {"looked_back": "A"}, **rules)
    assert refused_by(looked, "66") == ("claim_open_closes", "look_back_price")
    assert refused_by(looked, "B:66") == ()
    assert refused_by(looked, "|") == ("look_back_price",)
    apart = at(OPEN, {"looked_back": "A"}, **{**rules, "claim_open_closes": "claim_only"})
    assert refused_by(apart, "66") == ()
    # Where nobody may close, a claim does not close either.
    never = at(OPEN, {"looked_back": "A"}, **{**rules, "closing": "not_played"})
    assert refused_by(never, "66") == ()
    assert ended(never.play("66")) == (1, 2, "false_claim")


@pytest.mark.parametrize(("closing", "claiming", "paid"), [(4, 2, 4), (2, 4, 4), (3, 3, 3), (0, 1, 1), (1, 0, 1)])
def test_a_false_claim_that_fails_twice_pays_the_dearer(closing: int, claiming: int, paid: int) -> None:
    """By the closer, or where the claim itself counts as closing; alone it costs what it costs."""
    rules: dict[str, Value] = {
        "closing_forfeit": closing, "closing_forfeit_trickless": closing, "claim_forfeit": claiming,
        "claim_forfeit_trickless": claiming,
    }  # fmt: skip
    closed = at(CLOSED_BY_A, {"points": {"A": 10, "B": 10}}, **rules)
    assert ended(closed.play("66")) == (1, paid, "false_claim")
    assert ended(closed.play("B:66")) == (0, claiming, "false_claim")
    assert ended(at(OPEN, claim_open_closes="closes", **rules).play("66")) == (1, paid, "false_claim")
    assert ended(at(OPEN, **rules).play("66")) == (1, claiming, "false_claim")


WORTH = ("value_win", "value_schneider", "value_schwarz", "closing_forfeit", "closing_forfeit_trickless",
         "claim_forfeit", "claim_forfeit_trickless")  # fmt: skip


@pytest.mark.parametrize("name", WORTH)
def test_the_most_that_a_deal_scores(name: str) -> None:
    nothing = ruleset(dict.fromkeys(WORTH, 0))
    assert most_game_points(nothing.ints) == 0
    assert most_game_points(nothing.replace(**{name: 7}).ints) == 7
    assert most_game_points(ruleset(dict.fromkeys(WORTH, 7) | {name: 12}).ints) == 12


# ---- marriages ----------------------------------------------------------------------------------------------------


def test_marriage_values_are_numbers() -> None:
    deal = at(OPEN, marriage_plain=15, marriage_trump=35)
    assert {"+15C", "+35H"} <= legal_tokens(deal)
    assert deal.play("+15C").card_points == (35, 10)
    assert deal.play("+35H").card_points == (55, 10)
    with pytest.raises(ve.NotationError, match="counts 15"):
        deal.play("+20C")


def test_a_marriage_that_scores_itself() -> None:
    deal = at(OPEN, marriage_scoring="automatic")
    after = deal.play("CK")
    assert after.card_points == (40, 10)
    assert after.announced == ("C", "")
    assert after.view(1).known(0) == ("CQ",)
    # Announcing it is allowed and the same.
    assert play(deal, "+20C CK")._state == after._state
    # The half of no pair scores nothing, and a marriage scores once.
    assert deal.play("DK").card_points == (20, 10)
    assert at(OPEN).play("CK").card_points == (20, 10)
    again = play(after, "C9")
    assert play(again, "CQ").card_points == again.card_points


def test_a_marriage_scores_itself_only_where_it_could_be_announced() -> None:
    rules: dict[str, Value] = {"marriage_scoring": "automatic"}
    assert at(OPEN, {"tricks": {"B": 3}}, marriage_trick="needed", **rules).play("CK").announced == ("", "")
    assert at(OPEN, {"tricks": {"B": 3}}, **rules).play("CK").pending == (20, 0)
    queen = at(OPEN, marriage_lead="queen", **rules)
    assert queen.play("CK").announced == ("", "")
    assert queen.play("CQ").announced == ("C", "")
    closed = at(OPEN, marriage_closed="not_allowed", **rules).play("|")
    assert closed.play("CK").announced == ("", "")
    assert at(OPEN, {"points": {"A": 46, "B": 0}}, claim_when="automatic", **rules).play("CK").result is not None


def test_automatic_marriages_need_no_late_announcement() -> None:
    deal = at(OPEN, marriage_scoring="automatic", marriage_late="until_answered", marriage_lead="queen").play("CK")
    assert "marriage_late" in refused_by(deal, "A:+20C")


@pytest.mark.parametrize(("lead", "cards"), [("king_or_queen", {"CK", "CQ"}), ("king", {"CK"}), ("queen", {"CQ"})])
def test_which_card_of_a_marriage_is_led(lead: str, cards: set[str]) -> None:
    deal = at(OPEN, marriage_lead=lead, claim_when="at_end").play("+20C")
    assert legal_tokens(deal) == cards
    for card in {"CK", "CQ"} - cards:
        assert refused_by(deal, card) == ("marriage_lead",)
    assert refused_by(deal, "DK") == ("lead_the_marriage",)


@pytest.mark.parametrize(("late", "lead", "refused"), [
    ("not_allowed", "king_or_queen", ("marriage_late",)),
    ("until_answered", "king_or_queen", ()),
    ("until_answered", "queen", ("marriage_lead",)),
])  # fmt: skip
def test_late_announcements(late: str, lead: str, refused: tuple[str, ...]) -> None:
    deal = at(OPEN, marriage_late=late, marriage_lead=lead).play("CK")
    assert refused_by(deal, "A:+20C") == refused
    # Only the marriage of the card led, and only the leader's.
    too_late = ("marriage_late",) if late == "not_allowed" else ()
    assert refused_by(deal, "A:+40H") == ("no_marriage_held", *too_late)
    assert refused_by(deal, "B:+20C") == ("not_now",)
    if not refused:
        after = deal.play("A:+20C")
        assert after.card_points == (40, 10)
        assert after.led == "CK"
        assert after.to_move == 1
        assert refused_by(after, "A:+20C") == ("already_announced",)
        assert refused_by(deal.play("C9"), "+20C") == ("no_marriage_held",)


def test_marriages_shown_without_a_lead() -> None:
    """Nine short with one marriage, enough with two: shown one after the other, then claimed."""
    given = {"points": {"A": 10, "B": 10}}
    assert refused_by(at(OPEN, given).play("+40H"), "66") == ("marriage_unled",)
    one = at(OPEN, given, marriage_unled="one").play("+40H")
    assert refused_by(one, "66") == ()
    assert refused_by(one, "+20C") == ("marriage_unled",)
    several = at(OPEN, given, marriage_unled="any_number").play("+40H")
    assert legal_tokens(several) == {"HK", "HQ", "+20C", "66"}
    both = several.play("+20C")
    assert both.card_points == (70, 10)
    assert legal_tokens(both) == {"66"}
    assert refused_by(both, "HK") == ("claim_now",)
    assert ended(both.play("66")) == (0, 2, "claim")
    # Not where all of them together are not enough, nor where they would wait for a trick.
    short = at(OPEN, {"points": {"A": 5, "B": 10}}, marriage_unled="any_number").play("+40H")
    assert refused_by(short, "+20C") == ("marriage_unled",)
    waiting = at(OPEN, {"points": {"A": 50}, "tricks": {"B": 3}}, marriage_unled="any_number").play("+40H")
    assert refused_by(waiting, "+20C") == ("marriage_unled",)
    # Nor once the first has brought it, nor where nothing can be claimed at this moment.
    enough = at(OPEN, {"points": {"A": 30}}, marriage_unled="any_number").play("+40H")
    assert refused_by(enough, "+20C") == ("marriage_unled",)
    for when in ("automatic", "at_end"):
        barred = at(OPEN, given, marriage_unled="any_number", claim_when=when).play("+20C")
        assert "marriage_unled" in refused_by(barred, "+40H")


def test_marriages_by_the_state_of_the_talon() -> None:
    assert refused_by(at(OPEN, marriage_closed="not_allowed", marriage_exhausted="not_allowed"), "+20C") == ()
    assert refused_by(at(OPEN, marriage_closed="not_allowed").play("|"), "+20C") == ("marriage_closed",)
    assert refused_by(at(OPEN, marriage_exhausted="not_allowed").play("|"), "+20C") == ()
    late = {**LATE, "hands": {"A": "SQ SK", "B": "S9 SA"}}
    assert refused_by(at(late, marriage_exhausted="not_allowed"), "+20S") == ("marriage_exhausted",)
    assert refused_by(at(late, marriage_closed="not_allowed"), "+20S") == ()


# ---- the end ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "points", "expected"),
    [
        ("that_player", (70, 20), (0, 2, "counted")), ("nobody", (70, 20), (None, 0, "tie")),
        ("that_player", (20, 70), (1, 1, "counted")), ("nobody", (20, 70), (None, 0, "tie")),
    ],
)  # fmt: skip
def test_one_has_the_target(one: str, points: tuple[int, int], expected: tuple[int | None, int, str]) -> None:
    """A wins both tricks: 20 for the cards (an ace, a king, a queen, nothing for a nine), 10 for the last."""
    deal = at(LATE, {"points": dict(zip("AB", points, strict=True))}, end_one_reached=one)
    deal = play(deal, "SA S9 SK SQ")
    assert deal.card_points == (points[0] + 28, points[1])
    assert ended(deal) == expected


@pytest.mark.parametrize(
    ("both", "points", "expected"),
    [
        ("nobody", (60, 70), (None, 0, "tie")),
        ("higher_count", (60, 70), (0, 1, "counted")),
        ("higher_count", (60, 100), (1, 1, "counted")),
        ("higher_count", (60, 88), (None, 0, "tie")),
        ("last_trick", (60, 100), (0, 1, "last_trick")),
        ("first_to_reach", (60, 70), (1, 1, "counted")),
        ("first_to_reach", (66, 65), (0, 1, "counted")),
    ],
)
def test_both_have_the_target(both: str, points: tuple[int, int], expected: tuple[int | None, int, str]) -> None:
    given: dict[str, Any] = {"points": dict(zip("AB", points, strict=True))}
    deal = at(LATE, given, end_both_reached=both)
    if points == (66, 65):
        # A was there first, B gets there with the first of the two tricks.
        given["hands"] = {"A": "CJ SK", "B": "CQ HA"}
        assert ended(play(at(LATE, given, end_both_reached=both), "CJ CQ HA SK")) == expected
        return
    assert ended(play(deal, "SA S9 SK SQ")) == expected


def test_reaching_the_target_exactly_is_reaching_it() -> None:
    """A has 66 to the point with the first of the two tricks, B more than that with the second."""
    given = {"hands": {"A": "SA C9", "B": "S9 CA"}, "points": {"A": 55, "B": 60}}
    deal = play(at(LATE, given, end_both_reached="first_to_reach"), "SA S9")
    assert deal.card_points == (66, 60)
    deal = play(deal, "C9 CA")
    assert deal.card_points == (66, 81)
    assert ended(deal) == (0, 1, "counted")


@pytest.mark.parametrize(
    ("none", "points", "expected"),
    [
        ("nobody", (10, 50), (None, 0, "tie")),
        ("last_trick", (10, 50), (0, 1, "last_trick")),
        ("last_trick", (10, 20), (0, 2, "last_trick")),
        ("last_trick_if_equal", (10, 50), (None, 0, "tie")),
        ("last_trick_if_equal", (10, 20), (None, 0, "tie")),
        ("last_trick_if_equal", (10, 38), (0, 1, "last_trick")),
        ("higher_count", (10, 50), (1, 1, "counted")),
        ("higher_count", (10, 20), (0, 2, "counted")),
        ("higher_count", (10, 38), (None, 0, "tie")),
    ],
)
def test_nobody_has_the_target(none: str, points: tuple[int, int], expected: tuple[int | None, int, str]) -> None:
    """A wins both tricks, with 28 card points."""
    deal = at(LATE, {"points": dict(zip("AB", points, strict=True))}, end_none_reached=none)
    assert ended(play(deal, "SA S9 SK SQ")) == expected


def test_what_the_last_trick_is_worth() -> None:
    for value, game_points in (("as_counted", 3), ("plain_win", 1)):
        given = {"points": {"A": 10, "B": 0}, "tricks": {"A": 10, "B": 0}}
        deal = at(LATE, given, end_none_reached="last_trick", last_trick_value=value)
        assert ended(play(deal, "SA S9 SK SQ")) == (0, game_points, "last_trick")
    # It is about deals that the last trick decides, and no others.
    claimed = at(
        LATE, {"points": {"A": 66}, "tricks": {"A": 10}}, end_none_reached="last_trick", last_trick_value="plain_win"
    )
    assert ended(claimed.play("66")) == (0, 3, "claim")


def test_the_last_trick_wins_for_who_wins_it() -> None:
    given = {"hands": {"A": "S9 SK", "B": "SA SQ"}, "lead": "A", "points": {"A": 10, "B": 10}}
    deal = at(LATE, given, end_none_reached="last_trick", head_exhausted="required")
    assert ended(play(deal, "S9 SA SQ SK")) == (0, 2, "last_trick")
    given["hands"] = {"A": "S9 SJ", "B": "SA SQ"}
    deal = at(LATE, given, end_none_reached="last_trick")
    assert ended(play(deal, "S9 SA SQ SJ")) == (1, 2, "last_trick")


@pytest.mark.parametrize(
    ("carry", "before", "drawn", "won"),
    [
        ("nothing", 0, 0, 1),
        ("nothing", 3, 0, 4),
        ("one", 0, 1, 1),
        ("one", 3, 1, 4),
        ("one_each", 0, 1, 1),
        ("one_each", 3, 4, 4),
    ],
)
def test_what_is_carried(carry: str, before: int, drawn: int, won: int) -> None:
    tie = play(at(LATE, {"carry": before}, tie_carry=carry), "SA S9 SK SQ")
    assert tie.result == ve.Result(None, 0, "tie", (58, 30), drawn)
    win = play(at(LATE, {"carry": before, "points": {"A": 66, "B": 40}}, tie_carry=carry), "66")
    assert win.result == ve.Result(0, won, "claim", (66, 40), 0)


def test_what_is_carried_comes_even_with_a_win_worth_nothing() -> None:
    given = {"carry": 2, "points": {"A": 66, "B": 40}}
    assert at(LATE, given, value_win=0).play("66").result == ve.Result(0, 2, "claim", (66, 40), 0)
    failed = at(LATE, {"carry": 2}, claim_forfeit=0).play("66")
    assert failed.result == ve.Result(1, 2, "false_claim", (30, 30), 0)


def test_win_values_are_numbers() -> None:
    rules: dict[str, Value] = {"value_win": 4, "value_schneider": 5, "value_schwarz": 6}
    for tricks, points, expected in ((3, 40, 4), (3, 30, 5), (0, 0, 6)):
        deal = at(LATE, {"points": {"A": 66, "B": points}, "tricks": {"A": 6, "B": tricks}}, **rules)
        assert ended(deal.play("66")) == (0, expected, "claim")


@pytest.mark.parametrize("target", [2, 66, 100])
def test_the_target_is_a_number(target: int) -> None:
    schneider = min(target, 33)
    for points in (target - 1, target):
        deal = at(LATE, {"points": {"A": points, "B": 0}}, target_card_points=target, schneider_limit=schneider)
        assert ended(deal.play("66"))[2] == ("claim" if points == target else "false_claim")


@pytest.mark.parametrize(("bonus", "counted"), [(0, 48), (10, 58), (25, 73)])
def test_the_last_trick_bonus(bonus: int, counted: int) -> None:
    deal = play(at(LATE, last_trick_bonus=bonus, last_trick_bonus_closed=3, claim_when="at_end"), "SA S9 SK SQ")
    assert deal.card_points == (counted, 30)
    closed = at(CLOSED_BY_A, {"points": {"A": 0, "B": 0}}, last_trick_bonus=bonus, last_trick_bonus_closed=3)
    assert play(closed, "HK S9").card_points == (7, 0)


# ---- looking back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("free", "tricks", "refused"),
    [
        ("none", {"A": 0, "B": 0}, ("nothing_to_look_at",)), ("none", {"A": 1, "B": 0}, ()),
        ("last_trick", {"A": 1, "B": 0}, ("nothing_to_look_at",)), ("last_trick", {"A": 1, "B": 1}, ()),
        ("own_tricks", {"A": 3, "B": 0}, ("nothing_to_look_at",)), ("own_tricks", {"A": 3, "B": 1}, ()),
        ("all_tricks", {"A": 3, "B": 3}, ("look_back",)),
    ],
)  # fmt: skip
def test_what_may_be_looked_at(free: str, tricks: dict[str, int], refused: tuple[str, ...]) -> None:
    deal = at(OPEN, {"tricks": tricks}, look_back=free, look_back_price="right_to_close")
    assert refused_by(deal, "@") == refused
    if free != "all_tricks":
        assert refused_by(at(OPEN, {"tricks": tricks}, look_back=free), "@") == (*refused, "look_back_price")


def test_looking_back_costs_the_right_to_close() -> None:
    rules: dict[str, Value] = {"look_back": "none", "look_back_price": "right_to_close", "closing_draw": "either"}
    deal = at(OPEN, **rules)
    assert refused_by(deal, "|") == ()
    looked = deal.play("@")
    assert (looked.looked_back, looked.to_move, looked.phase) == ((True, False), 0, "lead")
    assert refused_by(looked, "|") == ("look_back_price",)
    assert refused_by(looked, "@") == ("already_looked_back",)
    # No choice before the draw either, for who cannot close; the other player still can.
    assert play(looked, "HK C9").phase == "lead"
    led = at(OPEN, {"led": "HK", "hands": {"A": "HQ DK CK CQ H9", "B": "S9 SQ DT D9 C9 DA"}}, **rules).play("@")
    assert (led.looked_back, led.to_move) == ((False, True), 1)
    assert play(led, "C9").phase == "before the draw"


def test_closing_undrawn_names_the_option_that_gave_no_choice() -> None:
    deal = at(OPEN, closing_draw="after_drawing")
    assert refused_by(deal, "||") == ("not_now", "closing_draw")
    none = at(OPEN, closing="not_played")
    assert "closing" in refused_by(none, "||")
    assert "closing" in refused_by(none, "|")
