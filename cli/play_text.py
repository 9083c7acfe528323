"""Phases, deals and transcripts as text."""

from __future__ import annotations

from collections.abc import Sequence

from variant_engine.drawing import Drawing, node_name
from variant_engine.notation import SEATS
from variant_engine.phases import KINDS, MOVER, OVER, PHASES, TALONS
from variant_engine.ruleset import Ruleset
from variant_engine.table import Deal
from variant_engine.transcript import Note, Refused, Transcript, Trick

from .terminal import fill, table

_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_REASONS = {
    "claim": "by a right claim",
    "reached": "for the target is reached",
    "false_claim": "for the claim was false",
    "failed_close": "for the closer has failed",
    "last_trick": "by the last trick",
    "counted": "by the count",
    "tie": "",
}


def _title(rules: Ruleset) -> str:
    changes = "".join(f", {name}={value}" for name, value in rules.diff)
    return f"{rules.id}{changes}: {rules.title}"


# ---- phases --------------------------------------------------------------------------------------------------------


def phases_text(drawing: Drawing, width: int) -> str:
    """A ruleset's phases, the moves of each with where they lead and what narrows them, and what is taken out."""
    rules = drawing.rules
    lines = fill(_title(rules), width, more="  ").splitlines()
    lines += fill(
        "Each phase with the moves it can admit, where they lead, and (in brackets) the options that narrow them. What "
        "is not listed is not allowed.",
        width,
    ).splitlines()
    for node, moves in drawing.phases.items():
        lines += ["", node_name(node)]
        rows = []
        for move in moves:
            targets = " or ".join(_target(node, target) for target in move.leads_to) or "-"
            by = "" if move.by == MOVER else f" (by {move.by})"
            narrowed = ", ".join(f"{name}={rules.values[name]}" for name in move.narrowed_by)
            rows.append((KINDS[move.kind], f"to {targets}{by}" + (f" [{narrowed}]" if narrowed else "")))
        lines += table(rows, width, indent="  ")
    if drawing.taken_out:
        lines += ["", "Taken out of the table by this ruleset's options"]
        gone: dict[tuple[int, tuple[str, ...]], list[str]] = {}
        for entry in drawing.taken_out:
            phase, talon = entry.node
            gone.setdefault((entry.kind, entry.options), []).append(f"{PHASES[phase]}/{TALONS[talon]}")
        lines += table(
            [
                (KINDS[kind], f"{', '.join(nodes)} [{', '.join(f'{name}={rules.values[name]}' for name in options)}]")
                for (kind, options), nodes in gone.items()
            ],
            width,
            indent="  ",
        )
    return "\n".join(lines)


def _target(node: tuple[int, int], target: tuple[int, int]) -> str:
    """Where a move leads; the talon's state is said only where it changes."""
    if target[0] == OVER or target[1] == node[1]:
        return PHASES[target[0]]
    return f"{PHASES[target[0]]} (talon {TALONS[target[1]]})"


# ---- deal and demo -------------------------------------------------------------------------------------------------


def _dealt(deal: Deal, seed: int, number: int, width: int) -> list[str]:
    lines = fill(_title(deal.rules), width, more="  ").splitlines()
    lines += [
        f"Deal {deal.code} (seed {seed}, deal {number})",
        f"{SEATS[deal.dealer]} deals, {SEATS[deal.leader]} leads; {_SUITS[deal.trump]} are trumps",
        "",
    ]
    rows = [(SEATS[seat], " ".join(deal.hand(seat))) for seat in range(deal.seats)]
    rows += [("turn-up", deal.turn_up or "none"), ("talon", " ".join(deal.talon))]
    return lines + table(rows, width, indent="  ")


def deal_text(deal: Deal, seed: int, number: int, width: int) -> str:
    """A dealt position."""
    return "\n".join(_dealt(deal, seed, number, width))


def demo_text(written: Transcript, players: Sequence[str], seed: int, number: int, width: int) -> str:
    """A deal from the cards to the result."""
    lines = _dealt(written.first, seed, number, width)
    lines.insert(lines.index(""), " against ".join(_seated(players)))
    counts = "".join(f"{SEATS[seat]:>5}" for seat in range(written.first.seats))
    lines += ["", f"      lead  answer  taken{counts}   drawn"]
    for entry in written.entries:
        if isinstance(entry, Trick):
            lines.append(_trick(entry))
        elif isinstance(entry, Note):
            lines += fill(entry.text, width, indent=" " * 6).splitlines()
        elif isinstance(entry, Refused):
            move = str(entry.refusal.move)
            because = entry.refusal.sentence.removeprefix(f"{move} is not allowed: ")
            who = SEATS[entry.seat]
            tried = f"{who} tries {move}" if entry.led is None else f"{who} first tries {move} on {entry.led}"
            lines += fill(f"  x   {tried}, but {because}", width, more=" " * 8).splitlines()
    lines += ["", *fill(_result(written.last), width).splitlines()]
    return "\n".join(lines)


def _seated(players: Sequence[str]) -> list[str]:
    return [f"{SEATS[seat]} ({name})" for seat, name in enumerate(players)]


def _trick(trick: Trick) -> str:
    leader = SEATS[trick.leader]
    answer = trick.answer or "-"
    taken = "-" if trick.winner is None else f"by {SEATS[trick.winner]}"
    counts = "".join(f"{number:>5}" for number in trick.count)
    drawn = ", ".join(f"{SEATS[seat]} {card}" for seat, card in trick.drawn)
    return f"{trick.number:>3}.  {leader} {trick.led}  {answer:<6}  {taken:<5}{counts}   {drawn}".rstrip()


def _result(deal: Deal) -> str:
    result = deal.result
    if result is None:
        return "The deal is not over."
    counts = ", ".join(f"{SEATS[seat]} {number}" for seat, number in enumerate(result.card_points))
    if result.winner is None:
        carried = f"; carried to the next deal: {result.carry} game {_points(result.carry)}" if result.carry else ""
        return f"{counts}: nobody wins{carried}."
    scored = f"{result.game_points} game {_points(result.game_points)}"
    return f"{counts}: {SEATS[result.winner]} wins {scored}, {_REASONS[result.reason]}."


def _points(number: int) -> str:
    return "point" if number == 1 else "points"
