"""Shares the processor time of the server's own process between internet addresses.

The server adds up the time that it spends on the frames and documents of each address. An address that has used up its share
is refused until it has time again. Agents think in other processes, whose time is shared in another way: addresses take
turns (`shares.Turns`).
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from ludoteca.server.settings import Rate
from ludoteca.server.shares import Buckets, Turns

MILLI: Final = 1000
THREADS: Final = 4
"""The number of slow pieces of work that are done in threads at once, such as loading rooms and drawing pictures. It is
smaller than the number of threads of `asyncio.to_thread`, so that short work finds a free thread."""

Result = TypeVar("Result")


class Processor:
    """The processor time that each address has left.

    `milliseconds` is the rate at which an address gets time. `threads` lends a number to each piece of slow work, in turns
    between addresses.
    """

    def __init__(self, milliseconds: Rate) -> None:
        self._left = Buckets(milliseconds)
        self.threads = Turns(range(THREADS))

    def has_any(self, address: str) -> bool:
        """Return True if the address has time left."""
        return self._left.of(address).left() > 0

    def spend(self, address: str, seconds: float) -> None:
        """Subtract `seconds` of processor time from the time that the address has left."""
        self._left.of(address).spend(MILLI * seconds)

    async def in_thread(self, address: str, work: Callable[..., Result], *arguments: Any) -> Result:
        """Call `work` with the arguments in a thread, subtract its processor time from that of the address, and return its
        result.
        """

        def timed() -> tuple[Result, float]:
            began = time.thread_time()
            return work(*arguments), time.thread_time() - began

        result, seconds = await asyncio.to_thread(timed)
        self.spend(address, seconds)
        return result

    async def in_turn(self, address: str, work: Callable[..., Result], *arguments: Any) -> Result:
        """Call slow `work` with the arguments in a thread, and return its result. If all threads are busy, the work waits
        for the turn of its address. Its processor time is subtracted from that of the address.
        """
        async with self.threads.turn(address):
            return await self.in_thread(address, work, *arguments)
