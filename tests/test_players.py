"""The players that ship: legal under any rules, reproducible, and the greedy one better than chance."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import variant_engine as ve
from tests.strategies import deals, is_sensible, random_deal, random_ruleset, ruleset
from variant_engine.phases import CLAIM_MOVE, LOOK_BACK_MOVE
from variant_engine.players import PLAYERS, Player, choose_greedy, choose_random
from variant_engine.ruleset import Ruleset
from variant_engine.shuffle import player_stream

POSITION: dict[str, Any] = {
    "dealer": "B", "lead": "A", "trump": "H", "turn_up": "HT", "talon": "SJ DQ DJ CT CJ",
    "hands": {"A": "HK HQ DK CK CQ H9", "B": "S9 SQ DT D9 C9 DA"},
    "tricks": {"A": 2, "B": 1}, "points": {"A": 20, "B": 10},
}  # fmt: skip


def played(rules: Ruleset, seed: int, number: int, players: tuple[Player, Player], dealer: int = 1) -> ve.Deal:
    """A deal between two players, each with a stream of its own."""
    deal = ve.deal(rules, seed=seed, number=number, dealer=dealer)
    streams = [player_stream(seed, number, seat) for seat in (0, 1)]
    while deal.to_move is not None:
        deal = deal.play(players[deal.to_move](deal.view(deal.to_move), streams[deal.to_move]))
    return deal


@pytest.mark.parametrize("name", PLAYERS)
@settings(max_examples=120)
@given(deal=deals(), seed=st.integers(0, 2**32))
def test_always_a_legal_move(name: str, deal: ve.Deal, seed: int) -> None:
    """Whatever the rules; and the deal ends."""
    rng = Random(seed)
    while deal.to_move is not None:
        view = deal.view(deal.to_move)
        move = PLAYERS[name](view, rng)
        assert move in deal.legal()
        assert move in view.legal()
        assert is_sensible(deal, move)
        right = any(each.code == CLAIM_MOVE for each in deal.legal()) and deal.claim_is_right(deal.to_move)
        assert (move.code == CLAIM_MOVE) == right
        deal = deal.play(move)


@pytest.mark.parametrize("name", PLAYERS)
def test_reproducible(name: str) -> None:
    rng = Random(3)
    for _ in range(25):
        deal = random_deal(random_ruleset(rng), rng)
        seed = rng.random()
        runs = []
        for _ in range(2):
            draw, course = Random(seed), deal
            while course.to_move is not None:
                course = course.play(PLAYERS[name](course.view(course.to_move), draw))
            runs.append(course)
        assert runs[0].history == runs[1].history


def test_random_is_uniform() -> None:
    """Over all legal moves but looking back and a wrong claim, each as likely as the others."""
    rules = ruleset(look_back="none", look_back_price="right_to_close")
    deal = ve.position(rules, POSITION)
    expected = [move for move in deal.legal() if move.code not in (CLAIM_MOVE, LOOK_BACK_MOVE)]
    assert len(expected) == len(deal.legal()) - 2 == 10
    rng = Random(1)
    seen = Counter(choose_random(deal.view(0), rng) for _ in range(10_000))
    assert set(seen) == set(expected)
    assert max(abs(times - 1000) for times in seen.values()) < 150


def test_random_takes_one_number_a_move() -> None:
    """So that the same stream means the same play in every way of running it."""

    class Counted:
        def __init__(self) -> None:
            self.asked: list[int] = []

        def randrange(self, below: int, /) -> int:
            self.asked.append(below)
            return below - 1

    rng = Counted()
    deal = ve.position(ruleset(), POSITION)
    move = choose_random(deal.view(0), rng)
    assert rng.asked == [10]
    assert move == [each for each in deal.legal() if each.code != CLAIM_MOVE][-1]


def test_random_depends_on_its_numbers() -> None:
    rules = ve.load("foster")
    one = {played(rules, seed, 0, (choose_random, choose_random)).history for seed in range(8)}
    assert len(one) == 8


# ---- greedy -------------------------------------------------------------------------------------------------------


def greedy(given: dict[str, Any], changes: dict[str, str | int] | None = None, seat: int = 0) -> str:
    """The token that the greedy player chooses in a position."""
    deal = ve.position(ruleset(changes), {**POSITION, **given})
    return choose_greedy(deal.view(seat), Random(0)).token


@pytest.mark.parametrize("points", [66, 80])
@pytest.mark.parametrize("state", ["open", "closed"])
def test_greedy_claims_when_it_is_right(points: int, state: str) -> None:
    given: dict[str, Any] = {"points": {"A": points, "B": 10}, "state": state}
    if state == "closed":
        given["closer"] = "A"
    assert greedy(given) == "66"
    answering = {"points": {"A": 10, "B": points}, "led": "HK", "hands": {"A": "HQ DK", "B": "S9 SQ DT"}}
    assert greedy(answering, seat=1) == "66"


def test_greedy_does_not_claim_wrongly() -> None:
    assert greedy({"points": {"A": 65, "B": 65}}) != "66"
    # Nor where nothing can be claimed.
    assert greedy({"points": {"A": 66, "B": 65}}, {"claim_when": "automatic"}) != "66"


def test_greedy_exchanges_then_announces_what_counts_most() -> None:
    assert greedy({}) == "^H9"
    without = {"hands": {"A": "HK HQ DK CK CQ SK", "B": "S9 SQ DT D9 C9 DA"}}
    assert greedy(without) == "+40H"
    assert greedy(without, {"marriage_trump": 10}) == "+20C"


def test_greedy_closes_with_what_cannot_be_beaten() -> None:
    strong = {"hands": {"A": "HA HT HK SA CA DA", "B": "S9 SQ DT D9 C9 CK"}, "turn_up": "H9", "points": {"A": 30}}
    assert greedy(strong) == "|"
    assert greedy(strong, {"closing": "not_played"}) != "|"
    weak = {"hands": {"A": "HJ SJ C9 D9 S9 DJ", "B": "HA SQ DT HK HQ CT"}, "talon": "CA CK CQ", "turn_up": "H9"}
    assert greedy(weak) != "|"


def test_greedy_takes_a_rich_trick_cheaply_and_spares_the_rest() -> None:
    answer = {"led": "ST", "hands": {"A": "DK CK", "B": "SA HA H9"}}
    assert greedy(answer, seat=1) == "SA"
    assert greedy({"led": "ST", "hands": {"A": "DK CK", "B": "HA HJ H9"}}, seat=1) == "H9"
    assert greedy({"led": "S9", "hands": {"A": "DK CK", "B": "DT CA C9"}}, seat=1) == "C9"
    # With the last cards of a talon gone, any trick that can be had.
    late = {"led": "S9", "hands": {"A": "DK CK", "B": "SJ SA D9"}, "turn_up": "", "talon": [], "state": "exhausted"}
    assert greedy(late, seat=1) == "SJ"


def match(rules: Ruleset, deals: int) -> tuple[int, int]:
    """Game points of greedy and of random, greedy sitting at either seat in turn and dealing as often."""
    won = [0, 0]
    for number in range(deals):
        seat = number % 2
        players = (choose_greedy, choose_random) if seat == 0 else (choose_random, choose_greedy)
        result = played(rules, 66, number, players, dealer=number // 2 % 2).result
        assert result is not None
        if result.winner is not None:
            won[0 if result.winner == seat else 1] += result.game_points
    return won[0], won[1]


def test_greedy_beats_random() -> None:
    greedy_points, random_points = match(ve.load("foster"), 400)
    assert greedy_points > 2 * random_points


@pytest.mark.parametrize("name", ["handbook", "app-af", "howto-no", "schnapsen-vu"])
def test_greedy_beats_random_under_other_rules(name: str) -> None:
    greedy_points, random_points = match(ve.load(name), 150)
    assert greedy_points > random_points
