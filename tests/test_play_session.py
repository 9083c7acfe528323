"""Whole games as sessions: under every ruleset, in every way of typing; what is shown, hidden, asked and refused."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import variant_engine as ve
from cli.play.look import Look
from cli.play.people import People
from cli.play.session import Session
from tests.playing import AGAINST_GREEDY, AGAINST_RANDOM, TWO, Played, Typist, mostly_sensible, random_typist, typed
from tests.strategies import random_ruleset, shipped

FOSTER = ve.load("foster")
HANDBOOK = ve.load("handbook")
CARD = re.compile(r"\b[SHDC][ATKQJ987]\b")
LETTERS = Look(signs=False)


def until(token: str, *before: str) -> list[str]:
    return [*before, token]


# ---- whole games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", shipped(), ids=lambda rules: rules.id)
@pytest.mark.parametrize("people", [AGAINST_GREEDY, AGAINST_RANDOM, TWO], ids=["greedy", "random", "two"])
def test_a_whole_game(rules: ve.load.__class__, people: People) -> None:
    for seed in range(3):
        look = (Look(), LETTERS, Look(german=True))[seed]
        played = Played(rules, mostly_sensible(Random(seed)), people=people, seed=seed, look=look, count=seed == 1)
        assert played.code == 0
        game = played.session.game
        assert game is not None
        assert game.over
        assert "The game is over." in played.text
        assert all(len(line) <= 80 for text in played.shown for line in text.splitlines() if "[y/n]" not in line)


def test_games_under_any_rules() -> None:
    rng = Random(11)
    for number in range(30):
        rules = FOSTER.replace(**dict(random_ruleset(rng).values) | {"target_game_points": 2})
        people = rng.choice((AGAINST_GREEDY, AGAINST_RANDOM, TWO))
        stop = _limited(mostly_sensible(rng), 600)
        assert Played(rules, stop, people=people, seed=number).code == 0


def _limited(typist: Typist, most: int) -> Typist:
    """A typist who gives up after so many lines: some rules let no deal be won."""
    left = iter(range(most))

    def type_line(session: Session, prompt: str) -> str:
        if next(left, None) is None:
            raise EOFError
        return typist(session, prompt)

    return type_line
