"""Simulation: many deals between two players, and what comes of them.

>>> import variant_engine as ve
>>> from variant_engine.simulate import simulate
>>> found = simulate(ve.load("foster"), deals=1000, seed=7)
>>> found.deals
1000
"""

from __future__ import annotations

from .result import Estimate, SeatResult, Simulation
from .run import ClusterError, FolderError, PlainPython, SimulationError, simulate
from .shards import reopen

__all__ = [
    "ClusterError",
    "Estimate",
    "FolderError",
    "PlainPython",
    "SeatResult",
    "Simulation",
    "SimulationError",
    "reopen",
    "simulate",
]
