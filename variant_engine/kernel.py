"""Compiling the core from outside. The only file that names numba; everything else runs without it.

The core's functions stay what they are, ordinary Python. Here each is registered, in order of dependence, so that
compiled code that calls it gets a compiled version. The rules and the state are then plain pointers to 64-bit ints
instead of a tuple and a list; the indices are the same. (Arrays would do, but numba counts references to them on every
call, which halves the speed; so would not inlining everything, which halves it again.)

The machine code is kept on disk, in a folder named after a hash of the core's sources, because numba by itself does not
notice a change in a function that the compiled one calls. ``SIXTYSIX_CACHE`` names another place for these folders.
A folder that is damaged is thrown away; one that cannot be used is done without.
"""

from __future__ import annotations

import ctypes
import hashlib
import inspect
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

#: The core's modules, those that are called before those that call.
CORE_MODULES = (
    "cards",
    "state",
    "phases",
    "rules.admission",
    "rules.claim",
    "rules.marriage",
    "rules.answer",
    "rules.exchange",
    "rules.closing",
    "rules.ending",
    "rules.dealing",
    "rules.game",
    "engine",
    "differing",
    "players.uniform",
    "players.greedy",
    "simulate.counter",
    "simulate.sha",
    "simulate.lots",
    "simulate.playout",
    "impact.paired",
)

_POINTER = "pointer"
#: How the parameters of core functions are typed when compiled, by the annotation they have.
_TYPES = {"Rules": _POINTER, "State": _POINTER, "Sequence[int]": _POINTER, "int": "int64", "bool": "boolean"}
#: Functions of a core module that are for people's input, not for compiling, though their types would do.
_PLAIN_ONLY = {"key_of", "lots_key_of", "fits", "prepare"}

#: Divide as C does, since nothing here divides by zero, and lay one function into the other.
_OPTIONS: Any = {"error_model": "numpy", "forceinline": True}


#: What is said, once, when compiled code is not to be had.
PLAIN_NOTICE = "numba is not installed, so deals are played in plain Python, slowly: pip install 'sixtysix[fast]'"


#: What the machine code of a program takes on disk, and some to spare.
_CACHE_BYTES = 8 << 20


class NotKept(UserWarning):
    """Compiled code that could not be put into the cache."""


def _modules() -> Iterator[ModuleType]:
    for name in CORE_MODULES:
        yield import_module(f"variant_engine.{name}")


def core_functions() -> dict[str, Callable[..., Any]]:
    """Every function of the core that works on ints alone, by its full name, in order of definition."""
    found: dict[str, Callable[..., Any]] = {}
    for module in _modules():
        for name, function in vars(module).items():
            if (
                inspect.isfunction(function)
                and function.__module__ == module.__name__
                and name not in _PLAIN_ONLY
                and signature_of(function)
            ):
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


def available() -> bool:
    """Whether numba is installed. It is not loaded to find out."""
    return find_spec("numba") is not None


@cache
def register() -> dict[str, Callable[..., Any]]:
    """Make the whole core callable from compiled code, and return its functions.

    Raises :class:`ImportError` when numba is not installed.
    """
    from numba.extending import overload, register_jitable

    from .cards import lowest_of, number_of

    functions = core_functions()
    # The two that need a method of ints. LLVM knows the loop for the machine's own instruction.
    overload(number_of, jit_options=_OPTIONS)(_number_of)
    overload(lowest_of, jit_options=_OPTIONS)(_lowest_of)
    for function in functions.values():
        if function not in (number_of, lowest_of):
            register_jitable(**_OPTIONS)(function)
    return functions


def _number_of(mask: int) -> Any:
    return _count_bits


def _lowest_of(mask: int) -> Any:
    return _count_below


def _count_bits(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def _count_below(mask: int) -> int:
    mask = (mask & -mask) - 1
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def compile_function(function: Callable[..., Any]) -> Any:
    """The compiled version of one core function for the use of compiled code, or numba's complaint about it."""
    import numba

    types = signature_of(function)
    assert types is not None, f"{function.__name__} is not for compiling"
    register()
    dispatcher = numba.njit(error_model="numpy")(function)
    dispatcher.compile(tuple(_numba_type(name) for name in types))
    return dispatcher


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled version of a core function, from the cache on disk if it is there.

    It takes its ints as they are and its lists as :func:`array` makes them. While it runs, other threads may.
    """
    import numba

    types = signature_of(function)
    assert types is not None, f"{function.__name__} is not for compiling"
    register()
    returned = inspect.get_annotations(function)["return"]
    result = {"None": numba.void, "bool": numba.boolean}.get(returned, numba.int64)
    parameters = [_numba_type(name) for name in types]
    callback = _kept(result(*parameters), function)
    native = callback.ctypes
    native.argtypes = [ctypes.c_void_p if name == _POINTER else ctypes.c_int64 for name in types]

    def call(*arguments: Any) -> Any:
        return native(*arguments)

    # The machine code lives as long as numba's own object does.
    call.callback = callback  # type: ignore[attr-defined]
    return call


def _kept(signature: Any, function: Callable[..., Any]) -> Any:
    """A function's machine code from the cache, or new and put there; where that cannot be, just new.

    numba trusts what it finds there, and gives up when it cannot write.
    """
    from numba.core.errors import NumbaError

    folder = cache_folder()
    for attempt in range(2):
        if not _usable(folder):
            break
        try:
            return _made(signature, function, folder)
        except NumbaError:
            raise
        except OSError as error:
            _say_not_kept(f"{folder}: {error.strerror or error}")
            break
        except Exception:
            # Whatever a damaged file makes of unpickling. All goes, and is made anew; but not for ever.
            if attempt:
                break
            shutil.rmtree(folder, ignore_errors=True)
    return _made(signature, function, None)


def _made(signature: Any, function: Callable[..., Any], folder: Path | None) -> Any:
    import numba

    # Left to itself, numba would take another folder, one that does not go by the sources.
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = before if folder is None else str(folder)
    try:
        return numba.cfunc(signature, cache=folder is not None, error_model="numpy")(function)
    finally:
        config.CACHE_DIR = before


@cache
def _say_not_kept(why: str) -> None:
    """Say, once, that the next run will have to compile again."""
    warnings.warn(f"compiled code cannot be kept in {why}", NotKept, stacklevel=2)


def _usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Asked beforehand, since numba would write only after it has compiled, which takes its time.
        if shutil.disk_usage(folder).free < _CACHE_BYTES:
            _say_not_kept(f"{folder}: no space is left there")
            return False
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def array(numbers: Sequence[int]) -> Any:
    """Numbers as compiled functions take them; read and written by index, like a list."""
    return (ctypes.c_int64 * max(1, len(numbers)))(*numbers)


def zeros(length: int) -> Any:
    """An array of zeros."""
    return (ctypes.c_int64 * max(1, length))()


def _numba_type(name: str) -> Any:
    import numba

    if name == _POINTER:
        types: Any = numba.types
        return types.CPointer(numba.int64)
    return getattr(numba, name)


def core_digest(start: str = "") -> Any:
    """A running SHA-256 over all sources that bear on play in bulk."""
    digest = hashlib.sha256(start.encode())
    package = Path(__file__).parent
    options = [f"options.{path.stem}" for path in (package / "options").glob("*.py")]
    names = ["kernel", "encoding", "narrowing", "reasons", "shuffle", *options, *CORE_MODULES]
    for name in sorted(names):
        path = package.joinpath(*name.split(".")).with_suffix(".py")
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest


def source_hash() -> str:
    """A hash of all sources that bear on the machine code, and of the versions of what makes it."""
    import numba

    return str(core_digest(f"{sys.version} numba {numba.__version__}").hexdigest()[:16])


def cache_folder() -> Path:
    """Where the machine code of these sources is kept."""
    chosen = os.environ.get("SIXTYSIX_CACHE")
    if chosen:
        base = Path(chosen)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "sixtysix" / "cache"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches" / "sixtysix"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "sixtysix"
    return base / "compiled" / source_hash()
