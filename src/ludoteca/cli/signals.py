"""Handles signals that end the program: Ctrl-C, a request to end, and the end of the terminal.

A signal ends the program at once. The exit status is 128 plus the signal's number, as in a shell. An exception could not
always be caught: it could be raised in a weak reference's callback while modules are imported, or in LLVM's callbacks while
rules are compiled. So Ctrl-C raises an exception only in blocks that handle it (`interruptible`).
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
"""The names of the signals that end the program. Some systems lack the last one."""


def leave_at_signals() -> None:
    """End the program at every signal of ENDING from now on, unless its parent process ignores that signal."""
    for name in ENDING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _leave)


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  # the signature of a handler
    signal.signal(number, signal.SIG_DFL)  # a second signal ends the program even if this hangs
    if number == signal.SIGINT and sys.stderr:
        with suppress(OSError):  # standard error is closed
            os.write(2, b"ludoteca: interrupted\n")  # not `sys.stderr`, whose lock may be held
    atexit._run_exitfuncs()  # removes temporary folders
    os._exit(128 + number)


class Interrupted(KeyboardInterrupt):
    """A signal came in an `interruptible` block. `number` is the number of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def interruptible(*signals: signal.Signals) -> Iterator[None]:
    """Let these signals (by default Ctrl-C) raise Interrupted inside the `with` block. This works only in the
    main thread.
    """
    before = {number: signal.getsignal(number) for number in signals or (signal.SIGINT,)}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  # the signature of a handler
    raise Interrupted(number)
