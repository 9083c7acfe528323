"""A deal as a card player would write it down: a trick on a line, what was said and done between, and what it came to.

The events are read off the positions of a deal, one after the other, so that also what the rules do by themselves
(a marriage that scores itself, the draw) is written down. At one or two points a move is tried that is not allowed, and
the refusal written down with its reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from .explain import Refusal
from .notation import SEATS as SEAT_LETTERS
from .notation import Move, NotationError
from .phases import (
    ANNOUNCE,
    ANSWER,
    CLAIM,
    CLOSE,
    CLOSE_UNDRAWN,
    DECLINE,
    DRAW,
    EXCHANGE,
    LEAD,
    LOOK_BACK,
    PHASES,
    PLAY,
    kind_of,
)
from .players import Player, Rng
from .shuffle import player_stream
from .table import Deal, parse

_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_EXCHANGED = {"nine": "9", "jack": "J", "seven": "7"}

#: A deal with more moves than this has gone wrong: 32 cards, and less than as many other moves.
_MOST_MOVES = 200


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick: who led what, what was answered (nothing, if the deal ended), who took it, the counts after it.

    ``drawn`` are the cards drawn after it, each with its seat, in the order in which they were drawn.
    """

    number: int
    leader: int
    led: str
    answer: str | None
    winner: int | None
    count: tuple[int, ...]
    drawn: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """Something said or done beside playing cards: the seat, the move's token, and words for it."""

    seat: int
    token: str
    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A move that the seat tried and that is not allowed; ``led`` is the card to be answered, if there was one."""

    seat: int
    refusal: Refusal
    led: str | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A deal written down: the deal as it began and as it stands at the end, and what happened between."""

    first: Deal
    last: Deal
    entries: tuple[Trick | Note | Refused, ...]

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        first = self.first
        result = self.last.result
        return {
            "ruleset": first.rules.id,
            "changes": dict(first.rules.diff),
            **dealt_json(first),
            "play": " ".join(f"{SEAT_LETTERS[seat]}:{move.token}" for seat, move in self.last.history),
            "entries": [_entry_json(entry) for entry in self.entries],
            "result": None
            if result is None
            else {
                "winner": "none" if result.winner is None else SEAT_LETTERS[result.winner],
                "game_points": result.game_points,
                "reason": result.reason,
                "card_points": _by_seat(result.card_points),
                "carry": result.carry,
            },
        }


def dealt_json(deal: Deal) -> dict[str, Any]:
    """A position before the first move, as plain data; the keys are those of a case's ``given`` and of records."""
    return {
        "code": deal.code,
        "pack": list(deal.pack),
        "dealer": SEAT_LETTERS[deal.dealer],
        "forehand": SEAT_LETTERS[deal.leader],
        "trump": deal.trump,
        "turn_up": deal.turn_up,
        "hands": {SEAT_LETTERS[seat]: list(deal.hand(seat)) for seat in range(deal.seats)},
        "talon": list(deal.talon),
    }


def _by_seat(numbers: Sequence[int]) -> dict[str, int]:
    return {SEAT_LETTERS[seat]: number for seat, number in enumerate(numbers)}


def _entry_json(entry: Trick | Note | Refused) -> dict[str, Any]:
    if isinstance(entry, Note):
        return {"kind": "note", "seat": SEAT_LETTERS[entry.seat], "token": entry.token, "text": entry.text}
    if isinstance(entry, Refused):
        return {
            "kind": "refused",
            "seat": SEAT_LETTERS[entry.seat],
            "token": entry.refusal.move.token,
            "led": entry.led,
            "options": list(entry.refusal.options),
            "sentence": entry.refusal.sentence,
        }
    return {
        "kind": "trick",
        "number": entry.number,
        "leader": SEAT_LETTERS[entry.leader],
        "led": entry.led,
        "answer": entry.answer,
        "winner": None if entry.winner is None else SEAT_LETTERS[entry.winner],
        "count": _by_seat(entry.count),
        "drawn": [f"{SEAT_LETTERS[seat]}:{card}" for seat, card in entry.drawn],
    }


# ---- playing -------------------------------------------------------------------------------------------------------


def play_out(deal: Deal, players: Sequence[Player], seed: int, number: int = 0) -> tuple[Deal, ...]:
    """Let players play a deal to its end; every position from the first to the last.

    ``players`` is one for each seat; their random numbers follow from the seed and the deal's number. A seat that is
    not to move is asked only whether it claims, and only when its claim would be right.
    """
    streams = [player_stream(seed, number, seat) for seat in range(deal.seats)]
    positions = [deal]
    while not deal.over and len(positions) <= _MOST_MOVES:
        deal = deal.play(_next_move(deal, players, streams))
        positions.append(deal)
    return tuple(positions)


def _next_move(deal: Deal, players: Sequence[Player], streams: Sequence[Rng]) -> Move:
    seat = deal.to_move
    assert seat is not None, "a deal that is not over has a seat to move"
    for other in range(deal.seats):
        if other != seat and deal.claim_is_right(other):
            for move in deal.legal(other):
                if kind_of(move.code) == CLAIM:
                    return move
    return players[seat](deal.view(seat), streams[seat])


# ---- writing it down -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Writer:
    """Reads the positions one after the other. The lead that waits for its answer is kept until then.

    What is said and done between a lead and its answer waits with it, to stand below the line of that trick.
    """

    entries: list[Trick | Note | Refused] = field(default_factory=list)
    between: list[Note | Refused] = field(default_factory=list)
    lead: tuple[int, str] | None = None
    tricks: int = 0

    def step(self, before: Deal, after: Deal) -> None:
        """Write down the move between two positions."""
        seat, move = after.history[-1]
        kind = kind_of(move.code)
        self._announced(before, after, move if kind == ANNOUNCE else None)
        if kind == PLAY:
            self._played(before, after, seat, move.token)
        elif kind not in (ANNOUNCE, DRAW):
            self.add(before, Note(seat, move.token, _words(before, seat, kind, move)))
        self._drawn(before, after, (seat, before.turn_up) if kind == EXCHANGE else None)

    def add(self, before: Deal, entry: Note | Refused) -> None:
        """Write down what is said, done or tried in a position beside playing a card."""
        (self.entries if before.led is None else self.between).append(entry)

    def close(self, last: Deal) -> None:
        """Write down what is left when the last position has been read: a card that nobody has answered."""
        if self.lead is not None:
            self._trick(Trick(self.tricks + 1, *self.lead, None, None, last.card_points))
        self._flush()

    def _flush(self) -> None:
        self.entries += self.between
        self.between = []

    def _announced(self, before: Deal, after: Deal, move: Move | None) -> None:
        for seat in range(after.seats):
            for suit in after.announced[seat]:
                if suit not in before.announced[seat]:
                    value = after.rules["marriage_trump" if suit == after.trump else "marriage_plain"]
                    how = "" if move else ": it scores by itself"
                    if move and before.phase == PHASES[ANSWER]:
                        how = ", made good before the answer"
                    if after.pending[seat] > before.pending[seat]:
                        how += ", to count with a trick"
                    text = f"{SEAT_LETTERS[seat]} announces {value} in {_SUITS[suit]}{how}"
                    self.add(before, Note(seat, move.token if move else f"+{value}{suit}", text))

    def _played(self, before: Deal, after: Deal, seat: int, card: str) -> None:
        if before.led is None:
            self.lead = (seat, card)
            return
        assert self.lead is not None or before.led is not None
        leader, led = self.lead or (before.leader, before.led)
        winner = next(seat for seat in range(after.seats) if after.tricks[seat] > before.tricks[seat])
        self._trick(Trick(self.tricks + 1, leader, led, card, winner, after.card_points))

    def _trick(self, trick: Trick) -> None:
        self.entries.append(trick)
        self.tricks += 1
        self.lead = None
        self._flush()

    def _drawn(self, before: Deal, after: Deal, exchanged: tuple[int, str | None] | None) -> None:
        """Add to the last trick the cards that have come from the talon; what an exchange has brought is no draw."""
        winner = after.leader
        order = [(winner + step) % after.seats for step in range(after.seats)]
        if after.rules["draw_first"] == "loser":
            order.reverse()
        gone = after.turn_up is None and before.turn_up is not None
        cards = []
        for seat in order:
            new = [card for card in after.hand(seat) if card not in before.hand(seat) and (seat, card) != exchanged]
            cards += [(seat, card) for card in new if gone or card in before.talon]
        if cards:
            place = max(place for place, entry in enumerate(self.entries) if isinstance(entry, Trick))
            trick = self.entries[place]
            assert isinstance(trick, Trick)
            self.entries[place] = replace(trick, drawn=(*trick.drawn, *cards))


def _words(before: Deal, seat: int, kind: int, move: Move) -> str:
    who = SEAT_LETTERS[seat]
    when = "" if before.led is None else ", before the answer"
    if kind == EXCHANGE:
        return f"{who} exchanges {move.token[1:]} for {before.turn_up}{when}"
    if kind == CLAIM:
        claimed = f"{who} claims {before.rules['target_card_points']} with {before.card_points[seat]}"
        return claimed + (": right" if before.claim_is_right(seat) else ": wrong")
    return {
        DECLINE: f"{who} declines the exchange",
        CLOSE: f"{who} closes the talon",
        CLOSE_UNDRAWN: f"{who} closes the talon, and nobody draws",
        LOOK_BACK: f"{who} looks back at the tricks{when}",
    }[kind]


def transcript(positions: Sequence[Deal], *, refusals: int = 2) -> Transcript:
    """Write down a deal, given all its positions from the first to the last, with so many refusals at most."""
    tried = _instructive(positions, refusals)
    writer = _Writer()
    for place, (before, after) in enumerate(pairwise(positions)):
        if place in tried:
            mover = before.to_move
            assert mover is not None
            writer.add(before, Refused(mover, tried[place], before.led))
        writer.step(before, after)
    writer.close(positions[-1])
    return Transcript(positions[0], positions[-1], tuple(writer.entries))


# ---- instructive refusals ------------------------------------------------------------------------------------------


def _instructive(positions: Sequence[Deal], number: int) -> dict[int, Refusal]:
    """Refusals by place among the positions: for different options, and first what a player is likeliest to try."""
    found: list[tuple[int, int, Refusal]] = []
    for place, deal in enumerate(positions):
        for rank, token in _temptations(deal):
            try:
                refused = deal.why_not(parse(deal, token))
            except NotationError:
                continue
            if refused is not None and refused.options:
                found.append((rank, place, refused))
    chosen: dict[int, Refusal] = {}
    shown: set[str] = set()
    for _, place, refused in sorted(found, key=lambda one: one[:2]):
        if len(chosen) < number and place not in chosen and not shown & set(refused.options):
            chosen[place] = refused
            shown |= set(refused.options)
    return chosen


def _temptations(deal: Deal) -> list[tuple[int, str]]:
    """What the seat to move may be tempted to do, the most tempting first: (rank, token)."""
    seat = deal.to_move
    if seat is None:
        return []
    hand = deal.hand(seat)
    found: list[tuple[int, str]] = []
    phase = PHASES.index(deal.phase)
    if phase == ANSWER:
        found += [(0, card) for card in hand]
    exchanged = _EXCHANGED.get(str(deal.rules["exchange_card"]))
    if exchanged is not None and deal.turn_up is not None and deal.trump + exchanged in hand:
        found.append((1, f"^{deal.trump}{exchanged}"))
    if phase == LEAD:
        for suit in _SUITS:
            if {f"{suit}K", f"{suit}Q"} <= set(hand) and suit not in deal.announced[seat]:
                value = deal.rules["marriage_trump" if suit == deal.trump else "marriage_plain"]
                found.append((1, f"+{value}{suit}"))
        if deal.talon_state == "open":
            found.append((2, "|"))
    if deal.claim_is_right(seat) and not deal.claims_itself:
        found.append((1, "66"))
    return found
