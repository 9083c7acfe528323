"""The table as the player to move sees it, and what that player may do."""

from __future__ import annotations

from collections.abc import Sequence

from variant_engine.notation import Move
from variant_engine.phases import (
    ANNOUNCE,
    CLAIM,
    CLOSE,
    CLOSE_UNDRAWN,
    DECLINE,
    DRAW,
    EXCHANGE,
    LOOK_BACK,
    PLAY,
    kind_of,
)
from variant_engine.table import Deal

from .console import GLUE, Console
from .look import in_order
from .people import People
from .source import infinitive

#: The words by which moves that are no cards can be called for.
_CALLED = {EXCHANGE: "exchange", CLOSE: "close", CLOSE_UNDRAWN: "close", CLAIM: "66", LOOK_BACK: "@", DECLINE: "no"}

#: Where the kinds stand among what may be done: what is done at nearly every turn first, what is hardly ever done last.
_PLACES = {PLAY: 0, DRAW: 0, CLAIM: 2, LOOK_BACK: 3}


class Screen:
    """Shows positions. ``counts`` says whether card points are shown before the end of a deal."""

    def __init__(self, console: Console, people: People, counts: bool) -> None:
        self.console = console
        self.people = people
        self.counts = counts

    def position(self, deal: Deal, seat: int, news: Sequence[str] = ()) -> None:
        """Show the table to the player at ``seat``, whose turn it is; ``news`` are cards drawn unseen by others."""
        self.console.say()
        self.console.say(self._heading(deal, seat))
        rows = []
        if news:
            rows.append(("You drew", self.console.look.cards(news)))
        rows += [("Your hand", self.hand(deal, seat)), ("Trumps", self._trumps(deal))]
        rows.append(("Tricks", self.people.each(deal.tricks)))
        if self.counts:
            rows.append(("Card points", self.count(deal)))
        rows.append(("You may", self.may(deal, seat)))
        self.console.rows(rows)

    def _heading(self, deal: Deal, seat: int) -> str:
        number = sum(deal.tricks) + 1
        look, you = self.console.look, self.people.says(seat, "lead")
        if deal.phase == "answer":
            assert deal.led is not None
            led = self.people.says(deal.leader, "have", f"led {look.card(deal.led)}")
            return f"Trick {number}. {led}; {self.people.name(seat)} {self.people.does(seat, 'answer')}."
        if deal.phase == "before the draw":
            return f"Before the draw. {self.people.says(seat, 'have', 'taken the trick')}."
        if deal.phase == "offer":
            return f"{self.people.says(seat, 'are', 'offered the exchange')}."
        if deal.phase == "announced":
            return f"Trick {number}. {you} a card of the marriage."
        return f"Trick {number}. {you}."

    def hand(self, deal: Deal, seat: int) -> str:
        """A hand, its cards numbered."""
        cards = in_order(deal.rules, deal.hand(seat))
        return "  ".join(f"{place}{GLUE}{self.console.look.card(card)}" for place, card in enumerate(cards, 1))

    def _trumps(self, deal: Deal) -> str:
        look = self.console.look
        parts = [look.suit(deal.trump)]
        if deal.turn_up is not None:
            parts.append(f"turn-up {look.card(deal.turn_up)}")
        if deal.talon_state == "exhausted":
            parts.append("talon exhausted")
        else:
            cards = "1 card" if deal.face_down == 1 else f"{deal.face_down} cards"
            where = f"talon {cards} face down"
            if deal.closer is not None:
                where += f", closed by {self.people.name(deal.closer)}"
            parts.append(where)
        return "; ".join(parts)

    def count(self, deal: Deal) -> str:
        """What each player has counted."""
        text = self.people.each(deal.card_points)
        waiting = [
            f"{deal.pending[seat]} of {self.people.owner(seat)} marriages wait for a trick"
            for seat in self.people.seats
            if deal.pending[seat]
        ]
        return "; ".join([text, *waiting])

    # ---- what may be done ---------------------------------------------------------------------------------------

    def may(self, deal: Deal, seat: int) -> str:
        """What the player may do, in one sentence, each with what to type in brackets."""
        moves = deal.legal(seat)
        cards = [move.token for move in moves if kind_of(move.code) == PLAY]
        held = deal.hand(seat)
        parts = []
        if len(cards) == len(held) > 1:
            parts.append("play any card")
        elif cards:
            shown = [card for card in in_order(deal.rules, held) if card in cards]
            parts.append(f"play {self.console.look.cards(shown)}")
        parts += [
            f"{self._words(deal, move)}{GLUE}[{self._call(deal, moves, move)}]"
            for move in sorted(moves, key=lambda move: _PLACES.get(kind_of(move.code), 1))
            if kind_of(move.code) != PLAY
        ]
        return "; ".join(parts)

    def _words(self, deal: Deal, move: Move) -> str:
        if kind_of(move.code) == CLAIM:
            return f"claim {deal.rules['target_card_points']}"
        return infinitive(move.token, move.code, self.console.look, deal.turn_up)

    def _call(self, deal: Deal, moves: Sequence[Move], move: Move) -> str:
        kind = kind_of(move.code)
        if kind == ANNOUNCE:
            same = [other for other in moves if other.token[:-1] == move.token[:-1]]
            return self.console.look.token(move.token) if len(same) > 1 else move.token[1:-1]
        if kind == DRAW:
            return "Enter"
        return _CALLED[kind]

    def moves(self, deal: Deal, seat: int) -> None:
        """Show the moves one by one, with the tokens of the notation."""
        look = self.console.look
        self.console.say("You may:")
        rows = []
        held = in_order(deal.rules, deal.hand(seat))
        moves = sorted(
            deal.legal(seat),
            key=lambda move: (_PLACES.get(kind_of(move.code), 1), move.token in held and held.index(move.token)),
        )
        for move in moves:
            words = self._words(deal, move)
            if move.token == "@":
                words += ", at the price that the rules set: rules memory"
            rows.append((look.token(move.token), words))
        self.console.rows(rows)
        if not set(held) <= {move.token for move in moves}:
            card = look.token("HQ")
            self.console.say(f"Why not another? Type ? and the card or move, as in ? {card} or ? close.", indent="  ")
