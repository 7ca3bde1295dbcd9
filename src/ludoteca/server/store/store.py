"""Stores rooms and their events in a database. Clients get an event only after it is safe on the disk."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from ludoteca.server.model.events import EventRow, RoomRow
from ludoteca.server.store.database import (
    NOW,
    HeldFile,
    StoreError,
    await_no_change,
    await_turn,
    called,
    claim,
    engine_of,
    explained,
    url_of,
)
from ludoteca.server.store.schema import EVENTS, LEASES, ROOMS, Kind, bring_up_to_date
from ludoteca.server.store.writer import UNFIT, PendingWrite, Writer, WriteSession

log: Final = logging.getLogger(__name__)

HEALTHY_SECONDS: Final = 2.0
"""A transaction of the server takes less than this many seconds if the database works."""
TOGETHER: Final = 500
"""The most rooms in one SQL statement, because databases accept only a few thousand arguments."""
CHANNEL: Final = "ludoteca"
"""The channel on which the servers of one PostgreSQL database notify each other."""
FREE: Final = "free"
"""The first word of a notification that a room was given back. The second word is the name of the room."""

Row = TypeVar("Row", RoomRow, EventRow)
_ROOM: Final = [ROOMS.c[name] for name in RoomRow.__struct_fields__]
_IS_RECORD: Final = ROOMS.c.options["record"].as_string().is_not(None)
_HAS_CLOCK: Final = ROOMS.c.options["clock"].as_string().is_not(None)
_OF_KIND: Final = {
    Kind.UNBEGUN: (~ROOMS.c.begun, ~_IS_RECORD),
    Kind.ABANDONED: (~ROOMS.c.over, ROOMS.c.begun),
    Kind.FINISHED: (ROOMS.c.over, ROOMS.c.begun),
    Kind.RECORD: (ROOMS.c.over, _IS_RECORD),
}


def notification(words: str | sa.ColumnElement[str]) -> sa.Function[Any]:
    """Return the SQL function that sends a text to all servers when its transaction is committed."""
    return sa.func.pg_notify(CHANNEL, words)


def _is_unseen(kind: Kind, since: float) -> sa.ColumnElement[bool]:
    """Return the SQL condition that a room is of this kind, and that since this time no event of it happened and no client
    opened it.
    """
    newer = sa.exists().where(EVENTS.c.room == ROOMS.c.id, EVENTS.c.at >= since).correlate(ROOMS)
    return sa.and_(*_OF_KIND[kind], ROOMS.c.seen < since, ~newer)


class Store:
    """A database with rooms: an SQLite file that only this server uses, or a PostgreSQL database. `open` makes one.

    A method that writes returns after its data are committed. If it raises StoreError, no data were stored. If its task is
    cancelled while it waits, the data may have been stored or not.
    """

    def __init__(
        self, engine: sa.Engine, session: WriteSession, held: ExitStack, owner: str, file: HeldFile | None = None
    ) -> None:
        self.owner = owner
        """The name of this server among those that share the database. It is a new one each time the database is opened."""
        self.engine = engine
        self.is_shared = engine.dialect.name == "postgresql"
        """True if other servers may use the same database."""
        self.session = session
        self.writer = Writer(session)
        self._held = held
        self._file = file
        self._trial: asyncio.Task[None] | None = None

    @classmethod
    def open(cls, url: str) -> "Store":
        """Open the database with this URL, or the SQLite file with this name, and give it the newest schema.

        Raises StoreError if the database cannot be reached or written to, if another server uses the file, or if a newer
        Ludoteca wrote it.
        """
        where = url_of(url)
        with ExitStack() as held:
            file = claim(where, held) if where.drivername == "sqlite" else None
            engine = engine_of(where, file)
            held.callback(engine.dispose)
            try:
                connection = held.enter_context(engine.connect())
                with connection.begin():
                    if engine.dialect.name == "postgresql":
                        await_turn(connection)
                    bring_up_to_date(connection)
                    if engine.dialect.name == "postgresql":
                        await_no_change(connection)
            except SQLAlchemyError as error:
                raise explained(error, where) from None
            except StoreError as error:
                raise StoreError(f"{called(where)}: {error}") from None
            owner = secrets.token_hex(8)
            return cls(engine, WriteSession(engine, connection, owner), held.pop_all(), owner, file)

    async def create_room(self, room: RoomRow) -> None:
        """Store a new room. Raises StoreError if there is already a room of that id."""
        await self._written(room=msgspec.structs.asdict(room) | {"begun": False, "seen": room.created, "grace": None})

    async def append(
        self, room: str, n: int, data: bytes, at: float, *, epoch: int = 0, over: bool = False, begun: bool = False
    ) -> None:
        """Store event number `n` of a room. `data` is the event in its stored form, and `at` its time in seconds since 1970.
        `over` and `begun` also record that the room's game is over, or has begun.

        Raises LostError if this server no longer has the room under the lease with this epoch. Raises another StoreError if
        the room already has an event with this number, or does not exist.
        """
        event = {"room": room, "n": n, "data": data, "at": at, "epoch": epoch}
        marks = {name: True for name, is_so in (("over", over), ("begun", begun)) if is_so}
        statements = [sa.update(ROOMS).where(ROOMS.c.id == room).values(**marks)] if marks else []
        await self._written(*statements, epochs={room: epoch}, event=event)

    async def see(self, rooms: list[str], at: float) -> None:
        """Store that clients opened these rooms at the time `at`, in seconds since 1970. Names of rooms that do not exist
        are ignored.
        """
        for first in range(0, len(rooms), TOGETHER):
            some = ROOMS.c.id.in_(rooms[first : first + TOGETHER])
            await self._written(sa.update(ROOMS).where(some).values(seen=at))

    async def now(self) -> float:
        """Return the time in seconds since 1970, by the clock of PostgreSQL, or of this machine with SQLite."""
        if not self.is_shared:
            return time.time()
        [row] = await self.execute(sa.select(NOW.label("now")))
        return float(row["now"])

    async def has_news(self, since: float) -> bool:
        """Return True if, since this time, a room was made or opened by a client, or an event was stored."""
        news = sa.or_(sa.exists().where(ROOMS.c.seen >= since), sa.exists().where(EVENTS.c.at >= since))
        [row] = await self.execute(sa.select(news.label("news")))
        return bool(row["news"])

    async def unseen(self, kind: Kind, since: float, most: int, after: str = "") -> list[str]:
        """Return the names of at most `most` rooms of this kind that may be deleted: rooms of which no event happened since
        this time, which no client has opened since, and which have no mark, or a mark whose time is over.

        The names are sorted, and greater than `after`, which is the last name of the previous call.
        """
        may_go = ROOMS.c.grace.is_(None) | (ROOMS.c.grace <= 0)
        query = sa.select(ROOMS.c.id).where(_is_unseen(kind, since), may_go, ROOMS.c.id > after)
        found = await self.execute(query.order_by(ROOMS.c.id).limit(most))
        return [row["id"] for row in found]

    async def update_marks(
        self, due: Mapping[Kind, float], ran: float, grace: float | None, epochs: Mapping[str, int]
    ) -> None:
        """Update the marks for deletion, which rooms get while the system's clock is not believed. First remove the marks of
        rooms that have been used, so that they are no longer old. Then subtract `ran` seconds from the time of the other
        marks.

        `due` has, for each kind of room, the time of the last use before which a room is old. If `grace` is given, all other
        old rooms get a mark with this many seconds. Raises LostError if this server no longer has the leases with the epochs
        in `epochs`.
        """
        is_due = sa.or_(sa.false(), *(_is_unseen(kind, since) for kind, since in due.items()))
        statements = [
            sa.update(ROOMS).where(ROOMS.c.grace.is_not(None), ~is_due).values(grace=None),
            sa.update(ROOMS).where(ROOMS.c.grace.is_not(None)).values(grace=ROOMS.c.grace - ran),
        ]
        if grace is not None:
            statements.append(sa.update(ROOMS).where(ROOMS.c.grace.is_(None), is_due).values(grace=grace))
        await self._written(*statements, epochs=epochs)

    async def marks(self) -> dict[str, float]:
        """Return, for each room that is marked for deletion, the seconds that servers must still run before it
        is deleted.
        """
        query = sa.select(ROOMS.c.id, ROOMS.c.grace).where(ROOMS.c.grace.is_not(None))
        return {row["id"]: max(0.0, row["grace"]) for row in await self.execute(query)}

    async def restore(self, room: str) -> None:
        """Remove the mark for deletion of a room. The room counts as opened by a client now."""
        await self._written(sa.update(ROOMS).where(ROOMS.c.id == room).values(grace=None, seen=await self.now()))

    async def delete(self, rooms: Mapping[str, int]) -> None:
        """Delete rooms with all their events. `rooms` has for each room the epoch of the lease under which this server has
        it. Names of unknown rooms are ignored.

        Raises LostError if another server has taken one of the rooms. Then no room is deleted.
        """
        gone = [sa.delete(column.table).where(column.in_(rooms)) for column in (EVENTS.c.room, ROOMS.c.id, LEASES.c.room)]
        await self._written(*gone, epochs=rooms, gone=list(rooms))

    async def rewrite(
        self,
        room: str,
        epoch: int,
        options: dict[str, Any],
        changed: dict[int, bytes],
        last: EventRow | None = None,
        *,
        over: bool = False,
    ) -> None:
        """Replace the options of a room, and the data of the events in `changed`, which has new data by the numbers of
        events.

        If `last` is given, also store this further event. With `over`, this event ends the game. Raises LostError if another
        server has taken the room.
        """
        event = last and {"room": room, **msgspec.structs.asdict(last)}
        new_row = {"options": options} | ({"over": True} if over else {})
        statements = [
            sa.update(ROOMS).where(ROOMS.c.id == room).values(new_row),
            *(
                sa.update(EVENTS).where(EVENTS.c.room == room, EVENTS.c.n == n).values(data=data)
                for n, data in changed.items()
            ),
        ]
        await self._written(*statements, epochs={room: epoch}, event=event)

    async def rooms_with(self, secret: str) -> list[str]:
        """Return the names of the rooms in which a token has or had a seat, or can delete the room. `secret` is the SHA-256
        of the token.
        """
        text = secret.encode()
        is_sqlite = self.engine.dialect.name == "sqlite"
        says = sa.func.instr(EVENTS.c.data, text) > 0 if is_sqlite else EVENTS.c.data.like(b"%" + text + b"%")
        taken = sa.exists().where(EVENTS.c.room == ROOMS.c.id, says)
        query = sa.select(ROOMS.c.id).where(sa.or_(sa.cast(ROOMS.c.options, sa.String).contains(secret), taken))
        found = await self.execute(query.order_by(ROOMS.c.created, ROOMS.c.id))
        return [row["id"] for row in found]

    async def release(self, room: str, epoch: int) -> None:
        """Give a room back, after its waiting writes, so that any server can take it.

        Raises LostError if another server has already taken it.
        """
        is_gone = ~sa.exists().where(ROOMS.c.id == room)  # deleted by another server, just before this one took it
        statements = (
            sa.delete(LEASES).where(LEASES.c.room == room, is_gone),
            sa.update(LEASES).where(LEASES.c.room == room).values(owner="", listing=None),
            sa.select(notification(f"{FREE} {room}")),
        )
        await self._written(*statements, epochs={room: epoch}, releases=True)

    async def rooms(self) -> list[RoomRow]:
        """Return all rooms, the oldest first."""
        return await self._read(sa.select(*_ROOM).order_by(ROOMS.c.created, ROOMS.c.id), RoomRow)

    async def clocked(self) -> list[RoomRow]:
        """Return the rooms that have a clock and whose games are not over."""
        return await self._read(sa.select(*_ROOM).where(~ROOMS.c.over, _HAS_CLOCK), RoomRow)

    async def events_of(self, rooms: list[str]) -> dict[str, list[bytes]]:
        """Return the stored data of the events of each of these rooms, in their order. At most TOGETHER rooms
        may be given.
        """
        found: dict[str, list[bytes]] = {room: [] for room in rooms}
        query = sa.select(EVENTS.c.room, EVENTS.c.data).where(EVENTS.c.room.in_(rooms)).order_by(EVENTS.c.room, EVENTS.c.n)
        for row in await self.execute(query):
            found[row["room"]].append(row["data"])
        return found

    async def room(self, id: str) -> RoomRow | None:  # noqa: A002  # the column's name
        """The room of that id, if there is one."""
        found = await self._read(sa.select(*_ROOM).where(ROOMS.c.id == id), RoomRow)
        return found[0] if found else None

    async def events(self, id: str) -> list[EventRow]:  # noqa: A002
        """The events of a room, in their order."""
        columns = [EVENTS.c[name] for name in EventRow.__struct_fields__]
        query = sa.select(*columns).where(EVENTS.c.room == id).order_by(EVENTS.c.n)
        return await self._read(query, EventRow)

    def is_down(self) -> bool:
        """Return True if the last write failed, if a write has been waiting for long, or if the database's file is gone.

        This method does not wait for the database. If the last write failed, it starts another write, so that a later call
        knows whether the database works again.
        """
        try:
            if self._file:
                self._file.check()
        except StoreError as error:
            log.error("%s", error)
            return True
        if self.session.fails and (self._trial is None or self._trial.done()):
            self._trial = asyncio.create_task(self._try())
        return self.session.fails or time.monotonic() - self.session.begun > HEALTHY_SECONDS

    async def _try(self) -> None:
        with suppress(StoreError):  # which the session remembers
            await self._written(sa.update(ROOMS).where(sa.false()).values(over=True))

    async def close(self) -> None:
        """Store the writes that wait, and close the database."""
        await asyncio.to_thread(self.writer.close)
        self._held.close()

    async def _written(self, *statements: sa.Executable, **what: Any) -> None:
        done = asyncio.get_running_loop().create_future()
        self.writer.put(PendingWrite(done, statements=statements, **what))
        await done

    async def _read(self, query: sa.Select[Any], row: Callable[..., Row]) -> list[Row]:
        return [row(**found) for found in await self.execute(query)]

    async def execute(self, *statements: sa.Executable) -> list[sa.RowMapping]:
        """Carry out SQL statements in one transaction, in a thread. Return the rows of the last statement.

        Raises StoreError if the database cannot be reached or refuses a statement.
        """

        def carry_out() -> list[sa.RowMapping]:
            with self.transaction() as connection:
                *_, last = [connection.execute(statement) for statement in statements]
                return list(last.mappings()) if last.returns_rows else []

        return await asyncio.to_thread(carry_out)

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """Begin a transaction for this thread and yield its connection. It is independent of the writer's transactions.

        Raises StoreError if the database cannot be reached, or refuses a statement or the commit.
        """
        try:
            with self.engine.begin() as connection:
                yield connection
        except UNFIT as error:
            raise explained(error, self.engine.url) from None
