"""A process that thinks, analyses, reads records or compiles, so that the server's loop is free: how it is asked.

A process reads jobs from its standard input and writes replies to its standard output, each after its length (`worker.py` is
its side). It ends with the server, whose end closes its input. A process that dies is started again, and so
is one that takes too long, which nothing else would end.
"""

import asyncio
import sys
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from ludoteca.agents.explain import Advice
from ludoteca.core.messages import Message
from ludoteca.core.record import Player
from ludoteca.server.refusals import RefusalError

WORKER: Final = "ludoteca.server.thinking.worker"
"""The module that a process runs."""
LENGTH: Final = 4
"""Bytes of the length before every frame, the highest first."""
STARTING: Final = 300.0
"""Seconds for what comes before the work itself: the start of the process, code that is compiled here or elsewhere."""

COMPILING: Final = "compiling"
INTERPRETED: Final = "interpreted"
THINKING: Final = "thinking"


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
    waits: bool = False
    """True to compile what is not compiled, or to wait for it, and not to play interpreted meanwhile."""


class Compile(msgspec.Struct, tag="compile"):
    """A job: compile what agents search with, for a game with these parameters."""

    game: str
    parameters: dict[str, Any]


class Analyse(msgspec.Struct, tag="analyse"):
    """A job: value the moves of a finished game."""

    record: str
    simulations: int


class Read(msgspec.Struct, tag="read"):
    """A job: read a record from outside, and play it again."""

    text: str


Job: TypeAlias = Think | Compile | Analyse | Read


class Progress(msgspec.Struct, tag="progress"):
    """The process says what it is doing: COMPILING or THINKING; or that it thinks by INTERPRETED rules."""

    what: str
    share: float = 0.0
    """Of the functions to compile, as far as that is known."""


class Thought(msgspec.Struct, tag="thought"):
    """The chosen action; if it was asked for, also its value and the reason."""

    action: int
    value: float = 0.0
    advice: Advice | None = None
    is_weaker: bool = False
    """True when it was searched less than the agent's budget says, because the rules are not compiled yet."""


class Pointed(msgspec.Struct):
    """A move in words, without its subject, and the items of its player's scene that are touched for it."""

    told: Message
    touches: tuple[str, ...]


class Valued(msgspec.Struct, tag="valued"):
    """The value of one move: `agents.analysis.MoveValue`, and the move and the better one as its player saw them."""

    number: int
    player: int
    action: str
    values: tuple[float, ...]
    cost: float
    interval: tuple[float, float]
    certain: bool
    better: tuple[str, ...]
    played: Pointed
    best: Pointed | None
    """None where no better one was found."""


class Finished(msgspec.Struct, tag="finished"):
    """All moves have been valued, or all has been compiled."""

    is_kept: bool = True
    """False for code that was compiled and is not there for other processes."""


class Found(msgspec.Struct, tag="found"):
    """The game of a record."""

    game: str
    parameters: dict[str, Any]
    seed: bytes
    """The seed of its deal; empty when it starts from a position."""
    text: str
    """The record as this server writes it, without anything else that its sender may have put in."""
    players: tuple[Player, ...] = ()
    """Who played, where the record says so."""


class Failed(msgspec.Struct, tag="failed"):
    """The job cannot be done: the code of the refusal, and its argument."""

    code: str
    why: Message
    game: str = ""
    """The game whose texts the argument is from; empty where all know them."""


Reply: TypeAlias = Progress | Thought | Valued | Finished | Found | Failed
Result: TypeAlias = Thought | Finished | Found
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
                        sys.executable, "-m", WORKER, str(self._nice), stdin=pipe, stdout=pipe, start_new_session=True
                    )  # Ctrl-C in the terminal is for the server, which ends it; uvloop knows no `process_group`
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
            raise RefusalError(reply.code, reply.why, game=reply.game)
        if isinstance(reply, Result):
            return reply
        if isinstance(reply, Progress):
            limit.reschedule(asyncio.get_running_loop().time() + (STARTING if reply.what == COMPILING else seconds))
        listen(reply)
