"""A terminal for tests: a pseudo-terminal with the command line at its other end."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).parent.parent

#: What puts out of sight all that is on the screen and all that was scrolled off it.
WIPE = "\x1b[H\x1b[2J\x1b[3J"


class Terminal:
    """Runs the command at a terminal of so many lines and columns, types, and keeps all that was shown."""

    def __init__(self, *words: str, home: Path, lines: int = 24, columns: int = 80, **env: str) -> None:
        self._fd, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "cli", *words],
            cwd=ROOT,
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**kept, "TERM": "xterm", "SIXTYSIX_HOME": str(home), **env},
        )
        os.close(other)
        self.shown = ""
        self._raw = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._fd)

    @property
    def visible(self) -> str:
        """What can still be seen, however far one scrolls back."""
        return self.shown.rpartition(WIPE)[2]

    def keys(self, keys: str) -> None:
        """Press keys."""
        os.write(self._fd, keys.encode())

    def _read(self, seconds: float) -> bool:
        if not select.select([self._fd], [], [], seconds)[0]:
            return False
        piece = b""
        with contextlib.suppress(OSError):
            piece = os.read(self._fd, 65536)
        self._raw += piece
        self.shown = self._raw.decode(errors="ignore").replace("\r\n", "\n").replace("\r", "")
        return bool(piece)

    def wait_for(self, text: str, since: int, seconds: float = 20) -> bool:
        """Wait until some text is shown behind a place; whether it was, in time."""
        end = time.monotonic() + seconds
        while text not in self.shown[since:]:
            left = end - time.monotonic()
            if left <= 0 or (not self._read(min(left, 0.5)) and self._process.poll() is not None):
                return text in self.shown[since:]
        return True

    def type(self, line: str, then: str) -> str:
        """Type a line, wait for some text, and give what was shown since."""
        since = len(self.shown)
        for _ in range(5):
            self.keys(line + "\r")
            # What is typed while the terminal is being set up for a question may be thrown away.
            if self.wait_for(then, since, 4):
                # The rest of the prompt.
                self._read(0.05)
                return self.shown[since:]
        raise AssertionError(f"{then!r} did not come after {line!r}: {self.shown[-2000:]}")

    def end(self, keys: str = "") -> int:
        """Press keys, wait for the end, and give the exit code."""
        since = len(self.shown)
        for _ in range(5):
            with contextlib.suppress(OSError):
                self.keys(keys)
            if self.wait_for("\0", since, 3) or self._process.poll() is not None:
                break
        return self._process.wait(timeout=10)
