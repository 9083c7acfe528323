"""Every command and every Python example that the README and the docs show is run here."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Set-up commands are what .ci/run does; here they would install into the environment under test.
_SET_UP = re.compile(r"\bpip install\b|\bpytest\b|\bpip wheel\b")


def _blocks(language: str) -> list[tuple[Path, int, str]]:
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in _BLOCK.finditer(text):
            if block[1] == language:
                found.append((page, text.count("\n", 0, block.start()) + 1, block[2]))
    return found


def _commands(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output shown below it."""
    commands: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands:
            commands[-1][1].append(line)
    return [(command, "\n".join(shown)) for command, shown in commands]


def _id(block: tuple[Path, int, str]) -> str:
    return f"{block[0].name}:{block[1]}"


def _matches(shown: str, printed: str) -> bool:
    """Whether what a page shows is what was printed; a line of just ``…`` stands for any number of lines."""
    pattern = "\n".join("(?:.*\n?)*?" if line.strip() == "…" else re.escape(line) for line in shown.splitlines())
    return re.fullmatch(pattern.replace("(?:.*\n?)*?\n", "(?:.*\n)*?") + r"\s*", printed.rstrip() + "\n") is not None


@pytest.mark.parametrize("block", _blocks("console"), ids=_id)
def test_console_block(block: tuple[Path, int, str], tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "SIXTYSIX_HOME": str(tmp_path / "home"),
    }
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    command_file = bin_folder / "sixtysix"
    command_file.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m cli "$@"\n')
    command_file.chmod(0o755)
    environment["PATH"] = f"{bin_folder}{os.pathsep}{environment['PATH']}"
    work = tmp_path / "work"
    work.mkdir()
    for command, shown in _commands(block[2]):
        if _SET_UP.search(command):
            continue
        # "# exit 1" after a command says that this is how it ends.
        expected = int(match[1]) if (match := re.search(r"# exit (\d)$", command)) else 0
        done = subprocess.run(
            ["sh", "-c", command], cwd=work, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == expected, f"{command}\n{done.stdout}{done.stderr}"
        if shown.strip():
            assert _matches(shown, done.stdout + done.stderr), f"{command}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("block", _blocks("python"), ids=_id)
def test_python_block(block: tuple[Path, int, str]) -> None:
    page, line, source = block
    if ">>>" not in source:
        compile(source, f"{page.name}:{line}", "exec")
        return
    test = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), line)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test)
    assert results.failed == 0
