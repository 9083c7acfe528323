"""What happens at the table in sentences: each move as the others see it, and what it brings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from variant_engine.hints import counted
from variant_engine.phases import CLAIM, CLOSE, CLOSE_UNDRAWN, DECLINE, EXCHANGE, LOOK_BACK, PLAY, kind_of
from variant_engine.table import Deal

from .look import Look
from .people import People


def marriage_worth(deal: Deal, suit: str) -> int:
    """What a marriage in a suit counts, in card points."""
    return int(deal.rules["marriage_trump" if suit == deal.trump else "marriage_plain"])


@dataclass(frozen=True, slots=True)
class QuittedTrick:
    """A trick that has been taken: its number, who led what, what was answered, who took it."""

    number: int
    leader: int
    led: str
    answer: str
    winner: int


def quitted_tricks(positions: Sequence[Deal]) -> list[QuittedTrick]:
    """The tricks taken so far, from all positions of a deal."""
    found: list[QuittedTrick] = []
    for before, after in pairwise(positions):
        if sum(after.tricks) == sum(before.tricks):
            continue
        _, move = after.history[-1]
        winner = next(seat for seat in range(after.seats) if after.tricks[seat] > before.tricks[seat])
        assert before.led is not None
        found.append(QuittedTrick(len(found) + 1, before.leader, before.led, move.token, winner))
    return found


def free_to_look_at(deal: Deal, tricks: Sequence[QuittedTrick], seat: int) -> list[QuittedTrick]:
    """The tricks that a player may look at without paying for it."""
    free = deal.rules["look_back"]
    if free == "all_tricks":
        return list(tricks)
    if free == "last_trick":
        return list(tricks[-1:])
    return [trick for trick in tricks if trick.winner == seat] if free == "own_tricks" else []


def drawn_by(before: Deal, after: Deal) -> dict[int, list[str]]:
    """The cards that each player has drawn from the talon with a move, the turn-up among them."""
    seat, move = after.history[-1]
    exchanged = before.turn_up if kind_of(move.code) == EXCHANGE else None
    found: dict[int, list[str]] = {}
    for other in range(after.seats):
        new = [card for card in after.hand(other) if card not in before.hand(other)]
        new = [card for card in new if not (other == seat and card == exchanged)]
        if new:
            found[other] = new
    return found


class Teller:
    """Tells what a move has done. ``counts`` says whether card points may be told."""

    def __init__(self, people: People, look: Look, counts: bool) -> None:
        self.people = people
        self.look = look
        self.counts = counts

    def move(self, before: Deal, after: Deal) -> list[str]:
        """Sentences about the last move, drawing included; a card drawn is named to no one but "you"."""
        seat, move = after.history[-1]
        kind = kind_of(move.code)
        lines = self._announced(before, after)
        if kind == PLAY:
            lines += self._played(before, after, seat, move.token)
        elif kind == EXCHANGE:
            assert before.turn_up is not None
            cards = f"{self.look.card(move.token[1:])} for the turn-up {self.look.card(before.turn_up)}"
            lines.append(self._says(seat, "exchange", cards))
        else:
            target = before.rules["target_card_points"]
            said = {
                CLAIM: ("claim", f"to have reached {target}"),
                CLOSE: ("close", "the talon; nothing is drawn any more"),
                CLOSE_UNDRAWN: ("close", "the talon without drawing; nothing is drawn any more"),
                DECLINE: ("leave", "the turn-up where it is"),
                LOOK_BACK: ("look", "back at the tricks"),
            }.get(kind)
            if said is not None:
                lines.append(self._says(seat, *said))
        return lines + self._drawn(before, after)

    def _says(self, seat: int, verb: str, rest: str) -> str:
        return f"{self.people.says(seat, verb, rest)}."

    def _announced(self, before: Deal, after: Deal) -> list[str]:
        lines = []
        for seat in range(after.seats):
            for suit in after.announced[seat]:
                if suit in before.announced[seat]:
                    continue
                worth = marriage_worth(after, suit)
                waits = after.pending[seat] > before.pending[seat]
                later = ", to count with a trick" if waits else ""
                rest = f"the marriage in {self.look.suit(suit)}, {worth} card points{later}"
                lines.append(self._says(seat, "announce", rest))
        return lines

    def _played(self, before: Deal, after: Deal, seat: int, card: str) -> list[str]:
        shown = self.look.card(card)
        if before.led is None:
            return [self._says(seat, "lead", shown)]
        winner = next(other for other in range(after.seats) if after.tricks[other] > before.tricks[other])
        gained = after.card_points[winner] - before.card_points[winner]
        worth = f" ({counted(gained, 'card point')})" if self.counts else ""
        waited = before.pending[winner] - after.pending[winner]
        if waited and not after.pending[winner]:
            # Said also where the count is not: it has been announced for all to hear.
            worth += f"; the {waited} announced before now count"
        if winner == seat:
            return [f"{self.people.says(seat, 'answer', shown)} and {self.people.does(seat, 'take')} the trick{worth}."]
        takes = f"{self.people.name(winner)} {self.people.does(winner, 'take')} the trick{worth}"
        return [f"{self.people.says(seat, 'answer', shown)}; {takes}."]

    def _drawn(self, before: Deal, after: Deal) -> list[str]:
        drawn = drawn_by(before, after)
        parts = []
        order = [(after.leader + step) % after.seats for step in range(after.seats)]
        if after.rules["draw_first"] == "loser":
            order.reverse()
        for seat in order:
            for card in drawn.get(seat, ()):
                turn_up = card == before.turn_up
                known = turn_up or seat == self.people.you
                what = f"the turn-up {self.look.card(card)}" if turn_up else self.look.card(card) if known else "a card"
                parts.append((seat, "take" if turn_up else "draw", what))
        lines = []
        if parts:
            first, *others = parts
            rest = [f"{self.people.name(seat)} {self.people.does(seat, verb)} {what}" for seat, verb, what in others]
            lines.append(f"{', '.join([self.people.says(*first), *rest])}.")
        if after.talon_state == "exhausted" and before.talon_state == "open":
            lines.append("The talon is exhausted.")
        return lines
