"""The database of the games played: made from the records, brought up to date from them, and rebuilt at need.

Records are the truth. Whatever happens to the database, a file that is missing, damaged or of another version is made
anew, and that is said.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..textfile import shown_name
from .files import read_file, refuse_file
from .model import RecordError
from .store import Store
from .summary import Summary, summaries

#: Raised when the tables below change; a database of another version is made anew.
SCHEMA_VERSION = 2

_SCHEMA = """
CREATE TABLE files (file TEXT PRIMARY KEY, modified INTEGER NOT NULL, size INTEGER NOT NULL, problem TEXT NOT NULL);
CREATE TABLE deals (
    file TEXT NOT NULL REFERENCES files (file) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    ruleset TEXT NOT NULL, rules_hash TEXT NOT NULL, rules_diff TEXT NOT NULL,
    date TEXT NOT NULL, game TEXT NOT NULL,
    name_a TEXT NOT NULL, name_b TEXT NOT NULL, bot_a TEXT NOT NULL, bot_b TEXT NOT NULL,
    finished INTEGER NOT NULL, ok INTEGER NOT NULL, rules_found INTEGER NOT NULL,
    winner TEXT NOT NULL, game_points INTEGER NOT NULL, reason TEXT NOT NULL, game_winner TEXT NOT NULL,
    PRIMARY KEY (file, number)
) WITHOUT ROWID;
"""

_INSERT = """
INSERT INTO deals VALUES (:file, :number, :ruleset, :rules_hash, :rules_diff, :date, :game, :name_a, :name_b,
    :bot_a, :bot_b, :finished, :ok, :rules_found, :winner, :game_points, :reason, :game_winner)
"""

# Every deal once from each seat, then only the seat that is "the player": a person before a bot, else by name.
_STATISTICS = """
WITH sides AS (
    SELECT ruleset, rules_diff, name_a AS player, name_b AS opponent, bot_a AS bot, bot_b AS other_bot,
           'A' AS seat, 'B' AS other, winner, game_points, game_winner FROM deals WHERE finished AND ok
    UNION ALL
    SELECT ruleset, rules_diff, name_b, name_a, bot_b, bot_a, 'B', 'A', winner, game_points, game_winner
    FROM deals WHERE finished AND ok
)
SELECT ruleset || CASE rules_diff WHEN '' THEN '' ELSE '*' END AS rules, player, opponent,
       count(*) AS deals, sum(winner = seat) AS won, sum(winner = other) AS lost, sum(winner = 'none') AS drawn,
       sum(CASE winner WHEN seat THEN game_points ELSE 0 END) AS game_points_won,
       sum(CASE winner WHEN other THEN game_points ELSE 0 END) AS game_points_lost,
       sum(game_winner = seat) AS games_won, sum(game_winner = other) AS games_lost
FROM sides
WHERE (bot = '') > (other_bot = '')
   OR ((bot = '') = (other_bot = '') AND (player < opponent OR (player = opponent AND seat = 'A')))
GROUP BY rules, player, opponent ORDER BY rules, player, opponent
"""


@dataclass(frozen=True, slots=True)
class Tally:
    """How a player has fared against an opponent under one ruleset (a ``*`` behind it: with options changed)."""

    ruleset: str
    player: str
    opponent: str
    deals: int
    won: int
    lost: int
    drawn: int
    game_points_won: int
    game_points_lost: int
    games_won: int
    games_lost: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The tallies of a store; ``notices`` tells what was rebuilt, ``left_out`` which files could not be counted."""

    tallies: tuple[Tally, ...]
    files: int
    deals: int
    unfinished: int
    notices: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {**asdict(self), "left_out": [{"file": file, "problem": problem} for file, problem in self.left_out]}


def statistics(store: Store, *, rebuild: bool = False) -> Statistics:
    """Results by ruleset and opponent, the database first being brought up to date with the records.

    With ``rebuild`` it is made anew. Raises :class:`RecordError` when it cannot be kept.
    """
    notices: list[str] = []
    if not store.records.is_dir():
        return Statistics((), 0, 0, 0, (), ())
    if not os.access(store.folder, os.W_OK):
        # The records can be read all the same, and they are the truth.
        return _read(store, ["the database cannot be written; the records were counted without it"], kept=False)
    if rebuild:
        _remove(store)
        notices.append("the database was rebuilt from the records")
    elif not store.database.exists():
        notices.append("there was no database; it has been made from the records")
    try:
        return _read(store, notices)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            refuse_file(shown_name(store.database), "the database is in use by another program", "", "P764")
        reason = str(error)
    notices.append(f"the database could not be used ({reason}); it has been rebuilt from the records")
    _remove(store)
    try:
        return _read(store, notices)
    except sqlite3.Error as error:
        return _read(store, [f"the database cannot be kept ({error}); the records were counted without it"], kept=False)


def _remove(store: Store) -> None:
    for ending in ("", "-wal", "-shm"):
        path = store.database.with_name(store.database.name + ending)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            refuse_file(shown_name(path), f"the database cannot be removed: {error.strerror}", "", "P764")


def _read(store: Store, notices: list[str], *, kept: bool = True) -> Statistics:
    with closing(_connect(store.database if kept else ":memory:")) as connection:
        _bring_up_to_date(connection, store)
        tallies = tuple(Tally(*row) for row in connection.execute(_STATISTICS))
        files, deals, unfinished = connection.execute(
            "SELECT (SELECT count(*) FROM files), count(*), coalesce(sum(NOT finished), 0) FROM deals"
        ).fetchone()
        left_out = connection.execute(
            "SELECT file, problem FROM files WHERE problem != '' "
            "UNION SELECT file || ':' || number, CASE WHEN rules_found THEN 'the deal does not hold' "
            "ELSE 'rules not found: ' || ruleset END FROM deals WHERE NOT ok ORDER BY 1"
        ).fetchall()
    return Statistics(tallies, files, deals, unfinished, tuple(notices), tuple(left_out))


def _connect(database: str | Path) -> sqlite3.Connection:
    connection = sqlite3.connect(database, timeout=10, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if version == 0 and tables == 0:
            connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
        elif version != SCHEMA_VERSION:
            raise sqlite3.DatabaseError(f"it has version {version}, not {SCHEMA_VERSION}")
        else:
            (sound,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise sqlite3.DatabaseError(f"it is damaged: {sound}")
    except BaseException:
        connection.close()
        raise
    return connection


@dataclass(frozen=True, slots=True)
class SummarizedFile:
    """A record file as the database keeps it: its deals in short, or why there are none."""

    deals: tuple[Summary, ...]
    problem: str

    @classmethod
    def of(cls, path: Path, store: Store) -> SummarizedFile:
        """Read a record file."""
        try:
            record = read_file(path)
        except RecordError as error:
            return cls((), error.diagnostics[0].message)
        return cls(tuple(summaries(record, store.lookup(path, anyway=True))), "")


def _bring_up_to_date(connection: sqlite3.Connection, store: Store) -> None:
    # Rules that were not found may be there by now: files that lacked some are always read again.
    known = {
        file: (modified, size)
        for file, modified, size in connection.execute(
            "SELECT file, modified, size FROM files "
            "WHERE file NOT IN (SELECT file FROM deals WHERE NOT ok AND NOT rules_found)"
        )
    }
    there: dict[str, tuple[Path, tuple[int, int]]] = {}
    for path in store.files():
        try:
            about = path.stat()
        except OSError:
            continue
        there[path.name] = (path, (about.st_mtime_ns, about.st_size))
    changed = {name: (path, stamp) for name, (path, stamp) in there.items() if known.get(name) != stamp}
    gone = {file for (file,) in connection.execute("SELECT file FROM files")} - there.keys()
    if not changed and not gone:
        return
    read = {name: SummarizedFile.of(path, store) for name, (path, _) in changed.items()}
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany("DELETE FROM files WHERE file = ?", [(name,) for name in (*gone, *changed)])
        for name, (_, (modified, size)) in changed.items():
            connection.execute("INSERT INTO files VALUES (?, ?, ?, ?)", (name, modified, size, read[name].problem))
            connection.executemany(_INSERT, [_row(name, deal) for deal in read[name].deals])
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _row(name: str, deal: Summary) -> dict[str, str | int]:
    return {
        **{key: value for key, value in asdict(deal).items() if isinstance(value, (str, int))},
        "file": name,
        "name_a": deal.names[0],
        "name_b": deal.names[1],
        "bot_a": deal.bots[0],
        "bot_b": deal.bots[1],
    }
