"""The processor's time of the server's own process, shared between addresses.

An address is charged with the time of a request after the answer. So a request is refused if earlier requests of the address
have used up its time. Processes that think are shared in turns (`shares.Turns`).
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from typing import Any, Final, TypeVar

from ludoteca.server.settings import Rate
from ludoteca.server.shares import Buckets

MILLI: Final = 1000

Result = TypeVar("Result")


class Processor:
    """What is left of the processor's time for each address."""

    def __init__(self, milliseconds: Rate) -> None:
        self._left = Buckets(milliseconds)

    def has_any(self, address: str) -> bool:
        """True if the address has time left."""
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

    async def metered(self, address: str, work: Awaitable[Result]) -> Result:
        """Await work, and charge the address with each of its steps, but not with other tasks between them."""
        return await _Steps(work, lambda seconds: self.spend(address, seconds))


class _Steps(Generator[Any, Any, Result]):
    """The steps of an awaitable, each of which is timed."""

    def __init__(self, work: Awaitable[Result], spend: Callable[[float], None]) -> None:
        self._steps = work.__await__()
        self._spend = spend

    def __await__(self) -> Generator[Any, Any, Result]:
        return self

    def send(self, value: Any) -> Any:
        """Do the next step."""
        return self._timed(self._steps.send, value)

    def throw(self, *error: Any) -> Any:
        """Do the next step, which begins with an error."""
        return self._timed(self._steps.throw, *error)

    def _timed(self, step: Callable[..., Any], *arguments: Any) -> Any:
        began = time.thread_time()
        try:
            return step(*arguments)
        finally:
            self._spend(time.thread_time() - began)
