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


def _blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """The blocks of a language on a page, each with its line."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, block.start()) + 1, block[2]) for block in _BLOCK.finditer(text) if block[1] == language
    ]


def _commands(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output shown below it."""
    commands: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands:
            commands[-1][1].append(line)
    return [(command, "\n".join(shown)) for command, shown in commands]


def _matches(shown: str, printed: str) -> bool:
    """Whether what a page shows is what was printed; a line of just ``…`` stands for any number of lines."""
    pattern = "\n".join("(?:.*\n?)*?" if line.strip() == "…" else re.escape(line) for line in shown.splitlines())
    return re.fullmatch(pattern.replace("(?:.*\n?)*?\n", "(?:.*\n)*?") + r"\s*", printed.rstrip() + "\n") is not None


def _pages(language: str) -> list[Path]:
    return [page for page in PAGES if _blocks(page, language)]


@pytest.mark.parametrize("page", _pages("console"), ids=lambda page: page.name)
def test_console_blocks(page: Path, tmp_path: Path) -> None:
    """The commands of a page, one after the other in one folder, as a reader would type them."""
    bin_folder, work = tmp_path / "bin", tmp_path / "work"
    for folder in (bin_folder, work):
        folder.mkdir()
    command_file = bin_folder / "sixtysix"
    command_file.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m cli "$@"\n')
    command_file.chmod(0o755)
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "SIXTYSIX_HOME": str(tmp_path / "home"),
    }
    for line, block in _blocks(page, "console"):
        for command, shown in _commands(block):
            if _SET_UP.search(command):
                continue
            # "# exit 1" after a command says that this is how it ends.
            expected = int(match[1]) if (match := re.search(r"# exit (\d)$", command)) else 0
            shell = ["sh", "-c", command]
            done = subprocess.run(
                shell, cwd=work, env=environment, capture_output=True, text=True, timeout=120, check=False
            )
            printed = done.stdout + done.stderr
            assert done.returncode == expected, f"{page.name}:{line}: {command}\n{printed}"
            if shown.strip():
                assert _matches(shown, printed), f"{page.name}:{line}: {command}\n{printed}"


@pytest.mark.parametrize("page", _pages("python"), ids=lambda page: page.name)
def test_python_blocks(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of a page, one after the other: sessions as doctests, programs just run."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for line, source in _blocks(page, "python"):
        if ">>>" not in source:
            exec(compile(source, f"{page.name}:{line}", "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(source, names, page.name, str(page), line)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        assert runner.run(test, clear_globs=False).failed == 0, f"{page.name}:{line}"
        names = test.globs
