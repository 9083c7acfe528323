"""The entry point: ``sixtysix``."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from . import authoring, checking, evidence, impact, playing, records, reports, rulesets, simulate, witnesses
from .common import help_text, look_at_folders
from .play import command as play
from .terminal import complain, emit, prepare_streams

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
rulesets.register(app)
checking.register(app)
playing.register(app)
play.register(app)
simulate.register(app)
impact.register(app)
evidence.register(app)
witnesses.register(app)
reports.register(app)
records.register(app)
authoring.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        from variant_engine import __version__

        emit(f"sixtysix {__version__}")
        raise typer.Exit


@app.callback(
    help=help_text(
        "Sixty-Six and its family: each author's rules as data, one engine that plays any of them, and what no rule "
        "book tells: where two of them differ.",
        "sixtysix compare\nsixtysix show foster --why closing_draw\nsixtysix demo foster --seed 7",
    )
    + "\n\nExit codes: 0 done, 1 the answer is no (problems found, a case failed), 2 the command or a file could not "
    "be used; 130 after Ctrl-C."
)
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    prepare_streams()
    look_at_folders()


def _open_closed_streams() -> None:
    """Let a closed standard input read as an empty one, and drop what is written to a closed output."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def main() -> None:
    """Run the command line."""
    _open_closed_streams()
    try:
        os.getcwd()
    except OSError:
        complain("sixtysix: the folder in which this runs is gone; go to another one")
        raise SystemExit(2) from None
    try:
        prepare_streams()
        app(prog_name="sixtysix")
    except KeyboardInterrupt:
        raise SystemExit(130) from None
