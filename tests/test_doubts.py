"""Warnings about numbers: what they say can never be, or decides nothing, is so in play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

import variant_engine as ve
from tests.strategies import (
    Value,
    Values,
    everyones_moves,
    neutral,
    playout,
    random_deal,
    random_end,
    random_ruleset,
    repaired,
    ruleset,
)
from variant_engine.cards import cards_in
from variant_engine.checking import check_text
from variant_engine.encoding import COUNTS, PACK
from variant_engine.options import BY_NAME
from variant_engine.options.doubts import most_card_points, most_for_closing, most_for_exchange
from variant_engine.options.idle import ALL_CARDS, IDLE, idle
from variant_engine.phases import CLAIM, CLOSE, CLOSE_UNDRAWN, EXCHANGE, OFFER, OPEN, kind_of
from variant_engine.state import PHASE, TALON

# ---- what decides nothing ------------------------------------------------------------------------------------------

#: Changes near the numbers at which an option begins to decide something, and under which that often comes up.
APT: dict[str, tuple[Values, ...]] = {
    "next_dealer": ({"target_game_points": 1}, {"target_game_points": 1, "value_win": 1}, {"target_game_points": 2}),
    "claim_open_closes": tuple(
        {"closing": "on_lead", "claim_when": "any_time", "claim_forfeit_rule": "fixed", "claim_forfeit": forfeit,
         "claim_forfeit_trickless": forfeit + 1}
        for forfeit in (2, 4)
    ),
    "last_trick_value": tuple(
        {"claim_when": "at_end", "closing": "not_played", "end_none_reached": none, "target_card_points": target}
        for none in ("last_trick", "last_trick_if_equal") for target in (60, 70, 98)
    ) + tuple(
        {"claim_when": "at_end", "closing": "on_lead", "end_both_reached": "last_trick", "target_card_points": target,
         "schneider_limit": target, "closing_success": success, "marriage_counts": counts, "hand_cards": 3}
        for target in (20, 40, 60) for success in ("at_end", "at_closing") for counts in ("with_a_trick", "at_once")
    ),
}  # fmt: skip


def apt(name: str, rng: Random, number: int) -> Iterator[Values]:
    """Random rulesets whose numbers leave the option nothing to decide."""
    found = 0
    while found < number:
        values = repaired(dict(random_ruleset(rng).values) | rng.choice(APT[name]))
        if idle(values, name):
            found += 1
            yield values


def each_value(values: Values, name: str) -> list[Values]:
    return [values | {name: token} for token in BY_NAME[name].tokens]


def course(values: Values, seed: int) -> list[object]:
    """Everything that a random deal comes to: moves, what each could be, what a claim would bring, the result."""
    rng = Random(seed)
    told: list[object] = []
    for deal in playout(random_deal(ruleset(values), rng), rng):
        moves = everyones_moves(deal)
        told.append([str(move) for move in moves])
        told += [str(deal.play(move).result) for move in moves if kind_of(move.code) == CLAIM]
    return [*told, deal.result]


def dealers(values: Values, seed: int) -> list[object]:
    """Who deals each deal of a game, and how it ends."""
    rng = Random(seed)
    game = ve.game(ruleset(values), seed=seed, chooser_deals=False)
    told: list[object] = []
    while not game.over and len(told) < 60:
        deal = random_end(game.next_deal(), rng)
        told.append((game.dealer, deal.result))
        game = game.after(deal)
    return told


@pytest.mark.parametrize("name", [one.option for one in IDLE])
def test_what_has_nothing_to_decide_changes_nothing(name: str) -> None:
    rng = Random(name)
    played = dealers if BY_NAME[name].affects == "game" else course
    for number, values in enumerate(apt(name, rng, 150)):
        first, *others = [played(each, number) for each in each_value(values, name)]
        assert all(other == first for other in others), values


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("next_dealer", {"target_game_points": 1}, True),
        ("next_dealer", {"target_game_points": 2}, False),
        ("next_dealer", {"target_game_points": 1, "value_schwarz": 0}, False),
        # What nobody can score decides nothing.
        ("next_dealer", {"target_game_points": 1, "closing": "not_played", "closing_forfeit": 0}, True),
        ("claim_open_closes", {}, False),
        ("claim_open_closes", {"claim_forfeit_trickless": 3}, True),
        ("claim_open_closes", {"claim_forfeit_trickless": 3, "claim_forfeit": 1}, False),
        ("claim_open_closes", {"claim_forfeit_trickless": 3, "claim_forfeit_rule": "mirror"}, False),
        ("claim_open_closes", {"claim_forfeit_trickless": 3, "look_back_price": "right_to_close"}, True),
        (
            "claim_open_closes",
            {"claim_forfeit_trickless": 3, "look_back_price": "right_to_close", "look_back": "none"},
            False,
        ),
        # What others leave meaningless is no matter of numbers.
        ("claim_open_closes", {"claim_forfeit_trickless": 3, "closing": "not_played"}, False),
        # 130 card points are in the deal: 33 for the loser of one in which the winner falls one short of 98.
        ("last_trick_value", {"end_none_reached": "last_trick", "target_card_points": 98}, True),
        ("last_trick_value", {"end_none_reached": "last_trick", "target_card_points": 99}, False),
        ("last_trick_value", {"end_none_reached": "last_trick_if_equal", "target_card_points": 99}, True),
        (
            "last_trick_value",
            {"end_none_reached": "last_trick_if_equal", "target_card_points": 70, "schneider_limit": 66},
            False,
        ),
        ("last_trick_value", {"end_both_reached": "last_trick"}, True),
        ("last_trick_value", {"end_both_reached": "last_trick", "closing_success": "at_closing"}, False),
        ("last_trick_value", {"end_both_reached": "last_trick", "marriage_counts": "at_once"}, False),
        ("last_trick_value", {}, False),
    ],
)
def test_which_numbers_leave_nothing_to_decide(name: str, values: Values, expected: bool) -> None:
    assert (idle(neutral() | values, name) is not None) == expected


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("next_dealer", {"target_game_points": 1, "value_win": 0}),
        ("claim_open_closes", {"claim_forfeit": 2, "claim_forfeit_trickless": 2}),
        ("last_trick_value", {"claim_when": "at_end", "end_none_reached": "last_trick", "target_card_points": 110}),
    ],
)
def test_one_number_further_and_it_decides(name: str, values: Values) -> None:
    played = dealers if BY_NAME[name].affects == "game" else course
    values = neutral() | values
    assert idle(values, name) is None
    assert any(
        played(first, seed) != played(second, seed)
        for first, second in [each_value(values, name)[:2]]
        for seed in range(300)
    )


# ---- what can never be ---------------------------------------------------------------------------------------------

TABLES = ((24, 6), (20, 9), (32, 15), (20, 5))
WAYS = tuple(
    {"pack_cards": pack, "hand_cards": hand, "closing_first_lead": first, "closing_draw": draw,
     "exchange_trick": trick, "exchange_closed": closed, "closing": closing}
    for (pack, hand), closing, first, draw, trick, closed in product(
        TABLES, ("on_lead", "not_played"), ("allowed", "not_allowed"), ("after_drawing", "before_drawing", "either"),
        ("needed", "not_needed"), ("not_allowed", "allowed", "offered_at_closing"),
    )
    if closing == "on_lead" or (first, draw, closed) == ("allowed", "after_drawing", "not_allowed")
)  # fmt: skip


def most_seen(values: Values, deals: int) -> tuple[int, int]:
    """The most face-down cards that the talon ever has when it can be closed, and when there can be an exchange."""
    rng = Random(7)
    closing = exchange = 0
    for _ in range(deals):
        deal = random_deal(ruleset(values), rng)
        while not deal.over:
            moves = everyones_moves(deal)
            kinds = {kind_of(move.code) for move in moves}
            if kinds & {CLOSE, CLOSE_UNDRAWN}:
                closing = max(closing, len(deal.talon))
            if EXCHANGE in kinds and (deal._state[PHASE], deal._state[TALON]) != (OFFER, OPEN):
                exchange = max(exchange, len(deal.talon))
            closes = [move for move in moves if kind_of(move.code) in (CLOSE, CLOSE_UNDRAWN)]
            quiet = [move for move in moves if kind_of(move.code) not in (CLAIM, EXCHANGE)]
            deal = deal.play(rng.choice(closes if closes and rng.random() < 0.3 else quiet))
        if (closing, exchange) == (most_for_closing(values), most_for_exchange(values)):
            break
    return closing, exchange


@pytest.mark.parametrize("values", WAYS, ids=lambda values: "-".join(map(str, values.values())))
def test_the_talon_never_has_more_cards_and_can_have_as_many(values: Values) -> None:
    generous: dict[str, Value] = {"exchange_card": "jack", "exchange_when": "any_time", "target_card_points": 200}
    values = neutral() | generous | values
    closing, exchange = most_seen(values, 300)
    assert exchange == most_for_exchange(values)
    if values["closing"] == "on_lead":
        assert closing == most_for_closing(values)


def test_what_all_cards_count() -> None:
    for pack, counts in product((20, 24, 32), ALL_CARDS):
        ints = ruleset(pack_cards=pack, card_points=counts, exchange_card="none", hand_cards=5).ints
        assert sum(ints[COUNTS + (card & 7)] for card in cards_in(ints[PACK])) == ALL_CARDS[counts]


def test_nobody_has_more_card_points_than_there_can_be() -> None:
    rng = Random(3)
    for _ in range(300):
        rules = random_ruleset(rng)
        result = random_end(random_deal(rules, rng), rng).result
        assert result is not None
        assert max(result.card_points) <= most_card_points(rules.values)


# ---- what the author is told ---------------------------------------------------------------------------------------


def warned(*options: str, kind: str = "house") -> list[str]:
    lines = "".join(f"  {option}\n" for option in options)
    text = f"format: 1\nid: mine\ntitle: Mine\nkind: {kind}\nextends: foster\noptions:\n{lines}"
    return [found.code for found in check_text(text, "mine.yaml") if not found.is_error]


def test_a_number_is_taken_up_to_the_last_that_can_be() -> None:
    for pack, hand, most in ((24, 6, 9), (32, 6, 17), (24, 7, 7)):
        cards = (f"pack_cards: {pack}", f"hand_cards: {hand}", "exchange_closed: not_allowed")
        late = (*cards, "closing_first_lead: not_allowed", "closing_draw: after_drawing")
        assert warned(*late, f"closing_talon_min: {most}") == []
        assert warned(*late, f"closing_talon_min: {most + 1}") == ["R351"]
        assert warned(*late[:-1], f"closing_talon_min: {most + 1}", "closing_draw: either") == []
        assert warned(*cards, f"exchange_talon_min: {most}") == []
        assert warned(*cards, f"exchange_talon_min: {most + 1}") == ["R352"]
        assert warned(*cards, f"exchange_talon_min: {most + 1}", "exchange_trick: not_needed") == []
        # Who closes at the first lead keeps the whole talon for the exchange.
        assert warned(*cards[:-1], f"exchange_talon_min: {most + 1}", "exchange_closed: allowed") == []
    assert warned("target_card_points: 230") == []
    assert warned("target_card_points: 231") == ["R353"]
    assert warned("claim_forfeit: 3") == []
    assert warned("claim_forfeit: 4") == ["R354"]
    assert warned("closing_forfeit: 4") == ["R354"]


def test_only_what_the_file_itself_says_is_held_against_it() -> None:
    # The parent says who deals next; one deal a game is no mistake.
    assert warned("target_game_points: 1") == []
    assert warned("target_game_points: 1", "next_dealer: loser_deals") == ["R350"]
    # Looking back has a price there, which closing alone takes away.
    assert warned("closing: not_played") == ["R355"]
    assert warned("closing: not_played", "look_back_price: forbidden") == []


def test_what_a_warning_says_does_not_keep_the_rules_from_being_played() -> None:
    rules = ve.load("foster").replace(closing_first_lead="not_allowed", closing_talon_min=11, target_card_points=240)
    assert ve.deal(rules, seed=1).legal()
