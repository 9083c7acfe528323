"""How an option is declared.

An option is one question on which written rules differ. It is declared once, in one of the chapters beside this file,
by :func:`choice` or :func:`number`. Both return the option's *index*: the place of its value in the tuple of ints that
the core reads. Everything else about options (schema, loader, help, tables, test strategies, the reasons for a refusal)
is derived from the declaration.
"""

from __future__ import annotations

from dataclasses import dataclass, field

#: What an option can change. ``play``: the legal moves or the course of a deal. ``score``: a deal's result.
#: ``game``: what happens from deal to deal. ``table``: what people do at the table; the machine plays on unchanged.
AFFECTS = ("play", "score", "game", "table")

#: The chapters in the order in which a card book has them.
CHAPTERS = ("deal", "play", "drawing", "marriages", "exchange", "closing", "claiming", "ending", "game", "memory")


@dataclass(frozen=True, slots=True)
class Value:
    """One answer to an option's question: its token in rule files and what it means."""

    token: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Condition:
    """Another option that must have one of these values (tokens or numbers, as in rule files)."""

    option: str
    values: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Differing:
    """Two other numbers that must differ: where they are the same, it does not matter which of them holds."""

    option: str
    other: str


Requirement = Condition | Differing

#: What an option needs to matter: a requirement, or several of which one will do.
Need = Requirement | tuple[Requirement, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A question, the answers it may have, and what it bears on.

    ``values`` is empty for a number, whose range is ``lowest``..``highest`` (or just ``allowed``) in ``unit``.
    ``neutral`` is how the machine behaves where nobody has ever asked. ``needs`` names what all must hold for an
    answer to this question to make a difference: each is one requirement, or several of which one will do.
    """

    index: int
    name: str
    chapter: str
    question: str
    affects: str
    neutral: str | int
    values: tuple[Value, ...] = ()
    allowed: tuple[int, ...] = ()
    lowest: int = 0
    highest: int = 0
    unit: str = ""
    needs: tuple[tuple[Requirement, ...], ...] = field(default=())

    @property
    def is_number(self) -> bool:
        """Whether the answer is a number rather than one of a few tokens."""
        return not self.values

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens that a rule file may use; empty for a number."""
        return tuple(value.token for value in self.values)

    def answers(self) -> tuple[str | int, ...]:
        """Every value this option can have, in order."""
        if self.values:
            return self.tokens
        return self.allowed or tuple(range(self.lowest, self.highest + 1))

    @property
    def span(self) -> str:
        """For a number, what it may be, with the unit: ``20, 24 or 32 cards``, ``0 to 12 game points``."""
        if not self.allowed:
            return f"{self.lowest} to {self.highest} {self.unit}"
        *most, last = map(str, self.allowed)
        return f"{', '.join(most)} or {last} {self.unit}"

    def encode(self, value: str | int) -> int:
        """The int by which the core knows ``value``.

        Raises :class:`ValueError` for a value that the option does not have.
        """
        if self.values:
            for position, known in enumerate(self.values):
                if known.token == value:
                    return position
        elif isinstance(value, int) and not isinstance(value, bool) and value in self.answers():
            return value
        raise ValueError(f"{value!r} is no value of the option {self.name}")

    def decode(self, number: int) -> str | int:
        """The rule file's value for the int that the core knows."""
        return self.values[number].token if self.values else number

    def meaning(self, value: str | int) -> str:
        """What ``value`` means, in words."""
        for known in self.values:
            if known.token == value:
                return known.meaning
        return f"{value} {self.unit.removesuffix('s') if value == 1 else self.unit}".strip()


_declared: list[Option] = []


def _declare(option: Option) -> int:
    if option.affects not in AFFECTS or option.chapter not in CHAPTERS:
        raise ValueError(f"option {option.name}: unknown chapter or effect")
    option.encode(option.neutral)
    _declared.append(option)
    return option.index


def _each(needs: tuple[Need, ...]) -> tuple[tuple[Requirement, ...], ...]:
    return tuple(need if isinstance(need, tuple) else (need,) for need in needs)


def choice(
    name: str,
    chapter: str,
    question: str,
    values: tuple[tuple[str, str], ...],
    *,
    neutral: str,
    affects: str = "play",
    needs: tuple[Need, ...] = (),
) -> int:
    """Declare an option that has one of a few values, and return its index.

    ``values`` are pairs of token and meaning; their order gives the ints 0, 1, 2, … that the core sees.
    """
    answers = tuple(Value(token, meaning) for token, meaning in values)
    return _declare(Option(len(_declared), name, chapter, question, affects, neutral, answers, needs=_each(needs)))


def number(
    name: str,
    chapter: str,
    question: str,
    unit: str,
    *,
    neutral: int,
    lowest: int = 0,
    highest: int = 0,
    allowed: tuple[int, ...] = (),
    affects: str = "score",
    needs: tuple[Need, ...] = (),
) -> int:
    """Declare an option whose value is a number of ``unit``, and return its index."""
    return _declare(
        Option(
            len(_declared),
            name,
            chapter,
            question,
            affects,
            neutral,
            allowed=allowed,
            lowest=lowest,
            highest=highest,
            unit=unit,
            needs=_each(needs),
        )
    )


def declared() -> tuple[Option, ...]:
    """All options declared so far, in registry order."""
    return tuple(_declared)
