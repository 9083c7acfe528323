"""Warnings about numbers: what they say can never be, or decides nothing, is so in play."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
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
from variant_engine.options.conflicts import broken_conflicts
from variant_engine.options.doubts import most_for_closing, most_for_exchange
from variant_engine.options.idle import IDLE, idle
from variant_engine.options.numbers import (
    ALL_CARDS,
    LEAST_CARD,
    comes_to,
    every_card_counts,
    most_card_points,
    sizes_for_closing,
    sizes_for_exchange,
)
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
    ) + tuple(
        {"claim_when": "at_end", "end_both_reached": both, "end_none_reached": "last_trick_if_equal",
         "target_card_points": 66, "schneider_limit": 66, "last_trick_bonus": 11, "card_points": "ace_eleven",
         "marriage_plain": 0, "marriage_trump": 0}
        for both in ("nobody", "first_to_reach")
    ),
    "end_none_reached": tuple(
        {"claim_when": when, "closing": closing, "target_card_points": target, "card_points": counts,
         "last_trick_bonus": bonus, "marriage_plain": 0, "marriage_trump": 0}
        for when in ("at_end", "on_lead") for closing in ("on_lead", "not_played")
        for target, counts, bonus in ((65, "ace_eleven", 10), (66, "ace_eleven", 11), (40, "ace_one", 0))
    ),
    "next_dealer_tie": tuple(
        {"claim_when": when, "closing": closing, "end_one_reached": "that_player", "end_both_reached": "first_to_reach",
         "end_none_reached": "nobody", "target_card_points": target, "card_points": "ace_eleven",
         "last_trick_bonus": 10, "target_game_points": 20}
        for when in ("at_end", "automatic") for closing in ("on_lead", "not_played") for target in (30, 65)
    ),
    "schwarz_by": tuple(
        {"pack_cards": 20, "hand_cards": 5, "exchange_card": "jack", "marriage_counts": counts, "marriage_trick": trick,
         "closing_success": success, "target_card_points": target}
        for counts, trick in (("with_a_trick", "not_needed"), ("with_next_trick", "not_needed"), ("at_once", "needed"))
        for success in ("at_end", "at_closing") for target in (25, 45, 66)
    ),
    "value_schneider": tuple(
        {"schneider_limit": limit, "schwarz_by": by, "pack_cards": pack, "hand_cards": 5, "exchange_card": "jack",
         "card_points": counts, "marriage_counts": "at_once", "marriage_plain": plain, "last_trick_bonus": bonus,
         "target_card_points": target}
        for by in ("no_card_points", "no_trick") for pack in (20, 24) for counts in ALL_CARDS
        for limit in (1, 2, 4) for plain in (0, 1, 3) for bonus in (0, 1, 10) for target in (12, 40)
    ),
}  # fmt: skip
APT["tie_carry"] = APT["next_dealer_tie"]


def apt(name: str, rng: Random, number: int) -> Iterator[Values]:
    """Random rulesets whose numbers leave the option nothing to decide."""
    found = 0
    while found < number:
        values = repaired(dict(random_ruleset(rng).values) | rng.choice(APT[name]))
        if idle(values, name):
            found += 1
            yield values


def each_value(values: Values, name: str) -> list[Values]:
    return [values | {name: value} for value in BY_NAME[name].tokens or (0, 5, 12)]


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


@pytest.mark.parametrize("name", sorted({one.option for one in IDLE}))
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
        # Both one short of 66 have 130 card points, which is all there is; of 131 somebody has 66.
        ("end_none_reached", {}, False),
        ("end_none_reached", {"last_trick_bonus": 11}, True),
        ("end_none_reached", {"target_card_points": 65}, True),
        ("end_none_reached", {"target_card_points": 46, "card_points": "ace_one"}, False),
        ("end_none_reached", {"target_card_points": 45, "card_points": "ace_one"}, True),
        ("last_trick_value", {"last_trick_bonus": 11, "schneider_limit": 66}, False),
        (
            "last_trick_value",
            {"last_trick_bonus": 11, "schneider_limit": 66, "end_none_reached": "last_trick_if_equal"},
            True,
        ),
        ("tie_carry", {"target_card_points": 65}, False),
        ("tie_carry", {"target_card_points": 65, "end_both_reached": "first_to_reach"}, True),
        ("tie_carry", {"target_card_points": 66, "end_both_reached": "first_to_reach"}, False),
        ("tie_carry", {"target_card_points": 65, "claim_when": "automatic"}, True),
        (
            "tie_carry",
            {"target_card_points": 65, "end_both_reached": "first_to_reach", "end_one_reached": "nobody"},
            False,
        ),
        ("next_dealer_tie", {"target_card_points": 65, "end_both_reached": "first_to_reach"}, True),
        ("schwarz_by", {}, False),
        ("schwarz_by", {"pack_cards": 20}, True),
        ("schwarz_by", {"pack_cards": 20, "marriage_counts": "at_once"}, False),
        ("schwarz_by", {"pack_cards": 20, "marriage_counts": "at_once", "marriage_trick": "needed"}, True),
        (
            "schwarz_by",
            {"pack_cards": 20, "marriage_counts": "at_once", "marriage_plain": 0, "marriage_trump": 0},
            True,
        ),
        ("value_schneider", {"schneider_limit": 1}, False),
        ("value_schneider", {"schneider_limit": 1, "schwarz_by": "no_card_points"}, True),
        # A jack takes a nine.
        ("value_schneider", {"schneider_limit": 2, "schwarz_by": "no_card_points"}, True),
        ("value_schneider", {"schneider_limit": 3, "schwarz_by": "no_card_points"}, False),
        ("value_schneider", {"schneider_limit": 2, "schwarz_by": "no_card_points", "marriage_plain": 1}, False),
        ("value_schneider", {"schneider_limit": 2, "schwarz_by": "no_card_points", "last_trick_bonus": 1}, False),
        ("value_schneider", {"schneider_limit": 4, "pack_cards": 20}, True),
        ("value_schneider", {"schneider_limit": 5, "pack_cards": 20}, False),
        ("value_schneider", {"schneider_limit": 3, "pack_cards": 20, "card_points": "ace_one"}, False),
        # What a schneider would score decides nothing where there is none.
        (
            "next_dealer",
            {"target_game_points": 1, "value_schneider": 0, "schneider_limit": 1, "schwarz_by": "no_card_points"},
            True,
        ),
    ],
)
def test_which_numbers_leave_nothing_to_decide(name: str, values: Values, expected: bool) -> None:
    assert (idle(neutral() | values, name) is not None) == expected


#: Deals that are played to the last card, and such as are soon over.
PLAIN: Values = {"claim_when": "at_end", "closing": "not_played", "marriage_plain": 0, "marriage_trump": 0}
QUICK: Values = {
    "claim_when": "automatic", "closing": "not_played", "target_card_points": 21, "schneider_limit": 21
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("next_dealer", {"target_game_points": 1, "value_win": 0}),
        ("claim_open_closes", {"claim_forfeit": 2, "claim_forfeit_trickless": 2}),
        ("last_trick_value", {"claim_when": "at_end", "end_none_reached": "last_trick", "target_card_points": 110}),
        ("end_none_reached", PLAIN | {"target_card_points": 66}),
        ("end_none_reached", PLAIN | {"target_card_points": 46, "card_points": "ace_one"}),
        ("tie_carry", PLAIN | {"end_both_reached": "first_to_reach", "target_card_points": 66}),
        ("next_dealer_tie", PLAIN | {"end_both_reached": "first_to_reach", "target_card_points": 66}),
        ("schwarz_by", QUICK | {"pack_cards": 20, "exchange_card": "jack", "marriage_counts": "at_once"}),
        ("value_schneider", QUICK | {"schneider_limit": 3, "schwarz_by": "no_card_points"}),
        ("value_schneider", QUICK | {"schneider_limit": 1}),
        ("value_schneider", QUICK | {"schneider_limit": 5, "pack_cards": 20, "exchange_card": "jack"}),
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


# ---- numbers that are as good --------------------------------------------------------------------------------------

#: Changes under which numbers of this option come to the same, and it shows what they are.
AS_GOOD: dict[str, tuple[Values, ...]] = {
    "closing_talon_min": ({"closing": "on_lead"}, {"closing": "on_lead", "closing_first_lead": "not_allowed"}),
    "exchange_talon_min": tuple(
        {"exchange_card": "jack", "exchange_when": "any_time", "exchange_trick": trick, "closing": "on_lead"}
        for trick in ("needed", "not_needed")
    ),
    "schneider_limit": tuple(
        {"schneider_limit": 1, "pack_cards": pack, "hand_cards": 5, "exchange_card": "jack", "schwarz_by": by,
         "target_card_points": 15, "marriage_plain": plain}
        for pack in (20, 24) for by in ("no_card_points", "no_trick") for plain in (1, 20)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", AS_GOOD)
def test_numbers_that_come_to_the_same_change_nothing(name: str) -> None:
    rng = Random(name)
    found = 0
    while found < 150:
        values = repaired(dict(random_ruleset(rng).values) | rng.choice(AS_GOOD[name]))
        value = rng.choice([5, 4, int(values[name])])
        other = next(
            (each for each in (value + 1, value - 1) if comes_to(values, name, each) == comes_to(values, name, value)),
            None,
        )
        pair = [values | {name: value}, values | {name: -1 if other is None else other}]
        if other in BY_NAME[name].answers() and not any(map(broken_conflicts, pair)):
            found += 1
            first, second = (course(each, found) for each in pair)
            assert first == second, pair


@pytest.mark.parametrize(
    ("name", "values", "numbers"),
    [
        ("closing_talon_min", {}, (1, 3, 5, 7, 9, 11)),
        ("closing_talon_min", {"closing_first_lead": "not_allowed"}, (1, 3, 5, 7, 9, 10)),
        ("exchange_talon_min", {}, (1, 3, 5, 7, 9, 10)),
        ("exchange_talon_min", {"exchange_trick": "not_needed", "hand_cards": 5}, (1, 3, 5, 7, 9, 11, 13)),
        ("schneider_limit", {}, range(67)),
        ("schneider_limit", {"schwarz_by": "no_card_points"}, range(2, 67)),
        ("schneider_limit", {"pack_cards": 20, "hand_cards": 5}, range(4, 67)),
        ("claim_forfeit", {}, range(13)),
    ],
)
def test_what_numbers_come_to(name: str, values: Values, numbers: Iterable[int]) -> None:
    values = neutral() | {"exchange_card": "jack"} | values
    answers = [value for value in BY_NAME[name].answers() if not broken_conflicts(values | {name: value})]
    assert sorted({int(comes_to(values, name, value)) for value in answers}) == list(numbers)


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


def sizes_seen(values: Values, deals: int) -> tuple[set[int], set[int]]:
    """How many face-down cards the talon ever has when it can be closed, and when there can be an exchange."""
    rng = Random(7)
    closing: set[int] = set()
    exchange: set[int] = set()
    for _ in range(deals):
        deal = random_deal(ruleset(values), rng)
        eager = rng.choice((0.05, 0.3))
        while not deal.over:
            moves = everyones_moves(deal)
            kinds = {kind_of(move.code) for move in moves}
            if kinds & {CLOSE, CLOSE_UNDRAWN}:
                closing.add(len(deal.talon))
            if EXCHANGE in kinds and (deal._state[PHASE], deal._state[TALON]) != (OFFER, OPEN):
                exchange.add(len(deal.talon))
            closes = [move for move in moves if kind_of(move.code) in (CLOSE, CLOSE_UNDRAWN)]
            quiet = [move for move in moves if kind_of(move.code) not in (CLAIM, EXCHANGE, CLOSE, CLOSE_UNDRAWN)]
            deal = deal.play(rng.choice(closes if closes and rng.random() < eager else quiet))
        if (closing, exchange) == (set(sizes_for_closing(values)), set(sizes_for_exchange(values))):
            break
    return closing, exchange


@pytest.mark.parametrize("values", WAYS, ids=lambda values: "-".join(map(str, values.values())))
def test_the_talon_has_all_the_sizes_that_are_reckoned_with_and_no_others(values: Values) -> None:
    generous: dict[str, Value] = {"exchange_card": "jack", "exchange_when": "any_time", "target_card_points": 200}
    values = neutral() | generous | values
    closing, exchange = sizes_seen(values, 300)
    assert exchange == set(sizes_for_exchange(values))
    assert most_for_exchange(values) == max(exchange, default=0)
    if values["closing"] == "on_lead":
        assert closing == set(sizes_for_closing(values))
        assert most_for_closing(values) == max(closing, default=0)


def test_what_all_cards_count() -> None:
    for pack, counts in product((20, 24, 32), ALL_CARDS):
        ints = ruleset(pack_cards=pack, card_points=counts, exchange_card="none", hand_cards=5).ints
        each = [ints[COUNTS + (card & 7)] for card in cards_in(ints[PACK])]
        assert sum(each) == ALL_CARDS[counts]
        assert min(count for count in each if count) == LEAST_CARD[counts]
        assert all(each) == every_card_counts({"pack_cards": pack})


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


def test_a_bigger_win_is_worth_no_less() -> None:
    assert warned("value_schneider: 0") == ["R356"]
    assert warned("value_schneider: 1") == []
    assert warned("value_win: 3") == ["R356"]
    assert warned("value_schwarz: 1") == ["R356"]
    assert warned("value_schwarz: 2") == []
    assert warned("value_win: 3", "value_schneider: 2", "value_schwarz: 1") == ["R356", "R356"]
    # Where nobody is ever schneider, what it would score is not compared, and a schwarz comes next to a plain win.
    assert warned("value_win: 3", "schneider_limit: 0") == []
    assert warned("value_win: 4", "schneider_limit: 0") == ["R356"]
    assert warned("value_win: 3", "schneider_limit: 1", "schwarz_by: no_card_points") == []
    assert warned("value_win: 4", "schneider_limit: 1", "schwarz_by: no_card_points") == ["R356"]


def test_what_a_source_says_is_doubted_by_nobody() -> None:
    text = (Path(__file__).resolve().parent.parent / "rulesets" / "foster.yaml").read_text("utf-8")
    assert [found.code for found in check_text(text, "foster.yaml") if found.code in ("R350", "R356")] == []
    changed = re.sub(r"(?m)^(  value_win:\n    value: )\d+", r"\g<1>9", text)
    changed = re.sub(r"(?m)^(  target_card_points:\n    value: )\d+", r"\g<1>60", changed)
    assert changed.count("value: 9\n") == changed.count("value: 60\n") == 1
    assert [found.code for found in check_text(changed, "foster.yaml") if found.code in ("R350", "R356")] == []
    assert warned("value_win: 9", "target_card_points: 60", "end_none_reached: nobody") == ["R356", "R350"]


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
