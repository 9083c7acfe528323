"""The commands about records, from the outside: what they print, their JSON, and their exit codes."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

import variant_engine as ve
from cli.main import app
from tests.records import PLAY, example, foster, hash_of
from tests.test_record_proof import play as play_committed
from tests.test_record_proof import play_game as play_committed_game
from tests.test_record_store import play_game
from variant_engine.record import check, read
from variant_engine.record.proof import new_secret
from variant_engine.record.recorder import create
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
    assert "unfinished after 1 move" in run("replay", "y.p66").output


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


def test_an_export_without_all_deals_of_a_game_is_said_to_be_one() -> None:
    play_game(Store(), ("Anna", "greedy"), {1: "greedy"}, 5)
    whole = run("record", "export")
    assert whole.stderr == ""
    results = [deal["winner"] for deal in json.loads(run("record", "list", "--json").output)["deals"]]
    assert {"A", "B"} <= set(results)
    part = run("record", "export", "--result", max(set(results), key=results.count), "--out", "part.p66")
    assert "not all deals of a game are exported" in part.stderr
    assert "error[P745]" in run("replay", "part.p66", code=1).output


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
    play_committed_game(tmp_path / "y.p66", foster(), {1: "greedy"}, Random(1))
    printed = run("verify", "y.p66").output
    assert printed.startswith("deal 1: proved")
    assert printed.endswith(": the whole game\nproved\n")
    data = json.loads(run("verify", "y.p66", "--json").output)
    assert data["proved"]
    assert [(game["game"], game["whole"]) for game in data["games"]] == [("g", True)]
    assert [found["what"] for found in data["deals"][0]["findings"]] == ["record", "commitment", "shuffle", "bot B"]


def test_verify_withholds_proof_where_deals_are_missing(tmp_path: Path) -> None:
    text = play_committed_game(tmp_path / "y.p66", foster(), {1: "greedy"}, Random(1))
    (tmp_path / "z.p66").write_text(text.rpartition("\n\n")[0] + "\n")
    printed = run("verify", "z.p66", code=1).output
    assert "deal 1: proved" in printed
    assert "not the whole game: it lacks its end" in printed
    assert printed.endswith("proved for these deals only, not for a whole game\n")
    data = json.loads(run("verify", "z.p66", "--json", code=1).output)
    assert not data["proved"]
    assert all(deal["proved"] for deal in data["deals"])
    assert data["games"][0]["missing"]


def test_verify_says_that_no_bot_played(tmp_path: Path) -> None:
    play_committed(tmp_path / "y.p66", foster(), {}, new_secret(foster()), Random(1))
    assert "bots        holds  none played; no bots' moves were checked" in run("verify", "y.p66", code=1).output
    play_committed(tmp_path / "z.p66", foster(), {1: "greedy"}, new_secret(foster(), bots={1: "greedy"}), Random(1))
    text = (tmp_path / "z.p66").read_text().replace('[Bots "B greedy"]\n', "")
    (tmp_path / "z.p66").write_text(text)
    printed = run("verify", "z.p66", code=1).output
    assert "deal 1: not proved" in printed
    assert "commitment  DOES NOT HOLD" in printed
    assert "the record names none; no bots' moves were checked" in " ".join(printed.split())
    assert "not proved: 0 of 1 deal proved" in printed


@pytest.mark.parametrize("missing", [True, False])
def test_a_deal_whose_rules_are_not_here_is_not_refuted(tmp_path: Path, missing: bool) -> None:
    """Rules that are nowhere, and rules that have changed: it cannot be told whether such a deal holds."""
    old, new = ('"foster"', '"own"') if missing else (foster().hash, "sha256:" + "0" * 64)
    (tmp_path / "x.p66").write_text(example().replace(old, new))
    printed = run("verify", "x.p66", code=2).output
    assert "record  not checked" in printed
    assert "DOES NOT HOLD" not in printed
    assert "not proved: 0 of 1 deal proved" in printed


def test_a_deal_under_way_is_not_refuted(tmp_path: Path) -> None:
    secret = new_secret(foster())
    with create(tmp_path / "y.p66") as recorder:
        recorder.begin(ve.deal(foster(), pack=secret.pack), secret=secret)
    printed = run("verify", "y.p66", code=1).output
    assert "DOES NOT HOLD" not in printed
    assert "error" not in printed


@pytest.mark.parametrize("command", ["list", "show", "export"])
@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--since", "garbage", "--since: 'garbage' is no day; write year, month and day: 2026-11-29"),
        ("--since", "2026-11", "--since: '2026-11' is no day"),
        ("--until", "2026-02-30", "--until: '2026-02-30' is no day"),
        ("--until", "29.11.2026", "--until: '29.11.2026' is no day"),
        (
            "--date",
            "2026-13",
            "--date: '2026-13' is no date; write a year, a month or a day: 2026, 2026-11, 2026-11-29",
        ),
        ("--date", "26", "--date: '26' is no date"),
        ("--ruleset", "Fos ter", "--ruleset: 'Fos ter' is no id of a ruleset"),
        ("--result", "won", "--result: 'won' is no result; write one of A, B, none"),
    ],
)
def test_filters_that_nothing_fits(game: str, command: str, option: str, value: str, said: str) -> None:
    assert said in run("record", command, game, option, value, code=2).output


def test_days_in_the_wrong_order(game: str) -> None:
    words = ("--since", "2026-12-01", "--until", "2026-11-01")
    assert "--until: 2026-11-01 is before 2026-12-01" in run("record", "list", game, *words, code=2).output
    assert "x.p66:1" in run("record", "list", game, "--since", "2026-11-29", "--until", "2026.11.29").output


def test_the_standard_input(game: str) -> None:
    def piped(*words: str, typed: str | bytes = example()) -> Result:
        return CliRunner().invoke(app, list(words), input=typed)

    printed = piped("replay", "-")
    assert printed.exit_code == 0
    assert "checked: 18 moves in 1 deal of <standard input>" in printed.output
    assert "led: CA, by A" in piped("replay", "-", "--at", "1").output
    assert "not proved" in piped("verify", "-").output
    assert "<standard input>:1:1: error[P702]" in piped("replay", "-", typed="x").output
    wrong = piped("replay", "-", typed=b"% P66 1.0\n\xff")
    assert "<standard input>:2:1: error[P703]" in wrong.output
    assert wrong.exit_code == 2
    for words in (("record", "list", "-"), ("record", "export", game, "-"), ("play", "--resume", "-")):
        refused = piped(*words)
        assert refused.exit_code == 2
        assert "standard input" in refused.output


def test_one_is_no_plural(game: str) -> None:
    Store().records.mkdir(parents=True)
    (Store().records / "x.p66").write_text(example())
    assert "\n1 deal in 1 record\n" in run("stats").output
    (Store().records / "x.p66").write_text(example("1. A CA\n"))
    assert "1 deal in 1 record, unfinished\n" in run("stats").output
    assert "after 1 move:" in run("replay", game, "--at", "1").output


def test_the_example_of_the_notation(tmp_path: Path) -> None:
    """Its hash is left open, and --anyway goes over it."""
    (tmp_path / "x.p66").write_text(example(digest="sha256:…"))
    assert "--anyway" in run("replay", "x.p66", code=2).output
    printed = run("replay", "x.p66", "--anyway").output
    assert "warning[P721]: the record leaves the hash of its rules open" in " ".join(printed.split())
    assert "result: A 2 (claim)" in printed


def test_a_record_without_its_rules(tmp_path: Path) -> None:
    (tmp_path / "x.p66").write_text(example().replace('"foster"', '"own"'))
    message = run("replay", "x.p66", code=2).output
    assert "error[P720]" in message
    assert "say where they are with --rules FILE" in message
    assert "rules not found" in run("record", "list", "x.p66").output
    assert "rules not found: " in run("record", "show", "x.p66").output
    (deal,) = json.loads(run("record", "list", "x.p66", "--json").output)["deals"]
    assert (deal["rules_found"], deal["ok"]) == (False, False)
    Store().records.mkdir(parents=True)
    (Store().records / "x.p66").write_text(example().replace('"foster"', '"own"'))
    assert "not counted: x.p66:1: rules not found: own" in run("stats").output
    # Found by now: nobody has to know that the database must be made anew.
    Store().keep_rules(replace(foster(), id="own", file="own.yaml"))
    assert "not counted" not in run("stats").output
    assert "Anna" in run("stats").output


@pytest.mark.parametrize(
    "command", [("replay",), ("record", "list"), ("record", "show"), ("record", "export"), ("stats",), ("verify",)]
)
def test_help_has_an_example_and_the_keys(command: tuple[str, ...]) -> None:
    printed = run(*command, "--help").output
    assert "Example:" in printed
    assert "Keys of --json:" in printed
