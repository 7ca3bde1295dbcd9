"""How what is scarce is shared between clients: token buckets for what they do, turns for what they wait for.

A client is an address; for IPv6, it is the network that a home or a school is given.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final, Generic, TypeVar

from starlette.requests import HTTPConnection

from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Rate

HOME: Final = 64
"""Bits of an IPv6 address that a home or a school is given: the rest it chooses as it likes."""

Thing = TypeVar("Thing")


@lru_cache(maxsize=1 << 10)
def client_of(host: str) -> str:
    """The client that a host's address is counted as: an IPv4 address, or the network of an IPv6 address.

    An IPv4 address written as an IPv6 one is the IPv4 address. Text of a proxy that is no address stands for itself.
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, HOME), strict=False))


def address_of(connection: HTTPConnection) -> str:
    """The client that a request or a WebSocket comes from."""
    return client_of(connection.client.host) if connection.client else ""


class Bucket:
    """A token bucket: full at first, and filled again with time."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._now = now
        self._left = rate.burst
        self._at = now()

    def take(self, count: float = 1) -> bool:
        """Take so many tokens, if there are as many; False when there are fewer, and none is taken."""
        self._fill()
        if self._left < count:
            return False
        self._left -= count
        return True

    def spend(self, count: float) -> None:
        """Take this many tokens, also if there are fewer: then the next ones fill what is missing."""
        self._fill()
        self._left -= count

    def has_any(self) -> bool:
        """True if there are tokens."""
        self._fill()
        return self._left > 0

    def is_full(self) -> bool:
        """True when forgetting it changes nothing."""
        self._fill()
        return self._left >= self._rate.burst

    def _fill(self) -> None:
        now = self._now()
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now


class Buckets:
    """One bucket for each client; full ones are forgotten when there are many."""

    def __init__(self, rate: Rate, most: int = 1000) -> None:
        self._rate = rate
        self._most = most
        self._kept: dict[str, Bucket] = {}

    def take(self, whose: str, count: float = 1) -> bool:
        """Take tokens from the client's bucket; False when there are too few."""
        return self._of(whose).take(count)

    def spend(self, whose: str, count: float) -> None:
        """Take tokens from the client's bucket, also if there are fewer."""
        self._of(whose).spend(count)

    def has_any(self, whose: str) -> bool:
        """True if there are tokens in the client's bucket."""
        return self._of(whose).has_any()

    def _of(self, whose: str) -> Bucket:
        if len(self._kept) >= self._most:
            self._kept = {name: bucket for name, bucket in self._kept.items() if not bucket.is_full()}
        return self._kept.setdefault(whose, Bucket(self._rate))


@dataclass(order=True)
class _Ticket(Generic[Thing]):
    """A request that waits."""

    round: int
    number: int
    thing: "asyncio.Future[Thing]" = field(compare=False)


class Turns(Generic[Thing]):
    """Things that are lent for a while, such as processes: the one that came back last first, as it has most prepared.

    The n-th request of a client belongs to round n, and rounds that are over count for nobody (start-time fair queueing:
    Goyal, Vin and Cheng 1996). So a client's first request waits for a free thing and for other first requests only, however
    much some other client asks for.
    """

    def __init__(self, things: Iterable[Thing], most: int = 1 << 30, most_each: int = 1 << 30) -> None:
        self._free = list(things)
        self._count = len(self._free)
        self._most = most
        self._most_each = most_each
        self._round = 0
        self._next_round: dict[str, int] = {}
        self._waiting: list[_Ticket[Thing]] = []
        self._asked: Counter[str] = Counter()
        self._number = 0

    @asynccontextmanager
    async def turn(self, whose: str) -> AsyncIterator[Thing]:
        """Lend a thing in the client's turn. Raises RefusalError `busy` when too many wait, in all or for that client."""
        if self._asked.total() >= self._most or self._asked[whose] >= self._most_each:
            raise RefusalError("busy")
        self._asked[whose] += 1
        try:
            thing = await self._take(whose)
            try:
                yield thing
            finally:
                self._give_back(thing)
        finally:
            self._asked[whose] -= 1
            if not self._asked[whose]:
                del self._asked[whose]

    def load(self) -> tuple[int, int]:
        """How many things are lent, and how many requests wait."""
        return self._count - len(self._free), sum(not ticket.thing.done() for ticket in self._waiting)

    async def _take(self, whose: str) -> Thing:
        mine = max(self._round, self._next_round.get(whose, 0))
        self._next_round[whose] = mine + 1
        if self._free:
            self._round = max(self._round, mine)
            return self._free.pop()
        self._number += 1
        ticket = _Ticket[Thing](mine, self._number, asyncio.get_running_loop().create_future())
        heappush(self._waiting, ticket)
        try:
            return await ticket.thing
        except asyncio.CancelledError:
            if not ticket.thing.cancelled():  # it was just given
                self._give_back(ticket.thing.result())
            raise

    def _give_back(self, thing: Thing) -> None:
        while self._waiting:
            ticket = heappop(self._waiting)
            if not ticket.thing.cancelled():
                self._round = ticket.round
                ticket.thing.set_result(thing)
                return
        self._free.append(thing)
        if len(self._free) == self._count:
            self._next_round.clear()
