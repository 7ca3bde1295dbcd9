"""Compiles a game's search in a separate process, so that an agent can already play with interpreted rules in this one.

`python -m ludoteca.agents.beside DESCRIPTOR` is the program of that process. DESCRIPTOR is the number of its socket to this
process (`core.workers`).
"""

import os
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ludoteca.agents.warming import compile_search
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import load
from ludoteca.core.workers import LostWorkerError, Worker, connect

if TYPE_CHECKING:
    from ludoteca.core.game import Game

NICE: Final = 10
"""The niceness (low priority) of the compiling process, so that the game keeps most of the processor's time."""


class Beside:
    """A running process that compiles the search of a game. It ends when this process ends."""

    def __init__(self, game: "Game") -> None:
        self._worker = Worker("ludoteca.agents.beside", (game.name, game.parameters))
        self.share = 0.0
        """The share of the functions, from 0 to 1, that were compiled at the last call of `is_over`."""
        self._is_over = False

    def is_over(self) -> bool:
        """Return True if the process has ended. This does not wait. The process may have failed, so the caller must check
        whether the compiled code exists.
        """
        with suppress(LostWorkerError):
            while not self._is_over and self._worker.connection.poll():
                self._is_over = True  # until a message arrives
                self.share = self._worker.receive()
                self._is_over = False
        return self._is_over

    def end(self) -> None:
        """End the process, even if it is still compiling."""
        if not self._is_over:
            self._is_over = True
            self._worker.end()


def main() -> None:
    """Compile the search of a game, and send the share of compiled functions to the parent process again and again."""
    connection = connect()
    warnings.simplefilter("ignore")  # the parent reports the same warnings
    name, parameters = connection.recv()
    os.nice(NICE)
    with suppress(LudotecaError, BrokenPipeError):  # the parent reports the first, too
        compile_search(load(name, **parameters), connection.send)


if __name__ == "__main__":
    main()
