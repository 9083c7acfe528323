"""Asking an author which rules to change: only those that are named, one at a time."""

from __future__ import annotations

import typer

from variant_engine.authoring import matching
from variant_engine.hints import number_range, value_help
from variant_engine.options import CHAPTERS, OPTIONS, Option
from variant_engine.ruleset import Ruleset, RulesetError, read_value

from .terminal import emit, fill, table, width

#: So many options are listed for a word that fits several.
_LISTED = 12


def ask_changes(rules: Ruleset) -> dict[str, str | int]:
    """The changes that somebody at a terminal wants; an empty answer ends the questions."""
    emit(
        fill(
            f"What is different from '{rules.id}'? Name an option or a word of it (closing, talon, marriage), '?' for "
            "all options, and press Enter alone when nothing else is.",
            width(),
        )
    )
    changes: dict[str, str | int] = {}
    while True:
        answer = _ask("change")
        if not answer:
            return changes
        option = _find(answer)
        if option is not None:
            value = _value(option, changes.get(option.name, rules.values[option.name]))
            if value is not None:
                _take(rules, changes, option, value)


def _take(rules: Ruleset, changes: dict[str, str | int], option: Option, value: str | int) -> None:
    wanted = changes | {option.name: value}
    if value == rules.values[option.name]:
        changes.pop(option.name, None)
        return
    try:
        rules.replace(**wanted)
    except RulesetError as error:
        emit(fill(str(error), width(), indent="  "))
        return
    changes[option.name] = value


def _ask(prompt: str) -> str:
    try:
        return str(typer.prompt(prompt, default="", show_default=False)).strip()
    except typer.Abort:
        # Ctrl-C and the end of the input mean that nothing is to be written.
        emit("")
        raise typer.Exit(130) from None


def _find(answer: str) -> Option | None:
    if answer == "?":
        for chapter in CHAPTERS:
            names = ", ".join(option.name for option in OPTIONS if option.chapter == chapter)
            emit(fill(f"{chapter}: {names}", width(), indent="  ", more="    "))
        return None
    found = matching(answer)
    if len(found) == 1:
        return found[0]
    if not found:
        emit("  no option has this in its name or its question; '?' lists them all")
        return None
    emit("\n".join(table([(option.name, option.question) for option in found[:_LISTED]], width(), indent="  ")))
    if len(found) > _LISTED:
        emit(f"  and {len(found) - _LISTED} more")
    return None


def _value(option: Option, now: str | int) -> str | int | None:
    emit(fill(option.question, width(), indent="  "))
    if option.is_number:
        emit(f"  {number_range(option)}; now {now}")
    else:
        rows = [
            (str(place), value.token, value.meaning + (" (now)" if value.token == now else ""))
            for place, value in enumerate(option.values, 1)
        ]
        emit("\n".join(table(rows, width(), indent="  ")))
    answer = _ask(f"  {option.name}")
    if not answer:
        return None
    if option.values and answer.isascii() and answer.isdigit() and 0 < int(answer[:3]) <= len(option.values):
        return option.values[int(answer[:3]) - 1].token
    try:
        return read_value(option.name, answer)
    except RulesetError:
        meant = value_help(option, answer)
        emit(fill(meant if meant.startswith("did") else "that is none of its values", width(), indent="  "))
        return None
