"""What a text leaves open, ordered by how often it decides.

For every option on which a ruleset's text is silent, ambiguous or garbled, the other readings are tried out: those that
the ruleset's own evidence names, and what other texts say. Deals are played by the stated players under the ruleset as
it stands. Of each it is asked, first, whether another reading changes what anybody may do anywhere along the deal as it
was played; second, whether the deal ends otherwise (winner, game points, carry) when the same players play it by the
other reading from the start.

What only programs read otherwise is tried and shown, but is no reading of a text: an option's place in the order is
that of the readings of texts. An option that is moot as the ruleset stands is tried under a reading of the other option
that lets it act, if a text has one.

Deals and choices are the same under every reading: random players choose by :mod:`variant_engine.simulate.lots`, so
that one move more or less does not set everything after it on another course. A player who
looks at the counts may play otherwise, and so end otherwise, by a reading that only counts sooner or later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..cards import cards_in
from ..differing import ALL_MOVES, differing_moves, same_result
from ..encoding import PACK, SEATS, Rules
from ..engine import legal, play
from ..options import BY_NAME, OPTIONS, Option
from ..options.meaning import meaningful, moot_by
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

_key = cache(lots_key_of)


@dataclass(frozen=True, slots=True)
class Reading:
    """Another reading of an option, who has it, and in which share of the deals it makes a difference.

    ``said_by`` are ids of rulesets; the ruleset's own where its evidence names the reading. ``in_text``: whether one of
    them is the ruleset itself, or more than a program.
    """

    value: str | int
    said_by: tuple[str, ...]
    in_text: bool
    moves: Estimate
    result: Estimate


@dataclass(frozen=True, slots=True)
class Gap:
    """An option that the text leaves open, and the shares of deals in which any text's other reading tells.

    ``under`` names another option and a reading of it that was taken for this one to act at all.
    """

    option: Option
    value: str | int
    status: str
    why: str
    readings: tuple[Reading, ...]
    moves: Estimate
    result: Estimate
    under: tuple[str, str | int] | None = None

    @property
    def decides(self) -> bool:
        """Whether any reading made a difference in any of the deals."""
        return any(reading.moves.count or reading.result.count for reading in self.readings)

    @property
    def several(self) -> bool:
        """Whether there is more than one reading of a text, so that any of them is more than each."""
        return sum(reading.in_text for reading in self.readings) > 1

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {
            "option": self.option.name,
            "value": self.value,
            "status": self.status,
            "why": self.why,
            "under": {"option": self.under[0], "value": self.under[1]} if self.under else None,
            "moves": self.moves.as_json(),
            "result": self.result.as_json(),
            "readings": [
                {
                    "value": reading.value,
                    "said_by": list(reading.said_by),
                    "in_text": reading.in_text,
                    "moves": reading.moves.as_json(),
                    "result": reading.result.as_json(),
                }
                for reading in self.readings
            ],
        }


@dataclass(frozen=True)
class Gaps:
    """All that a text leaves open: the gaps that decide, most often first, then those that never did.

    Last come those that only act under another reading of another option. ``idle`` names open options that need no
    trying: nobody reads them otherwise, they bear on no deal, or are without effect; with why.
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
    trials: list[_Trial] = []
    idle: list[tuple[str, str]] = []
    for option in OPTIONS:
        if rules.evidence[option.name].status in OPEN_STATUSES:
            found = _trial(rules, option, others)
            if isinstance(found, str):
                idle.append((option.name, found))
            else:
                trials.append(found)
    for number in range(deals):
        bases: dict[Rules, _Base] = {}
        for trial in trials:
            base = bases.get(trial.ints)
            if base is None:
                base = bases[trial.ints] = _Base(trial.ints, seed, number, seated)
            trial.count(base)
    gaps = [trial.gap(rules, deals) for trial in trials]
    gaps.sort(key=_place)
    return Gaps(rules.id, deals, seed, seated, tuple(gaps), tuple(idle))


def _place(gap: Gap) -> tuple[bool, int, int, bool, int]:
    """What a gap is ordered by."""
    return gap.under is not None, -(gap.result.count or 0), -(gap.moves.count or 0), not gap.decides, gap.option.index


@dataclass(slots=True)
class _Tried:
    """A reading: who has it, the rules with it, and in how many deals it changed the moves and the result."""

    value: str | int
    said_by: tuple[str, ...]
    in_text: bool
    changed: Ruleset
    moves: int = 0
    result: int = 0


@dataclass(slots=True)
class _Trial:
    """An open option with its readings, the rules against which they are held, and the totals of the texts'."""

    option: Option
    ints: Rules
    tried: list[_Tried]
    under: tuple[str, str | int] | None
    moves: int = 0
    result: int = 0

    def count(self, base: _Base) -> None:
        """Count one deal."""
        any_moves = any_result = False
        for one in self.tried:
            moves, result = base.differs(one.changed.ints)
            one.moves += moves
            one.result += result
            any_moves |= moves and one.in_text
            any_result |= result and one.in_text
        self.moves += any_moves
        self.result += any_result

    def gap(self, rules: Ruleset, deals: int) -> Gap:
        """What was counted."""
        name = self.option.name
        readings = tuple(
            Reading(one.value, one.said_by, one.in_text, share(one.moves, deals), share(one.result, deals))
            for one in self.tried
        )
        evidence = rules.evidence[name]
        moves, result = share(self.moves, deals), share(self.result, deals)
        return Gap(self.option, rules.values[name], evidence.status, evidence.why, readings, moves, result, self.under)


def _trial(rules: Ruleset, option: Option, others: Sequence[Ruleset]) -> _Trial | str:
    """How an open option is tried, or why it is not."""
    if option.affects not in ("play", "score"):
        return "it bears on no deal by itself"
    needs = moot_by(rules.values, option.name)
    under = None
    if needs:
        under = _letting_act(rules, option, needs, others)
        if under is None:
            return f"it is without effect while {' and '.join(f'{need} = {rules.values[need]}' for need in needs)}"
        rules = rules.replace(**dict([under]))
    said_by = _said_by(rules, option, others)
    tried = _readings(rules, option, said_by, others)
    if not tried:
        return "no other reading fits the rest" if said_by else "no text reads it otherwise"
    return _Trial(option, rules.ints, tried, under)


def _letting_act(
    rules: Ruleset, option: Option, needs: Sequence[str], others: Sequence[Ruleset]
) -> tuple[str, str | int] | None:
    """One of the options ``needs``, with a reading that a text has of it under which the other option is not moot."""
    for need in needs:
        if rules.evidence[need].status in OPEN_STATUSES:
            for one in _readings(rules, BY_NAME[need], _said_by(rules, BY_NAME[need], others), others):
                if one.in_text and meaningful(one.changed.values, option.name):
                    return need, one.value
    return None


def _said_by(rules: Ruleset, option: Option, others: Sequence[Ruleset]) -> dict[str | int, list[str]]:
    """The other readings of an option, and who has each."""
    said = rules.evidence[option.name]
    by: dict[str | int, list[str]] = {}
    for value in (*said.readings, *(other.value for other in said.also)):
        by.setdefault(value, []).append(rules.id)
    for other in others:
        # What another text does not say itself is nobody's reading.
        if other.id != rules.id and other.evidence[option.name].status in ("stated", "implied", "ambiguous", "garbled"):
            by.setdefault(other.values[option.name], []).append(other.id)
    by.pop(said.value, None)
    return by


def _readings(
    rules: Ruleset, option: Option, said_by: dict[str | int, list[str]], others: Sequence[Ruleset]
) -> list[_Tried]:
    """The other readings of an option that do not contradict the rest, in the order of its answers."""
    programs = {other.id for other in others if other.source is not None and other.source.type == "program"}
    tried = []
    for value in sorted(said_by, key=option.answers().index):
        try:
            changed = rules.replace(**{option.name: value})
        except RulesetError:
            continue
        if changed.ints[PACK] == rules.ints[PACK]:
            names = tuple(dict.fromkeys(said_by[value]))
            in_text = any(name == rules.id or name not in programs for name in names)
            tried.append(_Tried(value, names, in_text, changed))
    return tried


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
