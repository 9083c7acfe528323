"""What all tests share: the profile of the property tests, and when the slow ones and those in a browser run."""

from __future__ import annotations

import signal
import threading

import pytest
from hypothesis import HealthCheck, settings

# Derandomized, so that a run on one machine means the same as on another; without a deadline, since the machine that
# runs it may be busy.
settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
settings.load_profile("ci")

# Started in the background by a shell, Python ignores Ctrl-C, and so would every program that the tests interrupt.
if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only CI runs unless the command line asks for a marker (``-m slow``, ``-m editor``)."""
    if config.option.markexpr or any("::" in argument for argument in config.args):
        return
    only_ci = ("slow", "browser", "editor", "cluster")
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in only_ci)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
