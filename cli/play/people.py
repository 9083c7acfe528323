"""Who plays, and sentences about them: "you take", "Tibor takes"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from variant_engine.hints import printable
from variant_engine.players import PLAYERS, Player

_IRREGULAR = {"have": "has", "are": "is"}


@dataclass(frozen=True, slots=True)
class People:
    """The players by seat. ``bots`` gives the seats that the program plays, by the player's name there.

    With one person at the terminal, that one is "you".
    """

    names: Sequence[str]
    bots: Mapping[int, str] = field(default_factory=dict)

    @property
    def seats(self) -> range:
        """The seats."""
        return range(len(self.names))

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat in self.seats if seat not in self.bots)

    @property
    def you(self) -> int | None:
        """The seat that is "you"; None where two people share the terminal."""
        return self.persons[0] if len(self.persons) == 1 else None

    @property
    def players(self) -> dict[int, Player]:
        """The bots' players by seat."""
        return {seat: PLAYERS[name] for seat, name in self.bots.items()}

    def name(self, seat: int) -> str:
        """What a player is called in the middle of a sentence."""
        if seat == self.you:
            return "you"
        return self.bots[seat].capitalize() if seat in self.bots else printable(self.names[seat])

    def start(self, seat: int) -> str:
        """What a player is called at the start of a sentence."""
        return "You" if seat == self.you else self.name(seat)

    def owner(self, seat: int) -> str:
        """Whose something is."""
        return "your" if seat == self.you else f"{self.name(seat)}'s"

    def does(self, seat: int, verb: str) -> str:
        """The verb as it stands with the player."""
        if seat == self.you:
            return verb
        first, space, rest = verb.partition(" ")
        return _IRREGULAR.get(first, first + "s") + space + rest

    def says(self, seat: int, verb: str, rest: str = "") -> str:
        """A sentence without its full stop: ``You take the trick``."""
        return " ".join(part for part in (self.start(seat), self.does(seat, verb), rest) if part)

    def each(self, numbers: Sequence[int]) -> str:
        """A number for each player: ``you 2, Greedy 1``."""
        order = sorted(self.seats, key=lambda seat: seat != self.you)
        return ", ".join(f"{self.name(seat)} {numbers[seat]}" for seat in order)
