"""The leases of this server, if several servers share one PostgreSQL database. A lease gives a server the right to write to
a room for some seconds, and is renewed again and again (`docs/server-design.md`).

A lease alone is not enough, because a server may not know yet that another server has taken a room. So each transaction also
checks this (`writer.WriteSession`).
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from ludoteca.server.refusals import RefusalError
from ludoteca.server.store.database import NOW, StoreError, explained
from ludoteca.server.store.schema import LEASES, ROOMS
from ludoteca.server.store.store import CHANNEL, FREE, Store, notification

if TYPE_CHECKING:  # an extra
    from psycopg import AsyncConnection

WANTED: Final = "wanted"
"""The first word of a notification that a server wants a room. The other words are the room's owner and the room."""
BEATS: Final = 3
"""How often a lease is renewed during its time."""
ASKED_AGAIN: Final = 0.25
"""Seconds until a server asks for a room again. A notification may be lost, and the lease's row may be locked for long."""
TAKE_TIMEOUT: Final = 8.0
"""Seconds to wait for a room whose owner is running and does not give the room back."""
RECONNECT_SECONDS: Final = 1.0
LOCKED: Final = "55P03"
"""PostgreSQL's error code if a row has been locked by another session for longer than the timeout."""

log: Final = logging.getLogger(__name__)


class BusyError(StoreError):
    """Another server has the room, and has not given it back yet."""


@contextmanager
def refusing(doing: str) -> Iterator[None]:
    """Log an error of the store inside the `with` block, and raise RefusalError instead. `doing` is the beginning of the
    line in the log.
    """
    try:
        yield
    except BusyError as error:
        log.warning("%s", error)
        raise RefusalError("waiting") from None
    except StoreError as error:
        log.error("%s: %s", doing, error)
        raise RefusalError("storage") from None


class Leases:
    """The leases of this server, each with its epoch, the number of times that a server has taken the room. If only one
    server uses the database, as with SQLite, it has all rooms, with epoch 0. `seconds` is the time of a lease.
    """

    def __init__(self, store: Store, seconds: float) -> None:
        self.is_shared = store.is_shared
        """True if other servers may have rooms of the same database."""
        self._store = store
        self._seconds = seconds
        self._held: dict[str, int] = {}
        self._renewed_at = time.monotonic()
        self._taking: dict[str, asyncio.Task[int | None]] = {}
        self._freed: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._beating = ThreadPoolExecutor(1, "leases")
        """A separate thread, so that reads do not delay the renewal of leases."""

    # taking and giving back

    async def take(self, room: str) -> int:
        """Take the lease of a room for this server, from another server if necessary, and return its epoch.

        Raises BusyError if the other server does not give the room up within TAKE_TIMEOUT seconds, and StoreError if the
        database fails.
        """
        if not self.is_shared:
            return 0
        while room not in self._held:
            await asyncio.shield(self._taking.get(room) or self._begin(room, self._take(room)))
        return self._held[room]

    async def take_free(self, room: str) -> int | None:
        """Take the lease of a room and return its epoch. Return None if this server has or is taking the lease already, or
        if another running server has it.

        Raises StoreError if the database fails.
        """
        if not self.is_shared:
            return 0
        if room in self._held or room in self._taking:
            return None
        return await asyncio.shield(self._begin(room, self._take_free(room)))

    def _begin(self, room: str, taking: Coroutine[Any, Any, int | None]) -> "asyncio.Task[int | None]":
        """Take a room in a task. A room is taken by only one task at a time, because otherwise it would get two epochs."""
        task = self._taking[room] = asyncio.create_task(taking)
        task.add_done_callback(lambda _: self._taking.pop(room, None))
        return task

    async def _take(self, room: str) -> int:
        end = time.monotonic() + TAKE_TIMEOUT
        wanted = sa.select(notification(sa.func.concat(f"{WANTED} ", LEASES.c.owner, " ", LEASES.c.room)))
        try:
            while (epoch := await self._take_free(room)) is None:
                await self._store.execute(wanted.where(LEASES.c.room == room, LEASES.c.owner != ""))
                if time.monotonic() > end:
                    raise BusyError(f"room {room}: another server has it, and does not give it back")
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._freed[room].wait(), ASKED_AGAIN)
                self._freed[room].clear()
        finally:
            self._freed.pop(room, None)
        return epoch

    async def _take_free(self, room: str) -> int | None:
        epoch = await asyncio.to_thread(self._try_to_take, room)
        if epoch is not None:
            self._held[room] = epoch
        return epoch

    def _try_to_take(self, room: str) -> int | None:
        """Take the lease of a room if no server has it, if its time is over, or if its server has ended. Return its epoch.

        Return None if none of this is true, or if the room's server is writing to it at this moment. Raises StoreError if
        the database fails.
        """
        from sqlalchemy.dialects.postgresql import BIT, insert

        until = NOW + self._seconds
        key = sa.cast(sa.cast(sa.literal("x").concat(LEASES.c.owner), BIT(64)), sa.BigInteger)
        is_gone = sa.func.pg_try_advisory_xact_lock_shared(key)
        is_free = sa.or_(LEASES.c.owner.in_(("", self._store.owner)), LEASES.c.until < NOW, is_gone)
        taken = insert(LEASES).values(room=room, owner=self._store.owner, epoch=1, until=until)
        new = {"owner": self._store.owner, "epoch": LEASES.c.epoch + 1, "until": until, "listing": None}
        query = taken.on_conflict_do_update(index_elements=[LEASES.c.room], set_=new, where=is_free)
        with self._store.transaction() as connection:
            connection.execute(sa.text(f"SET LOCAL lock_timeout TO '{ASKED_AGAIN}s'"))
            try:
                epoch: int | None = connection.scalar(query.returning(LEASES.c.epoch))
            except OperationalError as error:
                if getattr(error.orig, "sqlstate", "") != LOCKED:
                    raise
                return None  # its owner stores something, or was stopped over that: no thread waits for it
            return epoch

    def forget(self, room: str, epoch: int) -> None:
        """Record that this server no longer has the room under the lease with this epoch."""
        if self._held.get(room) == epoch:
            del self._held[room]

    async def release(self, room: str, epoch: int) -> None:
        """Give a room back, after its waiting writes, so that any server can take it."""
        self.forget(room, epoch)
        if self.is_shared:
            with suppress(StoreError):  # it is lost already, or runs out
                await self._store.release(room, epoch)

    async def release_all(self) -> None:
        """Give all rooms back: this server ends."""
        await asyncio.gather(*(self.release(room, epoch) for room, epoch in list(self._held.items())))
        self._beating.shutdown(wait=False)

    def epoch_of(self, room: str) -> int | None:
        """Return the epoch under which this server has a room; None if it does not have the room, or is just taking it."""
        return None if room in self._taking else self._held.get(room)

    # renewing

    async def renew(self, drop: Callable[[str, int], None]) -> None:
        """Renew all leases again and again until cancelled. Call `drop` with the name and the epoch of each room that this
        server has lost.
        """
        while self.is_shared:
            await asyncio.sleep(self._seconds / BEATS)
            try:
                await self._renew(drop)
            except StoreError as error:
                log.error("leases of rooms cannot be renewed: %s", error)

    async def confirm(self, drop: Callable[[str, int], None]) -> None:
        """Renew all leases if their time may be over, for example because this process was stopped for a while. Call `drop`
        with the name and the epoch of each lost room. Raises StoreError if this fails.
        """
        if self.is_shared and time.monotonic() - self._renewed_at > self._seconds:
            await self._renew(drop)

    async def _renew(self, drop: Callable[[str, int], None]) -> None:
        before, begun = self._held.copy(), time.monotonic()
        kept = await asyncio.get_running_loop().run_in_executor(self._beating, self._renewed, sorted(before))
        self._renewed_at = begun
        for room, epoch in before.items():
            if kept.get(room) != epoch and self._held.get(room) == epoch:
                self.forget(room, epoch)
                drop(room, epoch)

    def _renewed(self, rooms: list[str]) -> dict[str, int]:
        mine = sa.select(LEASES.c.room).where(LEASES.c.owner == self._store.owner, LEASES.c.room.in_(rooms))
        in_order = mine.order_by(LEASES.c.room).with_for_update()  # as in all servers, so that no two wait for each other
        query = sa.update(LEASES).where(LEASES.c.room.in_(in_order)).values(until=NOW + self._seconds)
        with self._store.transaction() as connection:
            return dict(connection.execute(query.returning(LEASES.c.room, LEASES.c.epoch)).all())

    async def clear(self) -> None:
        """Delete the leases of rooms that were deleted. They remain if a server is killed while it takes such a room.

        Raises StoreError if the database fails.
        """
        if self.is_shared:
            is_gone = ~sa.exists().where(ROOMS.c.id == LEASES.c.room)
            await self._store.execute(sa.delete(LEASES).where(LEASES.c.until < NOW, is_gone))

    # the lobby

    async def show(self, shown: dict[str, dict[str, Any] | None]) -> None:
        """Store the entries of these rooms that other servers show in their lobbies. None removes the entry of a room.
        Raises StoreError if this fails.
        """
        if self.is_shared and shown:
            mine = LEASES.c.owner == self._store.owner
            changes = [
                sa.update(LEASES).where(LEASES.c.room == room, mine).values(listing=listing)
                for room, listing in sorted(shown.items())
            ]
            await self._store.execute(*changes)

    async def listings(self) -> list[dict[str, Any]]:
        """Return the rooms of other servers as the lobby shows them. Raises StoreError if they cannot be read."""
        if not self.is_shared:
            return []
        others = LEASES.c.owner.not_in(("", self._store.owner)), LEASES.c.until > NOW, LEASES.c.listing.is_not(None)
        return [row["listing"] for row in await self._store.execute(sa.select(LEASES.c.listing).where(*others))]

    # notifications between servers

    async def listen(self, give_back: Callable[[str], None]) -> None:
        """Receive the notifications of other servers until cancelled. Call `give_back` with the name of each room that
        another server wants.
        """
        while self.is_shared:
            from psycopg import AsyncConnection
            from psycopg import OperationalError as Unreachable

            where = self._store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
            try:
                async with await AsyncConnection.connect(where, autocommit=True) as connection:
                    await self._hear(connection, give_back)
            except Unreachable as error:
                log.error("other servers are not heard: %s", explained(error, self._store.engine.url))
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _hear(self, connection: "AsyncConnection[Any]", give_back: Callable[[str], None]) -> None:
        # the sign of life: PostgreSQL frees the lock when this session ends, as it does at once if the process is killed
        alive = int.from_bytes(bytes.fromhex(self._store.owner), signed=True)
        await connection.execute("SELECT pg_advisory_lock(%s)", [alive])
        await connection.execute(f"LISTEN {CHANNEL}")
        async for told in connection.notifies():
            match told.payload.split(" "):
                case [word, owner, room] if word == WANTED and owner == self._store.owner:
                    give_back(room)
                case [word, room] if word == FREE and room in self._freed:
                    self._freed[room].set()
