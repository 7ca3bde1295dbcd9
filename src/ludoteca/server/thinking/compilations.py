"""What is compiled beside the games, in a process of its own, while agents play interpreted rules."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from ludoteca.server.jobs import Compile, Finished, Progress, Valued
from ludoteca.server.refusals import RefusalError
from ludoteca.server.thinking.process import STARTING, Worker

WHOLE: Final = 100

Follower: TypeAlias = Callable[[int], None]
"""Is called with the percentage of functions that are compiled, whenever that has changed; WHOLE comes last."""

log: Final = logging.getLogger(__name__)


class Compilations:
    """The games whose search is being compiled or waits for it: one after the other, as each keeps a core busy."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._turn = asyncio.Lock()
        self._under_way: dict[tuple[str, bytes], _Compilation] = {}
        self.is_of_use = True
        """False once something was compiled and could not be kept for other processes, or could not be compiled at all:
        agents' processes then compile for themselves, and say what is wrong."""

    def begin(self, game: str, parameters: dict[str, Any]) -> None:
        """Have the search of a game compiled, unless that is under way."""
        key = _key(game, parameters)
        if key not in self._under_way and self.is_of_use:
            self._under_way[key] = made = _Compilation()
            made.task = asyncio.create_task(self._compile(made, Compile(game, parameters)))
            made.task.add_done_callback(lambda _: self._under_way.pop(key, None))

    def follow(self, game: str, parameters: dict[str, Any], follower: Follower) -> None:
        """Have a follower told how far it is, from now on until it is over. Each is told once of each change."""
        if made := self._under_way.get(_key(game, parameters)):
            made.followers[follower] = None
            follower(made.percent)

    async def _compile(self, made: "_Compilation", job: Compile) -> None:
        def listen(progress: Progress | Valued) -> None:
            if isinstance(progress, Progress):
                made.tell(min(WHOLE - 1, int(WHOLE * progress.share)))

        async with self._turn:
            try:
                result = await self._worker.ask(job, STARTING, listen)
                self.is_of_use = isinstance(result, Finished) and result.is_kept
            except (RefusalError, TimeoutError) as error:
                log.error("the search of %s is not compiled beside its games: %s", job.game, error)
                self.is_of_use = False
            if len(self._under_way) == 1:
                self._worker.stop()  # which frees what compiling takes
        made.tell(WHOLE)

    def stop(self) -> None:
        """End what is under way."""
        for made in self._under_way.values():
            if made.task:
                made.task.cancel()


class _Compilation:
    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.percent = 0
        self.followers: dict[Follower, None] = {}

    def tell(self, percent: int) -> None:
        if percent != self.percent:
            self.percent = percent
            for follower in self.followers:
                follower(percent)


def _key(game: str, parameters: dict[str, Any]) -> tuple[str, bytes]:
    return game, msgspec.json.encode(parameters)
