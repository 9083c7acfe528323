"""A part of a comparison: so many deals or games under a ruleset and its variants, anywhere and in any order.

As in :mod:`variant_engine.simulate.tasks`, a part depends on nothing but the setting and its numbers, and what it
counts are ints: parts may be played by anybody, again if need be, and added up in any order.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from .. import kernel
from ..encoding import RULES_LENGTH
from ..simulate import sha
from ..simulate.lots import lots_key_of
from ..simulate.tasks import PLAYER_CODES, Part, Sums
from ..state import STATE_LENGTH
from .paired import (
    LINE_LENGTH,
    MAX_RULESETS,
    MAX_UNITS,
    VARIANT_LENGTH,
    VARIANTS,
    WORK_HASH,
    WORK_LENGTH,
    play_paired,
)

MAX_VARIANTS = MAX_RULESETS - 1


@dataclass(frozen=True, slots=True)
class Pairing:
    """All that decides what is played: rulesets as the core reads them, the first and its variants; seed; players.

    ``whole``: the last variant has the changes of all others. ``unit`` is ``WHOLE_DEALS`` or ``WHOLE_GAMES``.
    """

    rulesets: tuple[tuple[int, ...], ...]
    whole: bool
    unit: int
    seed: int
    players: tuple[str, ...]
    compiled: bool

    @property
    def variants(self) -> int:
        """How many variants there are."""
        return len(self.rulesets) - 1

    @property
    def sums_length(self) -> int:
        """How many numbers are counted."""
        return VARIANTS + self.variants * VARIANT_LENGTH


def driver(compiled: bool) -> Callable[..., Any]:
    """:func:`~variant_engine.impact.paired.play_paired`, as it stands or compiled."""
    return kernel.compiled(play_paired) if compiled else play_paired


class _Room(threading.local):
    """What a thread needs to play; made once, since every deal leaves it as it found it."""

    def __init__(self) -> None:
        self.by_kind: dict[bool, tuple[Any, ...]] = {}

    def of(self, compiled: bool) -> tuple[Any, ...]:
        """Scratch space, line, rules, state."""
        if compiled not in self.by_kind:
            new: Any = kernel.zeros if compiled else _zeros
            self.by_kind[compiled] = new(WORK_LENGTH), new(LINE_LENGTH), new(RULES_LENGTH), new(STATE_LENGTH)
        return self.by_kind[compiled]


_room = _Room()
_key = cache(lots_key_of)


def _zeros(length: int) -> list[int]:
    return [0] * length


def play_units(pairing: Pairing, part: Part) -> Sums:
    """Play a part; the part's numbers are those of deals or of games."""
    work, line, rules, state = _room.of(pairing.compiled)
    new: Any = kernel.zeros if pairing.compiled else _zeros
    make: Any = kernel.array if pairing.compiled else list
    sha.prepare(pairing.seed, work, WORK_HASH)
    sums = new(pairing.sums_length)
    driver(pairing.compiled)(
        make([number for ints in pairing.rulesets for number in ints]),
        pairing.variants,
        int(pairing.whole),
        pairing.unit,
        part.first,
        part.count,
        _key(pairing.seed),
        make([PLAYER_CODES[name] for name in pairing.players]),
        work,
        line,
        rules,
        state,
        sums,
    )
    return tuple(sums)


__all__ = ["MAX_UNITS", "MAX_VARIANTS", "Pairing", "driver", "play_units"]
