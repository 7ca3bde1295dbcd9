"""All processes that work for the server. There is a group of processes for each kind of job. If jobs have to wait for a
process of their group, the addresses of clients take turns.
"""

import asyncio
import time
from functools import lru_cache
from typing import Final

import msgspec

from ludoteca.agents.agent import budget_of
from ludoteca.core import registry
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import load
from ludoteca.search.searcher import Budget
from ludoteca.server import jobs
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Settings
from ludoteca.server.shares import Turns
from ludoteca.server.thinking.compilations import Compilations
from ludoteca.server.thinking.pauses import Pauses
from ludoteca.server.thinking.process import ThinkingProcess

NICE: Final = 10
"""The niceness of the processes, which is higher than that of the server, so that the server gets the processor first."""
NICE_BESIDE: Final = 15
"""The niceness of processes that analyse, draw or compile, so that the processes of agents get the processor first."""
TIMES: Final = 10.0
"""An agent may take TIMES the seconds of its budget, because on a busy machine it gets only a part of a core."""
DRAWING_SECONDS: Final = 60.0
SLOWEST: Final = 100.0
"""Simulations a second that the longest game reaches on the slowest machine: a fiftieth of the measured number."""

GAMES: Final = 256
"""The number of entries in the cache of `_budget_of`: games with their parameters and an agent."""


class Workers:
    """All processes that work for the server.

    Agents that search share several processes. Agents that answer at once have another process, so that they never wait for
    a search. There is one process each for analyses (which take minutes), uploaded records, compilation and animated
    pictures.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._searchers = [ThinkingProcess(NICE) for _ in range(max(1, settings.workers))]
        self._simple, self._reader = ThinkingProcess(NICE), ThinkingProcess(NICE)
        self._analyst, self._compiler, self._drawer = (ThinkingProcess(NICE_BESIDE) for _ in range(3))
        self.compilations = Compilations(self._compiler)
        self._pauses = Pauses()
        self.turns_to_search = Turns(self._searchers)
        self._turns_to_answer = Turns([self._simple])
        self._turns_to_analyse = Turns([self._analyst])  # those that wait are limited in `Analyses`
        self._turns_to_draw = Turns([self._drawer], settings.analyses, settings.analyses_of_address)
        self._turns_to_read = Turns([self._reader], settings.records, settings.records_of_address)

    async def think(self, job: jobs.Think, whose: str = "", listen: jobs.Listener = jobs.ignore_progress) -> jobs.Thought:
        """Let an agent choose an action for a client at the address `whose`. `listen` is called with the progress. If the
        code of the search is not compiled yet, its compilation starts at the same time.

        In a game with hidden cards, an early answer is delayed (`thinking.pauses`), except for a hint. Raises RefusalError
        if there is no such agent or if its process dies (`thinking`), or if it takes far too long (`late`).
        """
        began: float | None = None  # None while rules are compiled, too: others have no such time

        def hear(progress: jobs.Progress | jobs.Valued) -> None:
            nonlocal began
            began = None if isinstance(progress, jobs.Progress) and progress.what == jobs.COMPILING else time.monotonic()
            if isinstance(progress, jobs.Progress) and progress.what == jobs.INTERPRETED:
                self.compilations.begin(job.game, job.parameters)
            else:
                listen(progress)

        job.waits = not self.compilations.is_of_use
        try:
            budget = _budget_of(job.agent, job.game, msgspec.json.encode(job.parameters))
        except ParameterError as error:
            raise RefusalError("thinking", error.message) from None
        seconds = self._settings.thought + (most_seconds(budget) if budget else 0)
        turns = self.turns_to_search if budget else self._turns_to_answer
        try:
            async with turns.turn(whose) as process:
                thought = await process.ask(job, seconds, hear, jobs.Thought)
        except TimeoutError:
            raise RefusalError("late", job.agent, round(seconds)) from None
        if budget and began and not job.explain and not registry.find(job.game).perfect_information:
            took = time.monotonic() - began
            await asyncio.sleep(self._pauses.after(job, budget, took, is_early=thought.is_early))
        return thought

    async def analyse(self, job: jobs.Analyse, whose: str, listen: jobs.Listener = jobs.ignore_progress) -> jobs.Finished:
        """Analyse a game for a client at the address `whose`. `listen` is called with the value of each move. Raises
        TimeoutError if the time is up, and RefusalError if the process dies or refuses the job.
        """
        async with self._turns_to_analyse.turn(whose) as process:
            return await process.ask(job, self._settings.analysis, listen, jobs.Finished)

    async def read(self, job: jobs.Read, whose: str) -> jobs.Found:
        """Read and replay an uploaded record for a client at the address `whose`.

        Raises RefusalError if the text is not a record of a game of this server (`record`, `game`), if it takes too long
        (`costly`), or if too many records wait (`busy`).
        """
        try:
            async with self._turns_to_read.turn(whose) as process:
                return await process.ask(job, self._settings.reading, jobs.ignore_progress, jobs.Found)
        except TimeoutError:
            raise RefusalError("costly", round(self._settings.reading)) from None

    async def animate(self, job: jobs.Animate, whose: str) -> bytes:
        """Return a game as the bytes of a GIF file, for a client at the address `whose`.

        Raises RefusalError if it takes too long (`late`), or if too many files wait to be drawn (`busy`).
        """
        async with self._turns_to_draw.turn(whose) as process:
            try:
                return (await process.ask(job, DRAWING_SECONDS, jobs.ignore_progress, jobs.Animated)).content
            except TimeoutError:
                raise RefusalError("late", "GIF", round(DRAWING_SECONDS)) from None
            finally:
                await process.stop()  # which frees the memory of all frames

    async def close(self) -> None:
        """End all processes."""
        await self.compilations.stop()
        for process in (*self._searchers, self._simple, self._analyst, self._reader, self._compiler, self._drawer):
            await process.stop()


@lru_cache(GAMES)
def _budget_of(agent: str, game: str, parameters: bytes) -> Budget | None:
    return budget_of(agent, load(game, **msgspec.json.decode(parameters)))


def most_seconds(budget: Budget) -> float:
    """Return the seconds that a search with this budget may take before it is stopped. They suffice on a slow and busy
    machine.
    """
    return TIMES * (budget.seconds or budget.cpu or 0) + (budget.simulations or 0) / SLOWEST
