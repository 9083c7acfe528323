"""What a text leaves open, ordered by how often it decides.

For every option on which a ruleset's text is silent, ambiguous or garbled, the other readings are tried out: those that
the ruleset's own evidence names, and what other texts say. Deals are played by the stated players under the ruleset as
it stands. Of each it is asked, first, whether another reading changes what anybody may do anywhere along the deal as it
was played; second, whether the deal ends otherwise (winner, game points, carry) when the same players play it by the
other reading from the start.

Deals and choices are the same under every reading: random players choose by :mod:`variant_engine.simulate.lots`, so
that one move more or less does not set everything after it on another course. A player who
looks at the counts may play otherwise, and so end otherwise, by a reading that only counts sooner or later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..differing import ALL_MOVES, differing_moves, same_result
from ..cards import cards_in
from ..encoding import PACK, SEATS, Rules
from ..engine import legal, play
from ..options import OPTIONS, Option
from ..phases import OVER
from ..players.greedy import greedy_move
from ..players.uniform import sensible
from ..ruleset import Ruleset, RulesetError
from ..shuffle import deal_label, shuffled
from ..simulate.lots import chosen_by_lot, lots_key_of
from ..simulate.result import Estimate, share
from ..state import PHASE, TO_MOVE, State
from .lockstep import Step, dealt

#: Statuses of values that a text does not settle.
OPEN_STATUSES = ("silent", "ambiguous", "garbled")
#: Who can play. Both look only at what their seat may know.
PLAYERS = ("random", "greedy")

#: A value, who reads it so, and the rules with it.
_Tried = tuple[str | int, tuple[str, ...], Rules]
_key = cache(lots_key_of)


@dataclass(frozen=True, slots=True)
class Reading:
    """Another reading of an option, who has it, and in which share of the deals it makes a difference.

    ``said_by`` are ids of rulesets; the ruleset's own where its evidence names the reading.
    """

    value: str | int
    said_by: tuple[str, ...]
    moves: Estimate
    result: Estimate


@dataclass(frozen=True, slots=True)
class Gap:
    """An option that the text leaves open, and the shares of deals in which any other reading makes a difference."""

    option: Option
    value: str | int
    status: str
    why: str
    readings: tuple[Reading, ...]
    moves: Estimate
    result: Estimate

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {
            "option": self.option.name,
            "value": self.value,
            "status": self.status,
            "why": self.why,
            "moves": self.moves.as_json(),
            "result": self.result.as_json(),
            "readings": [
                {
                    "value": reading.value,
                    "said_by": list(reading.said_by),
                    "moves": reading.moves.as_json(),
                    "result": reading.result.as_json(),
                }
                for reading in self.readings
            ],
        }


@dataclass(frozen=True)
class Gaps:
    """All that a text leaves open: the gaps that decide, most often first, then those that never did.

    ``idle`` names open options that need no trying: nobody reads them otherwise, or they bear on no deal; with why.
    """

    ruleset: str
    deals: int
    seed: int
    players: tuple[str, ...]
    gaps: tuple[Gap, ...]
    idle: tuple[tuple[str, str], ...]

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {
            "ruleset": self.ruleset,
            "deals": self.deals,
            "seed": self.seed,
            "players": list(self.players),
            "gaps": [gap.as_json() for gap in self.gaps],
            "idle": [{"option": name, "because": why} for name, why in self.idle],
        }


def find_gaps(
    rules: Ruleset,
    others: Sequence[Ruleset] = (),
    *,
    deals: int = 400,
    seed: int = 66,
    players: Sequence[str] = ("random", "random"),
) -> Gaps:
    """What a ruleset leaves open and how often it decides; ``others`` are the texts whose answers are tried as well.

    Raises :class:`ValueError` for players that are not in ``PLAYERS``, or fewer deals than one.
    """
    seated = tuple(players)
    if len(seated) != rules.ints[SEATS] or any(name not in PLAYERS for name in seated):
        raise ValueError(f"the players of the {rules.ints[SEATS]} seats are named, each one of {', '.join(PLAYERS)}")
    if deals < 1:
        raise ValueError("at least one deal must be played")
    tried: list[tuple[Option, list[_Tried]]] = []
    idle: list[tuple[str, str]] = []
    for option in OPTIONS:
        if rules.evidence[option.name].status not in OPEN_STATUSES:
            continue
        if option.affects not in ("play", "score"):
            idle.append((option.name, "it bears on no deal by itself"))
            continue
        readings = _readings(rules, option, others)
        possible = [(value, said_by, changed.ints) for value, said_by, changed in readings if changed is not None]
        if possible:
            tried.append((option, possible))
        else:
            idle.append((option.name, "no other reading fits the rest" if readings else "no text reads it otherwise"))
    counted = [[[0, 0] for _ in tries] for _, tries in tried]
    totals = [[0, 0] for _ in tried]
    for number in range(deals):
        base = _Base(rules.ints, seed, number, seated)
        for place, (_, tries) in enumerate(tried):
            seen = [base.differs(ints) for _, _, ints in tries]
            for tally, (moves, result) in zip(counted[place], seen, strict=True):
                tally[0] += moves
                tally[1] += result
            totals[place][0] += any(moves for moves, _ in seen)
            totals[place][1] += any(result for _, result in seen)
    gaps = [
        Gap(
            option,
            rules.values[option.name],
            rules.evidence[option.name].status,
            rules.evidence[option.name].why,
            tuple(
                Reading(value, said_by, share(tally[0], deals), share(tally[1], deals))
                for (value, said_by, _), tally in zip(tries, counted[place], strict=True)
            ),
            share(totals[place][0], deals),
            share(totals[place][1], deals),
        )
        for place, (option, tries) in enumerate(tried)
    ]
    gaps.sort(key=lambda gap: (-(gap.result.count or 0), -(gap.moves.count or 0), gap.option.index))
    return Gaps(rules.id, deals, seed, seated, tuple(gaps), tuple(idle))


def _readings(
    rules: Ruleset, option: Option, others: Sequence[Ruleset]
) -> list[tuple[str | int, tuple[str, ...], Ruleset | None]]:
    """The other readings of an option, who has each, and the ruleset with it; None where it contradicts the rest."""
    said = rules.evidence[option.name]
    by: dict[str | int, list[str]] = {}
    for value in (*said.readings, *(other.value for other in said.also)):
        by.setdefault(value, []).append(rules.id)
    for other in others:
        # What another text does not say itself is nobody's reading.
        if other.id != rules.id and other.evidence[option.name].status in ("stated", "implied", "ambiguous", "garbled"):
            by.setdefault(other.values[option.name], []).append(other.id)
    by.pop(said.value, None)
    readings: list[tuple[str | int, tuple[str, ...], Ruleset | None]] = []
    for value in sorted(by, key=option.answers().index):
        try:
            changed: Ruleset | None = rules.replace(**{option.name: value})
        except RulesetError:
            changed = None
        if changed is not None and changed.ints[PACK] != rules.ints[PACK]:
            changed = None
        readings.append((value, tuple(dict.fromkeys(by[value])), changed))
    return readings


class _Base:
    """One deal as it is played under the ruleset itself, kept for comparing."""

    def __init__(self, ints: Rules, seed: int, number: int, players: tuple[str, ...]) -> None:
        self.ints = ints
        self.players = players
        self.pack = shuffled(cards_in(ints[PACK]), deal_label(seed, number))
        # The seats deal in turn, the last one first, so that A is forehand in deal 0.
        self.dealer = ints[SEATS] - 1 - number % ints[SEATS]
        self.number = number
        self.key = _key(seed)
        state = dealt(ints, self.pack, self.dealer, 0)
        self.line: list[tuple[State, Step]] = []
        while state[PHASE] != OVER:
            step = self._choose(ints, state)
            self.line.append((state[:], step))
            play(ints, state, *step)
        self.end = state

    def _choose(self, ints: Rules, state: State) -> Step:
        seat = state[TO_MOVE]
        moves = sensible(ints, state, seat, legal(ints, state, seat) & ALL_MOVES)
        if self.players[seat] == "greedy":
            return seat, greedy_move(ints, state, seat, moves)
        return seat, chosen_by_lot(ints, state, seat, moves, self.key, self.number)

    def differs(self, other: Rules) -> tuple[bool, bool]:
        """Whether another ruleset changes a legal move along the line played, and the result of the same players."""
        ints = self.ints
        state = dealt(other, self.pack, self.dealer, 0)
        alike = True
        for before, (seat, move) in self.line:
            alike = alike and state == before
            if any(differing_moves(ints, before, other, state, at) for at in range(ints[SEATS])):
                return True, not same_result(self.end, self._played(other))
            play(other, state, seat, move)
        if alike:
            # Move for move the same states, so that the same players play the same deal.
            return state[PHASE] != OVER, not same_result(self.end, state)
        return state[PHASE] != OVER, not same_result(self.end, self._played(other))

    def _played(self, ints: Rules) -> State:
        state = dealt(ints, self.pack, self.dealer, 0)
        while state[PHASE] != OVER:
            play(ints, state, *self._choose(ints, state))
        return state


__all__ = ["OPEN_STATUSES", "PLAYERS", "Gap", "Gaps", "Reading", "find_gaps"]
