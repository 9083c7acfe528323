"""Who plays the parts: workers that are lost, clusters that are none, and Ctrl-C at any time."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.main import app
from variant_engine.simulate import ClusterError, SimulationError, crew

needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None and not os.environ.get("CI"), reason="distributed is not installed"
)
not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")


# ---- workers beside -----------------------------------------------------------------------------------------------


def losing(times: int, lost: Counter[int], item: int) -> int:
    """Work whose worker is lost a number of times with every item."""
    lost[item] += 1
    if lost[item] <= times:
        raise BrokenProcessPool
    return item


def test_losses_are_forgiven_when_work_comes_back() -> None:
    """Many in all, in a long run, but never many in a row."""
    people = crew.hire(2, None, threads=True)
    lost: Counter[int] = Counter()
    assert list(people.in_order(lambda item: losing(1, lost, item), range(20))) == list(range(20))
    assert lost.total() >= 40
    people.close()


def test_losses_in_a_row_are_the_end_of_it() -> None:
    people = crew.hire(2, None, threads=True)
    lost: Counter[int] = Counter()
    with pytest.raises(SimulationError, match="again and again"):
        list(people.in_order(lambda item: losing(99, lost, item), range(20)))
    people.close()


def interrupts_blocked(item: int) -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@not_on_windows
def test_processes_are_deaf_to_ctrl_c_from_their_first_moment() -> None:
    """A terminal sends it to all of them, and they would die with a traceback while they are still being loaded."""
    people = crew.hire(2, None, threads=False)
    try:
        assert list(people.in_order(interrupts_blocked, range(4))) == [True] * 4
    finally:
        people.close()
    assert not interrupts_blocked(0), "they still reach this process"


@not_on_windows
@pytest.mark.parametrize("threads", [True, False])
def test_ctrl_c_while_the_crew_closes(threads: bool) -> None:
    people = crew.hire(2, None, threads=threads)
    results = people.in_order(time.sleep, [0.0, 0.6, 0.6, 0.6])
    next(results)
    before = signal.getsignal(signal.SIGINT)
    timers = [threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT)) for delay in (0.1, 0.2)]
    for timer in timers:
        timer.start()
    started = time.monotonic()
    try:
        people.close()
    except KeyboardInterrupt:
        pytest.fail("closing was interrupted")
    finally:
        for timer in timers:
            timer.cancel()
            timer.join()
    assert time.monotonic() - started > 0.2, "there was nothing to interrupt"
    assert signal.getsignal(signal.SIGINT) is before


# ---- a cluster that loses its workers -----------------------------------------------------------------------------


class NoWorkers:
    """A Dask client whose workers are all gone: nothing fails, and nothing ever comes back."""

    def nthreads(self) -> dict[str, int]:
        return {}

    def submit(self, *arguments: Any, **named: Any) -> NoWorkers:
        return self

    def result(self, timeout: float) -> None:
        time.sleep(0.01)
        raise TimeoutError

    def cancel(self, futures: list[Any]) -> None:
        pass


class Silent(NoWorkers):
    """One whose scheduler has stopped: it is not asked in vain, but for ever."""

    def __init__(self) -> None:
        self.end = threading.Event()

    def nthreads(self) -> dict[str, int]:
        self.end.wait(60)
        return {}

    def cancel(self, futures: list[Any]) -> None:
        self.end.wait(60)


@needs_dask
@pytest.mark.parametrize(
    ("client", "message"), [(NoWorkers(), "has lost all its workers"), (Silent(), "no longer answers")]
)
def test_a_cluster_without_workers_is_waited_for_only_so_long(
    client: NoWorkers, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "LOST_SECONDS", 0.2)
    monkeypatch.setattr(crew, "ANSWER_SECONDS", 0.1)
    people = object.__new__(crew._Cluster)
    people._address, people._client, people.workers = "tcp://somewhere:1", client, 1
    found: list[BaseException] = []

    def run() -> None:
        try:
            list(people.in_order(str, range(3)))
        except ClusterError as error:
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    started = time.monotonic()
    thread.start()
    thread.join(20)
    if isinstance(client, Silent):
        client.end.set()
    assert [str(error) for error in found] == [f"the cluster at tcp://somewhere:1 {message}"]
    assert time.monotonic() - started >= 0.2


# ---- what is no cluster -------------------------------------------------------------------------------------------


@contextmanager
def server(greeting: bytes | None) -> Iterator[str]:
    """The address of somebody who greets and then says nothing more, or hangs up at once (None)."""
    taken: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    one, _ = listening.accept()
                except OSError:
                    return
                taken.append(one)
                if greeting is None:
                    one.close()
                else:
                    one.sendall(greeting)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        # Closing alone does not wake who waits for a caller.
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(5)
    for one in taken:
        one.close()


@needs_dask
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("greeting", "message"),
    [
        (b"", "no Dask scheduler answers at {address} within 0.7 s"),
        (None, "no Dask scheduler answers at {address}"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "what answers at {address} is no Dask scheduler"),
        (b"SSH-2.0-OpenSSH_9.2p1\r\n", "what answers at {address} is no Dask scheduler"),
        (b"\xff" * 64, "what answers at {address} is no Dask scheduler"),
        (b"\0" * 64, "what answers at {address} is no Dask scheduler"),
    ],
)
def test_somebody_else_answers(greeting: bytes | None, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "ANSWER_SECONDS", 0.7)
    with server(greeting) as address:
        started = time.monotonic()
        result = CliRunner().invoke(app, ["simulate", "foster", "--deals", "10", "--dask", address])
    assert time.monotonic() - started < 15
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("sixtysix: " + message.format(address=address))
    assert len(result.stderr.splitlines()) == 1


@needs_dask
@pytest.mark.parametrize("address", ["nonsense", "nonsense://here", "tcp://", "127.0.0.1:abc", ":", "é"])
@pytest.mark.parametrize("name", ["simulate", "impact"])
def test_what_is_no_address(name: str, address: str) -> None:
    rest = ["foster", "--deals", "10"] if name == "simulate" else ["foster", "handbook", "--deals", "10"]
    result = CliRunner().invoke(app, [name, *rest, "--dask", address])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"'{address}' is no address such as tcp://127.0.0.1:8786" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("address", ["", " "])
def test_an_empty_address(address: str) -> None:
    result = CliRunner().invoke(app, ["simulate", "foster", "--deals", "10", "--dask", address])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a cluster has an address such as tcp://127.0.0.1:8786" in result.stderr


def test_messages_are_not_cut_in_the_middle() -> None:
    assert crew._in_short(OSError("one line\nand the next,\n  which belongs to it")) == (
        "one line and the next, which belongs to it"
    )
    assert crew._in_short(TimeoutError()) == "TimeoutError"
    long = crew._in_short(OSError("word " * 200))
    assert len(long) <= 300
    assert long.endswith("word …")


# ---- the same program everywhere ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "simulate/tasks.py", "simulate/shards.py", "simulate/playout.py", "simulate/lots.py", "impact/tasks.py",
        "impact/paired.py", "rules/closing.py", "options/closing.py", "players/greedy.py",
    ],
)  # fmt: skip
def test_the_fingerprint_covers_what_results_depend_on(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = crew.fingerprint.__wrapped__()
    read = Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: read(path) + (b"#" if path.as_posix().endswith(f"engine/{name}") else b"")
    )
    assert crew.fingerprint.__wrapped__() != before
