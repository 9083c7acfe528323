"""Compiling the core from outside. The only file that names numba; everything else runs without it.

The core's functions stay what they are, ordinary Python. Here each is registered, in order of dependence, so that
compiled code that calls it gets a compiled version. The rules and the state are then arrays of 64-bit ints instead of
a tuple and a list; the indices are the same.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

#: The core's modules, those that are called before those that call.
CORE_MODULES = (
    "cards",
    "state",
    "phases",
    "rules.claim",
    "rules.marriage",
    "rules.answer",
    "rules.exchange",
    "rules.closing",
    "rules.ending",
    "rules.dealing",
    "engine",
    "players.uniform",
    "players.greedy",
)

#: How the parameters of core functions are typed when compiled, by the annotation they have.
_ARRAY = "int64[::1]"
_TYPES = {"Rules": _ARRAY, "State": _ARRAY, "Sequence[int]": _ARRAY, "int": "int64", "bool": "boolean"}


def _modules() -> Iterator[ModuleType]:
    for name in CORE_MODULES:
        yield import_module(f"variant_engine.{name}")


def core_functions() -> dict[str, Callable[..., Any]]:
    """Every function of the core that works on ints alone, by its full name, in order of definition."""
    found: dict[str, Callable[..., Any]] = {}
    for module in _modules():
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == module.__name__ and signature_of(function):
                found[f"{module.__name__}.{name}"] = function
    return found


def signature_of(function: Callable[..., Any]) -> tuple[str, ...] | None:
    """The compiled types of a core function's parameters; None for a function that is not for compiling.

    Functions that make text, lists or states for people (``card_name``, ``blank_state``, …) are not.
    """
    annotations = inspect.get_annotations(function)
    returned = annotations.pop("return", "")
    if returned not in ("int", "bool", "None", "tuple[int, int, int]") or not annotations:
        return None
    types = tuple(_TYPES.get(annotation, "") for annotation in annotations.values())
    return types if all(types) else None


def register() -> dict[str, Callable[..., Any]]:
    """Make the whole core callable from compiled code, and return its functions.

    Raises :class:`ImportError` when numba is not installed.
    """
    from numba.extending import register_jitable

    functions = core_functions()
    for function in functions.values():
        register_jitable(function)
    return functions


def compile_function(function: Callable[..., Any]) -> Any:
    """The compiled version of one core function, or numba's complaint about it."""
    import numba

    types = signature_of(function)
    assert types is not None, f"{function.__name__} is not for compiling"
    dispatcher = numba.njit(function)
    dispatcher.compile(tuple(_numba_type(name) for name in types))
    return dispatcher


def _numba_type(name: str) -> Any:
    import numba

    if name == _ARRAY:
        return numba.int64[::1]
    return getattr(numba, name)
