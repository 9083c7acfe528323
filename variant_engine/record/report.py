"""Replayed deals, positions and partings as plain data, for ``--json`` and scripts."""

from __future__ import annotations

from typing import Any

from ..diagnostics import as_json as problem_json
from ..notation import SEATS
from ..table import Deal, Result
from .build import tokens_of
from .proof import Finding, GameDeals, proved
from .replay import Replayed
from .under import Parting


def seat_name(seat: int | None) -> str | None:
    """A seat's letter."""
    return None if seat is None else SEATS[seat]


def by_seat(values: tuple[Any, ...]) -> dict[str, Any]:
    """Values by the letter of their seat."""
    return {SEATS[seat]: value for seat, value in enumerate(values)}


def result_json(result: Result | None) -> dict[str, Any] | None:
    """How a deal ended; null while it goes on."""
    if result is None:
        return None
    return {
        "winner": seat_name(result.winner) or "none",
        "game_points": result.game_points,
        "reason": result.reason,
        "card_points": by_seat(result.card_points),
        "carry": result.carry,
    }


def position_json(deal: Deal) -> dict[str, Any]:
    """All of a position, hidden cards included."""
    return {
        "moves": len(deal.history),
        "phase": deal.phase,
        "to_move": seat_name(deal.to_move),
        "leader": seat_name(deal.leader),
        "led": deal.led,
        "trump": deal.trump,
        "turn_up": deal.turn_up,
        "talon_state": deal.talon_state,
        "talon": list(deal.talon),
        "closer": seat_name(deal.closer),
        "hands": by_seat(tuple(list(deal.hand(seat)) for seat in range(deal.seats))),
        "card_points": by_seat(deal.card_points),
        "pending": by_seat(deal.pending),
        "tricks": by_seat(deal.tricks),
        "announced": by_seat(deal.announced),
        "legal": [str(move) for seat in range(deal.seats) for move in deal.legal(seat)] if not deal.over else [],
        "result": result_json(deal.result),
    }


def replayed_json(played: Replayed, number: int) -> dict[str, Any]:
    """A deal with its tags, its moves, and what was found."""
    start = played.start
    return {
        "number": number,
        "tags": {tag.name: tag.value for tag in (*played.record.tags, *played.record.results)},
        "comments": list(played.record.comments),
        "ok": played.ok,
        "finished": played.record.finished,
        "start": position_json(start) if start is not None else None,
        "moves": [
            {
                "trick": step.line,
                "seat": SEATS[step.seat],
                "tokens": list(tokens_of(step.before, step.move, step.after)),
                "marks": step.token.marks.strip() if step.token is not None else "",
                "card_points": by_seat(step.after.card_points),
            }
            for step in played.steps
        ],
        "result": result_json(played.end.result if played.end is not None else None),
        "problems": [problem_json(found) for found in played.problems],
    }


def parting_json(parting: Parting) -> dict[str, Any]:
    """Where a deal goes otherwise under other rules, and which options make it."""
    return {
        "outcome": parting.outcome,
        "moves": parting.moves,
        "trick": parting.line,
        "token": parting.token or None,
        "text": parting.text,
        "options": [
            {"option": name, "by_record": ours, "by_other": theirs}
            for name, (ours, theirs) in zip(parting.options, parting.sources, strict=True)
        ],
        "refused_by": list(parting.refusal.options) if parting.refusal is not None else [],
        "position": position_json(parting.deal) if parting.deal is not None else None,
    }


def game_json(game: GameDeals) -> dict[str, Any]:
    """Whether all deals of a game are in the file."""
    return {"game": game.game, "deals": list(game.deals), "whole": game.whole, "missing": list(game.missing)}


def findings_json(found: tuple[Finding, ...], number: int) -> dict[str, Any]:
    """What verifying a deal has found; ``holds`` is null for what could not be checked."""
    return {
        "number": number,
        "proved": proved(found),
        "findings": [{"what": one.what, "holds": one.holds, "text": one.text} for one in found],
    }
