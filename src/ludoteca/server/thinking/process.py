"""A process for work that would block the server's event loop: choosing moves, analysing games, reading records, drawing or
compiling.

The process (`worker.py`) reads jobs from its standard input and writes replies to its standard output. The length in bytes
comes before each job and each reply. The process ends when the server ends, because this closes its input.
"""

import asyncio
import logging
import sys
from typing import Final, TypeVar

import msgspec

from ludoteca.server import jobs
from ludoteca.server.refusals import RefusalError

WORKER: Final = "ludoteca.server.thinking.worker"
"""The module that a process runs."""
STARTING: Final = 300.0
"""Seconds that are allowed for the start of the process, and for compiling, in addition to the time for the work itself."""
JOB_TRIES: Final = 2
"""How often a job is started if its process dies. It is not more often, because the job may be the reason for the death."""

Wanted = TypeVar("Wanted", jobs.Thought, jobs.Finished, jobs.Found, jobs.Animated)
_decoder: Final = msgspec.msgpack.Decoder(jobs.Reply)
log: Final = logging.getLogger(__name__)


class LostProcessError(RefusalError):
    """Each process that was given the job has died."""


class ThinkingProcess:
    """A process that does one job at a time. It is started by the first job, and again by the next job after it has ended.
    `nice` is its niceness: a higher number means a lower priority.
    """

    def __init__(self, nice: int) -> None:
        self._nice = nice
        self._process: asyncio.subprocess.Process | None = None
        self._start: asyncio.Task[asyncio.subprocess.Process] | None = None  # until it has started

    async def ask(self, job: jobs.Job, seconds: float, listen: jobs.Listener, wanted: type[Wanted]) -> Wanted:
        """Send a job to the process, and return its result, which has the type `wanted`. `listen` is called with each report
        of progress.

        The job has this many seconds, in addition to STARTING. If the process takes longer, or if the caller is cancelled,
        the process is killed, because nothing else stops its work. If the process dies, a new process starts the job again,
        and `listen` gets the reports from the beginning.

        Raises TimeoutError if the time is up, LostProcessError if the process dies in every try, and another RefusalError if
        the process cannot do the job.
        """
        for _ in range(JOB_TRIES):
            try:
                return await self._try(job, seconds, listen, wanted)
            except (asyncio.IncompleteReadError, ConnectionError):
                await self.stop()
                log.warning("a process has ended that was to %s", type(job).__name__.lower())
            except (asyncio.CancelledError, TimeoutError):
                await self.stop()
                raise
        raise LostProcessError("thinking", "the process ended")

    async def _try(self, job: jobs.Job, seconds: float, listen: jobs.Listener, wanted: type[Wanted]) -> Wanted:
        process = self._process if self._process and self._process.returncode is None else None
        async with asyncio.timeout(seconds if process else STARTING) as limit:
            if process is None:
                process = await self._started()
            if process.stdin is None or process.stdout is None:
                raise ConnectionError("a process without pipes")
            process.stdin.write(jobs.frame(job))
            await process.stdin.drain()
            while True:
                length = int.from_bytes(await process.stdout.readexactly(jobs.LENGTH), "big")
                reply = _decoder.decode(await process.stdout.readexactly(length))
                if isinstance(reply, wanted):
                    return reply
                if isinstance(reply, jobs.Failed):
                    raise RefusalError(reply.code, reply.why, game=reply.game)
                if not isinstance(reply, jobs.Progress | jobs.Valued):
                    raise RefusalError("thinking", f"read {type(reply).__name__}, expected {wanted.__name__}")
                if isinstance(reply, jobs.Progress):
                    now = asyncio.get_running_loop().time()
                    limit.reschedule(now + (STARTING if reply.what == jobs.COMPILING else seconds))
                listen(reply)

    async def _started(self) -> asyncio.subprocess.Process:
        """Start the process, and return it. If the caller is cancelled, the start continues, because an interrupted start
        would leave pipes open.
        """
        if self._start is None:
            pipe = asyncio.subprocess.PIPE
            starting = asyncio.create_subprocess_exec(
                sys.executable, "-m", WORKER, str(self._nice), stdin=pipe, stdout=pipe, start_new_session=True
            )  # Ctrl-C in the terminal is for the server, which ends it; uvloop knows no `process_group`
            self._start = asyncio.create_task(starting)
        try:
            self._process = await asyncio.shield(self._start)
        except OSError:
            self._start = None
            raise
        self._start = None
        return self._process

    async def stop(self) -> None:
        """Kill the process if it runs, and wait until it has ended."""
        if self._start:
            await self._started()
        if process := self._process:
            if process.returncode is None:
                process.kill()
            await process.wait()
            if self._process is process:
                self._process = None
