"""Commands about play: phases, deal, demo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .common import AsJson, Changes, Dealer, Number, RulesetName, Seed, fail, help_text, load_ruleset, read_seat
from .terminal import emit, emit_json, width

if TYPE_CHECKING:
    from variant_engine.players import Player

_DEALT_KEYS = (
    "seed, number, code, pack [cards, top first], dealer, forehand, trump,\n"
    "turn_up, hands {seat: [cards]}, talon [face-down cards, top first]"
)
_PHASES_HELP = help_text(
    "The state machine as a ruleset leaves it: the phases of a deal, the kinds of move in each, where they lead, and "
    "the options that narrow them. What is not listed is not allowed.",
    "sixtysix phases foster\nsixtysix phases foster --format mermaid\n"
    "sixtysix phases foster --format graphviz | dot -Tsvg > foster.svg",
    "ruleset, changes,\nphases [{phase, talon, moves [{kind, by,\n"
    "  leads_to [{phase, talon}], narrowed_by {option: value}}]}],\n"
    "taken_out [{phase, talon, kind, options {option: value}}]",
)
_DEAL_HELP = help_text(
    "Deal the cards of a seed, and print the position and its deal code.",
    "sixtysix deal foster --seed 7\nsixtysix deal foster --seed 7 --set turn_up=seventh_card",
    f"ruleset, changes,\n{_DEALT_KEYS}",
)
_DEMO_HELP = help_text(
    "Let two players play a deal and write it down as a card player would, with the reasons for what was not allowed "
    "at one or two points. A and B are the seats; the players are greedy and random.",
    "sixtysix demo foster --seed 7\nsixtysix demo handbook --seed 3 --players greedy,random",
    f"ruleset, changes, players [A's, B's],\n{_DEALT_KEYS},\n"
    "play (the moves as in a case), entries [\n"
    "  {kind: trick, number, leader, led, answer, winner, count {seat: card points},\n"
    "   drawn [seat:card]}\n"
    "  {kind: note, seat, token, text}\n"
    "  {kind: refused, seat, token, led (null on lead), options, sentence}],\n"
    "result {winner, game_points, reason, card_points {seat: number}, carry}",
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("phases", help=_PHASES_HELP, short_help="The state machine as a ruleset leaves it.")(phases)
    app.command("deal", help=_DEAL_HELP, short_help="A dealt position and its deal code.")(deal)
    app.command("demo", help=_DEMO_HELP, short_help="Two players play a deal, written down.")(demo)


def phases(
    ruleset: RulesetName,
    style: Annotated[str, typer.Option("--format", metavar="text|mermaid|graphviz", help="What to print.")] = "text",
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """``sixtysix phases``."""
    from variant_engine.drawing import draw_phases, graphviz, mermaid

    from .play_text import phases_text

    if style not in ("text", "mermaid", "graphviz"):
        fail(f"--format takes text, mermaid or graphviz, not '{style}'")
    drawing = draw_phases(load_ruleset(ruleset, changes))
    if as_json:
        emit_json(drawing.as_json())
    elif style == "text":
        emit(phases_text(drawing, width()))
    else:
        emit(mermaid(drawing) if style == "mermaid" else graphviz(drawing))


def deal(
    ruleset: RulesetName,
    seed: Seed,
    number: Number = 0,
    dealer: Dealer = "B",
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """``sixtysix deal``."""
    from variant_engine.table import deal as deal_cards
    from variant_engine.transcript import dealt_json

    from .play_text import deal_text

    rules = load_ruleset(ruleset, changes)
    dealt = deal_cards(rules, seed=seed, number=number, dealer=read_seat("--dealer", dealer))
    if as_json:
        said = {"ruleset": rules.id, "changes": dict(rules.diff), "seed": seed, "number": number}
        emit_json(said | dealt_json(dealt))
    else:
        emit(deal_text(dealt, seed, number, width()))


def demo(
    ruleset: RulesetName,
    seed: Seed,
    number: Number = 0,
    dealer: Dealer = "B",
    players: Annotated[
        str, typer.Option("--players", metavar="P,Q", help="Who plays for A and for B: greedy or random.")
    ] = "greedy,greedy",
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """``sixtysix demo``."""
    from variant_engine.table import deal as deal_cards
    from variant_engine.transcript import play_out, transcript

    from .play_text import demo_text

    named = _players(players)
    rules = load_ruleset(ruleset, changes)
    dealt = deal_cards(rules, seed=seed, number=number, dealer=read_seat("--dealer", dealer))
    written = transcript(play_out(dealt, [player for _, player in named], seed, number))
    names = [name for name, _ in named]
    if as_json:
        data = written.as_json()
        said = {"ruleset": data.pop("ruleset"), "changes": data.pop("changes"), "players": names}
        emit_json(said | {"seed": seed, "number": number} | data)
    else:
        emit(demo_text(written, names, seed, number, width()))


def _players(text: str) -> list[tuple[str, Player]]:
    from variant_engine.hints import nearest, quoted
    from variant_engine.players import PLAYERS

    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        fail(f"--players takes two, for A and for B, as in greedy,random; not {quoted(text)}")
    for name in names:
        if name not in PLAYERS:
            meant = nearest(name, PLAYERS)
            known = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(PLAYERS)}"
            fail(f"no player is called {quoted(name)}; {known}")
    return [(name, PLAYERS[name]) for name in names]
