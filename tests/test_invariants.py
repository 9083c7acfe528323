"""Sums that must come out, and what must not depend on what."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

import variant_engine as ve
from tests.strategies import Value, is_sensible, pack_names, play, random_deal, random_end, ruleset
from variant_engine.encoding import BEATEN_BY, COUNTS, encode, neutral_values
from variant_engine.ruleset import Ruleset

#: Nobody goes out before the last card, and nothing is closed: every deal is played out.
PLAYED_OUT: dict[str, Value] = {"claim_when": "at_end", "closing": "not_played"}
RANKS_PLACES = {rank: place for place, rank in enumerate("789JQKTA")}


def played_out(rules: Ruleset, seed: int, *, marriages: bool = True) -> ve.Deal:
    """A random deal to the last card; without marriages if so wanted."""
    rng = Random(seed)
    deal = random_deal(rules, rng)
    while not deal.over:
        moves = [move for move in deal.legal() if is_sensible(deal, move) and (marriages or move.token[0] != "+")]
        deal = deal.play(rng.choice(moves))
    assert len(deal.played) == len(deal.pack)
    return deal


# ---- sums ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [20, 24, 32])
@pytest.mark.parametrize("hand", [2, 3, 5, 6, 7, 9])
@pytest.mark.parametrize("bonus", [0, 10])
def test_a_pack_counts_120(pack: int, hand: int, bonus: int) -> None:
    """120 card points in a pack of any size, the bonus, and nothing else without marriages."""
    rules = ruleset(
        PLAYED_OUT, pack_cards=pack, hand_cards=hand, packet_cards=1, last_trick_bonus=bonus,
        exchange_card="nine" if pack > 20 else "jack",
    )  # fmt: skip
    for seed in range(20):
        deal = played_out(rules, seed, marriages=False)
        assert sum(deal.card_points) == 120 + bonus
        assert sum(deal.tricks) == pack // 2


def test_marriages_come_on_top() -> None:
    rules = ruleset(PLAYED_OUT, marriage_counts="at_once")
    announced = set()
    for seed in range(300):
        deal = played_out(rules, seed)
        suits = "".join(deal.announced)
        value = sum(40 if suit == deal.trump else 20 for suit in suits)
        assert sum(deal.card_points) == 130 + value
        assert not any(deal.pending)
        announced.add(len(suits))
    assert {0, 1, 2} <= announced


@pytest.mark.parametrize(("counts", "tricks", "kept"), [
    ("with_next_trick", 3, False), ("with_a_trick", 3, True), ("with_a_trick", 0, False), ("at_once", 0, True),
])  # fmt: skip
def test_marriage_points_that_wait_in_vain_are_lost(counts: str, tricks: int, kept: bool) -> None:
    given = {
        "lead": "A", "trump": "H", "state": "exhausted", "hands": {"A": "SK SQ", "B": "SA HA"},
        "tricks": {"A": tricks, "B": 2}, "points": {"A": 5, "B": 20},
    }  # fmt: skip
    deal = play(ve.position(ruleset(PLAYED_OUT, marriage_counts=counts), given), "+20S SK SA HA SQ")
    assert deal.over
    assert deal.card_points == (25 if kept else 5, 20 + 15 + 14 + 10)
    assert deal.pending == (0 if kept else 20, 0)


def test_marriage_points_that_wait_come_with_a_trick() -> None:
    rules = ruleset(PLAYED_OUT, marriage_counts="with_next_trick")
    for seed in range(100):
        deal = played_out(rules, seed)
        value = sum(40 if suit == deal.trump else 20 for suit in "".join(deal.announced))
        assert sum(deal.card_points) + sum(deal.pending) == 130 + value


def test_an_ace_that_counts_one() -> None:
    rules = ruleset(PLAYED_OUT, card_points="ace_one", last_trick_bonus=0)
    assert all(sum(played_out(rules, seed, marriages=False).card_points) == 80 for seed in range(10))


def test_neither_has_66_only_at_65_to_65() -> None:
    """Every card played, ten for the last trick, no marriage: 130 card points, so that only 65–65 leaves both short."""
    rules = ruleset(PLAYED_OUT, end_none_reached="nobody", end_one_reached="that_player")
    ties = 0
    for seed in range(1500):
        deal = played_out(rules, seed, marriages=False)
        assert deal.result is not None
        assert (max(deal.card_points) < 66) == (deal.card_points == (65, 65))
        assert (deal.result.winner is None) == (deal.card_points == (65, 65))
        ties += deal.result.reason == "tie"
    assert 0 < ties < 100


def test_the_closed_bonus_is_another() -> None:
    seen = set()
    rules = ruleset(last_trick_bonus=10, last_trick_bonus_closed=7, claim_when="at_end")
    for seed in range(60):
        deal = random_end(random_deal(rules, Random(seed)), Random(seed))
        counted = sum(deal.card_points) + sum(deal.pending)
        counted -= sum(40 if suit == deal.trump else 20 for suit in "".join(deal.announced))
        cards = sum({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}[card[1]] for card in deal.played)
        assert counted - cards == (7 if deal.talon_state == "closed" else 10)
        seen.add(deal.talon_state)
    assert seen == {"closed", "exhausted"}


# ---- rank order is not card points --------------------------------------------------------------------------------

ORDERS = {"ten_second": "ATKQJ987", "ten_fifth": "AKQJT987"}
POINTS = {"ace_eleven": (11, 10, 4, 3, 2, 0, 0, 0), "ace_one": (1, 10, 4, 3, 2, 0, 0, 0)}


@pytest.mark.parametrize(("order", "points"), list(product(ORDERS, POINTS)))
def test_order_and_counts_are_independent(order: str, points: str) -> None:
    """Each pair of cards of a suit, in each of the four combinations: who takes the trick, and what it counts."""
    rules = ruleset(rank_order=order, card_points=points, pack_cards=32)
    worth = dict(zip("ATKQJ987", POINTS[points], strict=True))
    for led, answer in product("ATKQJ987", repeat=2):
        if led == answer:
            continue
        given = {
            "lead": "A", "trump": "H", "state": "exhausted",
            "hands": {"A": f"S{led} C7", "B": f"S{answer} C8"},
        }  # fmt: skip
        deal = play(ve.position(rules, given), f"S{led} S{answer}")
        winner = 1 if ORDERS[order].index(answer) < ORDERS[order].index(led) else 0
        assert deal.tricks[winner] == 1
        assert deal.card_points[winner] == worth[led] + worth[answer]
        assert deal.card_points[1 - winner] == 0


@pytest.mark.parametrize("order", ORDERS)
def test_the_tables_do_not_touch(order: str) -> None:
    """Changing what the ace counts leaves the ranking as it is, and the other way round."""
    values = neutral_values()
    one = encode(values | {"rank_order": order})
    other = encode(values | {"rank_order": order, "card_points": "ace_one"})
    assert one[BEATEN_BY : BEATEN_BY + 8] == other[BEATEN_BY : BEATEN_BY + 8]
    neutral = encode(values)
    assert one[COUNTS : COUNTS + 8] == neutral[COUNTS : COUNTS + 8]
    assert other[COUNTS + RANKS_PLACES["A"]] == 1
    # A rank is beaten by just those that stand before it.
    for place, rank in enumerate("789JQKTA"):
        before = ORDERS[order][: ORDERS[order].index(rank)]
        assert one[BEATEN_BY + place] == sum(1 << RANKS_PLACES[higher] for higher in before)


# ---- schneider and schwarz ----------------------------------------------------------------------------------------


def end_with(rules: Ruleset, tricks: dict[str, int], points: dict[str, int]) -> ve.Result:
    given = {
        "lead": "A", "trump": "H", "state": "exhausted", "hands": {"A": "HK DQ", "B": "CJ S9"},
        "tricks": tricks, "points": points,
    }  # fmt: skip
    result = ve.position(rules, given).play("66").result
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("schwarz_by", "tricks", "points", "game_points"),
    [
        ("no_trick", 0, 0, 3),
        # Two nines are a trick worth nothing: no card points, but a trick.
        ("no_trick", 1, 0, 2),
        ("no_card_points", 1, 0, 3),
        ("no_card_points", 0, 0, 3),
        # A marriage that counts at once gives card points without a trick.
        ("no_trick", 0, 20, 3),
        ("no_card_points", 0, 20, 2),
        ("no_trick", 4, 32, 2),
        ("no_trick", 4, 33, 1),
        ("no_card_points", 4, 32, 2),
        ("no_card_points", 4, 33, 1),
    ],
)
def test_schneider_and_schwarz(schwarz_by: str, tricks: int, points: int, game_points: int) -> None:
    result = end_with(ruleset(schwarz_by=schwarz_by), {"A": 6, "B": tricks}, {"A": 70, "B": points})
    assert (result.winner, result.game_points) == (0, game_points)


def test_two_nines_played() -> None:
    """The same by playing it: the adversary's only trick is two nines."""
    given = {
        "lead": "B", "trump": "H", "turn_up": "HA", "talon": "DJ DQ DK", "hands": {"A": "S9 DA", "B": "H9 C9"},
        "tricks": {"A": 5}, "points": {"A": 66},
    }  # fmt: skip
    rules = ruleset(hand_cards=6)
    before = ve.position(rules, given)
    assert before.play("A:66").result == ve.Result(0, 3, "claim", (66, 0), 0)
    after = play(before, "H9 S9")
    assert after.tricks == (5, 1)
    assert after.card_points == (66, 0)
    assert after.play("A:66").result == ve.Result(0, 2, "claim", (66, 0), 0)


def test_the_schneider_limit_is_a_number_of_its_own() -> None:
    for limit in (0, 20, 40, 66):
        rules = ruleset(schneider_limit=limit)
        for points in (0, 19, 20, 39, 40, 65):
            expected = 2 if points < limit else 1
            assert end_with(rules, {"A": 6, "B": 2}, {"A": 66, "B": points}).game_points == expected


# ---- packs and hands ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn_up", ["thirteenth_card", "seventh_card", "drawn_by_forehand", "last_card"])
@pytest.mark.parametrize(
    ("pack", "hand", "packet"), [(20, 5, 3), (20, 9, 4), (24, 6, 3), (24, 6, 2), (32, 15, 4), (32, 2, 1)]
)
def test_dealing(pack: int, hand: int, packet: int, turn_up: str) -> None:
    """Packets from the top of the pack, in turn; the turn-up where the rules say."""
    rules = ruleset(
        pack_cards=pack, hand_cards=hand, packet_cards=packet, turn_up=turn_up,
        exchange_card="nine" if pack > 20 else "jack",
    )  # fmt: skip
    cards = pack_names(rules)
    Random(pack).shuffle(cards)
    for dealer, first in ((1, 0), (0, 1)):
        deal = ve.deal(rules, pack=cards, dealer=dealer)
        left = list(cards)
        hands: list[list[str]] = [[], []]
        turned = None
        while len(hands[1 - first]) < hand:
            for seat in (first, 1 - first):
                number = min(packet, hand - len(hands[seat]))
                hands[seat] += left[:number]
                del left[:number]
            if turned is None and turn_up == "seventh_card":
                turned = left.pop(0)
        if turned is None:
            where = {"thirteenth_card": 0, "drawn_by_forehand": len(left) // 2 - 1, "last_card": -1}[turn_up]
            turned = left.pop(where)
        assert [set(deal.hand(seat)) for seat in (0, 1)] == [set(each) for each in hands]
        assert deal.turn_up == turned
        assert list(deal.talon) == left
        assert deal.trump == turned[0]
        assert deal.to_move == deal.leader == 1 - dealer


@pytest.mark.parametrize("at", [1, 2, 11, 12])
def test_forehand_draws_where_it_likes(at: int) -> None:
    rules = ruleset(turn_up="drawn_by_forehand")
    cards = pack_names(rules)
    deal = ve.deal(rules, pack=cards, turn_up_at=at)
    assert deal.turn_up == cards[11 + at]
    assert list(deal.talon) == [card for card in cards[12:] if card != deal.turn_up]


def test_the_dealer_may_be_dealt_to_first() -> None:
    cards = pack_names(ruleset())
    deal = ve.deal(ruleset(first_packet="dealer"), pack=cards, dealer=1)
    assert set(deal.hand(1)) == {*cards[:3], *cards[6:9]}
    assert deal.to_move == 0


def test_what_cannot_be_dealt() -> None:
    rules = ruleset()
    cards = pack_names(rules)
    with pytest.raises(ValueError, match="either a seed or a pack"):
        ve.deal(rules)
    with pytest.raises(ValueError, match="either a seed or a pack"):
        ve.deal(rules, seed=1, pack=cards)
    with pytest.raises(ValueError, match="SA twice"):
        ve.deal(rules, pack=["SA", *cards[:23]])
    with pytest.raises(ValueError, match="S8 is not in a pack of 24"):
        ve.deal(rules, pack=["S8", *cards[1:]])
    with pytest.raises(ValueError, match="lacks C9"):
        ve.deal(rules, pack=cards[:23])
    with pytest.raises(ValueError, match="no seat 2"):
        ve.deal(rules, seed=1, dealer=2)
    with pytest.raises(ValueError, match="no card 13 to draw"):
        ve.deal(rules, seed=1, turn_up_at=13)
    with pytest.raises(ValueError, match="no seat 2"):
        ve.deal(rules, seed=1).view(2)
