"""What a simulation found: counts, means and shares, each with its interval.

Everything follows from integer sums, so that two runs over the same deals agree to the last digit.

* A mean's interval is the normal one: the mean, give or take 1.96 times the root of the sample variance over the number
  of deals. Deals are independent of each other, and game points and card points are bounded, so that from some hundred
  deals on it covers what it should.
* A share's interval is Wilson's, which stays within 0 and 1, with the limit of Brown, Cai and DasGupta (2001) next to
  nought and one: of an event seen once to thrice Wilson's lower limit is too high, and that of a Poisson count is
  taken.
* Both seats deal equally often, by design and not by chance. What compares forehand with the dealer, or the seats, is
  therefore found for each dealer apart, and so are the intervals, which are then put together: errors of independent
  numbers add up by their squares.

All are at 95 %. An interval says how far chance may have moved the number, not whether the players play well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from typing import Any

from ..notation import SEATS as SEAT_LETTERS
from ..ruleset import Ruleset
from ..standing import RESULT_REASONS
from . import playout as at
from .tasks import SHUFFLE_NAMES, Sums

#: The two-sided 95 % point of the normal distribution.
Z = 1.959963984540054
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its interval at 95 %; no interval (None) where too little is known for one.

    ``count`` is how often it happened, for shares; None for means.
    """

    value: float
    low: float | None
    high: float | None
    count: int | None = None

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        counted = {} if self.count is None else {"count": self.count}
        return counted | {"share" if counted else "mean": self.value, "low": self.low, "high": self.high}


def mean(total: int, squares: int, number: int) -> Estimate:
    """The mean of ``number`` values from their sum and the sum of their squares."""
    if number == 0:
        return Estimate(0.0, None, None)
    value = total / number
    if number == 1:
        return Estimate(value, None, None)
    # Exact in ints up to the one division, whatever the order in which the deals were played.
    error = Z * sqrt((number * squares - total * total) / (number * number * (number - 1)))
    return Estimate(value, value - error, value + error)


#: The mean below which a Poisson count of one, of two, of three or more comes up but once in twenty times.
_POISSON = {1: 0.0512933, 2: 0.3553615, 3: 0.8176914}


def share(count: int, number: int) -> Estimate:
    """The share of ``count`` in ``number``, with Wilson's interval; next to nought and one with a Poisson limit."""
    if number == 0:
        return Estimate(0.0, None, None, count)
    value = count / number
    spread = Z * Z / number
    centre = (value + spread / 2) / (1 + spread)
    error = sqrt(spread * (value * (1 - value) + spread / 4)) / (1 + spread)
    low, high = max(0.0, centre - error), min(1.0, centre + error)
    if count in _POISSON:
        low = min(low, _POISSON[count] / number)
    if number - count in _POISSON:
        high = max(high, 1 - _POISSON[number - count] / number)
    return Estimate(value, 0.0 if count == 0 else low, 1.0 if count == number else high, count)


def combined(parts: Sequence[tuple[Estimate, int]]) -> Estimate:
    """The estimate over several sets of deals, of fixed sizes, from those over each with the number of its deals."""
    parts = [(one, number) for one, number in parts if number]
    everything = sum(number for _, number in parts)
    counts = [one.count for one, _ in parts if one.count is not None]
    count = sum(counts) if counts else None
    value = sum(one.value * number for one, number in parts) / everything if everything else 0.0
    below = above = 0.0
    for one, number in parts:
        if one.low is None or one.high is None:
            return Estimate(value, None, None, count)
        below = hypot(below, (one.value - one.low) * number / everything)
        above = hypot(above, (one.high - one.value) * number / everything)
    return Estimate(value, value - below, value + above, count) if parts else Estimate(value, None, None, count)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat did. Shares are of all deals, but for ``closings_won``: of the seat's closings."""

    player: str
    wins: Estimate
    game_points: Estimate
    card_points: Estimate
    schneider: Estimate
    schwarz: Estimate
    forfeits: Estimate
    closings: Estimate
    closings_won: Estimate


@dataclass(frozen=True)
class Simulation:
    """The result of :func:`variant_engine.simulate.simulate`.

    ``sums`` are the counts themselves, by the indices of :mod:`variant_engine.simulate.playout`; all else follows from
    them. ``deals`` were played, of ``asked``; ``found`` of them were there already when the run began. ``seconds`` is
    how long playing the others took.
    """

    rules: Ruleset
    seed: int
    players: tuple[str, ...]
    shuffle: str
    asked: int
    sums: Sums
    seconds: float
    compiled: bool
    workers: int
    found: int = 0
    interrupted: bool = False
    #: Why it was interrupted, unless by Ctrl-C.
    trouble: str = ""

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return self.sums[at.DEALS]

    @property
    def moves(self) -> int:
        """How many decisions were made in all."""
        return self.sums[at.MOVES]

    @property
    def deals_per_second(self) -> float:
        """The rate of this run."""
        return (self.deals - self.found) / self.seconds if self.seconds > 0 else 0.0

    def _share(self, index: int) -> Estimate:
        return share(self.sums[index], self.deals)

    def _mean(self, index: int, squares: int) -> Estimate:
        return mean(self.sums[index], self.sums[squares], self.deals)

    @property
    def seats(self) -> tuple[SeatResult, ...]:
        """How each seat did."""
        return tuple(
            SeatResult(
                player,
                self._share(at.WINS + seat),
                self._mean(at.GAME_POINTS + seat, at.GAME_POINTS_SQUARED + seat),
                self._mean(at.CARD_POINTS + seat, at.CARD_POINTS_SQUARED + seat),
                self._share(at.SCHNEIDER_WINS + seat),
                self._share(at.SCHWARZ_WINS + seat),
                self._share(at.FORFEITS + seat),
                self._share(at.CLOSINGS + seat),
                share(self.sums[at.CLOSINGS_WON + seat], self.sums[at.CLOSINGS + seat]),
            )
            for seat, player in enumerate(self.players)
        )

    @property
    def ties(self) -> Estimate:
        """Deals that nobody won."""
        return self._share(at.TIES)

    @property
    def reasons(self) -> dict[str, Estimate]:
        """Deals by why they ended."""
        return {reason: self._share(at.REASONS + code) for code, reason in enumerate(RESULT_REASONS)}

    def _by_dealer(self, *places: int) -> Estimate:
        """A share of deals, counted for each dealer at a place of its own."""
        dealt = self.sums[at.DEALT : at.DEALT + len(places)]
        shares = [share(self.sums[place], number) for place, number in zip(places, dealt, strict=True)]
        return combined(list(zip(shares, dealt, strict=True)))

    def _lead(self, *signs: int) -> Estimate:
        """Game points of forehand less those of the dealer, a deal, with a sign for each dealer."""
        parts = []
        for dealer, sign in enumerate(signs):
            number = self.sums[at.DEALT + dealer]
            total, squares = self.sums[at.FOREHAND_LEAD + dealer], self.sums[at.FOREHAND_LEAD_SQUARED + dealer]
            parts.append((mean(sign * total, squares, number), number))
        return combined(parts)

    @property
    def forehand_advantage(self) -> Estimate:
        """Game points of forehand less those of the dealer, a deal."""
        return self._lead(1, 1)

    @property
    def difference(self) -> Estimate:
        """Game points of seat A less those of seat B, a deal: A is forehand where B deals."""
        return self._lead(-1, 1)

    @property
    def forehand_wins(self) -> Estimate:
        """Deals won by forehand."""
        return self._by_dealer(at.FOREHAND_WINS, at.FOREHAND_WINS + 1)

    @property
    def dealer_wins(self) -> Estimate:
        """Deals won by the dealer."""
        return self._by_dealer(at.DEALER_WINS, at.DEALER_WINS + 1)

    @property
    def moves_in_a_deal(self) -> Estimate:
        """Decisions in a deal."""
        return self._mean(at.MOVES, at.MOVES_SQUARED)

    @property
    def tricks_in_a_deal(self) -> Estimate:
        """Tricks in a deal."""
        return self._mean(at.TRICKS_PLAYED, at.TRICKS_SQUARED)

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        seats = {}
        for letter, seat in zip(SEAT_LETTERS, self.seats, strict=False):
            seats[letter] = {"player": seat.player} | {
                name: getattr(seat, name).as_json() for name in SeatResult.__dataclass_fields__ if name != "player"
            }
        return {
            "ruleset": self.rules.id,
            "changes": dict(self.rules.diff),
            "rules_hash": self.rules.hash,
            "seed": self.seed,
            "players": list(self.players),
            "shuffle": SHUFFLE_NAMES[self.shuffle],
            "deals": self.deals,
            "asked": self.asked,
            "found": self.found,
            "interrupted": self.interrupted,
            "moves": self.moves,
            "seconds": self.seconds,
            "deals_per_second": self.deals_per_second,
            "compiled": self.compiled,
            "workers": self.workers,
            "confidence": LEVEL,
            "seats": seats,
            "difference": self.difference.as_json(),
            "forehand": {
                "advantage": self.forehand_advantage.as_json(),
                "wins": self.forehand_wins.as_json(),
                "dealer_wins": self.dealer_wins.as_json(),
            },
            "ties": self.ties.as_json(),
            "reasons": {reason: estimate.as_json() for reason, estimate in self.reasons.items()},
            "length": {"moves": self.moves_in_a_deal.as_json(), "tricks": self.tricks_in_a_deal.as_json()},
        }
