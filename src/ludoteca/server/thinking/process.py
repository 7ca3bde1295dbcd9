"""A process that thinks, analyses, reads records or compiles, so that the server's loop is free: how it is asked.

A process reads jobs from its standard input and writes replies to its standard output, each after its length (`worker.py` is
its side). It ends with the server, whose end closes its input. A process that dies is started again, and so
is one that takes too long, which nothing else would end.
"""

import asyncio
import sys
from typing import Final

import msgspec

from ludoteca.server.jobs import COMPILING, Failed, Job, Listener, Progress, Reply, Result
from ludoteca.server.refusals import RefusalError

WORKER: Final = "ludoteca.server.thinking.worker"
"""The module that a process runs."""
LENGTH: Final = 4
"""Bytes of the length before every frame, the highest first."""
STARTING: Final = 300.0
"""Seconds for what comes before the work itself: the start of the process, code that is compiled here or elsewhere."""

_decoder: Final = msgspec.msgpack.Decoder(Reply)


def frame(what: Job | Reply) -> bytes:
    """A job or a reply with its length."""
    data = msgspec.msgpack.encode(what)
    return len(data).to_bytes(LENGTH, "big") + data


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
