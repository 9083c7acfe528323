"""From rule files to rulesets: finding them, checking them, and resolving what they inherit."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from .cited import check_cited
from .diagnostics import ERROR, WARNING, Diagnostic, Note, Place, RuleFileError, has_errors
from .evidence import Alternative, Evidence, expand
from .examine import Examined, examine, examine_document
from .hints import nearest, quoted
from .options import OPTIONS
from .options.conflicts import Conflict, broken_conflicts
from .options.doubts import doubtful
from .options.idle import idle
from .options.meaning import moot_by
from .ruleset import Head, Ruleset, Source
from .shelf import cited_files, files_of, known_ids, leaves, several, strays, user_files
from .shipped import CASES, shipped_file
from .shipped import shipped_files as shipped_files
from .shipped import shipped_folder as shipped_folder
from .textfile import shown_name
from .yamlfile import Document, read_head

#: More generations than this are taken for a mistake.
MAX_ANCESTORS = 12

def load(name_or_path: str | os.PathLike[str]) -> Ruleset:
    """The ruleset with an id, shipped or in a folder of ``SIXTYSIX_PATH``, or the one in a ``.yaml`` file.

    Raises :class:`RuleFileError` with all that is wrong.
    """
    path, shown = locate(name_or_path)
    resolved, problems = _resolve(path, shown, ())
    if resolved is None or has_errors(problems):
        raise RuleFileError(problems)
    return resolved.ruleset


def locate(name_or_path: str | os.PathLike[str]) -> tuple[Path, str]:
    """The file that :func:`load` reads, and what it is called in messages.

    Raises :class:`RuleFileError` for an id that there is not, or more than once; a path need not exist.
    """
    name = os.fspath(name_or_path)
    if not isinstance(name_or_path, str) or name.endswith((".yaml", ".yml")) or _has_folder(name):
        return Path(name), shown_name(name)
    found = files_of(name)
    place = Place.whole(shown_name(name))
    if not found:
        raise RuleFileError([Diagnostic("X501", f"no ruleset is called {quoted(name)}", place, _ids_help(name))])
    if len(found) > 1:
        message, notes = several(name, found)
        raise RuleFileError([Diagnostic("X506", message, place, "give the path of the one that you mean", notes)])
    return found[0]


def rulesets() -> tuple[Head, ...]:
    """The heads of the rulesets that come with the program, by id. Their options are not read."""
    return tuple(_head(path, f"rulesets/{path.name}") for path in shipped_files())


def user_rulesets() -> tuple[Head, ...]:
    """The heads of the user's own rulesets, in the folders of ``SIXTYSIX_PATH``, with what they inherit.

    Of a file with errors not more than its name is told.
    """
    return tuple(_user_head(path, shown_name(path)) for path in user_files())


def _user_head(path: Path, shown: str) -> Head:
    try:
        rules = load(path)
    except RuleFileError:
        return Head(path.stem, "", "", "", "", "", None, shown, sound=False)
    return Head(
        rules.id, rules.title, rules.kind, rules.lineage, rules.language, rules.summary, rules.parent, shown
    )


def file_problems(path: str | os.PathLike[str]) -> list[Diagnostic]:
    """All problems of a ruleset file, and of its parents."""
    return _resolve(Path(path), shown_name(path), ())[1]


def document_problems(read: Callable[[], Document], path: Path, shown: str, *, named: bool) -> list[Diagnostic]:
    """All problems of the ruleset that ``read`` gives and that lies, or would lie, at ``path``.

    ``named``: whether its name is known, so that the id can differ from it.
    """
    try:
        examined = examine_document(read(), path if named else None)
    except RuleFileError as error:
        return list(error.diagnostics)
    return _relate(examined, path, shown, ())[1]


def _has_folder(name: str) -> bool:
    return "/" in name or os.sep in name


def _ids_help(name: str) -> str:
    ids = known_ids()
    meant = nearest(name.replace("_", "-"), ids)
    return f"did you mean '{meant}'?" if meant else f"there are: {', '.join(ids)}; or give the path of a .yaml file"


def _head(path: Path, shown: str) -> Head:
    document = read_head(path, shown)
    data = document.data if isinstance(document.data, dict) else {}
    text: dict[str, str] = {}
    for name in ("id", "title", "kind", "lineage", "language", "summary", "extends"):
        value = data.get(name, "")
        if not isinstance(value, str) or (not value and name in ("id", "title", "kind")):
            place = document.place((name,)) if name in data else Place.whole(shown)
            raise RuleFileError([Diagnostic("S111", f"expected text for '{name}' in the head of the file", place)])
        text[name] = value
    parent = text.pop("extends") or None
    return Head(**text, parent=parent, file=shown, sound=True)


# ----- a file with its ancestors -----


@dataclass(frozen=True, slots=True)
class _Resolved:
    """A ruleset, and where each value that is not neutral stands."""

    ruleset: Ruleset
    places: Mapping[str, Place]


@dataclass(frozen=True, slots=True)
class _Child:
    """A file on the way to its parents."""

    path: Path
    place: Place


def _resolve(path: Path, shown: str, trail: tuple[_Child, ...]) -> tuple[_Resolved | None, list[Diagnostic]]:
    """The ruleset in a file (None if it cannot be built), and all problems of the file and its ancestors."""
    if strays(path):
        message = "the file is a link that leads out of its folder"
        return None, [Diagnostic("X504", message, Place.whole(shown), "put a copy of the file there")]
    try:
        examined = examine(path, shown)
    except RuleFileError as error:
        return None, list(error.diagnostics)
    return _relate(examined, path, shown, trail)


def _relate(
    examined: Examined, path: Path, shown: str, trail: tuple[_Child, ...]
) -> tuple[_Resolved | None, list[Diagnostic]]:
    """The ruleset in a file that has been looked at by itself, with its relations to other files."""
    parent, above = _resolve_parent(examined, path, trail)
    problems = [*examined.problems, *above]
    if not has_errors(examined.problems):
        problems += check_cited(examined.document, cache(lambda name: _head_data(name, path)))
    if not isinstance(examined.data.get("options"), dict):
        return None, problems
    if parent is None and "extends" in examined.data:
        return None, problems
    places = dict(parent.places) if parent else {}
    places |= {name: _value_place(examined.document, name) for name in examined.values}
    values = {o.name: o.neutral for o in OPTIONS} | (dict(parent.ruleset.values) if parent else {})
    values |= examined.values
    problems += _combinations(broken_conflicts(values), ERROR, examined, parent, values, places)
    if not has_errors(problems):
        # Sources may well say what decides nothing, or can never be.
        if examined.data.get("kind") != "attested":
            problems += _dead_options(examined, parent, values, places)
            problems += _combinations(doubtful(values), WARNING, examined, parent, values, places)
        problems += [*_left_neutral(examined), *_shipped_id(examined, path)]
    problems.sort(key=lambda found: (found.spot.file != shown, found.sort_key()))
    if has_errors(examined.problems):
        return None, problems
    return _Resolved(_build(examined, parent, values), places), problems


def _value_place(document: Document, name: str) -> Place:
    path = ("options", name, "value")
    return document.place(path if path in document.locs else path[:2])


def _resolve_parent(
    examined: Examined, path: Path, trail: tuple[_Child, ...]
) -> tuple[_Resolved | None, list[Diagnostic]]:
    name = examined.data.get("extends")
    if not isinstance(name, str):
        return None, []
    place = examined.document.place(("extends",))

    def refused(code: str, message: str, help_text: str = "", notes: tuple[Note, ...] = ()) -> list[Diagnostic]:
        return [Diagnostic(code, message, place, help_text, notes)]

    if _has_folder(name) or "\\" in name or name.endswith((".yaml", ".yml")):
        help_text = "write the id alone; the file must lie beside this one"
        return None, refused("X502", f"{quoted(name)} is not an id", help_text)
    beside = path.parent / f"{name}.yaml"
    found = _file_beside(beside)
    if found == "leaves":
        message = f"the file '{name}.yaml' beside this one is a link that leads out of the folder"
        return None, refused("X504", message, "put a copy of the file there")
    mine = os.path.join(os.path.dirname(examined.document.file), beside.name)
    there = files_of(name, (beside, mine) if found else None)
    if not there:
        return None, refused("X501", _nowhere(name), _parents_help(name, path))
    if len(there) > 1:
        message, notes = several(name, there)
        return None, refused("X506", message, "give yours another id", notes)
    file, shown = there[0]
    trail = (*trail, _Child(path.resolve(), place))
    if file.resolve() in [child.path for child in trail]:
        notes = tuple(Note("which is extended here", child.place) for child in trail[:-1])
        return None, refused("X503", "a ruleset cannot extend itself, not even through others", notes=notes)
    if len(trail) > MAX_ANCESTORS:
        return None, refused("X503", f"a ruleset has no more than {MAX_ANCESTORS} ancestors")
    parent, problems = _resolve(file, shown, trail)
    if has_errors(problems):
        problems = refused("X505", f"the parent {quoted(name)} has errors of its own") + problems
        return None, problems
    return parent, []


def _head_data(name: str, path: Path) -> Mapping[str, Any] | str:
    """What stands above the options of the ruleset that a composite at ``path`` calls ``name``, or why that is unknown.

    It lies beside the composite, among the shipped ones or in a folder of the user's own.
    """
    found = cited_files(name, path)
    if not found:
        return _nowhere(name)
    if len(found) > 1:
        return f"{several(name, found)[0]}: {' and '.join(shown for _, shown in found)}"
    file, shown = found[0]
    if strays(file):
        return f"the file {shown} is a link that leads out of its folder"
    try:
        data = read_head(file).data
    except RuleFileError:
        data = None
    return data if isinstance(data, dict) else f"the file {shown} cannot be read"


def _nowhere(name: str) -> str:
    ours = "lies beside this file, comes with the program, or lies in a folder of SIXTYSIX_PATH"
    return f"no ruleset called {quoted(name)} {ours}"


def _file_beside(file: Path) -> str:
    """Whether a file is ``there``; ``leaves`` if it is a link to somewhere else."""
    try:
        if not file.is_file():
            return ""
        return "leaves" if leaves(file) else "there"
    except (OSError, ValueError, RuntimeError):
        return ""


def _parents_help(name: str, path: Path) -> str:
    ids = set(known_ids())
    try:
        beside = sorted(entry.name for entry in os.scandir(path.parent) if entry.name.endswith(".yaml"))
    except OSError:
        beside = []
    if f"{name}.yaml" in beside:
        return f"'{name}.yaml' lies beside the file, but is no ordinary file"
    ids |= {entry.removesuffix(".yaml") for entry in beside[:200] if not entry.endswith(CASES)}
    ids.discard(path.stem)
    meant = nearest(name.replace("_", "-"), sorted(ids))
    return f"did you mean '{meant}'?" if meant else f"there are: {', '.join(sorted(ids)[:20])}"


def _origin(name: str, values: Mapping[str, str | int], places: Mapping[str, Place], own: bool, parent: str) -> Note:
    """A note that says where a value comes from."""
    said = f"'{name}' is {values[name]}"
    if name not in places:
        return Note(f"{said}, the neutral value, since no file gives one")
    return Note(f"{said} here" if own else f"{said}, which comes from the parent '{parent}'", places[name])


def _combinations(
    conflicts: list[Conflict],
    severity: str,
    examined: Examined,
    parent: _Resolved | None,
    values: Mapping[str, str | int],
    places: Mapping[str, Place],
) -> list[Diagnostic]:
    """The contradictions or doubts that this file brings about; its ancestors' own are reported with them."""
    found = []
    for conflict in conflicts:
        own = [name for name in conflict.options if name in examined.values]
        if own:
            notes = tuple(
                _origin(name, values, places, name in own, _owner(parent, name))
                for name in conflict.options
                if name != own[0]
            )
            message, fix = conflict.message(values), conflict.fix(values)
            found.append(Diagnostic(conflict.code, message, places[own[0]], fix, notes, severity))
    return found


def _owner(parent: _Resolved | None, name: str) -> str:
    return parent.ruleset.evidence[name].ruleset if parent else ""


def _dead_options(
    examined: Examined, parent: _Resolved | None, values: Mapping[str, str | int], places: Mapping[str, Place]
) -> list[Diagnostic]:
    """Warnings for values that can make no difference."""
    found = []
    for name in examined.values:
        numbers = idle(values, name)
        needs = numbers.because if numbers else moot_by(values, name)
        if needs:
            because = " and ".join(f"'{need}' is {values[need]}" for need in needs)
            because += f": {numbers.words}" if numbers else ""
            notes = tuple(
                _origin(need, values, places, need in examined.values, _owner(parent, need)) for need in needs
            )
            place = examined.document.place(("options", name), key=True)
            message = f"'{name}' makes no difference, because {because}"
            found.append(Diagnostic("R350", message, place, "remove the option", notes, WARNING))
    return found


def _left_neutral(examined: Examined) -> list[Diagnostic]:
    """A warning for options that nobody has answered. An attested file must answer every one, a parent answers all."""
    left = len(OPTIONS) - len(examined.values)
    if not left or "extends" in examined.data or examined.data.get("kind") == "attested":
        return []
    some = "1 option takes its neutral value" if left == 1 else f"{left} options take their neutral values"
    place = examined.document.place(("options",), key=True)
    help_text = f"name the ruleset that you start from, as in 'extends: {shipped_files()[0].stem}', or answer them all"
    return [Diagnostic("E417", f"{some}, since the file does not answer them", place, help_text, severity=WARNING)]


def _shipped_id(examined: Examined, path: Path) -> list[Diagnostic]:
    """A warning for an id that a shipped ruleset has."""
    name = examined.data.get("id")
    shipped = shipped_file(path.stem) if name == path.stem else None
    if shipped is None or shipped.resolve() == path.resolve():
        return []
    message = f"a ruleset that comes with the program is called {quoted(name)}, too"
    help_text = "give yours another id: by this one it cannot be extended or named, only by its path"
    return [Diagnostic("X507", message, examined.document.place(("id",)), help_text, severity=WARNING)]


def _build(examined: Examined, parent: _Resolved | None, values: Mapping[str, str | int]) -> Ruleset:
    data = examined.data
    above = parent.ruleset if parent else None
    source = Source(**data["source"]) if "source" in data else None
    evidence = {option.name: above.evidence[option.name] if above else Evidence(option.neutral) for option in OPTIONS}
    for name in examined.values:
        evidence[name] = _evidence(examined, name)
    sources = dict(above.sources) if above else {}
    if source is not None:
        sources[data["id"]] = source
    return Ruleset(
        id=data["id"],
        title=data["title"],
        kind=data["kind"],
        lineage=data.get("lineage", above.lineage if above else data["id"]),
        language=data.get("language", above.language if above else ""),
        summary=data.get("summary", ""),
        source=source,
        parent=above.id if above else None,
        file=examined.document.file,
        values=values,
        evidence=evidence,
        sources=sources,
        commentary={place: why for key, why in data.get("commentary", {}).items() for place in expand(key)},
    )


def _evidence(examined: Examined, name: str) -> Evidence:
    spot = examined.document.place(("options", name), key=True).spot
    value = examined.values[name]
    given = examined.data["options"][name]
    said = Evidence(value, spot=spot, ruleset=examined.data["id"])
    if not isinstance(given, dict):
        return said
    return replace(
        said,
        status=given.get("status", ""),
        where=tuple(given.get("where", ())),
        why=given.get("why", ""),
        readings=tuple(given.get("readings", ())),
        also=tuple(Alternative(other["value"], tuple(other.get("where", ()))) for other in given.get("also", ())),
    )
