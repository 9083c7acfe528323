"""Commands about games played: replay, record list, record show, record export, stats, verify."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import reopening
from .common import NO, UNUSABLE, AsJson, Changes, fail, help_text, load_ruleset, name_of, read_changes
from .terminal import complain, emit, emit_json, width

if TYPE_CHECKING:
    from variant_engine.record import Lookup, Record, Replayed
    from variant_engine.record.summary import Collected
    from variant_engine.ruleset import Ruleset

_REPLAY_HELP = help_text(
    "Play a record again: every move and the result are checked, and the deals are printed. --at shows the position "
    "after so many moves. --under plays the same moves by other rules and stops where they are refused or the deal "
    "would end otherwise, with the options that make it and their sources. Exit code 1 if the record does not hold, 2 "
    "if it cannot be read or its rules are not those of today.",
    "sixtysix replay game.p66\nsixtysix replay game.p66 --deal 2 --at 7\nsixtysix replay game.p66 --under handbook",
    "file, deals [{number, tags {name: value}, comments, ok, finished, start (a\n"
    "  position), moves [{trick, seat, tokens, marks, card_points}], result\n"
    "  {winner, game_points, reason, card_points, carry}, problems}],\n"
    "With --at: position {moves, phase, to_move, leader, led, trump, turn_up,\n"
    "  talon_state, talon, closer, hands, card_points, pending, tricks,\n"
    "  announced, legal, result}\n"
    "With --under: under (ID), partings [{number, outcome (same, dealt, refused,\n"
    "  turn, ended, goes_on or result), moves, trick, token, text, options\n"
    "  [{option, by_record, by_other}], refused_by, position}]",
)
_DEAL_KEYS = (
    "deals [{file, number, ruleset, rules_hash, rules_diff, date, event, game,\n"
    "  names, bots, finished, winner, game_points, reason, card_points, score,\n"
    "  carry, game_winner, moves, committed, rules_found, ok, problem}], problems"
)
_LIST_HELP = help_text(
    "The deals in record files and folders; without any, those of the games kept here.",
    "sixtysix record list\nsixtysix record list games/ --ruleset foster --result A",
    _DEAL_KEYS,
)
_SHOW_HELP = help_text(
    "The deals in record files and folders, trick by trick.",
    "sixtysix record show game.p66\nsixtysix record show --player Anna --since 2026-11-01",
    "deals [as in replay, with file], problems",
)
_EXPORT_HELP = help_text(
    "Write the deals that were asked for into one record, or a table for a spreadsheet.",
    "sixtysix record export --ruleset foster --out foster.p66\nsixtysix record export games/ --format csv",
    _DEAL_KEYS,
)
_STATS_HELP = help_text(
    "Results of the games kept here, by ruleset and opponent. A * behind a ruleset: played with options changed.",
    "sixtysix stats\nsixtysix stats --rebuild",
    "tallies [{ruleset, player, opponent, deals, won, lost, drawn,\n"
    "  game_points_won, game_points_lost, games_won, games_lost}],\n"
    "files, deals, unfinished (numbers), notices [text],\n"
    "left_out [{file, problem}]",
)
_VERIFY_HELP = help_text(
    "Check that a game was dealt fairly: what was committed to before the first card is what was opened after the "
    "last, the pack follows from the seed, and every move of a bot follows from what it could see and its random "
    "stream. A game is proved when all its deals are there. Exit code 1 if something does not hold, is missing or "
    "cannot be checked.",
    "sixtysix verify game.p66",
    "file, proved, deals [{number, proved, findings [{what, holds (null: not\n  checked), text}]}],\n"
    "games [{game, deals [number], whole, missing [text]}]",
)

RecordFile = Annotated[str, typer.Argument(metavar="FILE", help="A record, .p66; - for the standard input.")]
Paths = Annotated[
    list[str] | None, typer.Argument(metavar="[DIR|FILE]...", help="Records, and folders with records in them.")
]
Anyway = Annotated[bool, typer.Option("--anyway", help="Go on although the rules have changed since.")]
Rules = Annotated[
    str | None, typer.Option("--rules", metavar="FILE", help="Where the record's own ruleset is, if it does not ship.")
]
OfRuleset = Annotated[str, typer.Option("--ruleset", metavar="ID", help="Only deals by this ruleset.")]
OfPlayer = Annotated[str, typer.Option("--player", metavar="NAME", help="Only deals in which this player sat.")]
OfResult = Annotated[
    str,
    typer.Option("--result", metavar="RESULT", help="A, B, none, finished, unfinished, or a reason such as claim."),
]
OfDate = Annotated[str, typer.Option("--date", metavar="DATE", help="Only this year, month or day: 2026-11.")]
Since = Annotated[str, typer.Option("--since", metavar="DATE", help="Only from this day on: 2026-11-29.")]
Until = Annotated[str, typer.Option("--until", metavar="DATE", help="Only up to this day.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("replay", help=_REPLAY_HELP, short_help="Play a record again and check it.")(replay)
    app.command("stats", help=_STATS_HELP, short_help="Results by ruleset and opponent.")(stats)
    app.command("verify", help=_VERIFY_HELP, short_help="Check that a game was dealt fairly.")(verify)
    records = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="List, show and export records of games.")
    records.command("list", help=_LIST_HELP, short_help="The deals, one a line.")(list_records)
    records.command("show", help=_SHOW_HELP, short_help="The deals, trick by trick.")(show)
    records.command("export", help=_EXPORT_HELP, short_help="The deals as one record, or a table.")(export)
    records.command("reopen", help=reopening.HELP, short_help="A deal of a simulation as a record.")(reopening.reopen)
    app.add_typer(records, name="record", short_help="List, show and export records of games.")


# ---- replay -------------------------------------------------------------------------------------------------------


def replay(
    file: RecordFile,
    number: Annotated[
        int | None, typer.Option("--deal", metavar="N", min=1, help="Only this deal of the record, from 1.")
    ] = None,
    at: Annotated[
        int | None, typer.Option("--at", metavar="N", min=0, help="The position after so many moves of a deal.")
    ] = None,
    under: Annotated[
        str | None, typer.Option("--under", metavar="RULESET", help="Play the moves by these rules instead.")
    ] = None,
    changes: Changes = None,
    rules: Rules = None,
    anyway: Anyway = False,
    as_json: AsJson = False,
) -> None:
    """``sixtysix replay``."""
    from variant_engine.diagnostics import render
    from variant_engine.record.report import position_json, replayed_json

    from .record_text import deal_lines, number_of, position_lines

    record, deals = _deals(file, number, rules, anyway)
    data: dict[str, Any] = {"file": file, "deals": [replayed_json(played, place) for place, played in deals]}
    lines: list[str] = []
    code = 0
    for place, played in deals:
        if played.problems:
            complain(render(played.problems))
        if not played.ok:
            code = max(code, UNUSABLE if played.start is None else NO)
        if at is None and under is None and not changes:
            lines += (
                ["", *deal_lines(played, f"deal {place}", width())]
                if lines
                else deal_lines(played, f"deal {place}", width())
            )
    if at is not None and not code:
        if len(deals) > 1:
            fail(f"the record has {len(deals)} deals; say which one with --deal")
        try:
            position = deals[0][1].at(at)
        except ValueError as error:
            fail(f"--at {at}: {error}")
        data["position"] = position_json(position)
        lines += position_lines(position, width())
    if (under is not None or changes) and not code:
        lines += _under(deals, under, changes, data)
    if as_json:
        emit_json(data)
    elif lines:
        emit("\n".join(lines))
        if not code and at is None and under is None and not changes:
            moves = sum(len(played.steps) for _, played in deals)
            emit(f"\nchecked: {number_of(moves, 'move')} in {number_of(len(deals), 'deal')} of {record.name}")
    if code:
        raise typer.Exit(code)


def _under(
    deals: list[tuple[int, Replayed]], under: str | None, changes: list[str] | None, data: dict[str, Any]
) -> list[str]:
    from variant_engine.record.report import parting_json
    from variant_engine.record.under import replay_under

    from .record_text import parting_lines

    lines = []
    data["partings"] = []
    for place, played in deals:
        assert played.rules is not None
        other = load_ruleset(under, changes) if under is not None else _changed(played.rules, changes or [])
        name = other.id + ("".join(f", {option}={value}" for option, value in other.diff))
        data["under"] = other.id
        parting = replay_under(played, other)
        data["partings"].append({"number": place, **parting_json(parting)})
        title = f"deal {place}: " if len(deals) > 1 else ""
        lines += [
            title + line if index == 0 else line for index, line in enumerate(parting_lines(parting, name, width()))
        ]
    return lines


def _changed(rules: Ruleset, changes: list[str]) -> Ruleset:
    from variant_engine.ruleset import RulesetError

    try:
        return rules.replace(**read_changes(changes))
    except RulesetError as error:
        fail(str(error))


def _deals(file: str, number: int | None, rules: str | None, anyway: bool) -> tuple[Record, list[tuple[int, Replayed]]]:
    """The record in a file, and its deals (or the one asked for) played again. Ends if it cannot be read."""
    from variant_engine.record import RecordError, check
    from variant_engine.record.files import LONGEST, read_content, read_file

    try:
        if file == "-":
            record = read_content(sys.stdin.buffer.read(LONGEST + 1), "<standard input>")
        else:
            record = read_file(file)
    except RecordError as error:
        complain(str(error))
        raise typer.Exit(UNUSABLE) from None
    deals = list(enumerate(check(record, _lookup(file, rules, anyway)), 1))
    if number is not None:
        if number > len(deals):
            fail(f"--deal {number}: the record has {len(deals)} deal{'' if len(deals) == 1 else 's'}")
        deals = [deals[number - 1]]
    return record, deals


def _lookup(file: str, rules: str | None, anyway: bool) -> Lookup:
    from variant_engine.record.store import Store

    return Store().lookup(Path(file), load_ruleset(rules) if rules else None, anyway=anyway)


# ---- record list, show, export ------------------------------------------------------------------------------------


def list_records(
    paths: Paths = None,
    ruleset: OfRuleset = "",
    player: OfPlayer = "",
    result: OfResult = "",
    date: OfDate = "",
    since: Since = "",
    until: Until = "",
    as_json: AsJson = False,
) -> None:
    """``sixtysix record list``."""
    from .record_text import list_lines

    found = _collect(paths, ruleset, player, result, date, since, until)
    deals = [deal for deal, _ in found.deals]
    if as_json:
        emit_json({"deals": [deal.as_json() for deal in deals], "problems": _problems(found)})
    else:
        emit("\n".join(list_lines(deals, width())))
    _end(found)


def show(
    paths: Paths = None,
    ruleset: OfRuleset = "",
    player: OfPlayer = "",
    result: OfResult = "",
    date: OfDate = "",
    since: Since = "",
    until: Until = "",
    as_json: AsJson = False,
) -> None:
    """``sixtysix record show``."""
    from variant_engine.record.report import replayed_json

    from .record_text import deal_lines

    found = _collect(paths, ruleset, player, result, date, since, until)
    if as_json:
        shown = [{"file": short.file, **replayed_json(played, short.number)} for short, played in found.deals]
        emit_json({"deals": shown, "problems": _problems(found)})
    else:
        for place, (short, played) in enumerate(found.deals):
            lines = deal_lines(played, f"{short.file}:{short.number}", width())
            emit("\n".join(["", *lines] if place else lines))
            if short.problem:
                emit(f"{'does not hold' if short.rules_found else 'rules not found'}: {short.problem}")
        if not found.deals:
            emit("no such deals")
    _end(found)


def export(
    paths: Paths = None,
    ruleset: OfRuleset = "",
    player: OfPlayer = "",
    result: OfResult = "",
    date: OfDate = "",
    since: Since = "",
    until: Until = "",
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="Write to this file, which must not be there yet.")
    ] = None,
    style: Annotated[str, typer.Option("--format", metavar="p66|csv", help="What to write.")] = "p66",
    tidied: Annotated[bool, typer.Option("--tidy", help="Write the deals as the program would have.")] = False,
    as_json: AsJson = False,
) -> None:
    """``sixtysix record export``."""
    import json

    if style not in ("p66", "csv"):
        fail(f"--format takes p66 or csv, not '{style}'")
    found = _collect(paths, ruleset, player, result, date, since, until)
    if as_json:
        data = {"deals": [deal.as_json() for deal, _ in found.deals], "problems": _problems(found)}
        text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    elif not found.deals:
        complain("sixtysix: no such deals")
        raise typer.Exit(UNUSABLE if found.problems else NO)
    else:
        text = _csv(found) if style == "csv" else _as_record(found, tidied)
    if out is None:
        emit(text.removesuffix("\n"))
    else:
        try:
            with open(out, "x", encoding="utf-8", newline="") as file:
                file.write(text)
        except OSError as error:
            fail(f"'{name_of(out)}' cannot be written: {(error.strerror or 'its name is not valid').lower()}")
    _end(found)


def _as_record(found: Collected, tidied: bool) -> str:
    from itertools import pairwise

    from variant_engine.record import record_of, tidy, write
    from variant_engine.record.replay import sequence_problems

    if any(sequence_problems(before, now) for (_, before), (_, now) in pairwise(found.deals)):
        complain("sixtysix: not all deals of a game are exported; those that are do not follow from each other")
    deals = [tidy(played) if tidied and played.ok else played.record for _, played in found.deals]
    return write(record_of(deals))


def _csv(found: Collected) -> str:
    import csv
    import io

    rows = [deal.as_json() for deal, _ in found.deals]
    written = io.StringIO()
    table = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    table.writeheader()
    for row in rows:
        # A pair of values, one for each seat, becomes text with a space.
        table.writerow(
            {
                name: " ".join(map(str, value)) if isinstance(value, (list, tuple)) else value
                for name, value in row.items()
            }
        )
    return written.getvalue()


def _collect(
    paths: list[str] | None, ruleset: str, player: str, result: str, date: str, since: str, until: str
) -> Collected:
    from variant_engine.record.store import Store
    from variant_engine.record.summary import Filter, collect

    try:
        wanted = Filter(ruleset, player, result, date, since, until)
    except ValueError as error:
        fail(f"--{error}")
    if "-" in (paths or []):
        fail("'-': name files and folders; only replay and verify read the standard input (a file called so is ./-)")
    store = Store()
    found = collect(paths or ([store.records] if store.records.is_dir() else []), wanted, kept=store.rules)
    for problem in found.problems:
        from variant_engine.diagnostics import as_text

        complain(as_text(problem))
    return found


def _problems(found: Collected) -> list[dict[str, Any]]:
    from variant_engine.diagnostics import as_json

    return [as_json(problem) for problem in found.problems]


def _end(found: Collected) -> None:
    if found.problems:
        raise typer.Exit(UNUSABLE)


# ---- stats and verify ---------------------------------------------------------------------------------------------


def stats(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make the database anew from the records.")] = False,
    as_json: AsJson = False,
) -> None:
    """``sixtysix stats``."""
    from variant_engine.record import RecordError
    from variant_engine.record.index import statistics
    from variant_engine.record.store import Store

    from .record_text import statistics_lines

    try:
        found = statistics(Store(), rebuild=rebuild)
    except RecordError as error:
        complain(str(error))
        raise typer.Exit(UNUSABLE) from None
    if as_json:
        emit_json(found.as_json())
    else:
        emit("\n".join(statistics_lines(found, width())))


def verify(
    file: RecordFile,
    rules: Rules = None,
    anyway: Anyway = False,
    as_json: AsJson = False,
) -> None:
    """``sixtysix verify``."""
    from variant_engine.diagnostics import render
    from variant_engine.record.proof import games_of, is_closed, proved
    from variant_engine.record.proof import verify as verify_deal
    from variant_engine.record.report import findings_json, game_json

    from .record_text import games_lines, verdict_lines

    _, deals = _deals(file, None, rules, anyway)
    unusable = False
    checked = []
    for place, played in deals:
        if played.problems and not is_closed(played):
            complain(render(played.problems))
            unusable = unusable or (played.start is None and not played.ok)
        checked.append((place, verify_deal(played)))
    games = games_of([played for _, played in deals])
    sound = all(proved(found) for _, found in checked) and all(game.whole for game in games)
    if as_json:
        findings = [findings_json(found, place) for place, found in checked]
        emit_json({"file": file, "proved": sound, "deals": findings, "games": [game_json(game) for game in games]})
    else:
        for place, found in checked:
            emit("\n".join(verdict_lines(found, f"deal {place}", width())))
        emit("\n".join(games_lines(games, [proved(found) for _, found in checked], width())))
    if unusable or not sound:
        raise typer.Exit(UNUSABLE if unusable else NO)
