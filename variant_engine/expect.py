"""What a case may expect: each key of ``expect``, and whether a deal is as it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .cards import CARD_BY_NAME
from .notation import SEATS as SEAT_LETTERS
from .notation import Move, NotationError
from .table import Deal, parse


class Failed(Exception):
    """Something that does not hold as the case says it should."""


def _same(what: str, found: object, expected: object) -> None:
    if str(found).lower() != str(expected).lower():
        raise Failed(f"{what} is {found}, expected {expected}")


def _seat_name(seat: int | None) -> str:
    return "none" if seat is None else SEAT_LETTERS[seat]


def _by_seat(what: str, found: Sequence[int], expected: Any) -> None:
    if isinstance(expected, Mapping):
        for seat, number in expected.items():
            place = SEAT_LETTERS.find(str(seat))
            if not 0 <= place < len(found):
                raise Failed(f"{what}: there is no seat {seat}")
            _same(f"{what} of {seat}", found[place], number)
    else:
        for place, number in enumerate(found):
            _same(f"{what} of {SEAT_LETTERS[place]}", number, expected)


def _result(deal: Deal, expected: Mapping[str, Any]) -> None:
    result = deal.result
    if result is None:
        raise Failed("the deal is not over")
    for key, value in expected.items():
        if value is None:
            continue
        if key == "winner":
            _same("winner", _seat_name(result.winner), value)
        elif key == "score":
            score = [won + (result.game_points if seat == result.winner else 0) for seat, won in enumerate(deal.score)]
            _by_seat("score", score, value if isinstance(value, Mapping) else _score_text(str(value)))
        else:
            _same(key, getattr(result, key), value)


def _score_text(text: str) -> Mapping[str, str]:
    return dict(zip(SEAT_LETTERS, text.split("-"), strict=False))


def _legal_tokens(deal: Deal) -> set[str]:
    return set() if deal.over else {move.token for move in deal.legal()}


def _without_seat(deal: Deal, token: str) -> str:
    try:
        return str(parse(deal, token))
    except NotationError:
        return token


def _exactly(what: str, found: set[str], expected: list[str]) -> None:
    if found != set(expected):
        there, wanted = " ".join(sorted(found)) or "none", " ".join(sorted(expected)) or "none"
        raise Failed(f"{what}: found {there}, expected {wanted}")


def _legal_cards(deal: Deal, expected: list[str]) -> None:
    _exactly("legal cards", {token for token in _legal_tokens(deal) if token in CARD_BY_NAME}, expected)


def _legal(deal: Deal, expected: list[str]) -> None:
    _exactly("legal moves", _legal_tokens(deal), [_without_seat(deal, token) for token in expected])


def _allowed(deal: Deal, token: str) -> bool:
    try:
        move: Move = parse(deal, token)
    except NotationError:
        return False
    return deal.why_not(move) is None


def _can(deal: Deal, expected: list[str]) -> None:
    for token in expected:
        if not _allowed(deal, token):
            raise Failed(f"{token} should be allowed")


def _cannot(deal: Deal, expected: list[str]) -> None:
    for token in expected:
        if _allowed(deal, token):
            raise Failed(f"{token} is allowed, and should not be")


def _hand_sizes(deal: Deal) -> tuple[int, ...]:
    return tuple(len(deal.hand(seat)) for seat in range(deal.seats))


def _nothing(deal: Deal, expected: Any) -> None:
    """Refusals are seen to while playing."""


#: By the key of ``expect``; each raises :class:`Failed`.
CHECKS: dict[str, Callable[[Deal, Any], None]] = {
    "result": _result,
    "over": lambda deal, expected: _same("over", deal.over, expected),
    "to_move": lambda deal, expected: _same("to move", _seat_name(deal.to_move), expected),
    "points": lambda deal, expected: _by_seat("card points", deal.card_points, expected),
    "tricks": lambda deal, expected: _by_seat("tricks", deal.tricks, expected),
    "pending": lambda deal, expected: _by_seat("pending card points", deal.pending, expected),
    "hand_size": lambda deal, expected: _by_seat("cards in hand", _hand_sizes(deal), expected),
    "refused": _nothing,
    "refused_by": _nothing,
    "legal_cards": _legal_cards,
    "legal": _legal,
    "can": _can,
    "cannot": _cannot,
}
