"""What importing the package costs: nothing that only some commands need. In a fresh interpreter, for a true answer."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ("yaml", "jsonschema", "numpy", "numba", "typer", "pydantic", "hypothesis")


def loaded(code: str, *, whole: bool = False) -> set[str]:
    """The top-level modules (``whole``: all) that a fresh interpreter has loaded after running some code."""
    program = f"{code}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    names = json.loads(done.stdout.splitlines()[-1])
    return set(names) if whole else {name.partition(".")[0] for name in names}


def test_importing_the_package_loads_nothing_heavy() -> None:
    modules = loaded("import variant_engine")
    assert "variant_engine" in modules
    assert modules.isdisjoint(HEAVY)


def test_dealing_and_playing_loads_nothing_heavy() -> None:
    """The core, the table and the players work without them once there is a ruleset."""
    code = """
import variant_engine as ve
from variant_engine.encoding import neutral_values
from variant_engine.evidence import Evidence
from variant_engine.players import PLAYERS
from variant_engine.ruleset import Ruleset
values = neutral_values()
rules = Ruleset(id="x", title="x", kind="house", lineage="", language="", summary="", source=None, parent=None,
                file="", values=values, evidence={name: Evidence(value) for name, value in values.items()})
deal = ve.deal(rules, seed=7)
while not deal.over:
    deal = deal.play(PLAYERS["greedy"](deal.view(deal.to_move), None))
assert deal.result is not None
"""
    assert loaded(code).isdisjoint(HEAVY)


def test_the_check_can_fail() -> None:
    assert "yaml" in loaded("import variant_engine as ve; ve.load('foster')")


@pytest.mark.parametrize("name", ["numba", "numpy"])
def test_loading_a_ruleset_needs_no_compiler(name: str) -> None:
    assert name not in loaded("import variant_engine as ve; ve.load('foster')")


def test_what_the_package_offers() -> None:
    """The names of the public interface are there, and are what they say."""
    code = """
import variant_engine as ve
assert all(hasattr(ve, name) for name in ve.__all__), ve.__all__
missing = {"Deal", "Game", "IllegalMove", "Move", "Result", "View", "deal", "game", "load", "parse", "position",
           "rulesets"} - set(ve.__all__)
assert not missing, missing
"""
    loaded(code)


def test_rulesets_stays_a_function_where_the_package_of_that_name_is_installed() -> None:
    """The data package ``variant_engine.rulesets`` must never be imported: it would hide ``ve.rulesets()``."""
    modules = loaded("import variant_engine as ve; ve.load('foster'); assert len(ve.rulesets()) >= 6", whole=True)
    assert "variant_engine.rulesets" not in modules
