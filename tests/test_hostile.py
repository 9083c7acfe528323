"""Broken and hostile files: whatever is given to a command, it says where and what, soon, and in little memory.

Each file is checked by a process of its own that may use so much memory and time and no more.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from variant_engine.checking import check_files
from variant_engine.codes import codes
from variant_engine.diagnostics import render

ROOT = Path(__file__).resolve().parent.parent
MAIN = "import sys; sys.argv[0] = 'sixtysix'; from cli.main import main; main()"
#: What a command may use: address space in bytes, of which the interpreter and its modules take a third; seconds.
MEMORY, SECONDS = 400 * 1024 * 1024, 20

GIGABYTE = 1 << 30
HEAD = "format: 1\nid: mine\ntitle: Mine\nkind: house\n"


def limited() -> None:
    """Hold the process to what it may use; called in the child."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


def run(folder: Path, *args: str, given: bytes | int = b"") -> subprocess.CompletedProcess[bytes]:
    """A command in a folder, within the limits."""
    # Threads of libraries would each take address space; nothing here needs any.
    env = os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "100"}
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *args],
        cwd=folder,
        env=env,
        stdin=subprocess.PIPE if isinstance(given, bytes) else given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=limited,
    ) as process:
        try:
            out, err = process.communicate(given if isinstance(given, bytes) else None, timeout=120)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(args, process.returncode, out, err)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert done.returncode in (0, 1, 2), done
    return done


def sparse(path: Path) -> None:
    with open(path, "wb") as file:
        file.write(b"title: '")
        file.truncate(GIGABYTE)


def written(content: bytes | str) -> Callable[[Path], None]:
    data = content.encode() if isinstance(content, str) else content

    def write(path: Path) -> None:
        path.write_bytes(data)

    return write


def bomb(levels: int = 60) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


#: What the file is, how it is made, the code that must be said, and the line (0: the file as a whole).
FILES: dict[str, tuple[Callable[[Path], None], str, int]] = {
    "a gigabyte in one scalar": (sparse, "Y105", 0),
    "half a megabyte in one scalar": (written(HEAD + f"summary: {'x' * 500_000}\noptions: {{}}\n"), "", 0),
    "half a megabyte in one key": (written(HEAD + f"{'x' * 500_000}: 1\noptions: {{}}\n"), "Y110", 5),
    "half a megabyte of quotes": (written(HEAD + "summary: " + "'" * 500_001), "Y110", 5),
    "half a megabyte of brackets": (written(HEAD + "options: " + "[" * 500_000), "Y117", 5),
    "half a megabyte of braces": (written(HEAD + "options: " + "{a: " * 120_000), "Y117", 5),
    "half a megabyte of dashes": (written("- " * 250_000), "Y117", 1),
    "half a megabyte of question marks": (written("? " * 250_000), "Y119", 1),
    "half a megabyte of line feeds": (written("\n" * 500_000), "Y118", 0),
    "half a megabyte of colons": (written(":" * 500_000), "Y110", 1),
    "half a megabyte of commas": (written("options: [" + "," * 500_000), "Y110", 1),
    "thousands of unknown keys": (written("".join(f"k{n}: 1\n" for n in range(24_000))), "S110", 1),
    "thousands of unknown options": (
        written(HEAD + "options:\n" + "".join(f"  closing_trick{n}: 1\n" for n in range(20_000))),
        "S110",
        6,
    ),
    "thousands of moved lines": (
        written(HEAD + "options:\n" + "".join(f"{' ' * (n % 3)}closing: on_lead\n" for n in range(20_000))),
        "Y121",
        7,
    ),
    "the same key all along": (written("key: 1\n" * 70_000), "Y120", 2),
    "a list of numbers": (written(HEAD + f"options: [{'1, ' * 40_000}]\n"), "S120", 5),
    "long numbers": (written(HEAD + f"options: {{hand_cards: {'9' * 400_000}}}\n"), "S111", 5),
    "indented further and further": (written("".join(f"{' ' * n}a:\n" for n in range(900))), "Y117", 21),
    "an alias bomb": (written(bomb()), "Y111", 1),
    "a value that is its own child": (written("options: &a [*a]\n"), "Y111", 1),
    "a merge bomb": (written("a: &a {b: 1}\nc: {<<: *a}\n"), "Y111", 1),
    "binary": (written(bytes(range(256)) * 1000), "Y106", 3),
    "nothing but zeros": (written(bytes(10_000)), "Y107", 1),
    "a picture": (written(b"\x89PNG\r\n\x1a\n" + bytes(range(256))), "Y106", 1),
    "UTF-16": (written(HEAD.encode("utf-16")), "Y106", 1),
    "UTF-32": (written(HEAD.encode("utf-32-le")), "Y107", 1),
    "line ends of Windows": (written((HEAD + "options:\n  clsoing: on_lead\n").replace("\n", "\r\n")), "S110", 6),
    "line ends of old": (written((HEAD + "options:\n  clsoing: on_lead\n").replace("\n", "\r")), "S110", 6),
    "a byte order mark": (written(b"\xef\xbb\xbf" + HEAD.encode() + b"options: {clsoing: on_lead}\n"), "S110", 5),
    "two byte order marks": (written(b"\xef\xbb\xbf" * 2 + HEAD.encode()), "Y107", 1),
    "tabs": (written(HEAD + "options:\n\tclosing: on_lead\n"), "Y108", 6),
    "wide characters": (written(HEAD + "summary: 六十六 🂡🂱\noptions: {六: 六}\n"), "S110", 6),
    "commands for a terminal": (written(HEAD + "summary: \x1b[2J\noptions: {}\n"), "Y107", 5),
    "text from right to left": (written(HEAD + "summary: \u202eabc\noptions: {}\n"), "Y107", 5),
    "half a character": (written(HEAD.encode() + b"summary: \xf0\x9f\x82\n"), "Y106", 5),
    "a mark of direction in a comment": (written(HEAD + "# \u200fabc\noptions: {}\n"), "Y107", 5),
    "an escape for a mark of direction": (written(HEAD + 'summary: "\\u200Fabc"\n'), "Y107", 5),
    "half of a pair": (written(HEAD + 'summary: "\\uD800"\n'), "Y107", 5),
    "an escape for a terminal's command": (written(HEAD + 'summary: "\\e[31m"\n'), "Y107", 5),
    "an escape that turns the text around": (written(HEAD + 'summary: "\\u202Eabc"\n'), "Y107", 5),
    "a directive": (written("%YAML 9" + "9" * 100_000 + ".9\n---\na: 1\n"), "Y110", 1),
    "an empty file": (written(""), "Y118", 0),
    "a folder": (lambda path: path.mkdir(), "Y102", 0),
    "a pipe": (lambda path: os.mkfifo(path), "Y102", 0),
    "a link to itself": (lambda path: path.symlink_to(path), "Y104", 0),
    "a link to nowhere": (lambda path: path.symlink_to(path.with_name("absent")), "Y103", 0),
    "a link to an endless device": (lambda path: path.symlink_to("/dev/zero"), "Y102", 0),
}


@pytest.mark.parametrize("what", FILES)
def test_check_says_where_and_what(what: str, tmp_path: Path) -> None:
    make, code, line = FILES[what]
    make(tmp_path / "mine.yaml")
    done = run(tmp_path, "check", "mine.yaml")
    shown = done.stdout.decode()
    if not code:
        assert done.returncode == 0, shown
        return
    place = f"mine.yaml:{line}:" if line else "mine.yaml:"
    assert re.search(rf"^{re.escape(place)}.*(error|warning)\[{code}\]", shown, re.MULTILINE), shown[:2000]
    assert done.returncode == (2 if code in ("Y101", "Y102", "Y103", "Y104", "Y105") else 1)
    assert len(shown) < 40_000
    assert "\x1b" not in shown


SOME = ["a gigabyte in one scalar", "an alias bomb", "binary", "a pipe", "half a megabyte of brackets"]


@pytest.mark.slow
@pytest.mark.parametrize("what", SOME)
@pytest.mark.parametrize("command", ["show", "test", "rules", "compare", "fix"])
def test_other_commands(command: str, what: str, tmp_path: Path) -> None:
    make, code, _ = FILES[what]
    name = "mine.cases.yaml" if command == "test" else "mine.yaml"
    make(tmp_path / name)
    args = {
        "show": ("show", name),
        "test": ("test", name),
        "rules": ("rules", name),
        "compare": ("compare", "foster", name),
        "fix": ("check", "--fix", name),
    }[command]
    done = run(tmp_path, *args)
    assert f"[{code}]" in (done.stdout + done.stderr).decode()
    assert done.returncode in (1, 2)


@pytest.mark.slow
@pytest.mark.parametrize("what", [*SOME, "a folder", "a link to itself", "a link to an endless device"])
def test_a_hostile_parent(what: str, tmp_path: Path) -> None:
    make, _, _ = FILES[what]
    make(tmp_path / "base.yaml")
    (tmp_path / "mine.yaml").write_text(HEAD + "extends: base\noptions: {}\n", "utf-8")
    done = run(tmp_path, "check", "mine.yaml")
    assert re.search(r"^mine.yaml:5:10: error\[X50[15]\]", done.stdout.decode(), re.MULTILINE), done.stdout.decode()


def test_a_parent_that_is_a_link_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "there" / "base.yaml").write_text(HEAD.replace("mine", "base") + "options: {}\n", "utf-8")
    (tmp_path / "here" / "base.yaml").symlink_to(tmp_path / "there" / "base.yaml")
    (tmp_path / "here" / "mine.yaml").write_text(HEAD + "extends: base\noptions: {}\n", "utf-8")
    done = run(tmp_path / "here", "check", "mine.yaml")
    assert b"mine.yaml:5:10: error[X504]" in done.stdout
    # A link that stays inside is as good as a file.
    (tmp_path / "here" / "base.yaml").unlink()
    (tmp_path / "here" / "other.yaml").write_text(HEAD.replace("mine", "base") + "options: {}\n", "utf-8")
    (tmp_path / "here" / "base.yaml").symlink_to("other.yaml")
    assert run(tmp_path / "here", "check", "mine.yaml").returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="no file is called that")
def test_names_of_files_stay_on_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In ``file:line`` lines, in help texts and in refusals: what a terminal would not show is written as an escape."""
    monkeypatch.chdir(tmp_path)
    name = "a\nb\x1b[2J\u2028.yaml"
    Path(name).write_text("format: 1\nid: x\ntitle: X\nkind: house\nextends: foster\noptions: {}\n", "utf-8")
    shown = r"a\nb\x1b[2J\u2028"
    runner = CliRunner()
    result = runner.invoke(app, ["check", name], prog_name="sixtysix")
    assert result.stdout.startswith(f"{shown}.yaml:2:5: error[S116]: the id 'x' is not the name of the file\n")
    assert f"help: write '{shown}', or" in result.stdout
    refused = runner.invoke(app, ["witness", "foster", "handbook", "-o", name])
    assert refused.stderr == f"sixtysix: '{shown}.yaml' is there already; --force overwrites it\n"
    assert f"{shown}.p66: error" in runner.invoke(app, ["replay", name.replace(".yaml", ".p66")]).stderr


def test_a_source_line_is_quoted_without_what_a_terminal_obeys(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    for sign in "\u2028\u2029\x85\u202e":
        file.write_text(f"title: 'a{sign}b'\n", "utf-8")
        (found,) = check_files([file])
        assert "title: 'a\N{REPLACEMENT CHARACTER}b'" in render([found])


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(HEAD, "utf-8")
    file.chmod(0)
    if os.access(file, os.R_OK):
        pytest.skip("this user may read everything; see test_yamlfile for the same without permission")
    assert b"mine.yaml: error[Y104]" in run(tmp_path, "check", "mine.yaml").stdout


# ---- the standard input ---------------------------------------------------------------------------------------------


def test_standard_input(tmp_path: Path) -> None:
    good = (HEAD + "extends: foster\noptions: {closing: on_lead}\n").encode()
    done = run(tmp_path, "check", "-", given=good)
    assert (done.returncode, done.stdout) == (0, b"1 file: no problems\n")
    done = run(tmp_path, "check", "-", given=good.replace(b"closing", b"clsoing"))
    assert done.returncode == 1
    assert done.stdout.startswith(b"<standard input>:6:11: error[S110]: there is no option called 'clsoing'\n")
    # With a name, an id has something to be compared with, and a file of cases is one.
    # What is read from there cannot be mended there.
    assert b"--fix" not in done.stdout + done.stderr
    done = run(tmp_path, "check", "-", "--name", "yours.yaml", given=good)
    assert b"yours.yaml:2:5: error[S116]" in done.stdout
    assert run(tmp_path, "check", "-", "--name", "mine.yaml", given=good).returncode == 0
    done = run(tmp_path, "check", "-", "--name", "x.cases.yaml", given=b"cases:\n  - nmae: x\n")
    assert b"x.cases.yaml:2:5: error[S110]: unknown key 'nmae'" in done.stdout


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (b"", "Y118"),
        (bytes(range(256)), "Y106"),
        (b"[" * 100_000, "Y117"),
        (bomb().encode(), "Y111"),
        (b"title: x\n" * 100_000, "Y105"),
    ],
)
def test_hostile_standard_input(given: bytes, code: str, tmp_path: Path) -> None:
    done = run(tmp_path, "check", "-", given=given)
    assert f"error[{code}]" in done.stdout.decode()
    assert done.returncode == (2 if code == "Y105" else 1)


def test_standard_input_without_end(tmp_path: Path) -> None:
    with open("/dev/zero", "rb") as zeros:
        done = run(tmp_path, "check", "-", given=zeros.fileno())
    assert b"error[Y105]" in done.stdout
    assert done.returncode == 2


def test_whatever_is_said_can_be_explained() -> None:
    assert {code for _, code, _ in FILES.values() if code} <= set(codes())


def test_a_parent_that_is_no_file_is_not_suggested(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ff.yaml")
    (tmp_path / "mine.yaml").write_bytes(b"format: 1\nid: mine\ntitle: x\nkind: house\nextends: ff\noptions: {}\n")
    said = run(tmp_path, "check", "mine.yaml")
    assert said.returncode == 1
    assert "'ff.yaml' lies beside the file, but is no ordinary file" in str(said.stdout) + str(said.stderr)
