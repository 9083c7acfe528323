"""Running a simulation: its parts played one after the other or side by side, and added up."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from time import perf_counter

from .. import kernel
from ..hints import nearest, quoted
from ..ruleset import Ruleset
from .crew import MOST_WORKERS, ClusterError, Crew, hire
from .playout import NO_ROWS, ROWS, ROWS_AND_MOVES
from .result import Simulation
from .shards import Folder, FolderError, Manifest, packed
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

#: Called now and then with the number of deals done and asked for.
Progress = Callable[[int, int], None]

#: Deals in a part, compiled and plain: well below a second, so that Ctrl-C and the progress bar need not wait.
_PART, _PLAIN_PART = 50_000, 1_000
#: The most on a cluster, where parts are to take some seconds.
_FAR_PART = 2_000_000
#: Deals in a shard, likewise.
_SHARD, _PLAIN_SHARD = 100_000, 2_000
#: Fewer deals than this are done in plain Python before the compiled code is even loaded.
_WORTH_COMPILING = 2_000
#: More than this is a slip of the finger.
MOST_DEALS = min(10**15, MAX_DEALS)
MOST_SEED_DIGITS = 20


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
    cluster: str | None = None,
) -> Simulation:
    """Let players play deals 0 to ``deals - 1`` of a seed, and count what comes of them.

    ``players`` names one for each seat; the deal alternates. ``workers`` play side by side; the result is the same to
    the last digit however many they are. ``shuffle`` is ``exact``, which deals what
    ``ve.deal(rules, seed=…, number=…)`` deals, or ``fast``. ``out`` names a folder for a table of all deals (with their
    ``moves``, if wanted), in which a run that was broken off goes on. ``compiled``: None leaves it to the program.
    ``cluster`` is the address of a Dask cluster to play on; its workers send what they find, and write nothing.

    On Ctrl-C, and when a cluster is lost, the result holds what is done. Raises :class:`SimulationError` for what
    cannot be run as asked, and its subclasses :class:`~variant_engine.simulate.shards.FolderError` for a folder and
    :class:`~variant_engine.simulate.crew.ClusterError` for a cluster that cannot be used.
    """
    check_deals(deals)
    check_seed(seed)
    names = check_players(players)
    if shuffle not in SHUFFLES:
        raise SimulationError(f"there is no shuffle called {quoted(shuffle)}; there are: {', '.join(SHUFFLES)}")
    if not 1 <= workers <= MOST_WORKERS:
        raise SimulationError(f"the number of workers must be 1 to {MOST_WORKERS}, not {workers}")
    use_compiled = choose_compiled(compiled, deals)
    if out is not None and not str(out).strip():
        raise FolderError("a folder for deals has a name; this one is empty")
    # Before anything is written: a cluster may be none.
    crew = hire(workers, cluster, threads=use_compiled)
    folder = None
    detail = NO_ROWS
    interrupted, trouble = False, ""
    total = _Total(deals, progress)
    start = perf_counter()
    try:
        if out is not None:
            detail = ROWS_AND_MOVES if moves else ROWS
            shard = _SHARD if use_compiled else _PLAIN_SHARD
            folder = Folder.open(Path(out), Manifest.of(rules, seed, names, shuffle, moves, shard), deals)
            if not crew.away:
                folder.begin()
            total.there(folder.deals_found)
        if not crew.away:
            # Loading is not playing. Besides, workers find compiled code in the cache that has been put there.
            driver(use_compiled)
        start = perf_counter()
        setting = Setting(rules.ints, seed, shuffle, names, use_compiled, detail)
        parts = folder.missing() if folder else parts_of(deals, _part_size(deals, use_compiled, crew))
        with closing(_played(setting, folder, parts, crew)) as played:
            # In the order of their numbers, so that whenever it ends the deals counted are the first ones.
            for found in folder.places() if folder else ():
                total.add(next(played) if found is None else found, found=found is not None)
            for sums in played:
                total.add(sums)
    except KeyboardInterrupt:
        interrupted = True
    except ClusterError as error:
        if not total.sums[0]:
            raise
        interrupted, trouble = True, str(error)
    finally:
        crew.close()
    return Simulation(
        rules, seed, names, shuffle, deals, total.sums, perf_counter() - start, use_compiled, crew.workers,
        total.found, interrupted, trouble,
    )  # fmt: skip


def _part_size(deals: int, compiled: bool, crew: Crew) -> int:
    size = _PART if compiled else _PLAIN_PART
    if not crew.away:
        return size
    # Some parts for every worker, lest all wait for the last one.
    return max(size, min(deals // (4 * crew.workers), _FAR_PART * size // _PART))


class _Total:
    """The sums so far. One assignment changes them, so that Ctrl-C finds them whole."""

    def __init__(self, asked: int, progress: Progress | None) -> None:
        self.sums: Sums = NO_SUMS
        self.found = 0
        self._done = 0
        self._asked = asked
        self._progress = progress

    def there(self, deals: int) -> None:
        """So many deals need not be played, though they are counted only in their turn."""
        self._done = deals

    def add(self, sums: Sums, *, found: bool = False) -> None:
        if found:
            self.found += sums[0]
        else:
            self._done += sums[0]
        self.sums = added(self.sums, sums)
        if self._progress is not None:
            self._progress(self._done, self._asked)


def check_deals(deals: int) -> None:
    """Raise :class:`SimulationError` for a number of deals that cannot be meant."""
    if not 1 <= deals <= MOST_DEALS:
        raise SimulationError(f"the number of deals must be 1 to {MOST_DEALS}, not {deals}")


def check_seed(seed: int) -> None:
    """Raise :class:`SimulationError` for a seed whose labels are too long for the compiled shuffle."""
    if abs(seed) >= 10**MOST_SEED_DIGITS:
        raise SimulationError(f"a seed has at most {MOST_SEED_DIGITS} digits")


def check_players(players: Iterable[str]) -> tuple[str, ...]:
    """The two players; raises :class:`SimulationError` for other than two or an unknown one."""
    names = tuple(players)
    if len(names) != 2:
        raise SimulationError(f"two players are needed, for A and for B, as in greedy,random; not {len(names)}")
    for name in names:
        if name not in PLAYER_CODES:
            meant = nearest(name, PLAYER_CODES)
            known = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(PLAYER_CODES)}"
            raise SimulationError(f"no player is called {quoted(name)}; {known}")
    return names


_told = False


def choose_compiled(wanted: bool | None, deals: int) -> bool:
    """Whether to play compiled; that this is wished for and cannot be had is said once."""
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


def play_and_send(setting: Setting, manifest: Manifest, part: Part) -> tuple[Part, Sums, bytes]:
    """What a worker far away does: play a part and return the sums and the shard."""
    played = play_part(setting, part)
    return part, played.sums, packed(manifest, played)


def _played(setting: Setting, folder: Folder | None, parts: Iterable[Part], crew: Crew) -> Generator[Sums, None, None]:
    """The sums of the parts, in their order; their shards are then written."""
    if folder is None or not crew.away:
        yield from crew.in_order(partial(play_and_keep, setting, folder), parts)
        return
    for part, sums, shard in crew.in_order(partial(play_and_send, setting, folder.manifest), parts):
        folder.begin()
        folder.keep(part, shard)
        yield sums


__all__ = [
    "ClusterError",
    "FolderError",
    "PlainPython",
    "Progress",
    "SimulationError",
    "check_deals",
    "check_players",
    "check_seed",
    "choose_compiled",
    "play_and_keep",
    "play_and_send",
    "simulate",
]
