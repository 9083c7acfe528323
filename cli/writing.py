"""Writing files: whole or not at all, and never over another by accident."""

from __future__ import annotations

import os
from tempfile import NamedTemporaryFile


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file whole or not at all: beside it first, then in its place. Raises :class:`OSError`."""
    folder = os.path.dirname(os.path.abspath(path))
    with NamedTemporaryFile("wb", dir=folder, delete=False) as file:
        try:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
            os.chmod(file.name, 0o666 & ~_umask())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
