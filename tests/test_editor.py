"""Agreement with an editor: the YAML language server reads our schemas, finds our mistakes, and offers our words.

It comes from npm in the version that ``editor/package-lock.json`` pins, into a temporary folder; ``node`` and ``npm``
are needed. These tests run where they are asked for: ``pytest -m editor``.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editor.client import Editor
from tests.test_check import FOLDER, NAMES, complete
from variant_engine.checking import check_text
from variant_engine.diagnostics import Diagnostic
from variant_engine.options import OPTIONS
from variant_engine.schema import KINDS, STATUS_MEANINGS, ruleset_schema

pytestmark = pytest.mark.editor

ROOT = Path(__file__).resolve().parent.parent
HERE = Path(__file__).parent / "editor"
HEAD = "format: 1\nid: mine\ntitle: Mine\nkind: house\noptions:\n"

#: What no schema can say, and so no editor: the name of the file, how others read a number, other files, lists that are
#: too long to be meant.
BEYOND_A_SCHEMA = ("S116", "S118", "S120", "S100")
#: Where the two differ and may: what is said of this file is not of the kind that is compared, or the editor says more.
DIFFERENT = {
    # The mistake is in the parent.
    "broken-parent": "",
    # A key that was meant to be another is not reported as missing too.
    "misspelt-key": "Missing property",
    # After forty problems we stop.
    "too-many-problems": "",
    # A hash of nothing but digits and without quotation marks is a number to the editor.
    "commentary-places": "64 hexadecimal digits",
    # 40.0 and 3.0 are whole numbers to JSON Schema.
    "number-as-words": "",
    "number-with-a-part": "",
}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The language server, installed."""
    npm = shutil.which("npm")
    assert npm, "npm is needed: it installs the language server"
    folder = tmp_path_factory.mktemp("editor")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "node_modules" / "yaml-language-server" / "bin" / "yaml-language-server"


@pytest.fixture(scope="module")
def editor(server: Path) -> Iterator[Editor]:
    with Editor(server) as editor:
        yield editor


def modeline(schema: str = "ruleset") -> str:
    """The first line of our files, by which an editor finds the schema."""
    return f"# yaml-language-server: $schema={ROOT / 'schemas' / f'{schema}.schema.json'}\n"


def utf16(text: str, column: int) -> int:
    """A column as the protocol counts it: in units of UTF-16, from 0."""
    return len(text[: column - 1].encode("utf-16-le")) // 2


def place(found: Diagnostic) -> tuple[int, int]:
    """Where we find a mistake, as the editor would say it. An absent value is one behind the colon to it."""
    line, column = found.spot.line - 1, utf16(found.place.text, found.spot.column)
    absent = found.place.text[found.place.end - 1 :].lstrip().startswith(":")
    if absent and ("nothing is given" in found.message or "found nothing" in found.message):
        column = utf16(found.place.text, found.place.end) + 1
    return line, column


READABLE = [name for name in NAMES if name != "latin-1"]


@pytest.mark.parametrize("name", READABLE)
def test_the_same_places(name: str, editor: Editor) -> None:
    text = modeline("cases" if name.endswith(".cases") else "ruleset") + complete(
        (FOLDER / f"{name}.yaml").read_bytes().decode()
    )
    path = FOLDER / f"{name}.yaml"
    found = check_text(text, path)
    if any(one.code.startswith("Y") for one in found):
        # YAML itself is another parser's business; but what we cannot read, it does not find right.
        assert found[0].code in _ONLY_OURS or editor.problems(path, text), name
        return
    ours = {place(one) for one in found if one.code.startswith("S") and one.code not in BEYOND_A_SCHEMA}
    theirs = editor.problems(path, text)
    known = DIFFERENT.get(name)
    if known is not None:
        theirs = [one for one in theirs if not known or known not in one["message"]]
    places = {(one["range"]["start"]["line"], one["range"]["start"]["character"]) for one in theirs}
    if known == "":
        assert places != ours
    else:
        assert places == ours, [one["message"] for one in theirs]


#: What is no mistake to YAML, or none to this parser, but is refused here: tabs, anchors, directives and the like.
_ONLY_OURS = frozenset(("Y107", "Y108", "Y111", "Y112", "Y113", "Y114", "Y115", "Y116", "Y117", "Y118", "Y119", "Y121"))


def test_shipped_files_are_right(editor: Editor) -> None:
    for path in sorted((ROOT / "rulesets").glob("*.yaml")):
        text = path.read_text("utf-8")
        if not text.startswith("# yaml-language-server"):
            text = modeline("cases") + text
        assert editor.problems(path, text) == [], path.name


def test_every_option_is_offered_with_its_question(editor: Editor) -> None:
    text = modeline() + HEAD + "  \n"
    offered = editor.completions(editor.open(ROOT / "new.yaml", text), 6, 2)
    assert set(offered) == {option.name for option in OPTIONS}
    for option in OPTIONS:
        assert option.question in offered[option.name]


def test_every_key_of_the_head_is_offered(editor: Editor) -> None:
    offered = editor.completions(editor.open(ROOT / "empty.yaml", modeline() + "\n"), 1, 0)
    properties = ruleset_schema()["properties"]
    assert set(properties) <= set(offered)
    assert all(properties[key]["description"] in offered[key] for key in properties if key != "options")


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
def test_every_value_is_offered_with_its_meaning(editor: Editor, long: bool) -> None:
    lines = [(modeline() + HEAD).rstrip("\n")]
    at: dict[str, tuple[int, int]] = {}
    number = lines[0].count("\n") + 1
    for option in OPTIONS:
        line = f"  {option.name}: "
        if long:
            lines.append(f"  {option.name}:")
            number += 1
            line = "    value: "
        lines.append(line)
        at[option.name] = number, len(line)
        number += 1
    uri = editor.open(ROOT / f"values-{long}.yaml", "\n".join(lines) + "\n")
    for option in OPTIONS:
        offered = editor.completions(uri, *at[option.name])
        if option.values:
            assert {token: offered.get(token) for token in option.tokens} == {
                value.token: value.meaning for value in option.values
            }
        else:
            # A number is offered without help; that stands with the option itself.
            assert {str(number) for number in option.allowed or (option.neutral,)} <= set(offered)


def test_statuses_and_kinds_are_offered_with_their_meanings(editor: Editor) -> None:
    text = modeline() + HEAD + "  closing:\n    value: on_lead\n    status: \n"
    assert editor.completions(editor.open(ROOT / "status.yaml", text), 8, 12) == STATUS_MEANINGS
    text = (modeline() + HEAD).replace("kind: house", "kind: ")
    assert editor.completions(editor.open(ROOT / "kind.yaml", text), 4, 6) == KINDS


def test_every_option_and_value_has_help(editor: Editor) -> None:
    text = modeline() + HEAD + "".join(f"  {option.name}: {option.neutral}\n" for option in OPTIONS)
    uri = editor.open(ROOT / "hover.yaml", text)
    for number, option in enumerate(OPTIONS, 6):
        for column in (3, len(option.name) + 4):
            said = editor.hover(uri, number, column)
            plain = said.replace("\\", "")
            assert option.question in plain, said
            for value in option.values:
                assert f"`{value.token}`: {value.meaning}" in plain, said


def test_a_file_of_cases_is_offered_its_keys(editor: Editor) -> None:
    text = modeline("cases") + "cases:\n  - name: x\n    rulesets: [foster]\n    given:\n      \n    expect: {}\n"
    offered = editor.completions(editor.open(ROOT / "new.cases.yaml", text), 5, 6)
    assert {"dealer", "lead", "trump", "turn_up", "talon", "hands", "points", "closer", "at_closing"} <= set(offered)
