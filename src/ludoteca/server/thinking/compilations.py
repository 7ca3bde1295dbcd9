"""Compiles the functions with which agents search, in another process. Agents play with interpreted rules, and weaker, until
the functions of their game are compiled.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from ludoteca.server.jobs import WHOLE, Compile, Finished, Listener, Progress, Valued
from ludoteca.server.refusals import RefusalError
from ludoteca.server.thinking.process import STARTING, LostProcessError, ThinkingProcess

STAND_BACK_SECONDS: Final = 120.0
"""Seconds for which a compilation has a low priority. Then it gets the usual one: on a busy machine it would take hours."""

Follower: TypeAlias = Callable[[int], None]
"""Called with the percentage of compiled functions each time it rises. The last call is with WHOLE (100)."""

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
    """The games whose search functions are being compiled or wait for it. Only one game is compiled at a time, because each
    compilation keeps a core busy.
    """

    def __init__(self, process: ThinkingProcess) -> None:
        self._process = process
        self._turn = asyncio.Lock()
        self._under_way: dict[tuple[str, bytes], _Compilation] = {}
        self.is_of_use = True
        """False if code could not be compiled, or if compiled code could not be saved for other processes. The processes of
        agents then compile for themselves, and report the problem."""

    def begin(self, game: str, parameters: dict[str, Any]) -> None:
        """Start compiling the search functions of a game, unless this is in progress."""
        key = _key(game, parameters)
        if key not in self._under_way and self.is_of_use:
            made = self._under_way[key] = _Compilation()
            made.task = asyncio.create_task(self._compile(made, Compile(game, parameters)))
            made.task.add_done_callback(lambda _: self._under_way.pop(key, None))

    def follow(self, game: str, parameters: dict[str, Any], follower: Follower) -> None:
        """Call `follower` with the present percentage now, and with each higher percentage until the compilation of the game
        is over. If the game is not being compiled, do nothing.
        """
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
        """Have a process do a job at a low priority. If that takes longer than STAND_BACK_SECONDS, start the job again at
        the usual priority. Return the reply.
        """
        try:
            async with asyncio.timeout(STAND_BACK_SECONDS):
                return await self._process.ask(job, STARTING, listen, Finished)
        except TimeoutError:
            log.warning("the machine is busy: the search of %s is compiled at the usual priority", job.game)
        return await self._process.ask(msgspec.structs.replace(job, hurries=True), STARTING, listen, Finished)

    async def stop(self) -> None:
        """Cancel all compilations that run or wait."""
        tasks = [made.task for made in self._under_way.values() if made.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _key(game: str, parameters: dict[str, Any]) -> tuple[str, bytes]:
    return game, msgspec.json.encode(parameters)
