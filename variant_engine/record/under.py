"""The same moves under another ruleset: how far they go, and which rule stops them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..explain import Refusal, cited
from ..notation import SEATS, Move, NotationError
from ..options import BY_NAME
from ..ruleset import Ruleset, RulesetError
from ..table import Deal, IllegalMove, Result, parse
from .build import tokens_of
from .replay import Replayed, Step, counts_text, require, result_text, start_of
from .tags import Said

#: What can become of a deal under other rules. ``same``: it goes and ends as it did. ``dealt``: it cannot be dealt.
#: ``refused``: a move is not allowed. ``turn``: another seat would be on lead or to answer. ``ended``: the deal is
#: over before. ``goes_on``: it is not over where it was. ``result``: it ends there with another result.
OUTCOMES = ("same", "dealt", "refused", "turn", "ended", "goes_on", "result")


@dataclass(frozen=True, slots=True)
class Parting:
    """Where and why a deal goes otherwise under another ruleset.

    ``moves`` counts the moves that both have made, ``token`` is the one that parts them, if one does. ``options`` are
    those of which each by itself would undo the difference, set as in the rules of the record; ``sources`` gives for
    each of them where its two values come from. ``deal`` is the position under the other rules.
    """

    outcome: str
    moves: int
    line: int
    token: str
    text: str
    options: tuple[str, ...]
    sources: tuple[tuple[str, str], ...]
    deal: Deal | None
    refusal: Refusal | None = None

    @property
    def same(self) -> bool:
        """Whether nothing goes otherwise."""
        return self.outcome == "same"


@dataclass(frozen=True, slots=True)
class _Course:
    """How a deal goes under some rules: the same fields as a parting, as far as they can be compared."""

    outcome: str
    moves: int
    line: int = 0
    token: str = ""
    text: str = ""
    deal: Deal | None = None
    refusal: Refusal | None = None


def replay_under(played: Replayed, other: Ruleset) -> Parting:
    """Play a deal's moves under other rules, up to where they are refused or the deal would go or end otherwise.

    Raises :class:`~variant_engine.record.RecordError` for a deal that does not keep to its own rules.
    """
    require(played)
    assert played.rules is not None
    course = _course(played, other)
    if course.deal is not None and course.outcome != "same" and _dealt_otherwise(played, other):
        course = replace(course, text=f"the same pack deals other cards under these rules; {course.text}")
    options = _deciding(played, other, course) if course.outcome != "same" else ()
    sources = tuple((cited(played.rules, name), cited(other, name)) for name in options)
    return Parting(
        course.outcome,
        course.moves,
        course.line,
        course.token,
        course.text,
        options,
        sources,
        course.deal,
        course.refusal,
    )


def _dealt_otherwise(played: Replayed, other: Ruleset) -> bool:
    """Whether the cards lie otherwise from the start."""
    there, here = played.start, _start(played, other)[0]
    assert there is not None
    assert here is not None
    hands = any(there.hand(seat) != here.hand(seat) for seat in range(there.seats))
    return hands or there.turn_up != here.turn_up or there.talon != here.talon


def _start(played: Replayed, rules: Ruleset) -> tuple[Deal | None, Said]:
    """The deal of a record dealt under some rules, or None with the reason among the problems of what is said."""
    said = Said(played.record)
    for name in ("dealer", "score", "carry", "pack", "hands", "turn_up", "talon", "turn_up_at", "commit"):
        setattr(said, name, getattr(played.said, name))
    if said.pack is not None:
        # The hands that the pack deals may well be others under other rules.
        said.hands = said.turn_up = said.talon = None
    return start_of(said, rules), said


def _deciding(played: Replayed, other: Ruleset, course: _Course) -> tuple[str, ...]:
    """The options that undo the difference, each by itself; if none does, all that bar the move or differ at all."""
    assert played.rules is not None
    differing = [name for name, value in played.rules.values.items() if other.values[name] != value]
    found = []
    for name in differing:
        try:
            changed = other.replace(**{name: played.rules.values[name]})
        except RulesetError:
            continue
        now = _course(played, changed)
        if now.outcome == "same" or now.moves > course.moves:
            found.append(name)
    if found:
        return tuple(found)
    barring = course.refusal.options if course.refusal is not None else ()
    return tuple(name for name in barring if name in differing) or tuple(
        name for name in differing if BY_NAME[name].affects in ("play", "score")
    )


def _course(played: Replayed, rules: Ruleset) -> _Course:
    deal, said = _start(played, rules)
    if deal is None:
        return _Course("dealt", 0, text=f"the deal cannot be dealt: {said.problems[-1].message}")
    assert played.start is not None
    moves = 0
    for step in played.steps:
        for token in tokens_of(step.before, step.move, step.after):
            stopped, deal = _make(deal, step, token, moves)
            if stopped is not None:
                return stopped
        moves += 1
        parted = _parted(deal, step, moves)
        if parted is not None:
            return parted
    return _Course("same", moves, text="the deal goes and ends as it did", deal=deal)


def _make(deal: Deal, step: Step, token: str, moves: int) -> tuple[_Course | None, Deal]:
    """Make a recorded move under the other rules; or say why it cannot be made."""
    written = str(Move(0, token.rpartition(":")[2], step.seat))
    if deal.over:
        return None, deal
    if token in ("=", "-") and deal.phase not in ("before the draw", "offer"):
        # Answers to a question that these rules do not ask.
        return None, deal
    for unasked in _answers(deal, token):
        deal = deal.play(unasked)
    text = f"{SEATS[step.seat]}:{_translated(deal, token.rpartition(':')[2])}"
    try:
        move = parse(deal, text)
        after = deal.play(move)
    except NotationError as error:
        return _Course("refused", moves, step.line, written, f"{written} is not allowed: {error}", deal), deal
    except IllegalMove as error:
        refusal = error.refusal
        if step.move.seat is None and deal.to_move != step.seat and deal.to_move is not None:
            text = f"it is {SEATS[deal.to_move]}'s turn, not {SEATS[step.seat]}'s, before {written}"
            return _Course("turn", moves, step.line, written, text, deal, refusal), deal
        return _Course("refused", moves, step.line, written, refusal.sentence, deal, refusal), deal
    return None, after


def _answers(deal: Deal, token: str) -> Iterator[str]:
    """What has to be answered first because only these rules ask for it: draw, and decline."""
    if deal.phase == "before the draw" and token not in ("=", "||", "66"):
        yield "="
    elif deal.phase == "offer" and token[:1] not in ("^", "-") and token != "66":
        yield "-"


def _translated(deal: Deal, token: str) -> str:
    """The token with the number that a marriage counts under the deal's rules."""
    if not token.startswith("+"):
        return token
    worth = deal.rules["marriage_trump" if token[-1] == deal.trump else "marriage_plain"]
    return f"+{worth}{token[-1]}"


def _parted(deal: Deal, step: Step, moves: int) -> _Course | None:
    """How the position differs from the recorded one in a way that ends the comparison."""
    written = str(Move(0, step.move.token, step.seat))
    there, here = step.after.result, deal.result
    if here is None and there is None:
        return None
    if here is not None and there is None:
        text = f"the deal is over after {written}: {told(here)}; by its own rules it goes on"
        return _Course("ended", moves, step.line, written, text, deal)
    assert there is not None
    if here is None:
        text = f"the deal goes on after {written}; by its own rules it is over: {told(there)}"
        return _Course("goes_on", moves, step.line, written, text, deal)
    if here != there:
        text = f"the deal ends otherwise: {told(here)}; by its own rules: {told(there)}"
        return _Course("result", moves, step.line, written, text, deal)
    return None


def told(result: Result) -> str:
    """A result in a few words: ``A 2 (claim), card points A 72 B 18``."""
    carried = f", {result.carry} carried" if result.carry else ""
    outcome = result_text(result.winner, result.game_points)
    return f"{outcome} ({result.reason}), card points {counts_text(result.card_points)}{carried}"
