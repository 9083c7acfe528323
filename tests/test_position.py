"""Positions set up by hand: what they mean, and what is refused with which reason."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import variant_engine as ve
from tests.strategies import agreement, legal_tokens, play, playout, random_deal, random_ruleset, refused_by, ruleset
from variant_engine.positions import KEYS

GIVEN: dict[str, Any] = {
    "dealer": "B", "lead": "A", "trump": "H", "turn_up": "HT", "talon": ["SJ", "DQ", "DJ", "CT", "CJ"],
    "hands": {"A": "HK HQ DK CK CQ H9", "B": "S9 SQ DT D9 C9 DA"},
    "tricks": {"A": 2, "B": 1}, "points": {"A": 20, "B": 10}, "pending": {"A": 0}, "announced": {"A": ["D"]},
}  # fmt: skip
CLOSED: dict[str, Any] = {
    **GIVEN, "state": "closed", "closer": "A", "at_closing": {"tricks": {"A": 1, "B": 0}, "points": {"A": 5, "B": 0}},
}  # fmt: skip


def changed(given: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """The position with some keys changed; None takes a key out."""
    return {key: value for key, value in {**given, **changes}.items() if value is not None}


# ---- what is read -------------------------------------------------------------------------------------------------


def test_everything_is_taken_as_given() -> None:
    deal = ve.position(ruleset(), changed(GIVEN, pending={"A": 20, "B": 40}, score={"A": 3, "B": 5}, carry=2))
    assert deal.hand(0) == ("HK", "HQ", "H9", "DK", "CK", "CQ")
    assert deal.hand(1) == ("SQ", "S9", "DA", "DT", "D9", "C9")
    assert deal.talon == ("SJ", "DQ", "DJ", "CT", "CJ")
    assert (deal.turn_up, deal.trump, deal.talon_state, deal.phase) == ("HT", "H", "open", "lead")
    assert (deal.dealer, deal.leader, deal.to_move) == (1, 0, 0)
    assert (deal.tricks, deal.card_points, deal.pending) == ((2, 1), (20, 10), (20, 40))
    assert (deal.announced, deal.looked_back, deal.closer) == (("D", ""), (False, False), None)
    assert (deal.score, deal.pack, deal.history, deal.code) == ((3, 5), (), (), None)
    assert deal.play("66").result == ve.Result(1, 4, "false_claim", (20, 10), 0)
    # Cards that are nowhere count as seen.
    assert set(deal.played) == {"SA", "ST", "SK", "HA", "HJ", "CA"}


def test_what_need_not_be_given() -> None:
    given = {"trump": "H", "hands": {"A": "HK", "B": "S9"}}
    deal = ve.position(ruleset(), given)
    assert (deal.leader, deal.dealer, deal.talon_state) == (0, 1, "exhausted")
    assert (deal.tricks, deal.card_points) == ((0, 0), (0, 0))
    assert ve.position(ruleset(), given | {"lead": "B"}).dealer == 0
    assert ve.position(ruleset(), given | {"dealer": "A"}).leader == 1
    turned = ve.position(ruleset(), {"turn_up": "HT", "talon": "SJ", "hands": given["hands"]})
    assert (turned.trump, turned.talon_state) == ("H", "open")


def test_a_card_that_lies_is_in_no_hand() -> None:
    deal = ve.position(ruleset(), changed(GIVEN, led="HK", hands={"A": "HQ DK CK CQ H9", "B": "S9 SQ DT D9 C9 DA"}))
    assert (deal.phase, deal.led, deal.to_move, deal.leader) == ("answer", "HK", 1, 0)
    assert deal.hand(0) == ("HQ", "H9", "DK", "CK", "CQ")


def test_a_closed_talon() -> None:
    deal = ve.position(ruleset(), CLOSED)
    assert (deal.talon_state, deal.closer, deal.turn_up, deal.face_down) == ("closed", 0, "HT", 5)
    assert deal.play("66").result == ve.Result(1, 3, "false_claim", (20, 10), 0)
    # With nothing said of the closing it has only just happened.
    just = ve.position(ruleset(), changed(CLOSED, at_closing=None))
    assert just.play("66").result == ve.Result(1, 2, "false_claim", (20, 10), 0)
    # The turn-up and the talon need not be known.
    assert ve.position(ruleset(), changed(CLOSED, turn_up=None, talon=None)).talon_state == "closed"


def test_before_the_draw() -> None:
    given = changed(GIVEN, drawn="false", hands={"A": "HK HQ DK CK CQ", "B": "S9 SQ DT D9 C9"})
    choice = ve.position(ruleset(closing_draw="either"), given)
    assert legal_tokens(choice) == {"=", "||", "66"}
    # Where there is no choice, the draw is made at once.
    drawn = ve.position(ruleset(), given)
    assert drawn.phase == "lead"
    assert "SJ" in drawn.hand(0)
    assert "DQ" in drawn.hand(1)
    no_choice = ve.position(ruleset(closing_draw="either", closing_talon_min=6), given)
    assert no_choice.phase == "lead"


def test_looked_back() -> None:
    rules = ruleset(look_back="none", look_back_price="right_to_close")
    for looked in ("A", ["A"], ("A",)):
        deal = ve.position(rules, changed(GIVEN, looked_back=looked))
        assert deal.looked_back == (True, False)
        assert refused_by(deal, "|") == ("look_back_price",)
    assert ve.position(rules, changed(GIVEN, looked_back="A B")).looked_back == (True, True)


def test_who_was_there_first() -> None:
    """One seat that has the target in a position was there first; of two, nobody can tell."""
    rules = ruleset(end_both_reached="first_to_reach")
    given = {"trump": "H", "lead": "A", "hands": {"A": "SA", "B": "S9"}, "tricks": {"A": 5, "B": 6}}
    first = ve.position(rules, given | {"points": {"A": 60, "B": 66}})
    assert play(first, "SA S9").result == ve.Result(1, 1, "counted", (81, 66), 0)
    unknown = ve.position(rules, given | {"points": {"A": 66, "B": 66}})
    assert play(unknown, "SA S9").result == ve.Result(None, 0, "tie", (87, 66), 0)


def test_the_last_card_of_an_open_talon_can_be_alone() -> None:
    """Hands of one card, and the talon still open: closing without a card in hand is no choice."""
    rules = ruleset(closing_draw="either")
    deal = ve.position(rules, changed(GIVEN, hands={"A": "HK", "B": "S9"}))
    deal = play(deal, "HK S9")
    assert deal.over or deal.legal()
    assert deal.phase == "lead"


# ---- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"turn_up": "HK"}, ("hands", "A"), "HK is there twice"),
        ({"led": "HK"}, ("led",), "HK is there twice"),
        ({"talon": "SJ SJ"}, ("talon",), "SJ is there twice"),
        ({"hands": {"A": "HK HK", "B": "S9 SQ"}}, ("hands", "A"), "HK is there twice"),
        ({"hands": {"A": "HK", "B": "HK"}}, ("hands", "B"), "HK is there twice"),
        ({"hands": {"A": "S8", "B": "S9"}}, ("hands", "A"), "S8 is not in this ruleset's pack"),
        ({"talon": "X1"}, ("talon",), "no card"),
        ({"hands": {"A": "HK HQ", "B": "S9"}}, ("hands",), "differ in size"),
        ({"hands": {"A": "HK HQ"}}, ("hands",), "differ in size"),
        ({"led": "SA"}, ("hands",), "differ in size"),
        (
            {"hands": {"A": "HK HQ DK CK CQ H9 SA", "B": "S9 SQ DT D9 C9 DA ST"}},
            ("hands",),
            "larger than this ruleset's 6",
        ),
        ({"turn_up": "ST"}, ("turn_up",), "another suit than trumps"),
        ({"state": "exhausted"}, ("talon",), "exhausted talon"),
        ({"state": "exhausted", "talon": None}, ("turn_up",), "exhausted talon"),
        ({"closer": "A"}, ("closer",), "needs a closed talon"),
        ({"state": "closed"}, ("state",), "needs a 'closer'"),
        ({"at_closing": {"tricks": {"A": 1}}}, ("at_closing",), "closed talon"),
        ({"trumps": "H"}, ("trumps",), "unknown key"),
        ({"hands": None}, ("hands",), "empty"),
        ({"trump": "X"}, ("trump",), "no suit"),
        ({"trump": None, "turn_up": None, "state": "open"}, ("trump",), "needs 'trump'"),
        ({"turn_up": None, "talon": None, "state": "open"}, ("state",), "an open talon has cards"),
        ({"state": "shut"}, ("state",), "no state of the talon"),
        ({"lead": "C"}, ("lead",), "no seat"),
        ({"dealer": "a"}, ("dealer",), "no seat"),
        ({"tricks": {"C": 1}}, ("tricks", "C"), "no seat"),
        ({"tricks": {"A": -1}}, ("tricks", "A"), "no number"),
        ({"tricks": {"A": "two"}}, ("tricks", "A"), "no number"),
        ({"points": 5}, ("points",), "for each seat"),
        ({"announced": {"A": ["X"]}}, ("announced", "A"), "no suit"),
        ({"announced": {"A": 5}}, ("announced", "A"), "no list of suits"),
        ({"announced": "H"}, ("announced",), "for each seat"),
        ({"looked_back": 5}, ("looked_back",), "no list of seats"),
        ({"looked_back": "C"}, ("looked_back",), "no seat"),
        ({"drawn": "perhaps"}, ("drawn",), "true or false"),
        ({"drawn": False, "led": "SA", "hands": {"A": "HK", "B": "S9 SQ"}}, ("drawn",), "goes with an open talon"),
        ({"drawn": False, "turn_up": None, "talon": None, "announced": None}, ("drawn",), "goes with an open talon"),
        ({"carry": "x"}, ("carry",), "no number"),
        ({"score": {"A": True}}, ("score", "A"), "no number"),
        ({"turn_up": "HT HA"}, ("turn_up",), "takes one card"),
        ({"talon": 5}, ("talon",), "no list of cards"),
        ({"hands": "HK"}, ("hands",), "for each seat"),
    ],
)
def test_refused(changes: dict[str, Any], path: tuple[str, ...], message: str) -> None:
    with pytest.raises(ve.PositionError, match=message) as caught:
        ve.position(ruleset(), changed(GIVEN, **changes))
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"at_closing": 5}, ("at_closing",), "takes 'tricks' and 'points'"),
        ({"at_closing": {"hands": 1}}, ("at_closing", "hands"), "unknown key"),
        ({"at_closing": {"tricks": {"X": 1}}}, ("at_closing", "tricks", "X"), "no seat"),
        ({"at_closing": {"points": {"A": "x"}}}, ("at_closing", "points", "A"), "no number"),
        ({"closer": "X"}, ("closer",), "no seat"),
        ({"closer": None}, ("state",), "needs a 'closer'"),
        ({"drawn": "false"}, ("drawn",), "goes with an open talon"),
    ],
)
def test_refused_of_a_closed_talon(changes: dict[str, Any], path: tuple[str, ...], message: str) -> None:
    with pytest.raises(ve.PositionError, match=message) as caught:
        ve.position(ruleset(), changed(CLOSED, **changes))
    assert caught.value.path == path


def test_a_card_of_another_pack() -> None:
    with pytest.raises(ve.PositionError, match="H9 is not in this ruleset's pack"):
        ve.position(ruleset(pack_cards=20, hand_cards=5, exchange_card="jack"), GIVEN)


cards = st.sampled_from([s + r for s in "SHDC" for r in "ATKQJ9"] + ["S7", "S8", "XX", "", "h9", "HT HQ"])
oddities: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 300), st.floats(), st.text(max_size=4), cards, st.binary(max_size=3),
    st.sampled_from(["A", "B", "C", "H", "open", "closed", "exhausted", "true", "false", "²", "A B"]),
    st.lists(cards, max_size=7),
)  # fmt: skip
values: st.SearchStrategy[Any] = st.one_of(
    oddities,
    st.dictionaries(
        st.one_of(st.sampled_from(["A", "B", "C", "tricks", "points", "²"]), st.integers(0, 2), st.none()),
        st.one_of(oddities, st.dictionaries(st.sampled_from(["A", "B", "x"]), oddities, max_size=2)),
        max_size=3,
    ),
)


def mutations() -> st.SearchStrategy[dict[str, Any]]:
    keys = st.one_of(st.sampled_from([*KEYS, "tricks", "hand"]), st.text(max_size=2))
    return st.dictionaries(keys, values, max_size=3)


@settings(max_examples=1500)
@given(
    base=st.sampled_from([GIVEN, CLOSED]),
    mutation=mutations(),
    left_out=st.sets(st.sampled_from(sorted(CLOSED)), max_size=2),
)
@example(base=GIVEN, mutation={"looked_back": 5}, left_out=set())
@example(base=GIVEN, mutation={"announced": {"A": 5}}, left_out=set())
@example(base=GIVEN, mutation={"announced": {"A": None}}, left_out=set())
@example(base=GIVEN, mutation={"trump": ""}, left_out=set())
@example(base=GIVEN, mutation={"led": []}, left_out=set())
@example(base=CLOSED, mutation={"at_closing": {"tricks": 5}}, left_out=set())
def test_mutated_positions(base: dict[str, Any], mutation: dict[str, Any], left_out: set[str]) -> None:
    """Whatever is given: a position that can be played on, or the reason why it is none; never another error."""
    given = {key: value for key, value in (base | mutation).items() if key not in left_out}
    try:
        deal = ve.position(ruleset(closing_draw="either"), given)
    except (ve.PositionError, ve.NotationError):
        return
    assert deal.over or deal.legal()
    assert agreement(deal) == []


def by_seat(each: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip("AB", each, strict=True))


def test_positions_can_be_played_to_their_end() -> None:
    """Every position of random deals, set up by hand again, allows the same moves and goes on the same way."""
    rng = Random(12)
    played = 0
    for _ in range(150):
        rules = random_ruleset(rng)
        for deal in playout(random_deal(rules, rng), rng):
            if deal.over or deal.phase in ("announced", "offer") or not any(map(len, (deal.hand(0), deal.hand(1)))):
                continue
            given: dict[str, Any] = {
                "dealer": "AB"[deal.dealer], "lead": "AB"[deal.leader], "trump": deal.trump, "state": deal.talon_state,
                "talon": list(deal.talon), "hands": {"A": list(deal.hand(0)), "B": list(deal.hand(1))},
                "tricks": by_seat(deal.tricks), "points": by_seat(deal.card_points), "pending": by_seat(deal.pending),
                "announced": by_seat(tuple(map(list, deal.announced))),
                "looked_back": [seat for seat, looked in by_seat(deal.looked_back).items() if looked],
            }  # fmt: skip
            given |= {key: value for key, value in (("turn_up", deal.turn_up), ("led", deal.led)) if value}
            if deal.phase == "before the draw":
                given["drawn"] = "false"
            if deal.closer is not None:
                given["closer"] = "AB"[deal.closer]
            same = ve.position(rules, given)
            assert same.phase == deal.phase
            for seat in (0, 1):
                assert same.legal(seat) == deal.legal(seat)
            move = rng.choice(deal.legal())
            assert (same.play(move).hand(0), same.play(move).phase) == (deal.play(move).hand(0), deal.play(move).phase)
            played += 1
    assert played > 1000
