"""Signals that end the program: Ctrl-C, a request to end, a terminal that goes away.

A signal ends the program at once, with 128 and the signal's number as its status, as a shell says it. An exception instead
may come up anywhere, also where nobody can catch it: in a weak reference's callback while modules are imported, or in
LLVM's callbacks while rules are compiled. So Ctrl-C is an exception only in blocks that handle it (`interruptible`).
"""

import atexit
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

INTERRUPTED: Final = 128 + signal.SIGINT
"""The exit status after Ctrl-C, in every command."""
ENDING: Final = ("SIGINT", "SIGTERM", "SIGHUP")
"""The signals; some systems lack the last one."""


def leave_at_signals() -> None:
    """End the program at every signal of ENDING from now on, unless whoever started it had that signal ignored."""
    for name in ENDING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _leave)


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  # what a handler is called with
    signal.signal(number, signal.SIG_DFL)  # a second one ends it whatever hangs here
    if number == signal.SIGINT and sys.stderr:
        with suppress(OSError):  # nobody can be told
            os.write(2, b"ludoteca: interrupted\n")  # what the stream's own lock guards may be in use at this moment
    atexit._run_exitfuncs()  # temporary folders are removed
    os._exit(128 + number)


class Interrupted(KeyboardInterrupt):
    """A signal that came in an `interruptible` block; it holds its number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def interruptible(*signals: signal.Signals) -> Iterator[None]:
    """In this block these signals, Ctrl-C if none is named, raise Interrupted. For the main thread."""
    before = {number: signal.getsignal(number) for number in signals or (signal.SIGINT,)}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  # what a handler is called with
    raise Interrupted(number)
