"""All worked examples: those beside the rulesets that ship, and those in the folder that SIXTYSIX_CASES names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from variant_engine.cases import Outcome, run_file
from variant_engine.loading import shipped_folder

FOLDER = os.environ.get("SIXTYSIX_CASES", "")


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.cases.yaml"))


def failures(path: Path) -> tuple[int, list[str]]:
    """How many cases a file has (one for each ruleset), and what is wrong with those that fail."""
    outcomes, problems = run_file(path)
    bad: list[Outcome] = [outcome for outcome in outcomes if not outcome.passed]
    told = [f"{one.file}:{one.line}: {one.name} [{one.ruleset}]: {one.message}" for one in bad]
    return len(outcomes), told + [problem.message for problem in problems]


@pytest.mark.parametrize("path", files(shipped_folder()), ids=lambda path: path.name)
def test_cases_beside_the_rulesets(path: Path) -> None:
    number, told = failures(path)
    assert number
    assert told == []


def test_every_text_has_cases() -> None:
    names = {path.name.removesuffix(".cases.yaml") for path in files(shipped_folder())}
    assert names >= {"handbook", "foster", "app-af", "howto-no"}


def further() -> list[object]:
    """The further files, or one parameter that skips and says why."""
    if not FOLDER:
        return [pytest.param(None, marks=pytest.mark.skip(reason="SIXTYSIX_CASES names no folder of further cases"))]
    # A folder that is named and has none is a mistake, and fails.
    return list(files(Path(FOLDER)) or [Path(FOLDER) / "none.cases.yaml"])


@pytest.mark.parametrize("path", further(), ids=lambda path: path.name if path else "none")
def test_further_cases(path: Path) -> None:
    assert path.exists(), f"no *.cases.yaml in {FOLDER}"
    number, told = failures(path)
    assert number
    assert told == []
