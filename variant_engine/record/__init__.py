"""Game records, ``.p66``: read, written, checked, replayed, appended to while a deal is played, and proved fair."""

from __future__ import annotations

from .build import About, deal_record, lines_of, record_of, result_tags, tags_of, tidy, tokens_of
from .lookup import Lookup
from .model import HEADER, DealRecord, Line, Record, RecordError, Tag, Token, write
from .replay import Replayed, Step, check, replay, require
from .syntax import read

__all__ = [
    "HEADER",
    "About",
    "DealRecord",
    "Line",
    "Lookup",
    "Record",
    "RecordError",
    "Replayed",
    "Step",
    "Tag",
    "Token",
    "check",
    "deal_record",
    "lines_of",
    "read",
    "record_of",
    "replay",
    "require",
    "result_tags",
    "tags_of",
    "tidy",
    "tokens_of",
    "write",
]
