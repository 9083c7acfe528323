"""Records as text: deals trick by trick, positions, partings, lists, statistics."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from variant_engine.notation import SEATS
from variant_engine.record.build import tokens_of
from variant_engine.record.index import Statistics
from variant_engine.record.model import DealRecord
from variant_engine.record.proof import Finding, GameDeals, proved
from variant_engine.record.replay import Replayed, Step
from variant_engine.record.summary import Summary, as_table
from variant_engine.record.under import Parting, told
from variant_engine.table import Deal

from .terminal import fill, table

_HOLDS = {True: "holds", False: "DOES NOT HOLD", None: "not checked"}


def deal_lines(played: Replayed, title: str, width: int) -> list[str]:
    """A deal as it was played: who, by which rules, the hands, a line for each trick, and how it ended."""
    record, start = played.record, played.start
    lines = fill(f"{title}: {_heading(record)}", width, more="  ").splitlines()
    if start is None:
        return lines
    lines += _hand_lines(start)
    lines += [f"talon: {' '.join(start.talon)}", f"turn-up: {start.turn_up}; {SEATS[start.leader]} leads", ""]
    rows = [_trick_row(number, list(steps)) for number, steps in groupby(played.steps, lambda step: step.line)]
    lines += table(rows, width)
    end = played.end
    if end is not None and end.result is not None:
        lines += ["", f"result: {told(end.result)}"]
    elif played.ok:
        lines += ["", f"unfinished after {number_of(len(played.steps), 'move')}"]
    lines += [f"comment: {text}" for text in record.comments]
    return lines


def _heading(record: DealRecord) -> str:
    changes = record.get("RulesDiff")
    told_rules = record.get("Ruleset") + (f" with {changes}" if changes else "")
    players = f"{record.name(0)} (A) against {record.name(1)} (B)"
    parts = [told_rules, players, record.get("Date"), record.get("Event"), f"score {record.get('Score', '0-0')}"]
    if record.get("Carry", "0") != "0":
        parts.append(f"{record.get('Carry')} carried")
    return ", ".join(part for part in (*parts, f"{record.get('Dealer')} deals") if part)


def _hand_lines(deal: Deal) -> list[str]:
    return [f"{SEATS[seat]}: {' '.join(deal.hand(seat))}" for seat in range(deal.seats)]


def _trick_row(number: int, steps: list[Step]) -> tuple[str, ...]:
    words = []
    for step in steps:
        written = " ".join(tokens_of(step.before, step.move, step.after))
        marks = step.token.marks.strip() if step.token is not None else ""
        words.append(written + marks)
    end = steps[-1].after
    counts = "  ".join(f"{SEATS[seat]} {count}" for seat, count in enumerate(end.card_points))
    complete = sum(end.tricks) == number
    taker = f"{SEATS[end.leader]} takes it" if complete else ""
    return f"{number:>2}. {SEATS[steps[0].before.leader]}", " ".join(words), counts, taker


def position_lines(deal: Deal, width: int) -> list[str]:
    """A position: what each seat holds and has counted, the talon, and what may be done."""
    state = f"{deal.phase}, talon {deal.talon_state}"
    if deal.closer is not None:
        state += f" by {SEATS[deal.closer]}"
    mover = f"{SEATS[deal.to_move]} is to move" if deal.to_move is not None else "the deal is over"
    lines = [f"after {number_of(len(deal.history), 'move')}: {mover} ({state}); trumps {deal.trump}"]
    rows = []
    for seat in range(deal.seats):
        waiting = f" (+{deal.pending[seat]} waiting)" if deal.pending[seat] else ""
        announced = f", announced {' '.join(deal.announced[seat])}" if deal.announced[seat] else ""
        tricks = number_of(deal.tricks[seat], "trick")
        counted = f"{number_of(deal.card_points[seat], 'card point')}{waiting}, {tricks}{announced}"
        rows.append((f"{SEATS[seat]}:", " ".join(deal.hand(seat)) or "-", counted))
    lines += table(rows, width)
    if deal.led is not None:
        lines.append(f"led: {deal.led}, by {SEATS[deal.leader]}")
    lines.append(f"talon: {' '.join(deal.talon) or '-'}; turn-up: {deal.turn_up or '-'}")
    if deal.result is not None:
        lines.append(f"result: {told(deal.result)}")
    else:
        for seat in range(deal.seats):
            moves = " ".join(move.token for move in deal.legal(seat))
            if moves:
                lines += fill(f"{SEATS[seat]} may: {moves}", width, more="  ").splitlines()
    return lines


def number_of(number: int, what: str) -> str:
    """So many of something: ``1 deal``, ``2 deals``."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def parting_lines(parting: Parting, name: str, width: int) -> list[str]:
    """Where a deal goes otherwise under other rules, and the options that make it."""
    if parting.same:
        return [f"under {name}: {parting.text}"]
    where = f"trick {parting.line}, after {number_of(parting.moves, 'move')}: " if parting.line else ""
    lines = fill(f"under {name}: {where}{parting.text}", width, more="  ").splitlines()
    if parting.options:
        lines.append("the rules that part them:" if len(parting.options) > 1 else "the rule that parts them:")
    for ours, theirs in parting.sources:
        lines += fill(f"the record: {ours}", width, indent="  ", more="    ").splitlines()
        lines += fill(f"{name}: {theirs}", width, indent="    ", more="      ").splitlines()
    return lines


def list_lines(deals: Sequence[Summary], width: int) -> list[str]:
    """Deals, one a line."""
    if not deals:
        return ["no such deals"]
    rows = [("date", "rules", "players", "score", "result", "where"), *as_table(deals)]
    lines = table(rows, max(width, 200))
    return [*lines, "", number_of(len(deals), "deal")]


def statistics_lines(found: Statistics, width: int) -> list[str]:
    """Results by ruleset and opponent."""
    lines = [*found.notices]
    if found.tallies:
        rows: list[tuple[str, ...]] = [
            ("rules", "player", "opponent", "deals", "won", "lost", "drawn", "game points", "games")
        ]
        rows += [
            (
                tally.ruleset,
                tally.player,
                tally.opponent,
                *map(str, (tally.deals, tally.won, tally.lost, tally.drawn)),
                f"{tally.game_points_won}-{tally.game_points_lost}",
                f"{tally.games_won}-{tally.games_lost}",
            )
            for tally in found.tallies
        ]
        lines += table(rows, max(width, 120))
        lines.append("")
    left = f"{found.unfinished} of them unfinished"
    if found.deals == 1:
        left = "unfinished" if found.unfinished else ""
    counted = f"{number_of(found.deals, 'deal')} in {number_of(found.files, 'record')}"
    lines.append(", ".join(part for part in (counted, left) if part))
    lines += [f"not counted: {file}: {problem}" for file, problem in found.left_out]
    return lines


def verdict_lines(found: Sequence[Finding], title: str, width: int) -> list[str]:
    """What verifying a deal has found."""
    lines = [f"{title}: {'proved' if proved(found) else 'not proved'}"]
    rows = [(f"  {one.what}", _HOLDS[one.holds], one.text) for one in found]
    return lines + table(rows, width)


def games_lines(games: Sequence[GameDeals], deals: Sequence[bool], width: int) -> list[str]:
    """Whether the games in a file are whole, and what that makes of the deals, each of which is proved or not."""
    lines = []
    for game in games:
        numbers = f"deal {game.deals[0]}" + (f" to {game.deals[-1]}" if len(game.deals) > 1 else "")
        name = f"game {game.game}, {numbers}" if game.game else numbers
        if game.whole:
            lines += fill(f"{name}: the whole game", width, more="  ").splitlines()
        for missing in game.missing:
            what = missing if not game.game else f"not the whole game: it lacks {missing}"
            lines += fill(f"{name}: {what}", width, more="  ").splitlines()
    whole = all(game.whole for game in games)
    if all(deals) and whole:
        return [*lines, "proved"]
    if all(deals):
        return [*lines, "proved for these deals only, not for a whole game"]
    return [*lines, f"not proved: {sum(deals)} of {number_of(len(deals), 'deal')} proved"]
