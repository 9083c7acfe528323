"""How fast the engine is, beside others: one table of ratios, every competitor run in the same invocation.

Run ``python benchmarks/figures.py`` from the root of the clone. In each round every way plays for about the same time,
one after the other, so that a machine that slows down slows all of them; a ratio is the median of its ratios by round.
What is not installed is left out, and said.

    pip install 'sixtysix[fast]' schnapsen==0.0.5 open_spiel rlcard    and a C compiler, gcc or cc

Random play is as the notation defines it. The C program has Foster's rules written into it (``foster.c``); before it is
measured, it plays the same deals by the same random numbers as the compiled core and must come to the same counts.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import variant_engine as ve  # noqa: E402  (found in the clone, installed or not)
from benchmarks.plain_speed import schnapsen_engine, through_deals  # noqa: E402
from variant_engine.simulate import counter, simulate  # noqa: E402
from variant_engine.simulate import playout as at  # noqa: E402
from variant_engine.simulate.tasks import Part, Setting, driver, play_part  # noqa: E402

#: Plays so many deals from a number on, and returns the seconds it took.
Run = Callable[[int, int], float]


@dataclass
class Way:
    """A competitor: how to run it, and how many decisions a deal has (as far as that is known)."""

    name: str
    run: Run
    decisions: float | None = None


def timed(play: Callable[[int, int], object]) -> Run:
    """Measure from outside."""

    def run(first: int, deals: int) -> float:
        start = perf_counter()
        play(first, deals)
        return perf_counter() - start

    return run


# ---- ours ---------------------------------------------------------------------------------------------------------


def core(compiled: bool, shuffle: str, player: str = "random") -> Way:
    """The core under ``foster``, compiled or plain."""
    setting = Setting(ve.load("foster").ints, 1, shuffle, (player, player), compiled)
    sample = play_part(setting, Part(0, 2000))
    name = f"core, {'compiled' if compiled else 'plain'}, {player}" + (", exact shuffle" if shuffle == "exact" else "")
    return Way(name, timed(lambda first, deals: play_part(setting, Part(first, deals))), sample.moves / 2000)


def table(ruleset: str) -> Way:
    """The public API in plain Python."""
    return Way(f"public API, plain, {ruleset}", timed(through_deals(ve.load(ruleset))))


# ---- C ------------------------------------------------------------------------------------------------------------


def build(folder: Path, *options: str) -> Path | None:
    """The C program; None without a compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = folder / f"foster{len(options)}"
    source = str(ROOT / "benchmarks" / "foster.c")
    subprocess.run([compiler, "-O3", "-march=native", *options, source, "-o", str(program)], check=True)
    return program


def c_line(program: Path, deals: int) -> list[float]:
    """The numbers that the C program prints."""
    printed = subprocess.run([str(program), str(deals)], check=True, capture_output=True, text=True)
    return [float(word) for word in printed.stdout.split()]


def in_c(folder: Path, compiled: bool) -> Way | None:
    """The C program, once it has shown that it plays the same game."""
    key = counter.key_of(1) % (1 << 64)
    same = build(folder, f"-DCOUNTER={key}ull")
    fast = build(folder)
    if same is None or fast is None:
        return None
    deals = 200_000 if compiled else 3_000
    sums = play_part(Setting(ve.load("foster").ints, 1, "fast", ("random", "random"), compiled), Part(0, deals)).sums
    ours = [sums[at.DEALS], sums[at.MOVES], *sums[at.GAME_POINTS : at.GAME_POINTS + 2], sums[at.TIES]]
    line = c_line(same, deals)
    theirs = [int(number) for place, number in enumerate(line) if place != 2]
    if ours != theirs:
        raise SystemExit(f"the C program plays another game: {theirs}, not {ours}")
    line = c_line(fast, deals)
    return Way("C, Foster's rules written in", lambda first, deals: c_line(fast, deals)[2], line[1] / line[0])


# ---- others -------------------------------------------------------------------------------------------------------


def open_spiel(game_name: str) -> Way:
    """A trick-taking game of OpenSpiel's, played by its random bots in its own C++ loop."""
    import pyspiel

    game = pyspiel.load_game(game_name)
    bots = [pyspiel.make_uniform_random_bot(seat, 7 + seat) for seat in range(game.num_players())]

    def play(first: int, deals: int) -> int:
        decisions = 0
        for number in range(first, first + deals):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, number)
            decisions += sum(action.player >= 0 for action in state.full_history()) if first < 0 else 0
        return decisions

    return Way(f"OpenSpiel, {game_name}", timed(play), play(-300, 300) / 300)


def rlcard() -> Way:
    """Gin rummy of RLCard's, played by its random agents."""
    import rlcard as library
    from rlcard.agents import RandomAgent

    environment = library.make("gin-rummy", config={"seed": 7})
    environment.set_agents([RandomAgent(num_actions=environment.num_actions) for _ in range(environment.num_players)])

    def play(first: int, deals: int) -> int:
        decisions = 0
        for _ in range(deals):
            environment.run(is_training=False)
            decisions += environment.timestep
        return decisions

    return Way("RLCard, gin rummy", timed(play), play(0, 20) / 20)


def schnapsen() -> Way:
    """The package schnapsen with its own random bots."""
    return Way("schnapsen 0.0.5, its random bots", timed(schnapsen_engine()))


def competitors(folder: Path) -> tuple[list[Way], list[str]]:
    """Everything that can be run here, and what cannot."""
    missing: list[str] = []
    ways: list[Way] = []

    def take(name: str, make: Callable[[], Way | None]) -> None:
        try:
            way = make()
        except ImportError as error:
            way = None
            name += f" ({error})"
        if way is None:
            missing.append(name)
        else:
            ways.append(way)

    take("compiled core", lambda: core(True, "fast"))
    compiled = not missing
    take("C program", lambda: in_c(folder, compiled))
    take("compiled core", lambda: core(True, "exact"))
    take("compiled core", lambda: core(True, "fast", "greedy"))
    take("plain core", lambda: core(False, "fast"))
    take("public API", lambda: table("foster"))
    take("public API", lambda: table("schnapsen-vu"))
    take("schnapsen", schnapsen)
    take("OpenSpiel", lambda: open_spiel("euchre"))
    take("OpenSpiel", lambda: open_spiel("skat"))
    take("RLCard", rlcard)
    return ways, missing


def measure(ways: list[Way], seconds: float, rounds: int) -> list[list[float]]:
    """Deals per second, by way and round."""
    numbers = []
    for way in ways:
        deals = 8
        while (took := way.run(0, deals)) < seconds / 4:
            deals *= 4
        numbers.append(max(1, round(deals * seconds / took)))
    rates: list[list[float]] = [[] for _ in ways]
    for turn in range(rounds):
        for place, way in enumerate(ways):
            rates[place].append(numbers[place] / way.run((turn + 1) * 10_000_000, numbers[place]))
    return rates


# ---- starting, and memory -----------------------------------------------------------------------------------------

_START = """
import json, resource, sys, time
start = time.perf_counter()
import variant_engine as ve
from variant_engine.simulate.tasks import Part, Setting, driver, play_part
rules = ve.load("foster")
ready = time.perf_counter()
driver(True)
loaded = time.perf_counter()
setting = Setting(rules.ints, 1, "fast", ("random", "random"), True)
for first in range(0, int(sys.argv[1]), 50_000):
    play_part(setting, Part(first, 50_000))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
try:
    # What the resource module says counts the parent's memory before the program was started.
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
except OSError:
    pass
print(json.dumps({"import": ready - start, "load": loaded - ready, "peak": peak}))
"""


def start(cache: str, deals: int) -> dict[str, float]:
    """What a fresh process needs to be ready, in seconds, and its peak of memory in MiB after so many deals."""
    environment = os.environ | {"SIXTYSIX_CACHE": cache, "PYTHONPATH": str(ROOT)}
    printed = subprocess.run(
        [sys.executable, "-c", _START, str(deals)], check=True, capture_output=True, text=True, env=environment
    )
    found: dict[str, float] = json.loads(printed.stdout)
    return found


def two_workers(rounds: int) -> float:
    """How much faster two workers are than one, both compiled."""
    rules = ve.load("foster")
    gains = []
    for _ in range(rounds):
        one, two = (simulate(rules, 2_000_000, 1, shuffle="fast", workers=workers) for workers in (1, 2))
        if one.sums != two.sums:
            raise SystemExit("two workers came to other counts than one")
        gains.append(one.seconds / two.seconds)
    return median(gains)


# ---- the table ----------------------------------------------------------------------------------------------------


def large(number: float | None) -> str:
    """A number as the table has it."""
    if number is None:
        return ""
    return f"{number / 1e6:.2f} M" if number >= 1e6 else f"{number / 1e3:.1f} k" if number >= 1e4 else f"{number:.0f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="The engine's speed, beside others.")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.5, help="how long each way plays in a round")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON instead")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ways, missing = competitors(folder)
        rates = measure(ways, asked.seconds, asked.rounds)
        starts: dict[str, float] = {}
        if ways[0].name.startswith("core, compiled"):
            driver(True)
            first, second = start(name + "/cache", 50_000), start(name + "/cache", 50_000)
            many = start(name + "/cache", 10_000_000)
            starts = {"first": first["load"], "cached": second["load"], "import": second["import"]}
            starts |= {"peak": second["peak"], "peak_many": many["peak"]}
            starts["two_workers"] = two_workers(min(asked.rounds, 5))
    report(ways, rates, missing, starts, asked)


def report(ways: list[Way], rates: list[list[float]], missing: list[str], starts: dict[str, float], asked: Any) -> None:
    """Print what was measured."""
    rows = []
    for way, own in zip(ways, rates, strict=True):
        ratios = [mine / its for mine, its in zip(rates[0], own, strict=True)]
        rows.append((way, median(own), median(ratios), min(ratios), max(ratios)))
    if asked.json:
        print(json.dumps({
            "ways": [
                {"name": way.name, "deals_per_second": rate, "decisions": way.decisions, "ratio": ratio,
                 "lowest": low, "highest": high}
                for way, rate, ratio, low, high in rows
            ],
            "missing": missing, "start": starts,
        }, indent=2))  # fmt: skip
        return
    busy = f"; load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"Python {sys.version.split()[0]}, one core, {asked.rounds} rounds of {asked.seconds} s a way{busy}\n")
    print(f"| {'way':39} | {'deals/s':>8} | {'decisions/s':>11} | {'the first is … times as fast':31} |")
    print(f"| {'-' * 39} | {'-' * 7}: | {'-' * 10}: | {'-' * 31} |")
    for way, rate, ratio, low, high in rows:
        decisions = large(None if way.decisions is None else rate * way.decisions)
        times = f"{ratio:.3g} ({low:.3g} to {high:.3g})"
        print(f"| {way.name:39} | {large(rate):>8} | {decisions:>11} | {times:31} |")
    print()
    for line in bars(rows, rates):
        print(line)
    if starts:
        print(f"first compile {starts['first']:.1f} s; cached start {starts['cached']:.2f} s (with numba's import)")
        print(f"two workers: {starts['two_workers']:.2f} times as fast as one (to reach: 1.8, if both cores are free)")
        few, many = starts["peak"], starts["peak_many"]
        print(f"peak memory {few:.0f} MiB after 50,000 deals, {many:.0f} MiB after 10,000,000")
    for name in missing:
        print(f"not run: {name}")


def bars(rows: list[tuple[Way, float, float, float, float]], rates: list[list[float]]) -> list[str]:
    """What was to be reached, and whether it was."""
    own = {way.name: (way, ratio, rate) for (way, _, ratio, _, _), rate in zip(rows, rates, strict=True)}
    first = rows[0][0]
    lines = []

    def bar(what: str, reached: float, wanted: float) -> None:
        verdict = "reached" if reached >= wanted else "not reached"
        lines.append(f"{what}: {reached:.3g} (to reach: {wanted:.3g}, {verdict})")

    for name, (way, ratio, rate) in own.items():
        if name.startswith("C,"):
            bar("compiled to C", ratio, 0.5)
        elif name.startswith("schnapsen"):
            bar("compiled to schnapsen", ratio, 300)
            for plain, (_, _, its) in own.items():
                if plain.startswith("public API"):
                    bar(f"{plain}, to schnapsen", median(a / b for a, b in zip(its, rate, strict=True)), 3)
        elif name.startswith("OpenSpiel") and way.decisions and first.decisions:
            bar(f"compiled to {name}, decisions", ratio * first.decisions / way.decisions, 10)
    return lines


if __name__ == "__main__":
    main()
