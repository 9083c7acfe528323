"""The command ``impact``: how much a rule matters."""

from __future__ import annotations

import os
import sys
import warnings
from typing import TYPE_CHECKING, Annotated

import typer

from .common import AsJson, Changes, RulesetName, fail, help_text, load_ruleset, name_of, read_change
from .output import Force, Output, Target, check_target, say_written
from .simulate import INTERRUPTED, Bar, Dask, seated
from .terminal import Paint, complain

if TYPE_CHECKING:
    from variant_engine.impact import Impact

_FORMS = ("text", "json", "csv")

_HELP = help_text(
    "How much it matters to play by another ruleset, or to change one option: the same deals and the same chances of "
    "the players under both. In how many deals the rule was reached, in how many it changed play or the result, and "
    "the difference in game points a deal and in games won, each with its interval at 95 %. With --each every option "
    "that differs is changed by itself, and the options are ranked.",
    "sixtysix impact foster handbook --each --workers 2\n"
    "sixtysix impact foster --option closing_draw=after_drawing --players greedy,greedy\n"
    "sixtysix impact foster handbook --each -o impact.csv --picture impact.svg",
    "first {ruleset, changes, rules_hash}, other (the same, or null), each, seed,\n"
    "shuffle, choices, deals, games, paired, confidence, ranking [labels],\n"
    "panels [{players, deals, games,\n"
    "  effects [{label, option, before, value, reached, play, result, games_result,\n"
    "    scored, lead, forehand, games, length}],\n"
    "  explained {scored, lead, forehand, games, length {whole, parts, rest, ratio},\n"
    "    results {changed_by_one, same_by_one}}}],\n"
    "idle, unfit [{option, because}],\n"
    "interrupted, deals_played, seconds, compiled, workers\n"
    "A share is {count, share, low, high}; a difference {first, variant, value, low,\n"
    "high, saved}, saved being how many times as many deals it takes without pairing.",
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("impact", help=_HELP, short_help="How much a rule matters.")(impact)


def impact(
    first: RulesetName,
    other: Annotated[str | None, typer.Argument(metavar="[RULESET]", help="The ruleset to compare with.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME[=VALUE]", help="Change this option; with no value, to each other one."),
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="Change every option that differs by itself, too.")] = False,
    deals: Annotated[
        int | None, typer.Option("--deals", metavar="N", help="How many deals for each ruleset; 100000 if compiled.")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", help="How many games; a tenth of the deals.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed gives the same deals.")] = 0,
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--players",
            metavar="P,Q",
            help="Who plays for A and for B: greedy or random; may be given several times. Without it random,random, "
            "greedy,greedy and greedy,random.",
        ),
    ] = None,
    unpaired: Annotated[
        bool, typer.Option("--unpaired", help="Other deals for the other rules, to see what pairing saves.")
    ] = False,
    workers: Annotated[int, typer.Option("--workers", metavar="N", help="How many play side by side.")] = 1,
    dask: Dask = None,
    plain: Annotated[bool, typer.Option("--plain", help="Play in plain Python even where compiled code is.")] = False,
    picture: Annotated[
        str | None, typer.Option("--picture", metavar="FILE", help="Draw the ranking, too: a .svg or .png file.")
    ] = None,
    changes: Changes = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="|".join(_FORMS), help="The form; without it, the file's ending decides."),
    ] = None,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """``sixtysix impact``."""
    from variant_engine.impact import PANEL
    from variant_engine.impact import impact as run
    from variant_engine.simulate import SimulationError

    target = Target.of(form, output, force, as_json, _FORMS)
    if picture is not None:
        _check_picture(picture, force)
        if output is not None and os.path.realpath(output) == os.path.realpath(picture):
            fail(f"-o and --picture both name '{name_of(picture)}'")
    rules = load_ruleset(first, changes)
    against = load_ruleset(other) if other is not None else None
    if option and len(option) > 1:
        fail("--option is given twice; one option is changed at a time")
    name, value = option[0] if option else None, None
    if name is not None and "=" in name:
        name, value = read_change("--option", name)
    bar = Bar() if sys.stderr.isatty() else None
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: complain(f"sixtysix: {message}")
            found = run(
                rules,
                against,
                option=name,
                value=value,
                each=each,
                deals=deals,
                games=games,
                seed=seed,
                players=[seated(pair) for pair in players] if players else PANEL,
                paired=not unpaired,
                workers=workers,
                cluster=dask,
                compiled=False if plain else None,
                progress=bar.show if bar else None,
            )
    except SimulationError as error:
        fail(str(error))
    finally:
        if bar:
            bar.clear()
    if picture is not None and not found.panels:
        from .impact_text import why_nothing

        fail(f"no picture: there is nothing to draw, since {why_nothing(found)}")
    _write(found, target, picture)
    if found.trouble:
        fail(found.trouble)
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)


def _write(found: Impact, target: Target, picture: str | None) -> None:
    def as_text(width: int, paint: Paint) -> str:
        from .impact_text import impact_text

        return impact_text(found, width)

    def as_csv() -> str:
        from variant_engine.report.tabular import impact_csv

        return impact_csv(found)

    target.write({"json": found.as_json, "csv": as_csv}, as_text)
    if picture is not None:
        from variant_engine.report.impact_chart import impact_chart

        from .writing import write_whole

        try:
            write_whole(picture, impact_chart(found, _form_of(picture)))
        except ValueError as error:
            fail(f"no picture: {error}")
        except OSError as error:
            fail(f"'{name_of(picture)}' cannot be written: {(error.strerror or 'unknown reason').lower()}")
        if target.form == "text" or target.file is not None:
            say_written(picture)


def _form_of(picture: str) -> str:
    return os.path.splitext(picture)[1].lower().removeprefix(".")


def _check_picture(picture: str, force: bool) -> None:
    """End the command, before anything is worked out, if the picture cannot be had."""
    from variant_engine.report.impact_chart import PICTURES, available

    if _form_of(picture) not in PICTURES:
        endings = " or ".join(f".{form}" for form in PICTURES)
        fail(f"a picture is a file that ends in {endings}, not '{name_of(picture)}'")
    if not available():
        fail("a picture needs matplotlib, which is not installed: pip install 'sixtysix[plots]'")
    check_target(picture, force)
