"""Beginning a ruleset: what is written, what is refused, and what watching one prints. And where ids are looked up."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner, Result

import variant_engine as ve
from cli import asking, watching
from cli.main import app
from variant_engine import authoring
from variant_engine.cases import HOLDS, read_cases, run_file
from variant_engine.checking import check_files, check_text
from variant_engine.compare.examples import examples
from variant_engine.diagnostics import RuleFileError
from variant_engine.loading import load, user_rulesets
from variant_engine.options import OPTIONS
from variant_engine.rulebook import rulebook
from variant_engine.ruleset import ContradictoryOptions
from variant_engine.shelf import PATH_VARIABLE

ROOT = Path(__file__).resolve().parent.parent
CHANGES: dict[str, str | int] = {"closing_talon_min": 4, "claim_forfeit": 3}
IDS = [head.id for head in ve.rulesets()]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(PATH_VARIABLE, raising=False)
    return tmp_path


def run(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(args), prog_name="sixtysix", env={"COLUMNS": "80"})
    assert result.exit_code == code, result.output
    return result


# ---- new -------------------------------------------------------------------------------------------------------------


def test_a_new_ruleset_is_short_checked_and_tested(here: Path) -> None:
    run("new", "three-cards", "--from", "foster", "--set", "closing_talon_min=4", "--set", "claim_forfeit=3")
    file, cases = here / "three-cards.yaml", here / "three-cards.cases.yaml"
    assert check_files([file, cases]) == []
    assert run("test", str(cases)).stdout == "3 passed, 0 failed\n"
    # Each case shows one of the changes.
    assert "2 of 2 own options exercised" in run("test", str(cases), "--coverage").stdout
    rules = load(file)
    assert (rules.id, rules.parent, rules.kind, rules.title) == ("three-cards", "foster", "house", "Three cards")
    foster = ve.load("foster")
    assert {name: value for name, value in rules.values.items() if value != foster[name]} == CHANGES
    text = file.read_text("utf-8")
    assert len(text.splitlines()) < 20
    assert "# What does the adversary score for a false claim?\n  # (foster: 2)\n  claim_forfeit: 3\n" in text
    schema = re.match(r"# yaml-language-server: \$schema=(.*)\n", text)
    assert schema is not None
    assert Path(schema[1]).is_file()


def test_the_cases_tell_a_number_from_its_neighbours_on_both_sides(here: Path) -> None:
    said = run("new", "mine", "--from", "foster", "--set", "closing_talon_min=4", "--set", "claim_forfeit=3").stdout
    text = (here / "mine.cases.yaml").read_text("utf-8")
    rules, cases = load(here / "mine.yaml"), read_cases(here / "mine.cases.yaml")

    def told(name: str, value: int) -> bool:
        return any(case.verdict(rules.replace(**{name: value}))[0] != HOLDS for case in cases)

    assert all(case.verdict(rules)[0] == HOLDS for case in cases)
    # It can be closed with more, and cannot with fewer.
    assert [value for value in (1, 3, 6) if told("closing_talon_min", value)] == [1, 3, 6]
    assert 'name: "closing_talon_min: 4, not 3"' in text
    assert 'name: "closing_talon_min: 4, not 6"' in text
    assert [value for value in (2, 4) if told("claim_forfeit", value)] == [2, 4]
    # Before the lead the talon never has an even number of cards face down, so that four comes to the same as five.
    note = "closing_talon_min: beside the other rules 4 comes to the same as 5"
    assert f"\n{note}\n" in said
    assert f"  # {note}\n" in text


@pytest.mark.parametrize(
    ("parent", "changes", "said"),
    [
        ("foster", ("next_dealer=winner_deals",), "a case is one deal, and this is about what happens between deals"),
        ("foster", ("claim_forfeit=2",), "it is 2 in foster, too"),
        (
            "foster",
            ("pack_cards=20", "hand_cards=5", "exchange_card=jack"),
            "by itself it cannot be nine beside the other changes",
        ),
    ],
)
def test_changes_without_an_example_are_named(
    parent: str, changes: tuple[str, ...], said: str, here: Path
) -> None:
    options = [part for change in changes for part in ("--set", change)]
    told = json.loads(run("new", "mine", "--from", parent, *options, "--json").stdout)
    name = changes[-1].partition("=")[0]
    assert f"no example found for {name}: {said}" in told["notes"]
    assert f"  # no example found for {name}: {said}\n" in (here / "mine.cases.yaml").read_text("utf-8")
    assert run("test", "mine.cases.yaml").stdout.endswith(" 0 failed\n")
    shown = run("new", "mine2", "--from", parent, *options, "-o", "again").stdout
    assert f"no example found for {name}: " in " ".join(shown.split())


def test_one_example_of_two_changes_is_written_once_and_said_to_be() -> None:
    """That the talon can be closed on the first lead shows that it can be closed."""
    parent = ve.load("howto-no").replace(closing_first_lead="not_allowed")
    found = examples(parent, {"closing": "on_lead", "closing_first_lead": "allowed"}, "mine.yaml")
    assert found.notes == ("one example for closing and closing_first_lead: the same deal shows both",)
    (case,) = found.cases
    assert 'rulesets: ["mine.yaml"]' in case


def test_nothing_changed_is_a_ruleset_too(here: Path) -> None:
    run("new", "plain", "--from", "handbook")
    assert load(here / "plain.yaml").values == ve.load("handbook").values


@pytest.mark.parametrize("name", IDS)
def test_the_first_case_holds_under_every_ruleset(name: str, here: Path) -> None:
    authoring.new("mine", name, {}, here).write()
    outcomes, unreadable = run_file("mine.cases.yaml")
    assert [one.passed for one in outcomes] == [True]
    assert unreadable == []


def test_every_option_can_be_changed(here: Path) -> None:
    foster = ve.load("foster")
    for option in OPTIONS:
        value = next(value for value in option.answers() if value != foster[option.name])
        try:
            draft = authoring.new("mine", "foster", {option.name: value}, here)
        except ContradictoryOptions:
            continue
        text = draft.files[here / "mine.yaml"]
        assert yaml.safe_load(text)["options"] == {option.name: value}


def test_data_for_programs(here: Path) -> None:
    data = json.loads(run("new", "mine", "--from", "foster", "--set", "closing=not_played", "--json").stdout)
    assert data["files"] == ["mine.yaml", "mine.cases.yaml"]
    assert data["changes"] == {"closing": "not_played"}


def test_a_change_that_makes_no_difference_is_written_with_a_warning() -> None:
    output = run("new", "mine", "--from", "foster", "--set", "closing=not_played", "--set", "closing_forfeit=3").stdout
    assert "R350" in output


def test_no_file_is_ever_overwritten(here: Path) -> None:
    (here / "mine.cases.yaml").write_text("mine", "utf-8")
    assert "is there already" in run("new", "mine", "--from", "foster", code=2).stderr
    assert sorted(path.name for path in here.iterdir()) == ["mine.cases.yaml"]
    assert (here / "mine.cases.yaml").read_text("utf-8") == "mine"
    (here / "other.yaml").write_text("other", "utf-8")
    run("fork", "foster", "other", code=2)
    assert (here / "other.yaml").read_text("utf-8") == "other"


@pytest.mark.parametrize("name", ["Mine", "3cards", "a_b", "../x", "x/y", "", "a" * 65, "x.yaml", "no", "a-"])
def test_a_name_must_be_an_id(name: str, here: Path) -> None:
    assert "is no id" in run("new", name, "--from", "foster", code=2).stderr
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("foster", "--from", "handbook"), "called 'foster' already, rulesets/foster.yaml"),
        (("mine", "--from", "fostre"), "did you mean 'foster'?"),
        (("mine", "--from", "foster", "--set", "closng=x"), "closing"),
        (("mine", "--from", "foster", "--set", "hand_cards=15"), "no talon"),
        (
            ("mine", "--from", "foster", "--set", "value_win=2", "--set", "value_win=3"),
            "--set is given twice for 'value_win': 2 and 3",
        ),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(args: tuple[str, ...], said: str, here: Path) -> None:
    assert said in run("new", *args, code=2).stderr
    assert list(here.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(here: Path) -> None:
    (here / "file").write_text("", "utf-8")
    assert "file" in run("new", "mine", "--from", "foster", "-o", "file/below", code=2).stderr


def test_a_parent_of_ones_own_must_lie_in_reach(here: Path) -> None:
    run("new", "mine", "--from", "foster")
    run("new", "second", "--from", "mine.yaml", "--set", "value_win=2")
    assert load(here / "second.yaml").parent == "mine"
    assert "say -o" in run("new", "third", "--from", "mine.yaml", "-o", "below", code=2).stderr
    assert not (here / "below").exists()


def test_titles_are_quoted(here: Path) -> None:
    title = 'A "title": with\\ signs # and ¶'
    run("new", "mine", "--from", "foster", "--title", title)
    assert load(here / "mine.yaml").title == title


# ---- fork ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", IDS)
def test_a_fork_says_everything(name: str, here: Path) -> None:
    run("fork", name, "mine")
    fork, original = load(here / "mine.yaml"), ve.load(name)
    assert fork.id == "mine"
    assert fork.values == original.values
    for option in OPTIONS:
        mine, theirs = fork.evidence[option.name], original.evidence[option.name]
        assert (mine.status, mine.where, mine.why, mine.also) == (theirs.status, theirs.where, theirs.why, theirs.also)
    outcomes, unreadable = run_file("mine.cases.yaml")
    assert unreadable == []
    assert outcomes
    assert all(one.passed for one in outcomes)
    assert "mine.yaml" in {one.ruleset for one in outcomes}
    assert name not in {one.ruleset for one in outcomes}


def test_a_fork_keeps_its_parent_or_is_refused(here: Path) -> None:
    run("new", "mine", "--from", "foster", "--set", "value_win=2")
    run("new", "child", "--from", "mine.yaml")
    run("fork", "child.yaml", "copy")
    assert load(here / "copy.yaml").values == load(here / "child.yaml").values
    assert "which lies beside it" in run("fork", "child.yaml", "copy2", "-o", "below", code=2).stderr


# ---- asking ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def set_to(*given: str) -> None:
        left: Iterator[str] = iter(given)
        monkeypatch.setattr(asking, "_ask", lambda prompt: next(left))

    return set_to


@pytest.mark.parametrize(
    ("given", "changes"),
    [
        (("",), {}),
        (("closing_talon_min", "4", "claim_forfeit", "3", ""), CHANGES),
        (("?", "nonsense", "claim", "claim_when", "on_turn", ""), {"claim_when": "on_turn"}),
        (("closing", "perhaps", "closing", "2", ""), {"closing": "not_played"}),
        (("beat closed", "2", ""), {"head_closed": "required"}),
        (("pack_cards", "31", "pack_cards", "20", "hand_cards", "15", ""), {}),
        (
            ("pack_cards", "20", "exchange_card", "jack", "pack_cards", "20", ""),
            {"exchange_card": "jack", "pack_cards": 20},
        ),
        (("value_win", "2", "value_win", "1", ""), {}),
        (("value_win", "", ""), {}),
    ],
)  # fmt: skip
def test_only_what_is_named_is_asked(
    given: tuple[str, ...], changes: dict[str, str | int], answers: Callable[..., None]
) -> None:
    answers(*given)
    assert asking.ask_changes(ve.load("foster")) == changes


def test_a_pipe_is_not_asked(here: Path) -> None:
    run("new", "mine", "--from", "foster")
    assert (here / "mine.yaml").exists()


# ---- ids in folders of one's own -------------------------------------------------------------------------------------


@pytest.fixture
def shelf(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two folders of rulesets, one of which is not there."""
    folder = here / "shelf"
    authoring.new("mine", "foster", {"value_win": 2}, folder).write()
    monkeypatch.setenv(PATH_VARIABLE, os.pathsep.join([str(here / "missing"), str(folder), ""]))
    return folder


def test_ids_are_found_on_the_shelf(shelf: Path, here: Path) -> None:
    assert ve.load("mine")["value_win"] == 2
    run("new", "child", "--from", "mine", "--set", "value_schwarz=4")
    assert load(here / "child.yaml")["value_win"] == 2
    assert [head.id for head in user_rulesets()] == ["mine"]
    assert "mine" in run("list").stdout
    assert run("test", "mine").stdout == "1 passed, 0 failed\n"
    assert run("check", "mine").stdout == "1 file: no problems\n"
    assert "did you mean 'mine'?" in run("show", "mien", code=2).stderr
    assert "called 'mine' already" in run("new", "mine", "--from", "foster", code=2).stderr


def clash(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    text = (folder / "mine.yaml").read_text("utf-8") if (folder / "mine.yaml").exists() else ""
    (folder / "foster.yaml").write_text((text or HOUSE).replace("id: mine", "id: foster"), "utf-8")


HOUSE = 'format: 1\nid: mine\ntitle: "Mine"\nkind: house\noptions: {}\n'


def test_an_id_that_ships_is_never_chosen_silently(shelf: Path) -> None:
    clash(shelf)
    with pytest.raises(RuleFileError) as caught:
        ve.load("foster")
    found = caught.value.diagnostics[0]
    assert found.code == "X506"
    assert [note.place.spot.file for note in found.notes if note.place] == [
        "rulesets/foster.yaml", str(shelf / "foster.yaml"),
    ]  # fmt: skip
    assert ve.load(str(ROOT / "rulesets" / "foster.yaml")).id == "foster"
    assert "foster.yaml" in run("check", "foster", code=2).stderr


def test_an_id_that_ships_is_warned_of(shelf: Path) -> None:
    (shelf / "foster.yaml").write_text(HOUSE.replace("mine", "foster"), "utf-8")
    found = [one.code for one in check_files([shelf / "foster.yaml"]) if not one.is_error]
    assert found == ["X507", "E417"]
    # It extends foster, and no longer knows which.
    (shelf / "mine.yaml").unlink()
    listed = run("list", "--with", "closing=on_lead")
    assert f"another ruleset is called 'foster', too: name {shelf / 'foster.yaml'} by its path" in listed.stderr
    assert listed.stdout.count("\nfoster ") == 2
    assert run("check").stdout.endswith("no problems\n")


def test_what_is_no_folder_is_said_so(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PATH_VARIABLE, os.pathsep.join([str(shelf), "", "not-there"]))
    listed = run("list")
    assert listed.stderr == "sixtysix: SIXTYSIX_PATH names 'not-there', which is no folder\n"
    assert "mine" in listed.stdout


CHILD = HOUSE.replace("id: mine", "id: child").replace("kind: house", "kind: house\nextends: foster")


def listed_json(*arguments: str) -> dict[str, dict[str, object]]:
    return {one["id"]: one for one in json.loads(run("list", *arguments, "--json").stdout)}


def test_the_list_tells_what_is_inherited(shelf: Path) -> None:
    (shelf / "child.yaml").write_text(CHILD, "utf-8")
    assert re.search(r"^child +house +foster +en +Mine$", run("list").stdout, re.M)
    told = listed_json()["child"]
    assert (told["lineage"], told["language"], told["sound"]) == ("foster", "en", True)


@pytest.mark.parametrize(
    "text", [CHILD.replace("options: {}", "options: {valu_win: 2}"), CHILD.replace("foster", "child"), "[", ""]
)
def test_a_broken_file_is_shown_as_such(shelf: Path, text: str) -> None:
    (shelf / "child.yaml").write_text(text, "utf-8")
    listed = run("list").stdout
    line = " ".join(listed[listed.index("\nchild ") :].split()[:8])
    assert line == "child - - - broken: run sixtysix check"
    assert str(shelf / "child.yaml") in listed
    assert {name for name, one in listed_json().items() if not one["sound"]} == {"child"}
    run("check", "child", code=1)
    having = run("list", "--with", "closing=on_lead")
    assert "child" not in having.stdout
    assert f"child is broken and left out: run sixtysix check {shelf / 'child.yaml'}" in having.stderr


def test_a_link_out_of_the_folder_is_not_followed(shelf: Path, here: Path) -> None:
    (here / "child.yaml").write_text(CHILD, "utf-8")
    assert run("check", str(here / "child.yaml")).stdout == "1 file: no problems\n"
    (shelf / "child.yaml").symlink_to(here / "child.yaml")
    with pytest.raises(RuleFileError) as caught:
        ve.load("child")
    found = caught.value.diagnostics[0]
    assert (found.code, found.spot.file) == ("X504", str(shelf / "child.yaml"))
    assert not listed_json()["child"]["sound"]
    assert f"{shelf / 'child.yaml'}: error[X504]" in run("check", "child", code=1).stdout
    text = CHILD.replace("id: child", "id: third").replace("foster", "child")
    assert [one.code for one in check_text(text, str(here / "nowhere" / "third.yaml"))] == ["X505", "X504"]


COMPOSITE = (
    'format: 1\nid: both\ntitle: "Both"\nkind: composite\nextends: foster\noptions:\n'
    '  value_win: {value: 1, where: ["myatt ¶1.1"]}\n'
)
MYATT = (
    'format: 1\nid: myatt\ntitle: "Myatt"\nkind: attested\nlineage: myatt\nlanguage: en\n'
    f"source: {{type: text, file: myatt.txt, sha256: '{'0' * 64}'}}\noptions:\n"
    + "".join(f"  {one.name}: {{value: {one.neutral}, status: silent, why: nothing}}\n" for one in OPTIONS)
)


def test_parents_and_cited_sources_are_looked_for_in_the_same_places(shelf: Path, here: Path) -> None:
    (here / "child.yaml").write_text(CHILD.replace("extends: foster", "extends: mien"), "utf-8")
    (found,) = check_files([here / "child.yaml"])
    assert (found.code, found.help) == ("X501", "did you mean 'mine'?")
    assert "a folder of SIXTYSIX_PATH" in found.message
    both = here / "both.yaml"
    both.write_text(COMPOSITE, "utf-8")
    (found,) = check_files([both])
    assert found.code == "E413"
    assert "a folder of SIXTYSIX_PATH" in found.message
    (shelf / "myatt.yaml").write_text(MYATT, "utf-8")
    assert check_files([both]) == []
    on_the_shelf = rulebook(load(both)).sources
    assert [name for name, _ in on_the_shelf if name == "myatt"] == ["myatt"]
    # What lies beside comes first, and is the same source to both.
    (here / "myatt.yaml").write_text(MYATT.replace('"Myatt"', '"Beside"'), "utf-8")
    assert check_files([both]) == []
    assert any("Beside" in text for _, text in rulebook(load(both)).sources)


def test_a_cited_source_that_is_there_twice_or_elsewhere_is_refused(shelf: Path, here: Path) -> None:
    (here / "both.yaml").write_text(COMPOSITE.replace("myatt", "handbook"), "utf-8")
    (shelf / "handbook.yaml").write_text(MYATT.replace("id: myatt", "id: handbook"), "utf-8")
    (found,) = check_files([here / "both.yaml"])
    assert found.code == "E413"
    assert found.message.startswith("more than one ruleset is called 'handbook': rulesets/handbook.yaml and ")
    (here / "elsewhere.yaml").write_text(MYATT, "utf-8")
    (shelf / "myatt.yaml").symlink_to(here / "elsewhere.yaml")
    (here / "both.yaml").write_text(COMPOSITE, "utf-8")
    (found,) = check_files([here / "both.yaml"])
    assert (found.code, "leads out of its folder" in found.message) == ("E413", True)


def test_a_link_inside_the_folder_is_followed(shelf: Path) -> None:
    (shelf / "child.txt").write_text(CHILD, "utf-8")
    (shelf / "child.yaml").symlink_to(shelf / "child.txt")
    assert listed_json()["child"]["sound"]
    assert ve.load("child").lineage == "foster"


def test_what_is_only_offered_is_told_apart(shelf: Path) -> None:
    (shelf / "child.yaml").write_text(CHILD, "utf-8")
    told = run("list", "--with", "turn_up=seventh_card").stdout
    assert told.startswith("No ruleset has these values.\n\nOnly offered by the source, as another way:\n  foster ")
    assert "  child   turn_up=seventh_card (¶7.5)\n" in told
    both = listed_json("--with", "turn_up=seventh_card", "--with", "closing=on_lead")
    assert {name: one["offers"] for name, one in both.items()} == {
        name: {"turn_up": ["¶7.5"]} for name in ("foster", "child", "mine")
    }
    assert listed_json("--with", "turn_up=seventh_card", "--with", "closing=not_played") == {}
    assert listed_json("--with", "closing=on_lead")["foster"]["offers"] == {}


def test_a_word_that_yaml_may_read_otherwise_is_no_id() -> None:
    assert [one.code for one in check_text(HOUSE.replace("mine", "no"), "no.yaml")] == ["S115"]


def test_a_missing_file_of_cases_is_named(here: Path) -> None:
    (here / "alone.yaml").write_text(HOUSE.replace("mine", "alone"), "utf-8")
    assert "alone.cases.yaml: error[Y103]: there is no such file" in run("test", "alone.yaml", code=2).stderr


def test_a_parent_that_is_there_twice_is_refused(here: Path) -> None:
    clash(here)
    (here / "child.yaml").write_text(HOUSE.replace("mine", "child").replace("options", "extends: foster\noptions"))
    assert [found.code for found in check_files([here / "child.yaml"])] == ["X506"]


def test_the_same_file_twice_is_one(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PATH_VARIABLE, os.pathsep.join([str(shelf), f"{shelf}/.", str(ROOT / "rulesets")]))
    assert ve.load("mine").id == "mine"
    assert ve.load("foster").id == "foster"


# ---- watching --------------------------------------------------------------------------------------------------------


def wrap(text: str, more: str) -> str:
    return text


def test_watching_prints_on_every_save_and_ends_cleanly(here: Path) -> None:
    authoring.new("mine", "foster", {"closing_talon_min": 4}, here).write()
    file = here / "mine.yaml"
    text = file.read_text("utf-8")
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: file.write_text(text.replace("min: 4", "min: 25"), "utf-8"),
        lambda: file.unlink(),
        lambda: file.write_text(text.replace("min: 4", "min: 3 "), "utf-8"),
        lambda: (here / "mine.cases.yaml").write_text("cases: 7\n", "utf-8"),
        lambda: file.unlink(),
        lambda: None,
        lambda: None,
    ]
    said: list[str] = []

    def sleep(_: float) -> None:
        if not steps:
            raise KeyboardInterrupt
        steps.pop(0)()

    watching.watch_file(file, 1, "en", said.append, wrap, sleep)
    states = [text for text in said if text and not text.startswith("---")]
    assert len(states) == 4
    assert [text.partition("mine.yaml")[2] for text in said if text.startswith("---")] == [
        *[""] * 4, " is gone; waiting for it to come back",
    ]  # fmt: skip
    assert states[0].startswith("check: no problems\ntest: 1 passed, 0 failed\n\nClosing\n")
    assert "foster: There must still be at least one face-down card in the talon." in states[0]
    assert "error[" in states[1]
    assert "Closing" not in states[1]
    assert "at least three" in states[2]
    assert "mine.cases.yaml:1" in states[3]


def test_watching_takes_the_file_of_a_ruleset() -> None:
    assert "takes the file" in run("watch", "foster", code=2).stderr


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send")
def test_ctrl_c_is_no_error(here: Path) -> None:
    shutil.copy(ROOT / "rulesets" / "foster.yaml", here / "mine.yaml")
    program = "import sys; from cli.main import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", program, "watch", "mine.yaml", "--interval", "0.05"],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline().startswith("---")
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
