"""The catalogue of codes: every code that the program uses is in it, nothing else, and its examples are true."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from tests.records import example
from variant_engine.cases import run_file
from variant_engine.checking import check_content, check_files
from variant_engine.codes import Code, codes, families, nearest_codes
from variant_engine.options import OPTIONS
from variant_engine.record import RecordError, check, read

ROOT = Path(__file__).resolve().parent.parent
#: Stands in examples for options that need not be written out.
THE_REST = re.compile("  # … (all|and all) (other )?options\n?|  # … all options\n?")
HEAD = {"format": "1", "id": "example", "title": "Example", "kind": "house"}
ATTESTED = {
    **HEAD,
    "kind": "attested",
    "lineage": "example",
    "language": "en",
    "source": f"{{type: text, file: example.txt, sha256: '{'0' * 64}'}}",
}
SHOWN = [code for code in codes().values() if code.wrong is not None]


def used() -> set[str]:
    """The codes that stand in the program's source."""
    found: set[str] = set()
    for folder in ("variant_engine", "cli"):
        for path in (ROOT / folder).rglob("*.py"):
            found |= set(re.findall(r"[\"']([YSRECXP]\d{3})[\"']", path.read_text("utf-8")))
    return found


def test_every_code_is_explained_and_every_explained_code_is_used() -> None:
    assert sorted(codes()) == sorted(used())


def test_entries_are_whole() -> None:
    assert {code.family for code in codes().values()} == set(families())
    for code in codes().values():
        assert code.title, code
        assert code.means.endswith((".", ":")), code
        assert code.do.endswith((".", "`")), code
        assert (code.wrong is None) == (code.right is None) == bool(code.example), code
        assert not code.title.endswith("."), code


def test_the_codes_are_in_order() -> None:
    order = [f"{list(families()).index(name[0])}{name[1:]}" for name in codes()]
    assert order == sorted(order)


def ruleset(piece: str, head: dict[str, str]) -> str:
    """A whole ruleset file with a piece of one in it."""
    names = re.findall(r"^(\w+):", piece, re.MULTILINE)
    before = "".join(f"{name}: {value}\n" for name, value in head.items() if name not in names)
    rest = ""
    if head["kind"] == "attested" and "options: {}" not in piece:
        rest = "".join(
            f"  {option.name}: {{value: {option.neutral}, status: silent, why: nothing is said}}\n"
            for option in OPTIONS
            if f"\n  {option.name}:" not in piece
        )
    if "options:" not in piece:
        piece += "\noptions:" + ("\n" if rest else " {}\n")
    piece = THE_REST.sub("", piece + "\n")
    # A directive and its dashes stand before everything else.
    first, dashes, more = piece.partition("---\n") if piece.startswith("%") else ("", "", piece)
    return first + dashes + before + more + rest


def found_in(code: Code, piece: str, folder: Path) -> list[str]:
    """The codes of what is wrong with a piece of a file."""
    if code.family == "C":
        file = folder / "example.cases.yaml"
        file.write_text(piece, "utf-8")
        return [problem.code for problem in run_file(file)[1]]
    if code.family == "P":
        assert code.right
        text = example()
        assert code.right in text
        try:
            deals = check(read(text.replace(code.right, piece, 1)))
            return [found.code for played in deals for found in played.problems]
        except RecordError as error:
            return [found.code for found in error.diagnostics]
    attested = code.family == "E" and "kind:" not in piece
    text = ruleset(piece, ATTESTED if attested else HEAD)
    if code.name in ("E401", "E402") and piece == code.wrong:
        # What is wrong is that the key is not there.
        text = text.replace(f"{piece}\n", "", 1)
    codes_found = [found.code for found in check_content(text.encode(), folder / "example.yaml")]
    # These files are short, which is what they are warned of.
    return [found for found in codes_found if found != "E417" or code.name == "E417"]


@pytest.mark.parametrize("code", SHOWN, ids=lambda code: code.name)
def test_what_is_shown_as_wrong_has_the_code(code: Code, tmp_path: Path) -> None:
    assert code.wrong is not None
    (tmp_path / "example.yaml").write_text("format: 1\n", "utf-8")
    assert code.name in found_in(code, code.wrong, tmp_path)


@pytest.mark.parametrize("code", SHOWN, ids=lambda code: code.name)
def test_what_is_shown_as_right_is_right(code: Code, tmp_path: Path) -> None:
    assert code.right is not None
    assert found_in(code, code.right, tmp_path) == []


def run(*args: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, ["explain", *args], prog_name="sixtysix", env={"COLUMNS": "80"})
    assert result.exit_code == status, result.output
    return result.output


def test_explain() -> None:
    assert run("r301") == (
        "R301: no talon is left\n\n"
        "Two hands take so many cards that not even a turn-up and one more card are left.\n\n"
        "Wrong:\n  options:\n    hand_cards: 12\n\n"
        "Right:\n  options:\n    hand_cards: 6\n\n"
        "What to do: Smaller hands, or a larger pack.\n"
    )
    assert "Example: a file of a gigabyte" in run("Y105")
    assert "\\tclosing" in run("Y108")
    assert "(without 6. A 66)" in run("P740")


def test_explain_lists_all() -> None:
    listed = run()
    assert all(f"\n{name}  " in listed for name in codes())
    assert [one["code"] for one in json.loads(run("--json"))] == list(codes())
    assert json.loads(run("S110", "--json"))[0]["about"] == families()["S"]


def test_unknown_codes_are_answered_with_the_nearest() -> None:
    assert run("R031", status=2) == "sixtysix: there is no code 'R031'; did you mean R301?\n"
    assert all(len(nearest_codes(f"{letter}{number}")) <= 3 for letter in families() for number in range(0, 1000, 9))
    assert run("R350x", status=2) == "sixtysix: there is no code 'R350x'; did you mean R350?\n"
    assert run("X599", status=2) == (
        "sixtysix: there is no code 'X599'; there are X501 to X507: 'sixtysix explain' lists all\n"
    )
    last = [name for name in codes() if name[0] == "R"][-1]
    assert run("r9999", status=2) == (
        f"sixtysix: there is no code 'r9999'; there are R301 to {last}: 'sixtysix explain' lists all\n"
    )
    assert run("hello", status=2) == "sixtysix: there is no code 'hello'; 'sixtysix explain' lists all\n"
    assert nearest_codes("") == ()


def test_what_check_prints_can_be_explained(tmp_path: Path) -> None:
    file = tmp_path / "example.yaml"
    file.write_text("format: 2\n", "utf-8")
    assert {found.code for found in check_files([file])} <= set(codes())
