"""Processes in which agents think, so that the server's loop is free: how they are asked, and what they answer.

A process reads jobs from its standard input and writes answers to its standard output, each with its length before it
(`worker.py` is its side). It ends with the server, whose end closes its input; one that dies is started again.
"""

import asyncio
import logging
import sys
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from ludoteca.server.refusals import RefusalError

LENGTH: Final = 4
"""Bytes before every frame, the highest first."""
NICE: Final = 10
"""How far they stand back for the server."""
NICE_ANALYSIS: Final = 15

COMPILING: Final = "compiling"
THINKING: Final = "thinking"

log: Final = logging.getLogger(__name__)


class Think(msgspec.Struct, tag="think"):
    """Choose an action, from what a seat knows."""

    game: str
    parameters: dict[str, Any]
    player: int
    view: bytes
    seen: tuple[int, ...]
    agent: str
    seed: bytes
    explain: bool = False


class Analyse(msgspec.Struct, tag="analyse"):
    """Value the moves of a finished game."""

    record: str
    simulations: int


Job: TypeAlias = Think | Analyse


class Progress(msgspec.Struct, tag="progress"):
    """What is being done now."""

    what: str


class Thought(msgspec.Struct, tag="thought"):
    """The action, and why if it was asked: in words, what it is worth, and how the game may go on."""

    action: int
    text: str = ""
    value: float = 0.0
    line: list[str] = []


class Valued(msgspec.Struct, tag="valued"):
    """What one move was worth: `agents.analysis.MoveValue`."""

    number: int
    player: int
    action: str
    values: tuple[float, ...]
    cost: float
    interval: tuple[float, float]
    certain: bool
    better: tuple[str, ...]


class Finished(msgspec.Struct, tag="finished"):
    """All moves are valued."""

    costly: list[int]
    unsure: list[int]
    stake: float


class Failed(msgspec.Struct, tag="failed"):
    """It cannot be done."""

    why: str


Reply: TypeAlias = Progress | Thought | Valued | Finished | Failed
Listener: TypeAlias = Callable[[Progress | Valued], None]

_decoder: Final = msgspec.msgpack.Decoder(Reply)


def frame(what: Job | Reply) -> bytes:
    """A job or a reply with its length."""
    data = msgspec.msgpack.encode(what)
    return len(data).to_bytes(LENGTH, "big") + data


def deaf(_: Progress | Valued) -> None:
    """Progress that nobody wants to hear of."""


class Worker:
    """One process: started when it is first asked, asked one thing at a time."""

    def __init__(self, nice: int) -> None:
        self._nice = nice
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, job: Job, listen: Listener) -> Thought | Finished:
        """Have a job done. Raises RefusalError when it cannot be, or when the process ends; a cancelled one ends it too."""
        process = await self._running()
        try:
            return await _conversation(process, job, listen)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.stop()
            raise RefusalError("thinking", "the process ended") from None
        except asyncio.CancelledError:
            self.stop()  # nothing else makes a search end
            raise

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            arguments = "-m", "ludoteca.server.worker", str(self._nice)
            pipe = asyncio.subprocess.PIPE
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, *arguments, stdin=pipe, stdout=pipe, process_group=0
            )  # in a group of its own: Ctrl-C in the terminal is for the server, which ends it
        return self._process

    def stop(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        self._process = None

    async def ended(self) -> None:
        """Stop, and wait until it has."""
        process = self._process
        self.stop()
        if process is not None:
            await process.wait()


async def _conversation(process: asyncio.subprocess.Process, job: Job, listen: Listener) -> Thought | Finished:
    if process.stdin is None or process.stdout is None:
        raise ConnectionError("a worker without pipes")
    process.stdin.write(frame(job))
    await process.stdin.drain()
    while True:
        length = int.from_bytes(await process.stdout.readexactly(LENGTH), "big")
        reply = _decoder.decode(await process.stdout.readexactly(length))
        if isinstance(reply, Failed):
            raise RefusalError("thinking", reply.why)
        if isinstance(reply, Thought | Finished):
            return reply
        listen(reply)


class Workers:
    """Several of them, and one more for analyses, which may take minutes."""

    def __init__(self, count: int) -> None:
        self._all = [Worker(NICE) for _ in range(max(1, count))]
        self._free: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        for worker in self._all:
            self._free.put_nowait(worker)
        self._analyst = Worker(NICE_ANALYSIS)
        self._analysing = asyncio.Lock()

    async def think(self, job: Think, listen: Listener = deaf) -> Thought:
        """Have an agent choose, when a process is free: the one that was busy last, since it has most loaded."""
        worker = await self._free.get()
        try:
            reply = await worker.ask(job, listen)
        finally:
            self._free.put_nowait(worker)
        if not isinstance(reply, Thought):
            raise RefusalError("thinking", f"read {type(reply).__name__}, expected a thought")
        return reply

    async def analyse(self, job: Analyse, listen: Listener) -> Finished:
        """Value a game's moves, one game after the other."""
        async with self._analysing:
            reply = await self._analyst.ask(job, listen)
        if not isinstance(reply, Finished):
            raise RefusalError("thinking", f"read {type(reply).__name__}, expected an end")
        return reply

    async def close(self) -> None:
        """End all processes."""
        for worker in (*self._all, self._analyst):
            await worker.ended()
