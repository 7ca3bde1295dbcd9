"""What the moves of finished games were worth: each game is analysed once, and what was found is kept for a while."""

import asyncio
from collections import OrderedDict
from typing import Any, Final

import msgspec

from ludoteca.server.refusals import RefusalError
from ludoteca.server.room import Room
from ludoteca.server.workers import THINKING, Analyse, Progress, Valued, Workers

SIMULATIONS: Final = 2000
"""For each search, two a move or more."""
KEPT: Final = 100
WAITING: Final = 10
"""So many may be under way or wait, with those that are."""


class Analysis(msgspec.Struct):
    """How far it is. `state` is `waiting`, `compiling`, `thinking`, `done` or `failed`."""

    total: int
    utility: str
    state: str = "waiting"
    moves: list[Valued] = []
    costly: list[int] = []
    """The numbers of the moves that surely cost most."""
    unsure: list[int] = []
    """The numbers of those that may have cost much or nothing."""
    stake: float = 1.0
    why: str = ""


class Analyses:
    """Those of all rooms."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._found: OrderedDict[str, Analysis] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def find(self, name: str) -> Analysis | None:
        """A room's, if it was asked for."""
        return self._found.get(name)

    def begin(self, room: Room) -> Analysis:
        """Have a room's game analysed, if it is not yet. Raises RefusalError."""
        if not room.table.is_over:
            raise RefusalError("running")
        name = room.table.row.id
        found = self._found.get(name)
        if found is None or found.state == "failed":
            if len(self._tasks) >= WAITING:
                raise RefusalError("busy")
            found = self._found[name] = Analysis(room.table.ply, room.table.game.utility())
            task = asyncio.create_task(self._analyse(found, room))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            while len(self._found) > KEPT:
                self._found.popitem(last=False)
        return found

    async def _analyse(self, found: Analysis, room: Room) -> None:
        def listen(progress: Progress | Valued) -> None:
            if isinstance(progress, Valued):
                found.state = THINKING
                found.moves.append(progress)
            else:
                found.state = progress.what

        job = Analyse(await asyncio.to_thread(room.table.state.serialize), SIMULATIONS)
        try:
            finished = await self._workers.analyse(job, listen)
        except RefusalError as refusal:
            found.state, found.why = "failed", str(refusal)
        else:
            found.state, found.stake = "done", finished.stake
            found.costly, found.unsure = finished.costly, finished.unsure

    def stop(self) -> None:
        """End what is under way."""
        for task in self._tasks:
            task.cancel()


def as_object(analysis: Analysis) -> dict[str, Any]:
    """What the page is told."""
    found: dict[str, Any] = msgspec.to_builtins(analysis)
    for move in found["moves"]:
        del move["type"]
    return found
