"""A game at the terminal from the cut to the last deal: whose turn it is, what was typed, what comes of it.

The session asks and shows through a console and keeps the game through a keeper; it knows neither files nor terminals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from shlex import quote
from typing import TypeVar

from variant_engine.games import Game, game
from variant_engine.notation import Move
from variant_engine.phases import ANNOUNCE, CLAIM, kind_of
from variant_engine.players import Rng
from variant_engine.record import RecordError
from variant_engine.record.proof import next_bot_move
from variant_engine.ruleset import Ruleset
from variant_engine.shuffle import player_stream
from variant_engine.state import next_seat
from variant_engine.table import Deal, deal, parse

from .chapters import duty
from .commands import Commands, Leave
from .console import Console
from .ending import show_end_of_deal, show_end_of_game, show_score
from .keeping import Keeper, Resumed, wind
from .people import People
from .screen import Screen
from .source import show_refusal
from .told import Teller, drawn_by
from .typed import Unclear, as_typed, read_move, tokens_of

_T = TypeVar("_T")

_YES = ("y", "yes")
_NO = ("n", "no", "")


class Session:
    """One game. :meth:`run` plays it, or as much of it as the players want to."""

    def __init__(
        self, rules: Ruleset, people: People, console: Console, keeper: Keeper, seed: int, *, count: bool = False
    ) -> None:
        self.rules = rules
        self.people = people
        self.console = console
        self.keeper = keeper
        self.seed = seed
        counts = count or rules["count_written"] == "allowed"
        self.screen = Screen(console, people, counts)
        self.teller = Teller(people, console.look, counts)
        self.commands = Commands(self, counts)
        self.game: Game | None = None
        #: All positions of the deal under way; empty between two deals.
        self.positions: list[Deal] = []
        self._streams: dict[int, Rng] = {}
        #: What is left of a line with several moves.
        self._queue: list[str] = []
        #: Where two people play: who is at the screen, and what each has drawn since.
        self._at_screen: int | None = None
        self._drawn: dict[int, list[str]] = {}
        #: What has been told since the screen changed hands.
        self._since: list[str] = []
        self._shown: Deal | None = None
        self._asked_late: Deal | None = None

    @property
    def deal(self) -> Deal:
        """The position of the deal under way."""
        return self.positions[-1]

    @property
    def at_screen(self) -> int | None:
        """The seat of the player who is looking, if one is."""
        return self.people.you if self.people.you is not None else self._at_screen

    # ---- the game -----------------------------------------------------------------------------------------------

    def run(self, resumed: Resumed | None = None) -> int:
        """Play, and say how to go on when it ends before the game does. The exit code of the command."""
        try:
            if resumed is None:
                self._cut()
            else:
                self._take_up(resumed)
            self._play()
        except Leave:
            self._farewell("")
        except EOFError:
            self._farewell("The input has ended.")
        except KeyboardInterrupt:
            self._farewell("Interrupted.")
            return 130
        finally:
            self.keeper.close()
        return 0

    def _play(self) -> None:
        assert self.game is not None
        while not self.game.over:
            if not self.positions:
                self._begin_deal()
            while not self.deal.over:
                self._step()
            self._end_deal()
        show_end_of_game(self.console, self.people, self.game)
        if self.keeper.path is not None:
            self.console.say("The game is kept. To see it again, and how you have fared so far:")
            self.console.command(f"sixtysix replay {quote(str(self.keeper.path))}")
            self.console.command("sixtysix stats")

    def _farewell(self, why: str) -> None:
        path = self.keeper.path
        if path is not None:
            rest = "The game is kept. Go on with:"
        else:
            rest = "The game is not kept." if not self.keeper.keeps else "Nothing has been dealt, so nothing is kept."
        self.console.say()
        self.console.say(f"{why} {rest}".strip())
        if path is not None:
            self.console.command(f"sixtysix play --resume {quote(str(path))}")

    def _cut(self) -> None:
        """Cut for the deal, as far as the rules say so."""
        console, look, rules = self.console, self.console.look, self.rules
        found = game(rules, seed=self.seed)
        for place, cuts in enumerate(found.cuts):
            shown = [self.people.says(seat, "cut", look.card(cuts[seat])) for seat in self.people.seats]
            again = " Cut again." if place < len(found.cuts) - 1 else ""
            console.say(f"{', '.join(shown)}.{again}")
        if rules["first_dealer"] == "high_card_chooses" and not self._deals(found.dealer):
            found = game(rules, seed=self.seed, chooser_deals=False)
        self.game = found

    def _deals(self, chooser: int) -> bool:
        """Whether the owner of the higher card chooses to deal. A bot would rather lead."""
        if chooser in self.people.bots:
            self.console.say(f"{self.people.says(chooser, 'choose')} to lead.")
            return False
        prompt = f"{self.people.start(chooser)} cut the higher card. Will you deal? (y, or Enter to lead) "
        while True:
            answer = self._ask_beside(prompt).lower()
            if answer in _YES:
                return True
            if answer in _NO:
                return False
            self.console.say("Type y to deal, or press Enter to lead to the first trick.")

    def _take_up(self, resumed: Resumed) -> None:
        self.game = resumed.game
        self.positions = list(resumed.positions)
        if resumed.notice:
            self.console.say(resumed.notice)
        self._streams = {seat: player_stream(*resumed.seed, seat) for seat in self.people.bots}
        if not self.positions:
            show_score(self.console, self.people, self.game)
            return
        wind(self._streams, self.positions, self.people)
        tricks = sum(self.deal.tricks)
        where = f"trick {tricks + 1}" if not self.deal.over else "its end"
        self.console.say(f"Going on with deal {self.game.number + 1}, {where}.")
        show_score(self.console, self.people, self.game)

    # ---- a deal -------------------------------------------------------------------------------------------------

    def _begin_deal(self) -> None:
        now = self.game
        assert now is not None
        rules, console = self.rules, self.console
        console.say()
        dealer, forehand = now.dealer, next_seat(len(self.people.names), now.dealer)
        console.say(f"Deal {now.number + 1}. {self.people.says(dealer, 'deal')}, {self._leads(forehand)}.")
        place = self._turn_up_place(forehand)
        secret = self._insist(lambda: self.keeper.secret(now))
        pack = secret.pack if secret is not None else now.next_deal().pack
        start = deal(rules, pack=pack, dealer=dealer, turn_up_at=place, score=now.score, carry=now.carry)
        seed = (secret.seed, secret.number) if secret is not None else (now.seed, now.number)
        self._streams = {seat: player_stream(*seed, seat) for seat in self.people.bots}
        self._insist(lambda: self.keeper.begin(start, seed, place, secret))
        if secret is not None:
            console.say(f"The program is bound to these cards by {secret.commitment}")
        self.positions = [start]
        self._drawn = {}
        self._since = []
        turn_up = console.look.card(start.turn_up) if start.turn_up else "none"
        console.say(f"The turn-up is {turn_up}: {console.look.suit(start.trump)} are trumps.")

    def _leads(self, seat: int) -> str:
        return f"{self.people.name(seat)} {self.people.does(seat, 'lead')}"

    def _turn_up_place(self, forehand: int) -> int:
        """Where forehand draws the turn-up, if the rules let forehand draw it; 0 for the middle."""
        if self.rules["turn_up"] != "drawn_by_forehand" or forehand in self.people.bots:
            return 0
        talon = int(self.rules["pack_cards"]) - 2 * int(self.rules["hand_cards"])
        who = self.people.says(forehand, "draw", f"the turn-up from the {talon} cards of the talon")
        while True:
            answer = self._ask_beside(f"{who}. Which, 1 to {talon}? (Enter: the middle) ")
            if not answer:
                return 0
            if answer.isascii() and answer.isdigit() and 1 <= int(answer[:4]) <= talon:
                return int(answer[:4])
            self.console.say(f"Type a number from 1 to {talon}.")

    def _end_deal(self) -> None:
        assert self.game is not None
        self.game = self.game.after(self.deal)
        self.console.say()
        show_end_of_deal(self.console, self.people, self.deal, self.game)
        if self.keeper.verify and self.keeper.path is not None:
            self.console.say("The cards have been opened. Check them with:")
            self.console.command(f"sixtysix verify {quote(str(self.keeper.path))}")
        self.positions = []
        self._queue = []
        self._shown = self._at_screen = None

    def _step(self) -> None:
        """One move, by whoever has one."""
        if self._announces_late():
            return
        move = next_bot_move(self.deal, self.people.players, self._streams)
        if move is not None:
            self._make(move)
        else:
            self._turn()

    def _make(self, move: Move) -> None:
        before = self.deal
        after = self._insist(lambda: self.keeper.play(before, move))
        self.positions.append(after)
        seat, _ = after.history[-1]
        if seat != self.at_screen:
            self._drop_queue()
        for line in self._told(before, after):
            self._tell(line)
        for owner, cards in drawn_by(before, after).items():
            self._drawn.setdefault(owner, []).extend(cards)
        if move.token == "@":
            self.commands.tricks(everything=True)

    def _told(self, before: Deal, after: Deal) -> list[str]:
        lines = self.teller.move(before, after)
        if before.talon_state == "open" != after.talon_state and not after.over:
            lines.append(duty(self.rules, after.talon_state))
        return [line for line in lines if line]

    def _tell(self, line: str) -> None:
        self._since.append(line)
        self.console.say(line)

    def _insist(self, act: Callable[[], _T]) -> _T:
        """Do what must be written down; where that fails, as often as the players want."""
        while True:
            try:
                return act()
            except RecordError as error:
                self.console.say(str(error))
                self._ask_beside("Press Enter to try again, or type quit: ")

    # ---- a turn -------------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        seat = self.deal.to_move
        assert seat is not None
        if self.people.you is None and self._at_screen != seat:
            self._hand_over(seat)
        if self._shown is not self.deal and not self._queue:
            self.show(seat)
        self._shown = self.deal
        if self._queue:
            self._try(seat, self._queue.pop(0))
            return
        prompt = "Your move: " if self.people.you is not None else f"{self.people.name(seat)}, your move: "
        line = self.console.ask(prompt)
        if self.commands.run(line):
            return
        self._queue = tokens_of(line)
        if self._queue:
            self._try(seat, self._queue.pop(0))
        elif self.deal.phase == "before the draw":
            self._try(seat, "=")
        else:
            what = "exchange, or no" if self.deal.phase == "offer" else "a card, or its number"
            self.console.say(f"Type {what}; ? lists what you may do.")

    def show(self, seat: int) -> None:
        """Show the table to the player at ``seat``."""
        news = self._drawn.pop(seat, []) if self.people.you is None else []
        self.screen.position(self.deal, seat, news)

    def _hand_over(self, seat: int) -> None:
        """Hide what the other player has seen, and wait until this one is alone."""
        if self._queue and self._at_screen is not None:
            # What it is that was typed would tell the next player about the hand.
            self._queue = []
            self._since.append(f"(The rest of what {self.people.name(self._at_screen)} typed is not played.)")
        if self._at_screen is not None:
            self.console.hide()
            for line in self._since:
                self.console.say(line)
        self._since = []
        self._at_screen = None
        name = self.people.name(seat)
        while True:
            line = self.console.ask(f"{name}, press Enter when only you see the screen: ")
            if not line or not self.commands.run(line):
                break
        self._at_screen = seat
        self._shown = None

    def _drop_queue(self) -> None:
        if self._queue:
            self.console.say(f"(Not played: {as_typed(' '.join(self._queue))}.)")
            self._queue = []

    def _try(self, seat: int, token: str) -> None:
        """Make the move that a token means, or say why not."""
        now = self.deal
        try:
            move = read_move(token, now, seat, self.console.look)
            if move.seat is not None and move.seat in self.people.bots:
                raise Unclear(f"{self.people.start(move.seat)} plays for itself.")
            moves = self.with_draw(move, seat)
        except Unclear as error:
            self.console.say(str(error))
            self._drop_queue()
            return
        if self.refuses(moves):
            self._drop_queue()
            return
        for one in moves:
            self._make(one)

    def refuses(self, moves: Sequence[Move]) -> bool:
        """Whether one of some moves in a row is not allowed; then it is shown why."""
        position = self.deal
        for one in moves:
            refused = position.why_not(one)
            if refused is not None:
                show_refusal(self.console, position, refused, self.people)
                return True
            if one is not moves[-1]:
                position = position.play(one)
        return False

    def with_draw(self, move: Move, seat: int) -> list[Move]:
        """The move, behind the draw that it leaves unsaid. Only what does not hang on the card drawn may go without.

        Raises :class:`Unclear` for what does.
        """
        if self.deal.phase != "before the draw" or move.seat not in (None, seat) or move.token in ("=", "||", "66"):
            return [move]
        if move.token == "|" or move.token in self.deal.hand(seat):
            return [parse(self.deal, "="), move]
        raise Unclear("First draw: press Enter. Or type close to close the talon without drawing.")

    def _announces_late(self) -> bool:
        """Ask who has led half of a marriage without announcing it, where the rules let that be made good."""
        now = self.deal
        if self._asked_late is now or now.phase != "answer" or now.leader in self.people.bots:
            return False
        self._asked_late = now
        seat = now.leader
        late = [move for move in now.legal(seat) if kind_of(move.code) == ANNOUNCE]
        if not late:
            return False
        if self.people.you is None and self._at_screen != seat:
            # A game that has been resumed: the other player may be looking.
            self._hand_over(seat)
        look = self.console.look
        claims = [move for move in now.legal(seat) if kind_of(move.code) == CLAIM]
        token = late[0].token
        if self._queue:
            try:
                typed = read_move(self._queue[0], now, seat, look)
            except Unclear:
                typed = None
            if typed in late:
                self._queue.pop(0)
                self._make(late[0])
                return True
        prompt = f"You have not announced {token[1:-1]} in {look.suit(token[-1])}. Do it now? [y/n] "
        if self.people.you is None:
            prompt = f"{self.people.name(seat)}: {prompt}"
        while True:
            answer = self._ask_beside(prompt).lower()
            if answer in (*_YES, token.lower(), look.token(token).lower(), token[1:-1]):
                self._make(late[0])
                return True
            if answer in _NO:
                return False
            if answer == "66" and claims:
                self._make(claims[0])
                return True
            self.console.say("Type y to announce the marriage, or n to let it be.")

    def _ask_beside(self, prompt: str) -> str:
        """Ask for something else than a move; commands work there as well."""
        while True:
            line = self.console.ask(prompt)
            if not line or not self.commands.run(line):
                return line
