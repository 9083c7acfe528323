"""What all tests share: the profile of the property tests, and when the slow ones run."""

from __future__ import annotations

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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the slow tests out unless the command line asks for a marker (``-m slow``, ``-m "slow or not slow"``)."""
    if config.option.markexpr or any("::" in argument for argument in config.args):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
