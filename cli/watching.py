"""Watching a ruleset's file: what to print when it has changed, and noticing that it has."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from variant_engine.cases import run_file
from variant_engine.checking import check_files
from variant_engine.diagnostics import RuleFileError, has_errors, render
from variant_engine.loading import load
from variant_engine.rulebook import difference, difference_text
from variant_engine.ruleset import Ruleset
from variant_engine.shipped import CASES
from variant_engine.textfile import shown_name

Snapshot = dict[str, tuple[int, int]]


def watch_file(
    file: Path,
    interval: float,
    lang: str,
    say: Callable[[str], None],
    fill: Callable[[str, str], str],
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Print the state of a ruleset now and after every change, until Ctrl-C."""
    try:
        seen: Snapshot | None = None
        missing = 0
        while True:
            now = snapshot(file)
            # An editor may put a new file in the place of the old one; in between there is none.
            missing = 0 if file.exists() else missing + 1
            if now != seen and not missing:
                seen = now
                say(f"--- {time.strftime('%H:%M:%S')} {shown_name(file)}")
                say(state(file, lang, fill))
                say("")
            elif missing == 2:
                say(f"--- {time.strftime('%H:%M:%S')} {shown_name(file)} is gone; waiting for it to come back")
            sleep(interval)
    except KeyboardInterrupt:
        return


def snapshot(file: Path) -> Snapshot:
    """When each rule file in the folder was last changed, and its size: parents and cases lie there too."""
    found: Snapshot = {}
    try:
        for entry in os.scandir(file.parent):
            if entry.name.endswith(".yaml"):
                about = entry.stat()
                found[entry.name] = (about.st_mtime_ns, about.st_size)
    except OSError:
        pass
    return found


def state(file: Path, lang: str, fill: Callable[[str, str], str]) -> str:
    """What check and test say about a ruleset, and in what its words differ from its parent's."""
    cases = file.with_name(f"{file.stem}{CASES}")
    problems = check_files([file, cases] if cases.is_file() else [file])
    parts = [render(problems)] if problems else []
    parts.append("check: " + (f"{len(problems)} to see to" if problems else "no problems"))
    if has_errors(one for one in problems if one.spot.file != shown_name(cases)):
        return "\n".join(parts)
    parts.append(_tested(cases) if cases.is_file() else f"test: there is no {cases.name}")
    rules = load(file)
    parent = _parent(rules, file)
    if parent is not None:
        names = (rules.id, parent.id)
        parts += ["", difference_text(difference(rules, parent, names, lang), lang, fill)]
    return "\n".join(parts)


def _tested(cases: Path) -> str:
    """How many cases pass; why one cannot be read, the check has said already."""
    try:
        outcomes, _ = run_file(cases)
    except RuleFileError:
        return "test: the cases cannot be read"
    failed = [one for one in outcomes if not one.passed]
    lines = [f"{one.file}:{one.line}: {one.name} [{one.ruleset or '-'}]\n  {one.message}" for one in failed]
    lines.append(f"test: {len(outcomes) - len(failed)} passed, {len(failed)} failed")
    return "\n".join(lines)


def _parent(rules: Ruleset, file: Path) -> Ruleset | None:
    if rules.parent is None:
        return None
    beside = file.with_name(f"{rules.parent}.yaml")
    try:
        return load(beside) if beside.is_file() else load(rules.parent)
    except RuleFileError:
        return None
