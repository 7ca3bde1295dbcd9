"""Turns between those who ask for what there are few of, so that who asks often waits for himself and for nobody else."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Generic, TypeVar

from ludoteca.server.refusals import RefusalError

Thing = TypeVar("Thing")


@dataclass(order=True)
class _Ticket(Generic[Thing]):
    """One request that waits."""

    round: int
    number: int
    thing: "asyncio.Future[Thing]" = field(compare=False)


class Turns(Generic[Thing]):
    """Things to be had for a while, such as processes: the one that was had last first, since it has most prepared.

    The n-th request of somebody belongs to round n, and rounds that are over count for nobody (start-time fair queueing:
    Goyal, Vin and Cheng 1996). So a first request waits until a thing is free, and for other first requests, however much
    somebody else asks for.
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
        """Have one when it is one's turn. Raises RefusalError `busy` where too many ask already, in all or for the same."""
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
