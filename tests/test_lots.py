"""Random choice by lots: each choice uniform whatever went before, and the same as far as rules allow."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from math import sqrt
from pathlib import Path
from random import Random

import pytest

import variant_engine as ve
from tests.strategies import random_ruleset
from variant_engine.cards import cards_in
from variant_engine.encoding import PACK
from variant_engine.engine import legal, play
from variant_engine.impact import paired as at
from variant_engine.impact import run as impact_run
from variant_engine.phases import ANNOUNCE_MOVE, CLOSE_MOVE, CLOSED, EXCHANGE_MOVE, KINDS, MOVE_COUNT, OVER, kind_of
from variant_engine.players.uniform import sensible
from variant_engine.rules.dealing import deal_cards
from variant_engine.ruleset import Ruleset
from variant_engine.shuffle import deal_label, shuffled
from variant_engine.simulate import counter as counter_of
from variant_engine.simulate import lots
from variant_engine.simulate.lots import chosen_by_lot, lots_key_of
from variant_engine.state import PHASE, TALON, TO_MOVE, TRICKS, State, blank_state

FOSTER = ve.load("foster")
#: Where lots are: the tricks taken, and whether the talon is closed.
Place = tuple[int, bool]


def lot(key: int, number: int, seat: int, place: Place, move: int) -> int:
    """A lot by the book: half a word of SplitMix64."""
    low = (1 << 64) - 1
    tricks, closed = place
    counter = (((number * 2 + seat) * 32 + tricks) * 2 + closed) * 64 + move
    word = (key + (counter + 1) * 0x9E3779B97F4A7C15) & low
    word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & low
    word = ((word ^ word >> 27) * 0x94D049BB133111EB) & low
    return word ^ word >> 31


def chosen(key: int, number: int, seat: int, place: Place, moves: list[int]) -> int:
    """The choice among moves, by the book."""
    if EXCHANGE_MOVE in moves:
        if (lot(key, number, seat, place, EXCHANGE_MOVE) >> 32) * len(moves) >> 32 == 0:
            return EXCHANGE_MOVE
        moves = [move for move in moves if move != EXCHANGE_MOVE]
    return max(moves, key=lambda move: lot(key, number, seat, place, move) >> 1)


def place_of(deal: ve.Deal) -> Place:
    """Where the lots of a deal's next choice are."""
    return sum(deal.tricks), deal.talon_state == "closed"


def test_lots_are_pinned() -> None:
    """A change here changes what random players do under every seed; then the lots need another name."""
    assert lots_key_of(0) == 8875271912167998714
    assert lots_key_of(7) == -1879853062770974717


def test_a_move_more_changes_a_choice_only_if_it_is_chosen() -> None:
    state = blank_state()
    for number in range(300):
        few = chosen_by_lot(FOSTER.ints, state, 0, 0b1011, 77, number)
        more = chosen_by_lot(FOSTER.ints, state, 0, 0b1011 | 1 << CLOSE_MOVE, 77, number)
        assert more in (few, CLOSE_MOVE)


def test_choices_are_those_of_the_book() -> None:
    state = blank_state()
    moves = [3, 9, 17, ANNOUNCE_MOVE + 1, CLOSE_MOVE, EXCHANGE_MOVE]
    mask = sum(1 << move for move in moves)
    for number in range(200):
        state[TRICKS] = number % 5
        state[TALON] = CLOSED if number % 3 == 0 else 0
        place = number % 5, number % 3 == 0
        assert chosen_by_lot(FOSTER.ints, state, 1, mask, 77, number) == chosen(77, number, 1, place, moves)


def test_the_lots_of_the_documentation() -> None:
    text = (Path(__file__).parent.parent / "docs" / "impact.md").read_text("utf-8")
    key = lots_key_of(7)
    assert f"the key is {key % 2**64}," in text
    rows = re.findall(r"^\|[^|]+\| (\d+) \| (\d+) \| (\d+|drawn apart) \|$", text, re.MULTILINE)
    assert [int(row[0]) for row in rows] == [0, 5, 15, 33, 36]
    for code, word, shown in rows:
        assert lot(key, 3, 0, (2, False), int(code)) == int(word)
        assert shown in (str(int(word) >> 1), "drawn apart")
    state = blank_state()
    state[TRICKS] = 2
    moves = [int(row[0]) for row in rows]
    assert chosen(key, 3, 0, (2, False), moves) == 0
    assert chosen_by_lot(FOSTER.ints, state, 0, sum(1 << move for move in moves), key, 3) == 0
    assert f"is {(int(rows[-1][1]) >> 32) * 5}," in text


def test_the_lots_have_room_for_every_deal() -> None:
    last = at.GAMES_FROM + at.MAX_UNITS * at.GAME_DEALS
    assert (last * 2 + 1) * 32 * 2 * 64 < 1 << 63
    assert counter_of.MAX_DEALS > impact_run.MOST_DEALS
    assert at.GAMES_FROM > impact_run.MOST_DEALS


# ---- uniform over real deals --------------------------------------------------------------------------------------

#: What the same seat had done before in the same trick, and a kind of move, or a move's place among those allowed.
Group = tuple[str, str]


def dealt(rules: Ruleset, seed: int, number: int) -> State:
    state = blank_state()
    deal_cards(rules.ints, state, shuffled(cards_in(rules.ints[PACK]), deal_label(seed, number)), number % 2, 0)
    return state


def considered(rules: Ruleset, state: State) -> int:
    seat = state[TO_MOVE]
    return sensible(rules.ints, state, seat, legal(rules.ints, state, seat))


def seen(rules: Ruleset, seed: int, deals: int) -> dict[Group, list[float]]:
    """How often a move of each group was chosen, how often it should have been, and with what variance."""
    found: dict[Group, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    key = lots_key_of(seed)
    for number in range(deals):
        state = dealt(rules, seed, number)
        before = [(-1, ""), (-1, "")]
        while state[PHASE] != OVER:
            seat = state[TO_MOVE]
            mask = considered(rules, state)
            move = chosen_by_lot(rules.ints, state, seat, mask, key, number)
            tricks = sum(state[TRICKS : TRICKS + 2])
            did = before[seat][1] if before[seat][0] == tricks else ""
            codes = [code for code in range(MOVE_COUNT) if mask >> code & 1]
            for names in ([KINDS[kind_of(code)] for code in codes], [str(place) for place in range(len(codes))]):
                chosen_name = names[codes.index(move)]
                for name, times in Counter(names).items():
                    share = times / len(codes)
                    entry = found[did, name]
                    entry[0] += name == chosen_name
                    entry[1] += share
                    entry[2] += share * (1 - share)
            before[seat] = tricks, f"{did} {KINDS[kind_of(move)]}".strip()
            play(rules.ints, state, seat, move)
    return found


@pytest.mark.parametrize("draw", ["either", "after_drawing"])
def test_choices_are_uniform_whatever_the_seat_did_before(draw: str) -> None:
    """Over real deals, each kind of move and each place in the list is chosen as often as it should be."""
    found = seen(FOSTER.replace(closing_draw=draw), 3, 6000)
    told = {group: entry for group, entry in found.items() if entry[2] > 10}
    assert ("draw close" if draw == "either" else "close", "exchange") in told
    for group, (count, expected, variance) in told.items():
        assert abs(count - expected) < 4 * sqrt(variance), (group, count, expected, sqrt(variance))


def test_lots_that_have_lost_never_meet_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under any rules, a choice is among lots not yet looked at or among those that have all lost before."""
    looked: list[int] = []
    drawn: list[int] = []

    def word_at(key: int, counter: int) -> int:
        looked.append(counter)
        return counter_of.word_at(key, counter)

    def number_at(key: int, counter: int, below: int) -> int:
        drawn.append(counter)
        return counter_of.number_at(key, counter, below)

    monkeypatch.setattr(lots, "word_at", word_at)
    monkeypatch.setattr(lots, "number_at", number_at)
    rng = Random(4)
    again = 0
    for number in range(1500):
        rules = random_ruleset(rng)
        state = dealt(rules, 1, number)
        known: set[int] = set()
        while state[PHASE] != OVER:
            looked.clear()
            drawn.clear()
            move = chosen_by_lot(rules.ints, state, state[TO_MOVE], considered(rules, state), 5, number)
            assert not known & set(drawn), rules
            old = [counter for counter in looked if counter in known]
            assert old in ([], looked) or len(looked) == 1, rules
            again += len(old) > 1
            known.update(looked, drawn)
            play(rules.ints, state, state[TO_MOVE], move)
    assert again > 100
