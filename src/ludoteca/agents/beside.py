"""Compiles a game's search in a separate process, while a player plays with interpreted rules.

`python -m ludoteca.agents.beside DESCRIPTOR` is the process (`core.workers`).
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
"""The niceness of the process, so that the game goes first."""


class Beside:
    """The process that compiles the search of a game. It ends with this process."""

    def __init__(self, game: "Game") -> None:
        self._worker = Worker("ludoteca.agents.beside", (game.name, game.parameters))
        self.share = 0.0
        """The share of compiled functions at the last call of `is_over`."""
        self._is_over = False

    def is_over(self) -> bool:
        """Return True if the process has ended, without waiting. The caller checks whether the code exists."""
        with suppress(LostWorkerError):
            while not self._is_over and self._worker.connection.poll():
                self._is_over = True  # until a message arrives
                self.share = self._worker.receive()
                self._is_over = False
        return self._is_over

    def end(self) -> None:
        """End the process."""
        if not self._is_over:
            self._is_over = True
            self._worker.end()


def main() -> None:
    """Compile, and report the progress."""
    connection = connect()
    warnings.simplefilter("ignore")  # the parent reports the same warnings
    name, parameters = connection.recv()
    os.nice(NICE)
    with suppress(LudotecaError, BrokenPipeError):  # the parent reports the first, too
        compile_search(load(name, **parameters), connection.send)


if __name__ == "__main__":
    main()
