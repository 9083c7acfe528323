"""The command that puts everything on one page: report."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from .common import Seed, fail, help_text, load_ruleset
from .output import Force, check_target, write_or_print
from .rulesets import attested_texts, check_ids
from .terminal import complain
from .witnesses import Deals, Players, read_players

_REPORT_HELP = help_text(
    "One page on some rulesets that answers for every option who says what, where, whether the difference matters, and "
    "in which deal it shows; with their distances and with what they leave open. The page is complete in itself and "
    "works without a network. Without names, all attested rulesets read from texts; for the five that come with the "
    "program it takes about half a minute. Without -o it is printed.",
    "sixtysix report -o page.html\nsixtysix report foster my-rules.yaml -o page.html --force",
)


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("report", help=_REPORT_HELP, short_help="Everything about some rulesets on one page.")(report)


def report(
    rulesets: Annotated[
        list[str] | None, typer.Argument(metavar="[RULESET]...", help="Ids or paths; two or more.")
    ] = None,
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")] = None,
    force: Force = False,
    deals: Deals = 400,
    seed: Seed = 66,
    players: Players = "greedy,greedy",
) -> None:
    """``sixtysix report``."""
    if output is not None:
        check_target(output, force)
    seated = read_players(players)
    named = [load_ruleset(name) for name in dict.fromkeys(rulesets)] if rulesets else [it for _, it in attested_texts()]
    if len(named) < 2:
        fail("a report takes two rulesets or more; without names, the attested texts are taken")
    check_ids(named)

    from variant_engine.report.dossier import whole
    from variant_engine.report.page import dossier_page

    dossier = whole(named, deals=deals, seed=seed, players=seated, say=_progress())
    write_or_print(dossier_page(dossier), output)


def _progress() -> Callable[[str], None]:
    """Tells people at a terminal what is being worked out; programs and files are told nothing."""
    if not sys.stderr.isatty():
        return lambda what: None
    return lambda what: complain(f"working out {what} …")
