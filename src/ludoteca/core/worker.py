"""The program of one process of a pool (`core.workers`). `ProcessPool` starts it as `python -m ludoteca.core.worker
DESCRIPTOR`. DESCRIPTOR is the number of an open socket to the parent process.

The process first receives its setup, a function and its argument. It calls this function once, which returns a second
function that does the jobs. Then it receives jobs, and answers each one with the result or with a `Failed`.
"""

import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from types import FrameType
from typing import Any, Final, NoReturn

from ludoteca.core.errors import LudotecaError
from ludoteca.core.workers import Failed, connect

CLEAN_UP_SECONDS: Final = 10.0
"""The seconds to end programs and delete files after the parent has ended."""


def main() -> None:
    """Do the jobs that the parent sends, one after another, until the connection closes."""
    signal.signal(signal.SIGTERM, _leave)
    with connect(CLEAN_UP_SECONDS) as connection, suppress(EOFError, ConnectionError):  # the parent needs no more results
        prepare: Callable[[Any], AbstractContextManager[Callable[[Any], Any]]]
        prepare, task = connection.recv()
        try:
            with prepare(task) as work:
                try:
                    while True:
                        job = connection.recv()
                        try:
                            connection.send(work(job))
                        except LudotecaError as error:
                            connection.send(Failed(str(error)))
                except (EOFError, ConnectionError):
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it would break off the clean-up
        except LudotecaError as error:
            connection.recv()
            connection.send(Failed(str(error)))


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  # the signature of a handler
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
