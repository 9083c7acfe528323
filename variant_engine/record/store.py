"""The folder in which games are kept: records, which are the truth, and beside them a database made from them.

``SIXTYSIX_HOME`` names the folder; without it, it is the platform's folder for the data of programs.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from ..ruleset import Ruleset
from ..textfile import shown_name
from .copies import keep_copy
from .files import is_remnant, reason_of, refuse_file
from .lookup import Lookup
from .model import RecordError
from .proof import Secret
from .recorder import Recorder, create, open_for_append

_SECRET_NAME = re.compile(r"sha256:([0-9a-f]{64})")


def home() -> Path:
    """The folder in which games are kept; it need not be there yet."""
    named = os.environ.get("SIXTYSIX_HOME")
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "sixtysix"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "sixtysix"
    base = os.environ.get("XDG_DATA_HOME")
    # A relative path there is to be ignored, by the specification of these folders.
    return (Path(base) if base and os.path.isabs(base) else Path.home() / ".local" / "share") / "sixtysix"


def is_torn(path: Path) -> bool:
    """Whether a file is a record that breaks off in mid-line: a reason to resume it, not to hide it."""
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return content.startswith(b"% P66 ") and not content.endswith(b"\n")


class Store:
    """The kept games: ``records/*.p66``, ``rules/``, ``secrets/``, and ``games.sqlite3``.

    All folders are made when they are first needed.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else home()

    @property
    def records(self) -> Path:
        """The folder of the records."""
        return self.folder / "records"

    @property
    def rules(self) -> Path:
        """The folder with copies of the rules that were played by; see :mod:`variant_engine.record.copies`."""
        return self.folder / "rules"

    @property
    def database(self) -> Path:
        """The database; :mod:`variant_engine.record.index` reads and writes it."""
        return self.folder / "games.sqlite3"

    def lookup(self, record: Path, rules: Ruleset | None = None, *, anyway: bool = False) -> Lookup:
        """Where the rules of a record come from: those given, its folder, those that ship, the copies kept here."""
        return Lookup(rules, record.parent, kept=self.rules, anyway=anyway)

    def keep_rules(self, rules: Ruleset) -> None:
        """Keep a copy of the rules of a game, so that it can be gone on with whatever becomes of their file.

        Raises :class:`RecordError`.
        """
        keep_copy(self.rules, rules)

    def files(self) -> list[Path]:
        """The kept records, by name and so by date; not what an interruption left of a game that never began."""
        return [path for path in sorted(self.records.glob("*.p66")) if not is_remnant(path)]

    def new_record(self, ruleset: str, date: str) -> Recorder:
        """A recorder for a new game, ``2026-11-29-foster-1.p66``. Raises :class:`RecordError` if there can be none."""
        self._make(self.records)
        stem = f"{date.replace('.', '-')}-{ruleset}"
        for path in self._free_names(stem):
            try:
                return create(path)
            except RecordError:
                # Somebody else may just have taken the name.
                if not path.exists():
                    raise
        raise AssertionError("there is always another number")

    def _free_names(self, stem: str) -> Iterator[Path]:
        number = 1
        while True:
            path = self.records / f"{stem}-{number}.p66"
            if not path.exists():
                yield path
            number += 1

    def newest_first(self) -> list[Path]:
        """The files of the records, the one written to last first; what cannot be looked at is left out."""
        dated = []
        for path in self.files():
            try:
                if path.is_file():
                    dated.append((path.stat().st_mtime_ns, path))
            except OSError:
                continue
        return [path for _, path in sorted(dated, reverse=True)]

    def open(self, path: Path) -> Recorder:
        """A recorder for a kept game. Raises :class:`RecordError`."""
        return open_for_append(path)

    # ---- secrets --------------------------------------------------------------------------------------------------

    def keep_secret(self, secret: Secret) -> Path:
        """Keep the secret of a deal about to be played where only its owner can read it.

        Raises :class:`RecordError` if it cannot be kept: without it the deal could never be resumed or opened.
        """
        folder = self.folder / "secrets"
        self._make(folder, 0o700)
        path = self._secret_path(secret.commitment)
        said = asdict(secret) | {"pack": " ".join(secret.pack)}
        try:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(fd, "w", encoding="ascii") as file:
                os.chmod(path, 0o600)
                json.dump(said, file)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            path.unlink(missing_ok=True)
            refuse_file(shown_name(path), f"the secret of the deal cannot be kept: {reason_of(error)}", "", "P762")
        return path

    def secret(self, commitment: str) -> Secret | None:
        """The secret of a commitment, if it is kept here."""
        try:
            said = json.loads(self._secret_path(commitment).read_text(encoding="ascii"))
            salt, pack, rules, game, bots = (str(said[name]) for name in ("salt", "pack", "rules", "game", "bots"))
            seed, number, dealer = (int(said[name]) for name in ("seed", "number", "dealer"))
            found = Secret(salt, seed, number, tuple(pack.split()), dealer, rules, game, bots)
            return found if found.commitment == commitment else None
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def forget_secret(self, commitment: str) -> None:
        """Remove the secret of a deal that has been opened."""
        try:
            self._secret_path(commitment).unlink(missing_ok=True)
        except OSError:
            # An opened secret is none; it may stay.
            return

    def _secret_path(self, commitment: str) -> Path:
        match = _SECRET_NAME.fullmatch(commitment)
        if match is None:
            raise ValueError("this is no commitment")
        return self.folder / "secrets" / f"{match[1]}.json"

    def _make(self, folder: Path, mode: int = 0o755) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=mode)
        except OSError as error:
            help_text = "SIXTYSIX_HOME names the folder in which games are kept"
            refuse_file(shown_name(folder), f"the folder cannot be made: {reason_of(error)}", help_text, "P762")
