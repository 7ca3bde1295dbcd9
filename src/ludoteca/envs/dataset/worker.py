"""A process that makes games: `python -m ludoteca.envs.dataset.worker DESCRIPTOR` reads a plan there, then jobs.

It ends when the other end of the connection closes, in the midst of a game, too.
"""

import os
import select
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import Connection

from ludoteca.core.errors import LudotecaError, warn_in_one_line
from ludoteca.envs.dataset.tracing import Plan, Tracer
from ludoteca.envs.dataset.workers import Failed, Job, trace


def main() -> None:
    """Make what is asked for, one game after the other."""
    warn_in_one_line()
    connection: Connection = Connection(int(sys.argv[1]))
    threading.Thread(target=_leave_with, args=(connection.fileno(),), daemon=True).start()
    with suppress(EOFError, ConnectionError):  # who asked has all that was wanted, or is gone
        plan: Plan = connection.recv()
        tracer = Tracer(plan)
        while True:
            job: Job = connection.recv()
            try:
                connection.send(trace(tracer, job))
            except LudotecaError as error:
                connection.send(Failed(str(error)))


def _leave_with(descriptor: int) -> None:
    """Wait until the other end is closed; then end this process, and what it is doing."""
    poll = select.poll()
    poll.register(descriptor, 0)  # a hang-up is always told
    poll.poll()
    os._exit(0)


if __name__ == "__main__":
    main()
