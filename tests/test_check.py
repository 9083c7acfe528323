"""Files that are refused, and exactly what is said about them.

``rejections/NAME.yaml`` is the file, ``rejections/NAME.txt`` what ``check`` prints. After a deliberate change of
wording, ``python tests/test_check.py`` writes the outputs anew, to be read before they are committed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest

from variant_engine.checking import check_files
from variant_engine.codes import codes
from variant_engine.diagnostics import Diagnostic, Place, RuleFileError, as_github, as_json, render
from variant_engine.evidence import Spot
from variant_engine.loading import load
from variant_engine.options import OPTIONS

FOLDER = Path(__file__).parent / "rejections"
NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))
#: Where a file has this line, all options that it does not name are put there, so that it need not repeat them.
THE_REST = "  # … and all other options\n"


def complete(text: str) -> str:
    """A file of the corpus as it is checked."""
    rest = [
        f"  {option.name}: {{value: {option.neutral}, status: silent, why: nothing is said}}\n"
        for option in OPTIONS
        if f"\n  {option.name}:" not in text
    ]
    return text.replace(THE_REST, "".join(rest))


def copy_corpus(folder: Path) -> None:
    """All files of the corpus, complete, in another folder."""
    for path in FOLDER.glob("*.yaml"):
        content = path.read_bytes()
        if THE_REST.encode() in content:
            (folder / path.name).write_bytes(complete(content.decode()).encode())
        else:
            shutil.copy(path, folder)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rejections")
    copy_corpus(folder)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_rejection(name: str, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(corpus)
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert render(check_files([f"{name}.yaml"])) + "\n" == expected


def test_every_file_has_its_output() -> None:
    assert len(NAMES) >= 60
    bases = {"base-five"}
    assert {path.stem for path in FOLDER.glob("*.yaml")} == set(NAMES) | bases


#: What a file of the corpus cannot show: the file itself is at fault, or it needs a text or another folder beside it.
NOT_IN_A_FILE = {"Y101", "Y102", "Y103", "Y104", "Y105", "E416", "X504", "X506", "X507"}


def test_every_code_of_a_rule_file_is_in_the_corpus() -> None:
    outputs = "".join((FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name in NAMES)
    shown = set(re.findall(r"(?:error|warning)\[(\w+)\]", outputs))
    assert shown == {code for code in codes() if code[0] in "YSREXC"} - NOT_IN_A_FILE


def test_every_file_shows_another_mistake() -> None:
    kinds: dict[str, str] = {}
    for name in NAMES:
        output = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
        said = re.findall(r"(?:error|warning)\[\w+\]: .*|  help: .*|: note: .*", output)
        # What is the same but for names and numbers is the same mistake.
        kind = re.sub(r"'[^']*'|\b\d+", "_", "\n".join(said))
        assert kind not in kinds or {name, kinds[kind]} == {"cycle-one", "cycle-two"}, (name, kinds[kind])
        kinds[kind] = name
    assert len(kinds) >= 60


def test_all_files_are_checked_at_once(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(corpus)
    found = check_files(["no-talon.yaml", "tab.yaml", "absent.yaml"])
    assert [(each.spot.file, each.code) for each in found] == [
        ("no-talon.yaml", "R302"),
        ("no-talon.yaml", "R301"),
        ("tab.yaml", "Y108"),
        ("absent.yaml", "Y103"),
    ]


def test_what_stands_in_a_file_is_said_once(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(corpus)
    found = check_files(["unknown-value.yaml", "broken-parent.yaml"])
    assert [each.code for each in found] == ["S112", "X505"]


def test_load_raises_with_all_diagnostics(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(corpus)
    with pytest.raises(RuleFileError) as caught:
        load("unknown-option.yaml")
    assert [found.code for found in caught.value.diagnostics] == ["S110"] * 4
    assert "unknown-option.yaml:6:3: error[S110]" in str(caught.value)


def test_warnings_do_not_keep_a_file_from_loading(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(corpus)
    assert load("dead-option.yaml")["closing_draw"] == "either"
    assert [found.severity for found in check_files(["dead-option.yaml"])] == ["warning", "warning"]


def test_unknown_ids_are_answered_with_the_nearest() -> None:
    with pytest.raises(RuleFileError) as caught:
        load("fostre")
    assert str(caught.value) == "fostre: error[X501]: no ruleset is called 'fostre'\n  help: did you mean 'foster'?"


def test_a_link_out_of_the_folder_is_no_parent(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "base.yaml").write_text("format: 1\nid: base\ntitle: Base\nkind: house\noptions: {}\n")
    (inside / "child.yaml").write_text("format: 1\nid: child\ntitle: C\nkind: house\nextends: base\noptions: {}\n")
    (inside / "base.yaml").symlink_to(outside / "base.yaml")
    assert [found.code for found in check_files([inside / "child.yaml"])] == ["X504"]


def test_a_long_line_of_ancestors_is_refused(tmp_path: Path) -> None:
    for number in range(1000):
        (tmp_path / f"r{number}.yaml").write_text(
            f"format: 1\nid: r{number}\ntitle: R\nkind: house\nextends: r{number + 1}\noptions: {{}}\n"
        )
    assert {found.code for found in check_files([tmp_path / "r0.yaml"])} == {"X503", "X505"}


def test_github_style_escapes_what_the_runner_reads() -> None:
    place = Place(Spot("a,b:c.yaml", 3, 5), 8, "x")
    found = Diagnostic("S111", "100 %\nand more", place, "help\ntext")
    assert as_github(found) == (
        "::error file=a%2Cb%3Ac.yaml,line=3,col=5,endColumn=8,title=S111::100 %25%0Aand more%0Ahelp: help%0Atext"
    )
    whole = Diagnostic("Y103", "there is no such file", Place.whole("x.yaml"), severity="warning")
    assert render([whole], "github") == "::warning file=x.yaml,title=Y103::there is no such file"


def test_json_has_places_and_notes(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(corpus)
    (found,) = check_files(["conflict-with-parent.yaml"])
    data = json.loads(json.dumps(as_json(found)))
    assert (data["code"], data["line"], data["column"], data["end_column"]) == ("R303", 7, 17, 18)
    assert data["notes"] == [
        {
            "message": "'hand_cards' is 5, which comes from the parent 'base-five'",
            "file": "base-five.yaml",
            "line": 6,
            "column": 15,
            "end_column": 16,
        }
    ]


def write_outputs() -> None:
    """Write what is said now about every file of the corpus."""
    with tempfile.TemporaryDirectory() as name:
        copy_corpus(Path(name))
        os.chdir(name)
        for path in sorted(FOLDER.glob("*.yaml")):
            if not path.name.startswith("base-"):
                found = check_files([path.name])
                (FOLDER / f"{path.stem}.txt").write_text(render(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_outputs()
