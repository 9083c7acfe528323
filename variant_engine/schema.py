"""The JSON Schemas of ruleset and case files, generated from the option registry.

Editors read them for completion and help; :mod:`variant_engine.structure` checks files with them. The copies in
``schemas/`` are written by ``python -m variant_engine.schema``; ``--check`` compares them instead.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .evidence import PLACES_PATTERN, STATUSES
from .options import OPTIONS, Option

Schema = dict[str, Any]

#: The version of the file format, as in ``format: 1``.
FORMAT = 1
DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: An id. A word that some readers of YAML take for true, false or nothing is none.
ID_PATTERN = "^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z][a-z0-9]*(-[a-z0-9]+)*$"

#: What a ruleset may be, and what that means.
KINDS = {
    "attested": "the rules of one source; every option is answered, with the place in the source",
    "composite": "put together from several sources, each value with its place",
    "house": "somebody's own rules",
}

#: How sure a value is; the keys are ``evidence.STATUSES``.
STATUS_MEANINGS = {
    "stated": "the source says it",
    "implied": "it follows from what the source says; 'why' tells how",
    "silent": "the source does not go into it; this is the editor's reading, and 'why' gives the reason",
    "ambiguous": "the source can be read in several ways; 'readings' has them all, 'why' the reason for this one",
    "garbled": "a slip of the source or its translation; this is what it is held to mean, and 'why' tells so",
}

SOURCE_TYPES = {
    "text": "a written text: 'file' and 'sha256' say which",
    "program": "a computer program: 'package' and 'version' say which",
}

_ONE_LINE = r"^\S([^\r\n]*\S)?$"


def _text(description: str, **more: Any) -> Schema:
    """One line of text that neither begins nor ends with a space."""
    return {"description": description, "type": "string", "pattern": _ONE_LINE, **more}


def _choice(description: str, meanings: dict[str, str]) -> Schema:
    return {
        "description": description,
        "type": "string",
        "enum": list(meanings),
        "markdownEnumDescriptions": list(meanings.values()),
    }


def _block(description: str, properties: Schema, required: tuple[str, ...] = ()) -> Schema:
    # Unknown keys come before missing ones, so that a misspelt key is reported once, as what it was meant to be.
    return {
        "description": description,
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": properties,
    }


def _list_of(items: Schema, description: str, **more: Any) -> Schema:
    return {"description": description, "type": "array", "items": items, **more}


def value_schema(option: Option) -> Schema:
    """The schema of a plain value of ``option``."""
    if option.values:
        return _choice(option.question, {value.token: value.meaning for value in option.values})
    schema: Schema = {"description": f"{option.question} A number of {option.unit}.", "type": "integer"}
    if option.allowed:
        return schema | {"enum": list(option.allowed)}
    # An editor offers the example; of all the numbers in the range it would offer none.
    return schema | {"minimum": option.lowest, "maximum": option.highest, "examples": [option.neutral]}


def _option_schema(option: Option) -> Schema:
    """A plain value, or a block with the value and the evidence for it."""
    value = {"$ref": f"#/$defs/{option.name}"}
    other = _block(
        "Another value that the source itself offers.",
        {"value": value, "where": {"$ref": "#/$defs/where"}},
        required=("value",),
    )
    evidence = _block(
        "A value, and what the source says about it.",
        {
            "value": value,
            "status": {"$ref": "#/$defs/status"},
            "where": {"$ref": "#/$defs/where"},
            "why": {"$ref": "#/$defs/why"},
            "readings": _list_of(value, "All readings of an ambiguous source, with the one taken.", minItems=2),
            "also": _list_of(other, "Other ways that the source itself offers.", minItems=1),
        },
        required=("value",),
    )
    neutral = f"Where nobody has asked, the program takes {option.neutral}."
    return {"description": f"{option.question} {neutral}", "oneOf": [value, evidence]}


def _source_schema() -> Schema:
    digest = {
        "description": "The SHA-256 of the file, as 64 hexadecimal digits.",
        "type": "string",
        "pattern": "^[0-9a-f]{64}$",
        "errorMessage": "expected 64 hexadecimal digits in lower case, as sha256sum prints them",
    }
    name = {
        "description": "The name of the text's file, without a folder.",
        "type": "string",
        "pattern": r"^[^/\\\s]([^/\\\r\n]*[^/\\\s])?$",
        "errorMessage": "expected the name of a file, without a folder",
    }
    block = _block(
        "What the rules were read from.",
        {
            "type": _choice("Whether it is a text or a program.", SOURCE_TYPES),
            "title": _text("The source's title, with author and year."),
            "file": name,
            "sha256": digest,
            "package": _text("The name of the program's package."),
            "version": _text("The version of the package, in quotes."),
        },
        required=("type",),
    )
    block["allOf"] = [_needed(block, "text", "file", "sha256"), _needed(block, "program", "package", "version")]
    return block


def _needed(block: Schema, kind: str, *names: str) -> Schema:
    """What a source of that type must have."""
    about = {name: {"description": block["properties"][name]["description"]} for name in names}
    condition = {"properties": {"type": {"const": kind}}, "required": ["type"]}
    return {"if": condition, "then": {"required": list(names), "properties": about}}


def _commentary() -> Schema:
    return {
        "description": "The sentences of a text that no option cites, each with the reason: a heading, advice, the "
        "set-up of an example. The keys are places; '¶37.2-37.4' stands for several sentences of a line.",
        "type": "object",
        "propertyNames": {
            "pattern": PLACES_PATTERN,
            "errorMessage": "write ¶n.s for a sentence, or ¶n.s-n.t for several of one line, in quotes",
        },
        "additionalProperties": _text("Why the sentence is cited by no option; one line, in the editor's words."),
    }


def ruleset_schema() -> Schema:
    """The schema of a ruleset file."""
    head: Schema = {
        "format": {"description": "The version of the file format.", "type": "integer", "const": FORMAT},
        "id": {
            "description": "The ruleset's short name, which is also the file's name without '.yaml'.",
            "type": "string",
            "pattern": ID_PATTERN,
            "errorMessage": "expected small letters and digits with single hyphens between them, and no word like 'no'",
        },
        "title": _text("The name of the ruleset for people."),
        "kind": _choice("What sort of ruleset it is.", KINDS),
        "lineage": _text("The parent text from which the source descends; texts of one lineage count once."),
        "language": {
            "description": "The language of the source.",
            "type": "string",
            "pattern": "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
            "errorMessage": "expected a language tag such as en, de or pt-BR",
        },
        "summary": _text("What sets these rules apart, in a sentence."),
        "extends": {
            "description": "The id of the one ruleset whose values hold where this one gives none: of a file beside "
            "this one, or of a ruleset that comes with the program.",
            "type": "string",
        },
        "source": _source_schema(),
    }
    options = _block("The options by name.", {option.name: _option_schema(option) for option in OPTIONS})
    schema = _block(
        "A ruleset of the card game Sixty-Six.",
        head | {"options": options, "commentary": _commentary()},
        required=("format", "id", "title", "kind", "options"),
    )
    definitions: Schema = {
        "status": _choice("How sure the value is.", {status: STATUS_MEANINGS[status] for status in STATUSES}),
        "where": _list_of(
            {"type": "string", "minLength": 1},
            "The places in the source that say so: ¶n.s is the s-th sentence of the n-th non-empty line; for a "
            "program, module and names with full stops between them. In a composite, the id of the ruleset that was "
            "read from the source comes first: 'foster ¶7.6'.",
        ),
        "why": _text("How the value follows from the source, or why it was taken; one line, in the editor's words."),
    }
    definitions |= {option.name: value_schema(option) for option in OPTIONS}
    intro = {"$schema": DIALECT, "$id": f"urn:sixtysix:ruleset:{FORMAT}", "title": "Sixty-Six ruleset"}
    return intro | schema | {"$defs": definitions}


def case_schema() -> Schema:
    """The schema of a ``*.cases.yaml`` file: its keys, as far as a schema can say."""
    return {
        "$schema": DIALECT,
        "$id": f"urn:sixtysix:cases:{FORMAT}",
        "title": "Sixty-Six cases",
        **_block("Worked examples that bind rulesets.", {"cases": _list_of(_case(), "The cases.")}, ("cases",)),
    }


def _case() -> Schema:
    rulesets = _list_of({"type": "string"}, "Ids or paths of the rulesets that the case binds.", minItems=1)
    changes = {option.name: value_schema(option) for option in OPTIONS}
    return _block(
        "A position, what is played, and what then holds.",
        {
            "name": {"description": "What the case shows.", "type": "string"},
            "rulesets": rulesets,
            "where": {"description": "The place in the source, ¶n.s.", "type": ["string", "array"]},
            "with": _block("Options changed for this case.", changes),
            "given": _given(),
            "play": {"description": "The moves, separated by spaces.", "type": "string"},
            "expect": _expect(),
        },
        required=("name", "rulesets", "given", "expect"),
    )


_SEAT: Schema = {"description": "A seat.", "type": "string", "enum": ["A", "B"]}
_NUMBER: Schema = {"type": ["integer", "string"]}


def _by_seat(description: str, of: Schema) -> Schema:
    return _block(description, {"A": of, "B": of})


def _tokens(description: str) -> Schema:
    """A list, or one text with spaces between the items."""
    return {"description": description, "type": ["array", "string"], "items": {"type": ["string", "integer"]}}


def _given() -> Schema:
    taken = _by_seat("Tricks taken.", _NUMBER)
    counted = _by_seat("Card points counted.", _NUMBER)
    return _block(
        "The position.",
        {
            "dealer": _SEAT | {"description": "The dealer's seat."},
            "lead": _SEAT | {"description": "Who leads the trick to come or under way; forehand if not given."},
            "led": {"description": "The card already led.", "type": "string"},
            "trump": {"description": "The trump suit.", "type": "string", "enum": list("SHDC")},
            "turn_up": {"description": "The turn-up; left out once it is taken.", "type": "string"},
            "talon": _tokens("The face-down cards, top first."),
            "state": _choice(
                "The state of the talon.",
                {"open": "cards are drawn", "closed": "somebody has closed it", "exhausted": "nothing is left to draw"},
            ),
            "hands": _by_seat("The cards in hand.", _tokens("Cards, separated by spaces.")),
            "drawn": {
                "description": "false: a trick has just been taken and nobody has drawn.",
                "type": "boolean",
            },
            "tricks": taken,
            "points": counted,
            "pending": _by_seat("Marriage points that wait for a trick.", _NUMBER),
            "announced": _by_seat("Suits whose marriages have been announced.", _tokens("Suits.")),
            "looked_back": _tokens("Seats that have looked back."),
            "closer": _SEAT | {"description": "Who has closed the talon."},
            "at_closing": _block("As things stood at the closing.", {"tricks": taken, "points": counted}),
            "score": _by_seat("Game points before the deal.", _NUMBER),
            "carry": _NUMBER | {"description": "Game points carried from drawn deals."},
        },
    )


def _expect() -> Schema:
    return _block(
        "What holds after the play.",
        {
            "result": _block(
                "The deal's result, or part of it.",
                {
                    "winner": {"type": "string", "enum": ["A", "B", "none"]},
                    "game_points": _NUMBER,
                    "score": _by_seat("Game points after the deal.", _NUMBER),
                    "carry": _NUMBER,
                    "reason": {
                        "type": "string",
                        "enum": [
                            "claim", "reached", "false_claim", "failed_close", "last_trick", "counted", "tie",
                        ],
                    },
                },
            ),
            "over": {"description": "Whether the deal is over.", "type": "boolean"},
            "to_move": _SEAT | {"description": "Whose turn it is."},
            "points": _by_seat("Card points.", _NUMBER),
            "tricks": _by_seat("Tricks.", _NUMBER),
            "pending": _by_seat("Waiting marriage points.", _NUMBER),
            "hand_size": {"description": "Cards in each hand.", "type": ["integer", "string", "object"]},
            "refused": {"description": "The last move is not allowed.", "type": "boolean"},
            "refused_by": {"description": "An option that bars it.", "enum": [option.name for option in OPTIONS]},
            "legal_cards": _tokens("Exactly the cards that may be played."),
            "legal": _tokens("Exactly the moves that are allowed."),
            "can": _tokens("Some moves that are allowed."),
            "cannot": _tokens("Some moves that are not allowed."),
        },
    )  # fmt: skip


def schema_text(schema: Schema) -> str:
    """A schema as it is written to a file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def schema_files() -> dict[str, str]:
    """The names and contents of the generated files."""
    return {
        "ruleset.schema.json": schema_text(ruleset_schema()),
        "cases.schema.json": schema_text(case_schema()),
    }


def main(arguments: list[str], folder: Path | None = None) -> int:
    """Write the schema files, or with ``--check`` say which of them are not up to date (status 1)."""
    folder = folder or Path(__file__).resolve().parent.parent / "schemas"
    if arguments not in ([], ["--check"]):
        print("usage: python -m variant_engine.schema [--check]", file=sys.stderr)
        return 2
    stale = 0
    for name, text in schema_files().items():
        path = folder / name
        if arguments:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                print(f"{name} does not fit the option registry; run: python -m variant_engine.schema")
                stale = 1
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"wrote {name}")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
