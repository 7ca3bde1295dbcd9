"""A process that plays games: `python -m ludoteca.arena.worker DESCRIPTOR` reads fixtures there and answers with games.

It ends when the other end of the connection closes, in the midst of a game, too: then the arena has ended.
"""

import signal
import sys
from types import FrameType
from typing import Final, NoReturn

from ludoteca.arena.playing import Playing, Setup, answer
from ludoteca.core.workers import connect

GRACE: Final = 10.0
"""Seconds to end the players' programs once the arena has gone; then the process ends without."""


def main() -> None:
    """Play what is asked for, one game after the other."""
    signal.signal(signal.SIGTERM, _leave)
    with connect(GRACE) as connection:
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


if __name__ == "__main__":
    main()
