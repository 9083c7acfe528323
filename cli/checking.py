"""Commands that say whether rules are right: check, explain, test."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import NO, UNUSABLE, AsJson, fail, files_or_shipped, help_text
from .steps import Steps
from .terminal import complain, emit, emit_json, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from variant_engine.cases import Case, Outcome
    from variant_engine.compare.coverage import Coverage
    from variant_engine.diagnostics import Diagnostic
    from variant_engine.fixes import Mended
    from variant_engine.ruleset import Ruleset

_CHECK_HELP = help_text(
    "Check rulesets and files of cases: every problem of every file with its line. Without a file, all rulesets that "
    "come with the program; - is the standard input. --fix mends what is certainly meant (a slip in the name of an "
    "option, a number in quotation marks) and leaves every other byte of the file alone; --diff shows it and writes "
    "nothing. Exit code 0 if there is no problem or warnings only, 1 for problems (with --diff also where something "
    "would change), 2 for a file that cannot be opened.",
    "sixtysix check my-rules.yaml my-rules.cases.yaml\nsixtysix check --fix my-rules.yaml\n"
    "sixtysix check --format github rulesets/*.yaml\nsixtysix check - --name my-rules.yaml < draft",
    "files [names], errors, warnings (numbers),\n"
    "problems [{code, severity, message, file, line, column, end_column,\n"
    "  help, notes [{message, file, line, column, end_column}],\n"
    "  fix {file, line, column, end_column, text} or null}],\n"
    "fixed [problems], diff (text)  (with --fix or --diff)",
)
_EXPLAIN_HELP = help_text(
    "What a code of a diagnostic means, with an example and what to do. Without a code, all of them in a line each. "
    "Exit code 2 for a code that there is not.",
    "sixtysix explain R301\nsixtysix explain",
    "a list of {code, about, title, means, do, wrong, right, example}",
)
_TEST_HELP = help_text(
    "Run the worked examples in files of cases. Without a file, all that come with the program. Exit code 0 if all "
    "pass, 1 if one fails, 2 for a file or a case that cannot be read.\n\n"
    "--coverage: for each ruleset the options that no case exercises (whatever their value, every case comes out the "
    "same), and the values that no case tells from the ruleset's own. --missing: for each such option a smallest case "
    "that does, to be confirmed by you; it prints a file of cases. Both begin with the options that the ruleset's own "
    "file answers, and for a ruleset that extends another they keep to these unless you say --all. --matrix: every "
    "case under all rulesets; it shows where one book's example contradicts another's rules, and which option decides.",
    "sixtysix test my-rules.cases.yaml\nsixtysix test foster --coverage\n"
    "sixtysix test foster --missing > more.cases.yaml\nsixtysix test foster --matrix",
    "passed, failed (numbers),\ncases [{file, line, name, ruleset, passed, message}]\n"
    "With --coverage: coverage [{ruleset, cases, exercised [options],\n"
    "  missing [options], alike {option: [values]}, meaningless [options],\n"
    "  outside [options]}]\n"
    "With --missing: missing [{ruleset, option, other (the value it is told\n"
    "  from), case (text) or null, said}]\n"
    "With --matrix: matrix {rulesets [IDs], rows [{file, line, name, where,\n"
    "  ruleset, cells {ID: holds, contradicts, unfit or unplayable}}],\n"
    "  contradictions [{file, line, name, where, ruleset, under, message,\n"
    "  options {option: [value there, value here]}, together}],\n"
    "  unplayable [{file, line, name, where, ruleset, under, message}],\n"
    "  left_out}",
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("check", help=_CHECK_HELP, short_help="Every problem of rulesets and files of cases.")(check)
    app.command("explain", help=_EXPLAIN_HELP, short_help="What a code such as R301 means.")(explain)
    app.command("test", help=_TEST_HELP, short_help="Run worked examples.")(run_cases)


# ---- check ---------------------------------------------------------------------------------------------------------

#: Codes of files that could not even be opened: no such file, not a rule file by its name, too large.
_NOT_OPENED = ("Y101", "Y102", "Y103", "Y104", "Y105")


def check(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="Rulesets and *.cases.yaml; ids; or -.")
    ] = None,
    style: Annotated[
        str, typer.Option("--format", metavar="text|github", help="github: as annotations for a workflow.")
    ] = "text",
    fix: Annotated[bool, typer.Option("--fix", help="Mend what is certainly meant.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change, and write nothing.")] = False,
    name: Annotated[
        str | None, typer.Option("--name", metavar="FILE", help="The name of what comes from the standard input.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """``sixtysix check``."""
    from variant_engine.checking import check_files
    from variant_engine.diagnostics import has_errors

    if style not in ("text", "github"):
        fail(f"--format takes text or github, not '{style}'")
    if files == ["-"]:
        if fix or diff:
            fail("--fix and --diff take files, not the standard input")
        _print_problems([name or "-"], _standard_input(name), style, from_files=False, as_json=as_json)
        return
    if files and "-" in files:
        fail("the standard input is checked by itself: sixtysix check -")
    if name is not None:
        fail("--name goes with the standard input: sixtysix check - --name my-rules.yaml")
    if (fix or diff) and not files:
        fail("--fix and --diff take the files to be mended, as in sixtysix check --fix my-rules.yaml")
    paths = files_or_shipped(files, ".yaml")
    mended = _mended(paths, write=not diff) if fix or diff else []
    found = check_files(paths)
    _print_problems(paths, found, style, mended, diff=diff, as_json=as_json)
    if diff and any(one.fixed for one in mended) and not has_errors(found):
        raise typer.Exit(NO)


def _standard_input(name: str | None) -> list[Diagnostic]:
    from variant_engine.checking import check_content
    from variant_engine.yamlfile import MAX_BYTES

    return check_content(sys.stdin.buffer.read(MAX_BYTES + 1), name)


def _mended(paths: Sequence[str], *, write: bool) -> list[Mended]:
    from variant_engine.diagnostics import RuleFileError
    from variant_engine.fixes import FixError, mend

    found = []
    for path in dict.fromkeys(paths):
        try:
            one = mend(path)
            if write:
                one.write()
            found.append(one)
        except RuleFileError:
            # It is said below what is wrong with it.
            continue
        except FixError as error:
            fail(str(error))
    return found


def _print_problems(
    paths: Sequence[str],
    found: Sequence[Diagnostic],
    style: str,
    mended: Sequence[Mended] = (),
    *,
    diff: bool = False,
    from_files: bool = True,
    as_json: bool,
) -> None:
    from variant_engine.diagnostics import as_json as diagnostic_json
    from variant_engine.diagnostics import has_errors, render

    errors = sum(one.is_error for one in found)
    fixed = sum(len(one.fixed) for one in mended)
    changes = "\n".join(one.diff() for one in mended if one.fixed)
    if as_json:
        told = {
            "files": list(paths),
            "errors": errors,
            "warnings": len(found) - errors,
            "problems": [diagnostic_json(one) for one in found],
        }
        if mended:
            told |= {"fixed": [diagnostic_json(one) for each in mended for one in each.fixed], "diff": changes}
        emit_json(told)
    elif style == "github":
        if found:
            emit(render(found, style))
    elif diff:
        lines = [changes] if changes else []
        emit("\n".join([*lines, _summary(len(paths), found, fixed, "would be", from_files)]))
    else:
        lines = [_fixed_line(one) for each in mended for one in each.fixed]
        lines += [render(found)] if found else []
        emit("\n".join([*lines, _summary(len(paths), found, fixed, "was", from_files)]))
    if any(one.code in _NOT_OPENED for one in found):
        raise typer.Exit(UNUSABLE)
    if has_errors(found):
        raise typer.Exit(NO)


def _fixed_line(one: Diagnostic) -> str:
    assert one.fix is not None
    place = one.fix.place
    was = place.text[place.spot.column - 1 : place.end - 1]
    return f"{place.spot}: fixed[{one.code}]: {was} -> {one.fix.text}"


def _counted(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def _summary(files: int, found: Sequence[Diagnostic], fixed: int, was: str, from_files: bool) -> str:
    errors = sum(one.is_error for one in found)
    warnings = len(found) - errors
    said = _counted(errors, "problem") + (f", {_counted(warnings, 'warning')}" if warnings else "")
    if fixed:
        said += f"; {fixed} {was if fixed == 1 or was != 'was' else 'were'} fixed"
    elif from_files and any(one.fix for one in found):
        said += f"; {sum(one.fix is not None for one in found)} can be fixed with --fix"
    return f"{_counted(files, 'file')}: {said}"


# ---- explain -------------------------------------------------------------------------------------------------------


def explain(
    code: Annotated[str | None, typer.Argument(metavar="[CODE]", help="A code, as in error[R301].")] = None,
    as_json: AsJson = False,
) -> None:
    """``sixtysix explain``."""
    from variant_engine.codes import codes

    from .check_text import all_codes_text, code_text

    if code is not None and code.strip().upper() not in codes():
        fail(f"there is no code '{code}'; {_codes_help(code)}")
    chosen = list(codes().values()) if code is None else [codes()[code.strip().upper()]]
    if as_json:
        emit_json([one.as_json() for one in chosen])
    elif code is None:
        emit(all_codes_text(chosen, width()))
    else:
        emit(code_text(chosen[0], width()))


def _codes_help(code: str) -> str:
    from variant_engine.codes import family_of, nearest_codes

    near = nearest_codes(code)
    if near:
        return f"did you mean {' or '.join(near)}?"
    family = family_of(code)
    where = f"there are {family[0]} to {family[-1]}: " if family else ""
    return f"{where}'sixtysix explain' lists all"


# ---- test ----------------------------------------------------------------------------------------------------------


def run_cases(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="Files of cases, *.cases.yaml; or ids.")
    ] = None,
    coverage: Annotated[bool, typer.Option("--coverage", help="What the cases leave untested.")] = False,
    missing: Annotated[bool, typer.Option("--missing", help="Propose cases for what is untested.")] = False,
    matrix: Annotated[bool, typer.Option("--matrix", help="Every case under all rulesets.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="With --coverage or --missing: the options of its parent as well.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """``sixtysix test``."""
    from variant_engine.cases import read_cases
    from variant_engine.diagnostics import RuleFileError, render

    if missing and (coverage or matrix):
        fail("--missing prints a file of cases, so it stands alone")
    if every and not (coverage or missing):
        fail("--all goes with --coverage or --missing")
    outcomes: list[Outcome] = []
    problems: list[Diagnostic] = []
    cases: list[Case] = []
    for path in files_or_shipped(files, ".cases.yaml"):
        try:
            cases += read_cases(path)
        except RuleFileError as error:
            problems += error.diagnostics
    with Steps("running the cases") as steps:
        for done, case in enumerate(cases):
            steps(done, len(cases))
            for outcome, problem in case.run():
                outcomes.append(outcome)
                problems += [problem] if problem is not None and problem not in problems else []
    failed = [one for one in outcomes if not one.passed]
    if problems:
        complain(render(problems))
    told = {
        "passed": len(outcomes) - len(failed),
        "failed": len(failed),
        "cases": [_outcome_json(one) for one in outcomes],
    }
    lines = [f"{one.file}:{one.line}: {one.name} [{one.ruleset or '-'}]\n  {one.message}" for one in failed]
    lines.append(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    if coverage:
        lines += _coverage(cases, told, every=every)
    if matrix:
        lines += _matrix(cases, told)
    if missing:
        complain("\n".join(lines))
        lines = [_proposals(cases, told, every=every)]
    if as_json:
        emit_json(told)
    else:
        emit("\n".join(lines))
    if problems:
        raise typer.Exit(UNUSABLE)
    if failed:
        raise typer.Exit(NO)


def _coverage(cases: Sequence[Case], told: dict[str, Any], *, every: bool) -> list[str]:
    """What the cases exercise: put into the JSON, and as lines."""
    from .check_text import coverage_text

    covered = _covered(cases, every=every)
    told["coverage"] = [one.as_json() for one in covered]
    return ["", *(coverage_text(one, width(), own=_only_own(one.rules, every=every)) for one in covered)]


def _matrix(cases: Sequence[Case], told: dict[str, Any]) -> list[str]:
    """The cases under every ruleset: put into the JSON, and as lines."""
    from variant_engine.compare.crossed import cross

    from .check_text import crossed_text

    with Steps("trying the cases under every ruleset") as steps:
        crossed = cross(cases, _shipped(), steps)
    told["matrix"] = crossed.as_json()
    return ["", crossed_text(crossed, width())]


def _proposals(cases: Sequence[Case], told: dict[str, Any], *, every: bool) -> str:
    from variant_engine.compare.propose import propose

    from .check_text import bound_to, proposals_text

    names = {rules: name for case in cases for rules, name in case.named().items()}
    covered = _covered(cases, every=every)
    total = sum(len(one.missing) for one in covered)
    begun = count()
    with Steps("looking for cases") as steps:
        proposals = [
            bound_to(proposal, names[one.rules])
            for one in covered
            for proposal in propose(one, lambda name: steps(next(begun), total, name))
        ]
    told["missing"] = [one.as_json() for one in proposals]
    return proposals_text(proposals)


def _only_own(rules: Ruleset, *, every: bool) -> bool:
    """Whether only the options that a ruleset's own file answers are looked at."""
    return rules.parent is not None and not every


def _covered(cases: Sequence[Case], *, every: bool) -> list[Coverage]:
    """What the cases exercise of each ruleset: the options that its own file answers first, or only these."""
    from variant_engine.compare.coverage import cover

    def ordered(rules: Ruleset, names: Iterable[str]) -> tuple[str, ...]:
        own = [name for name in names if rules.evidence[name].ruleset == rules.id]
        return tuple(own if _only_own(rules, every=every) else dict.fromkeys([*own, *names]))

    with Steps("trying every value of every option") as steps:
        found = cover(cases, steps)
    return [
        replace(
            one,
            exercised=ordered(one.rules, one.exercised),
            missing=ordered(one.rules, one.missing),
            alike={name: one.alike[name] for name in ordered(one.rules, one.alike)},
            meaningless=ordered(one.rules, one.meaningless),
            outside=ordered(one.rules, one.outside),
        )
        for one in found
    ]


def _shipped() -> list[Ruleset]:
    from variant_engine.loading import load, rulesets

    return [load(head.id) for head in rulesets()]


def _outcome_json(one: Outcome) -> dict[str, Any]:
    return {key: getattr(one, key) for key in ("file", "line", "name", "ruleset", "passed", "message")}
