"""A witness told as a card player would follow it: the cards, what both rulesets play, and where each then goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..cards import SUITS
from ..explain import cited
from ..notation import SEATS as SEAT_LETTERS
from ..options import BY_NAME
from ..phases import (
    ANNOUNCE,
    CLAIM,
    CLOSE,
    CLOSE_UNDRAWN,
    DECLINE,
    DRAW,
    EXCHANGE,
    LOOK_BACK,
    PLAY,
    kind_of,
)
from ..table import Deal, Result
from .witness import Witness, move_of

_SUIT_NAMES = dict(zip(SUITS, ("spades", "hearts", "diamonds", "clubs"), strict=True))
_REASONS = {
    "claim": "by a right claim",
    "reached": "by reaching the target",
    "false_claim": "by a wrong claim of the other",
    "failed_close": "because the closer failed",
    "last_trick": "by the last trick",
    "counted": "by the count",
    "tie": "",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One ruleset at the parting: what it says to the move or what the result is, and the rules that decide it.

    ``rules`` are lines of :func:`~variant_engine.explain.cited` with what the value means.
    """

    name: str
    verdict: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A witness in sentences: how the cards lie (label and cards), what is played, the question, and both answers."""

    opening: str
    cards: tuple[tuple[str, str], ...]
    play: tuple[str, ...]
    question: str
    sides: tuple[Side, Side]
    method: str


def tell(witness: Witness) -> Story:
    """The story of a witness."""
    names = witness.names
    if witness.kind == "pack":
        sides = [_side(witness, side, f"{witness.rules[side]['pack_cards']} cards") for side in (0, 1)]
        return Story(
            "They are not played with the same cards, so that no deal of one is a deal of the other.",
            (),
            (),
            "Which cards are in the pack?",
            (sides[0], sides[1]),
            method_sentence(witness),
        )
    start = witness.start(0)
    trump = _SUIT_NAMES[start.trump]
    opening = f"{SEAT_LETTERS[start.dealer]} deals, {SEAT_LETTERS[start.leader]} leads; {trump} are trumps."
    if witness.carry:
        opening += f" Carried into the deal: {witness.carry} game point{'s' if witness.carry > 1 else ''}."
    cards = [(f"{SEAT_LETTERS[seat]} holds", " ".join(start.hand(seat))) for seat in range(start.seats)]
    cards += [("turn-up", start.turn_up or ""), ("talon", " ".join(start.talon))]
    question, verdicts = _parting(witness)
    other = witness.start(1)
    if [start.hand(seat) for seat in (0, 1)] != [other.hand(seat) for seat in (0, 1)] or start.turn_up != other.turn_up:
        cards.insert(0, ("pack", " ".join(start.pack)))
        cards.append((f"but by {names[1]}", _hands(other)))
    sides = [_side(witness, side, verdicts[side]) for side in (0, 1)]
    return Story(opening, tuple(cards), tuple(_play(witness)), question, (sides[0], sides[1]), method_sentence(witness))


def method_sentence(witness: Witness) -> str:
    """How the witness was found, and what is known of smaller ones."""
    if witness.kind == "pack":
        return "No deal is needed to show it."
    moves = f"{witness.length} move{'' if witness.length == 1 else 's'}"
    if witness.method == "smallest":
        if witness.length == 0:
            return "Smallest: they part before the first move."
        return f"Smallest: all deals were gone through, and none parts them in fewer than {moves}."
    known = f"no deal of up to {witness.ruled_out} moves parts them" if witness.ruled_out >= 0 else ""
    found = f"Local minimum of {moves}: found among {witness.tried} seeded deals and shrunk as far as single steps go"
    return f"{found}; {known}." if known else f"{found}."


def _hands(deal: Deal) -> str:
    hands = "; ".join(f"{SEAT_LETTERS[seat]} {' '.join(deal.hand(seat))}" for seat in range(deal.seats))
    return f"{hands}; turn-up {deal.turn_up}"


def _side(witness: Witness, side: int, verdict: str) -> Side:
    lines = []
    for name in witness.options:
        value = witness.rules[side].values[name]
        lines.append(f"{cited(witness.origins[side], name)}: {BY_NAME[name].meaning(value)}")
    return Side(witness.names[side], verdict, tuple(lines))


def _parting(witness: Witness) -> tuple[str, tuple[str, str]]:
    one, two = witness.deals
    if witness.kind == "result":
        return "How does the deal end?", (_ended(one.result), _ended(two.result))
    allowing = witness.deals[witness.allowed_by]
    seat = SEAT_LETTERS[witness.seat]
    move = move_of(allowing, witness.seat, witness.move)
    question = f"Now, may {seat} {_infinitive(allowing, witness.seat, witness.move)} ({seat}:{move.token})?"
    refusing = witness.deals[1 - witness.allowed_by]
    if refusing.over:
        no = f"no, the deal is over: {_ended(refusing.result)}"
    else:
        refused = refusing.why_not(move_of(refusing, witness.seat, witness.move))
        no = "no: " + "; ".join(bar.text for bar in refused.bars) if refused else "no"
    return question, ("yes", no) if witness.allowed_by == 0 else (no, "yes")


def _ended(result: Result | None) -> str:
    if result is None:
        return "the deal goes on"
    counts = ", ".join(f"{SEAT_LETTERS[seat]} {count}" for seat, count in enumerate(result.card_points))
    if result.winner is None:
        points = "game points are" if result.carry > 1 else "game point is"
        carried = f"{result.carry} {points} carried" if result.carry else "nothing is carried"
        return f"nobody wins ({counts}), and {carried}"
    scored = f"{result.game_points} game point{'' if result.game_points == 1 else 's'}"
    return f"{SEAT_LETTERS[result.winner]} scores {scored} {_REASONS[result.reason]} ({counts})"


def _infinitive(deal: Deal, seat: int, code: int) -> str:
    kind = kind_of(code)
    token = move_of(deal, seat, code).token
    if kind == PLAY:
        return f"{'lead' if deal.led is None else 'answer with'} {token}"
    if kind == ANNOUNCE:
        late = ", after all," if deal.phase == "answer" else ""
        return f"announce{late} {token[1:-1]} in {_SUIT_NAMES[token[-1]]}"
    if kind == EXCHANGE:
        return f"exchange {token[1:]} for {deal.turn_up}"
    return {
        CLAIM: f"claim {deal.rules['target_card_points']}",
        DECLINE: "decline an exchange",
        CLOSE: "close the talon",
        CLOSE_UNDRAWN: "close the talon instead of drawing",
        DRAW: "choose to draw",
        LOOK_BACK: "look back at quitted tricks at a price",
    }[kind]


def _play(witness: Witness) -> list[str]:
    """The moves that both play, a sentence for each trick and for each thing done beside it."""
    lines: list[str] = []
    deal = witness.start(0)
    told = ""
    for seat, code in witness.moves:
        before = deal
        deal = deal.play(move_of(deal, seat, code))
        who, kind = SEAT_LETTERS[seat], kind_of(code)
        token = move_of(before, seat, code).token
        if kind == PLAY and before.led is None:
            told = f"{who} leads {token}"
        elif kind == PLAY:
            winner = next(place for place in range(deal.seats) if deal.tricks[place] > before.tricks[place])
            count = ", ".join(f"{SEAT_LETTERS[place]} {points}" for place, points in enumerate(deal.card_points))
            took = f"{SEAT_LETTERS[winner]} takes the trick ({count})"
            lines.append(f"{told}, {who} plays {token}: {took}{_drawn(before, deal)}.")
            told = ""
        elif kind == DRAW:
            lines[-1] = lines[-1].removesuffix(".") + _drawn(before, deal) + "."
        else:
            if told:
                lines.append(f"{told}.")
                told = ""
            lines.append(f"{who} {_finite(before, seat, code)}.")
    if told:
        lines.append(f"{told}.")
    return lines


def _drawn(before: Deal, after: Deal) -> str:
    new = []
    for seat in range(after.seats):
        cards = [card for card in after.hand(seat) if card not in before.hand(seat)]
        new += [f"{SEAT_LETTERS[seat]} draws {card}" for card in cards]
    return "".join(f", {one}" for one in new)


def _finite(deal: Deal, seat: int, code: int) -> str:
    kind = kind_of(code)
    words = _infinitive(deal, seat, code)
    if kind == CLAIM:
        right = "rightly" if deal.claim_is_right(seat) else "wrongly"
        return f"claims {deal.rules['target_card_points']}, {right}, with {deal.card_points[seat]}"
    verb, space, rest = words.partition(" ")
    return f"{verb.rstrip(',')}s{',' if verb.endswith(',') else ''}{space}{rest}"


# ---- plain data ----------------------------------------------------------------------------------------------------


def witness_json(witness: Witness) -> dict[str, Any]:
    """A witness as plain data: the deal, what both play, the parting, and each side's rules with their places."""
    story = tell(witness)
    data: dict[str, Any] = {
        "rulesets": list(witness.names),
        "found": True,
        "kind": witness.kind,
        "method": witness.method,
        "said": story.method,
        "length": witness.length,
        "ruled_out": witness.ruled_out,
        "tried": witness.tried,
        "options": {
            name: {called: _rule(witness, side, name) for side, called in enumerate(witness.names)}
            for name in witness.options
        },
    }
    if witness.kind == "pack":
        return data
    start = witness.start(0)
    data |= {
        "dealer": SEAT_LETTERS[start.dealer],
        "carry": witness.carry,
        "pack": list(start.pack),
        "trump": start.trump,
        "turn_up": start.turn_up,
        "hands": {SEAT_LETTERS[seat]: list(start.hand(seat)) for seat in range(start.seats)},
        "talon": list(start.talon),
        "moves": _tokens(witness),
        "story": [story.opening, *story.play, story.question],
        "move": witness.token or None,
        "allowed_by": witness.names[witness.allowed_by] if witness.kind == "move" else None,
        "verdicts": {side.name: side.verdict for side in story.sides},
        "results": {name: _result_json(deal.result) for name, deal in zip(witness.names, witness.deals, strict=True)},
    }
    return data


def _tokens(witness: Witness) -> list[str]:
    deal = witness.start(0)
    tokens = []
    for seat, code in witness.moves:
        move = move_of(deal, seat, code)
        tokens.append(f"{SEAT_LETTERS[seat]}:{move.token}")
        deal = deal.play(move)
    return tokens


def _rule(witness: Witness, side: int, name: str) -> dict[str, Any]:
    said = witness.origins[side].evidence[name]
    return {
        "value": said.value,
        "meaning": BY_NAME[name].meaning(said.value),
        "status": said.status,
        "where": list(said.where),
        "file": said.spot.file if said.spot else None,
        "line": said.spot.line if said.spot else None,
    }


def _result_json(result: Result | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "winner": "none" if result.winner is None else SEAT_LETTERS[result.winner],
        "game_points": result.game_points,
        "carry": result.carry,
        "reason": result.reason,
        "card_points": {SEAT_LETTERS[seat]: count for seat, count in enumerate(result.card_points)},
    }
