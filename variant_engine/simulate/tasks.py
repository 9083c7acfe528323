"""Playing a part of a simulation: so many deals from a number on, anywhere and in any order.

A part depends on nothing but the setting and the numbers of its deals, and what it counts are ints. So parts may be cut
as one likes, played by whichever worker is free, played again if a worker is lost, and added up in any order: the sums
are the same to the last digit.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from .. import kernel
from ..cards import pack_order
from ..options.deal import PACK_CARDS
from ..shuffle import VERSION, deal_label, shuffled
from ..state import STATE_LENGTH
from . import sha
from .counter import GENERATOR, MAX_DEALS, key_of
from .playout import (
    BY_COUNTER,
    BY_LABEL,
    GIVEN,
    GREEDY,
    MAX_MOVES,
    NO_ROWS,
    RANDOM,
    ROW_LENGTH,
    ROWS_AND_MOVES,
    SUMS_LENGTH,
    WORK_LABEL,
    WORK_LENGTH,
    play_deals,
)

#: The players that can be simulated, by name.
PLAYER_CODES = {"random": RANDOM, "greedy": GREEDY}
#: The shuffles, by name: the program's own, under which a deal is the one that ``deal`` deals, or a fast one.
SHUFFLES = {"exact": BY_LABEL, "fast": BY_COUNTER}
#: What output calls the source of the packs.
SHUFFLE_NAMES = {"exact": VERSION, "fast": GENERATOR}

#: Counts over some deals, by the indices of :mod:`variant_engine.simulate.playout`.
Sums = tuple[int, ...]
NO_SUMS: Sums = (0,) * SUMS_LENGTH


class SimulationError(ValueError):
    """A simulation that cannot be run as asked. The message is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Setting:
    """All that decides how deals are played: the rules as the core reads them, the seed, the shuffle, the players.

    ``compiled`` decides only how fast, and ``detail`` only how much is written down.
    """

    rules: tuple[int, ...]
    seed: int
    shuffle: str
    players: tuple[str, ...]
    compiled: bool
    detail: int = NO_ROWS


@dataclass(frozen=True, slots=True)
class Part:
    """Some deals of a simulation: from number ``first`` on, ``count`` of them."""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a part. ``rows`` and ``log`` are as ``play_deals`` fills them."""

    part: Part
    sums: Sums
    moves: int
    rows: Any = ()
    log: Any = ()


def added(one: Sums, other: Iterable[int]) -> Sums:
    """The counts over both sets of deals."""
    return tuple(mine + more for mine, more in zip(one, other, strict=True))


def parts_of(deals: int, size: int, first: int = 0) -> Iterable[Part]:
    """The parts of a simulation, ``size`` deals each but for the last."""
    for start in range(first, deals, size):
        yield Part(start, min(size, deals - start))


class _Buffers(threading.local):
    """What a thread needs to play; made once, since every deal leaves them as it found them."""

    def __init__(self) -> None:
        self.by_kind: dict[bool, tuple[Any, Any]] = {}

    def of(self, compiled: bool) -> tuple[Any, Any]:
        """The scratch space and the state."""
        if compiled not in self.by_kind:
            new = kernel.zeros if compiled else _zeros
            self.by_kind[compiled] = new(WORK_LENGTH), new(STATE_LENGTH)
        return self.by_kind[compiled]


_buffers = _Buffers()


def _zeros(length: int) -> list[int]:
    return [0] * length


_key = cache(key_of)


def driver(compiled: bool) -> Callable[..., Any]:
    """:func:`~variant_engine.simulate.playout.play_deals`, as it stands or compiled."""
    return kernel.compiled(play_deals) if compiled else play_deals


def play_part(setting: Setting, part: Part) -> Played:
    """Play a part."""
    work, state = _buffers.of(setting.compiled)
    new: Any = kernel.zeros if setting.compiled else _zeros
    make: Any = kernel.array if setting.compiled else list
    shuffle = SHUFFLES[setting.shuffle]
    packs: list[int] = []
    if shuffle == BY_LABEL:
        # In plain Python the standard library's SHA-256 is faster than ours; and ours takes labels of one block only.
        if setting.compiled and sha.fits(setting.seed, part.first + part.count):
            sha.prepare(setting.seed, work, WORK_LABEL)
        else:
            shuffle = GIVEN
            order = pack_order(setting.rules[PACK_CARDS])
            for number in range(part.first, part.first + part.count):
                packs += shuffled(order, deal_label(setting.seed, number))
    sums = new(SUMS_LENGTH)
    rows = new(ROW_LENGTH * part.count if setting.detail != NO_ROWS else 0)
    log = new(MAX_MOVES * part.count if setting.detail == ROWS_AND_MOVES else 0)
    moves = driver(setting.compiled)(
        make(setting.rules),
        part.first,
        part.count,
        _key(setting.seed),
        shuffle,
        make([PLAYER_CODES[name] for name in setting.players]),
        make(packs),
        work,
        state,
        sums,
        setting.detail,
        rows,
        log,
    )
    return Played(part, tuple(sums), moves, rows, log)


__all__ = ["MAX_DEALS", "Part", "Played", "Setting", "SimulationError", "Sums", "added", "parts_of", "play_part"]
