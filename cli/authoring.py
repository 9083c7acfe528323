"""Commands for authors: rules, diff, new, fork, watch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .common import UNUSABLE, AsJson, Changes, RulesetName, fail, help_text, load_ruleset, name_of, read_changes
from .terminal import complain, emit, emit_json, fill, paint, width

if TYPE_CHECKING:
    from variant_engine.authoring import Draft
    from variant_engine.rulebook import Difference
    from variant_engine.ruleset import Ruleset

_DIFFERENCE_KEYS = (
    "rulesets [two names],\n"
    "options [{option, question, matters (no: other options make both values\n"
    "  meaningless), values {NAME: {value, meaning, status, where [places],\n"
    "  file, line, ruleset (whose file says it)}}}],\n"
    "words [{chapter, topic, options [names], sentences {NAME: text, or empty}}]"
)
_RULES_HELP = help_text(
    "The rulebook of a ruleset in plain words, with a reference for every point on which books differ: the place in "
    "the source, the editor's readings marked as such, the other readings of what can be read in several ways. With "
    "--diff only the sentences in which two rulesets differ.",
    "sixtysix rules foster\nsixtysix rules foster --set closing=not_played --lang de\n"
    "sixtysix rules handbook --format html > handbook.html\nsixtysix rules my-rules.yaml --diff foster",
    "ruleset, language, title, about [texts],\n"
    "chapters [{chapter, title, paragraphs [[{topic, text, options [names],\n"
    "  note (number or null), mark (or null)}]]}],\n"
    "notes [{note, claims [{option, text}]}], sources [{ruleset, source}]\n"
    "With --diff, the keys of diff: rulesets, options, words.",
)
_DIFF_HELP = help_text(
    "How two rulesets differ: each option with both values, how sure each is, its line in the rule file and the places "
    "in the source; with --words the sentences of the two rulebooks instead.",
    "sixtysix diff foster handbook\nsixtysix diff my-rules.yaml foster --words",
    _DIFFERENCE_KEYS,
)
_NEW_HELP = help_text(
    "Begin a ruleset of your own that says only in what it differs from another: NAME.yaml, and NAME.cases.yaml with "
    "worked examples of each change, where they are found: of a number on both sides. What has none is said. On a "
    "terminal, without --set, it asks which rules to change. No file is ever overwritten.",
    "sixtysix new three-cards --from foster --set closing_talon_min=4 --set claim_forfeit=3\n"
    "sixtysix new our-house --from handbook -o rules/",
    "ruleset (the id), files [names], changes {option: value},\nproblems [as those of check],\n"
    "notes [which changes have no example]",
)
_FORK_HELP = help_text(
    "Copy everything a ruleset says, its evidence and its cases, into a file of your own: NAME.yaml and "
    "NAME.cases.yaml. No file is ever overwritten.",
    "sixtysix fork handbook handbook-corrected",
    "ruleset (the id), files [names], changes {},\nproblems [as those of check], notes []",
)
_WATCH_HELP = help_text(
    "Watch a ruleset while you write it: on every save it is checked, its cases are run, and the difference from its "
    "parent is printed in words. Ctrl-C ends it.",
    "sixtysix watch my-rules.yaml",
)

Folder = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write to.")]
Title = Annotated[str, typer.Option("--title", metavar="TEXT", help="The title; else it is made from the name.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The id of the new ruleset, as in three-cards.")]
Lang = Annotated[str, typer.Option("--lang", metavar="CODE", help="The language of the text: en or de.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("rules", help=_RULES_HELP, short_help="The rulebook of a ruleset, in words.")(rules_command)
    app.command("diff", help=_DIFF_HELP, short_help="How two rulesets differ.")(diff)
    app.command("new", help=_NEW_HELP, short_help="Begin a ruleset that differs from another.")(new)
    app.command("fork", help=_FORK_HELP, short_help="Begin a ruleset as a copy of another.")(fork)
    app.command("watch", help=_WATCH_HELP, short_help="Check and test a ruleset on every save.")(watch)


# ---- rules and diff --------------------------------------------------------------------------------------------------


def rules_command(
    ruleset: RulesetName,
    style: Annotated[str, typer.Option("--format", metavar="text|markdown|html", help="How it is written.")] = "text",
    lang: Lang = "en",
    other: Annotated[
        str | None, typer.Option("--diff", metavar="OTHER", help="Only what is different from this ruleset.")
    ] = None,
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """Print the rulebook of a ruleset."""
    from variant_engine.rulebook import as_html, as_markdown, as_text, rulebook

    if style not in ("text", "markdown", "html"):
        fail(f"--format takes text, markdown or html, not '{style}'")
    rules = load_ruleset(ruleset, changes)
    if other is not None:
        named = (f"{ruleset} (changed)" if rules.diff else ruleset, other)
        _print_words(_difference(rules, load_ruleset(other), named, lang), lang, style, as_json=as_json)
        return
    _known(lang)
    book = rulebook(rules, lang)
    if as_json:
        emit_json(book.as_json())
    elif style == "text":
        emit(as_text(book, _wrap))
    else:
        emit((as_markdown if style == "markdown" else as_html)(book).rstrip("\n"))


def diff(
    first: Annotated[str, typer.Argument(metavar="RULESET", help="An id or a path.")],
    second: Annotated[str, typer.Argument(metavar="OTHER", help="Another id or path.")],
    words: Annotated[bool, typer.Option("--words", help="The sentences that differ, not the options.")] = False,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Print how two rulesets differ."""
    from .diff_text import difference_options

    found = _difference(load_ruleset(first), load_ruleset(second), (first, second), lang)
    if as_json or words:
        _print_words(found, lang, "text", as_json=as_json)
    else:
        emit(difference_options(found, width(), paint()))


def _known(lang: str) -> None:
    from variant_engine.rulebook import LanguageError, languages
    from variant_engine.rulebook.language import Language

    if lang not in languages():
        try:
            Language(lang)
        except LanguageError as error:
            fail(f"--lang: {error}")


def _difference(first: Ruleset, second: Ruleset, given: tuple[str, str], lang: str) -> Difference:
    from variant_engine.rulebook import difference

    _known(lang)
    names = (first.id, second.id)
    if names[0] == names[1]:
        names = given if given[0] != given[1] else (given[0], f"{given[1]} (again)")
    return difference(first, second, names, lang)


def _print_words(found: Difference, lang: str, style: str, *, as_json: bool) -> None:
    from variant_engine.rulebook import difference_html, difference_markdown, difference_text

    if as_json:
        emit_json(found.as_json())
    elif style == "text":
        emit(difference_text(found, lang, _wrap))
    else:
        emit((difference_markdown if style == "markdown" else difference_html)(found, lang).rstrip("\n"))


def _wrap(text: str, more: str) -> str:
    # Lines of prose longer than this are hard to read, however wide the terminal.
    return fill(text, min(width(), 100), more=more)


# ---- new and fork ----------------------------------------------------------------------------------------------------


def new(
    name: Name,
    parent: Annotated[str, typer.Option("--from", metavar="RULESET", help="What it differs from: an id or a path.")],
    changes: Changes = None,
    folder: Folder = Path(),
    title: Title = "",
    as_json: AsJson = False,
) -> None:
    """Begin a ruleset that says only in what it differs."""
    from variant_engine import authoring
    from variant_engine.diagnostics import RuleFileError
    from variant_engine.ruleset import RulesetError

    rules = load_ruleset(parent)
    given = read_changes(changes or ())
    if not given and not as_json and sys.stdin.isatty():
        from .asking import ask_changes

        given = ask_changes(rules)
    try:
        draft = authoring.new(name, parent, given, folder, title, worked=True)
        draft.write()
    except (authoring.AuthoringError, RulesetError) as error:
        fail(str(error))
    except RuleFileError as error:
        _unusable(error)
    _report(name, draft, given, as_json=as_json)


def fork(
    ruleset: RulesetName,
    name: Name,
    folder: Folder = Path(),
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="The title; else that of the ruleset.")] = "",
    as_json: AsJson = False,
) -> None:
    """Begin a ruleset as a copy."""
    from variant_engine import authoring
    from variant_engine.diagnostics import RuleFileError

    load_ruleset(ruleset)
    try:
        draft = authoring.fork(ruleset, name, folder, title)
        draft.write()
    except authoring.AuthoringError as error:
        fail(str(error))
    except RuleFileError as error:
        _unusable(error)
    _report(name, draft, {}, as_json=as_json)


def _unusable(error: Exception) -> NoReturn:
    complain(str(error))
    raise typer.Exit(UNUSABLE) from None


def _report(name: str, draft: Draft, changes: dict[str, str | int], *, as_json: bool) -> None:
    from variant_engine.diagnostics import as_json as diagnostic_json
    from variant_engine.diagnostics import render
    from variant_engine.textfile import shown_name

    files = [str(path) for path in draft.files]
    if as_json:
        problems = [diagnostic_json(one) for one in draft.problems]
        told = {"ruleset": name, "files": files, "changes": changes, "problems": problems}
        emit_json(told | {"notes": list(draft.notes)})
        return
    lines = [render(draft.problems)] if draft.problems else []
    rules, cases = map(shown_name, files)
    lines += [f"wrote {file}" for file in (rules, cases)]
    lines += [_wrap(note, "  ") for note in draft.notes]
    lines += ["", "Next:", f"  sixtysix watch {rules}", f"  sixtysix rules {rules}", f"  sixtysix test {cases}"]
    emit("\n".join(lines))


# ---- watch -----------------------------------------------------------------------------------------------------------


def watch(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The ruleset's file.")],
    interval: Annotated[
        float, typer.Option("--interval", metavar="SECONDS", min=0.05, help="How often to look.")
    ] = 0.5,
    lang: Lang = "en",
) -> None:
    """Check and test a ruleset on every save."""
    from .watching import watch_file

    if not file.is_file() or file.suffix != ".yaml":
        fail(f"watch takes the file of a ruleset, as in 'sixtysix watch my-rules.yaml'; not '{name_of(file)}'")
    _known(lang)
    watch_file(file, interval, lang, emit, _wrap)
