"""Strategies for the property tests, and helpers to set up rulesets and deals. A new option joins by being declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random

from hypothesis import strategies as st

import variant_engine as ve
from variant_engine import encoding, notation, state
from variant_engine.cards import card_name, pack_order
from variant_engine.engine import bars, legal
from variant_engine.evidence import Evidence
from variant_engine.notation import Move
from variant_engine.options import OPTIONS, Option
from variant_engine.options.conflicts import CONFLICTS, broken_conflicts
from variant_engine.options.deal import PACK_CARDS
from variant_engine.options.marriage import MARRIAGE_PLAIN, MARRIAGE_TRUMP
from variant_engine.phases import CLAIM_MOVE, LOOK_BACK_MOVE
from variant_engine.ruleset import Ruleset

Value = str | int
Values = dict[str, Value]


# ---- rulesets -----------------------------------------------------------------------------------------------------


@cache
def shipped() -> tuple[Ruleset, ...]:
    """The rulesets that come with the program."""
    return tuple(ve.load(head.id) for head in ve.rulesets())


class Drawn(Ruleset):
    """A ruleset that belongs to no file. It shows itself as the call that makes it, so that a failure can be copied."""

    def __repr__(self) -> str:
        changed = [f"{name}={value!r}" for name, value in self.values.items() if value != neutral()[name]]
        return f"ruleset({', '.join(changed)})"


def ruleset(changes: Mapping[str, Value] | None = None, **more: Value) -> Ruleset:
    """A ruleset that belongs to no file: the neutral values with some changed."""
    values = neutral() | dict(changes or {}) | more
    broken = broken_conflicts(values)
    assert not broken, "; ".join(conflict.message(values) for conflict in broken)
    return Drawn(
        id="drawn", title="Drawn by lot", kind="house", lineage="", language="", summary="", source=None, parent=None,
        file="drawn.yaml", values=values, evidence={name: Evidence(value) for name, value in values.items()},
    )  # fmt: skip


def neutral() -> Values:
    """Every option at its neutral value."""
    return dict(encoding.neutral_values())


def repaired(values: Values) -> Values:
    """The values with every contradiction taken out, changing as little as the order of the pack, hand, rest allows."""
    values = dict(values)
    pack = int(values["pack_cards"])
    values["hand_cards"] = min(int(values["hand_cards"]), pack // 2 - 1)
    hand = int(values["hand_cards"])
    talon = pack - 2 * hand - 1
    values["packet_cards"] = min(int(values["packet_cards"]), hand)
    for name in ("exchange_talon_min", "closing_talon_min"):
        values[name] = min(int(values[name]), talon)
    values["schneider_limit"] = min(int(values["schneider_limit"]), int(values["target_card_points"]))
    for conflict in CONFLICTS:
        if conflict.broken(values):
            values |= {"R302": {"exchange_card": "jack"}, "R304": {"turn_up": "thirteenth_card"}}[conflict.code]
    assert not broken_conflicts(values)
    return values


@cache
def attested(option: Option) -> tuple[Value, ...]:
    """The values that shipped rulesets give an option, the neutral one first."""
    return tuple(dict.fromkeys((option.neutral, *(rules.values[option.name] for rules in shipped()))))


@cache
def _likely(option: Option) -> tuple[Value, ...]:
    """Answers to draw from: every token, and of a number the known, the extreme and a few in between.

    What is known comes several times, so that a ruleset is not all extremes, under which every deal ends at once.
    """
    answers = option.answers()
    known = attested(option)
    if option.values:
        return (*known, *answers)
    middle = answers[:: max(1, len(answers) // 5)]
    return (*known, *known, *known, answers[0], answers[-1], *middle)


def values_of(option: Option) -> st.SearchStrategy[Value]:
    """A value of an option."""
    return st.sampled_from(_likely(option))


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any valid ruleset: every option drawn, or a shipped one (or the neutral one) with up to a dozen changed."""
    if draw(st.booleans()):
        values: Values = {option.name: draw(values_of(option)) for option in OPTIONS}
    else:
        bases = [neutral(), *(dict(rules.values) for rules in shipped())]
        values = dict(draw(st.sampled_from(bases)))
        for option in draw(st.lists(st.sampled_from(OPTIONS), max_size=12, unique=True)):
            values[option.name] = draw(values_of(option))
    return ruleset(repaired(values))


def random_ruleset(rng: Random) -> Ruleset:
    """A random ruleset without Hypothesis, for tests that count what happens in many deals."""
    if rng.random() < 0.5:
        values: Values = {option.name: rng.choice(_likely(option)) for option in OPTIONS}
    else:
        values = dict(rng.choice([neutral(), *(dict(rules.values) for rules in shipped())]))
        for option in rng.sample(OPTIONS, rng.randrange(12)):
            values[option.name] = rng.choice(_likely(option))
    return ruleset(repaired(values))


# ---- deals and moves ----------------------------------------------------------------------------------------------


def pack_names(rules: Ruleset) -> list[str]:
    """The cards of the ruleset's pack."""
    return [card_name(card) for card in pack_order(rules.ints[PACK_CARDS])]


@st.composite
def deals(draw: st.DrawFn, rules: Ruleset | None = None) -> ve.Deal:
    """A fresh deal: any ruleset (or the one given), pack, dealer, place of the turn-up and carried game points."""
    rules = draw(rulesets()) if rules is None else rules
    talon = rules.ints[PACK_CARDS] - 2 * int(rules["hand_cards"])
    # A shuffled list shrinks badly and slowly; a seed does neither harm.
    pack = pack_names(rules)
    Random(draw(st.integers(0, 2**32))).shuffle(pack)
    return ve.deal(
        rules,
        pack=pack,
        dealer=draw(st.integers(0, 1)),
        turn_up_at=draw(st.integers(0, talon)),
        carry=draw(st.sampled_from((0, 0, 1, 3))),
    )


def random_deal(rules: Ruleset, rng: Random, *, carry: int = 0) -> ve.Deal:
    """A fresh deal by lot."""
    pack = pack_names(rules)
    rng.shuffle(pack)
    return ve.deal(rules, pack=pack, dealer=rng.randrange(2), carry=carry)


def all_moves(deal: ve.Deal, seat: int) -> tuple[Move, ...]:
    """The whole move table for a seat, by code: everything that could be written down, allowed or not."""
    ints = deal._ints
    named = None if seat == deal._state[state.TO_MOVE] else seat
    return notation.move_table(
        deal._state[state.TRUMP], ints[MARRIAGE_PLAIN], ints[MARRIAGE_TRUMP], ints[encoding.EXCHANGE_PLACE], named
    )


def everyones_moves(deal: ve.Deal) -> list[Move]:
    """All legal moves of all seats."""
    return [move for seat in range(deal.seats) for move in deal.legal(seat)]


def is_sensible(deal: ve.Deal, move: Move) -> bool:
    """Whether a move neither looks back nor claims wrongly."""
    seat = deal._state[state.TO_MOVE] if move.seat is None else move.seat
    if move.code == CLAIM_MOVE:
        return deal.claim_is_right(seat)
    return move.code != LOOK_BACK_MOVE


def playout(deal: ve.Deal, rng: Random, *, foolish: float = 0.02, out_of_turn: float = 0.15) -> Iterator[ve.Deal]:
    """The positions of a random deal, the first and the last included.

    ``foolish``: how often a wrong claim may be made at all; ``out_of_turn``: how often a seat that is not to move gets
    its chance.
    """
    yield deal
    while not deal.over:
        moves = list(deal.legal())
        if rng.random() < out_of_turn:
            moves = [move for move in everyones_moves(deal) if move.seat is not None] or moves
        if rng.random() >= foolish:
            sensible = [move for move in moves if move.code == LOOK_BACK_MOVE or is_sensible(deal, move)]
            moves = sensible or [move for move in deal.legal() if is_sensible(deal, move)]
        deal = deal.play(rng.choice(moves))
        yield deal


def random_end(deal: ve.Deal, rng: Random, **how: float) -> ve.Deal:
    """The last position of :func:`playout`."""
    for position in playout(deal, rng, **how):
        deal = position
    return deal


def play(deal: ve.Deal, tokens: str) -> ve.Deal:
    """The deal after some tokens, separated by spaces."""
    for token in tokens.split():
        deal = deal.play(token)
    return deal


def legal_tokens(deal: ve.Deal, seat: int | None = None) -> set[str]:
    """The tokens of a seat's legal moves, without the seat."""
    return {move.token for move in deal.legal(seat)}


def refused_by(deal: ve.Deal, token: str) -> tuple[str, ...]:
    """The codes of everything that bars a token; empty when it is allowed."""
    refusal = deal.why_not(token)
    return () if refusal is None else tuple(bar.code for bar in refusal.bars)


# ---- positions with hidden cards changed --------------------------------------------------------------------------


def with_state(deal: ve.Deal, ints: list[int]) -> ve.Deal:
    """The same deal with another state."""
    return ve.Deal._of(deal.rules, deal._ints, ints, deal.pack, deal.score, deal._history)


def hidden_cards(deal: ve.Deal, seat: int) -> tuple[dict[int, list[int]], list[int]]:
    """What a seat cannot see: cards of each other hand that are not known to be there, and the places of the talon."""
    ints = deal._state
    hands = {
        other: [card for card in range(32) if (ints[state.HAND + other] & ~ints[state.KNOWN + other]) >> card & 1]
        for other in range(deal.seats)
        if other != seat
    }
    top = state.TALON_CARDS + ints[state.TALON_TOP]
    return hands, list(range(top, top + ints[state.FACE_DOWN]))


def with_hidden_cards_permuted(deal: ve.Deal, seat: int, rng: Random) -> ve.Deal:
    """The same deal as far as ``seat`` can see, with the cards it cannot see changed about."""
    hands, places = hidden_cards(deal, seat)
    ints = deal._state[:]
    cards = [card for hand in hands.values() for card in hand] + [ints[place] for place in places]
    rng.shuffle(cards)
    for other, hand in hands.items():
        for card in hand:
            ints[state.HAND + other] &= ~(1 << card)
        for _ in hand:
            ints[state.HAND + other] |= 1 << cards.pop()
    for place in places:
        ints[place] = cards.pop()
    # What lies above the top of the talon has been drawn and means nothing any more.
    for place in range(state.TALON_CARDS, state.TALON_CARDS + ints[state.TALON_TOP]):
        ints[place] = 0
    return with_state(deal, ints)


# ---- the core by itself -------------------------------------------------------------------------------------------


def agreement(deal: ve.Deal) -> list[str]:
    """Moves on which the core's ``legal`` and ``bars`` and the deal's own ``legal`` disagree, which should be none."""
    wrong = []
    for seat in range(deal.seats):
        mask = legal(deal._ints, deal._state, seat)
        offered = {move.code for move in deal.legal(seat)}
        for move in all_moves(deal, seat):
            free = bars(deal._ints, deal._state, seat, move.code) == 0
            if not (mask >> move.code & 1) == free == (move.code in offered):
                wrong.append(f"{notation.SEATS[seat]}:{move.token}")
    return wrong
