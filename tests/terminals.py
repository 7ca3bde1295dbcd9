"""Pseudo-terminals: the program as a user at a keyboard sees it."""

import fcntl
import os
import pty
import select
import struct
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess

from tests import forks
from tests.processes import PATIENCE


class Terminal:
    """The other end of a program's terminal."""

    def __init__(self, process: BaseProcess, end: int) -> None:
        self.process = process
        self.seen = ""
        self._end = end
        self._read = 0
        self._decode = getincrementaldecoder("utf-8")("replace").decode

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def foreground(self) -> int:
        """Return the last process that a shell has started, which gets the keys."""
        return os.tcgetpgrp(self._end)

    def status(self) -> int:
        """Wait for the end of the program, and return its exit status."""
        self.process.join(PATIENCE)
        assert self.process.exitcode is not None, "it hangs"
        return self.process.exitcode

    def is_open(self) -> bool:
        return self._end >= 0

    def close(self) -> None:
        """Close the window."""
        os.close(self._end)
        self._end = -1

    def wait_for(self, text: str) -> str:
        """Wait for a text. Return the output since the last call, up to the end of the text."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.seen[self._read :] and self._more(deadline):
            pass
        start, found = self._read, self.seen.find(text, self._read)
        assert found >= 0, self.seen[start:]
        self._read = found + len(text)
        return self.seen[start : self._read]

    def _more(self, deadline: float) -> bool:
        if not select.select([self._end], [], [], max(0, deadline - time.monotonic()))[0]:
            return False
        try:
            self.seen += self._decode(os.read(self._end, 1 << 16))
        except OSError:  # the program has ended
            return False
        return True


@contextmanager
def terminal(*arguments: str, columns: int = 80, lines: int = 30, **environment: str) -> Iterator[Terminal]:
    """Run `ludoteca` with these arguments in a pseudo-terminal."""
    with _opened(forks.run, *arguments, columns=columns, lines=lines, **environment) as tty:
        yield tty


@contextmanager
def shell(**environment: str) -> Iterator[Terminal]:
    """Run Bash with job control in a pseudo-terminal."""
    words = ("--norc", "--noprofile", "-i")
    with _opened(os.execvp, "bash", ("bash", *words), columns=80, lines=30, PS1="shell> ", **environment) as tty:
        yield tty


@contextmanager
def _opened(
    call: Callable[..., object], *arguments: object, columns: int, lines: int, **environment: str
) -> Iterator[Terminal]:
    """Call a function in a process with a pseudo-terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    without = {"COLUMNS", "LINES", "NO_COLOR"} - environment.keys()
    environment = {"TERM": "xterm-256color", **environment}
    process = forks.connected(_in_session, without, call, *arguments, streams=(theirs, theirs, theirs), **environment)
    os.close(theirs)
    tty = Terminal(process, ours)
    try:
        yield tty
    finally:
        process.kill()
        process.join(PATIENCE)
        if tty.is_open():
            tty.close()


def _in_session(without: set[str], call: Callable[..., object], *arguments: object) -> None:
    """Call a function in a separate session, so that it gets its terminal's keys, without some environment variables."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for name in without & os.environ.keys():
        del os.environ[name]
    call(*arguments)
