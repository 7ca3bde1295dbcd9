"""A process that plays games: `python -m ludoteca.arena.worker DESCRIPTOR` reads fixtures there and answers with games.

It ends when the other end of the connection closes, in the midst of a game, too: then the arena has ended.
"""

import os
import select
import signal
import sys
import threading
from multiprocessing.connection import Connection
from types import FrameType
from typing import Final, NoReturn

from ludoteca.arena.playing import Playing, Setup, answer
from ludoteca.core.errors import warn_in_one_line

GRACE: Final = 10.0
"""Seconds to end the players' programs once the arena has gone; then the process ends without."""


def main() -> None:
    """Play what is asked for, one game after the other."""
    warn_in_one_line()
    connection: Connection = Connection(int(sys.argv[1]))
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_leave_with, args=(connection.fileno(),), daemon=True).start()
    with connection:
        setup: Setup = connection.recv()
        playing = Playing(setup)
        try:
            while True:
                connection.send(answer(playing, connection.recv()))
        except (EOFError, ConnectionError):
            pass
        finally:
            playing.close()


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  # what a handler is called with
    sys.exit(128 + number)


def _leave_with(descriptor: int) -> None:
    """Wait until the other end is closed; end this process then, and what it is doing."""
    poll = select.poll()
    poll.register(descriptor, 0)  # a hang-up is always told
    poll.poll()
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(GRACE)
    os._exit(1)


if __name__ == "__main__":
    main()
