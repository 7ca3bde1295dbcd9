"""Fair sharing between clients. Token buckets (`Bucket`) limit how often a client may do something. `Turns` decides which
client gets a free process next.

A client is identified by its IPv4 address, or by an IPv6 network of the size that a home or a school has.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import lru_cache
from heapq import heappop, heappush
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final, Generic, TypeVar

from starlette.requests import HTTPConnection

from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Rate

HOME: Final = 64
"""The leading bits of an IPv6 address that a provider gives to a home or a school, which chooses the other bits freely."""
MANY: Final = 1000
"""The number of buckets above which full ones are deleted."""

Thing = TypeVar("Thing")


@lru_cache(maxsize=1 << 10)
def client_of(host: str) -> str:
    """Return the client to which the address `host` belongs: an IPv4 address, or the network of an IPv6 address.

    An IPv4 address in the form of IPv6 counts as the IPv4 address. If a proxy sends a text that is no address, that text
    itself is returned as the client.
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
    """Return the client (see `client_of`) that sent a request or opened a WebSocket; an empty text if the address is not
    known.
    """
    return client_of(connection.client.host) if connection.client else ""


class Bucket:
    """A token bucket. It is full at first, and gets tokens at the given rate until it is full again."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left = rate.burst
        self._at = time.monotonic()

    def left(self) -> float:
        """Return the number of tokens in the bucket. It is negative if `spend` took more tokens than there were."""
        now = time.monotonic()
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now
        return self._left

    def take(self, count: float = 1) -> bool:
        """Take `count` tokens and return True. If there are fewer, take none and return False."""
        if self.left() < count:
            return False
        self._left -= count
        return True

    def spend(self, count: float) -> None:
        """Take `count` tokens, even if there are fewer. The number of tokens may become negative."""
        self._left = self.left() - count


class Buckets:
    """One token bucket for each client. If there are more than MANY, full buckets are deleted. No information is lost,
    because a new bucket is full as well.
    """

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._kept: dict[str, Bucket] = {}

    def of(self, client: str) -> Bucket:
        """Return the bucket of a client."""
        if len(self._kept) >= MANY:
            self._kept = {name: bucket for name, bucket in self._kept.items() if bucket.left() < self._rate.burst}
        return self._kept.setdefault(client, Bucket(self._rate))


class Turns(Generic[Thing]):
    """Lends things, such as processes, to clients in a fair order. The thing that was returned last is lent first, because
    it has most data prepared.

    The n-th request of a client belongs to round n, and requests of earlier rounds go first. A client that comes later
    starts in the present round (start-time fair queueing: Goyal, Vin and Cheng 1996). So however many requests one client
    sends, the first request of another client waits only for a free thing and for other clients' first requests.

    At most `most` requests may be served or wait, and at most `most_each` of one client.
    """

    def __init__(self, things: Iterable[Thing], most: int = 1 << 30, most_each: int = 1 << 30) -> None:
        self._free = list(things)
        self._count = len(self._free)
        self._most = most
        self._most_each = most_each
        self._round = 0
        self._next_round: dict[str, int] = {}
        self._waiting: list[tuple[int, int, asyncio.Future[Thing]]] = []
        """A heap of the requests that wait. Each has its round, a number that rises with each request, and the future that
        gets a thing."""
        self._asked: Counter[str] = Counter()
        self._number = 0

    @asynccontextmanager
    async def turn(self, whose: str) -> AsyncIterator[Thing]:
        """Wait until it is the turn of the client `whose`, and lend it a thing for the `with` block.

        Raises RefusalError (`busy`) if too many requests are served or wait, in all or for that client.
        """
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
        """Return the number of things that are lent, and the number of requests that wait for one."""
        return self._count - len(self._free), sum(not thing.done() for _, _, thing in self._waiting)

    async def _take(self, whose: str) -> Thing:
        mine = max(self._round, self._next_round.get(whose, 0))
        self._next_round[whose] = mine + 1
        if self._free:
            self._round = max(self._round, mine)
            return self._free.pop()
        self._number += 1
        given: asyncio.Future[Thing] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (mine, self._number, given))
        try:
            return await given
        except asyncio.CancelledError:
            if not given.cancelled():  # it was just given
                self._give_back(given.result())
            raise

    def _give_back(self, thing: Thing) -> None:
        while self._waiting:
            round_, _, given = heappop(self._waiting)
            if not given.cancelled():
                self._round = round_
                given.set_result(thing)
                return
        self._free.append(thing)
        if len(self._free) == self._count:
            self._next_round.clear()
