"""The game above the deal: the cut, who deals, game points to the target, what is carried, the stakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .cards import (
    ACE,
    CLUBS,
    DIAMONDS,
    EIGHT,
    HEARTS,
    JACK,
    KING,
    NINE,
    QUEEN,
    SEVEN,
    SPADES,
    TEN,
    card_name,
    cards_in,
)
from .encoding import BEATEN_BY, PACK, SEATS
from .options.deal import (
    ANY_AGREED,
    CLUBS_HIGH,
    CUT_AGAIN,
    CUT_RANK,
    CUT_TIE,
    FIRST_DEALER,
    HIGH_CARD_CHOOSES,
    LOW_CARD_DEALS,
    TEN_LOW,
)
from .options.ending import (
    DOUBLE_GAME,
    DOUBLE_IF_SCORELESS,
    PER_POINT,
    STAKES,
    TARGET_GAME_POINTS,
)
from .rules.game import dealer_after
from .shuffle import Stream
from .state import next_seat
from .table import Deal, deal

if TYPE_CHECKING:
    from .ruleset import Ruleset

_TEN_LOW_ORDER = (SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE)
_CLUBS_HIGH_ORDER = (DIAMONDS, HEARTS, SPADES, CLUBS)
_SPADES_HIGH_ORDER = (CLUBS, DIAMONDS, HEARTS, SPADES)


@dataclass(frozen=True)
class Game:
    """A game between two players, from the cut to the target; a value like everything else.

    ``score`` are game points by seat. ``cuts`` lists each pair of cards cut for the deal, seat by seat, the last pair
    having decided. ``number`` counts the deals played, drawn ones included.
    """

    rules: Ruleset
    seed: int
    dealer: int
    cuts: tuple[tuple[str, ...], ...] = ()
    number: int = 0
    score: tuple[int, ...] = (0, 0)
    carry: int = 0
    results: tuple[tuple[int | None, int], ...] = field(default=())

    @property
    def winner(self) -> int | None:
        """The seat that has won the game, once one has reached the target."""
        for seat, won in enumerate(self.score):
            if won >= self.rules.ints[TARGET_GAME_POINTS]:
                return seat
        return None

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.winner is not None

    def next_deal(self, pack: Sequence[str] | None = None) -> Deal:
        """The next deal, from the game's seed or from a ``pack``. Raises :class:`ValueError` when the game is over."""
        if self.over:
            raise ValueError("the game is over")
        seed = self.seed if pack is None else None
        return deal(
            self.rules,
            seed=seed,
            number=self.number,
            pack=pack,
            dealer=self.dealer,
            score=self.score,
            carry=self.carry,
        )

    def after(self, played: Deal) -> Game:
        """The game after a deal that is over: scored, carried, and the deal passed on.

        Raises :class:`ValueError` for a deal that still goes on.
        """
        result = played.result
        if result is None:
            raise ValueError("the deal is not over")
        score = tuple(
            won + (result.game_points if seat == result.winner else 0) for seat, won in enumerate(self.score)
        )
        return replace(
            self,
            score=score,
            carry=result.carry,
            number=self.number + 1,
            dealer=next_dealer(self.rules, self.dealer, result.winner),
            results=(*self.results, (result.winner, result.game_points)),
        )

    @property
    def stakes(self) -> int:
        """How many stakes the loser owes the winner: by the game or by the game point, doubled for a double game.

        Raises :class:`ValueError` while the game goes on.
        """
        winner = self.winner
        if winner is None:
            raise ValueError("the game is not over")
        ints = self.rules.ints
        lost = self.score[next_seat(ints[SEATS], winner)]
        owed = self.score[winner] - lost if ints[STAKES] == PER_POINT else 1
        return 2 * owed if ints[DOUBLE_GAME] == DOUBLE_IF_SCORELESS and lost == 0 else owed


def next_dealer(rules: Ruleset, dealer: int, winner: int | None) -> int:
    """Who deals after a deal that ``winner`` (None: nobody) has won."""
    return dealer_after(rules.ints, dealer, -1 if winner is None else winner)


def game(rules: Ruleset, *, seed: int, dealer: int | None = None, chooser_deals: bool = True) -> Game:
    """A new game. The first dealer is found by cutting, as the rules say, unless ``dealer`` names one.

    Where any agreed way will do, the higher card deals. Where the higher card has the choice, ``chooser_deals`` says
    what its owner chooses.
    """
    if dealer is not None:
        return Game(rules, seed, dealer)
    ints = rules.ints
    cuts: list[tuple[str, ...]] = []
    high = -1
    while high < 0:
        draw = Stream(f"{seed}/cut/{len(cuts)}")
        left = cards_in(ints[PACK])
        cards = [left.pop(draw.randrange(len(left))) for _ in range(ints[SEATS])]
        cuts.append(tuple(card_name(card) for card in cards))
        high = _higher_cut(rules, cards)
    low = next_seat(ints[SEATS], high)
    found = ints[FIRST_DEALER]
    if found == LOW_CARD_DEALS or (found == HIGH_CARD_CHOOSES and not chooser_deals):
        first = low
    else:
        first = high
    return Game(rules, seed, first, tuple(cuts))


def _higher_cut(rules: Ruleset, cards: list[int]) -> int:
    """The seat that cut the higher card, or -1 when both must cut again.

    Players who may settle it in any way need no rules for cutting: here they cut as they play.
    """
    ints = rules.ints
    agreed = ints[FIRST_DEALER] == ANY_AGREED
    first, second = cards
    if first & 7 == second & 7:
        if agreed or ints[CUT_TIE] == CUT_AGAIN:
            return -1
        suits = _CLUBS_HIGH_ORDER if ints[CUT_TIE] == CLUBS_HIGH else _SPADES_HIGH_ORDER
        return 0 if suits.index(first >> 3) > suits.index(second >> 3) else 1
    if ints[CUT_RANK] == TEN_LOW and not agreed:
        beaten = _TEN_LOW_ORDER.index(first & 7) < _TEN_LOW_ORDER.index(second & 7)
    else:
        beaten = ints[BEATEN_BY + (first & 7)] >> (second & 7) & 1 == 1
    return 1 if beaten else 0
