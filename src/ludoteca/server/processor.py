"""The processor time of the server's own process, shared between addresses.

The server adds up the time that it spends on the frames and documents of each address. An address that has used up its share
is refused until it has time again. The time of processes that think is shared in another way, by turns (`shares.Turns`).
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from ludoteca.server.settings import Rate
from ludoteca.server.shares import Buckets, Turns

MILLI: Final = 1000
THREADS: Final = 4
"""Rooms that are woken, or records and pictures that are made, at once: fewer than `asyncio.to_thread` has threads."""

Result = TypeVar("Result")


class Processor:
    """What is left of the processor's time for each address."""

    def __init__(self, milliseconds: Rate) -> None:
        self._left = Buckets(milliseconds)
        self.threads = Turns(range(THREADS))

    def has_any(self, address: str) -> bool:
        """Return True if the address has time left."""
        return self._left.of(address).left() > 0

    def spend(self, address: str, seconds: float) -> None:
        """Charge the address with time that was used for it."""
        self._left.of(address).spend(MILLI * seconds)

    async def in_thread(self, address: str, work: Callable[..., Result], *arguments: Any) -> Result:
        """Have something done in a thread, and charge the address with its time."""

        def timed() -> tuple[Result, float]:
            began = time.thread_time()
            return work(*arguments), time.thread_time() - began

        result, seconds = await asyncio.to_thread(timed)
        self.spend(address, seconds)
        return result

    async def in_turn(self, address: str, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do slow work in a thread, in turns between addresses, and charge the address with its time."""
        async with self.threads.turn(address):
            return await self.in_thread(address, work, *arguments)
