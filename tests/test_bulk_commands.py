"""What ``simulate`` and ``impact`` have in common on the command line: the same rules for the same options."""

from __future__ import annotations

import io
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import variant_engine as ve
from cli import simulate as bulk
from cli.main import app
from variant_engine.impact import impact, paired
from variant_engine.simulate import SimulationError, run, sha, simulate

SIMULATE = ("simulate", "foster", "--deals", "20", "--plain")
IMPACT = ("impact", "foster", "handbook", "--deals", "20", "--games", "2", "--plain")
FOSTER = ve.load("foster")
needs_matplotlib = pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")


def command(*arguments: object) -> Any:
    return CliRunner().invoke(app, [*map(str, arguments)])


def refused(*arguments: object) -> str:
    """What is said of a command that cannot be used: one line, and nothing is printed."""
    result = command(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    return str(result.stderr)


# ---- seeds and players --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [SIMULATE, IMPACT])
def test_a_seed_has_at_most_twenty_digits(start: tuple[str, ...]) -> None:
    for seed in (10**20, -(10**20)):
        assert "a seed has at most 20 digits" in refused(*start, "--seed", seed)
    for seed in (10**20 - 1, 1 - 10**20):
        assert command(*start, "--players", "greedy,greedy", "--seed", seed).exit_code == 0


def test_seeds_of_twenty_digits_fit_where_deals_have_the_highest_numbers() -> None:
    """The compiled shuffle of a comparison takes no longer labels."""
    last = paired.GAMES_FROM + paired.MAX_UNITS * paired.GAME_DEALS
    assert sha.fits(1 - 10**run.MOST_SEED_DIGITS, last)


def test_long_seeds_from_python() -> None:
    with pytest.raises(SimulationError, match="at most 20 digits"):
        simulate(FOSTER, 5, 10**20)
    with pytest.raises(SimulationError, match="at most 20 digits"):
        impact(FOSTER, FOSTER, seed=10**20)


@pytest.mark.parametrize("start", [SIMULATE, IMPACT])
def test_players_may_have_spaces_around_them(start: tuple[str, ...]) -> None:
    result = command(*start, "--players", " greedy, random ")
    assert result.exit_code == 0, result.stderr
    assert "greedy" in result.stdout
    assert "did you mean 'greedy'" in refused(*start, "--players", "gredy, random")


# ---- files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "  "])
def test_a_folder_without_a_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "a folder for deals has a name" in refused(*SIMULATE, "--out", name)
    assert list(tmp_path.iterdir()) == []


def test_only_endings_that_are_taken_are_suggested(tmp_path: Path) -> None:
    said = refused(*IMPACT, "-o", tmp_path / "y.xlsx")
    assert "ends in none of .txt, .json, .csv, and" in said
    for ending in (".md", ".html"):
        assert "ends in none of .txt, .json, .csv, and" in refused(*IMPACT, "-o", tmp_path / f"y{ending}")
    assert "--format takes one of text, json, csv, not 'html'" in refused(*IMPACT, "--format", "html")
    for ending in (".txt", ".json", ".csv"):
        assert command(*IMPACT, "-o", tmp_path / f"y{ending}").exit_code == 0


def test_a_file_without_a_name() -> None:
    assert "a file to write has a name" in refused(*IMPACT, "--format", "json", "-o", "")


@needs_matplotlib
def test_one_file_for_table_and_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    said = refused(*IMPACT, "--format", "json", "-o", "impact.svg", "--picture", "sub/../impact.svg")
    assert "-o and --picture both name 'sub/../impact.svg'" in said


# ---- nothing to compare -------------------------------------------------------------------------------------------


def test_a_ruleset_and_itself() -> None:
    result = command("impact", "foster", "foster")
    assert result.exit_code == 0
    said = " ".join(result.stdout.split())
    assert said == "foster, and what changes by foster: nothing, since the two have the same rules. Nothing was played."


def test_one_option_at_a_time() -> None:
    result = command("impact", "foster", "--option", "closing", "--option", "draw_first")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "sixtysix: --option is given twice; one option is changed at a time\n"


def test_an_option_that_bears_on_nothing() -> None:
    said = " ".join(command("impact", "foster", "--option", "first_dealer").stdout.split())
    assert "nothing, since that option bears on no deal, nor on who wins a game. Nothing was played." in said


@needs_matplotlib
def test_no_picture_of_nothing(tmp_path: Path) -> None:
    picture = tmp_path / "impact.svg"
    said = refused("impact", "foster", "foster", "--picture", picture)
    assert "no picture: there is nothing to draw, since the two have the same rules" in said
    assert not picture.exists()


# ---- one deal -----------------------------------------------------------------------------------------------------


def test_one_deal() -> None:
    assert command("simulate", "foster", "--deals", 1).stdout.startswith("foster: 1 deal of seed 0\n")
    result = command("impact", "foster", "handbook", "--deals", 1, "--games", 1, "--plain")
    assert "1 deal and 1 game of seed 0 for each" in " ".join(result.stdout.split())


def test_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first line has no rate, since there is none yet; the next one has."""
    screen = io.StringIO()
    times = iter([0.0, 0.0, 2.0])
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(bulk, "monotonic", lambda: next(times))
    bar = bulk.Bar()
    bar.show(1_000, 11_000)
    assert "/s" not in screen.getvalue()
    assert "1 k of 11 k deals" in screen.getvalue()
    bar.show(5_000, 11_000)
    assert "5 k of 11 k deals, 2 k/s, 3 s left" in screen.getvalue()
