"""What can be typed beside moves: help, rules, score, history, tricks, count, hand, quit, and the question mark."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from variant_engine.phases import LOOK_BACK, kind_of
from variant_engine.state import next_seat
from variant_engine.table import Deal

from .chapters import show_chapters
from .ending import game_points, show_score
from .look import LEGEND, Look
from .source import infinitive, show_options
from .told import QuittedTrick, free_to_look_at, quitted_tricks
from .typed import Unclear, read_move, tokens_of

if TYPE_CHECKING:
    from .session import Session

_QUIT = ("quit", "exit", ":q", "bye")


def _help(look: Look, keeps: bool) -> list[tuple[str, str]]:
    """What can be typed, with what it does; the examples are cards as the player sees them."""
    queen = look.token("HQ")
    forms = [queen, *([look.card("HQ")] if look.card("HQ") != queen else ())]
    words = f"{look.rank('Q')} of {look.suit('H')}"
    pair = f"{look.rank('K')} or {look.rank('Q')}"
    kept = "the game is kept and can be gone on with" if keeps else "the game is not kept"
    return [
        (
            "a card",
            f"{', '.join(forms)}, '{words}'; its number in your hand: 3 or k3; its rank alone if only one fits: "
            f"{queen[1].lower()}",
        ),
        ("20, 40", f"announces a marriage; {look.token('+20C')} where there are several. Then lead its {pair}"),
        ("exchange", f"exchanges the low trump for the turn-up (also {look.token('^H9')})"),
        ("close", "closes the talon (also | or ||)"),
        ("66", "claims that you have reached the target, whatever the target is (also claim)"),
        ("Enter, draw", "draws, where you could close instead"),
        ("@", "looks back at the tricks, where the rules put a price on it"),
        ("?", "lists what you may do now"),
        (f"? {queen}", "says whether you may play that card, and which rule forbids it"),
        ("rules", "the chapter of the rules that matters now; rules closing, rules all"),
        ("score, history", "the score; the deals so far"),
        ("tricks, count", "the tricks you may look at; what has been counted, if the rules let it be written"),
        ("hand", "shows the table again"),
        ("quit", f"leaves; {kept}"),
    ]


class Leave(Exception):
    """The players want to stop here."""


class Commands:
    """Runs what is no move, for a session."""

    def __init__(self, session: Session, counts: bool) -> None:
        self.session = session
        self.counts = counts
        self._known: dict[str, Callable[[str], None]] = {
            "help": lambda _: self.help(),
            "rules": self.rules,
            "score": lambda _: self.score(),
            "history": lambda _: self.history(),
            "tricks": lambda _: self.tricks(),
            "count": lambda _: self.count(),
            "hand": lambda _: self.hand(),
            "show": lambda _: self.hand(),
            "why": self.why,
        }

    @property
    def _deal(self) -> Deal | None:
        return self.session.positions[-1] if self.session.positions else None

    def run(self, line: str) -> bool:
        """Run the command on a line; False if there is none. Raises :class:`Leave`."""
        word, _, rest = line.strip().partition(" ")
        if word.startswith("?"):
            self.why(f"{word} {rest}".strip("? "))
            return True
        word = word.lower()
        if word in _QUIT:
            raise Leave
        act = self._known.get(word)
        if act is None:
            return False
        act(rest.strip())
        return True

    def help(self) -> None:
        """What can be typed."""
        self.session.console.rows(_help(self.session.console.look, self.session.keeper.keeps))
        if self.session.people.you is None:
            self.session.console.say("The other player may claim out of turn: type the seat and 66, as in B:66.")
        if self.session.console.look.german:
            self.session.console.say(LEGEND)

    def rules(self, wanted: str) -> None:
        """A chapter of the rules."""
        show_chapters(self.session.console, self.session.rules, wanted, self._deal)

    def score(self) -> None:
        """The score of the game."""
        if self.session.game is None:
            self.session.console.say("The game has not begun.")
            return
        show_score(self.session.console, self.session.people, self.session.game)

    def history(self) -> None:
        """The deals of the game so far."""
        session = self.session
        results = session.game.results if session.game is not None else ()
        if not results:
            session.console.say("No deal has been finished yet.")
        for number, (winner, points) in enumerate(results, 1):
            won = "nobody wins" if winner is None else session.people.says(winner, "win", game_points(points))
            session.console.say(f"Deal {number}: {won}.")
        self.score()

    def hand(self) -> None:
        """The table again."""
        seat = self._player()
        if seat is not None:
            self.session.show(seat)

    def count(self) -> None:
        """The running count, where it may be written down."""
        session, deal = self.session, self._deal
        if deal is None:
            session.console.say("There is no deal under way.")
        elif self.counts:
            session.console.say(f"Card points: {session.screen.count(deal)}.")
        else:
            session.console.say("The count is kept in the head. (Start with --count to be shown it all the same.)")
            show_options(session.console, session.rules, ["count_written"])

    def tricks(self, *, everything: bool = False) -> None:
        """The quitted tricks that may be looked at."""
        session, deal = self.session, self._deal
        seat = self._player()
        if deal is None or seat is None:
            return
        tricks = quitted_tricks(session.positions)
        free = tricks if everything else free_to_look_at(deal, tricks, seat)
        if not tricks:
            session.console.say("No trick has been taken yet.")
            return
        for trick in free:
            session.console.say(f"Trick {trick.number}: {self._trick(trick)}")
        if len(free) < len(tricks):
            more = "No trick may be looked at" if not free else "The others may not be looked at"
            if any(kind_of(move.code) == LOOK_BACK for move in deal.legal(seat)):
                more += " freely; type @ to look all the same, at a price"
            elif deal.looked_back[seat]:
                more += " again: you have looked back once already, and in a deal that can be done only once"
            session.console.say(f"{more}.")
            show_options(session.console, session.rules, ["look_back", "look_back_price"])

    def _trick(self, trick: QuittedTrick) -> str:
        people, look = self.session.people, self.session.console.look
        led = people.says(trick.leader, "lead", look.card(trick.led))
        other = next_seat(len(people.names), trick.leader)
        answered = f"{people.name(other)} {people.does(other, 'answer')} {look.card(trick.answer)}"
        return f"{led}, {answered}; {people.name(trick.winner)} {people.does(trick.winner, 'take')} it."

    def why(self, wanted: str) -> None:
        """The moves, or why one is not allowed."""
        session, deal = self.session, self._deal
        seat = self._player()
        if deal is None or seat is None:
            return
        if seat != deal.to_move:
            session.console.say("It is not your turn.")
            return
        tokens = tokens_of(wanted)
        if not tokens:
            session.screen.moves(deal, seat)
            return
        try:
            move = read_move(tokens[0], deal, seat, session.console.look)
            moves = session.with_draw(move, seat)
        except Unclear as error:
            session.console.say(str(error))
            return
        if session.refuses(moves):
            return
        session.console.say(f"Allowed: to {infinitive(move.token, move.code, session.console.look, deal.turn_up)}.")

    def _player(self) -> int | None:
        """Who is at the screen and may see a hand; says so if nobody is."""
        seat = self.session.at_screen
        if self._deal is None or seat is None:
            self.session.console.say("There is nothing to see yet.")
            return None
        return seat
