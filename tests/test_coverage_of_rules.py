"""Nothing in the tables is idle: every entry, every edge, every reason and every option shows in some deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

import variant_engine as ve
from tests.strategies import (
    Value,
    Values,
    all_moves,
    everyones_moves,
    is_sensible,
    neutral,
    pack_names,
    playout,
    random_deal,
    random_ruleset,
    repaired,
    ruleset,
)
from variant_engine.notation import Move
from variant_engine.options import BY_NAME, OPTIONS, Condition, Differing, Option, Requirement
from variant_engine.phases import ANYONE, CLAIM, KINDS, MOVER, OTHERS, PHASES, TABLE, TALONS, kind_of
from variant_engine.players import choose_random
from variant_engine.reasons import REASONS
from variant_engine.shuffle import player_stream

#: Rules under which everything is possible at some time.
GENEROUS: Values = {
    **neutral(),
    "marriage_unled": "any_number", "marriage_late": "until_answered", "exchange_trick": "not_needed",
    "exchange_when": "any_time", "exchange_closed": "allowed", "exchange_last_card": "exchangeable",
    "closing_draw": "either", "look_back": "none", "look_back_price": "right_to_close", "marriage_counts": "at_once",
}  # fmt: skip
#: Changes of those that open what they shut out.
GENEROUS_CHANGES: tuple[Mapping[str, Value], ...] = (
    {},
    {"exchange_closed": "offered_at_closing"},
    {"claim_when": "automatic", "marriage_scoring": "automatic", "target_card_points": 50},
    {"claim_when": "automatic", "target_card_points": 50},
    {"pack_cards": 20, "hand_cards": 9, "exchange_card": "jack", "claim_when": "at_end"},
    {"claim_when": "automatic", "target_card_points": 90, "closing_adversary_first": "adversary_wins"},
    {"claim_when": "automatic", "hand_cards": 9, "target_card_points": 110},
    {"hand_cards": 9, "target_card_points": 120, "closing_draw": "after_drawing"},
    {"hand_cards": 9, "target_card_points": 80, "closing_draw": "before_drawing"},
    {"hand_cards": 10, "target_card_points": 60},
)


def generous_deals(number: int) -> Iterator[ve.Deal]:
    """All positions of random deals under generous rules, rare kinds of moves being preferred."""
    rng = Random(20)
    for _ in range(number):
        for changes in GENEROUS_CHANGES:
            deal = random_deal(ruleset(repaired(GENEROUS | dict(changes))), rng)
            # Every deal has its own temper, or closing at once would leave nothing else to be seen.
            likes = {kind: rng.choice((0.05, 1.0, 4.0)) for kind in range(len(KINDS))}
            likes[CLAIM] = rng.choice((0.0, 0.05, 0.5))
            yield deal
            while not deal.over:
                moves = everyones_moves(deal)
                weights = [
                    likes[kind_of(move.code)]
                    / (1 + sum(kind_of(m.code) == kind_of(move.code) for m in moves))
                    * (1 if move.seat is None else 0.3)
                    for move in moves
                ]
                deal = deal.play(rng.choices(moves, weights)[0] if any(weights) else moves[0])
                yield deal


#: What chance brings too seldom: a position under changes of the generous rules, and what is then played.
CONSTRUCTED: tuple[tuple[dict[str, Value], dict[str, object], str], ...] = (
    # An open talon whose turn-up is not there any more, which only a position can show.
    ({}, {"state": "open", "talon": "SJ DQ"}, "HK"),
    # A forgotten marriage that brings the target.
    ({"claim_when": "automatic"}, {"state": "closed", "closer": "A", "points": {"A": 30}}, "HK A:+40H"),
    ({"claim_when": "automatic"}, {"state": "exhausted", "points": {"A": 30}}, "HK A:+40H"),
    # Two marriages shown.
    ({}, {"state": "exhausted", "points": {"A": 10}}, "+40H +20C 66"),
)


def constructed() -> Iterator[ve.Deal]:
    """All positions of the constructed deals."""
    for changes, given, tokens in CONSTRUCTED:
        hands = {"A": "HK HQ H9 CK CQ", "B": "S9 SQ DT DK DA"}
        rules = ruleset(GENEROUS | changes)
        deal = ve.position(rules, {"lead": "A", "trump": "H", "hands": hands, "tricks": {"A": 1}, **given})
        yield deal
        for token in tokens.split():
            deal = deal.play(token)
            yield deal


@cache
def visited() -> frozenset[tuple[str, str, str, str, str]]:
    """What happened in many generous deals: phase, talon, kind, by whom, and the phase after."""
    found = set()
    before: ve.Deal | None = None
    for deal in (*generous_deals(700), *constructed()):
        if deal.history:
            assert before is not None
            move = deal.history[-1][1]
            by = MOVER if move.seat is None else OTHERS
            found.add((before.phase, before.talon_state, KINDS[kind_of(move.code)], by, deal.phase))
        before = deal
    return frozenset(found)


ENTRIES = [
    (PHASES[phase], TALONS[talon], KINDS[kind], by)
    for (phase, talon), row in TABLE.items()
    for kind, entry in row.items()
    for by in ((MOVER, OTHERS) if entry.by == ANYONE else (entry.by,))
]
EDGES = [
    (PHASES[phase], TALONS[talon], KINDS[kind], PHASES[after])
    for (phase, talon), row in TABLE.items()
    for kind, entry in row.items()
    for after in entry.leads_to
]


def test_every_entry_is_visited() -> None:
    assert set(ENTRIES) - {step[:4] for step in visited()} == set()


def test_every_edge_is_visited() -> None:
    """What the table says a move can lead to, some move has led to; and nothing else (that is the machine's test)."""
    assert set(EDGES) - {(*step[:3], step[4]) for step in visited()} == set()


def test_the_table_has_a_row_for_every_place() -> None:
    assert set(TABLE) == {(phase, talon) for phase in range(len(PHASES)) for talon in range(len(TALONS))}


@cache
def reasons_given() -> Mapping[str, str]:
    """For each reason that came up in random deals, a sentence with it."""
    found: dict[str, str] = {}
    rng = Random(4)
    deals = [*constructed(), *(deal for deal in generous_deals(8) if rng.random() < 0.2)]
    for _ in range(400):
        deals += [deal for deal in playout(random_deal(random_ruleset(rng), rng), rng) if rng.random() < 0.1]
    for deal in deals:
        for seat in range(deal.seats):
            for move in all_moves(deal, seat):
                refusal = deal.why_not(move)
                for bar in refusal.bars if refusal else ():
                    assert bar.text
                    assert refusal is not None
                    assert bar.text in refusal.sentence
                    if bar.option is not None:
                        assert f"{bar.option} = {deal.rules[bar.option]}" in refusal.sentence
                    found.setdefault(bar.code, refusal.sentence)
    return found


def test_every_reason_is_given() -> None:
    assert set(reasons_given()) == {reason.code for reason in REASONS}


def test_reasons_come_in_registry_order() -> None:
    indices = [BY_NAME[reason.option].index for reason in REASONS if reason.option is not None]
    assert indices == sorted(indices)
    structural = [reason.option is None for reason in REASONS]
    assert structural == sorted(structural, reverse=True)


# ---- options ------------------------------------------------------------------------------------------------------

#: Other options' values that bring out what an option does, beside its needs.
CONTEXT: dict[str, dict[str, Value]] = {
    "pack_cards": {"exchange_card": "none"},
    "hand_cards": {"pack_cards": 32, "packet_cards": 1},
    "packet_cards": {"pack_cards": 32, "hand_cards": 15},
    "exchange_card": {"pack_cards": 32},
    "exchange_talon_min": {"pack_cards": 32},
    "closing_talon_min": {"pack_cards": 32},
    "target_card_points": {"schneider_limit": 0},
    "schneider_limit": {"target_card_points": 120, "claim_when": "at_end", "end_none_reached": "higher_count"},
    "end_both_reached": {"target_card_points": 50, "claim_when": "at_end", "closing": "not_played"},
    "schwarz_by": {"hand_cards": 2, "packet_cards": 1, "target_card_points": 40},
    "end_none_reached": {"target_card_points": 100, "closing": "not_played"},
    "last_trick_value": {"target_card_points": 100, "closing": "not_played", "end_none_reached": "last_trick"},
    "look_back": {"look_back_price": "right_to_close"},
}


def met(option: Option) -> Values:
    """Generous values that meet an option's needs."""
    values = dict(neutral())
    for one in (one for need in option.needs for one in need if isinstance(one, Condition)):
        if values[one.option] not in one.values:
            values[one.option] = one.values[0]
        values |= {name: value for name, value in met(BY_NAME[one.option]).items() if value != neutral()[name]}
    return values | CONTEXT.get(option.name, {})


def broken(option: Option) -> list[Values]:
    """For each of an option's needs, and each way not to meet it: the values with just that need broken."""
    found = []
    for need in option.needs:
        for changes in product(*(unmet(one) for one in need)):
            values = met(option)
            for change in changes:
                values |= change
            found.append(values)
    return found


def unmet(one: Requirement) -> list[Values]:
    """The ways not to meet what an option needs."""
    answers = BY_NAME[one.option].answers()
    if isinstance(one, Differing):
        return [{one.option: answer, one.other: answer} for answer in answers]
    return [{one.option: answer} for answer in answers if answer not in one.values]


def valid(values: Values) -> Values | None:
    """The values, if they need no repair."""
    return values if repaired(values) == values else None


def difference(one: ve.Deal, other: ve.Deal, rng: Random) -> str:
    """Where the same deal under two rulesets first differs when the same random moves are made; empty if nowhere."""
    if (one.hand(0), one.hand(1), one.talon, one.turn_up) != (other.hand(0), other.hand(1), other.talon, other.turn_up):
        return "what is dealt"
    while True:
        if one.result != other.result:
            return f"result: {one.result} and {other.result}"
        if one.over:
            return ""
        for seat in range(one.seats):
            here, there = [{str(move) for move in deal.legal(seat)} for deal in (one, other)]
            if here != there:
                return f"legal moves: {sorted(here ^ there)}"
        moves: list[Move] = everyones_moves(one)
        # Random players seldom live to make a false claim where it matters.
        for claim in (str(move) for move in moves if kind_of(move.code) == CLAIM):
            if one.play(claim).result != other.play(claim).result:
                return "what a claim brings"
        sensible = [move for move in moves if is_sensible(one, move) or move.token == "@"]
        moves = moves if rng.random() < 0.02 else sensible
        # Half of the moves are drawn by kind, so that closing or claiming is as likely as playing a card.
        if rng.random() < 0.3:
            kinds = sorted({kind_of(move.code) for move in moves})
            kind = rng.choice(kinds)
            moves = [move for move in moves if kind_of(move.code) == kind]
        token = str(rng.choice(moves))
        one, other = one.play(token), other.play(token)
        if (one.to_move, one.hand(0), one.hand(1)) != (other.to_move, other.hand(0), other.hand(1)):
            return "course of the deal"


def first_difference(option: Option, one: Values, other: Values, deals: int) -> str:
    """The first difference between two rulesets in so many random deals; empty if there is none."""
    first, second = ruleset(one), ruleset(other)
    rng = Random(option.index)
    packs = pack_names(first), pack_names(second)
    if packs[0] != packs[1]:
        return "the pack"
    for _ in range(deals):
        rng.shuffle(packs[0])
        dealer = rng.randrange(2)
        carry = rng.choice((0, 0, 2))
        pair = [ve.deal(rules, pack=packs[0], dealer=dealer, carry=carry) for rules in (first, second)]
        found = difference(pair[0], pair[1], rng)
        if found:
            return found
    return ""


def pairs(option: Option) -> list[tuple[Value, Value]]:
    """Pairs of values to tell apart: all pairs of tokens; a number's neutral value with its neighbours and extremes."""
    if option.values:
        return list(combinations(option.tokens, 2))
    answers = [int(answer) for answer in option.answers()]
    value = int(option.neutral)
    beside = [
        answer for answer in answers if answer != value and abs(answers.index(answer) - answers.index(value)) == 1
    ]
    return [(value, answer) for answer in dict.fromkeys((*beside, answers[0], answers[-1])) if answer != value]


def cases(*affects: str) -> list[tuple[Option, Value, Value]]:
    return [(option, one, other) for option in OPTIONS if option.affects in affects for one, other in pairs(option)]


def named(case: object) -> str:
    return case.name if isinstance(case, Option) else str(case)


@pytest.mark.parametrize(("option", "one", "other"), cases("play", "score"), ids=named)
def test_each_value_makes_a_difference(option: Option, one: Value, other: Value) -> None:
    values = met(option)
    first, second = valid(values | {option.name: one}), valid(values | {option.name: other})
    assert first is not None
    assert second is not None
    assert first_difference(option, first, second, 4000)


@pytest.mark.parametrize(("option", "one", "other"), cases("table"), ids=named)
def test_what_people_do_at_the_table_changes_nothing(option: Option, one: Value, other: Value) -> None:
    values = GENEROUS
    assert not first_difference(option, values | {option.name: one}, values | {option.name: other}, 10)
    assert ruleset(values, **{option.name: one}).hash == ruleset(values, **{option.name: other}).hash


@pytest.mark.parametrize("option", [option for option in OPTIONS if option.needs], ids=named)
def test_an_option_whose_needs_are_not_met_changes_nothing(option: Option) -> None:
    compared = 0
    for values in broken(option):
        for one, other in pairs(option):
            first, second = valid(values | {option.name: one}), valid(values | {option.name: other})
            if first is not None and second is not None:
                assert first_difference(option, first, second, 25) == ""
                if option.affects == "game":
                    assert all(play_game(first, seed) == play_game(second, seed) for seed in range(25))
                compared += 1
    assert compared


# ---- options above the deal ---------------------------------------------------------------------------------------


def play_game(values: Values, seed: int) -> tuple[object, ...]:
    """All that a game of random play comes to."""
    played = ve.game(ruleset(values), seed=seed, chooser_deals=False)
    course: list[object] = [played.cuts, played.dealer]
    while not played.over:
        deal = played.next_deal()
        rng = [player_stream(seed, played.number, seat) for seat in (0, 1)]
        while not deal.over:
            assert deal.to_move is not None
            deal = deal.play(choose_random(deal.view(deal.to_move), rng[deal.to_move]))
        played = played.after(deal)
        course += [played.score, played.dealer, played.carry]
    return (*course, played.winner, played.stakes)


GAME_CONTEXT: dict[str, dict[str, Value]] = {
    "cut_rank": {"first_dealer": "high_card_deals"},
    "cut_tie": {"first_dealer": "high_card_deals"},
}
#: Without people to agree on anything, any agreed way is that the higher card deals.
SAME_GAME = {("first_dealer", "any_agreed", "high_card_deals"), ("first_dealer", "low_card_deals", "high_card_chooses")}


@pytest.mark.parametrize(("option", "one", "other"), cases("game"), ids=named)
def test_each_value_makes_a_difference_to_the_game(option: Option, one: Value, other: Value) -> None:
    values = neutral() | {"end_none_reached": "nobody", "target_game_points": 3} | GAME_CONTEXT.get(option.name, {})
    same = (option.name, one, other) in SAME_GAME
    first, second = values | {option.name: one}, values | {option.name: other}
    differs = any(play_game(first, seed) != play_game(second, seed) for seed in range(20 if same else 400))
    assert differs != same
