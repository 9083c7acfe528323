"""The words and signs that all reports share: for statuses, kinds of difference, and what a difference comes to."""

from __future__ import annotations

from dataclasses import dataclass

from ..compare.kinds import BETWEEN, NEVER, PARTS, PRESENTATION, SCORE


@dataclass(frozen=True, slots=True)
class Status:
    """How sure a value is: the sign that stands for it, the word, and what that means."""

    sign: str
    word: str
    meaning: str


#: Every status can be told from its sign, as in ``sixtysix compare``, and from its word: never by colour alone.
STATUS_WORDS = {
    "stated": Status("✓", "stated", "the source says so"),
    "implied": Status("~", "implied", "it follows from what the source says"),
    "ambiguous": Status("?", "ambiguous", "the text can be read in several ways; one reading is taken"),
    "garbled": Status("!", "garbled", "a slip of a translation, read by its sense"),
    "silent": Status("[ ]", "silent", "the source says nothing; the editor filled the value in"),
    "house": Status("⌂", "house rule", "written down without a source"),
    "set": Status("=", "set by hand", "changed for this comparison"),
    "neutral": Status("[ ]", "not said", "nobody has said anything; the neutral value holds"),
}
MOOT = Status("*", "moot", "without effect, since another answer of the same source leaves it nothing to decide")

#: A word for each kind of difference of a row, and what it means.
DIFFERENCE_WORDS = {
    "contradiction": ("contradiction", "what one source says or implies, another denies, on any reading"),
    "lineage": ("within a lineage", "only rulesets of one lineage disagree"),
    "reading": ("matter of reading", "another reading, or another way that a text offers, would agree"),
    "silence": ("matter of silence", "all that say something agree; a value filled in for a silent source differs"),
    "moot": ("moot", "only a value that can make no difference where it stands differs"),
    "none": ("all agree", "every source has the same answer"),
}

#: What a difference comes to in play, and what that means.
EFFECT_WORDS = {
    PARTS: "in some deal one allows a move that the other refuses",
    SCORE: "the same moves, but some deal ends with another winner, other game points or another carry",
    NEVER: "no deal was found that it parts",
    BETWEEN: "it bears on what happens from deal to deal, or on how the game is counted; on no deal by itself",
    PRESENTATION: "it bears on what people do at the table; the moves and the score are the same",
}

#: The same, of a number of options.
EFFECT_COUNTS = {
    PARTS: "can part them in play",
    SCORE: "can change only the score",
    NEVER: "matter in no deal that was found",
    BETWEEN: "concern what happens between deals",
    PRESENTATION: "concern only the table",
}

#: What an option bears on.
AFFECTS_WORDS = {
    "play": "the moves of a deal",
    "score": "the score of a deal",
    "game": "what happens from deal to deal",
    "table": "what people do at the table",
}


def clean(text: str) -> str:
    """Text of somebody's file without characters that would disturb a page: no controls, no changes of direction."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)


def line(text: str) -> str:
    """The same on one line."""
    return " ".join(clean(text).split())
