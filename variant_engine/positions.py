"""Positions set up by hand: the ``given`` part of a case, and ``variant_engine.positions``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .cards import SUITS, card_name, cards_in, mask_of
from .encoding import PACK, SEATS, Rules
from .notation import SEATS as SEAT_LETTERS
from .notation import NotationError, read_card, read_seat
from .options.deal import HAND_CARDS
from .options.ending import TARGET_CARD_POINTS
from .phases import ANSWER, BEFORE_DRAW, CLOSED, EXHAUSTED, LEAD, OPEN, TALONS
from .rules.closing import may_close_undrawn
from .rules.dealing import draw
from .state import (
    ANNOUNCED_SUITS,
    CARD_POINTS_AT_CLOSING,
    CARD_POINTS_WON,
    CARRY,
    CLOSER,
    DEALER,
    FACE_DOWN,
    FIRST_THERE,
    HAND,
    LEADER,
    LED,
    LOOKED_BACK,
    MAX_TALON,
    PENDING,
    PHASE,
    PLAYED,
    TALON,
    TALON_CARDS,
    TO_MOVE,
    TRICKS,
    TRICKS_AT_CLOSING,
    TRUMP,
    TURN_UP,
    State,
    blank_state,
    next_seat,
)
from .table import Deal

if TYPE_CHECKING:
    from .ruleset import Ruleset

KEYS = (
    "dealer",
    "lead",
    "led",
    "trump",
    "turn_up",
    "talon",
    "state",
    "hands",
    "drawn",
    "tricks",
    "points",
    "pending",
    "announced",
    "looked_back",
    "closer",
    "at_closing",
    "score",
    "carry",
)

Path = tuple[str, ...]


class PositionError(ValueError):
    """A position that cannot be: the message says why, ``path`` which key of ``given``, ``word`` which card there."""

    def __init__(self, message: str, path: Path = (), word: str = "") -> None:
        super().__init__(message)
        self.word = word
        self.path = path


def position(rules: Ruleset, given: Mapping[str, Any]) -> Deal:
    """A deal set up as ``given`` says; the keys are those of a case file (see the README on cases).

    Card lists are lists or text with spaces; seats are letters. Cards in no hand, not led and not in the talon are out
    of play: they count as seen. Raises :class:`PositionError` for a position that cannot be.
    """
    return _Setup(rules, given).deal()


def _listed(value: Any, what: str, path: Path) -> Sequence[Any]:
    """The items of a list, or of text with spaces; none where nothing is given."""
    if value is None:
        return ()
    if isinstance(value, str):
        return value.split()
    if isinstance(value, Sequence):
        return value
    raise PositionError(f"{value!r} is no list of {what}", path)


class _Setup:
    """Reads one ``given``, key by key."""

    def __init__(self, rules: Ruleset, given: Mapping[str, Any]) -> None:
        self.rules = rules
        self.ints: Rules = rules.ints
        self.given = given
        self.seats = self.ints[SEATS]
        self.placed: dict[int, Path] = {}

    def deal(self) -> Deal:
        for key in self.given:
            if key not in KEYS:
                raise PositionError(f"unknown key {key!r}; the keys are {', '.join(KEYS)}", (key,))
        state = blank_state()
        state[DEALER] = self._seat("dealer") if "dealer" in self.given else self._dealer_of_lead()
        forehand = next_seat(self.seats, state[DEALER])
        state[LEADER] = self._seat("lead") if "lead" in self.given else forehand
        self._talon(state)
        self._hands(state)
        for key, field in (("tricks", TRICKS), ("points", CARD_POINTS_WON), ("pending", PENDING)):
            self._numbers(state, self.given.get(key), field, (key,))
        for path, suits in self._by_seat("announced"):
            seat = SEAT_LETTERS.index(path[-1])
            for suit in _listed(suits, "suits", path):
                if len(str(suit)) != 1 or str(suit) not in SUITS:
                    raise PositionError(f"{suit!r} is no suit: write S, H, D or C", path)
                state[ANNOUNCED_SUITS + seat] |= 1 << SUITS.index(str(suit))
        for name in _listed(self.given.get("looked_back"), "seats", ("looked_back",)):
            state[LOOKED_BACK + self._letter(name, ("looked_back",))] = 1
        self._closing(state)
        state[CARRY] = self._number(self.given.get("carry", 0), ("carry",))
        score = [0] * self.seats
        for path, value in self._by_seat("score"):
            score[SEAT_LETTERS.index(path[-1])] = self._number(value, path)
        there = [s for s in range(self.seats) if state[CARD_POINTS_WON + s] >= self.ints[TARGET_CARD_POINTS]]
        state[FIRST_THERE] = there[0] if len(there) == 1 else -1
        in_play = mask_of(list(self.placed))
        state[PLAYED] = self.ints[PACK] & ~in_play
        self._start(state)
        return Deal._of(self.rules, self.ints, state, (), tuple(score), None)

    # ---- reading values -------------------------------------------------------------------------------------------

    def _letter(self, value: object, path: Path) -> int:
        try:
            return read_seat(str(value), self.seats)
        except NotationError as error:
            raise PositionError(str(error), path) from None

    def _seat(self, key: str) -> int:
        return self._letter(self.given[key], (key,))

    def _dealer_of_lead(self) -> int:
        # With no dealer named, whoever leads is taken for forehand.
        lead = self._seat("lead") if "lead" in self.given else 0
        return (lead - 1) % self.seats

    def _number(self, value: object, path: Path) -> int:
        text = str(value)
        if isinstance(value, bool) or not text.isascii() or not text.isdecimal() or len(text) > 6:
            raise PositionError(f"{value!r} is no number", path)
        return int(text)

    def _by_seat(self, key: str) -> list[tuple[Path, Any]]:
        value = self.given.get(key)
        if value is None:
            return []
        if not isinstance(value, Mapping):
            raise PositionError(f"'{key}' takes a value for each seat, as in {{A: …, B: …}}", (key,))
        for seat in value:
            self._letter(seat, (key, str(seat)))
        return [((key, str(seat)), value[seat]) for seat in value]

    def _numbers(self, state: State, value: Any, field: int, path: Path) -> None:
        if value is None:
            return
        if not isinstance(value, Mapping):
            raise PositionError(f"'{path[-1]}' takes a number for each seat, as in {{A: 3, B: 0}}", path)
        for seat, number in value.items():
            state[field + self._letter(seat, (*path, str(seat)))] = self._number(number, (*path, str(seat)))

    def _cards(self, value: Any, path: Path) -> list[int]:
        if not isinstance(value, Sequence):
            raise PositionError(f"{value!r} is no list of cards", path)
        cards = []
        for name in value.split() if isinstance(value, str) else map(str, value):
            try:
                card = read_card(name)
            except NotationError as error:
                raise PositionError(str(error), path, name) from None
            if not self.ints[PACK] >> card & 1:
                raise PositionError(f"{name} is not in this ruleset's pack", path, name)
            if card in self.placed:
                also = ".".join(self.placed[card])
                raise PositionError(f"{name} is there twice (also in '{also}')", path, name)
            self.placed[card] = path
            cards.append(card)
        return cards

    def _one_card(self, key: str) -> int:
        cards = self._cards(str(self.given[key]), (key,))
        if len(cards) != 1:
            raise PositionError(f"'{key}' takes one card", (key,))
        return cards[0]

    # ---- the parts of a position ----------------------------------------------------------------------------------

    def _talon(self, state: State) -> None:
        given = self.given
        has_turn_up = given.get("turn_up") not in (None, "")
        turn_up = self._one_card("turn_up") if has_turn_up else -1
        if given.get("trump") in (None, ""):
            if turn_up < 0:
                raise PositionError("a position needs 'trump', or a 'turn_up' to tell it", ("trump",))
            state[TRUMP] = turn_up >> 3
        elif str(given["trump"]) in SUITS and len(str(given["trump"])) == 1:
            state[TRUMP] = SUITS.index(str(given["trump"]))
        else:
            raise PositionError(f"{given['trump']!r} is no suit: write S, H, D or C", ("trump",))
        if turn_up >= 0 and turn_up >> 3 != state[TRUMP]:
            raise PositionError(
                f"the turn-up {card_name(turn_up)} is of another suit than trumps ({SUITS[state[TRUMP]]})", ("turn_up",)
            )
        state[TURN_UP] = turn_up
        named = given.get("state", TALONS[OPEN] if has_turn_up else TALONS[EXHAUSTED])
        if str(named) not in TALONS:
            raise PositionError(f"{named!r} is no state of the talon: write {', '.join(TALONS)}", ("state",))
        state[TALON] = TALONS.index(str(named))
        talon = self._cards(given["talon"], ("talon",)) if given.get("talon") is not None else []
        if len(talon) > MAX_TALON:
            raise PositionError(f"a talon never has more than {MAX_TALON} face-down cards", ("talon",))
        if state[TALON] == EXHAUSTED and (talon or has_turn_up):
            raise PositionError(
                "an exhausted talon has neither cards nor a turn-up", ("talon",) if talon else ("turn_up",)
            )
        if state[TALON] == OPEN and not talon and not has_turn_up:
            raise PositionError("an open talon has cards: give 'talon' and 'turn_up'", ("state",))
        for place, card in enumerate(talon):
            state[TALON_CARDS + place] = card
        state[FACE_DOWN] = len(talon)

    def _hands(self, state: State) -> None:
        for path, value in self._by_seat("hands"):
            state[HAND + SEAT_LETTERS.index(path[-1])] = mask_of(self._cards(value, path))
        if self.given.get("led") not in (None, ""):
            state[LED] = self._one_card("led")
        sizes = [len(cards_in(state[HAND + seat])) for seat in range(self.seats)]
        if state[LED] >= 0:
            sizes[state[LEADER]] += 1
        if len(set(sizes)) > 1:
            written = ", ".join(f"{SEAT_LETTERS[seat]} {size}" for seat, size in enumerate(sizes))
            raise PositionError(f"the hands differ in size once the card led is put back: {written}", ("hands",))
        if sizes[0] > self.ints[HAND_CARDS]:
            raise PositionError(
                f"hands of {sizes[0]} cards are larger than this ruleset's {self.ints[HAND_CARDS]}", ("hands",)
            )
        if sizes[0] == 0:
            raise PositionError("the hands are empty: there is nothing to play", ("hands",))

    def _closing(self, state: State) -> None:
        given = self.given
        if given.get("closer") in (None, ""):
            if state[TALON] == CLOSED:
                raise PositionError("a closed talon needs a 'closer'", ("state",))
            if given.get("at_closing") is not None:
                raise PositionError("'at_closing' goes with a closed talon", ("at_closing",))
            return
        if state[TALON] != CLOSED:
            raise PositionError(f"a 'closer' needs a closed talon, and this one is {TALONS[state[TALON]]}", ("closer",))
        state[CLOSER] = self._seat("closer")
        # Where nothing is said of the closing, it has only just happened.
        for seat in range(self.seats):
            state[TRICKS_AT_CLOSING + seat] = state[TRICKS + seat]
            state[CARD_POINTS_AT_CLOSING + seat] = state[CARD_POINTS_WON + seat]
        then = given.get("at_closing")
        if then is None:
            return
        if not isinstance(then, Mapping):
            raise PositionError("'at_closing' takes 'tricks' and 'points', each for a seat", ("at_closing",))
        for key in then:
            if key not in ("tricks", "points"):
                raise PositionError(f"unknown key {key!r}; the keys are tricks, points", ("at_closing", str(key)))
        self._numbers(state, then.get("tricks"), TRICKS_AT_CLOSING, ("at_closing", "tricks"))
        self._numbers(state, then.get("points"), CARD_POINTS_AT_CLOSING, ("at_closing", "points"))

    def _start(self, state: State) -> None:
        """Put the right seat to move; a trick taken but not drawn after is drawn after where there is no choice."""
        leader = state[LEADER]
        state[PHASE] = LEAD
        state[TO_MOVE] = leader
        if state[LED] >= 0:
            state[PHASE] = ANSWER
            state[TO_MOVE] = next_seat(self.seats, leader)
        drawn = self.given.get("drawn", True)
        if str(drawn).lower() not in ("true", "false"):
            raise PositionError(f"{drawn!r}: write true or false", ("drawn",))
        if str(drawn).lower() == "true":
            return
        if state[LED] >= 0 or state[TALON] != OPEN:
            raise PositionError("'drawn: false' goes with an open talon and no card led", ("drawn",))
        if may_close_undrawn(self.ints, state, leader):
            state[PHASE] = BEFORE_DRAW
        else:
            draw(self.ints, state)
