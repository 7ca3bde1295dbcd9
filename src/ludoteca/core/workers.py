"""Processes of our own that do jobs for this one, each asked over a connection: both sides of it.

A worker is a session of its own, so that Ctrl-C in the terminal is for whoever asks alone. It ends when the other end of its
connection closes, in the midst of a job, too: so killing who asks leaves nothing.
"""

import os
import platform
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from ludoteca.core.errors import LudotecaError, warn_in_one_line

PATIENCE: Final = 30.0
"""Seconds that a worker may take to end."""


class LostWorkerError(LudotecaError):
    """A worker that ended and should not have; the message says how: `by signal 9`."""


@cache
def processor() -> str:
    """Return the name of this machine's processor, or of its kind if the system does not say the name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Worker:
    """A process that runs a module of ours, which begins with `connect`; it is sent its setup first, and then jobs."""

    def __init__(self, module: str, setup: object, folder: str | None = None) -> None:
        """`folder` is where it runs, if not here."""
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603  # ourselves
                [sys.executable, "-m", module, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                cwd=folder,
                start_new_session=True,
            )
        self.connection: Connection = Connection(ours.detach())
        self.send(setup)

    def send(self, job: object) -> None:
        """Give it a job. If it has ended already, `receive` says so."""
        with suppress(OSError):
            self.connection.send(job)

    def receive(self) -> Any:
        """What it answers; waits for that. Raises LostWorkerError where it has ended."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            self.end()
            status = self.process.returncode
            raise LostWorkerError(f"by signal {-status}" if status < 0 else f"with exit status {status}") from None

    def end(self) -> None:
        """End it, and what it is doing."""
        self.connection.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def connect(grace: float = 0.0) -> Connection:
    """In a worker: the connection to whoever asks. When the other end is closed, this process ends.

    With `grace` it ends by SIGTERM, so that it can put things in order, and after so many seconds in any case.
    """
    warn_in_one_line()
    connection: Connection = Connection(int(sys.argv[1]))
    threading.Thread(target=_leave_with, args=(connection.fileno(), grace), daemon=True).start()
    return connection


def _leave_with(descriptor: int, grace: float) -> None:
    poll = select.poll()
    poll.register(descriptor, 0)  # a hang-up is always told
    poll.poll()
    if grace:
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(grace)
    os._exit(1 if grace else 0)
