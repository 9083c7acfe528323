"""Record files: read whole, opened for one writer at a time, and never written past what can be undone."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from types import TracebackType
from typing import NoReturn

from ..diagnostics import Diagnostic, Place
from ..textfile import shown_name
from .model import HEADER, Record, RecordError
from .syntax import Places, read

#: How a record file begins.
BEGINNING = f"{HEADER}\n".encode()
#: No more than this is read of a record file.
LONGEST = 64 << 20
#: Room that must be left on the disk for a deal, in bytes; a whole deal takes less than a third of it.
ROOM = 8192

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def read_file(path: str | os.PathLike[str]) -> Record:
    """The record in a file. Raises :class:`RecordError`."""
    name = shown_name(path)
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode):
            refuse_file(
                name, "this is a folder, not a file" if stat.S_ISDIR(about.st_mode) else "this is not an ordinary file"
            )
        with open(path, "rb") as file:
            content = file.read(LONGEST + 1)
    except FileNotFoundError:
        refuse_file(name, "there is no such file")
    except (OSError, ValueError) as error:
        refuse_file(name, f"the file cannot be read: {reason_of(error)}")
    return read_content(content, name)


def read_content(content: bytes, name: str) -> Record:
    """The record in the bytes of a file. Raises :class:`RecordError`."""
    if len(content) > LONGEST:
        refuse_file(name, f"the file has more than {LONGEST} bytes")
    return read(decoded(content, name), name)


def is_remnant(path: Path) -> bool:
    """Whether a file holds no more than the beginning of a record's first line: a game that never came to its cards."""
    try:
        return path.stat().st_size <= len(BEGINNING) and BEGINNING.startswith(path.read_bytes())
    except OSError:
        return False


def decoded(content: bytes, name: str) -> str:
    """The text of a record. Raises :class:`RecordError` for what is not UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        text = content[: error.start].decode("utf-8") + "\N{REPLACEMENT CHARACTER}"
        place = Places(text, name).place(len(text) - 1, len(text))
        message = f"the file is not UTF-8: byte 0x{content[error.start]:02x}"
        raise RecordError([Diagnostic("P703", message, place, "save it with the encoding UTF-8")]) from None


def refuse_file(name: str, message: str, help_text: str = "", code: str = "P701") -> NoReturn:
    """Raise a :class:`RecordError` about a file as a whole."""
    raise RecordError([Diagnostic(code, message, Place.whole(name), help_text)])


def reason_of(error: OSError | ValueError) -> str:
    """Why the system would not do it, in its own words."""
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return "there is no room left"
    return error.strerror.lower() if isinstance(error, OSError) and error.strerror else "its name is not valid"


class RecordFile:
    """A record file held open by one writer.

    Every change is on the disk before the call returns; one that fails is taken back, so that the file ends where it
    did. Another writer, in this program or another, is refused while the file is open. Raises :class:`RecordError`.
    """

    def __init__(self, path: str | os.PathLike[str], *, create: bool) -> None:
        self.path = Path(path)
        self.name = shown_name(path)
        flags = os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        if create:
            flags |= os.O_CREAT | os.O_EXCL
        try:
            self._fd = os.open(self.path, flags, 0o644)
        except FileExistsError:
            refuse_file(self.name, "the file is there already", "choose another name, or go on with it")
        except (OSError, ValueError) as error:
            refuse_file(self.name, f"the file cannot be written: {reason_of(error)}")
        try:
            if not stat.S_ISREG(os.fstat(self._fd).st_mode):
                refuse_file(self.name, "this is not an ordinary file")
            if not _lock(self._fd):
                refuse_file(self.name, "another program is writing this record", "close the other game first", "P761")
            self.size = os.fstat(self._fd).st_size
            self.make_room()
        except BaseException:
            self.close()
            if create:
                self.path.unlink(missing_ok=True)
            raise
        if create:
            _sync_folder(self.path.parent)

    def content(self) -> bytes:
        """All that is in the file. Raises :class:`RecordError` for one that is too large."""
        if self.size > LONGEST:
            refuse_file(self.name, f"the file has more than {LONGEST} bytes")
        os.lseek(self._fd, 0, os.SEEK_SET)
        pieces = []
        while piece := os.read(self._fd, 1 << 20):
            pieces.append(piece)
        return b"".join(pieces)

    def make_room(self) -> None:
        """See that a deal will find room on the disk, by writing as much beside the record and taking it away again."""
        try:
            with tempfile.TemporaryFile(dir=self.path.parent, prefix=".room-") as probe:
                probe.write(b"\0" * ROOM)
                probe.flush()
                os.fsync(probe.fileno())
        except OSError as error:
            refuse_file(self.name, f"the record cannot be kept: {reason_of(error)}", "nothing has been dealt", "P762")

    def append(self, text: str) -> None:
        """Write at the end, and wait until it is on the disk."""
        data = text.encode("utf-8")
        try:
            os.lseek(self._fd, self.size, os.SEEK_SET)
            written = 0
            while written < len(data):
                written += os.write(self._fd, data[written:])
            os.fsync(self._fd)
        except OSError as error:
            self._take_back()
            refuse_file(
                self.name,
                f"the record cannot be written on: {reason_of(error)}",
                "what was played before is kept; make room and resume",
                "P762",
            )
        self.size += len(data)

    def truncate(self, size: int) -> None:
        """Drop what stands behind so many bytes."""
        try:
            os.ftruncate(self._fd, size)
            os.fsync(self._fd)
        except OSError as error:
            refuse_file(self.name, f"the record cannot be written on: {reason_of(error)}", "", "P762")
        self.size = size

    def _take_back(self) -> None:
        try:
            os.ftruncate(self._fd, self.size)
        except OSError:
            # The torn end is dropped when the record is opened again.
            return

    def close(self) -> None:
        """Let others write. May be called twice."""
        if self._fd >= 0:
            # Closing gives the lock back; so does the end of the process, however it comes.
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _lock(fd: int) -> bool:
    """Take the file for this writer alone; False if somebody else has it."""
    try:
        import fcntl
    except ModuleNotFoundError:
        return _lock_windows(fd)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # Some network folders know no locks; a game is not refused for that.
        return True
    return True


def _lock_windows(fd: int) -> bool:
    import msvcrt

    locking = getattr(msvcrt, "locking")  # noqa: B009  (typed for Windows only)
    nonblocking = getattr(msvcrt, "LK_NBLCK")  # noqa: B009
    os.lseek(fd, LONGEST, os.SEEK_SET)
    try:
        locking(fd, nonblocking, 1)
    except OSError:
        return False
    return True


def _sync_folder(folder: Path) -> None:
    """See that a new file's name is on the disk as well."""
    try:
        fd = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError:
        return
    try:
        os.fsync(fd)
    except OSError:
        return
    finally:
        os.close(fd)
