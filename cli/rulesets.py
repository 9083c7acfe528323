"""Commands about rules as data: list, show, compare."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import (
    AsJson,
    Changes,
    RulesetName,
    fail,
    help_text,
    load_ruleset,
    read_change,
)
from .output import Force, Format, Output, Target
from .terminal import Paint, complain, emit, emit_json, paint, table, width

if TYPE_CHECKING:
    from variant_engine.compare.kinds import Kind
    from variant_engine.ruleset import Head, Ruleset

_LIST_HELP = help_text(
    "The rulesets that come with the program, and your own in the folders of SIXTYSIX_PATH; with --with, those in "
    "which an option has a value, and apart from them those whose source only offers it as another way. Of a ruleset "
    "of your own that has errors no more is shown than which file to check.",
    "sixtysix list\nsixtysix list --with closing=not_played --with pack_cards=20",
    "an array of objects with id, title, kind, lineage, language,\n"
    "sound (false for a file with errors, of which only the id is known),\n"
    "offers {option: [places]}  (with --with: what it only offers)",
)
_SHOW_HELP = help_text(
    "What a ruleset says: its source, and the options in which it departs from the neutral value, with how sure each "
    "is and where the source says it.",
    "sixtysix show foster\nsixtysix show foster --resolved\nsixtysix show handbook --why closing_draw",
    "id, title, kind, lineage, language, summary, file, parent, source, hash,\n"
    "changes {option: value}, statuses {status: number},\n"
    "options [{option, chapter, question, value, status, where [places],\n"
    "  file, line, ruleset (whose file says it), neutral}]\n"
    "With --why: ruleset, option, chapter, question, value, status, where,\n"
    "  file, line, meaning, why, readings and values [{value, meaning}],\n"
    "  also [{value, meaning, where}], neutral, moot_by [options because of\n"
    "  which the value makes no difference], others {ID: {value, status,\n"
    "  where, file, line}}",
)
_COMPARE_HELP = help_text(
    "Where rulesets differ: a row for each option, and for each ruleset the value and how sure it is. Without names, "
    "all attested rulesets read from texts. Texts that descend from one text (a lineage) count once. A sign before a "
    "value tells how sure it is, and the rows stand in groups by the kind of difference; a wide terminal gets a line "
    "for each option.",
    "sixtysix compare\nsixtysix compare foster my-rules.yaml --all\nsixtysix compare foster handbook -o table.csv",
    "rulesets [IDs],\n"
    "rows [{option, question, difference, values {ID: {value, status,\n"
    "  where [places], file, line}}}]  (registry order; difference: contradiction,\n"
    "  lineage, reading, silence, moot or none),\n"
    "lineages {name: [IDs that count once]},\n"
    "counts {options, differ, and a number for each kind of difference}",
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("compare", help=_COMPARE_HELP, short_help="Where rulesets differ.")(compare)
    app.command("list", help=_LIST_HELP, short_help="The rulesets that come with the program.")(list_rulesets)
    app.command("show", help=_SHOW_HELP, short_help="What a ruleset says, and where its source says it.")(show)


# ---- list ----------------------------------------------------------------------------------------------------------


def list_rulesets(
    having: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="OPTION=VALUE", help="Only rulesets with this value; may be repeated."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """``sixtysix list``."""
    from variant_engine.loading import rulesets, shipped_files, user_rulesets

    wanted = [read_change("--with", text) for text in having or ()]
    own = user_rulesets()
    files = [*zip(rulesets(), map(str, shipped_files()), strict=True), *((head, head.file) for head in own)]
    ids = [head.id for head, _ in files]
    for head in own:
        if ids.count(head.id) > 1:
            complain(f"sixtysix: another ruleset is called '{head.id}', too: name {head.file} by its path")
    found: list[tuple[Head, Offers]] = []
    for head, file in files:
        if wanted and not head.sound:
            complain(f"sixtysix: {head.id} is broken and left out: run sixtysix check {head.file}")
            continue
        offers = _offers(load_ruleset(file), wanted) if wanted else {}
        if offers is not None:
            found.append((head, offers))
    if as_json:
        emit_json([_head_json(head) | {"offers": offers} for head, offers in found])
    else:
        emit(_list_text(found, dict(wanted)))


#: By option, the places at which a source offers a value that its ruleset does not have.
Offers = dict[str, list[str]]


def _offers(rules: Ruleset, wanted: list[tuple[str, str | int]]) -> Offers | None:
    """The wanted values that the rules do not have, but their source offers; None if it has no word of one."""
    offers: Offers = {}
    for name, value in wanted:
        if rules.values[name] != value:
            other = next((one for one in rules.evidence[name].also if one.value == value), None)
            if other is None:
                return None
            offers[name] = list(other.where)
    return offers


def _list_text(found: list[tuple[Head, Offers]], wanted: dict[str, str | int]) -> str:
    rows = [
        (head.id, head.kind or "-", head.lineage or "-", head.language or "-", head.title or _broken(head))
        for head, offers in found
        if not offers
    ]
    heads = ("ID", "KIND", "LINEAGE", "LANG", "TITLE")
    lines = table([heads, *rows], width()) if rows else ["No ruleset has these values."]
    offering = [
        (head.id, ", ".join(f"{name}={wanted[name]} ({', '.join(places)})" for name, places in offers.items()))
        for head, offers in found
        if offers
    ]
    if offering:
        lines += ["", "Only offered by the source, as another way:", *table(offering, width(), indent="  ")]
    return "\n".join(lines)


def _broken(head: Head) -> str:
    return f"broken: run sixtysix check {head.file}"


def _head_json(head: Head) -> dict[str, Any]:
    return {key: getattr(head, key) for key in ("id", "title", "kind", "lineage", "language", "sound")}


# ---- show ----------------------------------------------------------------------------------------------------------


def show(
    ruleset: RulesetName,
    resolved: Annotated[
        bool, typer.Option("--resolved", help="Every option, with where its value comes from.")
    ] = False,
    why: Annotated[
        str | None, typer.Option("--why", metavar="OPTION", help="Why an option has its value, and what others say.")
    ] = None,
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """``sixtysix show``."""
    from variant_engine.account import account, explain_option
    from variant_engine.loading import load, rulesets
    from variant_engine.ruleset import RulesetError, find_option

    from . import show_text

    rules = load_ruleset(ruleset, changes)
    if why is not None:
        try:
            name = find_option(why).name
        except RulesetError as error:
            fail(str(error))
        others = (load(head.id) for head in rulesets() if head.id != rules.id)
        explanation = explain_option(rules, name, others)
        if as_json:
            emit_json(explanation.as_json())
        else:
            emit(show_text.why(explanation, width(), paint()))
        return
    found = account(rules)
    if as_json:
        emit_json(found.as_json(found.options if resolved else found.departing))
    else:
        emit(show_text.account(found, width(), paint(), resolved=resolved))


# ---- compare -------------------------------------------------------------------------------------------------------


def compare(
    rulesets: Annotated[
        list[str] | None, typer.Argument(metavar="[RULESET]...", help="Ids or paths; two or more.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Also the options on which all agree.")] = False,
    witness: Annotated[
        bool, typer.Option("--witness", help="For each differing option whether and how it shows in a deal.")
    ] = False,
    form: Format = None,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """``sixtysix compare``."""
    from variant_engine.compare import compare as compare_rulesets

    target = Target.of(form, output, force, as_json)
    named = [(name, load_ruleset(name)) for name in dict.fromkeys(rulesets)] if rulesets else attested_texts()
    if len(named) < 2:
        fail("a comparison takes two rulesets or more; without names, the attested texts are compared")
    loaded = [rules for _, rules in named]
    ids = [rules.id for rules in loaded]
    if witness:
        check_ids(loaded)
    # Files may carry an id that is there already; then what was written on the command line tells them apart.
    names = [rules.id if ids.count(rules.id) == 1 else name for name, rules in named]
    matrix = compare_rulesets(loaded, names)

    def as_text(width: int, paint: Paint) -> str:
        from .compare_text import compare_text

        told = compare_text(matrix, width, paint, every=every)
        if not witness:
            return told
        from .witness_text import kinds_text

        return f"{told}\n\n{kinds_text(_kinds(loaded), width, paint)}"

    def as_data() -> dict[str, Any]:
        shown = {"kinds": [kind.as_json() for kind in _kinds(loaded)]} if witness else {}
        return matrix.as_json(every=every) | shown

    def as_csv() -> str:
        from variant_engine.report.tabular import compare_csv

        return compare_csv(matrix, _kinds(loaded) if witness else (), every=every)

    def as_markdown() -> str:
        from variant_engine.report.markdown import compare_markdown

        return compare_markdown(matrix, _kinds(loaded) if witness else (), every=every)

    def as_page() -> str:
        from variant_engine.report.dossier import bare, with_effects
        from variant_engine.report.page import dossier_page

        return dossier_page(with_effects(loaded) if witness else bare(loaded, names))

    target.write({"json": as_data, "csv": as_csv, "markdown": as_markdown, "html": as_page}, as_text)


def _kinds(rulesets: list[Ruleset]) -> tuple[Kind, ...]:
    from variant_engine.compare.kinds import differences

    return differences(rulesets)


def check_ids(rulesets: Sequence[Ruleset]) -> None:
    """End the command if two rulesets have the same id, where ids must tell them apart."""
    ids = [rules.id for rules in rulesets]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        fail(f"two of these rulesets have the same id, '{twice}'")


def attested_texts() -> list[tuple[str, Ruleset]]:
    """The shipped rulesets that were read from texts, each with its id."""
    from variant_engine.loading import rulesets

    loaded = [load_ruleset(head.id) for head in rulesets() if head.kind == "attested"]
    # In the order of the texts' files, which keeps those of one collection together.
    texts = [(rules.source.file, rules) for rules in loaded if rules.source is not None and rules.source.type == "text"]
    return [(rules.id, rules) for _, rules in sorted(texts, key=lambda text: text[0])]
