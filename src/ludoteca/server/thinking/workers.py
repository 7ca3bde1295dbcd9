"""The processes that think, analyse and read records, so that the server's loop is free: how they are asked.

A process reads jobs from its standard input and writes replies to its standard output, each after its length (`worker.py` is
its side). It ends with the server, whose end closes its input. A process that dies is started again, and so
is one that takes too long, which nothing else would end.
"""

import asyncio
import logging
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

import msgspec

from ludoteca.agents.agent import budget_of
from ludoteca.agents.explain import Advice
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import load
from ludoteca.search.searcher import Budget
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Settings
from ludoteca.server.shares import Turns

WORKER: Final = "ludoteca.server.thinking.worker"
"""The module that a process runs."""
LENGTH: Final = 4
"""Bytes of the length before every frame, the highest first."""
NICE: Final = 10
"""The niceness of the processes, so that the server goes first."""
NICE_ANALYSIS: Final = 15
STARTING: Final = 300.0
"""Seconds for what comes before the work itself: the start of the process, code that is compiled here or elsewhere."""
TIMES: Final = 10.0
"""An agent may take TIMES the seconds of its budget: a busy machine gives it a part of a core."""
SLOWEST: Final = 100.0
"""Simulations a second that the slowest machine makes of the longest game: a fiftieth of what was measured."""

GAMES: Final = 256
"""Games, each with its parameters and an agent, whose budgets are kept ready."""

COMPILING: Final = "compiling"
THINKING: Final = "thinking"

log: Final = logging.getLogger(__name__)


class Think(msgspec.Struct, tag="think"):
    """A job: choose an action, from what a seat knows."""

    game: str
    parameters: dict[str, Any]
    player: int
    view: bytes
    seen: tuple[int, ...]
    agent: str
    seed: bytes
    explain: bool = False


class Analyse(msgspec.Struct, tag="analyse"):
    """A job: value the moves of a finished game."""

    record: str
    simulations: int


class Read(msgspec.Struct, tag="read"):
    """A job: read a record from outside, and play it again."""

    text: str


Job: TypeAlias = Think | Analyse | Read


class Progress(msgspec.Struct, tag="progress"):
    """The process says what it is doing: COMPILING or THINKING."""

    what: str


class Thought(msgspec.Struct, tag="thought"):
    """The chosen action; if it was asked for, also its value and the reason."""

    action: int
    value: float = 0.0
    advice: Advice | None = None


class Valued(msgspec.Struct, tag="valued"):
    """The value of one move: `agents.analysis.MoveValue`."""

    number: int
    player: int
    action: str
    values: tuple[float, ...]
    cost: float
    interval: tuple[float, float]
    certain: bool
    better: tuple[str, ...]


class Finished(msgspec.Struct, tag="finished"):
    """All moves have been valued."""


class Found(msgspec.Struct, tag="found"):
    """The game of a record."""

    game: str
    parameters: dict[str, Any]
    seed: bytes
    """The seed of its deal; empty when it starts from a position."""
    text: str
    """The record as this server writes it, without anything else that its sender may have put in."""


class Failed(msgspec.Struct, tag="failed"):
    """The job cannot be done: the code of the refusal, and its argument."""

    code: str
    why: str


Reply: TypeAlias = Progress | Thought | Valued | Finished | Found | Failed
Result: TypeAlias = Thought | Finished | Found
Wanted = TypeVar("Wanted", Thought, Finished, Found)
Listener: TypeAlias = Callable[[Progress | Valued], None]

_decoder: Final = msgspec.msgpack.Decoder(Reply)


def frame(what: Job | Reply) -> bytes:
    """A job or a reply with its length."""
    data = msgspec.msgpack.encode(what)
    return len(data).to_bytes(LENGTH, "big") + data


def ignore_progress(_: Progress | Valued) -> None:
    """Drop the progress of a job."""


class Worker:
    """One process: started when it is first asked, and asked one thing at a time."""

    def __init__(self, nice: int) -> None:
        self._nice = nice
        self._process: asyncio.subprocess.Process | None = None
        self._ending: set[asyncio.Task[int]] = set()

    async def ask(self, job: Job, seconds: float, listen: Listener) -> Result:
        """Have a job done. Raises RefusalError when it cannot be, and when the process ends, and TimeoutError.

        The seconds are for the work itself; what comes before has STARTING. A process that takes longer is ended, and so is
        one whose job is cancelled: nothing else makes it stop.
        """
        is_new = self._process is None or self._process.returncode is not None
        try:
            async with asyncio.timeout(STARTING if is_new else seconds) as limit:
                if self._process is None or self._process.returncode is not None:
                    pipe = asyncio.subprocess.PIPE
                    self._process = await asyncio.create_subprocess_exec(
                        sys.executable, "-m", WORKER, str(self._nice), stdin=pipe, stdout=pipe, process_group=0
                    )  # in a group of its own: Ctrl-C in the terminal is for the server, which ends it
                return await _converse(self._process, job, seconds, limit, listen)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.stop()
            raise RefusalError("thinking", "the process ended") from None
        except (asyncio.CancelledError, TimeoutError):
            self.stop()
            raise

    def stop(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            ending = asyncio.create_task(self._process.wait())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
        self._process = None

    async def ended(self) -> None:
        """Stop, and wait until all that it was has ended: the loop has to be there for it."""
        self.stop()
        await asyncio.gather(*self._ending)


async def _converse(
    process: asyncio.subprocess.Process, job: Job, seconds: float, limit: asyncio.Timeout, listen: Listener
) -> Result:
    """Send a job and wait for its result; every progress that the process reports sets the limit anew."""
    if process.stdin is None or process.stdout is None:
        raise ConnectionError("a worker without pipes")
    process.stdin.write(frame(job))
    await process.stdin.drain()
    while True:
        length = int.from_bytes(await process.stdout.readexactly(LENGTH), "big")
        reply = _decoder.decode(await process.stdout.readexactly(length))
        if isinstance(reply, Failed):
            raise RefusalError(reply.code, reply.why)
        if isinstance(reply, Result):
            return reply
        if isinstance(reply, Progress):
            limit.reschedule(asyncio.get_running_loop().time() + (seconds if reply.what == THINKING else STARTING))
        listen(reply)


class Workers:
    """All processes, a group for each kind of job, with turns between the addresses that ask.

    Agents that search have several. Agents that answer at once have one of their own, so that they wait for no search.
    Analyses, which take minutes each, have one, and records from outside have one.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._searchers = [Worker(NICE) for _ in range(max(1, settings.workers))]
        self._simple, self._analyst, self._reader = Worker(NICE), Worker(NICE_ANALYSIS), Worker(NICE)
        self._turns_to_search = Turns(self._searchers)
        self._turns_to_answer = Turns([self._simple])
        self._turns_to_analyse = Turns([self._analyst])  # those that wait are limited in `Analyses`
        self._turns_to_read = Turns([self._reader], settings.records, settings.records_of_address)

    async def think(self, job: Think, whose: str = "", listen: Listener = ignore_progress) -> Thought:
        """Have an agent choose, for that address. Raises RefusalError, and `late` for an agent that takes far too long."""
        try:
            budget = _budget_of(job.agent, job.game, msgspec.json.encode(job.parameters))
        except ParameterError as error:
            raise RefusalError("thinking", str(error)) from None
        turns, seconds = self._turns_to_answer, self._settings.thought
        if budget:
            turns = self._turns_to_search
            seconds += most_seconds(budget)
        async with turns.turn(whose) as worker:
            try:
                return _expect(Thought, await worker.ask(job, seconds, listen))
            except TimeoutError:
                raise RefusalError("late", job.agent, round(seconds)) from None

    async def analyse(self, job: Analyse, whose: str, listen: Listener = ignore_progress) -> Finished:
        """Value a game's moves, for that address. Raises RefusalError, and TimeoutError when the time for it is up."""
        async with self._turns_to_analyse.turn(whose) as worker:
            return _expect(Finished, await worker.ask(job, self._settings.analysis, listen))

    async def read(self, job: Read, whose: str) -> Found:
        """Read a record, for that address. Raises RefusalError, and `costly` for one that takes too long."""
        async with self._turns_to_read.turn(whose) as worker:
            try:
                return _expect(Found, await worker.ask(job, self._settings.reading, ignore_progress))
            except TimeoutError:
                raise RefusalError("costly", round(self._settings.reading)) from None

    async def close(self) -> None:
        """End all processes."""
        for worker in (*self._searchers, self._simple, self._analyst, self._reader):
            await worker.ended()


@lru_cache(GAMES)
def _budget_of(agent: str, game: str, parameters: bytes) -> Budget | None:
    return budget_of(agent, load(game, **msgspec.json.decode(parameters)))


def most_seconds(budget: Budget) -> float:
    """The seconds that a search with this budget may take on a slow and busy machine."""
    return TIMES * (budget.seconds or budget.cpu or 0) + (budget.simulations or 0) / SLOWEST


def _expect(kind: type[Wanted], result: Result) -> Wanted:
    if not isinstance(result, kind):
        raise RefusalError("thinking", f"read {type(result).__name__}, expected {kind.__name__}")
    return result
