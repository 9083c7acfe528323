"""The command ``simulate``, and what it prints."""

from __future__ import annotations

import sys
import warnings
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from .common import AsJson, Changes, RulesetName, fail, help_text, load_ruleset
from .terminal import complain, emit, emit_json, table, width

if TYPE_CHECKING:
    from variant_engine.simulate import Estimate, Simulation

#: How the shell says that somebody pressed Ctrl-C.
INTERRUPTED = 130

Dask = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Play on a Dask cluster, as in tcp://127.0.0.1:8786."),
]

_HELP = help_text(
    "Let two players play many deals by a ruleset, and count what comes of them; every number with its interval at "
    "95 %. The deal alternates, B dealing first. The players are greedy and random. Ctrl-C prints what is done so far. "
    "With --out, all deals are written to a folder as Parquet files, and the same command goes on where a run was "
    "broken off.",
    "sixtysix simulate foster --deals 100000 --seed 7\n"
    "sixtysix simulate handbook --deals 1000000 --seed 7 --players greedy,random\n"
    "sixtysix simulate foster --deals 1000000 --seed 7 --out deals --moves",
    "ruleset, changes, rules_hash, seed, players [A's, B's], shuffle,\n"
    "deals, asked, found, interrupted, moves, seconds, deals_per_second, compiled, workers,\n"
    "confidence,\n"
    "seats {seat: {player, wins, game_points, card_points, schneider, schwarz, forfeits,\n"
    "  closings, closings_won}},\n"
    "difference (game points of A less those of B),\n"
    "forehand {advantage (game points), wins, dealer_wins}, ties, reasons {reason: …},\n"
    "length {moves, tricks}\n"
    "A mean is {mean, low, high}; a share {count, share, low, high}.",
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("simulate", help=_HELP, short_help="Many deals between two players, counted.")(simulate)


def simulate(
    ruleset: RulesetName,
    deals: Annotated[int, typer.Option("--deals", metavar="N", help="How many deals.")],
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed gives the same deals.")] = 0,
    players: Annotated[
        str, typer.Option("--players", metavar="P,Q", help="Who plays for A and for B: greedy or random.")
    ] = "random,random",
    workers: Annotated[int, typer.Option("--workers", metavar="N", help="How many play side by side.")] = 1,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="Write all deals to a folder, as Parquet files.")
    ] = None,
    moves: Annotated[bool, typer.Option("--moves", help="With --out: write the moves of the deals as well.")] = False,
    shuffle: Annotated[
        str,
        typer.Option(
            "--shuffle",
            metavar="exact|fast",
            help="exact: the deals of 'sixtysix deal' (the default); fast: others, in less time.",
        ),
    ] = "exact",
    dask: Dask = None,
    plain: Annotated[bool, typer.Option("--plain", help="Play in plain Python even where compiled code is.")] = False,
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """``sixtysix simulate``."""
    from variant_engine.simulate import SimulationError
    from variant_engine.simulate import simulate as run

    rules = load_ruleset(ruleset, changes)
    if moves and out is None:
        fail("--moves goes with --out DIR")
    bar = Bar() if sys.stderr.isatty() else None
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: complain(f"sixtysix: {message}")
            result = run(
                rules,
                deals,
                seed,
                seated(players),
                workers=workers,
                progress=bar.show if bar else None,
                out=out,
                moves=moves,
                shuffle=shuffle,
                compiled=False if plain else None,
                cluster=dask,
            )
    except SimulationError as error:
        fail(str(error))
    finally:
        if bar:
            bar.clear()
    if as_json:
        emit_json(result.as_json())
    else:
        emit(simulation_text(result, width()))
    if result.trouble:
        fail(result.trouble)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)


def seated(players: str) -> list[str]:
    """The names of the players, seat by seat."""
    return [name.strip() for name in players.split(",")]


class Bar:
    """A progress bar on the standard error, with the rate and the time left."""

    def __init__(self) -> None:
        self._start = monotonic()
        self._shown = -1.0
        self._first: int | None = None

    def show(self, done: int, asked: int) -> None:
        """Draw the bar, unless that was done just now."""
        now = monotonic()
        if self._first is None:
            self._first, self._start = done, now
        if now - self._shown < 0.1 and done < asked:
            return
        self._shown = now
        rate = (done - self._first) / (now - self._start) if now > self._start else 0.0
        # At first there is no rate to tell.
        pace = f", {_large(rate)}/s, {_duration((asked - done) / rate)} left" if rate > 0 else ""
        deals = "deal" if asked == 1 else "deals"
        text = f" {done * 100 // asked:3d} %  {_large(done)} of {_large(asked)} {deals}{pace}"
        room = max(width() - len(text) - 4, 0)
        filled = "#" * (room * done // asked)
        bar = f"[{filled:<{room}}]" if room >= 10 else ""
        sys.stderr.write(f"\r{bar}{text}\x1b[K")
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the bar away again."""
        if self._shown >= 0:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _large(number: float) -> str:
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.0f}"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 120:
        return f"{whole} s"
    if whole < 7200:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def simulation_text(result: Simulation, columns: int) -> str:
    """A simulation as people read it."""
    from variant_engine.hints import counted

    changes = "".join(f", {name}={value}" for name, value in result.rules.diff)
    lines = [f"{result.rules.id}{changes}: {counted(result.deals, 'deal')} of seed {result.seed}"]
    if result.interrupted:
        lines[0] += f", of {result.asked:,} asked for (interrupted)"
    way = "compiled" if result.compiled else "in plain Python"
    lines.append(f"{result.seconds:.2f} s, {result.deals_per_second:,.0f} deals a second, {way}")
    if result.found:
        lines[1] += f"; {counted(result.found, 'deal')} {'was' if result.found == 1 else 'were'} there already"
    if not result.deals:
        return "\n".join(lines)
    first, second = result.seats
    rows = [("", f"A, {first.player}", f"B, {second.player}")]
    for name, label in _SEAT_ROWS:
        rows.append((label, _said(getattr(first, name)), _said(getattr(second, name))))
    lines += ["", *table(rows, columns)]
    whole = [
        ("A less B, game points", _said(result.difference)),
        ("forehand less dealer", _said(result.forehand_advantage)),
        ("won by forehand", _said(result.forehand_wins)),
        ("won by the dealer", _said(result.dealer_wins)),
        ("ties", _said(result.ties)),
        ("tricks in a deal", _said(result.tricks_in_a_deal)),
        ("moves in a deal", _said(result.moves_in_a_deal)),
    ]
    ends = [(reason.replace("_", " "), _said(estimate)) for reason, estimate in result.reasons.items()]
    wide = max(len(row[0]) for row in rows + whole + ends)
    lines += ["", *table([(f"{name:<{wide}}", value) for name, value in whole], columns)]
    lines += ["", "How deals ended:", *table([(f"{name:<{wide}}", value) for name, value in ends], columns)]
    lines += ["", "In brackets: 95 % intervals. Game points and card points are means a deal; shares are"]
    lines += ["of all deals, but for closings won: of the seat's closings."]
    return "\n".join(lines)


_SEAT_ROWS = (
    ("wins", "wins"),
    ("game_points", "game points"),
    ("card_points", "card points"),
    ("schneider", "schneider wins"),
    ("schwarz", "schwarz wins"),
    ("forfeits", "forfeits"),
    ("closings", "closings"),
    ("closings_won", "closings won"),
)


def _said(estimate: Estimate) -> str:
    low, high = estimate.low, estimate.high
    if estimate.count is None:
        places = 3 if abs(estimate.value) < 10 else 2
        interval = "" if low is None or high is None else f" [{low:.{places}f}, {high:.{places}f}]"
        return f"{estimate.value:.{places}f}{interval}"
    interval = "" if low is None or high is None else f" [{100 * low:.2f}, {100 * high:.2f}]"
    return f"{100 * estimate.value:.2f} %{interval}"
