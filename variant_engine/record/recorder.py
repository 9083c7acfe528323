"""Writing a record while a deal is played: every move is on the disk before the next one is asked for.

A deal's tags are written in one piece, then each move, then ``*`` and the result. Whatever moment a process dies at,
the file is a record whose last deal is unfinished, or such a record with a torn end: opening it again drops the torn
end, which is at most the trick under way, and play goes on.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from ..hints import printable
from ..notation import SEATS, Move, NotationError
from ..table import Deal, parse
from .build import About, bots_text, german, result_tags, tags_of, tokens_of
from .files import BEGINNING, RecordFile, decoded, refuse_file
from .lookup import Lookup
from .model import HEADER, RESULT_TAGS, DealRecord, Record, RecordError, comments_in, deal_text, writable, write
from .proof import Secret
from .replay import french, replay, require
from .syntax import read
from .tags import read_tags


class Recorder:
    """The writer of one record file. Get one from :func:`create` or :func:`open_for_append`; close it, or use ``with``.

    ``record`` is what the file held when it was opened (None: no deal yet), ``notice`` says what was dropped from a
    torn end, ``unfinished`` is the deal that the file breaks off in, until it is resumed; ``deal`` is the position of
    the deal under way.
    """

    def __init__(self, file: RecordFile, record: Record | None = None, notice: str = "") -> None:
        self._file = file
        self.record = record
        self.notice = notice
        self.deal: Deal | None = None
        last = record.deals[-1] if record is not None else None
        self.unfinished = last if last is not None and not _complete(last) else None
        self._secret: Secret | None = None
        self._german = False
        self._has_deals = record is not None
        self._fresh = record is None or record.after.endswith("\n")
        #: The trick whose line is being written; 0 at the beginning of a line.
        self._line = 0

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    def begin(self, start: Deal, about: About | None = None, *, secret: Secret | None = None) -> Deal:
        """Write the beginning of a deal, and see before the first card that the rest will find room.

        With a ``secret`` the record holds its commitment instead of the pack. Raises :class:`ValueError` while another
        deal is under way or unfinished, and for a secret that is not this deal's; :class:`RecordError` when the file
        cannot be written.
        """
        if self.deal is not None or self.unfinished is not None:
            raise ValueError("a deal in this record is not finished")
        if start.history or start.over:
            raise ValueError("the deal has begun already")
        if secret is not None and (secret.pack != start.pack or _differing(secret, start, about or About())):
            raise ValueError("the secret is that of another deal")
        first, *more = tags_of(start, about, commit=secret.commitment if secret is not None else "")
        self._file.make_room()
        gap = ("" if self._fresh else "\n") + ("\n" if self._has_deals else "")
        self._file.append(deal_text(DealRecord((replace(first, before=gap), *more))) + "\n")
        self._has_deals = self._fresh = True
        self.deal, self._secret, self._line = start, secret, 0
        self._german = about is not None and about.german
        return start

    def play(self, move: Move | str) -> Deal:
        """Make a move in the deal under way, and write it.

        Raises :class:`~variant_engine.IllegalMove` before anything is written, :class:`RecordError` when the file
        cannot be written (the move is then not made), and :class:`ValueError` when no deal is under way.
        """
        before = self.deal
        if before is None:
            raise ValueError("no deal is under way")
        if isinstance(move, str):
            move = parse(before, move)
        after = before.play(move)
        number = sum(before.tricks) + 1
        text = " ".join(german(token) if self._german else token for token in tokens_of(before, move, after))
        text = f" {text}" if self._line == number else f"{number}. {SEATS[before.leader]} {text}"
        line = number
        if after.over:
            text += "\n" + self._end_text(after)
        elif sum(after.tricks) == number:
            text += "\n"
            line = 0
        self._file.append(text)
        self._line = line
        self._arrive(after)
        return after

    def comment(self, text: str) -> None:
        """Write a comment behind the last move, or on a line of its own between two tricks. Raises as :meth:`play`."""
        if self.deal is None:
            raise ValueError("no deal is under way")
        clean = "".join(c if c.isprintable() and c != "}" else " " for c in text)
        self._file.append(f" {{{clean}}}" if self._line else f"{{{clean}}}\n")

    def resume(self, lookup: Lookup | None = None, *, secret: Secret | None = None) -> Deal:
        """Go on with the unfinished deal: the position it broke off in.

        A deal that had come to its end, and only lacked what stands behind the last move, is completed; the position is
        then one that is over. A deal that was committed to needs its ``secret``. Raises :class:`RecordError` for a deal
        that does not keep to its rules or is not the secret's, :class:`ValueError` when there is nothing to resume.
        """
        last = self.unfinished
        if last is None:
            raise ValueError("there is no unfinished deal to resume")
        name = self._file.name
        commit = last.get("Commit")
        if secret is not None and commit != secret.commitment:
            refuse_file(name, "the secret is not the one that the deal was committed to with", "", "P763")
        if commit and secret is None:
            help_text = "it is kept where the game was played"
            refuse_file(name, "the deal was committed to, and its secret is not here", help_text, "P763")
        said = read_tags(last)
        if secret is not None:
            other = secret.differing(said.dealer, said.hash, last.get("Game"), bots_text(said.bots))
            if other:
                said.refuse("P763", f"'{other}' is not what the deal was committed to with", last.tag(other))
                raise RecordError(said.problems)
        kept = replace(last, star=None, results=())
        played = replay(kept, lookup, pack=secret.pack if secret is not None else None)
        end = require(played)
        self._secret, self._german = secret, played.said.german
        self._rewrite_end(last, kept, end)
        if end.over:
            self._file.append(("\n" if self._line else "") + self._end_text(end))
        self.unfinished = None
        self._arrive(end)
        return end

    def _rewrite_end(self, last: DealRecord, kept: DealRecord, end: Deal) -> None:
        """Leave the file ending in the deal's last move, ready for the next."""
        assert self.record is not None
        text = write(Record((*self.record.deals[:-1], kept), self.record.header, ""))
        self._file.truncate(len(text.encode("utf-8")))
        tricks = sum(end.tricks)
        under_way = bool(kept.lines) and kept.lines[-1].number > tricks
        # Comments that stood behind the last move stay; within a line they must not break it.
        notes = comments_in(last.star if last.star is not None else self.record.after)
        tail = "".join(f" {{{note.replace('}', ')')}}}" for note in notes)
        self._file.append(tail if under_way else tail + "\n")
        self._line = tricks + 1 if under_way else 0
        self._fresh = True

    def _end_text(self, end: Deal) -> str:
        opened = self._secret.opened if self._secret is not None else None
        return deal_text(DealRecord((), (), "", result_tags(end, opened))) + "\n"

    def _arrive(self, after: Deal) -> None:
        self.deal = None if after.over else after
        if after.over:
            self._secret = None
            self._line = 0

    def close(self) -> None:
        """Close the file and let others write."""
        self._file.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _differing(secret: Secret, start: Deal, about: About) -> str:
    bots = writable(bots_text(about.bots))
    return secret.differing(start.dealer, start.rules.hash, writable(about.game), bots)


def _complete(deal: DealRecord) -> bool:
    """Whether nothing that the program writes at the end of a deal is missing."""
    wanted = (*RESULT_TAGS, "Salt") if deal.tag("Commit") is not None else RESULT_TAGS
    return deal.finished and all(deal.tag(name) is not None for name in wanted)


def create(path: str | os.PathLike[str]) -> Recorder:
    """A recorder for a new file. Raises :class:`RecordError` if there is one already or it cannot be written."""
    file = RecordFile(path, create=True)
    try:
        file.append(BEGINNING.decode())
    except BaseException:
        file.close()
        file.path.unlink(missing_ok=True)
        raise
    return Recorder(file)


def open_for_append(path: str | os.PathLike[str]) -> Recorder:
    """A recorder for a file that is there; what an interrupted write has left torn at its end is dropped.

    Raises :class:`RecordError` if another program has it open, if it cannot be written, or is no record.
    """
    file = RecordFile(path, create=False)
    try:
        content = file.content()
        record, size = _untorn(content, file.name)
        notice = ""
        if size < len(content):
            shown = printable(content[size:].decode("utf-8", "replace").strip())
            notice = f"{file.name}: the end was torn by an interruption and has been dropped: {shown}"
            file.truncate(size)
        if record is None and size == 0:
            file.append(BEGINNING.decode())
    except BaseException:
        file.close()
        raise
    return Recorder(file, record, notice)


def _untorn(content: bytes, name: str) -> tuple[Record | None, int]:
    """The record in a file without what is torn at its end (None: no deal yet), and how many bytes it takes.

    Only two things can be torn: the last line, where no line feed ends it, and the tags of the last deal.
    """
    size = len(content)
    if not BEGINNING.startswith(content):
        try:
            record = read(decoded(content, name), name)
            torn = not content.endswith(b"\n") and _breaks_off(record)
        except RecordError:
            if content.endswith(b"\n") and content.strip() != HEADER.encode():
                raise
            torn = True
        if torn:
            size = content.rfind(b"\n", 0, size) + 1
    if BEGINNING.startswith(content[:size]):
        return None, size if size == len(BEGINNING) else 0
    record = read(decoded(content[:size], name), name)
    last = record.deals[-1]
    if last.tags[-1].name == "Play":
        return record, size
    if last.lines or last.finished:
        return record, size
    # The tags were written in one piece that ends with the play; without it they are torn.
    if len(record.deals) == 1:
        return None, len(BEGINNING)
    record = replace(record, deals=record.deals[:-1], after="\n")
    return record, len(write(record).encode("utf-8"))


def _breaks_off(record: Record) -> bool:
    """Whether the last line of a file that no line feed ends may be the beginning of something longer."""
    last = record.deals[-1]
    if last.finished or not last.lines:
        return bool(last.finished and last.results and not _complete(last))
    tokens = last.lines[-1].tokens
    if record.after:
        return False
    if tokens[-1].text == "|" and len(tokens) == 1:
        return True
    try:
        french(tokens[-1].text, last.get("Cards") == "de")
    except NotationError:
        return True
    return False
