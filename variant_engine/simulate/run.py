"""Running a simulation: its parts played one after the other or side by side, and added up."""

from __future__ import annotations

import signal
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from .. import kernel
from ..hints import nearest, quoted
from ..ruleset import Ruleset
from .playout import NO_ROWS, ROWS, ROWS_AND_MOVES
from .result import Simulation
from .shards import Folder, FolderError, Manifest
from .tasks import (
    MAX_DEALS,
    NO_SUMS,
    PLAYER_CODES,
    SHUFFLES,
    Part,
    Setting,
    SimulationError,
    Sums,
    added,
    driver,
    parts_of,
    play_part,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

#: Called now and then with the number of deals done and asked for.
Progress = Callable[[int, int], None]

#: Deals in a part, compiled and plain: well below a second, so that Ctrl-C and the progress bar need not wait.
_PART, _PLAIN_PART = 50_000, 1_000
#: Deals in a shard, likewise.
_SHARD, _PLAIN_SHARD = 100_000, 2_000
#: Fewer deals than this are done in plain Python before the compiled code is even loaded.
_WORTH_COMPILING = 2_000
#: More than this is a slip of the finger.
MOST_DEALS = min(10**15, MAX_DEALS)
MOST_WORKERS = 1_024


class PlainPython(UserWarning):
    """Compiled code was wanted and is not to be had."""


def simulate(
    rules: Ruleset,
    deals: int,
    seed: int = 0,
    players: Iterable[str] = ("random", "random"),
    *,
    workers: int = 1,
    progress: Progress | None = None,
    out: str | Path | None = None,
    moves: bool = False,
    shuffle: str = "exact",
    compiled: bool | None = None,
) -> Simulation:
    """Let players play deals 0 to ``deals - 1`` of a seed, and count what comes of them.

    ``players`` names one for each seat; the deal alternates. ``workers`` play side by side; the result is the same to
    the last digit however many they are. ``shuffle`` is ``exact``, which deals what
    ``ve.deal(rules, seed=…, number=…)`` deals, or ``fast``. ``out`` names a folder for a table of all deals (with their
    ``moves``, if wanted), in which a run that was broken off goes on. ``compiled``: None leaves it to the program.

    On Ctrl-C the result holds what is done. Raises :class:`SimulationError` for what cannot be run as asked, and its
    subclass :class:`~variant_engine.simulate.shards.FolderError` for a folder that cannot be used.
    """
    names = _checked(deals, players, workers, shuffle)
    use_compiled = _choose(compiled, deals)
    folder = None
    detail = NO_ROWS
    if out is not None:
        detail = ROWS_AND_MOVES if moves else ROWS
        shard = _SHARD if use_compiled else _PLAIN_SHARD
        folder = Folder.open(Path(out), Manifest.of(rules, seed, names, shuffle, moves, shard), deals)
    setting = Setting(rules.ints, seed, shuffle, names, use_compiled, detail)
    # Loading is not playing. Besides, workers find compiled code in the cache that has been put there.
    driver(use_compiled)
    start = perf_counter()
    total = _Total(deals, progress)
    interrupted = False
    try:
        if folder is None:
            parts = parts_of(deals, _PART if use_compiled else _PLAIN_PART)
            for _, sums in _played(setting, None, parts, workers):
                total.add(sums)
        else:
            for sums in folder.sums_found():
                total.add(sums, found=True)
            for _, sums in _played(setting, folder, folder.missing(), workers):
                total.add(sums)
    except KeyboardInterrupt:
        interrupted = True
    return Simulation(
        rules, seed, names, shuffle, deals, total.sums, perf_counter() - start, use_compiled, workers,
        total.found, interrupted,
    )  # fmt: skip


class _Total:
    """The sums so far. One assignment changes them, so that Ctrl-C finds them whole."""

    def __init__(self, asked: int, progress: Progress | None) -> None:
        self.sums: Sums = NO_SUMS
        self.found = 0
        self._asked = asked
        self._progress = progress

    def add(self, sums: Sums, *, found: bool = False) -> None:
        if found:
            self.found += sums[0]
        self.sums = added(self.sums, sums)
        if self._progress is not None:
            self._progress(self.sums[0], self._asked)


def _checked(deals: int, players: Iterable[str], workers: int, shuffle: str) -> tuple[str, ...]:
    if not 1 <= deals <= MOST_DEALS:
        raise SimulationError(f"the number of deals must be 1 to {MOST_DEALS}, not {deals}")
    if not 1 <= workers <= MOST_WORKERS:
        raise SimulationError(f"the number of workers must be 1 to {MOST_WORKERS}, not {workers}")
    names = tuple(players)
    if len(names) != 2:
        raise SimulationError(f"two players are needed, for A and for B, as in greedy,random; not {len(names)}")
    for name in names:
        if name not in PLAYER_CODES:
            meant = nearest(name, PLAYER_CODES)
            known = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(PLAYER_CODES)}"
            raise SimulationError(f"no player is called {quoted(name)}; {known}")
    if shuffle not in SHUFFLES:
        raise SimulationError(f"there is no shuffle called {quoted(shuffle)}; there are: {', '.join(SHUFFLES)}")
    return names


_told = False


def _choose(wanted: bool | None, deals: int) -> bool:
    global _told
    if wanted is False or (wanted is None and deals < _WORTH_COMPILING):
        return False
    if kernel.available():
        return True
    if wanted:
        raise SimulationError("compiled code needs numba, which is not installed: pip install 'sixtysix[fast]'")
    if not _told:
        _told = True
        warnings.warn(kernel.PLAIN_NOTICE, PlainPython, stacklevel=3)
    return False


def play_and_keep(setting: Setting, folder: Folder | None, part: Part) -> Sums:
    """What a worker does: play a part, write its shard if there is a folder, and return the sums."""
    played = play_part(setting, part)
    if folder is not None:
        folder.write(played)
    return played.sums


def _played(
    setting: Setting, folder: Folder | None, parts: Iterable[Part], workers: int
) -> Iterator[tuple[Part, Sums]]:
    """The sums of the parts, in their order, played by so many workers.

    Compiled code runs beside other threads, so that workers are threads; plain Python needs processes of its own.
    """
    if workers == 1:
        for part in parts:
            yield part, play_and_keep(setting, folder, part)
        return
    # Here, because most programs that import this never need them, and they take their time.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

    executor: Executor
    if setting.compiled:
        executor = ThreadPoolExecutor(workers)
    else:
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_interrupts_to_the_parent)
    waiting: deque[tuple[Part, Future[Sums]]] = deque()
    try:
        for part in parts:
            waiting.append((part, executor.submit(play_and_keep, setting, folder, part)))
            # A few parts ahead keep every worker busy; more would only pile up.
            if len(waiting) >= 2 * workers:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


__all__ = ["FolderError", "PlainPython", "Progress", "SimulationError", "play_and_keep", "simulate"]
