"""From deals to records: the usual layout, and the tokens of a deal's moves in their lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..notation import SEATS, Move
from ..ruleset import Ruleset
from ..table import Deal
from .model import DealRecord, Line, Record, Tag, Token, comments_in, new_tag
from .replay import Replayed, counts_text, require, result_text
from .tags import diff_text

#: The tags in the order in which they are written, a list for each line.
LAYOUT: tuple[tuple[str, ...], ...] = (
    ("Event", "Site", "Date", "Game"),
    ("A", "B", "C", "D", "Score", "Carry"),
    ("Ruleset", "RulesHash", "RulesDiff"),
    ("Cards",),
    ("Dealer", "Pack"),
    ("Hands",),
    ("TurnUp", "Talon", "TurnUpAt"),
    ("Bots", "Seed"),
    ("Commit",),
)

_GERMAN_SUIT = {"S": "L", "H": "H", "D": "S", "C": "E"}
_GERMAN_RANK = {"A": "D", "T": "Z", "K": "K", "Q": "O", "J": "U", "9": "9", "8": "8", "7": "7"}


@dataclass(frozen=True, slots=True)
class About:
    """What is to be said about a deal beside its rules and cards.

    ``names`` are by seat; ``bots`` gives the bot of each seat that a program plays; ``seed`` the seed and number of
    the deal, where they are to be told. ``turn_up_at`` is what :func:`variant_engine.deal` was given.
    """

    names: Sequence[str] = ()
    event: str = ""
    date: str = ""
    game: str = ""
    bots: Mapping[int, str] = field(default_factory=dict)
    seed: tuple[int, int] | None = None
    turn_up_at: int = 0
    german: bool = False
    more: Mapping[str, str] = field(default_factory=dict)


def tags_of(start: Deal, about: About | None = None, *, commit: str = "") -> tuple[Tag, ...]:
    """The tags of a deal about to be played, in the usual layout.

    With a commitment neither pack nor seed is told. Raises :class:`ValueError` for a tag of one's own whose name
    is none.
    """
    about = about or About()
    values = {
        name: value for name, value in (("Event", about.event), ("Date", about.date), ("Game", about.game)) if value
    }
    values |= {SEATS[seat]: name for seat, name in enumerate(about.names) if name}
    values |= {"Score": "-".join(map(str, start.score)), "Carry": str(_carry(start))}
    values |= rules_tags(start.rules)
    values["Dealer"] = SEATS[start.dealer]
    if about.german:
        values["Cards"] = "de"
    if commit:
        values |= {"TurnUp": start.turn_up or "", "Commit": commit}
    else:
        values |= cards_of(start)
        if about.seed is not None:
            values["Seed"] = f"{about.seed[0]}/{about.seed[1]}"
    if about.turn_up_at and start.rules["turn_up"] == "drawn_by_forehand":
        values["TurnUpAt"] = str(about.turn_up_at)
    if about.bots:
        values["Bots"] = bots_text(about.bots)
    values |= about.more
    return laid_out({**values, "Play": SEATS[start.leader]}, german=about.german)


def rules_tags(rules: Ruleset) -> dict[str, str]:
    """The three tags that say by which rules a deal is played."""
    return {"Ruleset": rules.id, "RulesHash": rules.hash, "RulesDiff": diff_text(rules)}


def bots_text(bots: Mapping[int, str]) -> str:
    """The bots by seat, as the tag ``Bots`` gives them."""
    return " ".join(f"{SEATS[seat]} {bot}" for seat, bot in sorted(bots.items()))


def cards_of(start: Deal) -> dict[str, str]:
    """The tags that say how the cards lie: the pack, or where it is not known hands, turn-up and talon."""
    if start.pack:
        return {"Pack": " ".join(start.pack)}
    hands = " ".join(f"{SEATS[seat]}: {' '.join(start.hand(seat))}" for seat in range(start.seats))
    return {"Hands": hands, "TurnUp": start.turn_up or "", "Talon": " ".join(start.talon)}


def laid_out(values: Mapping[str, str], *, german: bool = False, first: str = "\n") -> tuple[Tag, ...]:
    """Tags in the usual order and lines; those that the layout does not know stand alone, ``Play`` comes last."""
    known = {name for row in LAYOUT for name in row} | {"Play"}
    rows = [*LAYOUT, *((name,) for name in values if name not in known), ("Play",)]
    tags: list[Tag] = []
    for row in rows:
        before = "\n" if tags else first
        for name in row:
            if name in values:
                tags.append(new_tag(name, _cards_text(name, values[name], german), before))
                before = " "
    return tuple(tags)


def result_tags(end: Deal, opened: Mapping[str, str] | None = None) -> tuple[Tag, ...]:
    """The tags after the ``*``: the result, and what opens a commitment."""
    result = end.result
    assert result is not None
    tags = [
        new_tag("Points", counts_text(result.card_points), "\n"),
        new_tag("Result", result_text(result.winner, result.game_points)),
        new_tag("Reason", result.reason),
    ]
    tags += [new_tag(name, value, "\n" if name != "Salt" else " ") for name, value in (opened or {}).items()]
    return tuple(tags)


def _carry(start: Deal) -> int:
    from ..state import CARRY

    return start._state[CARRY]


# ---- tokens -------------------------------------------------------------------------------------------------------


def tokens_of(before: Deal, move: Move, after: Deal) -> tuple[str, ...]:
    """How a move is written: itself, behind the marriage that it scored without a word."""
    seat = before.to_move if move.seat is None else move.seat
    assert seat is not None
    token = str(Move(move.code, move.token, None if seat == before.to_move else seat))
    gained = set(after.announced[seat]) - set(before.announced[seat])
    if before.phase == "lead" and move.token[0] in gained and not move.token.startswith("+"):
        worth = before.rules["marriage_trump" if move.token[0] == before.trump else "marriage_plain"]
        return f"+{worth}{move.token[0]}", token
    return (token,)


def german(token: str) -> str:
    """A token with its cards in German."""
    seat, colon, rest = token.rpartition(":")
    if rest.startswith("+"):
        rest = rest[:-1] + _GERMAN_SUIT[rest[-1]]
    elif rest.lstrip("^")[:1] in _GERMAN_SUIT:
        card = rest.lstrip("^")
        rest = rest[: len(rest) - 2] + _GERMAN_SUIT[card[0]] + _GERMAN_RANK[card[1]]
    return f"{seat}{colon}{rest}"


def _cards_text(name: str, value: str, in_german: bool) -> str:
    if not in_german or name not in ("Pack", "Hands", "TurnUp", "Talon"):
        return value
    return " ".join(word if word.endswith(":") else german(word) for word in value.split())


def lines_of(start: Deal, moves: Iterable[Move], *, in_german: bool = False) -> tuple[Line, ...]:
    """The lines of play for a deal's moves. Raises :class:`~variant_engine.IllegalMove`."""
    lines: list[Line] = []
    deal = start
    for move in moves:
        after = deal.play(move)
        tokens = tuple(Token(german(text) if in_german else text) for text in tokens_of(deal, move, after))
        number = sum(deal.tricks) + 1
        if lines and lines[-1].number == number:
            lines[-1] = replace(lines[-1], tokens=(*lines[-1].tokens, *tokens))
        else:
            lines.append(Line(number, deal.leader, tokens))
        deal = after
    return tuple(lines)


def deal_record(start: Deal, moves: Iterable[Move], about: About | None = None) -> DealRecord:
    """The record of a deal, finished if the moves finish it. Raises :class:`~variant_engine.IllegalMove`."""
    moves = list(moves)
    end = start
    for move in moves:
        end = end.play(move)
    lines = lines_of(start, moves, in_german=about is not None and about.german)
    if end.result is None:
        return DealRecord(tags_of(start, about), lines)
    return DealRecord(tags_of(start, about), lines, "\n", result_tags(end))


def record_of(deals: Iterable[DealRecord]) -> Record:
    """A record of some deals, an empty line between them."""
    apart: list[DealRecord] = []
    for deal in deals:
        first = replace(deal.tags[0], before="\n\n" if apart else "\n")
        apart.append(replace(deal, tags=(first, *deal.tags[1:])))
    return Record(tuple(apart))


# ---- tidying ------------------------------------------------------------------------------------------------------


def tidy(played: Replayed) -> DealRecord:
    """A deal as the program would have written it: every draw and marriage written, the usual layout, all results.

    Comments and annotations stay. Raises :class:`RecordError` for a deal with something wrong.
    """
    end = require(played)
    one = played.record
    values = {tag.name: tag.value for tag in one.tags}
    opened = {tag.name: tag.value for tag in one.results if tag.name in ("Pack", "Seed", "Salt")}
    in_german = played.said.german
    tags = laid_out(values)
    notes = [text for tag in (*one.tags, *one.results) for text in _kept(tag.before)]
    tags = (*tags[:-1], replace(tags[-1], before=_spaced(notes, "\n")))
    lines: list[Line] = []
    comments = _comments_by_token(one)
    for place, step in enumerate(played.steps):
        texts = tokens_of(step.before, step.move, step.after)
        written = [Token(german(text) if in_german else text) for text in texts]
        # A draw put in stands in front of a token, and takes the comments from there.
        source = step.token or played.steps[place + 1].token
        written[0] = replace(written[0], before=_spaced(comments.pop(id(source), []), " "))
        if step.token is not None:
            written[-1] = replace(written[-1], marks=step.token.marks.replace(" ", "").replace("$", " $"))
        number = sum(step.before.tricks) + 1
        # An announcement written out and the card that scored it are one step or two; their tokens are the same.
        if lines and lines[-1].number == number:
            lines[-1] = replace(lines[-1], tokens=(*lines[-1].tokens, *written))
        else:
            gap = written[0].before
            written[0] = replace(written[0], before=" ")
            lines.append(Line(number, step.before.leader, tuple(written), gap.rstrip(" ") + "\n"))
    left = [text for texts in comments.values() for text in texts]
    if end.result is None or not one.finished:
        if left and lines:
            *others, last = lines[-1].tokens
            last = replace(last, marks=last.marks + _spaced(left, ""))
            lines[-1] = replace(lines[-1], tokens=(*others, last))
        return DealRecord(tags, tuple(lines))
    return DealRecord(tags, tuple(lines), _spaced(left, "\n"), result_tags(end, opened))


def _kept(gap: str) -> list[str]:
    return [text.replace("}", ")") for text in comments_in(gap)]


def _comments_by_token(one: DealRecord) -> dict[int, list[str]]:
    """The comments in front of each token, by the token's identity; those at the end of the play under 0."""
    found: dict[int, list[str]] = {}
    carried: list[str] = []
    for line in one.lines:
        carried += _kept(line.before)
        for token in line.tokens:
            carried += _kept(token.before)
            found[id(token)] = carried
            carried = []
    found[0] = carried + (_kept(one.star) if one.star is not None else [])
    return found


def _spaced(comments: Sequence[str], end: str) -> str:
    """White space before a piece, with comments in it."""
    return "".join(f" {{{text}}}" for text in comments) + end
