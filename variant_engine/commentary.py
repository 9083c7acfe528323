"""What a ruleset file says about the sentences of its text that no option cites."""

from __future__ import annotations

from .evidence import expand
from .hints import quoted
from .structure import Problems


def check_commentary(problems: Problems) -> None:
    """Add what is wrong with the list of commentary: no text, no such range, places given twice or cited as rules."""
    data = problems.document.data
    commentary = data.get("commentary")
    if not isinstance(commentary, dict) or problems.full:
        return
    source = data.get("source")
    if data.get("kind") != "attested" or not isinstance(source, dict) or source.get("type") != "text":
        message = "only an attested ruleset that was read from a text has commentary"
        problems.add("E414", message, ("commentary",), "remove it", key=True)
        return
    cited = _cited(data.get("options"))
    seen: dict[str, str] = {}
    for key in commentary:
        if ("commentary", key) in problems.paths or problems.full:
            continue
        places = expand(key)
        path = ("commentary", key)
        twice = [place for place in places if place in seen]
        rules = [place for place in places if place in cited]
        if not places:
            help_text = "the second number of a range is the greater one: ¶37.2-37.4"
            problems.add("E411", f"{quoted(key)} is no range of sentences", path, help_text, key=True)
        elif twice:
            help_text = f"it is part of {quoted(seen[twice[0]])}"
            problems.add("E412", f"the place {quoted(twice[0])} is given twice", path, help_text, key=True)
        elif rules:
            message = f"{quoted(rules[0])} is no commentary, for {quoted(cited[rules[0]])} cites it"
            problems.add("E415", message, path, "remove one of the two", key=True)
        seen.update(dict.fromkeys(places, str(key)))


def _cited(options: object) -> dict[str, str]:
    """The first option that cites each place, in ``where`` or ``also``."""
    found: dict[str, str] = {}
    for name, given in options.items() if isinstance(options, dict) else ():
        if not isinstance(given, dict):
            continue
        also = given.get("also")
        for one in (given, *(also if isinstance(also, list) else ())):
            where = one.get("where") if isinstance(one, dict) else None
            for place in where if isinstance(where, list) else ():
                if isinstance(place, str):
                    found.setdefault(place, str(name))
    return found
