"""The game above the deal: the cut, who deals next, the score, what is carried, when it is over and for how much."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import variant_engine as ve
from tests.strategies import Value, play, random_end, ruleset
from variant_engine.ruleset import Ruleset

#: From highest to lowest.
ORDERS = {
    ("ten_second", "as_in_play"): "ATKQJ987",
    ("ten_fifth", "as_in_play"): "AKQJT987",
    ("ten_second", "ten_low"): "AKQJT987",
    ("ten_fifth", "ten_low"): "AKQJT987",
}
SUIT_ORDERS = {"clubs_high": "CSHD", "spades_high": "SHDC"}
SEEDS = range(400)


def higher(rules: Ruleset, cut: tuple[str, ...]) -> int | None:
    """The seat whose card is higher, None for a tie that must be cut again.

    Where the players may agree on any way, the options about cutting are not asked.
    """
    agreed = rules["first_dealer"] == "any_agreed"
    order = ORDERS[str(rules["rank_order"]), "as_in_play" if agreed else str(rules["cut_rank"])]
    ranks = [order.index(card[1]) for card in cut]
    if ranks[0] == ranks[1]:
        if agreed or rules["cut_tie"] == "cut_again":
            return None
        suits = [SUIT_ORDERS[str(rules["cut_tie"])].index(card[0]) for card in cut]
        return suits.index(min(suits))
    return ranks.index(min(ranks))


# ---- the cut ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [20, 24, 32])
@pytest.mark.parametrize("rank_order", ["ten_second", "ten_fifth"])
@pytest.mark.parametrize("cut_rank", ["as_in_play", "ten_low"])
@pytest.mark.parametrize("cut_tie", ["cut_again", "clubs_high", "spades_high"])
@pytest.mark.parametrize("first_dealer", ["any_agreed", "high_card_deals", "low_card_deals", "high_card_chooses"])
def test_cutting(pack: int, rank_order: str, cut_rank: str, cut_tie: str, first_dealer: str) -> None:
    rules = ruleset(
        pack_cards=pack, rank_order=rank_order, cut_rank=cut_rank, cut_tie=cut_tie, first_dealer=first_dealer,
        exchange_card="none",
    )  # fmt: skip
    dealers = set()
    longest = 0
    for seed in range(60):
        game = ve.game(rules, seed=seed)
        *ties, decisive = game.cuts
        assert all(higher(rules, cut) is None for cut in ties)
        high = higher(rules, decisive)
        assert high is not None
        assert game.dealer == (1 - high if first_dealer == "low_card_deals" else high)
        assert all(cut[0] != cut[1] for cut in game.cuts)
        dealers.add(game.dealer)
        longest = max(longest, len(game.cuts))
    assert dealers == {0, 1}
    assert (longest > 1) == (cut_tie == "cut_again" or first_dealer == "any_agreed")


def test_the_higher_card_has_the_choice() -> None:
    rules = ruleset(first_dealer="high_card_chooses")
    for seed in range(20):
        deals, leads = ve.game(rules, seed=seed), ve.game(rules, seed=seed, chooser_deals=False)
        assert deals.cuts == leads.cuts
        assert deals.dealer == higher(rules, deals.cuts[-1]) == 1 - leads.dealer
    # The choice is the higher card's alone: elsewhere nobody is asked.
    for other in ("any_agreed", "high_card_deals", "low_card_deals"):
        rules = ruleset(first_dealer=other)
        assert all(ve.game(rules, seed=s) == ve.game(rules, seed=s, chooser_deals=False) for s in range(20))


def test_a_named_dealer_cuts_nothing() -> None:
    for dealer in (0, 1):
        game = ve.game(ruleset(), seed=3, dealer=dealer)
        assert (game.dealer, game.cuts) == (dealer, ())


# ---- who deals ----------------------------------------------------------------------------------------------------

OVER: dict[str, Any] = {
    "dealer": "B", "lead": "A", "trump": "H", "state": "exhausted", "hands": {"A": "SA SK", "B": "S9 SQ"},
    "tricks": {"A": 5, "B": 5},
}  # fmt: skip


def ended(rules: Ruleset, winner: int | None, *, carry: int = 0, dealer: str = "B") -> ve.Deal:
    """A deal that is over, won by a seat or by nobody."""
    if winner is None:
        points = {"A": 10, "B": 10}
        return play(ve.position(rules, {**OVER, "points": points, "carry": carry, "dealer": dealer}), "SA S9 SK SQ")
    points = {"A": 66 if winner == 0 else 40, "B": 66 if winner == 1 else 40}
    deal = ve.position(rules, {**OVER, "points": points, "carry": carry, "dealer": dealer})
    return deal.play(f"{'AB'[winner]}:66")


@pytest.mark.parametrize("dealer", [0, 1])
@pytest.mark.parametrize("winner", [0, 1, None])
@pytest.mark.parametrize("after_win", ["alternate", "winner_deals", "loser_deals"])
@pytest.mark.parametrize("after_tie", ["alternate", "same_dealer"])
def test_who_deals_next(dealer: int, winner: int | None, after_win: str, after_tie: str) -> None:
    rules = ruleset(next_dealer=after_win, next_dealer_tie=after_tie)
    game = ve.game(rules, seed=1, dealer=dealer).after(ended(rules, winner))
    if winner is None:
        expected = dealer if after_tie == "same_dealer" else 1 - dealer
    else:
        expected = {"alternate": 1 - dealer, "winner_deals": winner, "loser_deals": 1 - winner}[after_win]
    assert game.dealer == expected
    assert game.next_deal().dealer == expected
    assert game.next_deal().leader == 1 - expected


# ---- score and carry ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("carry", "course", "score"),
    [
        # None: a drawn deal; a seat: a deal it wins, worth one.
        ("nothing", [None, None, 0], (1, 0)),
        ("one", [None, 0], (2, 0)),
        ("one", [None, None, None, 1], (0, 2)),
        ("one_each", [None, None, None, 1], (0, 4)),
        ("one_each", [None, 0, 0], (3, 0)),
        ("one", [None, 1, None, 0, 0], (3, 2)),
    ],
)
def test_carrying_over_several_deals(carry: str, course: list[int | None], score: tuple[int, int]) -> None:
    rules = ruleset(tie_carry=carry)
    game = ve.game(rules, seed=1, dealer=1)
    for number, winner in enumerate(course):
        assert game.number == number
        fresh = game.next_deal()
        assert fresh.score == game.score
        assert fresh._state[ve.state.CARRY] == game.carry
        game = game.after(ended(rules, winner, carry=game.carry))
        if winner is not None:
            assert game.carry == 0
    assert game.score == score
    assert [winner for winner, _ in game.results] == course


@pytest.mark.parametrize("target", [1, 3, 7])
def test_the_target(target: int) -> None:
    rules = ruleset(target_game_points=target)
    game = ve.game(rules, seed=1, dealer=1)
    for won in range(target):
        assert game.score == (won, 0)
        assert not game.over
        assert game.winner is None
        game = game.after(ended(rules, 0))
    assert game.over
    assert game.winner == 0
    with pytest.raises(ValueError, match="the game is over"):
        game.next_deal()


def test_more_than_the_target_is_enough_too() -> None:
    rules = ruleset(target_game_points=2, value_win=5)
    game = ve.game(rules, seed=1).after(ended(rules, 1))
    assert (game.score, game.winner) == ((0, 5), 1)


def test_a_deal_that_goes_on_is_not_scored() -> None:
    game = ve.game(ruleset(), seed=1)
    with pytest.raises(ValueError, match="the deal is not over"):
        game.after(game.next_deal())
    with pytest.raises(ValueError, match="the game is not over"):
        _ = game.stakes


def test_games_are_values() -> None:
    game = ve.game(ruleset(), seed=1, dealer=0)
    after = game.after(ended(ruleset(), 0))
    assert game.score == (0, 0)
    assert game.results == ()
    assert after != game
    assert game == ve.game(ruleset(), seed=1, dealer=0)
    with pytest.raises(AttributeError):
        game.dealer = 1  # type: ignore[misc]


# ---- what it costs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stakes", "double", "course", "owed"),
    [
        ("per_game", "single", [0] * 7, 1),
        ("per_game", "double", [0] * 7, 2),
        ("per_game", "double", [1, *[0] * 7], 1),
        ("per_point", "single", [0] * 7, 7),
        ("per_point", "single", [1, 1, *[0] * 7], 5),
        ("per_point", "double", [0] * 7, 14),
        ("per_point", "double", [0, *[1] * 7], 6),
    ],
)
def test_stakes(stakes: str, double: str, course: list[int], owed: int) -> None:
    rules = ruleset(stakes=stakes, double_game=double)
    game = ve.game(rules, seed=1, dealer=1)
    for winner in course:
        game = game.after(ended(rules, winner))
    assert game.over
    assert game.winner == course[-1]
    assert game.stakes == owed


# ---- seeds and packs ----------------------------------------------------------------------------------------------


def test_deals_come_from_the_seed_by_number() -> None:
    """Deal n of a seed is the same wherever it is dealt."""
    rules = ruleset()
    game = ve.game(rules, seed=66, dealer=1)
    packs = []
    for number in range(4):
        deal = game.next_deal()
        assert deal.pack == ve.deal(rules, seed=66, number=number, dealer=game.dealer).pack
        packs.append(deal.pack)
        game = game.after(random_end(deal, Random(number)))
        if game.over:
            break
    assert len(set(packs)) == len(packs) > 1


def test_a_deal_from_a_pack_of_ones_own() -> None:
    game = ve.game(ruleset(), seed=1, dealer=0)
    pack = ve.deal(ruleset(), seed=99).pack
    assert game.next_deal(pack).pack == pack
    assert game.next_deal(pack).dealer == 0


@pytest.mark.parametrize(
    "changes", [{}, {"tie_carry": "one_each", "next_dealer": "winner_deals", "target_game_points": 15}]
)
def test_whole_games(changes: dict[str, Value]) -> None:
    rules = ruleset(changes)
    rng = Random(9)
    for seed in range(10):
        game = ve.game(rules, seed=seed)
        while not game.over:
            deal = random_end(game.next_deal(), rng)
            assert deal.result is not None
            won = [0, 0]
            if deal.result.winner is not None:
                won[deal.result.winner] = deal.result.game_points
            score = tuple(before + now for before, now in zip(game.score, won, strict=True))
            game = game.after(deal)
            assert game.score == score
        assert max(game.score) >= int(rules["target_game_points"]) > min(game.score)
        assert sum(points for _, points in game.results) == sum(game.score)
        assert game.number == len(game.results)
