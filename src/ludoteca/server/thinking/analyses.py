"""Analyses of finished games: estimates of the value of each move, with which players find their mistakes. Each game is
analysed once. The results of the last MOST_KEPT games are kept in memory.
"""

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ludoteca.agents.analysis import MoveValue, costly, stake, unsure
from ludoteca.core.game import State
from ludoteca.server.jobs import THINKING, WHOLE, Analyse, Progress, Valued
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Settings

if TYPE_CHECKING:  # a page has no processes
    from ludoteca.server.thinking.workers import Workers

NONE: Final = "none"
SIMULATIONS: Final = 2000
"""The number of simulations of each search. The analysis of a move takes at least two searches."""
MOST_KEPT: Final = 100


class Analysis(msgspec.Struct):
    """An analysis of a game and its progress. `state` is `none` until a client asks for the analysis. Then it is `waiting`,
    `compiling` or `thinking`, and at the end `done`, or `failed` with the reason in `why`.

    `total` is the number of moves of the game. If the time of the analysis was up, `moves` has fewer moves when it is done.
    `utility` is `win` if values are shares of a win, else `points`. `stake` is the most that a player can win or lose: 1 in
    a game for wins, else the range of the expected points.
    """

    total: int
    utility: str
    state: str = NONE
    percent: int = 0
    """The percentage of functions that are compiled. Compiling comes before the first move is valued."""
    moves: list[Valued] = []
    costly: list[int] = []
    """The numbers of the moves whose cost is high enough to be certain."""
    unsure: list[int] = []
    """The numbers of the moves of which the analysis cannot say whether they cost much or nothing."""
    stake: float = 1.0
    why: str = ""

    def conclude(self, last: State) -> None:
        """Set the state to `done`, and find the costly moves among the moves that were valued. `last` is the last state of
        the game.
        """
        moves = [MoveValue(*msgspec.structs.astuple(move)[: len(MoveValue._fields)]) for move in self.moves]
        self.stake = stake(last, moves)
        self.costly = [move.number for move in costly(moves, self.stake)]
        self.unsure = [move.number for move in unsure(moves, self.stake)]
        self.state = "done"


class Analyses:
    """The analyses of all rooms."""

    def __init__(self, workers: "Workers", settings: Settings) -> None:
        self._workers = workers
        self._settings = settings
        self._found: OrderedDict[str, Analysis] = OrderedDict()
        self._tasks: dict[asyncio.Task[None], str] = {}
        """The analyses that run or wait, each with the address of the client that asked for it."""

    def find(self, name: str, last: State) -> Analysis:
        """Return the analysis of the game in the room `name`. `last` is the last state of the game. If no client has asked
        for an analysis, return one with the state `none` and without moves.
        """
        return self._found.get(name) or Analysis(len(last.history()), last.game.utility())

    def begin(self, name: str, last: State, address: str) -> Analysis:
        """Start the analysis of the game in the room `name`, unless it was started before, and return it. A failed analysis
        is started again. `last` is the last state of the game, and `address` the address of the client.

        Raises RefusalError (`busy`) if as many analyses run or wait as the settings allow, in all or for this address.
        """
        found = self._found.get(name)
        if found is None or found.state == "failed":
            mine = sum(other == address for other in self._tasks.values())
            if len(self._tasks) >= self._settings.analyses or mine >= self._settings.analyses_of_address:
                raise RefusalError("busy")
            found = self._found[name] = Analysis(len(last.history()), last.game.utility(), "waiting")
            task = asyncio.create_task(self._analyse(found, last, address))
            self._tasks[task] = address
            task.add_done_callback(self._tasks.pop)
            while len(self._found) > MOST_KEPT:
                self._found.popitem(last=False)
        return found

    async def _analyse(self, found: Analysis, last: State, address: str) -> None:
        def listen(progress: Progress | Valued) -> None:
            if isinstance(progress, Valued):
                found.state = THINKING
                found.moves[progress.number - 1 :] = [progress]  # an analysis begins again if its process ends
            else:
                found.state, found.percent = progress.what, int(WHOLE * progress.share)

        job = Analyse(await asyncio.to_thread(last.serialize), SIMULATIONS)
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
        found.conclude(last)

    async def stop(self) -> None:
        """Cancel all analyses that run or wait."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def as_object(analysis: Analysis) -> dict[str, Any]:
    """Return the analysis as the JSON object that the page gets."""
    found: dict[str, Any] = msgspec.to_builtins(analysis)
    for move in found["moves"]:
        del move["type"]
    return found
