"""A witness as records: the deal as far as each ruleset allows it, one ``.p66`` for each side."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from ..record import About, deal_record, record_of, write
from .witness import Witness


def witness_records(witness: Witness) -> tuple[str, str]:
    """The text of each side's record. The side that allows the move at which they part has it, the other stops there.

    Raises :class:`ValueError` for a witness without a deal.
    """
    if witness.kind == "pack":
        raise ValueError("the rulesets are played with different cards: there is no deal to record")
    one, two = (_text(witness, side) for side in (0, 1))
    return one, two


def _text(witness: Witness, side: int) -> str:
    moves = [move for _, move in witness.ended(side).history]
    about = About(event=f"Where {witness.names[0]} and {witness.names[1]} part")
    return write(record_of([deal_record(witness.start(side), moves, about)]))


def write_records(witness: Witness, folder: str | os.PathLike[str], *, force: bool = False) -> tuple[Path, Path]:
    """Write both records into a folder, which is made if it is not there; both or neither. Returns their paths.

    Records that are there already are only overwritten with ``force``. Raises :class:`FileExistsError` (with the file's
    name) or another :class:`OSError`, or :class:`ValueError` for a witness without a deal.
    """
    texts = witness_records(witness)
    into = Path(folder)
    stem = "-".join([*(rules.id for rules in witness.origins), *(witness.options if _alone(witness) else ())])
    paths = into / f"{stem}.1.p66", into / f"{stem}.2.p66"
    for path in paths:
        if os.path.lexists(path) and not force:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    into.mkdir(exist_ok=True)
    written: list[str] = []
    try:
        for text in texts:
            handle, name = tempfile.mkstemp(dir=into, prefix=".witness-", suffix=".p66")
            written.append(name)
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        for name, path in zip(written, paths, strict=True):
            os.chmod(name, 0o644)
            os.replace(name, path)
    finally:
        for name in written:
            Path(name).unlink(missing_ok=True)
    return paths


def _alone(witness: Witness) -> bool:
    """Whether one option was tried alone, so that one of the rulesets is a changed one."""
    return witness.names != tuple(rules.id for rules in witness.origins)
