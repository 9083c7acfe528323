"""The same deals side by side: through the engine of the PyPI package ``schnapsen``, and through ours.

Both are dealt the same pack. At every decision their legal moves, the mover's hand and the counts must be the same; one
of the moves is drawn by lot and played on both sides; at the end winner, game points and counts must be the same.

``python -m tests.lockstep --deals 10000`` runs as many deals as asked for.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from random import Random
from time import perf_counter

from schnapsen.deck import Card, OrderedCardCollection, Rank, Suit
from schnapsen.game import (
    Bot,
    BotState,
    GameState,
    Marriage,
    PlayerPerspective,
    SchnapsenGamePlayEngine,
)
from schnapsen.game import Move as TheirMove

import variant_engine as ve
from variant_engine.ruleset import Ruleset

RULESET = "schnapsen-vu"

_SUITS = {"S": Suit.SPADES, "H": Suit.HEARTS, "D": Suit.DIAMONDS, "C": Suit.CLUBS}
_RANKS = {"A": Rank.ACE, "T": Rank.TEN, "K": Rank.KING, "Q": Rank.QUEEN, "J": Rank.JACK}
THEIR_CARD = {s + r: Card.get_card(rank, suit) for s, suit in _SUITS.items() for r, rank in _RANKS.items()}
OUR_CARD = {card: name for name, card in THEIR_CARD.items()}


class DisagreementError(AssertionError):
    """The two engines part: what differs, and the deal and moves by which to get there."""

    def __init__(self, what: str, theirs: object, ours: object, deal: ve.Deal) -> None:
        moves = " ".join(str(move) for _, move in deal.history)
        super().__init__(f"{what}: theirs {theirs!r}, ours {ours!r}; pack {' '.join(deal.pack)}; moves {moves!r}")
        self.what = what


def token(move: TheirMove, trump: Suit) -> str:
    """Our token for one of their moves. That of a marriage stands for the king led as well."""
    if move.is_marriage():
        suit = move.as_marriage().suit
        return f"+{40 if suit is trump else 20}{OUR_CARD[move.as_marriage().king_card][0]}"
    if move.is_trump_exchange():
        return f"^{OUR_CARD[move.as_trump_exchange().jack]}"
    return OUR_CARD[move.as_regular_move().card]


class Pair:
    """One deal on both sides. Their engine asks for moves and so sets the pace; ours is asked the same and follows."""

    def __init__(self, rules: Ruleset, pack: Sequence[str], draw: Random) -> None:
        self.deal = ve.deal(rules, pack=pack, dealer=1)
        self.draw = draw
        self.engine = SchnapsenGamePlayEngine()
        self.bots = (Seat(self, 0), Seat(self, 1))
        #: What has happened, by name: decisions, kinds of moves, kinds of ends.
        self.seen: Counter[str] = Counter()

    def same(self, what: str, theirs: object, ours: object) -> None:
        """Raise :class:`DisagreementError` unless the two are equal."""
        if theirs != ours:
            raise DisagreementError(what, theirs, ours, self.deal)

    def run(self) -> None:
        """Play the deal to its end on both sides."""
        cards = OrderedCardCollection(THEIR_CARD[name] for name in self.deal.pack)
        first, second, talon = self.engine.hand_generator.generateHands(cards)
        state = GameState(BotState(self.bots[0], first), BotState(self.bots[1], second), talon, None)
        winner, game_points, count = self.engine.play_game_from_state(state, None)
        result = self.deal.result
        if result is None:
            raise DisagreementError("end", "over", "not over", self.deal)
        self.same("winner", self.bots.index(winner), result.winner)
        self.same("game points", game_points, result.game_points)
        self.same("winner's count", count.direct_points, result.card_points[result.winner or 0])
        self.seen["deals"] += 1
        self.seen[f"{result.reason} for {result.game_points}"] += 1

    def choose(self, seat: int, perspective: PlayerPerspective, led: TheirMove | None) -> TheirMove:
        """Compare the two sides at a decision, then draw a move by lot and play it on ours."""
        deal = self.deal
        self.seen["decisions"] += 1
        self.same("seat to move", seat, deal.to_move)
        self.same("card led", None if led is None else OUR_CARD[led.cards[-1]], deal.led)
        self.same("hand", {OUR_CARD[card] for card in perspective.get_hand()}, set(deal.hand(seat)))
        talon = perspective.get_trump_card()
        self.same("turn-up", talon and OUR_CARD[talon], deal.turn_up)
        self.same("talon", perspective.get_talon_size(), deal.face_down + (deal.turn_up is not None))
        counts = perspective.get_my_score().direct_points, perspective.get_opponent_score().direct_points
        self.same("counts", counts, (deal.card_points[seat], deal.card_points[1 - seat]))
        trump = perspective.get_trump_suit()
        theirs = {token(move, trump): move for move in perspective.valid_moves()}
        ours = [str(move) for move in deal.legal()]
        self.same("legal moves", sorted(theirs), sorted(ours))
        self.same("moves of the other seat", (), deal.legal(1 - seat))
        chosen = self.draw.choice(ours)
        move = theirs[chosen]
        self.deal = deal.play(chosen)
        if isinstance(move, Marriage):
            self.seen["royal marriages" if move.suit is trump else "marriages"] += 1
            king = OUR_CARD[move.king_card]
            self.same("cards to lead with the marriage", [king], [str(card) for card in self.deal.legal()])
            self.deal = self.deal.play(king)
        elif move.is_trump_exchange():
            self.seen["exchanges"] += 1
        return move


class Seat(Bot):
    """Their bot at one seat, which leaves everything to the pair."""

    def __init__(self, pair: Pair, seat: int) -> None:
        super().__init__()
        self.pair = pair
        self.seat = seat

    def get_move(self, perspective: PlayerPerspective, leader_move: TheirMove | None) -> TheirMove:
        """The move that the pair draws."""
        return self.pair.choose(self.seat, perspective, leader_move)

    def notify_game_end(self, won: bool, perspective: PlayerPerspective) -> None:
        """Compare what each seat has counted in the end."""
        deal = self.pair.deal
        mine, pending = perspective.get_my_score().direct_points, perspective.get_my_score().pending_points
        self.pair.same("count at the end", (mine, pending), (deal.card_points[self.seat], deal.pending[self.seat]))
        taken = len(perspective.get_won_cards()) // 2
        self.pair.same("tricks at the end", taken, deal.tricks[self.seat])


def play_deals(rules: Ruleset, deals: int, seed: int = 1) -> Counter[str]:
    """Play deals 0 to ``deals - 1`` of a seed in lockstep; how often what happened in them.

    Raises :class:`DisagreementError` at the first difference.
    """
    seen: Counter[str] = Counter()
    for number in range(deals):
        pack = ve.deal(rules, seed=seed, number=number).pack
        pair = Pair(rules, pack, Random(f"lockstep {seed}/{number}"))
        pair.run()
        seen += pair.seen
    return seen


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Play deals through schnapsen's engine and ours, step by step.")
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    start = perf_counter()
    seen = play_deals(ve.load(RULESET), asked.deals, asked.seed)
    print(f"no difference in {perf_counter() - start:.1f} s")
    for what, times in sorted(seen.items()):
        print(f"{times:10} {what}")


if __name__ == "__main__":
    main()
