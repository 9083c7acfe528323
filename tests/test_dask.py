"""A real Dask cluster on the loopback interface: the same numbers as one process, whatever becomes of its workers."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import variant_engine as ve
from cli.main import app
from variant_engine.impact import impact
from variant_engine.simulate import ClusterError, crew, reopen, run, simulate
from variant_engine.simulate.tasks import Part

ROOT = Path(__file__).resolve().parent.parent
FOSTER = ve.load("foster")
HANDBOOK = ve.load("handbook")
if find_spec("distributed") is None and not os.environ.get("CI"):
    pytest.skip("distributed is not installed", allow_module_level=True)

#: A cluster leaves sockets and files for the collector, which is no fault of what is tested here.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
cluster_test = pytest.mark.cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        started = LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            worker_dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
        yield started
        started.close(timeout=10)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts so small that there are many of them."""
    monkeypatch.setattr(run, "_PLAIN_PART", 100)
    monkeypatch.setattr(run, "_FAR_PART", 100)
    monkeypatch.setattr(run, "_PART", 100)


@cluster_test
def test_the_cluster_simulates_the_same(cluster: Any, small_parts: None) -> None:
    alone = simulate(FOSTER, 3000, 7, ("greedy", "random"), compiled=False)
    found = simulate(FOSTER, 3000, 7, ("greedy", "random"), compiled=False, cluster=cluster.scheduler_address)
    assert found.sums == alone.sums
    assert found.workers == 2
    assert not found.interrupted


@cluster_test
def test_the_cluster_compares_the_same(cluster: Any) -> None:
    how: dict[str, Any] = {"each": True, "deals": 60, "games": 10, "seed": 3, "compiled": False}
    alone = impact(FOSTER, HANDBOOK, **how)
    found = impact(FOSTER, HANDBOOK, **how, cluster=cluster.scheduler_address)
    assert [panel.sums for panel in found.panels] == [panel.sums for panel in alone.panels]


def slow(log: Path, part: Part) -> tuple[int, int]:
    """Work that leaves a trace of whoever does it."""
    with (log / f"{part.first}-{os.getpid()}").open("w") as file:
        file.write("begun")
    time.sleep(0.15)
    return part.first, os.getpid()


@cluster_test
def test_a_lost_workers_parts_are_played_again_and_counted_once(cluster: Any, tmp_path: Path) -> None:
    parts = [Part(number, 1) for number in range(40)]
    people = crew.hire(1, cluster.scheduler_address, threads=False)
    victim = 0
    firsts = []
    try:
        for first, who in people.in_order(partial(slow, tmp_path), parts):
            firsts.append(first)
            if len(firsts) == 6:
                victim = who
                os.kill(victim, signal.SIGKILL)
    finally:
        people.close()
    assert firsts == list(range(40))
    begun = [path.name.partition("-")[0] for path in tmp_path.iterdir()]
    assert len(begun) > 40, "some part was lost with its worker and begun again"
    assert set(begun) == {str(number) for number in range(40)}


@cluster_test
def test_killing_a_worker_changes_no_number(cluster: Any, small_parts: None) -> None:
    alone = simulate(FOSTER, 12_000, 11, compiled=False)
    killed: list[int] = []

    def kill(done: int, asked: int) -> None:
        if done >= 2000 and not killed:
            victim = next(iter(cluster.workers.values())).pid
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    found = simulate(FOSTER, 12_000, 11, compiled=False, cluster=cluster.scheduler_address, progress=kill)
    assert killed
    assert found.sums == alone.sums


@cluster_test
@pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is not installed")
def test_the_table_is_written_here(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet as pq

    monkeypatch.setattr(run, "_PLAIN_SHARD", 50)
    how: dict[str, Any] = {"compiled": False, "moves": True}
    simulate(FOSTER, 175, 7, out=tmp_path / "here", **how)
    found = simulate(FOSTER, 120, 7, out=tmp_path / "far", **how, cluster=cluster.scheduler_address)
    assert found.deals == 120
    found = simulate(FOSTER, 175, 7, out=tmp_path / "far", **how, cluster=cluster.scheduler_address)
    assert (found.deals, found.found) == (175, 100)
    here, far = (pq.read_table(tmp_path / name) for name in ("here", "far"))
    assert here.equals(far)
    assert len(reopen(FOSTER, far.to_pylist()[170]).history) == far.to_pylist()[170]["decisions"]


@cluster_test
def test_a_worker_with_another_version_is_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "fingerprint", lambda: "another")
    with pytest.raises(ClusterError, match="another version"):
        simulate(FOSTER, 100, 1, compiled=False, cluster=cluster.scheduler_address)


@cluster_test
def test_a_cluster_that_goes_leaves_what_is_done(small_parts: None) -> None:
    from distributed import LocalCluster

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
            worker_dashboard_address=None, silence_logs=logging.CRITICAL,
        )  # fmt: skip
        closing = threading.Thread(target=other.close, kwargs={"timeout": 5})

        def close(done: int, asked: int) -> None:
            if done >= 500 and not closing.is_alive() and closing.ident is None:
                closing.start()

        found = simulate(FOSTER, 400_000, 7, compiled=False, cluster=other.scheduler_address, progress=close)
        closing.join()
    assert found.interrupted
    assert other.scheduler_address in found.trouble
    assert 500 <= found.deals < 400_000
    assert found.sums == simulate(FOSTER, found.deals, 7, compiled=False).sums


@cluster_test
def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(crew, "ANSWER_SECONDS", 2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        empty = LocalCluster(
            n_workers=0, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=logging.CRITICAL
        )
        with pytest.raises(ClusterError, match="no workers"):
            simulate(FOSTER, 100, 1, cluster=empty.scheduler_address)
        empty.close()


@cluster_test
def test_the_commands(cluster: Any) -> None:
    address = cluster.scheduler_address
    result = CliRunner().invoke(app, ["simulate", "foster", "--deals", "200", "--plain", "--dask", address, "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["deals"] == 200
    result = CliRunner().invoke(
        app, ["impact", "foster", "handbook", "--deals", "20", "--games", "2", "--plain", "--dask", address, "--json"]
    )
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["panels"][0]["deals"] == 20


def started(*arguments: str) -> subprocess.Popen[bytes]:
    """One of Dask's own programs."""
    program = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
    return subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@cluster_test
@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise there")
def test_a_scheduler_that_is_killed_makes_no_noise(tmp_path: Path) -> None:
    """What is done is printed, what went wrong is said once, and Dask's own programs say nothing of it."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    scheduler = started("scheduler", "--host", "127.0.0.1", "--port", str(port))
    worker = started("worker", address, "--nthreads", "1", "--no-nanny")
    command = ["simulate", "foster", "--deals", "2000000", "--plain", "--dask", address, "--out", str(tmp_path / "out")]
    program = [sys.executable, "-m", "cli", *command]
    try:
        with subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + 60
            while len(list(tmp_path.glob("out/*.parquet"))) < 3 and time.monotonic() < deadline:
                time.sleep(0.05)
            scheduler.kill()
            out, err = process.communicate(timeout=60)
    finally:
        for one in (scheduler, worker):
            one.kill()
            one.wait()
    assert process.returncode == 2
    assert "of 2,000,000 asked for (interrupted)" in out
    assert err == f"sixtysix: the cluster at {address} is gone: its scheduler was lost\n"


@cluster_test
def test_a_worker_is_no_scheduler(cluster: Any) -> None:
    address = next(iter(cluster.scheduler_info["workers"]))
    with pytest.raises(ClusterError, match=f"what answers at {address} is no Dask scheduler but a Worker"):
        simulate(FOSTER, 100, 1, compiled=False, cluster=address)


# ---- without a cluster; these run always ----------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.mark.parametrize("address", ["127.0.0.1:{port}", "tcp://127.0.0.1:{port}"])
@pytest.mark.parametrize("name", ["simulate", "impact"])
def test_a_cluster_that_does_not_answer(name: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "ANSWER_SECONDS", 0.5)
    address = address.format(port=free_port())
    rest = ["foster", "--deals", "10"] if name == "simulate" else ["foster", "handbook", "--deals", "10"]
    result = CliRunner().invoke(app, [name, *rest, "--dask", address])
    assert result.exit_code == 2
    assert f"no Dask scheduler answers at {address} within 0.5 s" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
