"""Which options can make a difference beside the values of others.

What only a calculation shows to be without consequence is in :mod:`.idle`.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import BY_NAME, Condition, Requirement

Values = Mapping[str, str | int]


def moot_by(values: Values, name: str) -> tuple[str, ...]:
    """The options because of whose values the option ``name`` can make no difference; none where it can.

    ``values`` holds a value for every option. A condition is met only by an option that can make a difference itself:
    what happens when both have reached the target needs claims, and so does all that follows from it.
    """
    return _moot_by(values, name, name)


def _moot_by(values: Values, name: str, asked: str) -> tuple[str, ...]:
    """As :func:`moot_by`, on the way to ``asked``: its own value is never the reason why it makes no difference."""
    for need in BY_NAME[name].needs:
        barring: dict[str, None] = {}
        for requirement in need:
            because = _unmet_by(values, requirement, asked)
            if not because:
                break
            barring |= dict.fromkeys(because)
        else:
            return tuple(barring)
    return ()


def _unmet_by(values: Values, requirement: Requirement, asked: str) -> tuple[str, ...]:
    """The options because of whose values a requirement is not met; none where it is."""
    option = requirement.option
    if isinstance(requirement, Condition):
        because = _moot_by(values, option, asked)
        return because or (() if values[option] in requirement.values else (option,))
    pair = (option, requirement.other)
    # Another answer to the option that is asked about would differ, and so make a difference.
    return () if asked in pair or values[option] != values[requirement.other] else pair


def meaningful(values: Values, name: str) -> bool:
    """Whether an answer to the option ``name`` can make a difference under these values."""
    return not moot_by(values, name)
