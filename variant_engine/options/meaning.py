"""Which options can make a difference beside the values of others."""

from __future__ import annotations

from collections.abc import Mapping

from . import BY_NAME


def moot_by(values: Mapping[str, str | int], name: str) -> tuple[str, ...]:
    """The options because of whose values the option ``name`` can make no difference; none where it can.

    ``values`` holds a value for every option. A condition is met only by an option that can make a difference itself:
    what happens when both have reached the target needs claims, and so does all that follows from it.
    """
    for need in BY_NAME[name].needs:
        barring: dict[str, None] = {}
        for condition in need:
            because = moot_by(values, condition.option)
            if not because and values[condition.option] in condition.values:
                break
            because = because or (condition.option,)
            barring |= dict.fromkeys(because)
        else:
            return tuple(barring)
    return ()


def meaningful(values: Mapping[str, str | int], name: str) -> bool:
    """Whether an answer to the option ``name`` can make a difference under these values."""
    return not moot_by(values, name)
