"""Why a deal ended as it did: the reckoning agrees with the result, and names options that can make the difference."""

from __future__ import annotations

from random import Random

import pytest

import variant_engine as ve
from cli.play.ending import _DECIDED, _VALUED
from tests.strategies import random_deal, random_end, random_ruleset
from variant_engine.options import BY_NAME
from variant_engine.verdict import verdict

FOSTER = ve.load("foster")


def test_the_reckoning_adds_up() -> None:
    """Under any rules the value and what was carried make the result, and every code has its words."""
    rng = Random(6)
    codes = set()
    for _ in range(1500):
        rules = FOSTER.replace(**random_ruleset(rng).values)
        carry = rng.choice((0, 0, 1, 2))
        end = random_end(random_deal(rules, rng, carry=carry), rng, foolish=0.1)
        found = verdict(end)
        result = end.result
        assert result is not None
        if result.winner is None:
            assert (found.value, found.carried) == (0, 0)
        else:
            assert (found.value + found.carried, found.carried) == (result.game_points, carry)
        assert found.decided.code in _DECIDED
        for ground in found.valued:
            assert ground.code in _VALUED
        for ground in (found.decided, *found.counted, *found.valued):
            assert all(name in BY_NAME for name in ground.options)
            codes.add(ground.code)
    # Whatever can happen has happened in so many deals, so that all the words have been used.
    assert codes >= (_DECIDED.keys() | _VALUED.keys()) - {"closer_made_it", "both_first"}


def test_a_deal_that_goes_on_has_none() -> None:
    with pytest.raises(ValueError, match="not over"):
        verdict(ve.deal(FOSTER, seed=1))
