"""A row of a table of deals, found by its number in the folder that a simulation wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .run import FolderError
from .shards import MANIFEST, shard_name


def row_of(folder: Path, number: int) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """What a folder says of its simulation, and the row of deal ``number``.

    Raises :class:`FolderError` for a folder that is none of a simulation, and for a deal that is not there.
    """
    if find_spec("pyarrow") is None:
        raise FolderError("reading a table of deals needs pyarrow: pip install 'sixtysix[parquet]'")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        size = int(manifest["shard_deals"])
        shard = folder / shard_name(number // size * size)
    except (OSError, ValueError, KeyError, TypeError, ArithmeticError):
        raise FolderError(f"{folder} holds no simulation ({MANIFEST} is missing or cannot be read)") from None
    try:
        rows = pq.read_table(shard, filters=[("number", "=", number)]).to_pylist() if shard.exists() else []
    except (OSError, ValueError, TypeError, pa.ArrowException):
        raise FolderError(f"{shard} is no whole shard") from None
    if len(rows) != 1:
        raise FolderError(f"{folder} holds no deal number {number}")
    return manifest, rows[0]


__all__ = ["row_of"]
