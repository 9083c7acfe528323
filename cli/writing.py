"""Writing files: whole or not at all, and never over another by accident."""

from __future__ import annotations

import os
from pathlib import Path

from variant_engine.replacing import replace_file


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file whole or not at all, for those who may read new files. Raises :class:`OSError`."""
    whole = content.encode() if isinstance(content, str) else content
    replace_file(Path(path), whole, 0o666 & ~_umask())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
