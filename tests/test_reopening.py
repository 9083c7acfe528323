"""``record reopen``: deals of a simulation's table as records."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import variant_engine as ve
from cli.main import app
from variant_engine.record import read, replay
from variant_engine.simulate import simulate

pytestmark = pytest.mark.skipif(
    find_spec("pyarrow") is None and not os.environ.get("CI"), reason="pyarrow is not installed"
)
FOSTER = ve.load("foster")


def run(*args: object, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["record", "reopen", *map(str, args)])
    assert result.exit_code == code, result.output
    return result


@pytest.mark.parametrize("shuffle", ["exact", "fast"])
@pytest.mark.parametrize("moves", [True, False])
def test_every_deal_of_a_table(shuffle: str, moves: bool, tmp_path: Path) -> None:
    rules = FOSTER.replace(marriage_plain=30)
    players = ("greedy", "random")
    simulate(rules, 25, 3, players, out=tmp_path / "deals", shuffle=shuffle, moves=moves, compiled=False)
    won = [0, 0]
    for number in range(25):
        text = run(tmp_path / "deals", number).stdout
        (deal,) = read(text).deals
        played = replay(deal)
        assert played.ok
        assert played.end is not None
        result = played.end.result
        assert result is not None
        if result.winner is not None:
            won[result.winner] += result.game_points
        assert ('[Seed "3/' in text) == (shuffle == "exact")
    found = simulate(rules, 25, 3, players, shuffle=shuffle, compiled=False)
    assert won == [round(25 * seat.game_points.value) for seat in found.seats]


def test_forms_and_files(tmp_path: Path) -> None:
    simulate(FOSTER, 5, 3, out=tmp_path / "deals", compiled=False)
    told = json.loads(run(tmp_path / "deals", 4, "--json").stdout)
    file = tmp_path / "four.p66"
    run(tmp_path / "deals", 4, "-o", file)
    assert file.read_text("utf-8") == told["record"]
    assert (told["number"], told["ruleset"], told["rules_hash"]) == (4, "foster", FOSTER.hash)
    assert "is there already" in run(tmp_path / "deals", 4, "-o", file, code=2).stderr


def test_what_cannot_be_reopened(tmp_path: Path) -> None:
    deals = tmp_path / "deals"
    simulate(FOSTER, 5, 3, out=deals, compiled=False)
    assert "holds no deal number 5" in run(deals, 5, code=2).stderr
    assert "holds no simulation" in run(tmp_path, 0, code=2).stderr
    assert "played by other rules" in run(deals, 0, "--rules", "handbook", code=2).stderr
    shard = next(deals.glob("*.parquet"))
    shard.write_bytes(shard.read_bytes()[:500])
    assert "is no whole shard" in run(deals, 0, code=2).stderr
    (deals / "_simulation.json").write_text("{}")
    assert "holds no simulation" in run(deals, 0, code=2).stderr
