"""What more workers give: the same run by one worker and by several, in turn, and whether the numbers are the same.

Run ``python benchmarks/scaling.py`` from the root of the clone; ``--workers 4`` for more cores, ``--dask`` for Dask
workers on this machine as well, ``--rows`` for what a table of deals costs. In each round one worker and several play
the same deals, one after the other.

* *best* and *median* are ratios of time on the clock. On a machine that others use they tell what the others were
  doing (Linux shares a busy machine by session, so that two workers get no more than one); only the best one of many
  says something about the program.
* *by processor time* is what the clock would show with a core for each worker: the processor time of one worker's run
  over that of several, where the main thread's part is done by one and the rest shared equally. It counts whatever more
  work several workers make, but not what they might wait for each other; they share no lock while they play.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, thread_time
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import variant_engine as ve  # noqa: E402  (found in the clone, installed or not)
from variant_engine.impact import impact  # noqa: E402
from variant_engine.simulate import simulate  # noqa: E402

FOSTER, HANDBOOK = ve.load("foster"), ve.load("handbook")
#: Plays a run of some size with so many workers, perhaps on a cluster, and returns its numbers.
Run = Callable[[int, int, str | None], object]


def simulation(players: str, shuffle: str) -> Run:
    def run(size: int, workers: int, cluster: str | None) -> object:
        names = (players, players)
        how: dict[str, Any] = {"workers": workers, "cluster": cluster, "shuffle": shuffle, "compiled": True}
        return simulate(FOSTER, size, 1, names, **how).sums

    return run


def comparison(size: int, workers: int, cluster: str | None) -> object:
    found = impact(FOSTER, HANDBOOK, each=True, deals=size, workers=workers, cluster=cluster, compiled=True)
    return [panel.sums for panel in found.panels]


RUNS: dict[str, tuple[Run, int]] = {
    "simulate, random, exact shuffle": (simulation("random", "exact"), 300_000),
    "simulate, random, fast shuffle": (simulation("random", "fast"), 800_000),
    "simulate, greedy, exact shuffle": (simulation("greedy", "exact"), 200_000),
    "impact foster handbook --each": (comparison, 4_000),
}


@dataclass(frozen=True)
class Cost:
    """What a run took: seconds on the clock; of processors, in all and by the main thread alone; and what it found."""

    clock: float
    processor: float
    main: float
    found: object

    def shared_by(self, workers: int) -> float:
        """Seconds with a core for each worker."""
        return self.main + (self.processor - self.main) / workers


def timed(run: Run, size: int, workers: int, cluster: Any = None) -> Cost:
    """Measure a run here or on a cluster's workers."""
    away = _away(cluster)
    clock, processor, main = perf_counter(), process_time(), thread_time()
    found = run(size, workers, cluster.scheduler_address if cluster is not None else None)
    clock, processor, main = perf_counter() - clock, process_time() - processor, thread_time() - main
    return Cost(clock, processor + _away(cluster) - away, main if cluster is None else processor, found)


def _away(cluster: Any) -> float:
    """The processor time of all workers of a cluster so far."""
    if cluster is None:
        return 0.0
    from distributed import Client

    with Client(cluster, set_as_default=False) as client:
        return float(sum(client.run(process_time).values()))


def measure(name: str, run: Run, size: int, rounds: int, workers: int, clusters: tuple[Any, Any] | None = None) -> None:
    """Print a line of the table."""
    one, many = clusters or (None, None)
    for cluster in (one, many):
        run(2000, 1, cluster.scheduler_address if cluster is not None else None)
    by_clock, by_processor, fastest = [], [], float("inf")
    for _ in range(rounds):
        alone, together = timed(run, size, 1, one), timed(run, size, workers, many)
        if alone.found != together.found:
            raise SystemExit(f"{name}: the numbers differ")
        by_clock.append(alone.clock / together.clock)
        # A worker that was lost and replaced has taken its processor time with it.
        if min(alone.processor, together.processor) > 0:
            by_processor.append(alone.processor / together.shared_by(workers))
            fastest = min(fastest, alone.processor)
    ratios = (max(by_clock), median(by_clock), median(by_processor or [0.0]))
    print(f"| {name} | {size / fastest:,.0f} | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |", flush=True)


def rows() -> None:
    """What a row on disk costs, in time and in bytes."""
    for moves in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            start = process_time()
            simulate(FOSTER, 500_000, 1, out=Path(folder) / "deals", moves=moves, compiled=True)
            seconds = process_time() - start
            size = sum(path.stat().st_size for path in Path(folder).rglob("*.parquet"))
        what = "with moves" if moves else "without moves"
        rate = f"{500_000 / seconds:,.0f} deals a second of processor time"
        print(f"table of deals {what}: {size / 500_000:.1f} bytes a deal, {rate}")


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--dask", action="store_true", help="Dask workers on this machine as well")
    parser.add_argument("--rows", action="store_true", help="what a table of deals costs")
    chosen = parser.parse_args()
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f} when it began; {chosen.workers} workers against one")
    print("\n| run | deals/s of one worker | best | median | by processor time |\n| --- | --- | --- | --- | --- |")
    for name, (run, size) in RUNS.items():
        measure(name, run, size, chosen.rounds, chosen.workers)
    if chosen.dask:
        with ExitStack() as stack:
            clusters = (
                stack.enter_context(dask_workers(1)),
                stack.enter_context(dask_workers(chosen.workers)),
            )
            for name, (run, size) in RUNS.items():
                measure(f"{name}, Dask", run, 10 * size, chosen.rounds, chosen.workers, clusters)
    if chosen.rows:
        rows()


def dask_workers(count: int) -> Any:
    """Dask workers on the loopback interface, a process each."""
    from distributed import LocalCluster

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore")
    return LocalCluster(
        n_workers=count, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )  # fmt: skip


if __name__ == "__main__":
    main()
