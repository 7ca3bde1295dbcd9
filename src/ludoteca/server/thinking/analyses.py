"""What the moves of finished games were worth: each game is analysed once, and what was found is kept for a while."""

import asyncio
from collections import OrderedDict
from typing import Any, Final

import msgspec

from ludoteca.agents.analysis import MoveValue, costly, stake, unsure
from ludoteca.core.game import State
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.room import Room
from ludoteca.server.settings import Settings
from ludoteca.server.thinking.workers import THINKING, Analyse, Progress, Valued, Workers

SIMULATIONS: Final = 2000
"""For each search, two a move or more."""
KEPT: Final = 100


class Analysis(msgspec.Struct):
    """How far it is. `state` is `waiting`, `compiling`, `thinking`, `done` or `failed`.

    One that is done has fewer moves than `total` if its time was up before.
    """

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

    def __init__(self, workers: Workers, settings: Settings) -> None:
        self._workers = workers
        self._settings = settings
        self._found: OrderedDict[str, Analysis] = OrderedDict()
        self._tasks: dict[asyncio.Task[None], str] = {}
        """Those under way or waiting, with the addresses that asked for them."""

    def find(self, name: str) -> Analysis | None:
        """A room's, if it was asked for."""
        return self._found.get(name)

    def begin(self, room: Room, address: str) -> Analysis:
        """Have a room's game analysed for that address, if it is not yet. Raises RefusalError."""
        if not room.table.is_over:
            raise RefusalError("running")
        name = room.table.row.id
        found = self._found.get(name)
        if found is None or found.state == "failed":
            mine = sum(other == address for other in self._tasks.values())
            if len(self._tasks) >= self._settings.analyses or mine >= self._settings.analyses_of_address:
                raise RefusalError("busy")
            found = self._found[name] = Analysis(room.table.ply, room.table.game.utility())
            task = asyncio.create_task(self._analyse(found, room.table.state, address))
            self._tasks[task] = address
            task.add_done_callback(self._tasks.pop)
            while len(self._found) > KEPT:
                self._found.popitem(last=False)
        return found

    async def _analyse(self, found: Analysis, state: State, address: str) -> None:
        def listen(progress: Progress | Valued) -> None:
            if isinstance(progress, Valued):
                found.state = THINKING
                found.moves.append(progress)
            else:
                found.state = progress.what

        job = Analyse(await asyncio.to_thread(state.serialize), SIMULATIONS)
        try:
            await self._workers.analyse(job, address, listen)
        except RefusalError as refusal:
            found.state, found.why = "failed", str(refusal)
            return
        except TimeoutError:
            found.why = f"{self._settings.analysis:g} s are over"
            if not found.moves:
                found.state = "failed"
                return
        moves = [MoveValue(*msgspec.structs.astuple(move)) for move in found.moves]
        found.stake = stake(state, moves)
        found.costly = [move.number for move in costly(moves, found.stake)]
        found.unsure = [move.number for move in unsure(moves, found.stake)]
        found.state = "done"

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
