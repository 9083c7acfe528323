"""What a ruleset says about its sources: whether every value has the evidence that its status asks for.

An attested ruleset answers every option from its one source. A composite gives the place of every value. A house
ruleset need not give any evidence.
"""

from __future__ import annotations

from typing import Any

from .commentary import check_commentary
from .diagnostics import Diagnostic
from .evidence import PLACE, PROGRAM_PLACE
from .hints import listed, quoted
from .options import OPTIONS, Option
from .structure import Problems

#: So many unanswered options are listed with their questions.
_LISTED = 4


def check_claims(problems: Problems) -> None:
    """Add what is wrong with the evidence of a ruleset file to the problems of its shape."""
    data = problems.document.data
    kind = data.get("kind")
    options = data.get("options")
    if kind == "attested":
        _head(problems)
    check_commentary(problems)
    if not isinstance(options, dict):
        return
    if kind == "attested":
        _unanswered(problems, options)
    source = data.get("source")
    source_type = source.get("type") if isinstance(source, dict) else None
    for option in OPTIONS:
        path = ("options", option.name)
        if option.name in options and not problems.touch(path) and not problems.full:
            _Claim(problems, option, options[option.name], str(kind), str(source_type)).check()


def _head(problems: Problems) -> None:
    needed = {
        "source": ("E401", "what was read: 'type: text' with 'file' and 'sha256', or 'type: program'"),
        "lineage": ("E402", "the parent text from which the source descends; its own id if from none"),
        "language": ("E402", "the language of the source, such as 'en'"),
    }
    for name, (code, help_text) in needed.items():
        if name not in problems.document.data and name not in problems.renamed:
            problems.add(code, f"an attested ruleset needs {quoted(name)}", ("kind",), f"add '{name}': {help_text}")


def _unanswered(problems: Problems, options: dict[str, Any]) -> None:
    missing = [o for o in OPTIONS if o.name not in options and o.name not in problems.renamed]
    if not missing:
        return
    names = [option.name for option in missing]
    if len(missing) > _LISTED:
        message = f"{len(missing)} options are not answered: {', '.join(names[:_LISTED])}, …"
        help_text = "an attested ruleset answers every option, if only with 'status: silent'"
    else:
        message = f"{listed(names)} {'is' if len(names) == 1 else 'are'} not answered"
        help_text = "\n".join(f"{option.name}: {option.question}" for option in missing)
    place = problems.document.place(("options",), key=True)
    problems.found.append(Diagnostic("E403", message, place, help_text))


class _Claim:
    """The evidence for one value."""

    def __init__(self, problems: Problems, option: Option, given: Any, kind: str, source_type: str) -> None:
        self.problems = problems
        self.option = option
        self.path = ("options", option.name)
        self.given = given
        self.kind = kind
        self.source_type = source_type

    def check(self) -> None:
        if not isinstance(self.given, dict):
            if self.kind in ("attested", "composite"):
                self._add("E404", f"'{self.option.name}' has a value but no evidence", self._long_form())
            return
        if self.kind == "attested":
            self._status()
        elif self.kind == "composite" and not self.given.get("where"):
            self._add("E406", f"'{self.option.name}' gives no place", "a composite gives 'where' for every value")
        self._places(self.path, self.given)
        self._readings()
        self._also()

    def _add(
        self, code: str, message: str, help_text: str = "", *path: str | int, meant: str | None = None
    ) -> None:
        here = (*self.path, *path)
        self.problems.add(code, message, here, help_text, key=not path, fix=self.problems.whole(here, meant))

    def _long_form(self) -> str:
        return f"write '{self.option.name}:', and below it, indented: value, status, where"

    def _status(self) -> None:
        given, name = self.given, self.option.name
        status = given.get("status")
        if status is None:
            self._add("E405", f"'{name}' has no status", "one of: stated, implied, silent, ambiguous, garbled")
            return
        if status == "silent":
            if given.get("where"):
                message = f"'{name}' is silent, so there is no place that says it"
                help_text = "remove 'where', or take another status; 'why' may name places"
                self._add("E408", message, help_text, "where")
        elif not given.get("where"):
            self._add("E406", f"'{name}' is {status}, but 'where' is missing", f"for example: {self._example()}")
        if status != "stated" and "why" not in given:
            self._add("E407", f"'{name}' is {status}, but 'why' is missing", "give the reason in one line")
        if status == "ambiguous" and "readings" not in given:
            help_text = "list all readings, the one taken among them"
            self._add("E409", f"'{name}' is ambiguous, but 'readings' is missing", help_text)
        if status != "ambiguous" and "readings" in given:
            help_text = "take 'status: ambiguous'; for other ways that the text offers there is 'also'"
            self._add("E409", f"'{name}' is {status}, so it has no other readings", help_text, "readings")

    def _example(self) -> str:
        return "where: [game.Trick.winner]" if self.source_type == "program" else 'where: ["¶7.5"]'

    def _places(self, path: tuple[str | int, ...], given: dict[str, Any]) -> None:
        """Places have the form that fits the source; those of a composite are in cited."""
        places = given.get("where", [])
        inside = path[len(self.path) :]
        for index, place in enumerate(places):
            where = (*inside, "where", index)
            if place in places[:index]:
                self._add("E412", f"the place {quoted(place)} is given twice", "", *where)
            elif self.kind != "attested":
                continue
            elif self.source_type == "text" and not PLACE.match(place):
                meant = f'"{_bare_place(place)}"' if _bare_place(place) else None
                self._add("E411", f"{quoted(place)} is no place in a text", _place_help(place), *where, meant=meant)
            elif self.source_type == "program" and not PROGRAM_PLACE.match(place):
                help_text = "write module and names with full stops between them: game.Trick.winner"
                self._add("E411", f"{quoted(place)} is no place in a program", help_text, *where)

    def _readings(self) -> None:
        readings = self.given.get("readings")
        if readings is None:
            return
        for index, reading in enumerate(readings):
            if reading in readings[:index]:
                self._add("E412", f"the reading {quoted(reading)} is given twice", "", "readings", index)
        if self.given["value"] not in readings:
            message = f"the value {quoted(self.given['value'])} is not among the readings"
            self._add("E410", message, "list all readings, the one taken among them", "readings")

    def _also(self) -> None:
        seen = [self.given["value"]]
        for index, other in enumerate(self.given.get("also", [])):
            if other["value"] in seen:
                message = f"{quoted(other['value'])} is given twice"
                self._add("E412", message, "'also' is for other values than the one taken", "also", index, "value")
            seen.append(other["value"])
            if self.kind == "attested" and not other.get("where"):
                help_text = f"for example: {{value: {other['value']}, {self._example()}}}"
                self._add("E406", "'where' is missing for another value of the source", help_text, "also", index)
            self._places((*self.path, "also", index), other)


def _place_help(place: str) -> str:
    bare = place.strip().lstrip("¶§").strip()
    first, _, second = bare.partition(".")
    if first.isdigit() and first.isascii() and not second:
        return f"a place names a sentence: '¶{first[:6]}.1' is the first of that line"
    if _bare_place(place):
        return f"write '{_bare_place(place)}'"
    return "write ¶n.s: the s-th sentence of the n-th non-empty line"


def _bare_place(place: str) -> str:
    """The place that was written without its sign, or with another; empty if it is something else."""
    bare = place.strip().lstrip("¶§").strip()
    return f"¶{bare}" if bare.isascii() and PLACE.match(f"¶{bare}") else ""
