"""Play at a terminal: hands out of sight between turns, and every question answered by Ctrl-C and Ctrl-D."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

import variant_engine as ve
from cli.play import console
from tests.terminals import WIPE, Terminal

CARD = re.compile(r"[♠♥♦♣](?:10|[AKQJ987])|\b[SHDC][ATKQJ987]\b")
ALONE = "press Enter when only you see the screen: "
MOVE = "our move: "
TWO = ("play", "handbook", "--two", "--seed", "3", "--name", "Anna", "--name", "Tibor", "--no-record")


def test_hands_are_hidden_until_a_key_is_pressed(tmp_path: Path) -> None:
    """Not on the screen, not by scrolling back, not with the arrow keys; and nothing typed ahead shows a hand."""
    deal = ve.game(ve.load("handbook"), seed=3).next_deal()
    with Terminal(*TWO, home=tmp_path, NO_COLOR="1") as terminal:
        assert terminal.wait_for(f"Tibor, {ALONE}", 0)
        assert "Your hand" not in terminal.shown
        shown = terminal.type("", MOVE)
        assert "Your hand" in shown
        terminal.type("? 2", MOVE)
        # The line, and an Enter too many.
        terminal.keys("1\r\r")
        assert terminal.wait_for(f"Anna, {ALONE}", 0)
        assert not terminal.wait_for("Anna, your move: ", 0, 1)
        seen = terminal.visible
        assert CARD.findall(seen) == [_shown(deal.hand(1)[0])], seen
        assert "Your hand" not in seen
        # Enough empty lines for a terminal that cannot be wiped.
        assert "\n" * 24 in terminal.shown.rpartition(WIPE)[0][-60:]
        terminal.type("", "Anna, your move: ")
        assert not set(CARD.findall(terminal.visible)) & set(map(_shown, deal.hand(1)[1:]))
        since = len(terminal.shown)
        terminal.keys("\x1b[A\x1b[A")
        terminal.wait_for("? 2", since, 0.5)
        assert "?" not in terminal.shown[since:].replace("\x1b[?", "")
        assert terminal.end("\x03") == 130


def _shown(card: str) -> str:
    return {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[card[0]] + card[1].replace("T", "10")


def test_a_terminal_that_cannot_be_wiped_is_scrolled(tmp_path: Path) -> None:
    with Terminal(*TWO, home=tmp_path, TERM="dumb", lines=30) as terminal:
        assert terminal.wait_for(f"Tibor, {ALONE}", 0)
        terminal.type("", MOVE)
        terminal.type("1", f"Anna, {ALONE}")
        assert "\x1b[2J" not in terminal.shown
        assert "\n" * 30 in terminal.shown
        assert "\x1b[9" not in terminal.shown


def test_a_pipe_is_only_marked_off(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    console.hide_screen()
    assert capsys.readouterr().out == "\n--------------------\n"


#: A way to every question, and what it ends with.
_QUESTIONS = {
    "the choice of the dealer": (("foster", "--seed", "7"), [], "or Enter to lead) "),
    "the turn-up": (("handbook", "--set", "turn_up=drawn_by_forehand", "--seed", "4"), [], "Enter: the middle) "),
    "the screen": (("handbook", "--two", "--seed", "3"), [], ALONE),
    "a move": (("handbook", "--seed", "3"), [], MOVE),
    "a move of two": (("handbook", "--two", "--seed", "3"), [("", MOVE)], MOVE),
    "a forgotten marriage": (("foster",), [], "[y/n] "),
}


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["ctrl-c", "ctrl-d"])
@pytest.mark.parametrize("question", _QUESTIONS)
def test_every_question_can_be_left(tmp_path: Path, question: str, key: str) -> None:
    words, typed, prompt = _QUESTIONS[question]
    if question == "a forgotten marriage":
        words, typed = _to_a_marriage()
    with Terminal("play", *words, home=tmp_path) as terminal:
        if not typed:
            assert terminal.wait_for(prompt, 0)
        else:
            assert terminal.wait_for(": " if "--two" in words else ") ", 0)
        for line, then in typed:
            terminal.type(line, then)
        assert terminal.shown.endswith(prompt)
        assert terminal.end(key) == (130 if key == "\x03" else 0)
        assert ("Interrupted. " if key == "\x03" else "The input has ended. ") in terminal.shown
        assert "Traceback" not in terminal.shown


def _to_a_marriage() -> tuple[tuple[str, ...], list[tuple[str, str]]]:
    """A game of foster in which a person may announce on the first lead, and what to type to forget it."""
    rules = ve.load("foster")
    for seed in range(500):
        game = ve.game(rules, seed=seed, chooser_deals=False)
        deal = game.next_deal()
        marriages = [move.token[-1] for move in deal.legal() if move.token.startswith("+")]
        if game.dealer == 1 and marriages:
            return ("foster", "--seed", str(seed)), [("", MOVE), (f"{marriages[0]}K", "[y/n] ")]
    raise AssertionError("there is such a game")
