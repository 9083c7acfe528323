"""Options and refusals with where they come from: value, meaning, rule file, place in the source."""

from __future__ import annotations

from collections.abc import Iterable

from variant_engine.account import said
from variant_engine.explain import Bar, Refusal
from variant_engine.phases import (
    ANNOUNCE,
    CLAIM,
    CLOSE,
    CLOSE_UNDRAWN,
    DECLINE,
    DRAW,
    EXCHANGE,
    LOOK_BACK,
    kind_of,
)
from variant_engine.ruleset import Ruleset

from .console import GLUE, Console
from .look import Look
from .people import People

_STATUS = {
    "stated": "stated",
    "implied": "implied",
    "silent": "the source is silent, this is the editor's reading",
    "ambiguous": "the text is ambiguous, this is one reading",
    "garbled": "garbled in translation, read by its sense",
    "house": "a house rule",
    "set": "changed for this game",
    "neutral": "nobody says otherwise",
}


def option_line(rules: Ruleset, name: str) -> str:
    """An option with its value, what that means, and where it says so."""
    one = said(rules, name)
    meaning = one.option.meaning(one.value)
    parts = [", ".join(one.where), _STATUS[one.status], one.spot]
    where = ", ".join(part for part in parts if part)
    value = meaning if one.option.is_number else f"{one.value} ({meaning})"
    return f"{name}{GLUE}= {value} [{where}]"


def show_options(console: Console, rules: Ruleset, names: Iterable[str], indent: str = "    ") -> None:
    """Show options with where they come from, one after the other."""
    for name in dict.fromkeys(names):
        console.say(f"rule {option_line(rules, name)}", indent=indent, more=indent + "  ")


def infinitive(token: str, code: int, look: Look, turn_up: str | None = None) -> str:
    """What a move does, as in "you may …"."""
    kind = kind_of(code)
    if kind == ANNOUNCE:
        return f"announce {token[1:-1]} in {look.suit(token[-1])}"
    if kind == EXCHANGE:
        return f"exchange {look.card(token[1:])} for {look.card(turn_up) if turn_up else 'the turn-up'}"
    words = {
        DECLINE: "leave the turn-up where it is",
        CLOSE: "close the talon",
        CLOSE_UNDRAWN: "close the talon, and nobody draws",
        DRAW: "draw",
        CLAIM: "claim to have reached the target",
        LOOK_BACK: "look back at all tricks",
    }
    return words.get(kind) or f"play {look.card(token)}"


def show_refusal(console: Console, rules: Ruleset, refused: Refusal, people: People) -> None:
    """Show why a move is not allowed: the reason, then the rule behind it with its source."""
    move, look = refused.move, console.look
    what = infinitive(move.token, move.code, look)
    console.say(f"Not allowed: to {what}.")
    for bar in refused.bars:
        console.say(f"{_sentence(bar, look, people)}.", indent="  ")
        if bar.option is not None:
            show_options(console, rules, [bar.option])


def _sentence(bar: Bar, look: Look, people: People) -> str:
    text = bar.text
    if bar.code == "not_your_turn":
        for seat in people.seats:
            text = text.replace(f"{'ABCD'[seat]}'s turn", f"{people.owner(seat)} turn")
    elif bar.code == "not_now":
        text = "there is no place for such a move at this moment"
    return look.in_text(text[0].upper() + text[1:])
