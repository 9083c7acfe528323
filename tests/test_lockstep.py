"""Our machine under ``schnapsen-vu`` against the engine that this ruleset describes, decision by decision."""

from __future__ import annotations

import pytest

import variant_engine as ve
from tests.lockstep import RULESET, DisagreementError, play_deals
from variant_engine.options import OPTIONS, Option
from variant_engine.options.meaning import meaningful
from variant_engine.ruleset import Ruleset

#: Values that play the same game as the ruleset's own, and why.
SAME_GAME = {
    ("last_trick_value", "as_counted"): "where neither has 66 of the 120 card points, neither is schneider",
    ("schwarz_by", "no_trick"): "every trick counts something",
    ("look_back", "none"): "there is no asking for what is not free",
    ("look_back", "last_trick"): "there is no asking for what is not free",
    ("look_back", "own_tricks"): "there is no asking for what is not free",
}
#: Random play shows every other change of one value within so many deals.
ENOUGH = 100


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return ve.load(RULESET)


def others(option: Option, value: str | int) -> list[str | int]:
    """The other values of an option; of a number only its neighbours."""
    if isinstance(value, int):
        return [answer for answer in (value - 1, value + 1) if answer in option.answers()]
    return [answer for answer in option.answers() if answer != value]


def changes() -> list[tuple[str, str | int, bool]]:
    """Every change of one value that can bear on a deal: option, new value, whether the option's needs are met."""
    rules = ve.load(RULESET)
    found = []
    for option in OPTIONS:
        if option.affects not in ("play", "score"):
            continue
        asked = meaningful(rules.values, option.name)
        # There is no nine and no seven in this pack.
        values = [value for value in others(option, rules[option.name]) if value not in ("nine", "seven")]
        found += [(option.name, value, asked) for value in values]
    return found


def test_the_same_deals(rules: Ruleset) -> None:
    seen = play_deals(rules, 500, seed=66)
    assert seen["deals"] == 500
    happened = ("marriages", "royal marriages", "exchanges", "reached for 1", "reached for 2", "reached for 3")
    assert all(seen[what] for what in (*happened, "last_trick for 1")), seen


@pytest.mark.slow
def test_the_same_deals_at_length(rules: Ruleset) -> None:
    play_deals(rules, 10_000, seed=1)


@pytest.mark.parametrize(("name", "value", "asked"), changes())
def test_a_changed_rule_is_noticed(rules: Ruleset, name: str, value: str | int, asked: bool) -> None:
    changed = rules.replace(**{name: value})
    if asked and (name, value) not in SAME_GAME:
        with pytest.raises(DisagreementError):
            play_deals(changed, ENOUGH)
    else:
        play_deals(changed, ENOUGH)


def test_the_exceptions_are_changes() -> None:
    assert SAME_GAME.keys() <= {(name, value) for name, value, asked in changes() if asked}
