"""Commands about sources: source, attest, consensus."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from .common import NO, UNUSABLE, AsJson, Changes, RulesetName, fail, help_text, load_ruleset, name_of
from .terminal import complain, emit, emit_json, paint, width

_SOURCE_HELP = help_text(
    "Hold a ruleset against the text it was read from: each sentence with the claims that cite it, or each claim with "
    "its sentences; and the sentences that nothing accounts for. Exit code 1 if a place is cited that the text does "
    "not have, 2 for another text than that of the ruleset.",
    "sixtysix source foster --text foster.txt\nsixtysix source my-rules.yaml --text book.txt --by option",
    "ruleset, file, sha256, lines (number),\n"
    "counts {sentences, cited, cases_only, commentary, uncovered},\n"
    "claims [{option, question, value, meaning, status, other (another way that\n"
    "  the text offers), why, file, line, places [{place, sentence}]}],\n"
    "sentences [{place, sentence, claims [{option, value}], cases [names],\n"
    "  commentary}], uncovered [places],\n"
    "problems [as those of check]",
)
_ATTEST_HELP = help_text(
    "Whether one source describes a combination of rules. If none does: the nearest sources, the options in which the "
    "ruleset departs from each, and who says so. A silent source leaves a value open and contradicts nothing; another "
    "reading or way that a text offers is none of its contradictions either. What concerns only people at the table is "
    "not counted. Exit code 0 if a source describes it, 1 if none does.",
    "sixtysix attest my-rules.yaml\nsixtysix attest foster --set closing_draw=before_drawing",
    "ruleset, verdict (attested, hybrid or own), attested_by [[IDs]],\n"
    "nearest [[IDs]], unbacked [options whose value a source contradicts and\n"
    "  none has],\n"
    "sources [{rulesets, lineage, counts {says, offers, open, contradicts, moot},\n"
    "  offers [options], open [options],\n"
    "  departures [{option, question, value, status, theirs {value, status,\n"
    "    where, file, line}, said_by [{source, relation, where}]}],\n"
    "  at_the_table [as departures]}]  (the nearest first)",
)
_CONSENSUS_HELP = help_text(
    "The majority of attested rulesets, option by option, as a composite ruleset in which every value is cited. "
    "Rulesets of one lineage have one vote, silent ones none; where the most votes are even, the option is left open. "
    "Without -o the ruleset is printed. Exit code 1 if the values taken contradict each other.",
    "sixtysix consensus foster handbook app-it howto-no -o majority.yaml\nsixtysix consensus foster handbook howto-no",
    "written (file or null), rulesets [IDs], lineages {name: [IDs]},\n"
    "counts {taken, tie, unsaid, moot}, values {option: value},\n"
    "open [options], unsaid [options], moot [options],\n"
    "votes [{option, outcome, value, neutral, votes [{value, rulesets, where}],\n"
    "  divided [lineages whose rulesets contradict each other]}]",
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("source", help=_SOURCE_HELP, short_help="A ruleset beside the text it was read from.")(source)
    app.command("attest", help=_ATTEST_HELP, short_help="Whether one source describes these rules.")(attest)
    app.command("consensus", help=_CONSENSUS_HELP, short_help="The majority of several sources.")(consensus)


def source(
    ruleset: RulesetName,
    text: Annotated[str, typer.Option("--text", metavar="FILE", help="The file of the text that the ruleset names.")],
    by: Annotated[
        str, typer.Option("--by", metavar="place|option", help="The text from beginning to end, or option by option.")
    ] = "place",
    as_json: AsJson = False,
) -> None:
    """Print a ruleset beside its text."""
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


def attest(
    ruleset: RulesetName,
    among: Annotated[
        list[str] | None,
        typer.Option("--among", metavar="RULESET", help="Only these sources instead of all that ship; repeatable."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="The departures from every source.")] = False,
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """Print what the sources make of a ruleset."""
    from variant_engine.compare.attest import attest as ask
    from variant_engine.loading import rulesets

    from .attest_text import attestation

    rules = load_ruleset(ruleset, changes)
    names = dict.fromkeys(among) if among else [head.id for head in rulesets() if head.kind == "attested"]
    sources = [load_ruleset(name) for name in names]
    if len({source.id for source in sources}) < len(sources):
        fail("--among: two of the rulesets have the same id")
    try:
        found = ask(rules, sources)
    except ValueError as error:
        fail(str(error))
    if as_json:
        emit_json(found.as_json())
    else:
        emit(attestation(found, width(), paint(), every=every))
    if not found.attested_by:
        raise typer.Exit(NO)


def consensus(
    rulesets: Annotated[list[str], typer.Argument(metavar="RULESET...", help="Attested rulesets: ids or paths.")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write the ruleset to a new .yaml file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if there is one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print or write the majority of rulesets."""
    from variant_engine.checking import check_text
    from variant_engine.compare.consensus import as_yaml
    from variant_engine.compare.consensus import consensus as vote
    from variant_engine.diagnostics import has_errors, render

    from .attest_text import consensus as consensus_text

    target = _target(output, force)
    sources = [load_ruleset(name) for name in dict.fromkeys(rulesets)]
    try:
        found = vote(sources)
    except ValueError as error:
        fail(str(error))
    text = as_yaml(found, target.stem)
    problems = check_text(text, target)
    if problems:
        complain(render(problems))
    if has_errors(problems):
        complain("sixtysix: nothing is written, for the majority would not pass check")
        raise typer.Exit(NO)
    if output is not None:
        from .writing import write_whole

        try:
            write_whole(target, text)
        except OSError as error:
            fail(f"'{name_of(output)}' cannot be written: {(error.strerror or 'unknown reason').lower()}")
    if as_json:
        emit_json({"written": output} | found.as_json())
    elif output is not None:
        emit(consensus_text(found, width(), paint(), output))
    else:
        emit(text.rstrip("\n"))


def _target(output: str | None, force: bool) -> Path:
    """The file to write, whose name gives the ruleset its id."""
    import re

    from variant_engine.schema import ID_PATTERN

    target = Path(output if output is not None else "consensus.yaml")
    if target.suffix != ".yaml" or not re.match(ID_PATTERN, target.stem):
        fail(f"-o takes a file like my-rules.yaml: small letters, digits and single hyphens; not '{name_of(target)}'")
    if output is not None and os.path.lexists(target) and not force:
        fail(f"'{name_of(output)}' is there already; --force overwrites it")
    return target
