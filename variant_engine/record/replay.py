"""Playing a record's deals again: every move checked, every step kept, every problem with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..diagnostics import Diagnostic, Place, has_errors
from ..games import next_dealer
from ..notation import SEATS, Move, NotationError, from_german
from ..positions import PositionError, position
from ..reader import TOKEN, moves_for
from ..ruleset import Ruleset
from ..table import Deal, IllegalMove, deal
from .lookup import Lookup
from .model import DealRecord, Line, Record, RecordError, Token
from .tags import Said, read_tags

_TAG_OF_KEY = {
    "hands": "Hands",
    "turn_up": "TurnUp",
    "trump": "TurnUp",
    "talon": "Talon",
    "carry": "Carry",
    "score": "Score",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a deal: who made it in which position, on which line, and the token it stands for.

    ``token`` is None for a draw that was left unwritten.
    """

    line: int
    seat: int
    move: Move
    before: Deal
    after: Deal
    token: Token | None


@dataclass(frozen=True, slots=True)
class Replayed:
    """A deal played again, as far as it goes: ``problems`` says what stopped it, if anything did.

    ``rules`` and ``start`` are None where there were none to be had.
    """

    record: DealRecord
    said: Said
    rules: Ruleset | None
    start: Deal | None
    steps: tuple[Step, ...]
    problems: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong (warnings apart)."""
        return not has_errors(self.problems)

    @property
    def end(self) -> Deal | None:
        """The last position reached."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def score_after(self) -> tuple[int, ...] | None:
        """The game points of each seat when the deal is over; None if it has not been played to its end."""
        result = self.end.result if self.end is not None else None
        if result is None:
            return None
        won = enumerate(self.said.score)
        return tuple(score + (result.game_points if seat == result.winner else 0) for seat, score in won)

    def at(self, moves: int) -> Deal:
        """The position after so many moves. Raises :class:`ValueError` if there are not as many."""
        if self.start is None:
            raise ValueError("the deal cannot be played")
        if not 0 <= moves <= len(self.steps):
            raise ValueError(f"the deal has {len(self.steps)} moves")
        return self.steps[moves - 1].after if moves else self.start


def check(record: Record, lookup: Lookup | None = None) -> list[Replayed]:
    """All deals of a record played again and checked, each against itself and against the one before in its game."""
    lookup = lookup or Lookup()
    played: list[Replayed] = []
    for one in record.deals:
        replayed = replay(one, lookup)
        more = sequence_problems(played[-1], replayed) if played else []
        if more:
            replayed = Replayed(
                one, replayed.said, replayed.rules, replayed.start, replayed.steps, (*replayed.problems, *more)
            )
        played.append(replayed)
    return played


def replay(one: DealRecord, lookup: Lookup | None = None, *, pack: Sequence[str] | None = None) -> Replayed:
    """A deal played again. ``pack`` is the pack of a deal that was committed to and has not been opened yet."""
    said = read_tags(one)
    rules = (lookup or Lookup()).rules_for(said)
    if has_errors(said.problems) or rules is None:
        return Replayed(one, said, rules, None, (), tuple(said.problems))
    start = start_of(said, rules, pack)
    if start is None:
        return Replayed(one, said, rules, None, (), tuple(said.problems))
    _check_start(said, rules, start)
    steps: list[Step] = []
    if not has_errors(said.problems):
        try:
            for step in _Player(said, start).run():
                steps.append(step)  # noqa: PERF402  (what was played before a refusal is kept)
        except RecordError as error:
            said.problems += error.diagnostics
        else:
            _check_end(said, steps[-1].after if steps else start)
    return Replayed(one, said, rules, start, tuple(steps), tuple(said.problems))


def require(played: Replayed) -> Deal:
    """The last position of a deal with nothing wrong; raises :class:`RecordError` otherwise."""
    if not played.ok or played.end is None:
        raise RecordError(played.problems)
    return played.end


# ---- the beginning ------------------------------------------------------------------------------------------------


def start_of(said: Said, rules: Ruleset, pack: Sequence[str] | None = None) -> Deal | None:
    """The deal as its tags deal it under some rules; None, with the problem noted, if they cannot."""
    pack = said.pack if said.pack is not None else pack
    assert said.dealer is not None
    if pack is not None:
        at = said.turn_up_at if rules["turn_up"] == "drawn_by_forehand" else 0
        tag = said.deal.tag("Pack")
        try:
            start = deal(rules, pack=pack, dealer=said.dealer, turn_up_at=at, score=said.score, carry=said.carry)
        except ValueError as error:
            code, wrong = ("P714", tag) if "talon" not in str(error) else ("P713", said.deal.tag("TurnUpAt"))
            said.refuse(code, str(error), wrong)
            return None
        _compare(said, start)
        return start
    if said.commit and said.hands is None:
        said.refuse(
            "P716",
            "the pack is committed to and has not been opened yet",
            said.deal.tag("Commit"),
            "the program opens it when the deal is over",
        )
        return None
    return _start_of_hands(said, rules)


def _start_of_hands(said: Said, rules: Ruleset) -> Deal | None:
    assert said.hands is not None
    assert said.dealer is not None
    given: Mapping[str, Any] = {
        "dealer": SEATS[said.dealer],
        "hands": {SEATS[seat]: " ".join(cards) for seat, cards in said.hands.items()},
        "turn_up": said.turn_up or "",
        "talon": " ".join(said.talon or ()),
        "score": {SEATS[seat]: won for seat, won in enumerate(said.score)},
        "carry": said.carry,
    }
    try:
        start = position(rules, given)
    except PositionError as error:
        name = _TAG_OF_KEY.get(error.path[0] if error.path else "", "Hands")
        said.refuse("P714", str(error), said.deal.tag(name))
        return None
    size = int(rules["hand_cards"])
    if len(start.hand(0)) != size:
        said.refuse(
            "P714", f"hands of {len(start.hand(0))} cards; under these rules they have {size}", said.deal.tag("Hands")
        )
        return None
    if start.played:
        said.refuse("P714", f"these cards are nowhere: {' '.join(start.played)}", said.deal.tag("Talon"))
        return None
    return start


def _compare(said: Said, start: Deal) -> None:
    """Where a pack is given, hands, turn-up and talon follow from it; what is given beside it must be the same."""
    if said.hands is not None:
        for seat, cards in sorted(said.hands.items()):
            if sorted(cards) != sorted(start.hand(seat)):
                message = f"the pack deals {SEATS[seat]} another hand: {' '.join(start.hand(seat))}"
                said.refuse("P714", message, said.deal.tag("Hands"))
    if said.turn_up is not None and said.turn_up != start.turn_up:
        said.refuse("P714", f"the pack turns up {start.turn_up}, not {said.turn_up}", said.deal.tag("TurnUp"))
    if said.talon is not None and said.talon != start.talon:
        said.refuse("P714", f"the pack leaves another talon: {' '.join(start.talon)}", said.deal.tag("Talon"))


def _check_start(said: Said, rules: Ruleset, start: Deal) -> None:
    if said.leader is not None and said.leader != start.leader:
        message = f"{SEATS[start.leader]} leads first, since {SEATS[start.dealer]} deals"
        said.refuse("P715", message, said.deal.tag("Play"))
    tag = said.deal.tag("TurnUpAt")
    if tag is not None and rules["turn_up"] != "drawn_by_forehand":
        said.warn("P713", "'TurnUpAt' means nothing here: forehand does not draw the turn-up", tag)
    target = int(rules["target_game_points"])
    if max(said.score) >= target:
        said.refuse("P713", f"the game was over: it goes to {target} game points", said.deal.tag("Score"))
    most = {"nothing": 0, "one": 1}.get(str(rules["tie_carry"]))
    if most is not None and said.carry > most:
        said.refuse("P713", f"under these rules no more than {most} can be carried", said.deal.tag("Carry"))


# ---- the play -----------------------------------------------------------------------------------------------------


def french(text: str, german: bool) -> str:
    """A token with its cards in French, as it would be written without ``[Cards "de"]``.

    Raises :class:`NotationError` for what is no move at all.
    """
    seat, colon, rest = text.rpartition(":")
    if german and not text.isdigit():
        if len(rest) == 2 and rest.isalnum() and rest != "66":
            rest = from_german(rest)
        elif rest.startswith("^"):
            rest = "^" + from_german(rest[1:])
        elif rest.startswith("+") and len(rest) > 2:
            rest = rest[:-1] + from_german(rest[-1] + "A")[0]
    whole = f"{seat}{colon}{rest}"
    if not TOKEN.fullmatch(whole):
        raise NotationError(f"{text!r} is no move")
    return whole


class _Player:
    """Plays one deal, line by line."""

    def __init__(self, said: Said, start: Deal) -> None:
        self.said = said
        self.deal = start
        self.claim_dropped = False

    def run(self) -> Iterator[Step]:
        for index, line in enumerate(self.said.deal.lines):
            self._head(index, line)
            tokens = iter(enumerate(line.tokens))
            for place, token in tokens:
                if sum(self.deal.tricks) > index and not self.deal.over:
                    leader = SEATS[self.deal.leader]
                    self._refuse(
                        "P734",
                        "the trick is complete; what is done after it stands on the next line",
                        token.place,
                        f"write it so: {index + 2}. {leader} {token.text}",
                    )
                following = line.tokens[place + 1] if place + 1 < len(line.tokens) else None
                if self._is_marriage_that_ends(token, following):
                    # Announced by itself, it ended the deal with the card that follows; they are one move.
                    _, token = next(tokens)
                yield from self._token(index + 1, token)

    def _refuse(self, code: str, message: str, place: Place | None, help_text: str = "") -> None:
        raise RecordError([Diagnostic(code, message, place or Place.whole("record"), help_text)])

    def _head(self, index: int, line: Line) -> None:
        deal = self.deal
        if line.number != index + 1:
            self._refuse("P732", f"this is trick {index + 1}, not {line.number}", line.place, f"write {index + 1}.")
        if not deal.over and sum(deal.tricks) != index:
            told = f"trick {index} has not been answered" if deal.led else f"trick {index} has not been led"
            self._refuse("P734", f"{told} yet, and here another begins", line.place)
        if line.seat != deal.leader:
            self._refuse(
                "P733",
                f"{SEATS[deal.leader]} leads this trick, not {SEATS[line.seat]}",
                line.place,
                f"write {line.number}. {SEATS[deal.leader]}",
            )

    def _text(self, token: Token) -> str:
        try:
            text = french(token.text, self.said.german)
        except NotationError as error:
            self._refuse("P730", str(error), token.place, "a card (HQ), +20C, ^H9, -, |, ||, =, 66 or @")
            raise
        return text

    def _is_marriage_that_ends(self, token: Token, following: Token | None) -> bool:
        deal = self.deal
        if following is None or not token.text.startswith("+"):
            return False
        if deal.phase != "lead" or deal.rules["marriage_scoring"] != "automatic":
            return False
        try:
            announced = deal.play(french(token.text, self.said.german))
            led = deal.play(french(following.text, self.said.german))
        except (NotationError, IllegalMove):
            return False
        return announced.over and led.over and announced.announced == led.announced != deal.announced

    def _token(self, number: int, token: Token) -> Iterator[Step]:
        text = self._text(token)
        try:
            moves = moves_for(self.deal, text)
        except NotationError as error:
            self._refuse("P730", str(error), token.place)
            raise
        if not moves and not self.claim_dropped:
            self.claim_dropped = True
            return
        if self.deal.over:
            result = self.deal.result
            assert result is not None
            self._refuse("P735", f"the deal had ended before this: {result.reason}", token.place, "write '*' there")
        for move in moves:
            before = self.deal
            refused = before.why_not(move)
            if refused is not None:
                legal = " ".join(str(one) for one in before.legal())
                mover = SEATS[before.to_move] if before.to_move is not None else "nobody"
                self._refuse("P731", refused.sentence, token.place, f"{mover} may: {legal}")
            self.deal = before.play(move)
            seat = self.deal.history[-1][0]
            yield Step(number, seat, move, before, self.deal, token if move is moves[-1] else None)


# ---- the end ------------------------------------------------------------------------------------------------------


def _check_end(said: Said, end: Deal) -> None:
    one = said.deal
    result = end.result
    if not one.finished:
        return
    if result is None:
        place = (one.results[0].place if one.results else None) or one.place or Place.whole("record")
        help_text = "without its '*' and what stands after it, the record is that of an unfinished deal"
        said.problems.append(Diagnostic("P740", "the '*' ends a deal that is not over", place, help_text))
        return
    if said.counts is not None and said.counts != result.card_points:
        said.refuse("P741", f"the card points are {counts_text(result.card_points)}", one.tag("Points"))
    if said.result is not None and said.result != (result.winner, result.game_points):
        said.refuse("P742", f"the result is {result_text(result.winner, result.game_points)}", one.tag("Result"))
    if said.reason is not None and said.reason != result.reason:
        said.refuse("P743", f"the reason is '{result.reason}'", one.tag("Reason"))


def counts_text(counts: Sequence[int]) -> str:
    """Card points by seat, as the tag ``Points`` gives them."""
    return " ".join(f"{SEATS[seat]} {count}" for seat, count in enumerate(counts))


def result_text(winner: int | None, game_points: int) -> str:
    """A result, as the tag ``Result`` gives it."""
    return f"{'none' if winner is None else SEATS[winner]} {game_points}"


def sequence_problems(before: Replayed, now: Replayed) -> list[Diagnostic]:
    """What does not follow from the deal before it, in a game that both deals name."""
    game = now.record.get("Game")
    if not game or game != before.record.get("Game"):
        return []
    said = Said(now.record)
    for name in ("RulesHash", "A", "B", "Bots"):
        was = before.record.get(name)
        if now.record.get(name) != was:
            told = f"it was '{was}'" if was else "there was none"
            tag = now.record.tag(name)
            where = said.deal.tag("Game") if tag is None else tag
            said.refuse("P745", f"'{name}' changes in the middle of a game: in the deal before {told}", where)
    end = before.end
    if before.ok and not (before.record.finished and end is not None and end.result is not None):
        said.refuse("P745", "the deal before this one in the game is not finished", now.record.tag("Game"))
    if not (before.ok and now.ok) or end is None or end.result is None or before.rules is None:
        return said.problems
    result = end.result
    dealer = next_dealer(before.rules, end.dealer, result.winner)
    if now.said.dealer != dealer:
        said.refuse("P745", f"after the deal before, {SEATS[dealer]} deals", now.record.tag("Dealer"))
    score = before.score_after
    if score is not None and now.said.score != score:
        said.refuse("P745", f"after the deal before, the score is {'-'.join(map(str, score))}", now.record.tag("Score"))
    if now.said.carry != result.carry:
        said.refuse("P745", f"after the deal before, {result.carry} is carried", now.record.tag("Carry"))
    return said.problems
