"""Mutation testing of the core: does a test fail for every small change that :mod:`tests.mutants` can make to it?

``python -m tests.mutate`` runs everything, ``--module rules.ending`` one module. What survives must be killed by a new
test or explained, one by one, in ``mutants_explained.toml`` beside this file; an unexplained survivor is exit code 1.

The tests run in a copy of the project. A worker imports and collects them once; for each mutant it forks, gives one
function its changed code, and runs the tests until the first that fails, those first that killed a mutant of the same
function before. What a module does when it is imported takes a fork that imports the package afresh.
"""

from __future__ import annotations

import argparse
import gc
import importlib.abc
import importlib.util
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.machinery import ModuleSpec
from pathlib import Path
from time import perf_counter, process_time
from types import CodeType, FrameType, ModuleType
from typing import Any

import hypothesis
import pytest

from tests.mutants import ENCODING, MODULES, PACKAGE, Mutant, all_mutants

ROOT = Path(__file__).resolve().parents[1]
EXPLAINED = Path(__file__).with_name("mutants_explained.toml")
#: What a copy of the project needs for its tests.
COPIED = ("variant_engine", "cli", "rulesets", "schemas", "tests", "pyproject.toml")
#: The tests, those first that are quick for what they find. Of the last only what finds much in little time.
KILLERS = (
    "test_engine_rules.py",
    "test_narrowing.py",
    "test_mutants.py",
    "test_invariants.py",
    "test_game.py",
    "test_shared_cases.py",
    "test_machine.py",
)
MACHINE = ("test_the_taken_turn_up", "test_bots_see", "test_a_view_keeps", "test_whole_deals[0]", "test_table")
#: Examples of a property test: a mutant that only the hundredth finds is better killed by a test of its own.
EXAMPLES = 15
#: Seconds of processor time that one test may take, beyond five times what it takes without a mutant.
PATIENCE = 2.0

# Exit codes of a fork that ran the tests.
_SURVIVED, _KILLED, _ENDLESS = 0, 10, 11


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: killed (and by which test, or by running on for ever), survived, or explained."""

    home: str
    module: str
    line: int
    change: str
    outcome: str
    by: str = ""


@dataclass
class Tally:
    """The figures of one module."""

    mutants: int = 0
    killed: int = 0
    explained: int = 0
    survived: int = 0


@dataclass
class Report:
    """Everything a run found."""

    modules: dict[str, Tally] = field(default_factory=dict)
    survivors: list[Verdict] = field(default_factory=list)
    #: Explanations that explain nothing: of no mutant there is, or of one that a test kills.
    idle: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, verdict: Verdict) -> None:
        """Count a verdict."""
        tally = self.modules.setdefault(verdict.module, Tally())
        tally.mutants += 1
        setattr(tally, verdict.outcome, getattr(tally, verdict.outcome) + 1)
        if verdict.outcome == "survived":
            self.survivors.append(verdict)

    @property
    def fine(self) -> bool:
        """Whether nothing is left to do."""
        return not self.survivors and not self.idle


# ---- what a worker does -------------------------------------------------------------------------------------------


class Killer:
    """A pytest plugin: settings for speed, and an exit at the first failure that tells which test it was."""

    def __init__(self, quick: bool) -> None:
        self.quick = quick
        self.told = -1

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the long tests; and property tests need not shrink what they find."""
        items[:] = [
            item for item in items
            if "test_machine.py" not in item.nodeid or (not self.quick and item.name.startswith(MACHINE))
        ]  # fmt: skip
        for item in items:
            test = getattr(item, "obj", None)
            given = getattr(test, "_hypothesis_internal_use_settings", None)
            if isinstance(given, hypothesis.settings):
                vars(test)["_hypothesis_internal_use_settings"] = _hurried(given)
        machine = sys.modules.get("tests.test_machine")
        if machine is not None:
            vars(machine)["settings"] = lambda **values: _hurried(hypothesis.settings(**values))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave at the first failure."""
        if report.failed and self.told >= 0:
            os.write(self.told, report.nodeid.encode())
            os._exit(_KILLED)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """What cannot even be collected has failed."""
        if report.failed and self.told >= 0:
            os.write(self.told, report.nodeid.encode())
            os._exit(_KILLED)


def _hurried(given: hypothesis.settings) -> hypothesis.settings:
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    return hypothesis.settings(given, max_examples=min(given.max_examples, EXAMPLES), phases=phases)


def _give_up(seconds: float) -> None:
    """Leave after so many seconds of processor time; waiting for another process is no endless loop."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


def _in_fork(run: Any, told: int) -> None:
    """Run in a fork, silently, and leave with one of the exit codes above whatever happens."""
    signal.signal(signal.SIGVTALRM, lambda number, frame: os._exit(_ENDLESS))
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    try:
        os._exit(run())
    except BaseException as error:
        os.write(told, repr(error).encode()[:200])
        os._exit(_KILLED)


def _outcome(run: Any, killer: Killer) -> tuple[str, str]:
    """Run in a fork and wait: the outcome and by what."""
    heard, told = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(heard)
        killer.told = told
        _in_fork(run, told)
    os.close(told)
    with os.fdopen(heard, "rb") as pipe:
        by = pipe.read().decode(errors="replace")
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == _SURVIVED:
        return "survived", ""
    return "killed", "time" if code == _ENDLESS else by or f"exit {code}"


class Warm:
    """A worker whose tests have been imported and collected: a fork of it only has to change one function."""

    def __init__(self, killer: Killer) -> None:
        self.killer = killer
        self.items: list[pytest.Item] = []
        self.durations: dict[str, float] = {}
        #: What each test calls of the modules that are mutated, by file and name.
        self.calls: dict[str, set[tuple[str, str]]] = {}
        self.rulesets: list[object] = []
        #: The tests that killed before, the latest first, by function and by module.
        self.recent: dict[str, list[str]] = {}

    def run(self, mutant: Mutant) -> tuple[str, str]:
        """The outcome for a mutant."""

        def run() -> int:
            mutant.put_in_place()
            if mutant.module in ENCODING:
                for ruleset in self.rulesets:
                    vars(ruleset).pop("ints", None)
            return self._run_items(self._order(mutant))

        outcome, by = _outcome(run, self.killer)
        for key in (mutant.home, mutant.module):
            if outcome == "killed" and "::" in by:
                recent = self.recent.setdefault(key, [])
                if by in recent:
                    recent.remove(by)
                recent.insert(0, by)
        return outcome, by

    def _order(self, mutant: Mutant) -> list[pytest.Item]:
        """The tests that call the function, those that are likely to kill before those that are quick."""
        function = str(mutant.source.path), mutant.function
        items = {
            item.nodeid: item
            for item in sorted(self.items, key=lambda item: self.durations[item.nodeid])
            if mutant.module in ENCODING or function in self.calls[item.nodeid]
        }
        first = dict.fromkeys((*self.recent.get(mutant.home, ())[:12], *self.recent.get(mutant.module, ())[:6]))
        return [items.pop(name) for name in first if name in items] + list(items.values())

    def _run_items(self, items: Sequence[pytest.Item]) -> int:
        for item in items:
            _give_up(PATIENCE + 5 * self.durations[item.nodeid])
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return _SURVIVED

    def warm_up(self) -> str:
        """Take the time of every test without a mutant; which test fails then, if any."""
        self.killer.told = -1
        failed: list[str] = []

        class Watch:
            def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
                if report.failed:
                    failed.append(report.nodeid)

        config = self.items[0].config
        # What is cached by a first run (files read, rulesets loaded) is there for every fork.
        files = {str(mutant.source.path) for mutant in _MUTANTS}
        called: set[tuple[str, str]] = set()

        def note(frame: FrameType, event: str, argument: object) -> None:
            if event == "call" and frame.f_code.co_filename in files:
                called.add((frame.f_code.co_filename, frame.f_code.co_qualname))

        config.pluginmanager.register(Watch(), "watch")
        for item in self.items:
            called.clear()
            start = process_time()
            sys.setprofile(note)
            config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            sys.setprofile(None)
            self.durations[item.nodeid] = process_time() - start
            self.calls[item.nodeid] = set(called)
        config.pluginmanager.unregister(name="watch")
        kept = sys.modules[f"{PACKAGE}.ruleset"].Ruleset
        self.rulesets = [each for each in gc.get_objects() if isinstance(each, kept)]
        gc.freeze()
        return failed[0] if failed else ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running the tests, serve."""
        self.items = session.items
        _serve(self, self.warm_up())
        return True


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from changed code."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = f"{PACKAGE}.{mutant.module}"
        self.file = str(mutant.source.path)
        self.code: CodeType = mutant.code()

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Only this module."""
        return importlib.util.spec_from_file_location(name, self.file, loader=self) if name == self.name else None

    def create_module(self, spec: ModuleSpec) -> None:
        """As usual."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed code."""
        exec(self.code, vars(module))


class Fresh:
    """A worker that has only imported what lies outside the project: a fork of it imports that and runs the tests."""

    def __init__(self, killer: Killer, files: Sequence[str]) -> None:
        self.killer = killer
        self.files = files
        self.patience = 60.0

    def run(self, mutant: Mutant | None) -> tuple[str, str]:
        """The outcome for a mutant, or for none."""

        def run() -> int:
            if mutant is not None:
                sys.meta_path.insert(0, Changed(mutant))
            _give_up(self.patience)
            # Most mutants fall to the first two files; collecting the others takes longer than running them.
            for files in (self.files[:2], self.files[2:]):
                if pytest.main(_arguments(files), [self.killer]) != 0:
                    return _KILLED
            return _SURVIVED

        return _outcome(run, self.killer)

    def warm_up(self) -> str:
        """Take the time without a mutant; which test fails then, if any."""
        outcome, by = self.run(None)
        children = os.times()
        self.patience = 20.0 + 4 * children.children_user
        return "" if outcome == "survived" else by


def _arguments(files: Sequence[str]) -> list[str]:
    # This file has imported Hypothesis before pytest could rewrite its assertions, which nobody needs here.
    calm = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
    return ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *calm, *files]


_ASKED, _ANSWERED = 3, 4


def _serve(worker: Warm | Fresh, failure: str) -> None:
    """Answer one line (the number of a mutant) with one line (its outcome) until there are no more."""
    mutants = _MUTANTS
    with os.fdopen(os.dup(_ASKED)) as asked, os.fdopen(os.dup(_ANSWERED), "w") as answered:
        print(json.dumps(failure), file=answered, flush=True)
        for line in asked:
            print(json.dumps(worker.run(mutants[int(line)])), file=answered, flush=True)


_MUTANTS: list[Mutant] = []


def work(kind: str, quick: bool) -> None:
    """Be a worker: get ready, then serve."""
    _MUTANTS[:] = all_mutants(Path.cwd())
    files = [f"tests/{name}" for name in KILLERS if Path("tests", name).exists()]
    killer = Killer(quick)
    if kind == "warm":
        warm = Warm(killer)
        pytest.main(_arguments(files), [killer, warm])
        return
    # The mutants had to know the package; the forks must not.
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]
    for name in ("hypothesis.stateful", "hypothesis.strategies", "yaml", "jsonschema"):
        importlib.import_module(name)
    fresh = Fresh(killer, files)
    _serve(fresh, fresh.warm_up())


# ---- what the main process does -----------------------------------------------------------------------------------


class Worker:
    """A worker process, seen from outside."""

    def __init__(self, folder: Path, kind: str, quick: bool) -> None:
        asked_here, asked = os.pipe()
        answered, answered_there = os.pipe()
        os.set_inheritable(asked_here, True)

        def wire() -> None:
            # The two pipes get their places by way of high numbers, lest one overwrite the other.
            high = [os.dup2(asked_here, 100), os.dup2(answered_there, 101)]
            os.dup2(high[0], _ASKED)
            os.dup2(high[1], _ANSWERED)

        command = [sys.executable, "-m", "tests.mutate", "--work", kind, *(["--quick"] if quick else [])]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.DEVNULL, preexec_fn=wire, pass_fds=(_ASKED, _ANSWERED),
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONHASHSEED": "0"},
        )  # fmt: skip
        os.close(asked_here)
        os.close(answered_there)
        self.asked = os.fdopen(asked, "w")
        self.answered = os.fdopen(answered)

    def ask(self, number: int) -> None:
        """Give it the number of a mutant."""
        print(number, file=self.asked, flush=True)

    def hear(self) -> Any:
        """Its next answer."""
        line = self.answered.readline()
        if not line:
            raise RuntimeError(f"a worker has gone (exit code {self.process.wait()})")
        return json.loads(line)

    def dismiss(self) -> None:
        """No more mutants."""
        self.asked.close()
        self.process.wait()
        self.answered.close()


def _outcomes(workers: Sequence[Worker], numbers: Sequence[int]) -> Iterator[tuple[int, str, str]]:
    """Numbers of mutants with their outcomes, as the workers answer."""
    waiting = list(reversed(numbers))
    busy: dict[int, int] = {}
    with selectors.DefaultSelector() as selector:
        for at, worker in enumerate(workers):
            selector.register(worker.answered, selectors.EVENT_READ, at)
        for at in range(len(workers)):
            if waiting:
                busy[at] = waiting.pop()
                workers[at].ask(busy[at])
        while busy:
            for key, _ in selector.select():
                at = key.data
                outcome, by = workers[at].hear()
                done = busy.pop(at)
                if waiting:
                    busy[at] = waiting.pop()
                    workers[at].ask(busy[at])
                yield done, outcome, by


def copy_project(folder: Path) -> None:
    """Copy what the tests need."""
    for name in COPIED:
        there = ROOT / name
        if there.is_dir():
            shutil.copytree(there, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(there, folder / name)


def explanations() -> dict[tuple[str, str], str]:
    """Why the mutants that are explained make no difference, by home and change."""
    if not EXPLAINED.exists():
        return {}
    table = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    return {(each["in"], each["change"]): each["why"] for each in table.get("mutant", [])}


def mutate(
    modules: Sequence[str] = MODULES,
    *,
    jobs: int = 1,
    quick: bool = False,
    try_explained: bool = False,
    only: set[tuple[str, str]] | None = None,
) -> Report:
    """Run the tests against every mutant of some modules.

    ``only``: just these, by home and change. ``try_explained``: the explained ones too, which then must survive.
    """
    start = perf_counter()
    report = Report()
    explained = explanations()
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        copy_project(folder)
        mutants = all_mutants(folder)
        for kind in ("warm", "fresh"):
            numbers = []
            for number, mutant in enumerate(mutants):
                if mutant.fresh != (kind == "fresh") or mutant.module not in modules:
                    continue
                if only is not None and mutant.key not in only:
                    continue
                if mutant.key in explained and not try_explained:
                    report.add(_verdict(mutant, "explained", explained[mutant.key]))
                else:
                    numbers.append(number)
            workers = [Worker(folder, kind, quick) for _ in range(min(jobs, len(numbers)))]
            failures = [worker.hear() for worker in workers]
            if any(failures):
                raise RuntimeError(f"without any mutant a test fails: {failures[0]}")
            for number, outcome, by in _outcomes(workers, numbers):
                mutant = mutants[number]
                if mutant.key in explained:
                    if outcome == "killed":
                        report.idle.append(f"{mutant.home}: {mutant.change}: killed by {by}")
                    else:
                        outcome, by = "explained", explained[mutant.key]
                report.add(_verdict(mutant, outcome, by))
                _progress(report, len(numbers), f"{mutant.home}: {mutant.change}" if outcome == "survived" else "")
            for worker in workers:
                worker.dismiss()
        known = {mutant.key for mutant in mutants}
        report.idle += [f"{': '.join(key)}: no such mutant" for key in explained if key not in known]
    report.seconds = perf_counter() - start
    return report


def _verdict(mutant: Mutant, outcome: str, by: str) -> Verdict:
    return Verdict(mutant.home, mutant.module, mutant.line, mutant.change, outcome, by)


def _progress(report: Report, number: int, survivor: str) -> None:
    if survivor:
        print(f"survived: {survivor}", file=sys.stderr, flush=True)
    elif sys.stderr.isatty():
        tried = sum(tally.mutants for tally in report.modules.values())
        print(f"\r{tried} tried, of {number} in this round ", end="", file=sys.stderr, flush=True)


def _print(report: Report) -> None:
    print(f"{'module':18}{'mutants':>9}{'killed':>9}{'explained':>11}{'survived':>10}")
    total = Tally()
    for module in (*(module for module in MODULES if module in report.modules), "all"):
        tally = report.modules.get(module, total)
        print(f"{module:18}{tally.mutants:9}{tally.killed:9}{tally.explained:11}{tally.survived:10}")
        for name, value in asdict(tally).items():
            setattr(total, name, getattr(total, name) + value)
    for verdict in report.survivors:
        print(f"survived: {verdict.home} (line {verdict.line}): {verdict.change}")
    for line in report.idle:
        print(f"explains nothing: {line}")
    print(f"{report.seconds:.0f} s")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=str(__doc__).partition("\n")[0])
    parser.add_argument("--module", action="append", choices=MODULES, help="only this module; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, help="how many workers")
    parser.add_argument("--json", action="store_true", help="the report as JSON")
    parser.add_argument("--quick", action="store_true", help="without the tests of the state machine")
    parser.add_argument("--explained", action="store_true", help="try the explained mutants too: they must survive")
    parser.add_argument("--again", type=Path, metavar="FILE", help="only the survivors in an earlier report (JSON)")
    parser.add_argument("--work", choices=("warm", "fresh"), help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.work:
        work(asked.work, asked.quick)
        return 0
    only = None
    if asked.again:
        earlier = json.loads(asked.again.read_text(encoding="utf-8"))
        only = {(each["home"], each["change"]) for each in earlier["survivors"]}
    report = mutate(
        asked.module or MODULES, jobs=asked.jobs, quick=asked.quick, try_explained=asked.explained, only=only
    )
    if asked.json:
        print(json.dumps(asdict(report), indent=1, ensure_ascii=False))
    else:
        _print(report)
    return 0 if report.fine else 1


if __name__ == "__main__":
    sys.exit(main())
