"""Compilations in another process, while agents play by interpreted rules."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from ludoteca.server.jobs import WHOLE, Compile, Finished, Listener, Progress, Valued
from ludoteca.server.refusals import RefusalError
from ludoteca.server.thinking.process import STARTING, LostProcessError, ThinkingProcess

STAND_BACK_SECONDS: Final = 120.0
"""The time in which a compilation has a low priority. Then it gets the usual one: on a busy machine it would take hours."""

Follower: TypeAlias = Callable[[int], None]
"""Is called with the percentage of functions that are compiled, whenever that has changed. WHOLE comes last."""

log: Final = logging.getLogger(__name__)


class _Compilation:
    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.percent = 0
        self.followers: dict[Follower, None] = {}

    def reach(self, percent: int) -> None:
        if percent > self.percent:  # a job that begins again has less
            self.percent = percent
            for follower in self.followers:
                follower(percent)


class Compilations:
    """The games whose search is being compiled or waits for it: one after the other, because each keeps a core busy."""

    def __init__(self, process: ThinkingProcess) -> None:
        self._process = process
        self._turn = asyncio.Lock()
        self._under_way: dict[tuple[str, bytes], _Compilation] = {}
        self.is_of_use = True
        """False if code was compiled that could not be kept for other processes, or if code could not be compiled. The
        processes of agents then compile for themselves, and report what is wrong."""

    def begin(self, game: str, parameters: dict[str, Any]) -> None:
        """Have the search of a game compiled, unless that is under way."""
        key = _key(game, parameters)
        if key not in self._under_way and self.is_of_use:
            made = self._under_way[key] = _Compilation()
            made.task = asyncio.create_task(self._compile(made, Compile(game, parameters)))
            made.task.add_done_callback(lambda _: self._under_way.pop(key, None))

    def follow(self, game: str, parameters: dict[str, Any], follower: Follower) -> None:
        """Have a follower called from now on until the compilation is over."""
        if made := self._under_way.get(_key(game, parameters)):
            made.followers[follower] = None
            follower(made.percent)

    async def _compile(self, made: _Compilation, job: Compile) -> None:
        def listen(progress: Progress | Valued) -> None:
            if isinstance(progress, Progress):
                made.reach(min(WHOLE - 1, int(WHOLE * progress.share)))

        async with self._turn:
            try:
                self.is_of_use = (await self._finish(job, listen)).is_kept
            except LostProcessError as error:  # the next thought by interpreted rules begins it again
                log.error("the search of %s is not compiled yet: %s", job.game, error)
            except (RefusalError, TimeoutError) as error:
                log.error("the search of %s is not compiled next to its games: %s", job.game, error)
                self.is_of_use = False
            if len(self._under_way) == 1:
                await self._process.stop()  # which frees the memory that compiling takes
        made.reach(WHOLE)

    async def _finish(self, job: Compile, listen: Listener) -> Finished:
        """Do a job at a low priority, or at the usual one if that takes longer than STAND_BACK_SECONDS."""
        try:
            async with asyncio.timeout(STAND_BACK_SECONDS):
                return await self._process.ask(job, STARTING, listen, Finished)
        except TimeoutError:
            log.warning("the machine is busy: the search of %s is compiled at the usual priority", job.game)
        return await self._process.ask(msgspec.structs.replace(job, hurries=True), STARTING, listen, Finished)

    async def stop(self) -> None:
        """End what is under way."""
        tasks = [made.task for made in self._under_way.values() if made.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _key(game: str, parameters: dict[str, Any]) -> tuple[str, bytes]:
    return game, msgspec.json.encode(parameters)
