"""Whether a document has the shape that the schema asks for; every departure with its place and what to do about it.

The schema decides, and this module words: which place to point at, what was probably meant. Checks that need more than
the shape are in :mod:`variant_engine.claims` and :mod:`variant_engine.loading`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from .diagnostics import Diagnostic, Fix, Place
from .evidence import PLACE
from .hints import (
    NO,
    YES,
    nearest,
    number_range,
    option_has,
    option_help,
    quoted,
    sure_value,
    surely,
    value_help,
    values_help,
)
from .options import BY_NAME, Option
from .schema import FORMAT, case_schema, ruleset_schema
from .yamlfile import MAX_DIAGNOSTICS, Document, Key
from .yamlhelp import space_help

#: No list of a rule file comes near this; a longer one is not looked into.
LONGEST_LIST = 100
#: Case files hold a list of cases, which may be long.
MAX_CASES = 2_000

#: What an option in the long form has.
_EVIDENCE_KEYS = ("value", "status", "where", "why", "readings", "also")
_TYPES = {
    "string": "text", "integer": "a whole number", "object": "a block of keys", "array": "a list",
    "boolean": "true or false",
}  # fmt: skip
#: Where a case has moves, of any kind.
_MOVES = ("play", "legal", "can", "cannot")
#: Numbers that some readers of YAML take for others: 010 is 8 to them, and 1_000 a thousand.
_ODD_NUMBER = re.compile(r"[-+]?0[0-9]+|0[xo][0-9a-fA-F]+|\+[0-9]+|[-+]?[0-9]+(_[0-9]+)+")


@dataclass(slots=True)
class Problems:
    """What was found so far, and at which paths; ``renamed`` are the names that unknown keys probably meant."""

    document: Document
    found: list[Diagnostic] = field(default_factory=list)
    paths: set[Key] = field(default_factory=set)
    renamed: set[str] = field(default_factory=set)

    def add(
        self, code: str, message: str, path: Key, help_text: str = "", *, key: bool = False, fix: Fix | None = None
    ) -> None:
        """Note a problem at a path: at the value there, or at its key."""
        self.paths.add(path)
        self.found.append(Diagnostic(code, message, self.document.place(path, key=key), help_text, fix=fix))

    def word(self, path: Key, text: str | None, *, key: bool = False) -> Fix | None:
        """The fix that puts a word for the one at ``path``, in quotation marks if that is; None without a word."""
        place = self.document.place(path, key=key)
        was = str(path[-1]) if key else self.document.raw(path)
        stretch = place.text[place.spot.column - 1 : place.end - 1]
        if text is None or not was:
            return None
        if stretch == was:
            return Fix(place, text)
        if len(stretch) > 1 and stretch[0] == stretch[-1] and stretch[0] in "'\"" and stretch[1:-1] == was:
            spot = replace(place.spot, column=place.spot.column + 1)
            return Fix(Place(spot, place.end - 1, place.text), text)
        return None

    def whole(self, path: Key, text: str | None) -> Fix | None:
        """The fix that puts ``text`` for all of the scalar at ``path``, with its quotation marks."""
        place = self.document.place(path)
        was = self.document.raw(path)
        stretch = place.text[place.spot.column - 1 : place.end - 1]
        if text is None or not was or was not in (stretch, stretch[1:-1]):
            return None
        # Without its quotation marks a value may run into what stands beside it: "5"# is five, 5# is text.
        around = place.text[place.spot.column - 2], place.text[place.end - 1 : place.end]
        return Fix(place, text) if around[0] in " [{," and around[1] in ("", " ", ",", "]", "}") else None

    def touch(self, path: Key) -> bool:
        """Whether there is a problem at ``path`` or below it."""
        return any(other[: len(path)] == path for other in self.paths)

    @property
    def full(self) -> bool:
        """Whether it is no use to look for more."""
        return len(self.found) >= MAX_DIAGNOSTICS


def check_ruleset(document: Document) -> Problems:
    """The departures of a ruleset file from its schema."""
    return _check(document, _validator("ruleset"))


def check_cases(document: Document) -> Problems:
    """The departures of a case file from its schema."""
    return _check(document, _validator("cases"), longest=MAX_CASES)


@cache
def _validator(which: str) -> Any:
    # Its import takes longer than reading a ruleset.
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    def is_integer(_: Any, instance: Any) -> bool:
        # JSON Schema lets 6.0 pass for a whole number.
        return isinstance(instance, int) and not isinstance(instance, bool)

    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", is_integer)
    strict: Any = extend(Draft202012Validator, type_checker=types)  # type: ignore[no-untyped-call]
    return strict(ruleset_schema() if which == "ruleset" else case_schema())


def _check(document: Document, validator: Any, longest: int = LONGEST_LIST) -> Problems:
    problems = Problems(document)
    for path in document.locs:
        data = document.value_at(path) if document.locs[path].raw is None else None
        if isinstance(data, list) and len(data) > longest:
            problems.add("S120", f"this list has {len(data)} items; no more than {longest} are read", path)
    if not problems.found:
        for error in _branches(validator.iter_errors(document.data)):
            if problems.full:
                break
            _report(error, problems)
        _odd_numbers(problems)
    return problems


def _branches(errors: Iterator[Any]) -> Iterator[Any]:
    """The errors, those of a ``oneOf`` replaced by the errors of the branch that was meant."""
    for error in errors:
        if error.validator == "oneOf":
            meant = 1 if isinstance(error.instance, dict) else 0
            yield from _branches(sub for sub in error.context if sub.schema_path[0] == meant)
        else:
            yield error


def _report(error: Any, problems: Problems) -> None:
    path: Key = tuple(error.absolute_path)
    option = _option_at(path)
    if error.validator == "additionalProperties":
        _unknown_keys(error, path, problems)
    elif error.validator == "required":
        _missing_keys(error, path, problems)
    elif "propertyNames" in error.schema_path:
        message = f"{quoted(error.instance)} is no place in a text"
        problems.add("S115", message, (*path, error.instance), error.schema["errorMessage"], key=True)
    elif path in problems.paths:
        return
    elif option is not None:
        _bad_option_value(option, path, problems)
    elif error.validator == "type":
        _wrong_type(error, path, problems)
    elif error.validator == "enum":
        _no_such_value(error, path, problems)
    elif error.validator == "const":
        help_text = f"write {FORMAT}, or use a newer version of the program"
        problems.add("S117", f"format {quoted(error.instance)} is not known here", path, help_text)
    elif error.validator in ("minItems", "minLength"):
        few = "a list of at least two items" if error.validator_value == 2 else "something"
        problems.add("S119", f"{_named(path)} is too short", path, f"expected {few}")
    else:
        expected = error.schema.get("errorMessage", "expected one line of text, with no space at either end")
        lower = str(error.instance).lower()
        # A hash means the same in capitals; a name does not.
        right = lower if path == ("source", "sha256") and re.search(error.schema["pattern"], lower) else None
        message = f"{quoted(error.instance)} cannot be {_named(path)}"
        problems.add("S115", message, path, expected, fix=problems.word(path, right))


def _option_at(path: Key) -> Option | None:
    """The option whose value stands at ``path``: plain, in a block with evidence, or among a case's changes."""
    if path[:1] == ("options",) and len(path) >= 2:
        inside = path[2:]
        if inside in ((), ("value",)) or (inside[:1] == ("readings",) and len(inside) == 2) or inside[-1] == "value":
            return BY_NAME.get(str(path[1]))
    if len(path) == 4 and path[2] == "with":
        return BY_NAME.get(str(path[3]))
    return None


def _named(path: Key) -> str:
    """The nearest key, for a message: ``'title'``, or ``an item of 'where'``."""
    if not path:
        return "the file"
    return quoted(path[-1]) if isinstance(path[-1], str) else f"an item of {_named(path[:-1])}"


def _shown(problems: Problems, path: Key) -> str:
    """A scalar as it was written."""
    loc = problems.document.locs[path]
    data = problems.document.value_at(path)
    if loc.raw and not loc.style and not isinstance(data, str):
        return quoted(loc.raw)[1:-1]
    return quoted(data)


def _unknown_keys(error: Any, path: Key, problems: Problems) -> None:
    known = list(error.schema["properties"])
    options = path == ("options",) or (len(path) == 3 and path[2] == "with")
    missing = [name for name in known if name not in error.instance]
    strange = [name for name in error.instance if name not in error.schema["properties"]]
    # Two keys that might be one and the same leave a doubt, and so many strange ones that nothing here is as it seems.
    few = len(strange) < MAX_DIAGNOSTICS
    sure: list[str | None] = [surely(name, known) if few else None for name in strange]
    certain = {n: meant for n, meant in zip(strange, sure, strict=True) if meant in missing and sure.count(meant) == 1}
    for name in error.instance:
        if name in error.schema["properties"] or problems.full:
            continue
        # A key that is there already is not what another was meant to be, except as the nearest of all.
        meant = nearest(name, missing) or nearest(name, known)
        if options:
            message, help_text = f"there is no option called {quoted(name)}", option_help(name)
            if name in _EVIDENCE_KEYS and len(path) == 1:
                help_text = f"{quoted(name)} belongs to an option: indent it below its name"
        elif meant is None or name in BY_NAME:
            message, help_text = f"unknown key {quoted(name)}", f"known are: {', '.join(known)}"
            if len(path) == 0 and name in BY_NAME:
                help_text = f"{quoted(name)} is an option: indent it below 'options:'"
            elif path[:1] == ("options",) and name in BY_NAME:
                help_text = f"{quoted(name)} is an option: indent it like {quoted(path[1])}"
        else:
            message, help_text = f"unknown key {quoted(name)}", f"did you mean '{meant}'?"
            if meant in error.schema["required"] and meant in missing:
                help_text += " It is required"
        if meant is not None and meant in missing:
            problems.renamed.add(meant)
            problems.paths.add((*path, f"missing {meant}"))
        here = (*path, name)
        problems.add("S110", message, here, help_text, key=True, fix=problems.word(here, certain.get(name), key=True))


def _missing_keys(error: Any, path: Key, problems: Problems) -> None:
    properties = error.schema.get("properties", {})
    for name in error.validator_value:
        marker = (*path, f"missing {name}")
        if name not in error.instance and marker not in problems.paths:
            problems.paths.add(marker)
            _missing(problems, path, name, properties.get(name, {}).get("description", ""))


def _missing(problems: Problems, path: Key, name: str, about: str) -> None:
    """A missing key is shown at the key that opens the block, at the list item, or at the file's first key."""
    document = problems.document
    message = f"{quoted(name)} is missing"
    if path:
        problems.add("S113", f"{message} in {_named(path)}", path, about, key=True)
    else:
        first = document.place((next(iter(document.data)),), key=True) if document.data else document.place(())
        problems.found.append(Diagnostic("S113", message, first, about))


def _bad_option_value(option: Option, path: Key, problems: Problems) -> None:
    loc = problems.document.locs[path]
    data = problems.document.value_at(path)
    shown = _shown(problems, path)
    if loc.raw is None or data is None:
        found = "nothing is given" if data is None else f"found {quoted(data)}"
        problems.add("S111", f"expected a value for '{option.name}', {found}", path, values_help(option))
    elif option.is_number:
        whole = isinstance(data, int) and not isinstance(data, bool)
        help_text = value_help(option, loc.raw, plain=not loc.style) if not whole else option.question
        if help_text == values_help(option):
            help_text = option.question
        message = f"'{option.name}' must be {number_range(option)}, not {shown}"
        fix = problems.whole(path, _plain_number(option, loc.raw))
        problems.add("S114" if whole else "S111", message, path, help_text, fix=fix)
    else:
        fix = problems.word(path, sure_value(option, loc.raw))
        problems.add("S112", f"{shown} is no value of '{option.name}'", path, value_help(option, loc.raw), fix=fix)


def _plain_number(option: Option, text: str) -> str | None:
    """The number that ``text`` writes as a text, if the option may have it: of ``'5'`` and ``1_0``, not of ``05``."""
    bare = text.replace("_", "")
    if not (bare.isascii() and bare.isdigit() and len(bare) < 10 and str(int(bare)) == bare):
        return None
    return bare if option_has(option, int(bare)) else None


def _wrong_type(error: Any, path: Key, problems: Problems) -> None:
    wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    expected = " or ".join(_TYPES[name] for name in wanted)
    loc = problems.document.locs[path]
    raw = loc.raw or ""
    shown = _shown(problems, path)
    help_text, text = "", None
    if not path:
        help_text = "the file begins with a line 'key: value'"
    elif error.instance is None and wanted == ["object"]:
        help_text = "write its keys on the lines below, indented, or {} for none"
    elif error.instance is None:
        help_text = "write it after the colon, or indented below"
    elif "string" in wanted and loc.raw is not None:
        help_text = error.schema.get("description", "")
        if _is_text(path, raw, error.schema):
            help_text = f'put it in quotes: "{shown}"'
            text = f'"{raw}"' if not loc.style else None
    elif wanted == ["integer"] and loc.style and raw.isdigit():
        help_text = f"remove the quotation marks: {shown[1:-1]}"
        text = raw if raw.isascii() and str(int(raw[:9])) == raw else None
    elif wanted == ["array"] and isinstance(error.instance, str):
        help_text = f"write a list: [{shown}]" if "'" not in raw else "write a list: [item, item]"
        text = f'["{raw}"]' if PLACE.match(raw) and path[-1] == "where" else None
    elif wanted == ["boolean"] and raw.lower() in YES | NO:
        right = "true" if raw.lower() in YES else "false"
        help_text = f"write {right} - {shown} is plain text in YAML 1.2"
        text = right
    elif "string" in wanted and isinstance(error.instance, list) and len(error.instance) == 1:
        help_text = f"write {quoted(error.instance[0])[1:-1]} without the brackets"
    elif wanted == ["object"]:
        help_text = space_help(raw) or "write its keys on the lines below, indented"
    message = f"expected {expected} for {_named(path)}, found {shown}"
    problems.add("S111", message, path, help_text, fix=problems.whole(path, text) if path else None)


def _is_text(path: Key, raw: str, schema: dict[str, Any]) -> bool:
    """Whether what YAML reads as a number or a truth value can only have been meant as text, were it in quotes."""
    if "enum" in schema or not re.search(schema.get("pattern", ""), raw):
        return False
    # Of the texts of a case only its name can be a number; of the moves one is: 66.
    return path[0] != "cases" or path[-1] == "name" or (path[-1] in _MOVES and raw == "66")


def _no_such_value(error: Any, path: Key, problems: Problems) -> None:
    values = [str(value) for value in error.validator_value]
    meanings = error.schema.get("markdownEnumDescriptions", [""] * len(values))
    meant = nearest(str(error.instance), values)
    if meant is not None:
        help_text = f"did you mean '{meant}'? {meanings[values.index(meant)]}".strip()
    elif not any(meanings):
        help_text = f"one of: {', '.join(values)}"
    else:
        width = max(map(len, values))
        rows = [f"  {value:<{width}}  {text}".rstrip() for value, text in zip(values, meanings, strict=True)]
        help_text = "\n".join(["one of:", *rows])
    fix = problems.word(path, surely(str(error.instance), values)) if isinstance(error.instance, str) else None
    problems.add("S112", f"{_shown(problems, path)} is no value of {_named(path)}", path, help_text, fix=fix)


def _odd_numbers(problems: Problems) -> None:
    """Numbers that are right, but that another reader of YAML would take for something else."""
    document = problems.document
    for path, loc in document.locs.items():
        if loc.raw and not loc.style and _ODD_NUMBER.fullmatch(loc.raw):
            value = document.value_at(path)
            if isinstance(value, int) and path not in problems.paths and not problems.full:
                message = f"{loc.raw} is not the same number to every reader of YAML"
                problems.add("S118", message, path, f"write {value}")
