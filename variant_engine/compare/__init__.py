"""Comparing what several rulesets say."""

from __future__ import annotations

from .matrix import DIFFERENCES, Column, Matrix, Row, compare

__all__ = ["DIFFERENCES", "Column", "Matrix", "Row", "compare"]
