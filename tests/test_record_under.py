"""The same moves under other rules: where they part, and by which option."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import variant_engine as ve
from tests.records import PLAY, changed_rules, example, foster, random_play, replayed
from tests.strategies import shipped
from variant_engine.record import RecordError, deal_record, read, record_of, replay, write
from variant_engine.record.lookup import Lookup
from variant_engine.record.under import OUTCOMES, Parting, replay_under


def under(text: str, **changes: str | int) -> Parting:
    """What becomes of a record's deal when options of its rules are changed."""
    played = replayed(text)
    assert played.rules is not None
    return replay_under(played, played.rules.replace(**changes))


def test_nothing_changes() -> None:
    parting = under(example())
    assert parting.same
    assert parting.outcome == "same"
    assert parting.options == ()
    assert parting.moves == 18
    assert under(example(), exchange_closed="allowed").same


def test_a_refused_move() -> None:
    parting = under(example(), marriage_trick="needed", ruff_open="required")
    assert (parting.outcome, parting.line, parting.token) == ("refused", 1, "B:HJ")
    assert parting.refusal is not None
    assert parting.refusal.options == ("ruff_open",)
    assert parting.options == ("ruff_open",)
    ours, theirs = parting.sources[0]
    assert ours.startswith("ruff_open = free, rulesets/foster.yaml:")
    assert theirs == "ruff_open = required"


def test_an_exchange_of_another_card() -> None:
    parting = under(example(), exchange_card="none")
    assert (parting.outcome, parting.token, parting.options) == ("refused", "A:^D9", ("exchange_card",))
    assert under(example(), exchange_card="jack").outcome == "refused"


def test_a_deal_that_would_be_over_before() -> None:
    parting = under(example(), claim_when="automatic")
    assert (parting.outcome, parting.moves, parting.options) == ("ended", 17, ("claim_when",))
    assert "A 2 (reached)" in parting.text


def test_a_deal_that_would_go_on() -> None:
    play = PLAY.replace("6. A 66\n", "").replace('"claim"', '"reached"')
    parting = under(changed_rules(play, claim_when="automatic"), claim_when="any_time")
    assert (parting.outcome, parting.options) == ("goes_on", ("claim_when",))


def test_another_result() -> None:
    parting = under(example(), value_schneider=3)
    assert (parting.outcome, parting.options) == ("result", ("value_schneider",))
    assert "A 3 (claim)" in parting.text
    parting = under(example(), target_card_points=73)
    assert (parting.outcome, parting.options) == ("result", ("target_card_points",))
    assert "B " in parting.text


def test_another_seat_to_play() -> None:
    # The seven of trumps apart, only the order of ten and king can give a trick to somebody else.
    start = ve.deal(foster(), pack=_pack("CT CK"), dealer=1)
    played = replay(deal_record(start, [ve.parse(start, "CK"), *_answers(start.play("CK"), "CT", "=", None)]))
    assert played.ok
    parting = replay_under(played, foster().replace(rank_order="ten_fifth"))
    assert (parting.outcome, parting.options) == ("turn", ("rank_order",))
    assert parting.text.startswith("it is A's turn, not B's")


def _pack(cards: str) -> list[str]:
    """A pack that deals the second of two cards to forehand and the first to the dealer."""
    second, first = cards.split()
    rest = [card for card in start_pack() if card not in (first, second)]
    return [first, *rest[:2], second, *rest[2:]]


def start_pack() -> list[str]:
    return [suit + rank for suit in "SHDC" for rank in "ATKQJ9"]


def _answers(deal: ve.Deal, *tokens: str | None) -> list[ve.Move]:
    moves = []
    for token in tokens:
        if token == "=" and deal.phase != "before the draw":
            continue
        move = ve.parse(deal, token) if token is not None else deal.legal()[0]
        moves.append(move)
        deal = deal.play(move)
    return moves


def test_cards_that_are_dealt_otherwise() -> None:
    parting = under(example(), turn_up="seventh_card")
    assert parting.outcome == "refused"
    assert parting.options == ("turn_up",)
    assert parting.text.startswith("the same pack deals other cards under these rules")
    parting = under(example(), pack_cards=32)
    assert (parting.outcome, parting.moves, parting.deal) == ("dealt", 0, None)
    assert parting.options == ("pack_cards",)


def test_questions_that_only_one_side_asks() -> None:
    """Where closing comes only after drawing, nobody is asked for ``=``; what was not asked is not missed."""
    assert under(example(), closing_draw="after_drawing").outcome == "same"
    only_after = changed_rules(PLAY, closing_draw="after_drawing")
    assert under(only_after, closing_draw="either").same
    assert under(only_after, closing_draw="before_drawing").token == "A:|"
    offered = changed_rules(PLAY, exchange_closed="offered_at_closing").replace("| DK", "| B:- DK")
    assert replayed(offered).ok
    assert under(offered, exchange_closed="not_allowed").same
    assert under(example(), exchange_closed="offered_at_closing").same


def test_marriages_that_count_otherwise_keep_their_token() -> None:
    parting = under(example(), marriage_trump=60)
    assert parting.outcome == "result"
    assert "A 92" in parting.text


def test_automatic_marriages_are_announced_under_other_rules() -> None:
    text = changed_rules(PLAY.replace("+40D DQ", "DQ"), marriage_scoring="automatic")
    assert under(text, marriage_scoring="announced").same
    assert under(text, marriage_scoring="announced", marriage_exhausted="not_allowed").same


def test_a_deal_of_hands_under_other_rules() -> None:
    start = ve.deal(foster(), seed=5)
    laid = ve.position(foster(), {
        "dealer": "B", "turn_up": start.turn_up, "talon": list(start.talon),
        "hands": {"A": list(start.hand(0)), "B": list(start.hand(1))},
    })  # fmt: skip
    played = replay(deal_record(laid, [laid.legal()[0]]))
    assert replay_under(played, foster().replace(turn_up="seventh_card")).same
    assert replay_under(played, foster().replace(hand_cards=5)).outcome == "dealt"


def test_a_record_that_does_not_hold() -> None:
    with pytest.raises(RecordError):
        replay_under(replayed(example(PLAY.replace("CA HJ", "CA SK"))), foster())


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_any_deal_under_any_shipped_rules(seed: int) -> None:
    rng = Random(seed)
    start, moves = random_play(rng, rng.choice(shipped()))
    text = write(record_of([deal_record(start, moves)]))
    (one,) = read(text).deals
    played = replay(one, Lookup(start.rules))
    assert played.ok
    assert replay_under(played, start.rules).same
    other = rng.choice(shipped())
    parting = replay_under(played, other)
    assert parting.outcome in OUTCOMES
    assert parting.same or parting.options
    differing = {name for name, value in start.rules.values.items() if other.values[name] != value}
    assert set(parting.options) <= differing
    assert len(parting.sources) == len(parting.options)
    if parting.outcome == "refused":
        assert parting.text
