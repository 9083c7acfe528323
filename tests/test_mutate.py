"""The mutation script itself: what it changes, that its explanations are of something, and one small run."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.mutants import MODULES, Mutant, all_mutants
from tests.mutate import Report, Verdict, explanations

ROOT = Path(__file__).resolve().parents[1]


@cache
def mutants() -> tuple[Mutant, ...]:
    return tuple(all_mutants(ROOT))


@pytest.mark.parametrize("module", MODULES)
def test_every_function_has_mutants(module: str) -> None:
    tree = ast.parse((ROOT / "variant_engine" / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8"))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert functions <= {mutant.function for mutant in mutants() if mutant.module == module}


def test_every_row_has_mutants() -> None:
    from variant_engine.narrowing import NARROWINGS

    rows = [mutant.change for mutant in mutants() if mutant.function == "NARROWINGS"]
    assert sum(change.partition(" => ")[2].split(" #")[0] == "values=()" for change in rows) == len(NARROWINGS)


def test_mutants_can_be_told_apart_and_run() -> None:
    assert len({mutant.key for mutant in mutants()}) == len(mutants())
    for mutant in mutants()[::40]:
        before = ast.dump(mutant.source.tree)
        assert mutant.code().co_consts
        assert ast.dump(mutant.source.tree) == before


def test_explanations_are_of_mutants_and_say_why() -> None:
    known = {mutant.key for mutant in mutants()}
    for key, why in explanations().items():
        assert key in known, key
        assert len(why.split()) >= 4, key


def test_a_report_is_fine_only_with_nothing_left() -> None:
    report = Report()
    for outcome in ("killed", "killed", "explained"):
        report.add(Verdict("engine.play", "engine", 1, "a => b", outcome))
    assert report.fine
    assert (report.modules["engine"].mutants, report.modules["engine"].killed) == (3, 2)
    report.add(Verdict("engine.play", "engine", 1, "a => c", "survived"))
    assert not report.fine


@pytest.mark.slow
def test_one_module() -> None:
    """Few mutants, and those of ``narrowing`` and ``encoding`` are not among them: those take an import each."""
    command = [sys.executable, "-m", "tests.mutate", "--module", "rules.claim", "--quick", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    tally = json.loads(done.stdout)["modules"]["rules.claim"]
    assert tally["mutants"] == tally["killed"] + tally["explained"] > 50
