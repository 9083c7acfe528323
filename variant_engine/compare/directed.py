"""Looking for a deal that parts two rulesets by playing many: seeded deals, in lockstep, in a dozen manners.

Each manner of play brings about what one chapter of the rules is about: played-out deals for the ends, closing early,
announcing everything, claiming wrongly, letting one side take every trick. Half of the packs are stacked so that one
player is dealt a marriage and the card that is exchanged. Every choice comes from a seed, so that the same two
rulesets always get the same deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from ..cards import KING, QUEEN, cards_in
from ..differing import ALL_MOVES
from ..encoding import EXCHANGE_PLACE, PACK, SEATS, Rules
from ..engine import legal, play
from ..options.deal import HAND_CARDS
from ..phases import (
    ANNOUNCE_MOVE,
    CLAIM_MOVE,
    CLOSE_MOVE,
    CLOSE_UNDRAWN_MOVE,
    DECLINE_MOVE,
    DRAW_MOVE,
    EXCHANGE_MOVE,
    LOOK_BACK_MOVE,
    OVER,
)
from ..rules.answer import answer_wins
from ..rules.ending import has_target
from ..state import LED, PHASE, TO_MOVE, State
from .lockstep import Course, Step, dealt, parting

#: From which seed the deals come.
SEED = 66

_ANNOUNCES = 0b1111 << ANNOUNCE_MOVE
_CARDS = (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class Manner:
    """How a deal is played: how likely each kind of move is where it is allowed, and how each seat picks its cards.

    ``others`` is how likely a seat that is not to move looks for something to do. Cards: ``any``, ``high`` (the best
    one can), ``low``.
    """

    announce: float = 0.6
    exchange: float = 0.6
    close: float = 0.0
    right: float = 0.0
    wrong: float = 0.0
    look: float = 0.1
    others: float = 0.1
    cards: tuple[str, str] = ("any", "any")


MANNERS = (
    Manner(close=0.15, right=0.5, wrong=0.02, others=0.3),
    Manner(),
    Manner(announce=0.0, exchange=0.2, look=0.0, others=0.0),
    Manner(close=0.5, right=0.1),
    Manner(close=0.3, right=0.6, cards=("high", "low")),
    Manner(cards=("high", "low"), right=0.8),
    Manner(cards=("low", "high"), wrong=0.05, close=0.2),
    Manner(announce=1.0, exchange=1.0, look=0.0),
    Manner(close=0.2, wrong=0.2, others=0.5),
    Manner(look=1.0, close=0.3, right=0.3),
    Manner(announce=0.3, close=0.08, cards=("high", "high")),
    Manner(announce=1.0, close=0.4, right=0.0, cards=("high", "low")),
)

#: Nothing but cards: nobody announces, exchanges, closes, looks back or claims.
CARDS_ONLY = Manner(announce=0.0, exchange=0.0, look=0.0, others=0.0)


def seeded_pack(ints: Rules, number: int) -> list[int]:
    """The pack of deal ``number``; of every four two are stacked for one seat or the other."""
    random = Random(f"{SEED}/{number}")
    pack = cards_in(ints[PACK])
    random.shuffle(pack)
    kind = number // len(MANNERS) % 4
    if kind < 2:
        # Where the first cards of each hand lie is the same for every way of dealing in packets: at the top.
        trump = random.randrange(4)
        suit = trump if random.random() < 0.4 else random.randrange(4)
        wanted = [8 * suit + KING, 8 * suit + QUEEN, 8 * trump + max(ints[EXCHANGE_PLACE], 0)]
        start = 0 if kind == 0 else min(3, ints[HAND_CARDS])
        for place, card in enumerate(wanted, start):
            if card in pack:
                other = pack.index(card)
                pack[place], pack[other] = pack[other], pack[place]
    return pack


def play_on(
    one: Rules, two: Rules, here: State, there: State, manner: Manner, random: Random, results: bool = True
) -> Course | None:
    """Play two states in lockstep to the end of the deal; where the rulesets part, or None if they do not."""
    moves: list[Step] = []
    while True:
        where = parting(one, here, two, there)
        if where is not None:
            if where.is_result and not results:
                return None
            allows = where.is_result or legal(one, here, where.seat) >> where.move & 1 == 1
            return Course(tuple(moves), where, allows)
        if here[PHASE] == OVER:
            return None
        seat, move = _choose(one, here, manner, random)
        play(one, here, seat, move)
        play(two, there, seat, move)
        moves.append((seat, move))


def witnesses(
    one: Rules,
    two: Rules,
    deals: int,
    carries: Sequence[int] = (0,),
    results: bool = True,
    manners: Sequence[Manner] = MANNERS,
) -> Iterator[tuple[int, list[int], int, Course]]:
    """Of deals 0 to ``deals - 1`` those that part the rulesets: number, pack, carry, and how they were played."""
    for number in range(deals):
        pack = seeded_pack(one, number)
        carry = carries[number % len(carries)]
        manner = manners[number % len(manners)]
        here, there = dealt(one, pack, 1, carry), dealt(two, pack, 1, carry)
        course = play_on(one, two, here, there, manner, Random(f"{SEED}/{number}/play"), results)
        if course is not None:
            yield number, pack, carry, course


def _choose(ints: Rules, state: State, manner: Manner, random: Random) -> Step:
    mover = state[TO_MOVE]
    seats = [mover]
    if random.random() < manner.others:
        seats = [seat for seat in range(ints[SEATS]) if seat != mover] + seats
    for seat in seats:
        mask = legal(ints, state, seat) & ALL_MOVES
        move = _declaration(ints, state, seat, mask, manner, random)
        if move >= 0:
            return seat, move
    cards = mask & _CARDS
    if cards:
        return mover, _card(ints, state, cards, manner.cards[mover], random)
    for move in (DRAW_MOVE, DECLINE_MOVE, EXCHANGE_MOVE):
        if mask >> move & 1:
            return mover, move
    return mover, (mask & -mask).bit_length() - 1


def _declaration(ints: Rules, state: State, seat: int, mask: int, manner: Manner, random: Random) -> int:
    """Something other than playing a card, or -1."""
    if mask >> CLAIM_MOVE & 1:
        chance = manner.right if has_target(ints, state, seat) else manner.wrong / 4
        if random.random() < chance:
            return CLAIM_MOVE
    if mask >> EXCHANGE_MOVE & 1 and random.random() < manner.exchange:
        return EXCHANGE_MOVE
    if mask & _ANNOUNCES and random.random() < manner.announce:
        return random.choice([move for move in range(ANNOUNCE_MOVE, ANNOUNCE_MOVE + 4) if mask >> move & 1])
    for move, chance in (
        (LOOK_BACK_MOVE, manner.look),
        (CLOSE_MOVE, manner.close / 2),
        (CLOSE_UNDRAWN_MOVE, manner.close),
    ):
        if mask >> move & 1 and random.random() < chance:
            return move
    return -1


def _card(ints: Rules, state: State, mask: int, way: str, random: Random) -> int:
    cards = cards_in(mask)
    if way == "any" or random.random() < 0.1:
        return random.choice(cards)
    if state[LED] >= 0:
        winning = [card for card in cards if answer_wins(ints, state, card)]
        losing = [card for card in cards if card not in winning]
        cards = (winning or losing) if way == "high" else (losing or winning)
        return random.choice(cards)
    cards.sort(key=lambda card: card & 7)
    return cards[-1] if way == "high" else cards[0]
