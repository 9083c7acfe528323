"""The machine under random rulesets: whatever the options say, these things hold after every move."""

from __future__ import annotations

import copy
import gc
from random import Random
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import variant_engine as ve
from tests.strategies import (
    agreement,
    all_moves,
    deals,
    everyones_moves,
    hidden_cards,
    is_sensible,
    pack_names,
    play,
    playout,
    random_deal,
    random_end,
    random_ruleset,
    ruleset,
    rulesets,
    with_hidden_cards_permuted,
    with_state,
)
from variant_engine.cards import CARD_BY_NAME, card_name, cards_in
from variant_engine.phases import ANYONE, KINDS, MOVER, OTHERS, PHASES, TABLE, TALONS, kind_of
from variant_engine.players import choose_greedy
from variant_engine.ruleset import Ruleset
from variant_engine.state import HAND, KNOWN, LED, PLAYED, TALON_CARDS, TALON_TOP, TO_MOVE, TURN_UP
from variant_engine.view import View

# Written out here once more, so that the engine's own tables are not their own judges.
COUNTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}


def counts(rules: Ruleset, cards: tuple[str, ...]) -> int:
    table = COUNTS | ({"A": 1} if rules["card_points"] == "ace_one" else {})
    return sum(table[card[1]] for card in cards)


# ---- what holds in every position ---------------------------------------------------------------------------------


def check_cards(deal: ve.Deal) -> None:
    """Each card of the pack is in exactly one place."""
    places = [*deal.played, *deal.talon]
    for seat in range(deal.seats):
        places += deal.hand(seat)
    places += [card for card in (deal.turn_up, deal.led) if card is not None]
    assert sorted(places) == sorted(pack_names(deal.rules))
    if deal.talon_state == "open":
        assert deal.turn_up is not None
        assert deal.turn_up[0] == deal.trump
    assert (deal.talon_state == "exhausted") == (not deal.talon and deal.turn_up is None)


def check_hands(deal: ve.Deal) -> None:
    """Hands are as large as phase, talon and tricks make them."""
    sizes = [len(deal.hand(seat)) for seat in range(deal.seats)]
    full = int(deal.rules["hand_cards"])
    other = 1 - deal.leader
    if deal.led is not None:
        sizes[deal.leader] += 1
    if deal.phase == "offer" and deal.talon_state == "open":
        # The first to draw has done so; the second waits for the turn-up.
        assert deal.to_move is not None
        assert (sizes[deal.to_move], sizes[1 - deal.to_move]) == (full, full - 1)
        return
    if deal.over and deal.talon_state == "open":
        assert full - 1 <= min(sizes) <= max(sizes) <= full
        return
    assert sizes[deal.leader] == sizes[other]
    if deal.talon_state == "open":
        assert sizes[other] == full - (deal.phase == "before the draw")
    else:
        assert sizes[other] <= full


def check_tricks(deal: ve.Deal) -> None:
    """Tricks are two cards each; who answers is not who leads; the leader took the last trick."""
    assert 2 * sum(deal.tricks) == len(deal.played)
    if sum(deal.tricks):
        assert deal.tricks[deal.leader]
    else:
        assert deal.leader == 1 - deal.dealer
    if deal.phase == "answer":
        assert deal.to_move == 1 - deal.leader
        assert deal.led is not None
    elif deal.phase in ("lead", "announced", "before the draw"):
        assert deal.to_move == deal.leader
        assert deal.led is None
    if deal.closer is not None:
        assert deal.talon_state == "closed"
    assert (deal.closer is None) == (deal.talon_state != "closed")


def marriage_points(deal: ve.Deal) -> int:
    """The card points of all marriages announced."""
    return sum(
        int(deal.rules["marriage_trump" if suit == deal.trump else "marriage_plain"])
        for suits in deal.announced
        for suit in suits
    )


def check_card_points(deal: ve.Deal) -> None:
    """What is counted is what the cards in the tricks count, what was announced, and the bonus of a last trick."""
    expected = counts(deal.rules, deal.played) + marriage_points(deal)
    if deal.led is None and not any(deal.hand(seat) for seat in range(deal.seats)):
        closed = deal.talon_state == "closed"
        expected += int(deal.rules["last_trick_bonus_closed" if closed else "last_trick_bonus"])
    assert sum(deal.card_points) + sum(deal.pending) == expected
    if deal.rules["marriage_plain"] == 20 and deal.rules["marriage_trump"] == 40:
        assert marriage_points(deal) <= 100
    suits = "".join(deal.announced)
    assert len(suits) == len(set(suits))
    if deal.rules["marriage_counts"] == "at_once":
        assert not any(deal.pending)
    if deal.rules["marriage_counts"] == "with_a_trick":
        assert not any(waits and taken for waits, taken in zip(deal.pending, deal.tricks, strict=True))


WIN_VALUES = ("value_win", "value_schneider", "value_schwarz")
CLOSING_FORFEITS = ("closing_forfeit", "closing_forfeit_trickless")
CLAIM_FORFEITS = ("claim_forfeit", "claim_forfeit_trickless")


def check_result(deal: ve.Deal, carried: int) -> None:
    """The game points are those that the rules can give for such an end, and what is carried follows from the rules."""
    rules, result = deal.rules, deal.result
    if not deal.over:
        assert result is None
        return
    assert result is not None
    assert result.card_points == deal.card_points
    if result.winner is None:
        assert result.reason == "tie"
        assert result.game_points == 0
        assert result.carry == {"nothing": 0, "one": 1, "one_each": carried + 1}[str(rules["tie_carry"])]
        return
    assert result.carry == 0
    worth = {
        "claim": WIN_VALUES,
        "reached": WIN_VALUES,
        "counted": WIN_VALUES,
        "last_trick": WIN_VALUES if rules["last_trick_value"] == "as_counted" else ("value_win",),
        "failed_close": CLOSING_FORFEITS,
        "false_claim": (
            *CLOSING_FORFEITS, *(WIN_VALUES if rules["claim_forfeit_rule"] == "mirror" else CLAIM_FORFEITS)
        ),
    }[result.reason]  # fmt: skip
    assert result.game_points - carried in {int(rules[name]) for name in worth}
    has_it = deal.claim_is_right(result.winner)
    if result.reason in ("claim", "reached"):
        assert has_it
    if result.reason == "false_claim":
        assert not deal.claim_is_right(1 - result.winner)
    if result.reason == "failed_close":
        assert deal.closer == 1 - result.winner
    assert (result.reason == "reached") <= (rules["claim_when"] == "automatic")
    assert (result.reason in ("claim", "false_claim")) <= (rules["claim_when"] not in ("automatic", "at_end"))


def check_moves(deal: ve.Deal) -> None:
    """Somebody can always move; what is legal can be done; everything else is refused with a reason."""
    assert agreement(deal) == []
    before = (deal._state[:], deal.history, deal.hand(0), deal.hand(1), deal.talon)
    if deal.over:
        assert deal.to_move is None
        assert everyones_moves(deal) == []
    else:
        assert deal.legal()
    for seat in range(deal.seats):
        legal = deal.legal(seat)
        if seat != deal.to_move:
            assert {KINDS[kind_of(move.code)] for move in legal} <= {"claim", "announce", "exchange"}
        for move in all_moves(deal, seat):
            if move in legal:
                assert deal.why_not(move) is None
                check_transition(deal, move, deal.play(move))
                continue
            refusal = deal.why_not(move)
            assert refusal is not None
            assert refusal.bars
            assert refusal.move == move
            assert str(move) in refusal.sentence
            assert all(bar.option is None or bar.value == deal.rules[bar.option] for bar in refusal.bars)
            with pytest.raises(ve.IllegalMove) as caught:
                deal.play(move)
            assert caught.value.refusal == refusal
    assert (deal._state, deal.history, deal.hand(0), deal.hand(1), deal.talon) == before


def check_transition(before: ve.Deal, move: ve.table.Move, after: ve.Deal) -> None:
    """The step is one that the phase table has: the phase it led to, by whom, and the record of it."""
    entry = TABLE[PHASES.index(before.phase), TALONS.index(before.talon_state)][kind_of(move.code)]
    assert PHASES.index(after.phase) in entry.leads_to, KINDS[kind_of(move.code)]
    assert entry.by in ((MOVER, ANYONE) if move.seat is None else (OTHERS, ANYONE))
    seat = before.to_move if move.seat is None else move.seat
    assert seat is not None
    assert after.history == (*before.history, (seat, move))
    assert all(now >= then for now, then in zip(after.card_points, before.card_points, strict=True))
    assert after.trump == before.trump
    if before.talon_state == "open" and after.talon_state == "closed":
        assert kind_of(move.code) in (KINDS.index("close"), KINDS.index("close undrawn"))
        assert after.closer == seat


def reachable(view: object) -> list[object]:
    """Everything that can be reached from an object through data; not through code."""
    found: dict[int, object] = {}
    waiting = [view]
    while waiting:
        thing = waiting.pop()
        if id(thing) in found or isinstance(thing, type | ModuleType | FunctionType | MethodType | BuiltinFunctionType):
            continue
        found[id(thing)] = thing
        waiting += gc.get_referents(thing)
    return list(found.values())


def check_views(deal: ve.Deal, rng: Random) -> None:
    """A view has what its seat may know and is the same whatever the hidden cards are."""
    for seat in range(deal.seats):
        view = deal.view(seat)
        other = 1 - seat
        assert view.hand == deal.hand(seat)
        assert view.hand_sizes == tuple(len(deal.hand(each)) for each in range(deal.seats))
        assert [str(move) for move in view.legal()] == [str(move) for move in deal.legal(seat)]
        assert set(view.known(other)) <= set(deal.hand(other))
        hidden = {*deal.hand(other), *deal.talon} - set(view.known(other))
        assert set(view.unseen) == hidden
        for name in (
            "announced", "card_points", "closer", "dealer", "face_down", "history", "leader", "led", "looked_back",
            "over", "pending", "phase", "played", "result", "talon_state", "to_move", "tricks", "trump", "turn_up",
        ):  # fmt: skip
            assert getattr(view, name) == getattr(deal, name), name
        twin = with_hidden_cards_permuted(deal, seat, rng)
        check_cards(twin)
        assert twin.view(seat) == view
        assert hash(twin.view(seat)) == hash(view)
        assert twin.view(seat).legal() == view.legal()


def check_known(deal: ve.Deal) -> None:
    """Cards that everybody knows to be in a hand are there."""
    for seat in range(deal.seats):
        assert deal._state[KNOWN + seat] & ~deal._state[HAND + seat] == 0


def check_all(deal: ve.Deal, carried: int, rng: Random) -> None:
    check_cards(deal)
    check_hands(deal)
    check_tricks(deal)
    check_card_points(deal)
    check_result(deal, carried)
    check_moves(deal)
    check_views(deal, rng)
    check_known(deal)


def longest(rules: Ruleset) -> int:
    """A bound on the moves of a deal.

    Every card is played once; of two cards of a trick at most one choice of a draw comes; then four marriages, an
    exchange and its offer twice, one closing, one look back a seat, one claim.
    """
    cards = int(rules["pack_cards"])
    return cards + cards // 2 + 4 + 4 + 1 + 2 + 1


# ---- the state machine --------------------------------------------------------------------------------------------


class Table(RuleBasedStateMachine):
    """Deals of one game, one after the other, under a ruleset drawn by lot."""

    def __init__(self) -> None:
        super().__init__()
        self.game: ve.Game
        self.deal: ve.Deal
        self.carried = 0
        self.parents: list[tuple[ve.Deal, list[int]]] = []
        self.rng = Random(0)

    @initialize(rules=rulesets(), seed=st.integers(0, 2**32), dealer=st.integers(0, 1))
    def sit_down(self, rules: Ruleset, seed: int, dealer: int) -> None:
        self.game = ve.game(rules, seed=seed, dealer=dealer)
        self.rng = Random(seed)
        self.begin()

    def begin(self) -> None:
        self.deal = self.game.next_deal()
        self.carried = self.game.carry
        self.parents = []

    @precondition(lambda self: not self.deal.over)
    @rule(choice=st.integers(0, 99))
    def move(self, choice: int) -> None:
        """A move of the seat whose turn it is, but no wrong claim, so that deals get somewhere."""
        moves = [move for move in self.deal.legal() if move.token == "@" or is_sensible(self.deal, move)]
        self.make(moves[choice % len(moves)])

    @precondition(lambda self: not self.deal.over)
    @rule(choice=st.integers(0, 99))
    def move_anything(self, choice: int) -> None:
        """Any move of any seat, the rare ones as likely as the plays: a wrong claim, an exchange out of turn."""
        kinds: dict[int, list[ve.table.Move]] = {}
        for move in everyones_moves(self.deal):
            kinds.setdefault(kind_of(move.code), []).append(move)
        chosen = list(kinds.values())[choice % len(kinds)]
        self.make(chosen[choice // len(kinds) % len(chosen)])

    def make(self, move: ve.table.Move) -> None:
        self.parents.append((self.deal, self.deal._state[:]))
        after = self.deal.play(move)
        assert after == self.deal.play(str(move)) == self.deal.play(ve.parse(self.deal, str(move)))
        check_transition(self.deal, move, after)
        self.deal = after
        assert len(after.history) <= longest(after.rules)

    @precondition(lambda self: self.deal.over and not self.game.over)
    @rule()
    def next_deal(self) -> None:
        """Score the deal, and deal again unless that was the game."""
        played, result = self.game, self.deal.result
        assert result is not None
        self.game = played.after(self.deal)
        assert sum(self.game.score) == sum(played.score) + result.game_points
        assert self.game.carry == result.carry
        if not self.game.over:
            self.begin()

    @precondition(lambda self: self.game.over)
    @rule()
    def get_up(self) -> None:
        """After the game, play another one."""
        assert self.game.winner is not None
        assert self.game.score[self.game.winner] >= int(self.game.rules["target_game_points"])
        self.game = ve.game(self.game.rules, seed=self.game.seed + 1)
        self.begin()

    @invariant()
    def all_holds(self) -> None:
        check_all(self.deal, self.carried, self.rng)

    def teardown(self) -> None:
        for deal, ints in self.parents:
            assert deal._state == ints


def test_table() -> None:
    run_state_machine_as_test(Table, settings=settings(max_examples=100, stateful_step_count=45))


@pytest.mark.slow
def test_table_at_length() -> None:
    run_state_machine_as_test(Table, settings=settings(max_examples=600, stateful_step_count=60))


# ---- whole random deals: less is checked at each step, much more is played ----------------------------------------


def check_whole_deals(seed: int, number: int) -> None:
    rng = Random(seed)
    for _ in range(number):
        rules = random_ruleset(rng)
        before = None
        carried = rng.choice((0, 0, 2))
        for deal in playout(random_deal(rules, rng, carry=carried), rng):
            assert agreement(deal) == []
            check_cards(deal)
            check_hands(deal)
            check_tricks(deal)
            check_card_points(deal)
            check_known(deal)
            check_result(deal, carried)
            if before is not None:
                check_transition(before, deal.history[-1][1], deal)
            before = deal
        assert before is not None
        assert before.over
        assert len(before.history) <= longest(rules)


@pytest.mark.parametrize("seed", range(4))
def test_whole_deals(seed: int) -> None:
    check_whole_deals(seed, 250)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 116))
def test_whole_deals_at_length(seed: int) -> None:
    check_whole_deals(seed, 2000)


# ---- views --------------------------------------------------------------------------------------------------------


def pack_with_hidden_cards_permuted(deal: ve.Deal, seat: int, rng: Random) -> list[str]:
    """The pack that was dealt, with the cards that the seat has never seen changed about."""
    hands, places = hidden_cards(deal, seat)
    hidden = {card_name(card) for cards in hands.values() for card in cards}
    hidden |= {card_name(deal._state[place]) for place in places}
    at = [index for index, card in enumerate(deal.pack) if card in hidden]
    cards = [deal.pack[index] for index in at]
    rng.shuffle(cards)
    pack = list(deal.pack)
    for index, card in zip(at, cards, strict=True):
        pack[index] = card
    return pack


@settings(max_examples=150)
@given(deal=deals(), seed=st.integers(0, 2**32), moves=st.integers(0, 30), seat=st.integers(0, 1))
def test_two_deals_that_a_seat_cannot_tell_apart(deal: ve.Deal, seed: int, moves: int, seat: int) -> None:
    """The same moves from a pack whose hidden cards lie elsewhere: every view on the way is the same.

    A move that the other seat could not have made with other cards is something that the seat has learnt; such packs
    are passed over.
    """
    rng = Random(seed)
    for _ in range(moves):
        if deal.over:
            break
        sensible = [move for move in deal.legal() if is_sensible(deal, move)]
        deal = deal.play(rng.choice(sensible))
    pack = pack_with_hidden_cards_permuted(deal, seat, rng)
    start = ve.deal(deal.rules, pack=deal.pack, dealer=deal.dealer)
    twin = ve.deal(deal.rules, pack=pack, dealer=deal.dealer)
    assume(start.turn_up == twin.turn_up)
    for _, move in deal.history:
        if start.why_not(move) is not None or twin.why_not(move) is not None:
            assume(False)
        start, twin = start.play(move), twin.play(move)
        assert start.view(seat) == twin.view(seat)
        assert start.view(seat).legal() == twin.view(seat).legal()


@settings(max_examples=60)
@given(deal=deals(), seed=st.integers(0, 2**32), moves=st.integers(0, 40))
def test_a_view_is_no_way_to_the_deal(deal: ve.Deal, seed: int, moves: int) -> None:
    rng = Random(seed)
    for position in playout(deal, rng):
        deal = position
        if len(deal.history) >= moves:
            break
    for seat in range(deal.seats):
        view = deal.view(seat)
        ints = deal._state[:]
        things = reachable(view)
        assert not any(isinstance(thing, ve.Deal) for thing in things)
        assert not any(thing is deal._state or thing is deal.pack for thing in things)
        assert not any(isinstance(thing, tuple) and thing == deal.pack for thing in things)
        view._state[:] = [99] * len(view._state)
        assert deal._state == ints
        assert deal.view(seat) != view
        assert deal.view(seat) == with_state(deal, ints).view(seat)


def test_a_view_keeps_hidden_cards_out_of_its_ints() -> None:
    rng = Random(5)
    for _ in range(60):
        for deal in playout(random_deal(random_ruleset(rng), rng), rng):
            for seat in (0, 1):
                ints = deal.view(seat)._state
                assert ints[HAND + 1 - seat] == deal._state[KNOWN + 1 - seat] & deal._state[HAND + 1 - seat]
                assert not any(ints[TALON_CARDS:])
                # Nothing else of the state can hold a card that is hidden.
                assert ints[:HAND] == deal._state[:HAND]


def test_views_differ_where_something_can_be_seen() -> None:
    """The other half of what the permutation test says: what a seat can see does make its view another."""
    deal = ve.deal(ruleset(), seed=3, dealer=1)
    view = deal.view(0)
    assert view != deal.view(1)
    assert view != "view"
    played = deal.play(deal.legal()[0])
    assert played.view(0) != view
    assert played.view(1) != deal.view(1)
    for field in (LED, TURN_UP, PLAYED, TALON_TOP, HAND, TO_MOVE):
        ints = deal._state[:]
        ints[field] ^= 1
        assert with_state(deal, ints).view(0) != view


def test_the_taken_turn_up_and_shown_marriages_are_known() -> None:
    rules = ruleset(exchange_trick="not_needed", marriage_scoring="announced")
    pack = "H9 SA SK DJ DQ DK SQ SJ CK HK HQ DA HT CJ CQ ST S9 HA HJ DT D9 CA CT C9"
    deal = ve.deal(rules, pack=pack.split(), dealer=1)
    assert "H9" in deal.hand(0)
    deal = play(deal, "^H9")
    assert deal.view(1).known(0) == ("HT",)
    assert "H9" not in deal.view(1).unseen
    assert {"SK", "SQ"} <= set(deal.hand(0))
    deal = deal.play("+20S")
    assert set(deal.view(1).known(0)) == {"HT", "SK", "SQ"}
    deal = deal.play("SK")
    assert set(deal.view(1).known(0)) == {"HT", "SQ"}
    assert deal.view(0).known(1) == ()


# ---- deals are values ---------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(rules=rulesets(), seed=st.integers(0, 2**32))
def test_equal_deals(rules: Ruleset, seed: int) -> None:
    """The same ruleset, pack and moves give equal deals with equal hashes; another move gives another deal."""
    rng = Random(seed)
    first = random_deal(rules, rng)
    second = ve.deal(rules, pack=first.pack, dealer=first.dealer)
    for position in playout(first, rng):
        if position.history:
            seat, move = position.history[-1]
            assert move.seat in (None, seat)
            second = second.play(str(move))
        assert second == position
        assert hash(second) == hash(position)
        assert second.view(0) == position.view(0)
        if not position.over:
            for other in position.legal():
                assert position.play(other) != position
    assert first != second
    assert first != "deal"
    assert copy.copy(first) == first


def test_deals_that_differ() -> None:
    rules = ruleset()
    deal = ve.deal(rules, seed=1)
    assert deal == ve.deal(rules, seed=1)
    assert deal != ve.deal(rules, seed=2)
    assert deal != ve.deal(rules, seed=1, dealer=0)
    assert deal != ve.deal(rules, seed=1, carry=1)
    assert deal != ve.deal(rules, seed=1, score=(1, 0))
    assert deal != ve.deal(ruleset(value_win=2), seed=1)


def test_playing_leaves_the_deal_as_it_was() -> None:
    rng = Random(11)
    for _ in range(40):
        deal = random_deal(random_ruleset(rng), rng)
        before = deal._state[:], deal.history, deal.legal()
        random_end(deal, rng)
        assert (deal._state[:], deal.history, deal.legal()) == before


def test_bots_see_no_more_than_the_view() -> None:
    """The same choice in every deal that looks the same."""
    rng = Random(17)
    for _ in range(60):
        for deal in playout(random_deal(random_ruleset(rng), rng), rng):
            if deal.to_move is None:
                continue
            twin = with_hidden_cards_permuted(deal, deal.to_move, rng)
            view: View = deal.view(deal.to_move)
            assert choose_greedy(view, rng) == choose_greedy(twin.view(deal.to_move), rng)


def test_the_hand_is_sorted_as_hands_are_written() -> None:
    deal = ve.deal(ruleset(), seed=8)
    assert [CARD_BY_NAME[card] for card in deal.hand(0)] == cards_in(deal._state[HAND])
    order = [suit + rank for suit in "SHDC" for rank in "ATKQJ9"]
    assert list(deal.hand(0)) == [card for card in order if card in deal.hand(0)]
