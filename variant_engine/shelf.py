"""Finding rulesets by id: among those that come with the program, and in the folders of the user's own.

``SIXTYSIX_PATH`` names these folders, several as in ``PATH``. An id that is there twice is refused, naming both files.
"""

from __future__ import annotations

import os
from pathlib import Path

from .diagnostics import Note, Place
from .shipped import CASES, shipped_file, shipped_files
from .textfile import shown_name

#: The variable of the environment that names folders with users' own rulesets.
PATH_VARIABLE = "SIXTYSIX_PATH"

#: A file, and its name as shown to people.
Found = tuple[Path, str]


def user_folders() -> tuple[Path, ...]:
    """The folders with the user's own rulesets."""
    return tuple(Path(name) for name in os.environ.get(PATH_VARIABLE, "").split(os.pathsep) if name)


def user_files() -> list[Path]:
    """The files of the user's own rulesets, folder by folder, by name."""
    found: list[Path] = []
    for folder in user_folders():
        try:
            entries = sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(".yaml"))
        except (OSError, ValueError):
            continue
        found += [folder / name for name in entries if not name.endswith(CASES) and folder / name not in found]
    return found


def known_ids() -> list[str]:
    """Every id that can be asked for, shipped ones first."""
    return list(dict.fromkeys(path.stem for path in [*shipped_files(), *user_files()]))


def files_of(name: str, beside: Found | None = None) -> list[Found]:
    """The files of the rulesets that have an id: the one ``beside``, the shipped one, the user's own; each once."""
    shipped = shipped_file(name)
    found = [beside] if beside is not None else []
    if shipped is not None:
        found.append((shipped, f"rulesets/{name}.yaml"))
    for folder in user_folders():
        path = folder / f"{name}.yaml"
        if _is_file(path):
            found.append((path, shown_name(path)))
    return list({path.resolve(): (path, shown) for path, shown in reversed(found)}.values())[::-1]


def cited_files(name: str, file: Path) -> list[Found]:
    """The files that a composite in ``file`` may mean by an id: the one beside it alone, else as :func:`files_of`."""
    beside = file.with_name(f"{name}.yaml")
    if _is_file(beside) and not leaves(beside):
        return [(beside, shown_name(beside))]
    return files_of(name)


def several(name: str, found: list[Found]) -> tuple[str, tuple[Note, ...]]:
    """What to say of an id that is there more than once: a message, and a note for each file."""
    return f"more than one ruleset is called '{name}'", tuple(Note("one is here", Place.whole(one)) for _, one in found)


def leaves(path: Path) -> bool:
    """Whether a file is a link that leads out of its folder."""
    return path.resolve().parent != path.parent.resolve()


def strays(path: Path) -> bool:
    """Whether a file lies in a folder of the user's own rulesets, but is a link that leads out of it."""
    folder = os.path.abspath(path.parent)
    return any(folder == os.path.abspath(one) for one in user_folders()) and _is_file(path) and leaves(path)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
