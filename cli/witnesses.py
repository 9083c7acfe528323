"""Commands that hold rulesets against each other deal by deal: witness, gaps, distance."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import NO, AsJson, RulesetName, Seed, fail, help_text, load_ruleset, name_of
from .output import Force, Format, Output, Target, say_written
from .terminal import Paint, complain, emit, emit_json, paint, width

if TYPE_CHECKING:
    from variant_engine.compare.witness import Witness
    from variant_engine.ruleset import Ruleset

_WITNESS_HELP = help_text(
    "The smallest deal in which two rulesets part: the same pack, dealer and moves, then a move that one allows and "
    "the other refuses, or another result. With --option, what that one option does by itself. Exit code 1 if none is "
    "found; then it says what was covered.",
    "sixtysix witness foster handbook\nsixtysix witness foster app-af --option closing_trickless --record deals\n"
    "sixtysix witness foster howto-no -o deal.html",
    "rulesets [names], found, kind (move, result or pack), method, said,\n"
    "length (moves both play), ruled_out (no witness of so few moves), tried,\n"
    "options {option: {name: {value, meaning, status, where, file, line}}},\n"
    "dealer, carry, pack, trump, turn_up, hands {seat: [cards]}, talon,\n"
    "moves [tokens], story [sentences], move (the token, or null), allowed_by,\n"
    "verdicts {name: text}, results {name: {winner, game_points, carry,\n"
    "  reason, card_points} or null}, records [files]; if none is found:\n"
    "rulesets, option, found, proved, covered (text), same, unmet, ruled_out,\n"
    "tried, cut_down {pack, deals, positions, complete, parts}",
)
_GAPS_HELP = help_text(
    "What a ruleset's text leaves silent, ambiguous or garbled, ordered by how often it decides: the share of deals in "
    "which another reading changes the result, and in which it changes what may be played. The readings are the text's "
    "own and what other texts say; what only a program has is tried too, but does not count in the order. An option "
    "without effect as the text is read is tried under a reading of the other option that lets it act.",
    "sixtysix gaps handbook\nsixtysix gaps app-af --deals 2000 --players random,random -o gaps.csv",
    "ruleset, deals, seed, players [A's, B's],\n"
    "gaps [{option, value, status, why, under {option, value} or null,\n"
    "  moves {count, share, low, high}, result {count, share, low, high},\n"
    "  readings [{value, said_by [IDs], in_text, moves, result}]}],\n"
    "idle [{option, because}]",
)
_DISTANCE_HELP = help_text(
    "How far rulesets lie apart: the options that differ, those of them that part the two in play, and those that "
    "change the score alone; and the nearest neighbour of each. Without names, all that come with the program.",
    "sixtysix distance\nsixtysix distance foster handbook howto-no",
    "rulesets [names],\npairs [{rulesets [two], differ, part_in_play, other_score [options]}],\nnearest {name: name}",
)

Deals = Annotated[int, typer.Option("--deals", metavar="N", min=1, max=1_000_000, help="How many deals are played.")]

Players = Annotated[
    str, typer.Option("--players", metavar="P,Q", help="Who plays: random or greedy, A's and B's.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("witness", help=_WITNESS_HELP, short_help="The smallest deal in which two rulesets part.")(witness)
    app.command("gaps", help=_GAPS_HELP, short_help="What a text leaves open, and how often it decides.")(gaps)
    app.command("distance", help=_DISTANCE_HELP, short_help="How far rulesets lie apart.")(distance)


def witness(
    one: RulesetName,
    two: RulesetName,
    option: Annotated[str | None, typer.Option("--option", metavar="NAME", help="Only what this option does.")] = None,
    record: Annotated[
        str | None, typer.Option("--record", metavar="DIR", help="Write the deal as a record for each of the two.")
    ] = None,
    form: Format = None,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """``sixtysix witness``."""
    from variant_engine.compare.witness import NoWitness, find_witness
    from variant_engine.ruleset import RulesetError

    target = Target.of(form, output, force, as_json)
    rules = load_ruleset(one), load_ruleset(two)
    if record is not None and os.path.lexists(record) and not os.path.isdir(record):
        fail(f"--record takes a folder, and '{record}' is none")
    try:
        found = find_witness(*rules, option)
    except RulesetError as error:
        fail(str(error))
    records = _recorded(found, record, force) if record is not None and not isinstance(found, NoWitness) else []

    def as_text(width: int, paint: Paint) -> str:
        from .witness_text import no_witness_text, witness_text

        return no_witness_text(found, width) if isinstance(found, NoWitness) else witness_text(found, width, paint)

    def as_data() -> dict[str, Any]:
        return found.as_json() | ({} if isinstance(found, NoWitness) else {"records": records})

    def as_csv() -> str:
        from variant_engine.report.tabular import witness_csv

        return witness_csv(found)

    def as_markdown() -> str:
        from variant_engine.report.markdown import witness_markdown

        return witness_markdown(found)

    def as_page() -> str:
        from variant_engine.report.page import witness_page

        return witness_page(found)

    target.write({"json": as_data, "csv": as_csv, "markdown": as_markdown, "html": as_page}, as_text)
    if target.file is not None:
        from .witness_text import outcome

        emit(outcome(found))
    if target.form == "text" or target.file is not None:
        # Beside a printed table or page it would be in the way of who reads that.
        for path in records:
            say_written(path)
    if isinstance(found, NoWitness):
        raise typer.Exit(NO)


def _recorded(found: Witness, folder: str, force: bool) -> list[str]:
    from variant_engine.compare.witness_record import write_records

    if found.kind == "pack":
        complain("sixtysix: the two are played with different cards, so that there is no deal to record")
        return []
    try:
        return [str(path) for path in write_records(found, folder, force=force)]
    except FileExistsError as error:
        fail(f"--record: '{error.filename}' is there already; --force overwrites it")
    except OSError as error:
        fail(f"--record: '{name_of(folder)}' cannot be written to: {(error.strerror or 'unknown error').lower()}")


def gaps(
    ruleset: RulesetName,
    deals: Deals = 400,
    seed: Seed = 66,
    players: Players = "greedy,greedy",
    form: Format = None,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """``sixtysix gaps``."""
    from variant_engine.compare.gaps import find_gaps

    target = Target.of(form, output, force, as_json)
    rules = load_ruleset(ruleset)
    found = find_gaps(rules, shipped(), deals=deals, seed=seed, players=read_players(players))

    def as_text(width: int, paint: Paint) -> str:
        from .witness_text import gaps_text

        return gaps_text(found, width, paint)

    def as_csv() -> str:
        from variant_engine.report.tabular import gaps_csv

        return gaps_csv(found)

    def as_markdown() -> str:
        from variant_engine.report.markdown import gaps_markdown

        return gaps_markdown(found)

    def as_page() -> str:
        from variant_engine.report.page import gaps_page

        return gaps_page(found)

    target.write({"json": found.as_json, "csv": as_csv, "markdown": as_markdown, "html": as_page}, as_text)


def read_players(text: str) -> list[str]:
    """The names of two players, separated by a comma."""
    from variant_engine.compare.gaps import PLAYERS

    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in PLAYERS:
            fail(f"--players takes two of {', '.join(PLAYERS)}, as in greedy,random; not '{text}'")
    if len(names) != 2:
        fail(f"--players takes two players, as in greedy,random; not '{text}'")
    return names


def distance(
    rulesets: Annotated[
        list[str] | None, typer.Argument(metavar="[RULESET]...", help="Ids or paths; two or more.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """``sixtysix distance``."""
    from variant_engine.compare.distance import distances

    from .witness_text import distances_text

    named = [load_ruleset(name) for name in dict.fromkeys(rulesets)] if rulesets else shipped()
    if len(named) < 2:
        fail("a distance takes two rulesets or more; without names, all that come with the program are taken")
    ids = [rules.id for rules in named]
    if len(set(ids)) < len(ids):
        fail(f"two of these rulesets have the same id: {', '.join(name for name in ids if ids.count(name) > 1)}")
    found = distances(named)
    if as_json:
        emit_json(found.as_json())
    else:
        emit(distances_text(found, width(), paint()))


def shipped() -> list[Ruleset]:
    """All rulesets that come with the program."""
    from variant_engine.loading import rulesets

    return [load_ruleset(head.id) for head in rulesets()]
