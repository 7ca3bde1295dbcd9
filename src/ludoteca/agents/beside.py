"""A game's search, compiled by a process of its own while somebody plays interpreted: both sides of it.

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
    """The search of one game, which is being compiled. It ends with this process."""

    def __init__(self, game: "Game") -> None:
        self._worker = Worker("ludoteca.agents.beside", (game.name, game.parameters))
        self.share = 0.0
        """Of the functions, as far as `is_over` has read."""
        self._is_over = False

    def is_over(self) -> bool:
        """True when the process has ended; whether the code is there then has to be looked at. Does not wait."""
        with suppress(LostWorkerError):
            while not self._is_over and self._worker.connection.poll():
                self._is_over = True  # unless it says something
                self.share = self._worker.receive()
                self._is_over = False
        return self._is_over

    def end(self) -> None:
        """End the process."""
        if not self._is_over:
            self._is_over = True
            self._worker.end()


def main() -> None:
    """Compile, and say how far it is."""
    connection = connect()
    warnings.simplefilter("ignore")  # whoever asked finds the same, and says so
    name, parameters = connection.recv()
    os.nice(NICE)
    with suppress(LudotecaError, BrokenPipeError):  # the first is found and said by whoever asked, too
        compile_search(load(name, **parameters), connection.send)


if __name__ == "__main__":
    main()
