"""Who plays the parts of a run: this process, workers beside it, or the workers of a Dask cluster.

A part depends on nothing but its setting and its numbers, and its result is whole or not there. So a part whose worker
is lost is given to another one, and a result is taken exactly once: the sums are the same whoever plays.
"""

from __future__ import annotations

import logging
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from textwrap import shorten
from threading import Thread, current_thread, main_thread
from time import monotonic
from typing import Any, Protocol, TypeVar

from .. import kernel
from ..hints import quoted
from .tasks import SimulationError

MOST_WORKERS = 1_024
#: How long a cluster may take to answer, to have a first worker, and to have one again when all are lost, in seconds.
ANSWER_SECONDS = 10.0
LOST_SECONDS = 60.0
#: Workers may be lost this often in a row without any part coming back.
_MOST_LOSSES = 4
#: Sources that results depend on, though they are not compiled: how a part is played, and how it is written down.
_WORK_SOURCES = ("simulate/tasks.py", "simulate/shards.py", "impact/tasks.py")
_ADDRESS = "address such as tcp://127.0.0.1:8786"

Item = TypeVar("Item")
Result = TypeVar("Result")


class ClusterError(SimulationError):
    """A cluster that cannot be used, or no longer."""


class Crew(Protocol):
    """Somebody who plays parts."""

    #: How many parts are played at the same time.
    workers: int
    #: Whether the workers are other people's machines, with files of their own.
    away: bool

    def in_order(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """The results of the work on each item, in the order of the items."""

    def close(self) -> None:
        """Let everybody go."""


def hire(workers: int, cluster: str | None, *, threads: bool) -> Crew:
    """A crew of so many local workers, or that of the cluster at an address. ``threads``: locally, not processes.

    Raises :class:`SimulationError`.
    """
    if not 1 <= workers <= MOST_WORKERS:
        raise SimulationError(f"the number of workers must be 1 to {MOST_WORKERS}, not {workers}")
    if cluster is not None:
        return _Cluster(cluster)
    return _Alone() if workers == 1 else _Beside(workers, threads)


class _Alone:
    workers = 1
    away = False

    def in_order(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        for item in items:
            yield work(item)

    def close(self) -> None:
        pass


class _Beside:
    """Threads for compiled code, which runs beside other threads; processes for plain Python."""

    away = False

    def __init__(self, workers: int, threads: bool) -> None:
        self.workers = workers
        self._threads = threads
        self._executor = self._new()

    def _new(self) -> Executor:
        # Here, because most programs that import this never need them, and they take their time.
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

        if self._threads:
            return ThreadPoolExecutor(self.workers)

        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.workers, mp_context=context, initializer=_leave_interrupts_to_the_parent)

    def _submit(self, work: Callable[[Item], Result], item: Item) -> Future[Result]:
        with _interrupts_held():
            return self._executor.submit(work, item)

    def in_order(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        waiting: deque[tuple[Item, Future[Result]]] = deque()
        losses = 0

        def next_one() -> Result:
            nonlocal losses
            while True:
                try:
                    result = waiting[0][1].result()
                except BrokenExecutor:
                    losses += 1
                    if losses > _MOST_LOSSES:
                        raise SimulationError("workers end again and again before they have done anything") from None
                    self._executor.shutdown(wait=False)
                    self._executor = self._new()
                    for place, (item, future) in enumerate(waiting):
                        if not future.done() or future.exception() is not None:
                            waiting[place] = item, self._submit(work, item)
                    continue
                losses = 0
                waiting.popleft()
                return result

        for item in items:
            # A lost worker is noticed here too; the part then waits with the others for a new one.
            try:
                future = self._submit(work, item)
            except BrokenExecutor as error:
                future = Future()
                future.set_exception(error)
            waiting.append((item, future))
            # A few parts ahead keep every worker busy; more would only pile up.
            if len(waiting) >= 2 * self.workers:
                yield next_one()
        while waiting:
            yield next_one()

    def close(self) -> None:
        with _interrupts_ignored():
            self._executor.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let Ctrl-C wait for a moment; processes begun in it are never interrupted, not even before they can say so."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Pass over Ctrl-C: who closes waits for parts under way, and halfway out an executor can be left for ever."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Cluster:
    """The workers of a Dask cluster. The scheduler gives the parts of a lost worker to others by itself."""

    away = True

    def __init__(self, address: str) -> None:
        if not address.strip():
            raise ClusterError(f"a cluster has an {_ADDRESS}")
        try:
            from distributed import Client
        except ImportError:
            raise ClusterError("a Dask cluster needs distributed: pip install 'sixtysix[cluster]'") from None
        self._address = address
        _hush()
        _look_at(address)
        try:
            self._client: Any = Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
        except Exception as error:
            raise ClusterError(f"the cluster at {address} cannot be used: {_in_short(error)}") from None
        try:
            self._client.wait_for_workers(1, timeout=ANSWER_SECONDS)
            self.workers = max(1, self._threads())
        except TimeoutError:
            self.close()
            raise ClusterError(f"the cluster at {address} has no workers") from None
        except BaseException:
            self.close()
            raise

    def _threads(self) -> int:
        """How many parts it plays at a time; raises :class:`TimeoutError` when it does not say, as it may never do."""
        return sum(_within(ANSWER_SECONDS, self._client.nthreads).values())

    def in_order(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        waiting: deque[Any] = deque()
        known = fingerprint()
        try:
            for item in items:
                waiting.append(self._client.submit(at_work, known, work, item, pure=False))
                # So many that a straggler does not keep the others from working.
                if len(waiting) >= 4 * self.workers + 4:
                    yield self._result(waiting.popleft())
            while waiting:
                yield self._result(waiting.popleft())
        finally:
            if waiting:
                with suppress(Exception):
                    _within(2, lambda: self._client.cancel(list(waiting)))

    def _result(self, future: Any) -> Any:
        """What a part came to; given up when there has been no worker, or no scheduler, for a while."""
        import asyncio

        from distributed import CancelledError, KilledWorker

        last_seen = monotonic()
        while True:
            try:
                return future.result(timeout=2)
            except SimulationError:
                raise
            except KilledWorker:
                raise ClusterError(f"a part has lost all workers at {self._address} that began it") from None
            except TimeoutError:
                lost = "has lost all its workers"
                try:
                    if self._threads():
                        last_seen = monotonic()
                except TimeoutError:
                    lost = "no longer answers"
                except Exception as error:
                    raise ClusterError(f"the cluster at {self._address} is gone: {_in_short(error)}") from None
                if monotonic() - last_seen > LOST_SECONDS:
                    raise ClusterError(f"the cluster at {self._address} {lost}") from None
            except (CancelledError, asyncio.CancelledError):
                # What becomes of a future when its scheduler goes.
                raise ClusterError(f"the cluster at {self._address} is gone: its scheduler was lost") from None
            except Exception as error:
                raise ClusterError(f"the cluster at {self._address} failed: {_in_short(error)}") from None

    def close(self) -> None:
        with _interrupts_ignored(), suppress(Exception):
            _within(10, lambda: self._client.close(timeout=2))


def _within(seconds: float, call: Callable[[], Result]) -> Result:
    """What a call comes to; raises :class:`TimeoutError` when it takes longer. It is then left to itself."""
    answer: Future[Result] = Future()

    def run() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=run, daemon=True).start()
    return answer.result(timeout=seconds)


def _hush() -> None:
    """Keep Dask from logging: what goes wrong is said in one line, by whoever catches the error."""
    # Some of its loggers have levels of their own.
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _look_at(address: str) -> None:
    """Raise :class:`ClusterError` unless a scheduler answers at an address.

    Looked for first and apart, because a client waits for ever for a server of another kind, and makes a noise when it
    is let go. In a thread of its own, lest there be no end to it, or a loop that the caller has already.
    """
    import asyncio
    import struct

    from distributed import Security
    from distributed.comm.addressing import get_address_host_port
    from distributed.core import rpc

    async def ask() -> str:
        async with rpc(address, connection_args=Security().get_connection_args("client")) as there:
            return str((await there.identity())["type"])

    try:
        get_address_host_port(address)
    except Exception as error:
        raise ClusterError(f"{quoted(address)} is no {_ADDRESS}: {_in_short(error)}") from None
    try:
        kind = _within(ANSWER_SECONDS + 1, lambda: asyncio.run(asyncio.wait_for(ask(), ANSWER_SECONDS)))
    except TimeoutError:
        raise ClusterError(f"no Dask scheduler answers at {address} within {ANSWER_SECONDS:g} s") from None
    except (ValueError, MemoryError, struct.error):
        # Somebody else's greeting, read as the length of a message.
        raise ClusterError(f"what answers at {address} is no Dask scheduler") from None
    except Exception as error:
        raise ClusterError(f"no Dask scheduler answers at {address}: {_in_short(error)}") from None
    if kind != "Scheduler":
        raise ClusterError(f"what answers at {address} is no Dask scheduler but a {kind}")


def _in_short(error: BaseException) -> str:
    """An error on one line; the first sentences of a long one."""
    return shorten(str(error), 300, placeholder=" …") or type(error).__name__


@cache
def fingerprint() -> str:
    """What must be the same on all machines of a run: the sources of play, and of what is made of it elsewhere."""
    digest = kernel.core_digest()
    package = Path(kernel.__file__).parent
    for name in _WORK_SOURCES:
        digest.update(name.encode() + b"\0" + (package / name).read_bytes() + b"\0")
    return str(digest.hexdigest()[:16])


def at_work(known: str, work: Callable[[Item], Result], item: Item) -> Result:
    """What a cluster's worker does with a part."""
    if fingerprint() != known:
        raise ClusterError("a worker of the cluster has another version of this program")
    try:
        return work(item)
    except ImportError as error:
        raise ClusterError(f"a worker of the cluster lacks what it needs: {error}") from None


__all__ = ["MOST_WORKERS", "ClusterError", "Crew", "at_work", "fingerprint", "hire"]
