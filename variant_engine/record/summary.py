"""Records in short: one row a deal, for lists, filters, the database and statistics."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from ..diagnostics import Diagnostic
from ..notation import SEATS
from ..options.ending import TARGET_GAME_POINTS
from ..standing import RESULT_REASONS
from .files import is_remnant, read_file
from .lookup import Lookup
from .model import Record, RecordError
from .proof import is_closed, lacks_rules
from .replay import Replayed, check
from .tags import RULESET_ID

_DATE = re.compile(r"([0-9]{4})(?:[-.]([0-9]{2})(?:[-.]([0-9]{2}))?)?")
_DAY = re.compile(r"[0-9]{4}[-.][0-9]{2}[-.][0-9]{2}")


@dataclass(frozen=True, slots=True)
class Summary:
    """One deal in short. ``number`` counts the file's deals from 1; ``game_winner`` is set by the deal that decided.

    Seats are letters; ``winner`` is ``A``, ``B`` or ``none``, empty for a deal that is not finished. ``bots`` names the
    bot of each seat, empty for people. ``ok`` tells whether the deal keeps to its rules, ``rules_found`` whether these
    are there at all.
    """

    file: str
    number: int
    ruleset: str
    rules_hash: str
    rules_diff: str
    date: str
    event: str
    game: str
    names: tuple[str, str]
    bots: tuple[str, str]
    finished: bool
    winner: str
    game_points: int
    reason: str
    card_points: tuple[int, int]
    score: tuple[int, int]
    carry: int
    game_winner: str
    moves: int
    committed: bool
    rules_found: bool
    ok: bool
    problem: str

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def summaries(record: Record, lookup: Lookup | None = None) -> list[Summary]:
    """The deals of a record in short, every one of them replayed."""
    return [summary(record.name, number, one) for number, one in enumerate(check(record, lookup), 1)]


def summary(file: str, number: int, played: Replayed) -> Summary:
    """One deal in short."""
    one, said = played.record, played.said
    result = played.end.result if played.end is not None and one.finished and played.ok else None
    winner = "" if result is None else "none" if result.winner is None else SEATS[result.winner]
    game_winner = ""
    if result is not None and result.winner is not None and played.rules is not None:
        won = said.score[result.winner] + result.game_points
        game_winner = SEATS[result.winner] if won >= played.rules.ints[TARGET_GAME_POINTS] else ""
    problem = next((found.message for found in played.problems if found.is_error), "")
    counts = result.card_points if result is not None else (0, 0)
    return Summary(
        file=file,
        number=number,
        ruleset=said.ruleset,
        rules_hash=said.hash,
        rules_diff=one.get("RulesDiff"),
        date=one.get("Date"),
        event=one.get("Event"),
        game=one.get("Game"),
        names=(one.name(0), one.name(1)),
        bots=(said.bots.get(0, ""), said.bots.get(1, "")),
        finished=one.finished,
        winner=winner,
        game_points=result.game_points if result is not None else 0,
        reason=result.reason if result is not None else "",
        card_points=(counts[0], counts[1]),
        score=(said.score[0], said.score[1]),
        carry=said.carry,
        game_winner=game_winner,
        moves=len(played.steps),
        committed=bool(said.commit),
        rules_found=not lacks_rules(played),
        ok=played.ok or is_closed(played),
        problem="" if is_closed(played) else problem,
    )


@dataclass(frozen=True, slots=True)
class Filter:
    """Which deals to take: every field that is not empty must fit.

    ``result`` is a winner (``A``, ``B``, ``none``), a reason, ``finished`` or ``unfinished``; ``date`` the beginning of
    one, ``since`` and ``until`` whole dates, both included.
    """

    ruleset: str = ""
    player: str = ""
    result: str = ""
    date: str = ""
    since: str = ""
    until: str = ""

    #: The values of ``result``.
    RESULTS = ("A", "B", "none", "finished", "unfinished", *RESULT_REASONS)

    def __post_init__(self) -> None:
        """Raises :class:`ValueError`, beginning with the name of the field, for what no deal can fit."""
        if self.ruleset and not RULESET_ID.fullmatch(self.ruleset):
            raise ValueError(f"ruleset: {self.ruleset!r} is no id of a ruleset; write it as in foster")
        if self.result and self.result not in self.RESULTS:
            raise ValueError(f"result: {self.result!r} is no result; write one of {', '.join(self.RESULTS)}")
        if self.date and not _is_date(self.date):
            help_text = "write a year, a month or a day: 2026, 2026-11, 2026-11-29"
            raise ValueError(f"date: {self.date!r} is no date; {help_text}")
        for name, day in (("since", self.since), ("until", self.until)):
            if day and not (_DAY.fullmatch(day) and _is_date(day)):
                raise ValueError(f"{name}: {day!r} is no day; write year, month and day: 2026-11-29")
        if self.since and self.until and _dotted(self.since) > _dotted(self.until):
            raise ValueError(f"until: {self.until} is before {self.since}, so that no day is left")

    def fits(self, deal: Summary) -> bool:
        """Whether a deal is wanted."""
        date = deal.date
        wanted = (
            (self.ruleset, deal.ruleset == self.ruleset),
            (self.player, self.player.casefold() in (name.casefold() for name in (*deal.names, *deal.bots))),
            (self.result, self._has_result(deal)),
            (self.date, date.startswith(_dotted(self.date))),
            (self.since, bool(date) and date.replace("??", "01") >= _dotted(self.since)),
            (self.until, bool(date) and date.replace("??", "01") <= _dotted(self.until)),
        )
        return all(fits for asked, fits in wanted if asked)

    def _has_result(self, deal: Summary) -> bool:
        if self.result == "unfinished":
            return not deal.finished
        if self.result == "finished":
            return deal.finished
        return self.result in (deal.winner, deal.reason)


def _dotted(date: str) -> str:
    return date.replace("-", ".")


def _is_date(text: str) -> bool:
    """Whether a text is a year, a month or a day, with full stops or hyphens."""
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    try:
        date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Collected:
    """Some record files: their deals that were asked for, played again and in short; and the files that are none."""

    deals: tuple[tuple[Summary, Replayed], ...]
    problems: tuple[Diagnostic, ...]


def collect(
    paths: Iterable[str | os.PathLike[str]],
    wanted: Filter | None = None,
    *,
    anyway: bool = False,
    kept: Path | None = None,
) -> Collected:
    """The deals in files, and in the ``.p66`` files of folders. What cannot be read is told, and the rest collected.

    ``kept`` is the folder with copies of rules, as in :class:`Lookup`.
    """
    lookups: dict[Path, Lookup] = {}
    deals: list[tuple[Summary, Replayed]] = []
    problems: list[Diagnostic] = []
    for path in record_files(paths):
        try:
            record = read_file(path)
        except RecordError as error:
            problems += error.diagnostics
            continue
        folder = Path(path).parent
        lookup = lookups.setdefault(folder, Lookup(folder=folder, kept=kept, anyway=anyway))
        for number, played in enumerate(check(record, lookup), 1):
            short = summary(record.name, number, played)
            if wanted is None or wanted.fits(short):
                deals.append((short, played))
    return Collected(tuple(deals), tuple(problems))


def record_files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """The files themselves, and the ``.p66`` files in folders and the folders below them, but for empty ones."""
    for path in map(Path, paths):
        if path.is_dir():
            yield from (below for below in sorted(path.rglob("*.p66")) if not is_remnant(below))
        else:
            yield path


def as_table(deals: Sequence[Summary]) -> list[tuple[str, ...]]:
    """The deals as rows of words, for people: date, ruleset, players, score, result, where."""
    return [
        (
            deal.date or "-",
            deal.ruleset + ("*" if deal.rules_diff else ""),
            f"{deal.names[0]} - {deal.names[1]}",
            "-".join(map(str, deal.score)),
            outcome(deal),
            f"{deal.file}:{deal.number}",
        )
        for deal in deals
    ]


def outcome(deal: Summary) -> str:
    """How a deal came out, in a few words."""
    if not deal.rules_found:
        return "rules not found"
    if not deal.ok:
        return "does not hold"
    if not deal.finished:
        return "unfinished"
    return f"{deal.winner} {deal.game_points} {deal.reason}" + (", game" if deal.game_winner else "")
