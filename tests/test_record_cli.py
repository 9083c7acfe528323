"""The commands about records, from the outside: what they print, their JSON, and their exit codes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from tests.records import PLAY, example, foster, hash_of
from tests.test_record_proof import play as play_committed
from tests.test_record_store import play_game
from variant_engine.record import check, read
from variant_engine.record.proof import new_secret
from variant_engine.record.store import Store


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SIXTYSIX_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def game(tmp_path: Path) -> str:
    (tmp_path / "x.p66").write_text(example())
    return "x.p66"


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output + str(result.exception)
    return result


def test_replay(game: str) -> None:
    printed = run("replay", game).output
    assert "1. A  CA HJ" in printed
    assert "result: A 2 (claim), card points A 72 B 18" in printed
    assert "checked: 18 moves in 1 deal of x.p66" in printed
    assert all(len(line) <= 80 for line in printed.splitlines())


def test_replay_as_json(game: str) -> None:
    data = json.loads(run("replay", game, "--json").output)
    (deal,) = data["deals"]
    assert deal["ok"]
    assert deal["result"] == {
        "winner": "A", "game_points": 2, "reason": "claim", "card_points": {"A": 72, "B": 18}, "carry": 0,
    }  # fmt: skip
    assert deal["moves"][3]["tokens"] == ["^D9"]


def test_replay_at(game: str) -> None:
    printed = run("replay", game, "--at", "0").output
    assert "after 0 moves: A is to move" in printed
    data = json.loads(run("replay", game, "--at", "1", "--json").output)
    assert data["position"]["led"] == "CA"
    assert data["position"]["hands"]["A"] == ["HK", "DQ", "D9", "CK", "CJ"]
    assert "the deal is over" in run("replay", game, "--at", "18").output
    assert "the deal has 18 moves" in run("replay", game, "--at", "19", code=2).output


def test_replay_at_of_one_of_several_deals(tmp_path: Path) -> None:
    (tmp_path / "y.p66").write_text(example() + "\n" + example("1. A CK\n").removeprefix("% P66 1.0\n"))
    assert "say which one with --deal" in run("replay", "y.p66", "--at", "1", code=2).output
    assert "led: CK, by A" in run("replay", "y.p66", "--deal", "2", "--at", "1").output
    assert "has 2 deals" in run("replay", "y.p66", "--deal", "3", code=2).output
    assert "unfinished after 1 moves" in run("replay", "y.p66").output


def test_replay_under_other_rules(game: str) -> None:
    printed = run("replay", game, "--set", "claim_when=automatic").output
    assert "A 2 (reached)" in " ".join(printed.split())
    assert "claim_when = any_time, rulesets/foster.yaml:" in printed
    data = json.loads(run("replay", game, "--under", "schnapsen-vu", "--json").output)
    (parting,) = data["partings"]
    assert (data["under"], parting["outcome"]) == ("schnapsen-vu", "dealt")
    assert parting["options"][0]["option"] == "pack_cards"
    assert "goes and ends as it did" in run("replay", game, "--under", "foster").output
    assert "no ruleset is called" in run("replay", game, "--under", "nobody", code=2).output
    assert "hand_cards" in run("replay", game, "--set", "hand_cards=13", code=2).output


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (example(PLAY.replace("CA HJ", "CA SK")), 1, "x.p66:7:9: error[P731]"),
        (example(PLAY.replace('"A 2"', '"A 1"')), 1, "error[P742]"),
        (example(PLAY.replace("CA HJ", "CA [HJ")), 2, "error[P704]"),
        (example().replace("foster", "nobody"), 2, "error[P720]"),
        (example().replace(hash_of(), "sha256:" + "0" * 64), 2, "error[P721]"),
        ("", 2, "this is no record"),
    ],
)
def test_records_that_do_not_hold(tmp_path: Path, text: str, code: int, said: str) -> None:
    (tmp_path / "x.p66").write_text(text)
    assert said in run("replay", "x.p66", code=code).output
    if "--json" and code == 1:
        data = json.loads(run("replay", "x.p66", "--json", code=code).stdout)
        assert not data["deals"][0]["ok"]
    run("verify", "x.p66", code=code)


def test_going_on_anyway(tmp_path: Path) -> None:
    (tmp_path / "x.p66").write_text(example().replace(hash_of(), "sha256:" + "0" * 64))
    assert "warning[P721]" in run("replay", "x.p66", "--anyway").output


def test_a_ruleset_of_ones_own(tmp_path: Path) -> None:
    rules = "format: 1\nid: own\ntitle: Own\nkind: house\nextends: foster\noptions:\n  value_win: 1\n"
    (tmp_path / "own.yaml").write_text(rules)
    (tmp_path / "x.p66").write_text(example().replace('"foster"', '"own"'))
    run("replay", "x.p66")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "own.yaml").rename(tmp_path / "elsewhere" / "own.yaml")
    run("replay", "x.p66", code=2)
    run("replay", "x.p66", "--rules", "elsewhere/own.yaml")


def test_files_that_are_not_there() -> None:
    for words in (("replay", "gone.p66"), ("verify", "gone.p66"), ("record", "list", "gone.p66")):
        assert "there is no such file" in run(*words, code=2).output


def test_record_list(game: str) -> None:
    assert "no such deals" in run("record", "list").output
    printed = run("record", "list", game).output
    assert "2026.11.29  foster  Anna - Tibor  4-4    A 2 claim  x.p66:1" in printed
    (deal,) = json.loads(run("record", "list", ".", "--result", "A", "--json").output)["deals"]
    assert (deal["ruleset"], deal["winner"], deal["game_points"], deal["ok"]) == ("foster", "A", 2, True)
    assert "no such deals" in run("record", "list", ".", "--player", "Eva").output
    assert "no result" in run("record", "list", ".", "--result", "C", code=2).output


def test_record_show(game: str) -> None:
    assert "1. A  CA HJ" in run("record", "show", game).output
    data = json.loads(run("record", "show", game, "--json").output)
    assert data["deals"][0]["file"] == "x.p66"
    assert "no such deals" in run("record", "show", game, "--date", "1999").output


def test_record_export(game: str, tmp_path: Path) -> None:
    assert run("record", "export", game).output == example()
    tidied = run("record", "export", game, game, "--tidy").output
    assert [played.ok for played in check(read(tidied))] == [True, True]
    assert "2. A = ^D9" in tidied
    run("record", "export", game, "--out", "y.p66")
    assert (tmp_path / "y.p66").read_text() == example()
    assert "cannot be written" in run("record", "export", game, "--out", "y.p66", code=2).output
    (row,) = csv.DictReader(io.StringIO(run("record", "export", game, "--format", "csv").output))
    assert (row["winner"], row["card_points"]) == ("A", "72 18")
    assert json.loads(run("record", "export", game, "--json").output)["deals"]
    assert "no such deals" in run("record", "export", game, "--player", "Eva", code=1).output
    run("record", "export", game, "--format", "xml", code=2)


def test_stats() -> None:
    assert "0 deals in 0 records" in run("stats").output
    play_game(Store(), ("Anna", "greedy"), {1: "greedy"}, 5)
    printed = run("stats").output
    assert "there was no database" in printed
    assert "foster  Anna    greedy" in printed
    data = json.loads(run("stats", "--json").output)
    assert data["notices"] == []
    assert data["tallies"][0]["player"] == "Anna"
    assert "was rebuilt" in run("stats", "--rebuild").output
    assert "Anna - greedy" in run("record", "list").output
    Store().database.unlink()
    Store().database.mkdir()
    assert "the database cannot be" in run("stats", code=2).output


def test_verify(game: str, tmp_path: Path) -> None:
    assert "not proved" in run("verify", game, code=1).output
    play_committed(tmp_path / "y.p66", foster(), {1: "greedy"}, new_secret(foster()), Random(1))
    printed = run("verify", "y.p66").output
    assert printed.startswith("deal 1: proved")
    data = json.loads(run("verify", "y.p66", "--json").output)
    assert data["proved"]
    assert [found["what"] for found in data["deals"][0]["findings"]] == ["record", "commitment", "shuffle", "bot B"]


@pytest.mark.parametrize(
    "command", [("replay",), ("record", "list"), ("record", "show"), ("record", "export"), ("stats",), ("verify",)]
)
def test_help_has_an_example_and_the_keys(command: tuple[str, ...]) -> None:
    printed = run(*command, "--help").output
    assert "Example:" in printed
    assert "Keys of --json:" in printed
