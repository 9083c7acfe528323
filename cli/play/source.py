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
from variant_engine.table import Deal

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
        other = look.card(turn_up) if turn_up not in (None, token[1:]) else "the turn-up"
        return f"exchange {look.card(token[1:])} for {other}"
    words = {
        DECLINE: "leave the turn-up where it is",
        CLOSE: "close the talon",
        CLOSE_UNDRAWN: "close the talon, and nobody draws",
        DRAW: "draw",
        CLAIM: "claim to have reached the target",
        LOOK_BACK: "look back at all tricks",
    }
    return words.get(kind) or f"play {look.card(token)}"


def show_refusal(console: Console, deal: Deal, refused: Refusal, people: People) -> None:
    """Show why a move is not allowed in a position: the reason, then the rule behind it with its source."""
    move, look = refused.move, console.look
    what = infinitive(move.token, move.code, look, deal.turn_up)
    console.say(f"Not allowed: to {what}.")
    for bar in refused.bars:
        text = _sentence(bar, kind_of(move.code), deal, look, people)
        console.say(f"{text[0].upper()}{text[1:]}.", indent="  ")
        if bar.option is not None:
            show_options(console, deal.rules, [bar.option])


def _sentence(bar: Bar, kind: int, deal: Deal, look: Look, people: People) -> str:
    if bar.code == "not_your_turn" and deal.to_move is not None:
        return f"it is {people.owner(deal.to_move)} turn"
    if bar.code == "not_now":
        return _misplaced(deal, kind)
    if bar.code == "already_looked_back" and deal.to_move is not None:
        return people.says(deal.to_move, "have", "looked back once already, and in a deal that can be done only once")
    if bar.code == "no_marriage_held":
        return f"{look.rank('K')} and {look.rank('Q')} of that suit are not both there"
    return bar.told(look.card)


def _misplaced(deal: Deal, kind: int) -> str:
    """Why a kind of move has no place in a position under any rules."""
    if kind in (CLOSE, CLOSE_UNDRAWN, EXCHANGE) and deal.talon_state != "open":
        return "the talon has been closed already" if deal.talon_state == "closed" else "the talon is exhausted"
    if kind == DECLINE:
        return "nothing has been offered"
    waiting = {
        "before the draw": "first the cards must be drawn",
        "offer": "first the exchange that is offered must be made or declined",
        "announced": "a marriage has been announced, and one of its cards must be led",
    }
    if deal.phase in waiting:
        return waiting[deal.phase]
    words = {
        ANNOUNCE: "a marriage is announced on lead",
        CLOSE: "the talon is closed on lead, with no card on the table",
        CLOSE_UNDRAWN: "that is done right after a trick, before the draw",
        DRAW: "there is nothing to draw at this moment",
    }
    return words.get(kind, "there is no place for such a move at this moment")
