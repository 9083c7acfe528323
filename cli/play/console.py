"""Where a game is played: lines typed and lines shown. At the terminal, in a pipe, or in a test."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable

from ..terminal import emit, fill
from .look import Look

#: Asks for a line, given the prompt. Raises :class:`EOFError` at the end of the input.
Ask = Callable[[str], str]
#: Shows a text of one or more lines.
Show = Callable[[str], None]

#: Stands between words that are not to be torn apart at the end of a line.
GLUE = "\N{NO-BREAK SPACE}"


class Console:
    """Lines that fit, with cards in colour. ``hide`` puts what was shown out of sight before another player looks."""

    def __init__(
        self, ask: Ask, show: Show, look: Look, width: int = 80, hide: Callable[[], None] | None = None
    ) -> None:
        self._ask = ask
        self._show = show
        self.look = look
        self.width = width
        self.hide = hide or (lambda: show("-" * 20))

    def say(self, text: str = "", indent: str = "", more: str | None = None) -> None:
        """Show a paragraph; ``more`` indents all its lines but the first."""
        for line in text.split("\n"):
            filled = fill(line, self.width, indent=indent, more=more) if line.strip() else ""
            self._show(self.look.paint(filled.replace(GLUE, " ")))

    def command(self, text: str) -> None:
        """Show a command to be copied: on one line, however long."""
        self._show(f"  {text}")

    def rows(self, rows: list[tuple[str, str]], indent: str = "  ") -> None:
        """Show labels with what belongs to them, in two columns."""
        size = max(len(label) for label, _ in rows) + 2
        for label, text in rows:
            head = f"{label:<{size}}"
            self.say(indent + head.replace(" ", GLUE) + text, more=indent + " " * size)

    def ask(self, prompt: str) -> str:
        """Ask for a line. Raises :class:`EOFError` at the end of the input."""
        return self._ask(self.look.paint(prompt)).strip()


def ask_at_terminal(prompt: str) -> str:
    """Ask on the standard input; what comes from a pipe is repeated, so that the output reads like a conversation."""
    if sys.stdin.isatty():
        return input(prompt)
    line = sys.stdin.readline()
    if not line:
        emit(prompt.rstrip())
        raise EOFError
    emit(prompt + line.rstrip("\r\n"))
    return line


def prepare_input() -> None:
    """Let nothing that is typed fail to be read, and let lines be edited where that can be had."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    if sys.stdin.isatty():
        try:
            import readline  # noqa: F401  (gives input() its editing)
        except ModuleNotFoundError:
            return


#: Goes to the top, wipes the screen, and wipes what has been scrolled off it.
_WIPE = "\x1b[H\x1b[2J\x1b[3J"


def hide_screen() -> None:
    """Put out of sight all that is on the terminal, all that can be scrolled back to, and what was typed.

    The empty lines are for terminals that cannot be wiped. What goes into a pipe is only marked off: nobody sits there.
    """
    shown = sys.stdout.isatty()
    emit("\n" * (shutil.get_terminal_size((80, 24)).lines if shown or sys.stdin.isatty() else 1) + "-" * 20)
    if shown and os.environ.get("TERM") != "dumb":
        emit(_WIPE)
    readline = sys.modules.get("readline")
    if readline is not None:
        # Or the arrow keys would bring back what the other player has typed.
        readline.clear_history()
    _forget_keys()


def _forget_keys() -> None:
    """Throw away what has been typed ahead: a second Enter, pressed too early, must not show the next hand."""
    if not sys.stdin.isatty():
        return
    try:
        import termios
    except ModuleNotFoundError:
        return
    termios.tcflush(sys.stdin, termios.TCIFLUSH)


def shows_signs() -> bool:
    """Whether the standard output can show the suits' signs."""
    try:
        "♠♥♦♣".encode(sys.stdout.encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


def shows_colours() -> bool:
    """Whether the standard output is to be coloured."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
