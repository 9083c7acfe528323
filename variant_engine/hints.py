"""How messages put things, and what was probably meant: the nearest known word, the words for values of options."""

from __future__ import annotations

from collections.abc import Iterable

from .options import BY_NAME, OPTIONS, Option

#: What the YAML versions read as true or false, or might.
YES = frozenset(("y", "yes", "on", "true"))
NO = frozenset(("n", "no", "off", "false"))

#: How people write the ranks of cards, and the words that rule files have for them.
_RANKS = {
    "a": "ace", "10": "ten", "t": "ten", "k": "king", "q": "queen", "j": "jack", "9": "nine", "8": "eight",
    "7": "seven", "0": "none",
}  # fmt: skip

#: Longest piece of somebody's text that a message repeats.
_LONGEST_QUOTE = 60
#: Where suggestions are looked up, longer words are not compared: nobody's option name is that long.
_LONGEST_WORD = 80
#: Words of more letters than this are still known with one slip, or with two.
_LONG_ENOUGH_FOR_ONE, _LONG_ENOUGH_FOR_TWO = 3, 7


def counted(number: int, word: str) -> str:
    """A number with its noun: ``1 deal``, ``2,000 deals``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def quoted(value: object) -> str:
    """A value as messages show it: on one line, not too long, nothing that a terminal would obey."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return printable(str(value) if abs(value) < 1e18 else f"{value:e}")
    if isinstance(value, str):
        return f"'{printable(value)}'"
    if isinstance(value, dict):
        return "a block of keys"
    return "a list" if isinstance(value, (list, tuple)) else f"a {type(value).__name__}"


def printable(text: str) -> str:
    """``text`` cropped to what a message can hold, every control character replaced."""
    shown = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in shown)


def listed(words: Iterable[object], last: str = "and") -> str:
    """``'a', 'b' and 'c'``."""
    shown = [quoted(word) for word in words]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that ``word`` was probably meant to be, or None."""
    names = list(known)
    plain = word.strip().lower().replace("-", "_").replace(" ", "_")
    if len(word) > _LONGEST_WORD or not plain:
        return None
    if plain in names:
        return plain
    parts = sorted(plain.split("_"))
    for name in names:
        if sorted(name.split("_")) == parts:
            return name
    from difflib import get_close_matches

    found = get_close_matches(plain, names, n=1, cutoff=0.7)
    return found[0] if found else None


def surely(word: str, known: Iterable[str]) -> str | None:
    """The known word that ``word`` can only have been meant to be, or None if there is any doubt.

    Capitals, hyphens and spaces do not count. Otherwise one slip of the pen is allowed, in a longer word two, if no
    other known word is nearly as near.
    """
    names = list(known)
    plain = word.strip().lower().replace("-", "_").replace(" ", "_")
    if plain in names:
        return plain
    allowed = 2 if len(plain) > _LONG_ENOUGH_FOR_TWO else 1 if len(plain) > _LONG_ENOUGH_FOR_ONE else 0
    if not allowed or len(word) > _LONGEST_WORD:
        return None
    # Words that are longer or shorter by more than this are further away than any that is taken or makes a doubt.
    ranked = sorted((slips(plain, name), name) for name in names if abs(len(name) - len(plain)) <= allowed + 1)
    if not ranked or ranked[0][0] > allowed or (len(ranked) > 1 and ranked[1][0] < ranked[0][0] + 2):
        return None
    return ranked[0][1]


def slips(one: str, other: str) -> int:
    """How many letters must be left out, put in, changed, or changed places with their neighbours."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, mine in enumerate(one, 1):
        above, row, further = row, [i], before
        for j, theirs in enumerate(other, 1):
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (mine != theirs))
            if i > 1 and j > 1 and mine == other[j - 2] and one[i - 2] == theirs:
                best = min(best, further[j - 2] + 1)
            row.append(best)
        before = above
    return row[-1]


def sure_value(option: Option, word: str) -> str | None:
    """The value of ``option`` that ``word`` can only have been meant to be, or None if there is any doubt."""
    ranked = _RANKS.get(word.lower(), "")
    if ranked in option.tokens and word != "0":
        return ranked
    if word.lower() in YES | NO:
        # With a yes and a no to choose from, they are the values; with more of either they are not.
        said = [value.meaning.replace(",", " ").split()[0] for value in option.values]
        if sorted(said) != ["no", "yes"]:
            return None
        return option.values[said.index("yes" if word.lower() in YES else "no")].token
    return surely(word, option.tokens)


def nearest_value(option: Option, word: str) -> str | None:
    """The value of ``option`` that ``word`` was probably meant to be, or None."""
    ranked = _RANKS.get(word.lower(), "")
    return ranked if ranked in option.tokens else nearest(word, option.tokens)


def option_help(name: str) -> str:
    """Help for a name that is no option: the nearest one with its question, or where to find them all."""
    meant = nearest(name, BY_NAME)
    if meant is not None:
        return f"did you mean '{meant}'? {BY_NAME[meant].question}"
    # A word that several options share ("talon", "claim") leads to them.
    words = {word for word in name.lower().replace("-", "_").split("_") if len(word) > 2}
    related = [option.name for option in OPTIONS if words & set(option.name.split("_"))]
    if related:
        return f"options with a similar name: {', '.join(related[:8])}"
    return f"there are {len(OPTIONS)} options; 'follow_open' and 'closing' are two of them"


def values_help(option: Option) -> str:
    """Every value of an option with its meaning, a line each; for a number its range and unit."""
    if option.is_number:
        return f"write {number_range(option)}"
    width = max(len(token) for token in option.tokens)
    rows = [f"  {value.token:<{width}}  {value.meaning}" for value in option.values]
    return "\n".join([f"{option.question} One of:", *rows])


def number_range(option: Option) -> str:
    """The numbers an option may be, in words: ``a whole number from 0 to 12 (game points)``."""
    if option.allowed:
        return f"{listed(option.allowed, 'or')} ({option.unit})"
    return f"a whole number from {option.lowest} to {option.highest} ({option.unit})"


def value_help(option: Option, text: str, *, plain: bool = True) -> str:
    """Help for ``text`` given as a value that ``option`` does not have; ``plain`` if it stood without quotes."""
    if option.is_number:
        bare = text.replace("_", "")
        if bare != text and bare.isascii() and bare.isdigit() and option_has(option, int(bare[:9])):
            return f"write {int(bare[:9])}"
        whole, dot, part = text.partition(".")
        if dot and whole.isascii() and whole.isdigit() and not part.strip("0") and option_has(option, int(whole[:9])):
            return f"write {int(whole[:9])}"
        if not plain and text.isascii() and text.isdigit() and option_has(option, int(text[:9])):
            return f"remove the quotation marks: {text}"
        return values_help(option)
    meant = nearest_value(option, text)
    if meant is not None:
        return f"did you mean '{meant}'? {option.meaning(meant)}"
    if text.lower() in YES | NO:
        said = "yes" if text.lower() in YES else "no"
        fitting = [value for value in option.values if value.meaning.replace(",", " ").split()[0] == said]
        if len(fitting) == 1:
            return f"did you mean '{fitting[0].token}'? {fitting[0].meaning}"
        other = next(value.token for value in option.values)
        return f"options have no yes and no, but words like '{other}'\n{values_help(option)}"
    return values_help(option)


def option_has(option: Option, value: object) -> bool:
    """Whether ``value`` is one of the option's values."""
    return not isinstance(value, bool) and value in option.answers()
