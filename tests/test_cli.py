"""The command line: every command as text and as JSON, its errors, its exit codes, and its manners in a pipe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import variant_engine as ve
from cli.main import app
from variant_engine.options import OPTIONS

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = ("list", "show", "check", "explain", "test", "compare", "phases", "deal", "demo")
IDS = [head.id for head in ve.rulesets()]
MAIN = "import sys; sys.argv[0] = 'sixtysix'; from cli.main import main; main()"

HOUSE = 'format: 1\nid: mine\ntitle: "Mine"\nkind: house\nextends: foster\noptions:\n  head_open: required\n'
CASE = """cases:
  - name: "a plain case"
    rulesets: [foster]
    given:
      dealer: B
      trump: H
      turn_up: HT
      talon: [SK, DK, DQ]
      hands: {A: "CK CQ SA S9", B: "HJ ST SQ CA"}
    play: "SA ST"
    expect: {points: {A: %s, B: 0}}
"""


def run(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(args), prog_name="sixtysix", env={"COLUMNS": "80"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


def run_json(*args: str, code: int = 0) -> Any:
    return json.loads(run(*args, "--json", code=code).stdout)


def spawn(*args: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", MAIN, *args], cwd=ROOT, env=os.environ | env, capture_output=True, check=False
    )


@pytest.fixture
def mine(tmp_path: Path) -> str:
    file = tmp_path / "mine.yaml"
    file.write_text(HOUSE, "utf-8")
    return str(file)


# ---- all commands ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_and_the_keys_of_the_json(command: str) -> None:
    shown = run(command, "--help").stdout
    assert f"sixtysix {command}" in shown.split("Example:")[1]
    assert "Keys of --json:" in shown


def test_version() -> None:
    assert run("--version").stdout == f"sixtysix {ve.__version__}\n"


def test_an_unknown_command_is_an_error_with_the_nearest_name() -> None:
    assert "compare" in run("comapre", code=2).stderr


@pytest.mark.parametrize(
    "args",
    [("show", "fostr"), ("phases", "fostr"), ("deal", "fostr", "--seed", "1"), ("demo", "fostr", "--seed", "1"),
     ("compare", "fostr", "handbook")],
)  # fmt: skip
def test_an_unknown_ruleset(args: tuple[str, ...]) -> None:
    result = run(*args, code=2)
    assert result.stdout == ""
    assert "no ruleset is called 'fostr'" in result.stderr
    assert "did you mean 'foster'?" in result.stderr


@pytest.mark.parametrize("args", [("show", "foster"), ("phases", "foster"), ("deal", "foster", "--seed", "1"),
                                  ("demo", "foster", "--seed", "1")])  # fmt: skip
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("closing_drw=either", "there is no option called 'closing_drw'; did you mean 'closing_draw'?"),
        ("closing_draw=eiher", "'eiher' is no value of 'closing_draw'; did you mean 'either'?"),
        ("hand_cards=99", "'hand_cards' must be a whole number from 2 to 15"),
        ("hand_cards=12", "two hands of 12 leave no talon in a pack of 24 cards"),
        ("closing_draw", "--set takes OPTION=VALUE"),
        ("=either", "--set takes OPTION=VALUE"),
    ],
)
def test_a_wrong_change(args: tuple[str, ...], change: str, message: str) -> None:
    result = run(*args, "--set", change, code=2)
    assert result.stdout == ""
    assert result.stderr.startswith(f"sixtysix: {message}")


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("variant_engine.loading.rulesets", interrupted)
    run("list", code=130)


def test_no_colour_and_plain_lines_in_a_pipe() -> None:
    for args in (("compare",), ("show", "foster"), ("--help",)):
        assert b"\x1b" not in spawn(*args).stdout


def test_utf8_in_an_ascii_locale() -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ended = spawn("show", "foster", **ascii_only)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert "¶" in ended.stdout.decode("utf-8")


@pytest.mark.parametrize("args", [("compare", "--all", "--json"), ("show", "foster", "--resolved"), ("list",)])
def test_a_reader_that_leaves_is_no_error(args: tuple[str, ...]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *args], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


# ---- list -----------------------------------------------------------------------------------------------------------


def test_list() -> None:
    data = run_json("list")
    assert [one["id"] for one in data] == IDS
    assert all(set(one) == {"id", "title", "kind", "lineage", "language", "sound", "offers"} for one in data)
    assert all(one["sound"] and not one["offers"] for one in data)
    shown = run("list").stdout
    assert shown.splitlines()[0].split() == ["ID", "KIND", "LINEAGE", "LANG", "TITLE"]
    for name in IDS:
        assert f"\n{name} " in shown


def test_list_by_rule() -> None:
    assert [one["id"] for one in run_json("list", "--with", "pack_cards=20")] == ["schnapsen-vu"]
    both = run_json("list", "--with", "pack_cards=24", "--with", "look_back=last_trick")
    assert [one["id"] for one in both] == ["foster"]
    assert run_json("list", "--with", "pack_cards=32") == []
    assert run("list", "--with", "pack_cards=32").stdout == "No ruleset has these values.\n"
    assert "did you mean 'closing'?" in run("list", "--with", "clossing=x", code=2).stderr
    assert "--with takes OPTION=VALUE" in run("list", "--with", "closing", code=2).stderr


def test_list_reads_heads_only_and_loads_little() -> None:
    code = (
        "import sys, variant_engine.loading as loading\n"
        "loading.load = None\n"
        "from cli.main import app\n"
        "app(['list'], standalone_mode=False)\n"
        "print(sorted({'jsonschema', 'numpy', 'numba', 'rich', 'hypothesis', 'pydantic'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True)
    assert ended.stdout.splitlines()[-1] == "[]"


# ---- show -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", IDS)
def test_show(name: str) -> None:
    rules = ve.load(name)
    data = run_json("show", name)
    departing = [option.name for option in OPTIONS if rules.values[option.name] != option.neutral]
    assert [one["option"] for one in data["options"]] == departing
    assert data["hash"] == rules.hash
    shown = run("show", name).stdout
    assert shown.startswith(f"{name}: ")
    for option in departing:
        assert f"\n  {option} " in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_show_resolved_says_where_every_value_comes_from(mine: str) -> None:
    data = run_json("show", mine, "--resolved", "--set", "double_game=single")
    assert [one["option"] for one in data["options"]] == [option.name for option in OPTIONS]
    by_name = {one["option"]: one for one in data["options"]}
    assert (by_name["head_open"]["status"], by_name["head_open"]["ruleset"]) == ("house", "mine")
    assert by_name["turn_up"]["ruleset"] == "foster"
    assert (by_name["double_game"]["status"], by_name["double_game"]["file"]) == ("set", None)
    assert data["changes"] == {"double_game": "single"}
    shown = run("show", mine, "--resolved", "--set", "double_game=single").stdout
    assert "changed: double_game=single" in shown
    assert "(from foster)" in shown
    assert "--set" in shown


def test_show_neutral_values(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(HOUSE.replace("extends: foster\n", ""), "utf-8")
    lines = run("show", str(file), "--resolved").stdout.splitlines()
    assert next(line for line in lines if line.startswith("  follow_open ")).split() == [
        "follow_open", "free", "neutral", "neutral",
    ]  # fmt: skip


def test_show_why() -> None:
    data = run_json("show", "handbook", "--why", "closing_draw")
    assert (data["option"], data["status"], data["readings"][0]["value"]) == (
        "closing_draw", "ambiguous", data["value"],
    )  # fmt: skip
    assert set(data["others"]) == set(IDS) - {"handbook"}
    shown = run("show", "handbook", "--why", "closing_draw").stdout
    for word in ("ambiguous", "¶10.1", "rulesets/handbook.yaml:", "reading", "Other values", "Other rulesets"):
        assert word in shown
    assert "did you mean 'closing_draw'?" in run("show", "handbook", "--why", "closing_drw", code=2).stderr


def test_show_why_of_a_number_and_of_other_ways() -> None:
    assert "20, 24 or 32 cards" in run("show", "foster", "--why", "pack_cards").stdout
    assert "also" in run("show", "foster", "--why", "turn_up").stdout


# ---- check ----------------------------------------------------------------------------------------------------------


def test_check_shipped_files() -> None:
    assert run("check").stdout == f"{len(IDS)} files: no problems\n"
    assert run("check", "foster", str(ROOT / "rulesets/foster.cases.yaml")).stdout == "2 files: no problems\n"


def test_check_finds_problems(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(HOUSE.replace("head_open: required", "head_opn: required"), "utf-8")
    shown = run("check", str(file), code=1).stdout
    assert f"{file}:7:3: error[" in shown
    assert "head_open" in shown
    assert shown.endswith("1 file: 1 problem; 1 can be fixed with --fix\n")
    data = run_json("check", str(file), code=1)
    assert (data["files"], data["errors"], data["warnings"]) == ([str(file)], 1, 0)
    assert (data["problems"][0]["line"], data["problems"][0]["column"]) == (7, 3)
    assert run("check", "--format", "github", str(file), code=1).stdout.startswith("::error file=")


def test_check_warnings_alone_are_no_failure(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(HOUSE.replace("head_open: required", "closing_first_lead: allowed\n  closing_forfeit: 4"), "utf-8")
    assert run("check", str(file)).stdout.endswith("1 file: no problems, 1 warning\n")
    assert run("check", "--format", "github", str(file)).stdout.startswith("::warning ")


def test_check_what_cannot_be_opened(tmp_path: Path) -> None:
    assert "there is no such file" in run("check", str(tmp_path / "none.yaml"), code=2).stdout
    (tmp_path / "old.yml").write_text(HOUSE, "utf-8")
    assert "old.yaml" in run("check", str(tmp_path / "old.yml"), code=2).stdout
    assert run("check", "--format", "svg", code=2).stderr.startswith("sixtysix: --format takes text or github")


# ---- test -----------------------------------------------------------------------------------------------------------


def test_test_shipped_cases() -> None:
    data = run_json("test")
    assert set(data) == {"passed", "failed", "cases"}
    assert data["failed"] == 0
    assert data["passed"] == len(data["cases"]) > 0
    assert run("test").stdout == f"{data['passed']} passed, 0 failed\n"
    assert {one["ruleset"] for one in run_json("test", "foster")["cases"]} == {"foster"}


def test_test_a_failing_case(tmp_path: Path) -> None:
    file = tmp_path / "some.cases.yaml"
    file.write_text(CASE % 21, "utf-8")
    assert run("test", str(file)).stdout == "1 passed, 0 failed\n"
    file.write_text(CASE % 20, "utf-8")
    data = run_json("test", str(file), code=1)
    assert (data["passed"], data["failed"]) == (0, 1)
    assert data["cases"] == [
        {"file": str(file), "line": 2, "name": "a plain case", "ruleset": "foster", "passed": False,
         "message": data["cases"][0]["message"]}
    ]  # fmt: skip
    assert run("test", str(file), code=1).stdout.startswith(f"{file}:2: a plain case [foster]\n  ")


def test_test_what_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "some.cases.yaml"
    file.write_text((CASE % 21).replace("dealer:", "daeler:"), "utf-8")
    result = run("test", "--json", str(file), code=2)
    assert f"{file}:5:7: error[C600]: unknown key 'daeler'" in result.stderr
    assert json.loads(result.stdout)["failed"] == 1
    result = run("test", "--json", str(tmp_path / "none.cases.yaml"), code=2)
    assert "there is no such file" in result.stderr
    assert json.loads(result.stdout) == {"passed": 0, "failed": 0, "cases": []}


# ---- compare --------------------------------------------------------------------------------------------------------


def test_compare_the_texts() -> None:
    data = run_json("compare")
    assert data["rulesets"] == ["handbook", "foster", "app-af", "app-it", "howto-no"]
    shown = run("compare").stdout
    assert "5 texts of 4 lineages" in shown.splitlines()[0]
    assert max(map(len, shown.splitlines())) <= 80
    for one in data["rows"]:
        assert f"\n{one['option']}: " in shown
    assert len(run_json("compare", "--all")["rows"]) == len(OPTIONS)


def test_compare_some(mine: str) -> None:
    data = run_json("compare", "foster", mine)
    assert data["rulesets"] == ["foster", "mine"]
    assert [one["option"] for one in data["rows"]] == ["head_open"]
    assert data["rows"][0]["values"]["mine"] == {
        "value": "required", "status": "house", "where": [], "file": mine, "line": 7,
    }  # fmt: skip
    assert run("compare", "foster", mine).stdout.startswith("2 rulesets: foster, mine.\n1 of ")


def test_compare_files_with_the_same_id_by_path(tmp_path: Path, mine: str) -> None:
    other = tmp_path / "other" / "mine.yaml"
    other.parent.mkdir()
    other.write_text(HOUSE, "utf-8")
    assert run_json("compare", mine, str(other))["rulesets"] == [mine, str(other)]


def test_compare_needs_two() -> None:
    assert "two rulesets or more" in run("compare", "foster", code=2).stderr
    assert "two rulesets or more" in run("compare", "foster", "foster", code=2).stderr


# ---- phases ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", IDS)
def test_phases(name: str) -> None:
    shown = run("phases", name).stdout
    data = run_json("phases", name)
    for phase in data["phases"]:
        assert f"\n{phase['phase']}, talon {phase['talon']}\n" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert run("phases", name, "--format", "mermaid").stdout.startswith("stateDiagram-v2\n")
    assert run("phases", name, "--format", "graphviz").stdout.startswith(f'digraph "{name}" {{\n')


def test_phases_with_a_change() -> None:
    shown = run("phases", "foster", "--set", "closing=not_played").stdout
    assert "closing=not_played" in shown.splitlines()[0]
    assert "lead, talon closed" not in shown
    assert run("phases", "foster", "--format", "svg", code=2).stderr == (
        "sixtysix: --format takes text, mermaid or graphviz, not 'svg'\n"
    )


# ---- deal and demo --------------------------------------------------------------------------------------------------


def test_deal_is_the_deal_of_the_seed() -> None:
    data = run_json("deal", "foster", "--seed", "7", "--number", "2", "--dealer", "A")
    dealt = ve.deal(ve.load("foster"), seed=7, number=2, dealer=0)
    assert data["code"] == dealt.code
    assert (data["dealer"], data["forehand"], data["seed"], data["number"]) == ("A", "B", 7, 2)
    assert data["hands"] == {"A": list(dealt.hand(0)), "B": list(dealt.hand(1))}
    given = {key: data[key] for key in ("dealer", "trump", "turn_up", "talon", "hands")}
    assert ve.position(ve.load("foster"), given).legal() == dealt.legal()
    shown = run("deal", "foster", "--seed", "7", "--number", "2", "--dealer", "a").stdout
    assert f"Deal {dealt.code} (seed 7, deal 2)\n" in shown
    assert "A deals, B leads" in shown


def test_deal_errors() -> None:
    assert (
        "sixtysix: --dealer: 'Q' is no seat: write A or B"
        in run("deal", "foster", "--seed", "1", "--dealer", "Q", code=2).stderr
    )
    assert "--seed" in run("deal", "foster", code=2).stderr
    assert "--number" in run("deal", "foster", "--seed", "1", "--number", "-1", code=2).stderr


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("players", ["greedy,greedy", "random,greedy"])
def test_demo(name: str, players: str) -> None:
    args = ("demo", name, "--seed", "7", "--players", players)
    data = run_json(*args)
    assert data["players"] == players.split(",")
    shown = run(*args).stdout
    assert shown == run(*args).stdout
    assert data["code"] in shown
    assert max(map(len, shown.splitlines())) <= 80
    for entry in data["entries"]:
        if entry["kind"] == "trick":
            assert f"{entry['number']:>3}.  {entry['leader']} {entry['led']}" in shown
        elif entry["kind"] == "note":
            assert entry["text"] in shown
        else:
            on = f" on {entry['led']}" if entry["led"] else ""
            first = "first " if on else ""
            assert f"{entry['seat']} {first}tries {entry['token']}{on}, but " in shown
    counted = ", ".join(f"{seat} {number}" for seat, number in data["result"]["card_points"].items())
    assert counted in shown.splitlines()[-1]


def test_demo_errors() -> None:
    assert run("demo", "foster", "--seed", "1", "--players", "greddy,random", code=2).stderr == (
        "sixtysix: no player is called 'greddy'; did you mean 'greedy'?\n"
    )
    assert "--players takes two" in run("demo", "foster", "--seed", "1", "--players", "greedy", code=2).stderr


@pytest.mark.parametrize("args", [("list",), ("rules", "foster"), ("explain", "R999"), ("test", "foster", "--json")])
@pytest.mark.parametrize("closed", [1, 2])
def test_a_closed_output_swallows_what_is_written(args: tuple[str, ...], closed: int) -> None:
    def run_closed(close: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", MAIN, *args],
            capture_output=True, text=True, preexec_fn=close, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip

    done, usual = run_closed(lambda: os.close(closed)), run_closed(None)
    assert done.returncode == usual.returncode
    assert (done.stdout, done.stderr) == (("", usual.stderr) if closed == 1 else (usual.stdout, ""))


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    code = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r})\n{MAIN}"
    for args in (["check"], ["new", "mine", "--from", "foster"]):
        gone.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", code, *args],
            capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "sixtysix: the folder in which this runs is gone; go to another one\n"


@pytest.mark.parametrize(
    "args", [("check", "-"), ("new", "mine", "--from", "foster"), ("play", "foster", "--no-record")]
)
def test_a_closed_standard_input_is_an_empty_one(args: tuple[str, ...], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *args],
        cwd=tmp_path, capture_output=True, text=True, preexec_fn=lambda: os.close(0),
        env={**os.environ, "PYTHONPATH": str(ROOT), "SIXTYSIX_HOME": str(tmp_path / "home")},
    )  # fmt: skip
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stderr
