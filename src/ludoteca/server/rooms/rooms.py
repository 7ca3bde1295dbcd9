"""The rooms of a server. A room is loaded into memory ("woken") from its stored events when a client comes, and removed from
memory ("put to sleep") some time after the last client has left.
"""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import msgspec

from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game
from ludoteca.server.model import events
from ludoteca.server.model.clock import least_left
from ludoteca.server.model.effects import RESTART
from ludoteca.server.model.events import EventRow, RoomRow
from ludoteca.server.model.replay import folded
from ludoteca.server.model.table import Table
from ludoteca.server.processor import Processor
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.actor import NEAR, Rest, RoomActor
from ludoteca.server.rooms.factory import RoomFactory
from ludoteca.server.rooms.lobby import Lobby
from ludoteca.server.rooms.retention import Retention
from ludoteca.server.settings import Settings
from ludoteca.server.shares import Buckets
from ludoteca.server.store.database import StoreError
from ludoteca.server.store.leases import Leases, refusing
from ludoteca.server.store.store import TOGETHER, Store
from ludoteca.server.thinking.workers import Workers

ROUND: Final = 5.0
"""Seconds between two searches for rooms that can be removed from memory."""
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The form of a room's name. Texts of another form are refused before they reach the database or the log."""

log: Final = logging.getLogger(__name__)


class Rooms:
    """The rooms of a server, with the services that all rooms use: the database, agents' processes and the leases."""

    def __init__(self, store: Store, workers: Workers, settings: Settings, processor: Processor) -> None:
        self.store = store
        self.workers = workers
        self.settings = settings
        self.processor = processor
        self.factory = RoomFactory(store, workers, settings, processor, self.origin)
        self.seats_taken = Buckets(settings.seats_taken_of_address)
        self.awake: dict[str, RoomActor] = {}
        """The rooms that are in memory."""
        self._resting: dict[str, Rest] = {}
        """The running clocks of rooms that are not in memory, by the name of the room."""
        self._waking: dict[tuple[str, str], asyncio.Task[RoomActor]] = {}
        self._hastening = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        self._giving_back: set[asyncio.Task[None]] = set()
        self.leases = Leases(store, settings.lease)
        self.retention = Retention(store, self.leases, settings, self.awake.__contains__)
        self.lobby = Lobby(self.leases, self.awake)

    async def get(self, name: str, address: str = "") -> RoomActor:
        """Return the room of that name, and remember that a client has opened it. If the room is not in memory, load it. The
        processor time for this is charged to `address`.

        Raises RefusalError if there is no such room (`room`), if another server does not give the room up (`waiting`), if
        the database fails (`storage`), if this server has other rules (`rules`), or if the stored events are not a possible
        game (`damaged`).
        """
        room = await self.wake(name, address)
        self.retention.look(name)
        return room

    async def wake(self, name: str, address: str = "") -> RoomActor:
        """Return the room of that name, loaded if necessary, like `get`. But the room does not count as opened by a client,
        so it is not kept longer before it is deleted. Raises RefusalError in the same cases as `get`.
        """
        if not NAME.fullmatch(name) or self.retention.has_deleted(name):
            raise RefusalError("room")
        with refusing("leases of rooms cannot be renewed"):
            await self.leases.confirm(self._on_lost)
        if room := self.find(name):
            return room
        key = name, address  # no client waits for the turn of another address
        if key not in self._waking:
            self._waking[key] = asyncio.create_task(self._wake(*key))
            self._waking[key].add_done_callback(lambda _: self._waking.pop(key, None))
        return await asyncio.shield(self._waking[key])

    def find(self, name: str) -> RoomActor | None:
        """Return the room of that name if it is in memory and has not failed; else None."""
        room = self.awake.get(name)
        return None if room is None or room.has_failed else room

    async def _wake(self, name: str, address: str) -> RoomActor:
        async with self.leased(name) as epoch, self.processor.threads.turn(address):
            if room := self.find(name):
                return room
            table = await self.made_again(name, address)
            if self.retention.has_deleted(name):
                raise RefusalError("room")
            if room := self.find(name):  # woken for another address meanwhile
                return room
            maker, rest = self.factory.makers.pop(name, ""), self._resting.pop(name, None)
            began = rest.began if rest else None
            table.came |= rest.came if rest else set()
            room = RoomActor(table, epoch, self.store, self.workers, self.settings, self.factory, maker, began)
            self.awake[name] = room
        room.start(self._hasten(table.game))
        return room

    async def _hasten(self, game: Game) -> None:
        """Replace a game's interpreted rules by compiled rules, if compiled code is stored. Only one game is changed at a
        time, so that threads for other games do not wait while the first one loads the libraries.
        """
        async with self._hastening:
            await asyncio.to_thread(game.hasten)

    @asynccontextmanager
    async def leased(self, name: str) -> AsyncIterator[int]:
        """Take the lease of a room for this server, and yield the epoch (number) of the lease to the `with` block. If the
        block raises RefusalError and the room is not in memory, release the lease.
        """
        if (failed := self.awake.get(name)) and failed.has_failed:
            self.leases.forget(name, failed.epoch)  # another server may have taken it
        with refusing(f"room {name}"):
            if self.leases.is_shared:
                await self.row(name)
            epoch = await self.leases.take(name)
        try:
            yield epoch
        except RefusalError:
            if not self.find(name):
                self._release(name, epoch)
            raise

    async def made_again(self, name: str, address: str) -> Table:
        """Return the table (seats, game and clock) of a room, made from the room's stored events. The processor time is
        charged to `address`.

        Raises RefusalError if there is no such room (`room`), if the database cannot be read (`storage`), if this server has
        other rules (`rules`), or if the events are not a possible game (`damaged`).
        """
        row, rows = await self.stored(name)
        try:
            return await self.processor.in_thread(address, folded, row, rows)
        except RefusalError as refusal:
            log.error("room %s: %s", name, refusal)
            raise
        except (LudotecaError, msgspec.MsgspecError) as error:
            log.error("room %s: its game cannot be made again: %s", name, error)
            raise RefusalError("damaged") from None

    async def row(self, name: str) -> RoomRow:
        """Return the stored row of a room, which describes the room as it was made. The room is not loaded.

        Raises RefusalError if there is no such room (`room`), or if the database cannot be read (`storage`).
        """
        if not NAME.fullmatch(name):
            raise RefusalError("room")
        with refusing(f"room {name}"):
            row = await self.store.room(name)
        if row is None:
            raise RefusalError("room")
        return row

    async def stored(self, name: str) -> tuple[RoomRow, list[EventRow]]:
        """Return the stored row of a room, and its stored events in their order.

        Raises RefusalError if there is no such room (`room`), or if the database cannot be read (`storage`).
        """
        row = await self.row(name)
        with refusing(f"room {name}"):
            return row, await self.store.events(name)

    async def origin(self, name: str, address: str) -> Table:
        """Return the table of the room `name`, from one of whose positions a client makes a new room. The processor time is
        charged to `address`, the address of that client.

        If several servers share the database, the room may belong to another server. So the table is then made from the
        stored events, and the other server keeps the room. Raises RefusalError if there is no such room (`room`), if the
        database fails (`storage`), if this server has other rules (`rules`), or if the events are not a possible game
        (`damaged`).
        """
        if self.find(name) or not self.leases.is_shared:
            return (await self.get(name, address)).table
        async with self.processor.threads.turn(address):
            return await self.made_again(name, address)

    # sleeping

    def close(self, name: str) -> bool:
        """Disconnect all clients of a room and remove it from memory. Return False if it was not in memory. A running clock
        goes on. The next client loads the room again.
        """
        room = self.awake.pop(name, None)
        if room:
            if not room.has_failed and (rest := room.rest()):
                self._resting[name] = rest
            room.close(RESTART)
        return room is not None

    def _release(self, name: str, epoch: int) -> None:
        """Release the lease of a room that is not in memory here. The release happens in a task, so the caller does not wait
        for it.
        """
        task = asyncio.create_task(self.leases.release(name, epoch))
        self._giving_back.add(task)
        task.add_done_callback(self._giving_back.discard)

    def _on_wanted(self, name: str) -> None:
        """Release a room because another server asks for it. A room that is being loaded here is kept, and the other server
        asks for it again a moment later.
        """
        epoch = self.leases.epoch_of(name)
        if epoch is not None and not any(waking == name for waking, _ in self._waking):
            self.close(name)
            self._resting.pop(name, None)
            self._release(name, epoch)

    def _on_lost(self, name: str, epoch: int) -> None:
        """Disconnect the clients of a room whose lease with the number `epoch` has gone to another server."""
        log.warning("room %s: another server has taken it", name)
        if (room := self.awake.get(name)) and room.epoch == epoch:
            self.close(name)
        self._resting.pop(name, None)

    async def _watch_clocks(self, start: float) -> None:
        """Load the rooms in which the time of the player to move is nearly up. It runs until it is cancelled.

        After the start of the server, which is at the monotonic time `start`, each clock goes on from the last stored event,
        so that players do not lose the time for which the server was down. If several servers share the database, another
        server may have these rooms, so only clocks that have run on this server are watched.
        """
        rows = [] if self.leases.is_shared else await self.store.clocked()
        for first in range(0, len(rows), TOGETHER):
            some = rows[first : first + TOGETHER]
            happened = await self.store.events_of([row.id for row in some])
            left = await asyncio.to_thread(_seconds_left, some, happened)
            self._resting |= {name: Rest(start, start + left[name]) for name in left.keys() - self.awake.keys()}
        while True:
            soon = time.monotonic() + NEAR
            for name in [name for name, rest in self._resting.items() if rest.due <= soon]:
                with suppress(RefusalError):  # which is in the log
                    await self.wake(name)
                self._resting.pop(name, None)
            await asyncio.sleep(min(ROUND, self.settings.idle))

    async def _put_to_sleep(self) -> None:
        while True:
            await asyncio.sleep(min(ROUND, self.settings.idle))
            self._close_quiet_rooms()

    def _close_quiet_rooms(self) -> None:
        """Remove rooms without clients from memory. This is a method because the loop variables of the caller's endless loop
        would keep the last room in memory.
        """
        oldest = time.monotonic() - self.settings.idle
        for name, room in list(self.awake.items()):
            if room.guests:
                self.retention.look(name)
            if room.has_failed or (room.is_quiet() and room.quiet_since <= oldest):
                self.close(name)
                if name not in self._resting:
                    self._release(name, room.epoch)

    # running

    async def start(self, *others: Coroutine[Any, Any, None]) -> None:
        """Start the background tasks. They load rooms whose players' time is nearly up, remove unused rooms from memory, and
        delete old rooms. `others` are further tasks, which also run until `stop`.
        """
        work = [*others, self._watch_clocks(time.monotonic()), self._put_to_sleep(), self.retention.run()]
        if self.leases.is_shared:
            work += [self.leases.listen(self._on_wanted), self.leases.renew(self._on_lost), self.lobby.run()]
        self._tasks = [asyncio.create_task(doing) for doing in work]

    async def stop(self) -> None:
        """Close all rooms in this process, end the background tasks and the processes of agents, and release all leases."""
        tasks = [*self._tasks, *self._waking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        for room in self.awake.values():
            room.close(RESTART)
        await asyncio.gather(*(room.ended() for room in self.awake.values()), *self._giving_back)
        try:
            await self.retention.store_looks()
        except StoreError as error:
            log.error("when rooms were looked at cannot be stored: %s", error)
        await self.leases.release_all()
        await self.workers.close()


def _seconds_left(rows: list[RoomRow], happened: dict[str, list[bytes]]) -> dict[str, float]:
    """Return, by room, a lower bound on the seconds that every player has left. `happened` has the stored events of each
    room. The bound is 0 for a room whose stored data cannot be read.
    """
    found = {}
    for row in rows:
        try:
            clock = events.options_of(row).clock or {}
            found[row.id] = least_left(clock, map(events.decode, happened[row.id])) / 1000
        except (msgspec.MsgspecError, KeyError):
            found[row.id] = 0.0
    return found
