"""``record reopen``: a deal of a simulation's table as a record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import AsJson, fail, help_text, load_ruleset, name_of
from .output import Force, Output, check_target, write_or_print

if TYPE_CHECKING:
    from collections.abc import Mapping

    from variant_engine.record import Record
    from variant_engine.ruleset import Ruleset
    from variant_engine.table import Deal

HELP = help_text(
    "Make a deal of the table that 'simulate --out' wrote into a record: played again by its rules, checked against "
    "its row, and printed or written to a file.",
    "sixtysix record reopen deals 12\nsixtysix record reopen deals 12 -o twelve.p66",
    "folder, number, ruleset, rules_hash, code, winner, game_points, reason, record (text)",
)


def reopen(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="The folder that 'simulate --out' wrote.")],
    number: Annotated[int, typer.Argument(metavar="N", min=0, help="The deal's number, from 0.")],
    rules: Annotated[
        str | None, typer.Option("--rules", metavar="FILE", help="Where the ruleset is, if it is not found by its id.")
    ] = None,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """``sixtysix record reopen``."""
    from variant_engine.record import write
    from variant_engine.simulate import SimulationError
    from variant_engine.simulate import reopen as reopened
    from variant_engine.simulate.rows import row_of

    if output is not None:
        check_target(output, force)
    try:
        told, row = row_of(Path(folder), number)
        ruleset = _rules(told, rules)
        deal = reopened(ruleset, row)
    except SimulationError as error:
        fail(str(error))
    text = write(_record(deal, row))
    if as_json:
        result = deal.result
        assert result is not None
        data = {
            "folder": folder, "number": number, "ruleset": ruleset.id, "rules_hash": ruleset.hash, "code": deal.code,
            "winner": row["winner"], "game_points": result.game_points, "reason": result.reason, "record": text,
        }  # fmt: skip
        text = json.dumps(data, ensure_ascii=False, indent=2)
    write_or_print(text, output)


def _rules(told: Mapping[str, Any], named: str | None) -> Ruleset:
    """The rules of a table: by its ruleset's id, or as named, with the options that were changed."""
    from variant_engine.ruleset import RulesetError

    rules = load_ruleset(named or str(told.get("ruleset")))
    try:
        return rules.replace(**dict(told.get("changes") or {}))
    except (RulesetError, TypeError, ValueError) as error:
        fail(f"the rules of {name_of(str(told.get('ruleset')))} cannot be had: {error}; --rules FILE names them")


def _record(deal: Deal, row: Mapping[str, Any]) -> Record:
    from variant_engine.record import About, deal_record, record_of
    from variant_engine.shuffle import VERSION
    from variant_engine.table import deal as deal_cards

    # A shuffle by counter is none that seed and number give elsewhere.
    seed = (int(row["seed"]), int(row["number"])) if row["shuffle"] == VERSION else None
    about = About(names=str(row["players"]).split(","), event="simulation", seed=seed)
    start = deal_cards(deal.rules, pack=deal.pack, dealer=deal.dealer)
    return record_of([deal_record(start, [move for _, move in deal.history], about)])
