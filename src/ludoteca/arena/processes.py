"""Games in processes of this machine: a process that dies has its game played again by a new one."""

from collections import Counter
from collections.abc import Iterable
from multiprocessing.connection import wait
from typing import Final, Protocol

import msgspec

from ludoteca.arena.errors import ArenaError
from ludoteca.arena.playing import Done, Failed, Setup
from ludoteca.arena.results import Played
from ludoteca.core.formats import Fixture
from ludoteca.core.workers import LostWorkerError, Worker

TRIES: Final = 3
"""A game whose worker ended so often is not tried again."""


class Executor(Protocol):
    """What plays games, several at a time."""

    def free(self) -> int:
        """How many more games it takes now."""

    def start(self, fixture: Fixture) -> None:
        """Have a game played."""

    def wait(self) -> list[Played]:
        """Wait until something happens; the games that have finished, maybe none. Raises ArenaError."""

    def close(self) -> None:
        """End everything that was started."""


class _Worker(Worker):
    """A process and the game that it plays."""

    def __init__(self, setup: Setup) -> None:
        super().__init__("ludoteca.arena.worker", setup, setup.folder)
        self.fixture: Fixture | None = None

    def play(self, fixture: Fixture) -> None:
        self.fixture = fixture
        self.send(fixture)


class Processes:
    """So many workers, started when there is something to play."""

    def __init__(self, setup: Setup, number: int) -> None:
        self._setup = setup
        self._number = number
        self._workers: list[_Worker] = []
        self._tries: Counter[str] = Counter()

    def free(self) -> int:
        """How many workers have nothing to play."""
        return self._number - sum(worker.fixture is not None for worker in self._workers)

    def start(self, fixture: Fixture) -> None:
        """Have a free worker play the game."""
        idle = next((worker for worker in self._workers if not worker.fixture), None)
        if not idle:
            idle = _Worker(self._setup)
            self._workers.append(idle)
        idle.play(fixture)

    def wait(self) -> list[Played]:
        """Wait for workers; those that have died are replaced."""
        busy = {worker.connection: worker for worker in self._workers if worker.fixture}
        ready = wait(busy)
        games = (self._finish(worker) for connection, worker in busy.items() if connection in ready)
        return [played for played in games if played]

    def _finish(self, worker: _Worker) -> Played | None:
        """The game that a worker sends; None where it has died, and another one plays the game again."""
        fixture = worker.fixture
        assert fixture
        try:
            answer: Done | Failed = worker.receive()
        except LostWorkerError as error:
            self._replace(worker, fixture, error)
            return None
        if isinstance(answer, Failed):
            raise ArenaError(f"the game {fixture.key} cannot be played: {answer.why}")
        worker.fixture = None
        return msgspec.json.decode(answer.played, type=Played)

    def _replace(self, worker: _Worker, fixture: Fixture, how: LostWorkerError) -> None:
        self._workers.remove(worker)
        self._tries[fixture.key] += 1
        if self._tries[fixture.key] == TRIES:
            raise ArenaError(
                f"the game {fixture.key} was given up: {TRIES} processes ended while they played it, the last one {how}"
            )
        self.start(fixture)

    def close(self) -> None:
        """End the workers, and with them the players' programs."""
        _end_all(self._workers)
        self._workers.clear()


def _end_all(workers: Iterable[_Worker]) -> None:
    for worker in workers:
        worker.connection.close()  # all of them begin to end
    for worker in workers:
        worker.end()
