"""What the tests of playing have in common: sessions with an input that is written by a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from cli.play.console import Console
from cli.play.keeping import Keeper, Resumed
from cli.play.look import Look, in_order
from cli.play.people import People
from cli.play.session import Session
from variant_engine.phases import PLAY, kind_of
from variant_engine.record.store import Store
from variant_engine.ruleset import Ruleset

#: Types a line, given the session and the prompt. Raises :class:`EOFError` when it has no more.
Typist = Callable[[Session, str], str]

AGAINST_GREEDY = People(("Anna", "greedy"), {1: "greedy"})
AGAINST_RANDOM = People(("Anna", "random"), {1: "random"})
TWO = People(("Anna", "Tibor"))

#: What the session that runs now has shown so far.
RUNNING: list[list[str]] = []


class Played:
    """A session that has been run: what it showed, its exit code, and the prompts it asked with."""

    def __init__(
        self,
        rules: Ruleset,
        typist: Typist,
        *,
        people: People = AGAINST_GREEDY,
        keeper: Keeper | None = None,
        look: Look | None = None,
        seed: int = 7,
        count: bool = False,
        resumed: Resumed | None = None,
    ) -> None:
        self.shown: list[str] = []
        self.prompts: list[str] = []
        console = Console(self._ask, self.shown.append, look or Look(), 80)
        RUNNING[:] = [self.shown]
        keeper = keeper or Keeper(None, Store())
        self._typist = typist
        self.session = Session(rules, people, console, keeper, seed, count=count)
        self.code = self.session.run(resumed)

    def _ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        line = self._typist(self.session, prompt)
        self.shown.append(prompt + line)
        return line

    @property
    def text(self) -> str:
        """All that was shown, with lines that were filled put together again."""
        return " ".join(" ".join(self.shown).split())


def typed(lines: Iterable[str]) -> Typist:
    """A typist with these lines, then the end of the input."""
    left = iter(lines)

    def type_line(session: Session, prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return type_line


def random_typist(rng: Random) -> Typist:
    """A typist who plays at random among what is allowed, in all the ways in which it can be typed."""

    def type_line(session: Session, prompt: str) -> str:
        if not prompt.lower().endswith("your move: "):
            return rng.choice(("", "y", "n"))
        deal = session.deal
        seat = deal.to_move
        assert seat is not None
        moves = [move for move in deal.legal(seat) if move.token != "66" or deal.claim_is_right(seat)]
        move = rng.choice([move for move in moves if move.token != "@"] if rng.random() < 0.9 else moves)
        token = session.console.look.token(move.token)
        words = {"|": "close", "||": "close", "=": "", "66": "claim", "-": "no", "@": "look", "^": "exchange"}
        if kind_of(move.code) == PLAY and rng.random() < 0.3:
            return f"k{in_order(deal.rules, deal.hand(seat)).index(move.token) + 1}"
        if rng.random() < 0.3:
            return words.get(token, words.get(token[:1], token))
        return rng.choice((token, token.lower(), f"{'AB'[seat]}:{token}"))

    return type_line


_ASIDES = ("?", "? hq", "? close", "rules", "score", "history", "tricks", "count", "hand", "help", "zz", "k99", "20")


def mostly_sensible(rng: Random, asides: Sequence[str] = _ASIDES) -> Typist:
    """The same, with questions and slips between the moves."""
    plays = random_typist(rng)

    def type_line(session: Session, prompt: str) -> str:
        return rng.choice(asides) if rng.random() < 0.2 else plays(session, prompt)

    return type_line
