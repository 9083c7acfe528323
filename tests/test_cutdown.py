"""Cut-down packs: what is scaled, what is refused, and that such a ruleset plays like any other."""

from __future__ import annotations

from random import Random

import pytest

import variant_engine as ve
from tests.strategies import agreement, random_end, shipped
from variant_engine.cutdown import CutDownError
from variant_engine.encoding import PACK
from variant_engine.options.deal import HAND_CARDS, PACK_CARDS
from variant_engine.ruleset import ContradictoryOptions, Ruleset


@pytest.fixture
def foster() -> Ruleset:
    return ve.load("foster")


def test_what_the_core_reads(foster: Ruleset) -> None:
    small = ve.cut_down(foster, suits=2, ranks="9QKA", hand=2)
    assert small.ints[PACK_CARDS] == 8
    assert small.ints[PACK].bit_count() == 8
    assert small.ints[HAND_CARDS] == 2
    deal = ve.deal(small, seed=1)
    assert sorted(deal.pack) == sorted(s + r for s in "SH" for r in "AKQ9")
    assert len(deal.hand(0)) == len(deal.hand(1)) == 2
    assert deal.face_down == 3
    assert deal.code is not None
    assert deal.code.startswith("8-")


def test_target_and_limit_are_the_same_share_rounded_up(foster: Ruleset) -> None:
    # 120 card points in the whole pack; ace, king, queen and nine of two suits have 36.
    small = ve.cut_down(foster, suits=2, ranks="AKQ9", hand=2)
    assert small["target_card_points"] == 20  # 19.8
    assert small["schneider_limit"] == 10  # 9.9
    assert small["marriage_plain"] == 20
    assert small["packet_cards"] == 2
    scaled = ve.cut_down(foster, suits=2, ranks="AKQ9", hand=2, marriages=True)
    assert (scaled["marriage_plain"], scaled["marriage_trump"], scaled["last_trick_bonus"]) == (6, 12, 3)
    assert scaled.hash != small.hash


def test_minima_are_capped_to_the_talon(foster: Ruleset) -> None:
    rules = foster.replace(closing_talon_min=5, exchange_talon_min=4)
    small = ve.cut_down(rules, suits="SH", ranks="KQ9", hand=2)
    assert small["closing_talon_min"] == small["exchange_talon_min"] == 1


def test_name_and_hash_show_it(foster: Ruleset) -> None:
    small = ve.cut_down(foster, suits="HS", ranks="Q9K", hand=2)
    assert small.id == "foster-cut-SHxKQ9x2"
    assert "cut down to K Q 9 of S H, hands of 2" in small.title
    assert small.hash != foster.hash
    assert small.hash != ve.cut_down(foster, suits="SD", ranks="KQ9", hand=2).hash
    assert small != foster


def test_an_option_can_be_changed_afterwards(foster: Ruleset) -> None:
    small = ve.cut_down(foster, suits=2, ranks="AKQ9", hand=3)
    changed = small.replace(marriage_trick="needed")
    assert changed.ints[PACK] == small.ints[PACK]
    assert changed["target_card_points"] == small["target_card_points"]
    assert changed.hash != small.hash
    with pytest.raises(ContradictoryOptions, match="jack"):
        small.replace(exchange_card="jack")
    with pytest.raises(ContradictoryOptions, match="talon"):
        small.replace(hand_cards=4)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"suits": 0, "ranks": "KQ9", "hand": 2}, "1 to 4 suits"),
        ({"suits": "SX", "ranks": "KQ9", "hand": 2}, "no suit"),
        ({"suits": "SS", "ranks": "KQ9", "hand": 2}, "twice"),
        ({"suits": 2, "ranks": "", "hand": 2}, "at least one rank"),
        ({"suits": 2, "ranks": "KQ7", "hand": 2}, "none of the rank 7"),
        ({"suits": 2, "ranks": "KQ9", "hand": 1}, "from 2 to 6"),
        ({"suits": 2, "ranks": "KQ9", "hand": 7}, "from 2 to 6"),
        ({"suits": 2, "ranks": "KQ9", "hand": 3}, "no talon"),
    ],
)
def test_packs_that_are_none(foster: Ruleset, how: dict[str, object], message: str) -> None:
    with pytest.raises(CutDownError, match=message):
        ve.cut_down(foster, **how)  # type: ignore[arg-type]


def test_what_cannot_be_cut_down(foster: Ruleset) -> None:
    with pytest.raises(ContradictoryOptions, match="nothing to exchange"):
        ve.cut_down(foster, suits=2, ranks="AKQ", hand=2)
    small = ve.cut_down(foster, suits=2, ranks="AKQ9", hand=2)
    with pytest.raises(CutDownError, match="already"):
        ve.cut_down(small, suits=2, ranks="KQ9", hand=2)


@pytest.mark.parametrize("rules", shipped(), ids=lambda rules: rules.id)
def test_deals_are_played_to_their_end(rules: Ruleset) -> None:
    exchanged = {"nine": "9", "jack": "J"}[str(rules["exchange_card"])]
    rng = Random(rules.id)
    for suits, hand in ((2, 2), (3, 3), (4, 4)):
        small = ve.cut_down(rules, suits=suits, ranks="AKQ" + exchanged, hand=hand)
        for number in range(20):
            start = ve.deal(small, seed=5, number=number)
            assert not agreement(start)
            assert random_end(start, rng).result is not None


def test_a_game_is_cut_for_with_the_small_pack(foster: Ruleset) -> None:
    small = ve.cut_down(foster, suits=2, ranks="KQ9", hand=2)
    cut = {card for cards in ve.game(small, seed=3).cuts for card in cards}
    assert cut <= {s + r for s in "SH" for r in "KQ9"}
