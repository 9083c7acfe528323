"""The words around the sentences: numbers, units, headings, and what a reference says. Keys of the catalogues, too."""

from __future__ import annotations

#: Numbers are words up to twelve; where a language would have to inflect one, its catalogue may have the digit.
NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip

#: In place of a number with its unit where there is none of it.
NOTHING = "nothing"

#: By an option's unit: how one and several are written.
UNITS = {
    "cards": ("{n} card", "{n} cards"),
    "face-down cards": ("{n} face-down card", "{n} face-down cards"),
    "card points": ("{n} card point", "{n} card points"),
    "game points": ("{n} game point", "{n} game points"),
}

#: Marks behind a sentence whose source does not simply say so, by status; the first that applies is set.
MARKS = {
    "silent": "the editor's reading",
    "ambiguous": "one of several readings",
    "garbled": "read by its sense",
}

#: What a reference begins with, by status. ``{places}`` are the places in the source.
CLAIMS = {
    "stated": "{places}.",
    "implied": "It follows from {places}.",
    "silent": "The source is silent; this is the editor's reading.",
    "ambiguous": "{places} can be read in several ways.",
    "garbled": "{places}, where the text is garbled, read by its sense.",
    "house": "A house rule, {spot}.",
    "house_cited": "A house rule, {spot}, after {places}.",
    "set": "Set by hand.",
    "set_cited": "Set by hand, from {places}.",
}

PHRASES = {
    # The title is the ruleset's own and stays as it is; other languages say in their own words what it is the title of.
    "heading": "{title}",
    "why": "Reason: {why}.",
    "remark": "Note: {why}.",
    "reading": "Another reading: “{sentence}”",
    "also": "The source also offers ({places}): “{sentence}”",
    "attested": "The rules are those of one source.",
    "composite": "The rules are put together from several sources.",
    "house": "These are house rules.",
    "changed": "Changed by hand: {changes}.",
    "contents": "Contents",
    "references": "References",
    "back": "back to the text",
    "reference": "reference {n}",
    "sources": "Sources",
    "text_source": "the text {file} (SHA-256 {hash})",
    "program_source": "the program {package} {version}",
    "how_to_read": "A number in brackets leads to the reference at the end: the place in the source that says so. "
    "Sentences without a number say what is the same in all these games, or what nobody has laid down otherwise.",
    "places_of_texts": "A place ¶7.2 is the second sentence of the seventh line of the text that is not empty.",
    "differs_not": "In words there is no difference.",
    "says_nothing": "Nothing is said about this.",
}


def messages() -> list[str | tuple[str, str]]:
    """Everything here that catalogues translate; a pair is a singular with its plural."""
    found: list[str | tuple[str, str]] = [*NUMBERS, NOTHING, *UNITS.values()]
    return [*found, *MARKS.values(), *CLAIMS.values(), *PHRASES.values()]
