"""The ruleset files that come with the program."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

#: How the names of files of cases end.
CASES = ".cases.yaml"


@cache
def shipped_folder() -> Path:
    """The folder of the rulesets that come with the program."""
    # Found, not imported: an imported submodule would take the place of the function ``variant_engine.rulesets``.
    found = find_spec("variant_engine.rulesets")
    for location in (found.submodule_search_locations or ()) if found else ():
        if Path(location).is_dir():
            return Path(location)
    return Path(__file__).resolve().parent.parent / "rulesets"


def shipped_files() -> list[Path]:
    """The files of the rulesets that come with the program, by name."""
    return sorted(path for path in shipped_folder().glob("*.yaml") if not path.name.endswith(CASES))


def shipped_file(name: str) -> Path | None:
    """The file of the ruleset called ``name``, if it comes with the program."""
    # Compared with what is there, so that no name can lead elsewhere.
    return next((path for path in shipped_files() if path.stem == name), None)
