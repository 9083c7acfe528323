"""Examples that tell a rule from its near misses: each was written because a small change to the core went unnoticed.

By rule, in the order of the modules; see ``docs/mutation.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

import variant_engine as ve
from tests.strategies import (
    Value,
    agreement,
    all_moves,
    legal_tokens,
    neutral,
    pack_names,
    play,
    playout,
    random_ruleset,
    refused_by,
    ruleset,
)
from tests.test_engine_rules import CLOSED_BY_A, LAST_DRAW, LATE, OPEN, at, ended
from variant_engine.cards import names
from variant_engine.encoding import PACK, RULES_LENGTH, encode
from variant_engine.notation import SEATS
from variant_engine.options.deal import PACK_CARDS
from variant_engine.rules.ending import SCHWARZ, margin, margin_counts
from variant_engine.rules.exchange import exchange_card
from variant_engine.state import (
    BY_CLAIM,
    BY_COUNT,
    BY_FAILED_CLOSE,
    BY_FALSE_CLAIM,
    BY_LAST_TRICK,
    BY_REACHING,
    BY_TIE,
    CARD_POINTS_AT_CLOSING,
    ENDED_BY,
    KNOWN,
    LED,
    TRICKS_AT_CLOSING,
    TURN_UP,
    WINNER,
)

# ---- the seats are alike ------------------------------------------------------------------------------------------


def seen(deal: ve.Deal, first: int) -> tuple[object, ...]:
    """All there is to a deal, the seats in the order in which ``first`` comes first."""
    order = (first, 1 - first)
    whose = [None if seat is None else order.index(seat) for seat in (deal.to_move, deal.leader, deal.closer)]
    result = deal.result
    return (
        [(deal.hand(seat), deal.card_points[seat], deal.pending[seat], deal.tricks[seat]) for seat in order],
        [(deal.announced[seat], deal.looked_back[seat], deal.view(1 - seat).known(seat)) for seat in order],
        [sorted(legal_tokens(deal, seat)) for seat in order],
        whose,
        (deal.phase, deal.talon_state, deal.turn_up, deal.led, deal.talon),
        result and (result.winner is not None and order.index(result.winner), result.game_points, result.reason),
        result and ([result.card_points[seat] for seat in order], result.carry),
    )


@pytest.mark.parametrize("number", range(6))
def test_it_does_not_matter_where_one_sits(number: int) -> None:
    """The same cards and moves with the seats changed over come to the same; and what is legal is what nothing bars."""
    rng = Random(f"seats {number}")
    for _ in range(20):
        rules = random_ruleset(rng)
        pack = pack_names(rules)
        rng.shuffle(pack)
        here, there = (ve.deal(rules, pack=pack, dealer=dealer, carry=1) for dealer in (1, 0))
        assert seen(here, 0) == seen(there, 1)
        for deal in playout(here, rng, out_of_turn=0.4):
            if deal.history:
                seat, move = deal.history[-1]
                there = there.play(f"{SEATS[1 - seat]}:{move.token}")
            assert seen(deal, 0) == seen(there, 1)
            assert agreement(deal) == []


# ---- answering ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "led", "hand", "cards"),
    [
        ("ten_fifth", "SA", "SK S9", "SK S9"),
        ("ten_fifth", "ST", "SJ S9", "SJ"),
        ("ten_fifth", "SJ", "ST SQ", "SQ"),
        ("ten_second", "SJ", "SQ S9", "SQ"),
        ("ten_second", "SK", "ST SJ", "ST"),
        ("ten_second", "SQ", "SJ SK", "SK"),
        ("ten_second", "CJ", "CQ C9", "CQ"),
    ],
)
def test_the_duty_to_head_goes_by_rank(order: str, led: str, hand: str, cards: str) -> None:
    given = {"lead": "A", "led": led, "trump": "H", "state": "exhausted", "hands": {"A": "DT", "B": hand}}
    deal = ve.position(ruleset(rank_order=order, head_exhausted="required"), given)
    assert legal_tokens(deal, 1) - {"66"} == set(cards.split())


@pytest.mark.parametrize("trump", "SHDC")
def test_every_trump_can_be_due(trump: str) -> None:
    plain, led = [suit for suit in "SHDC" if suit != trump][:2]
    for rank in "9A":
        given = {
            "lead": "A", "led": f"{led}Q", "trump": trump, "state": "exhausted",
            "hands": {"A": f"{plain}T", "B": f"{trump}{rank} {plain}9"},
        }  # fmt: skip
        assert legal_tokens(ve.position(ruleset(ruff_exhausted="required"), given), 1) - {"66"} == {f"{trump}{rank}"}


# ---- claiming -----------------------------------------------------------------------------------------------------


def mirrored(given: Mapping[str, Any]) -> dict[str, Any]:
    """A position with the seats changed over."""

    def changed(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {{"A": "B", "B": "A"}.get(key, key): changed(each) for key, each in value.items()}
        return {"A": "B", "B": "A"}.get(value, value)

    return {key: changed(value) for key, value in given.items()}


CLOSED_BY_B = mirrored(CLOSED_BY_A)


@pytest.mark.parametrize(("given", "closer"), [(CLOSED_BY_A, "A"), (CLOSED_BY_B, "B")])
def test_the_closer_may_claim_where_only_the_closers_count_matters(given: Mapping[str, Any], closer: str) -> None:
    deal = at(given, closing_adversary_first="irrelevant")
    assert refused_by(deal, f"{closer}:66") == ()
    assert ended(deal.play(f"{closer}:66")) == ("AB".index(closer), 1, "claim")
    other = "BA"["AB".index(closer)]
    assert refused_by(deal, f"{other}:66") == ("closing_adversary_first",)


def test_marriages_are_shown_only_by_who_may_claim_them() -> None:
    """Ten and two marriages are enough; but the closer's adversary may claim nothing where only the closer counts."""
    rules: dict[str, Value] = {"marriage_unled": "any_number", "closing_adversary_first": "irrelevant"}
    given = {"state": "closed", "points": {"A": 10, "B": 10}, "tricks": {"A": 1, "B": 1}}
    own = at(OPEN, {**given, "closer": "A"}, **rules).play("+40H")
    assert refused_by(own, "+20C") == ()
    others = at(OPEN, {**given, "closer": "B"}, **rules).play("+40H")
    assert refused_by(others, "+20C") == ("marriage_unled",)
    for when in ("on_turn", "on_lead"):
        deal = at(OPEN, {"points": {"A": 10, "B": 10}}, marriage_unled="any_number", claim_when=when).play("+40H")
        assert refused_by(deal, "+20C") == ()


# ---- closing ------------------------------------------------------------------------------------------------------


def test_all_that_bars_a_closing_is_told() -> None:
    rules: dict[str, Value] = {
        "closing_draw": "before_drawing", "look_back": "none", "look_back_price": "right_to_close",
    }  # fmt: skip
    given = {"looked_back": "A"}
    assert refused_by(at(OPEN, given, closing_talon_min=6, **rules), "|") == (
        "closing_draw", "closing_talon_min", "look_back_price",
    )  # fmt: skip
    assert refused_by(at(OPEN, given, closing_talon_min=5, **rules), "|") == ("closing_draw", "look_back_price")
    first = {**given, "tricks": {}, "points": {}}
    assert refused_by(at(OPEN, first, closing_first_lead="not_allowed", closing_talon_min=6, **rules), "|") == (
        "closing_first_lead", "closing_talon_min", "look_back_price",
    )  # fmt: skip


# ---- dealing and drawing ------------------------------------------------------------------------------------------

#: The lowest card by number, which is easily taken for none.
ZERO = "S7"


def test_the_seven_of_spades_is_a_card_like_others() -> None:
    rules = ruleset(pack_cards=32, turn_up="seventh_card")
    cards = [name for name in pack_names(rules) if name != ZERO]
    cards.insert(6, ZERO)
    deal = ve.deal(rules, pack=cards, dealer=1)
    assert deal.turn_up == ZERO
    assert ZERO not in deal.talon
    assert len(deal.talon) == 32 - 12 - 1
    # As the turn-up it can be exchanged, and is drawn last.
    given = {"trump": "S", "turn_up": ZERO, "talon": "HJ", "hands": {"A": "S9 CK", "B": "CQ CJ"}, "tricks": {"A": 1}}
    spades = ve.position(ruleset(pack_cards=32), {"lead": "A", **given})
    assert spades.play("^S9").turn_up == "S9"
    drawn = play(spades, "CK CQ")
    assert (drawn.talon_state, drawn.turn_up) == ("exhausted", None)
    assert ZERO in drawn.hand(1)
    two = play(ve.position(ruleset(pack_cards=32), {"lead": "A", **given, "talon": "HJ HQ"}), "CK CQ")
    assert (two.talon_state, two.turn_up, two.talon) == ("open", ZERO, ())
    offered = at(
        {"lead": "A", **given}, exchange_closed="offered_at_closing", pack_cards=32, exchange_trick="not_needed"
    )
    assert offered.play("|").phase == "offer"


def drawn_after(talon: str, turn_up: str | None, **rules: Value) -> ve.Deal:
    """After a trick with such a talon; a talon without a turn-up is open all the same."""
    given: dict[str, Any] = {
        "lead": "A", "trump": "H", "state": "open", "talon": talon, "hands": {"A": "SA CK CQ", "B": "S9 SK DA"},
        "tricks": {"A": 2, "B": 1}, "points": {"A": 20, "B": 20},
    }  # fmt: skip
    if turn_up is not None:
        given["turn_up"] = turn_up
    return play(ve.position(ruleset(rules), given), "SA S9")


@pytest.mark.parametrize(
    ("talon", "turn_up", "sizes", "left", "state"),
    [
        ("DJ DQ DK CT", None, (3, 3), ("DK", "CT"), "open"),
        ("DJ DQ", None, (3, 3), (), "exhausted"),
        ("DJ", None, (2, 2), ("DJ",), "exhausted"),
        ("DJ DQ DK", "HT", (3, 3), ("DK",), "open"),
        ("DJ DQ", "HT", (3, 3), (), "open"),
        ("DJ", "HT", (3, 3), (), "exhausted"),
        ("", "HT", (2, 2), (), "exhausted"),
    ],
)
def test_drawing_from_a_talon_of_any_size(
    talon: str, turn_up: str | None, sizes: tuple[int, int], left: tuple[str, ...], state: str
) -> None:
    """Both draw or nobody does: a card that cannot be shared stays where it is."""
    deal = drawn_after(talon, turn_up)
    assert (len(deal.hand(0)), len(deal.hand(1))) == sizes
    assert (deal.talon, deal.talon_state) == (left, state)
    assert deal.phase == "lead"
    assert deal.to_move == 0
    stays = turn_up if turn_up is not None and talon != "DJ" else None
    assert deal.turn_up == stays


@pytest.mark.parametrize(("given", "seat"), [(OPEN, 0), (mirrored(OPEN), 1)])
def test_a_deal_whose_odd_card_is_left_over_ends_with_the_hands(given: Mapping[str, Any], seat: int) -> None:
    """Only in a position set up by hand: nothing can be drawn, and nothing is left to play."""
    own, other = "AB"[seat], "AB"[1 - seat]
    changes = {"talon": "", "turn_up": "HT", "hands": {own: "SA", other: "S9"}}
    rules: dict[str, Value] = {"end_none_reached": "last_trick", "claim_when": "at_end"}
    deal = play(at(given, changes, **rules), "SA S9")
    assert deal.over
    assert ended(deal) == (seat, 2, "last_trick")
    more = play(at(given, {**changes, "hands": {own: "SA CK", other: "S9 CQ"}}, **rules), "SA S9")
    assert not more.over
    assert (more.phase, more.to_move) == ("lead", seat)


def test_the_turn_up_joins_what_is_known() -> None:
    """A queen whose marriage has been shown stays known when the turn-up is taken."""
    given = {**LAST_DRAW, "hands": {"A": "HK HQ DK CK CQ SA", "B": "S9 SQ DT D9 C9 DA"}}
    deal = play(at(given, draw_first="loser"), "+20C CK C9")
    assert set(deal.view(1).known(0)) == {"CQ", "HT"}
    assert deal._state[TURN_UP] == -1


# ---- what a deal is worth -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "tricks", "points", "expected"),
    [("no_trick", 0, 20, 3), ("no_trick", 1, 0, 2), ("no_card_points", 0, 20, 2), ("no_card_points", 1, 0, 3)],
)
def test_tricks_and_counts_as_they_stood_at_the_closing(by: str, tricks: int, points: int, expected: int) -> None:
    """Each for itself: who had announced a marriage had card points and no trick."""
    then = {"tricks": {"A": 3, "B": tricks}, "points": {"A": 30, "B": points}}
    for given in (CLOSED_BY_A, CLOSED_BY_B):
        changes = {"at_closing": then} if given is CLOSED_BY_A else mirrored({"at_closing": then})
        deal = at(given, changes, closing_success="at_closing", schwarz_by=by)
        assert ended(deal.play("66"))[1:] == (expected, "claim")


def test_a_win_without_a_trick_of_the_loser_is_schwarz() -> None:
    deal = at(LATE, {"tricks": {"A": 6, "B": 0}, "points": {"A": 70, "B": 0}})
    assert margin(deal._ints, deal._state, 0) == SCHWARZ


@pytest.mark.parametrize("value", ["as_counted", "plain_win"])
def test_where_the_margin_counts(value: str) -> None:
    ints = ruleset(last_trick_value=value).ints
    assert margin_counts(ints, BY_LAST_TRICK) == (value == "as_counted")
    assert all(margin_counts(ints, reason) for reason in (BY_CLAIM, BY_REACHING, BY_COUNT))
    assert not any(margin_counts(ints, reason) for reason in (BY_FALSE_CLAIM, BY_FAILED_CLOSE, BY_TIE))


def test_a_tie_has_a_reason_and_no_winner() -> None:
    tie = play(at(LATE), "SA S9 SK SQ")
    assert (tie._state[WINNER], tie._state[ENDED_BY]) == (-1, BY_TIE)


@pytest.mark.parametrize(("given", "claimer"), [(CLOSED_BY_A, "B"), (CLOSED_BY_B, "A")])
def test_the_forfeit_goes_by_the_adversarys_tricks(given: Mapping[str, Any], claimer: str) -> None:
    """Not by those of the closer, however the adversary comes to it: by a claim, by reaching it, by the count."""
    closer = "BA"["AB".index(claimer)]
    rules: dict[str, Value] = {"closing_forfeit": 4, "closing_forfeit_trickless": 5}
    for own, paid in ((0, 5), (1, 4)):
        tricks = {closer: 1 - own, claimer: own}
        then = {"at_closing": {"tricks": tricks}, "tricks": {closer: 1, claimer: 2}}
        claimed = at(given, {**then, "points": {closer: 10, claimer: 70}}, **rules).play(f"{claimer}:66")
        assert ended(claimed) == ("AB".index(claimer), paid, "failed_close")
        # The adversary gets there first and the closer with the last trick, where nobody can claim.
        course = {
            **then, "lead": closer, "hands": {closer: "HA S9", claimer: "CT SA"}, "points": {closer: 60, claimer: 56}
        }  # fmt: skip
        counted = play(at(given, course, claim_when="at_end", **rules), "S9 SA CT HA")
        assert ended(counted) == ("AB".index(claimer), paid, "failed_close")


def test_reaching_it_in_an_open_talon_where_only_the_closers_count_matters() -> None:
    rules: dict[str, Value] = {"closing_adversary_first": "irrelevant", "claim_when": "automatic"}
    for given, seat in ((OPEN, 0), (mirrored(OPEN), 1)):
        points = {"AB"[seat]: 60, "BA"[seat]: 10}
        assert ended(play(at(given, {"points": points}, **rules), "HK DA")) == (seat, 2, "reached")
    # And in a closed one, whoever is to move.
    for given, closer in ((CLOSED_BY_A, "A"), (CLOSED_BY_B, "B")):
        other = "BA"["AB".index(closer)]
        for first in (closer, other):
            second = "BA"["AB".index(first)]
            course = {
                "lead": first, "points": {closer: 20, other: 60},
                "hands": {first: "SA S9", second: "SK SQ"} if first == other else {first: "S9 SQ", second: "SK SA"},
            }  # fmt: skip
            tokens = "SA SK" if first == other else "SQ SA"
            assert not play(at(given, course, **rules), tokens).over


def test_who_was_first_is_unknown_where_both_have_it_from_the_start() -> None:
    given = {"points": {"A": 70, "B": 80}}
    assert ended(play(at(LATE, given, end_both_reached="first_to_reach"), "SA S9 SK SQ")) == (None, 0, "tie")


@pytest.mark.parametrize(("tricks", "value"), [({"A": 9, "B": 0}, 3), ({"A": 9, "B": 1}, 1)])
def test_who_was_first_wins_by_the_others_count(tricks: dict[str, int], value: int) -> None:
    """The other can have the target too, by marriages that counted at once, and yet no trick."""
    given = {"points": {"A": 66, "B": 20}, "tricks": tricks, "hands": {"A": "HA H9", "B": "SK SQ"}, "lead": "B"}
    rules: dict[str, Value] = {
        "end_both_reached": "first_to_reach", "marriage_counts": "at_once", "marriage_plain": 60,
        "claim_when": "at_end",
    }  # fmt: skip
    deal = play(at(LATE, given, **rules), "+60S SK H9 HA SQ")
    assert deal.card_points[1] == 80
    assert ended(deal) == (0, value, "counted")


def test_a_closer_who_made_it_is_paid_by_the_adversarys_count() -> None:
    given = {"points": {"A": 62, "B": 20}, "at_closing": {"tricks": {"A": 1, "B": 1}}}
    rules: dict[str, Value] = {"closing_adversary_first": "irrelevant"}
    assert ended(play(at(CLOSED_BY_A, given, **rules), "HK S9")) == (0, 2, "counted")
    assert ended(play(at(CLOSED_BY_B, mirrored(given), **rules), "HK S9")) == (1, 2, "counted")


def test_a_target_that_was_not_claimed_in_time_fails_no_closing() -> None:
    """Where claims can be made, an adversary who makes none has not been there first for that purpose."""
    given = {
        "hands": {"A": "HA S9", "B": "CT SA"}, "points": {"A": 60, "B": 56}, "at_closing": {"tricks": {"A": 1, "B": 1}},
    }  # fmt: skip
    deal = play(at(CLOSED_BY_A, given, end_both_reached="last_trick"), "S9 SA CT HA")
    assert deal.card_points == (81, 67)
    assert ended(deal) == (0, 1, "last_trick")


# ---- exchanging ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trump", "SHDC")
def test_without_an_exchange_card_nothing_else_bars_an_exchange(trump: str) -> None:
    given = {
        "lead": "A", "trump": trump, "turn_up": f"{trump}T", "talon": f"{trump}J", "tricks": {"A": 1},
        "hands": {"A": f"{trump}9", "B": f"{trump}K"},
    }  # fmt: skip
    deal = ve.position(ruleset(exchange_card="none"), given)
    move = ve.parse(ve.position(ruleset(), given), f"^{trump}9")
    refusal = deal.why_not(move)
    assert refusal is not None
    assert [bar.code for bar in refusal.bars] == ["exchange_card"]
    assert exchange_card(deal._ints, deal._state) == -1


def test_the_seven_must_be_held_to_be_exchanged() -> None:
    rules: dict[str, Value] = {"pack_cards": 32, "exchange_card": "seven"}
    assert refused_by(at(OPEN, **rules), "^H7") == ("exchange_card_not_held",)
    trickless = {"tricks": {"A": 0, "B": 2}}
    assert refused_by(at(OPEN, trickless, exchange_talon_min=6, **rules), "^H7") == (
        "exchange_card_not_held", "exchange_trick", "exchange_talon_min",
    )  # fmt: skip


def test_without_a_turn_up_nothing_is_exchanged() -> None:
    given = {"state": "closed", "closer": "B", "turn_up": None}
    assert refused_by(at(OPEN, given, exchange_closed="allowed"), "^H9") == ("no_turn_up",)


def test_all_that_bars_an_exchange_is_told() -> None:
    trickless = {"tricks": {"A": 0, "B": 2}}
    assert refused_by(at(OPEN, trickless, exchange_talon_min=6), "^H9") == ("exchange_trick", "exchange_talon_min")
    without = {**trickless, "hands": {"A": "HK HQ DK CK CQ CA", "B": "S9 SQ DT D9 C9 DA"}}
    assert refused_by(at(OPEN, without, exchange_talon_min=6), "^H9") == (
        "exchange_card_not_held", "exchange_trick", "exchange_talon_min",
    )  # fmt: skip


@pytest.mark.parametrize("seat", [0, 1])
def test_an_exchange_offered_at_the_closing_needs_no_trick(seat: int) -> None:
    """Whichever seat it is offered to; and not without a turn-up, nor without a card to exchange."""
    given: dict[str, Any] = {
        "hands": {"A": "HK HQ DK CK CQ SA", "B": "S9 SQ DT D9 C9 H9"}, "tricks": {"A": 3, "B": 0},
    }  # fmt: skip
    base, changes = (OPEN, given) if seat else (mirrored(OPEN), mirrored(given))
    offer = at(base, changes, exchange_closed="offered_at_closing").play("|")
    assert (offer.phase, offer.to_move) == ("offer", seat)
    assert "^H9" in legal_tokens(offer)
    bare = at(base, {**changes, "turn_up": None, "state": "open"}, exchange_closed="offered_at_closing")
    assert bare.play("|").phase == "lead"


def test_the_seven_of_spades_can_be_offered_for() -> None:
    rules: dict[str, Value] = {
        "pack_cards": 32, "exchange_card": "seven", "exchange_closed": "offered_at_closing",
        "exchange_last_card": "exchangeable",
    }  # fmt: skip
    given = {
        "lead": "A", "trump": "S", "turn_up": "ST", "talon": ZERO, "tricks": {"A": 1},
        "hands": {"A": "SA CK", "B": "SK CQ"},
    }  # fmt: skip
    deal = ve.position(ruleset(rules), given)
    assert deal.play("|").phase == "offer"
    assert legal_tokens(play(deal, "SA SK")) == {"^S7", "-", "66"}


# ---- marriages ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lead", "cards"), [("king_or_queen", "CK CQ"), ("king", "CK"), ("queen", "CQ")])
def test_an_announced_marriage_lets_no_other_card_be_led(lead: str, cards: str) -> None:
    """Not even the lowest one."""
    given = {"hands": {"A": f"CK CQ SK SQ {ZERO} C7", "B": "S9 SJ DT D9 C9 DA"}, "talon": "DJ DQ CT CJ HJ"}
    deal = at(OPEN, given, pack_cards=32, marriage_lead=lead, claim_when="at_end")
    assert legal_tokens(deal.play("+20C")) == set(cards.split())
    spades = {card.replace("C", "S") for card in cards.split()}
    assert legal_tokens(deal.play("+20S")) == spades


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("first", "then"), [("+40H", "+20C"), ("+20C", "+40H")])
def test_marriages_shown_bring_the_target_to_the_point(first: str, then: str, seat: int) -> None:
    """With 6 the two of them are just enough, in whatever order; with 5 not; and with 26 the royal one alone is."""
    rules: dict[str, Value] = {"marriage_unled": "any_number"}
    own, other = "AB"[seat], "BA"[seat]
    for points, allowed in ((6, True), (5, False), (26, first == "+20C"), (46, False)):
        given = {"points": {own: points, other: 10}}
        deal = at(mirrored(OPEN) if seat else OPEN, given, **rules).play(first)
        assert refused_by(deal, then) == (() if allowed else ("marriage_unled",))
        assert (then in legal_tokens(deal)) == allowed


def test_all_that_bars_a_late_announcement_is_told() -> None:
    given = {"tricks": {"A": 0, "B": 3}}
    rules: dict[str, Value] = {"marriage_late": "until_answered", "marriage_lead": "queen", "marriage_trick": "needed"}
    assert refused_by(at(OPEN, given, **rules).play("CK"), "A:+20C") == ("marriage_trick", "marriage_lead")


def test_a_marriage_scores_itself_by_the_rules_for_marriages_and_no_others() -> None:
    """An exchange that is still allowed, or is no longer, has nothing to do with it."""
    rules: dict[str, Value] = {"marriage_scoring": "automatic"}
    closed = at(OPEN, marriage_closed="not_allowed", exchange_closed="allowed", **rules).play("|")
    assert closed.play("CK").announced == ("", "")
    exhausted = {**LATE, "hands": {"A": "SK SQ", "B": "S9 SA"}}
    assert at(exhausted, **rules).play("SK").announced == ("S", "")


# ---- what is legal ------------------------------------------------------------------------------------------------


def test_only_looking_back_oneself_costs_the_right_to_close() -> None:
    rules: dict[str, Value] = {"look_back": "none", "look_back_price": "right_to_close", "closing_draw": "either"}
    for base, own, other in ((OPEN, "A", "B"), (mirrored(OPEN), "B", "A")):
        assert "|" in legal_tokens(at(base, {"looked_back": other}, **rules))
        assert "|" not in legal_tokens(at(base, {"looked_back": own}, **rules))
        assert "||" in legal_tokens(play(at(base, {"looked_back": other}, **rules), "HK C9"))


def test_closing_before_the_draw_is_not_closing_after_it() -> None:
    assert "|" not in legal_tokens(at(OPEN, closing_draw="before_drawing"))
    assert "|" in legal_tokens(at(OPEN, {"tricks": {}, "points": {}}, closing_draw="before_drawing"))
    for tricks in ({"A": 1, "B": 0}, {"A": 0, "B": 1}):
        assert refused_by(at(OPEN, {"tricks": tricks}, closing_draw="before_drawing"), "|") == ("closing_draw",)


def test_a_deal_that_is_over_bars_everything() -> None:
    """For that one reason, whoever asks, and for the state of the talon in which it ended."""
    for deal in (at(OPEN, {"points": {"A": 66}}).play("66"), play(at(LATE), "SA S9 SK SQ"), at(CLOSED_BY_A).play("66")):
        for seat in (0, 1):
            assert deal.legal(seat) == ()
            for move in all_moves(deal, seat):
                refusal = deal.why_not(move)
                assert refusal is not None
                assert [bar.code for bar in refusal.bars] == ["deal_over"]


def test_whose_turn_it_is_comes_before_everything_else() -> None:
    """What only the seat to move can do is refused to the other for that alone; what anyone can do is not."""
    for deal, other in ((at(OPEN), "B"), (at(mirrored(OPEN)), "A")):
        for token in ("SA", "+20C", "|", "||", "=", "-", "@"):
            assert refused_by(deal, f"{other}:{token}") == ("not_your_turn",)
        assert refused_by(deal, f"{other}:66") == ()
        assert refused_by(deal, f"{other}:^H9") == ("exchange_card_not_held", "exchange_when")
    # A late announcement is for the leader, who is not to move.
    answering = at(OPEN, marriage_late="until_answered").play("CK")
    assert refused_by(answering, "A:+20C") == ()
    assert refused_by(answering, "A:CQ") == ("not_your_turn",)
    assert refused_by(answering, "+20C") == ("not_now",)


# ---- what a move leaves behind ------------------------------------------------------------------------------------


def known(deal: ve.Deal, seat: int) -> str:
    """The cards of a hand that everybody knows, as the state has them."""
    return names(deal._state[KNOWN + seat])


@pytest.mark.parametrize("seat", [0, 1])
def test_what_everybody_knows_of_a_hand(seat: int) -> None:
    """Marriages shown and the turn-up taken, until they are played; and nothing of the other hand."""
    base = mirrored(OPEN) if seat else OPEN
    deal = at(base).play("^H9")
    assert (known(deal, seat), known(deal, 1 - seat)) == ("HT", "")
    deal = deal.play("+20C")
    assert (known(deal, seat), known(deal, 1 - seat)) == ("HT CK CQ", "")
    deal = play(deal, "CK DA")
    assert (known(deal, seat), known(deal, 1 - seat)) == ("HT CQ", "")
    # The other way round: what is known already stays known when cards are exchanged.
    deal = play(at(base), "+20C CK C9").play("^H9")
    assert known(deal, seat) == "HT CQ"
    assert known(play(at(base, marriage_lead="queen"), "+40H HQ S9"), seat) == "HK"
    # Of a marriage announced late, one card lies on the table.
    own, other = "AB"[seat], "AB"[1 - seat]
    late = at(base, marriage_late="until_answered").play("CK").play(f"{own}:+20C")
    assert (known(late, seat), known(late, 1 - seat)) == ("CQ", "")
    # A card that is known can be the answer too.
    hands = {own: "CK CQ SJ SQ DK D9", other: "CA CT ST S9 DT DA"}
    assert known(play(at(base, {"hands": hands, "talon": "CJ DQ DJ HJ HK"}), "+20C CK CA CT CQ"), seat) == ""


def test_the_queen_of_trumps_stays_known_when_the_jack_is_exchanged() -> None:
    given = {"hands": {"A": "HK HQ DK CK CQ HJ", "B": "S9 SQ DT D9 C9 DA"}}
    for base, changes, seat in ((OPEN, given, 0), (mirrored(OPEN), mirrored(given), 1)):
        deal = play(at(base, changes, exchange_card="jack"), "+40H HK S9 ^HJ")
        assert known(deal, seat) == "HT HQ"


def test_no_card_is_led_between_tricks() -> None:
    deal = play(at(OPEN), "HK C9")
    assert (deal.led, deal._state[LED]) == (None, -1)
    assert deal.dealer == 1


def test_looking_back_is_noted_as_a_position_notes_it() -> None:
    rules: dict[str, Value] = {"look_back": "none", "look_back_price": "right_to_close"}
    assert at(OPEN, **rules).play("@")._state == at(OPEN, {"looked_back": "A"}, **rules)._state


@pytest.mark.parametrize("closing_draw", ["after_drawing", "either"])
def test_closing_notes_how_things_stand(closing_draw: str) -> None:
    """Tricks and card points of either seat, each for itself, and not what still waits for a trick."""
    given = {"tricks": {"A": 2, "B": 1}, "points": {"A": 31, "B": 17}, "pending": {"A": 0, "B": 20}}
    for base, changes, order in ((OPEN, given, (0, 1)), (mirrored(OPEN), mirrored(given), (1, 0))):
        closed = at(base, changes, closing_draw=closing_draw).play("|")
        assert [closed._state[TRICKS_AT_CLOSING + seat] for seat in order] == [2, 1]
        assert [closed._state[CARD_POINTS_AT_CLOSING + seat] for seat in order] == [31, 17]
        assert closed.closer == order[0]
        # They stay, whatever is won afterwards.
        later = play(closed, "HK DA")
        assert [later._state[TRICKS_AT_CLOSING + seat] for seat in order] == [2, 1]
        assert [later._state[CARD_POINTS_AT_CLOSING + seat] for seat in order] == [31, 17]


def test_what_waits_for_a_trick_adds_up() -> None:
    """Only a position set up by hand has something waiting before the first announcement."""
    given = {"tricks": {"A": 0, "B": 3}, "pending": {"A": 20, "B": 0}}
    assert at(OPEN, given, marriage_counts="with_next_trick").play("+40H").pending == (60, 0)


def test_a_target_that_both_had_to_the_point_was_reached_by_neither_first() -> None:
    given = {"points": {"A": 66, "B": 66}}
    assert ended(play(at(LATE, given, end_both_reached="first_to_reach"), "SA S9 SK SQ")) == (None, 0, "tie")


@pytest.mark.parametrize("closing_draw", ["after_drawing", "either"])
def test_the_last_trick_beside_an_open_talon(closing_draw: str) -> None:
    """Only in a position set up by hand: it brings no bonus, and who has no card left cannot close."""
    given = {"talon": "DJ DQ CJ", "hands": {"A": "SA", "B": "S9"}}
    deal = play(at(OPEN, given, closing_draw=closing_draw, last_trick_bonus=10), "SA S9")
    assert deal.card_points == (31, 10)
    assert deal.phase == "lead"
    assert (len(deal.hand(0)), len(deal.hand(1))) == (1, 1)
    # A single card is one, whichever it is.
    more = {"talon": "DJ DQ CJ", "hands": {"A": f"SA {ZERO}", "B": "S9 C9"}}
    choice = play(at(OPEN, more, closing_draw=closing_draw, pack_cards=32), "SA S9")
    assert choice.phase == ("before the draw" if closing_draw == "either" else "lead")


def test_who_has_shown_marriages_must_claim_and_may_lead_nothing() -> None:
    given = {
        "hands": {"A": f"HK HQ CK CQ {ZERO} DK", "B": "S9 SQ DT D9 C9 DA"}, "points": {"A": 10, "B": 10},
    }  # fmt: skip
    deal = play(at(OPEN, given, marriage_unled="any_number", marriage_lead="queen", pack_cards=32), "+40H +20C")
    assert legal_tokens(deal) == {"66"}
    for card in deal.hand(0):
        assert "claim_now" in refused_by(deal, card)


@pytest.mark.parametrize(("lead", "cards"), [("king_or_queen", "SK SQ"), ("king", "SK"), ("queen", "SQ")])
def test_only_its_own_cards_score_a_marriage(lead: str, cards: str) -> None:
    given = {"hands": {"A": f"SK SQ SA {ZERO} CA CT", "B": "S9 SJ DT D9 C9 DA"}, "talon": "DJ DQ CK CJ HJ"}
    deal = at(OPEN, given, pack_cards=32, marriage_lead=lead, marriage_scoring="automatic")
    for card in deal.hand(0):
        assert deal.play(card).announced == ("S" if card in cards.split() else "", "")


@pytest.mark.parametrize(("end", "points"), [("end_none_reached", 20), ("end_both_reached", 70)])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize(("ahead", "winner"), [(2, "last"), (1, "last"), (0, None), (-1, "other"), (-2, "other")])
def test_the_higher_count_wins_whoever_takes_the_last_trick(
    end: str, points: int, last: int, ahead: int, winner: str | None
) -> None:
    """A single card point is enough. The last trick of an ace and a nine counts 11, without a bonus."""
    own, other = "AB"[last], "BA"[last]
    given = {
        "lead": own, "hands": {own: "SA", other: "S9"}, "points": {own: points, other: points + 11 - ahead},
    }  # fmt: skip
    changes: dict[str, Value] = {end: "higher_count", "last_trick_bonus": 0, "claim_when": "at_end"}
    deal = play(at(LATE, given, **changes), "SA S9")
    assert deal.card_points[last] - deal.card_points[1 - last] == ahead
    assert deal.result is not None
    assert deal.result.winner == {"last": last, "other": 1 - last, None: None}[winner]


def test_the_cards_that_there_are() -> None:
    """The pack of the rules, or the one it was cut down to."""
    values = neutral()
    rules = encode(values)
    assert (len(rules), rules[PACK].bit_count(), rules[PACK_CARDS]) == (RULES_LENGTH, 24, 24)
    few = rules[PACK] & 0xFFFF
    assert (encode(values, few)[PACK], encode(values, few)[PACK_CARDS]) == (few, 12)
    # No other option changes with it.
    assert encode(values, few)[PACK_CARDS + 1 : len(values)] == rules[PACK_CARDS + 1 : len(values)]
