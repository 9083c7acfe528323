"""Commands about sources: source, attest, consensus."""

from __future__ import annotations

from typing import Annotated

import typer

from .common import NO, UNUSABLE, AsJson, RulesetName, fail, help_text
from .terminal import complain, emit, emit_json, paint, width

_SOURCE_HELP = help_text(
    "Hold a ruleset against the text it was read from: each sentence with the claims that cite it, or each claim with "
    "its sentences; and the sentences that nothing accounts for. Exit code 1 if a place is cited that the text does not "
    "have, 2 for another text than that of the ruleset.",
    "sixtysix source foster --text foster.txt\nsixtysix source my-rules.yaml --text book.txt --by option",
    "ruleset, file, sha256, lines (number),\n"
    "counts {sentences, cited, cases_only, commentary, uncovered},\n"
    "claims [{option, question, value, meaning, status, other (another way that\n"
    "  the text offers), why, file, line, places [{place, sentence}]}],\n"
    "sentences [{place, sentence, claims [{option, value}], cases [names],\n"
    "  commentary}], uncovered [places],\n"
    "problems [as those of check]",
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("source", help=_SOURCE_HELP)(source)


def source(
    ruleset: RulesetName,
    text: Annotated[str, typer.Option("--text", metavar="FILE", help="The text's file, as the ruleset's author had it.")],
    by: Annotated[
        str, typer.Option("--by", metavar="place|option", help="The text from beginning to end, or option by option.")
    ] = "place",
    as_json: AsJson = False,
) -> None:
    from variant_engine.compare.against_text import TextError, hold_against, read_text
    from variant_engine.diagnostics import RuleFileError, render
    from variant_engine.diagnostics import as_json as diagnostic_json

    from .evidence_text import ReadingText

    if by not in ("place", "option"):
        fail(f"--by takes place or option, not '{by}'")
    try:
        reading = hold_against(ruleset, read_text(text))
    except TextError as error:
        fail(str(error))
    except RuleFileError as error:
        complain(str(error))
        raise typer.Exit(UNUSABLE) from None
    if as_json:
        emit_json(reading.as_json() | {"problems": [diagnostic_json(problem) for problem in reading.problems]})
    else:
        shown = ReadingText(reading, width(), paint())
        emit(shown.by_place() if by == "place" else shown.by_option())
        if reading.problems:
            complain(render(reading.problems))
    if reading.problems:
        raise typer.Exit(NO)
