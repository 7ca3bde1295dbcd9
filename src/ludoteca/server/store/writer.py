"""The one thread that writes: what comes close together goes into one transaction, and whoever waits hears of it after.

`Writer` is the thread, `WriteSession` its connection: refusals, a database in trouble, a connection that is lost.
"""

import time
from asyncio import AbstractEventLoop, Future
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from math import inf
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, Engine, Select, UpdateBase, bindparam, delete, exists, false, func, insert, select, update
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from ludoteca.server.store.database import (
    LostError,
    StoreError,
    await_no_change,
    explained,
    writing_connection,
)
from ludoteca.server.store.schema import BLOCKS, EVENTS, LEASES, ROOMS, Block, check_schema

WINDOW: Final = 0.020
"""Seconds from the beginning of a transaction to that of the next: what comes meanwhile goes into it together.

The first after a pause is stored at once, so that a move against an agent waits for the disk alone."""
CLOSED: Final = "the store is closed, and takes nothing any more"
UNFIT: Final = (SQLAlchemyError, TypeError, ValueError, OverflowError)
"""The errors of databases and their drivers for a value that they cannot take."""


INSERT_ROOMS: Final = insert(ROOMS)
INSERT_EVENTS: Final = insert(EVENTS)
MARK_BEGUN: Final = update(ROOMS).where(ROOMS.c.id.in_(bindparam("rooms", expanding=True))).values(begun=True)
MARK_OVER: Final = update(ROOMS).where(ROOMS.c.id.in_(bindparam("rooms", expanding=True))).values(over=True)
"""Made once, so that SQLAlchemy finds what it has compiled of them without looking at all their parts again."""
CHANNEL: Final = "ludoteca"
"""The channel on which servers of one PostgreSQL database tell each other something."""
FREE: Final = "free"
"""The first word of what is told when a room has been given back; its name is the second."""


def notification(words: str) -> Select[Any]:
    """The statement that tells all servers something when its transaction is committed."""
    return select(func.pg_notify(CHANNEL, words))


class Seen(NamedTuple):
    """Rooms that somebody has looked at, and when."""

    rooms: list[str]
    at: float


class Rewritten(NamedTuple):
    """Other options of a room, and others in place of some of its events."""

    room: str
    options: dict[str, Any]
    events: dict[int, bytes]
    """By number."""


class PendingWrite(NamedTuple):
    """Something to be stored, and the future of whoever waits; with nothing, a trial whether the database takes anything."""

    done: "Future[None]"
    epochs: Mapping[str, int] = MappingProxyType({})
    """The rooms that it changes, with the epochs under which this server has them: it is stored if they are still so."""
    room: dict[str, Any] | None = None
    event: dict[str, Any] | None = None
    over: str | None = None
    """The id of a room that ends with the event."""
    begun: str | None = None
    """The id of a room whose first move the event is."""
    seen: Seen | None = None
    gone: list[str] | None = None
    """The ids of rooms that are deleted, with their events."""
    rewritten: Rewritten | None = None
    block: Block | None = None
    unblocked: str | None = None
    """An address."""
    statements: tuple[UpdateBase, ...] = ()
    """Statements that may be carried out twice, if the connection is lost meanwhile."""
    released: str | None = None
    """The id of a room that is given back."""


class Writer:
    """Takes writes from event loops, stores them in the order in which they come, and tells each how it went."""

    def __init__(self, session: "WriteSession") -> None:
        self._session = session
        self._queue: SimpleQueue[PendingWrite | None] = SimpleQueue()
        self._lock = Lock()
        self._closed = False
        self._begun = 0.0
        self.on_failure: Callable[[], None] = lambda: None
        """Is called in the thread if an unforeseen error ends it. Nothing is stored after that."""
        self._thread = Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def put(self, write: PendingWrite) -> None:
        """Have something stored: its future is done when it is committed, or has a StoreError."""
        with self._lock:
            if self._closed:
                raise StoreError(CLOSED)
            self._queue.put(write)

    def waiting(self) -> int:
        """The number of writes that wait for the next transaction."""
        return self._queue.qsize()

    def close(self) -> None:
        """Store what has been put so far, and end."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()
        self._session.close()

    def _run(self) -> None:
        batch: list[PendingWrite] = []
        try:
            while batch := self._next_batch():
                _tell(batch, self._session.store(batch))
        except BaseException:
            self.on_failure()
            raise
        finally:  # should an unforeseen error end this thread, nobody waits for it in vain
            self._session.fails = True
            with self._lock:
                self._closed = True
            left = [*batch, *self._take_all()]
            _tell(left, [StoreError(CLOSED)] * len(left))

    def _next_batch(self) -> list[PendingWrite]:
        """Wait for the end of the window, and for something to store; nothing when the store is closed.

        In this order, because whoever puts something would wake a thread that waits for it, and give way to it.
        """
        # group commit: what comes until the window ends is stored together; a thread of its own, so nobody is held up
        time.sleep(max(0.0, self._begun + WINDOW - time.monotonic()))
        first = self._queue.get()
        if first is None:
            return []
        self._begun = time.monotonic()
        return [first, *self._take_all()]

    def _take_all(self) -> list[PendingWrite]:
        taken: list[PendingWrite] = []
        with suppress(Empty):
            while (write := self._queue.get_nowait()) is not None:
                taken.append(write)
            self._queue.put(None)  # closed: what came before is stored first
        return taken


def _tell(batch: list[PendingWrite], results: list[StoreError | None]) -> None:
    """Tell each write how it went, in the event loop that it came from."""
    by_loop: dict[AbstractEventLoop, list[tuple[Future[None], StoreError | None]]] = defaultdict(list)
    for write, result in zip(batch, results, strict=True):
        by_loop[write.done.get_loop()].append((write.done, result))
    for loop, pairs in by_loop.items():
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_resolve, pairs)


def _resolve(pairs: list[tuple["Future[None]", StoreError | None]]) -> None:
    for future, error in pairs:
        if future.done():  # whoever waited has gone
            continue
        if error:
            future.set_exception(error)
        else:
            future.set_result(None)


class WriteSession:
    """The connection that writes, used by one thread."""

    def __init__(self, engine: Engine, connection: Connection, owner: str = "") -> None:
        self._engine = engine
        self._connection = connection
        self._owner = owner
        self.fails = False
        """True when the database could not be reached or written to at the last try."""
        self.refused = 0
        """Writes that were not stored because another server had taken their rooms; what was only given back is none."""
        self.begun = inf
        """When the storing of the present batch began; `inf` when none is being stored."""

    def store(self, batch: list[PendingWrite]) -> list[StoreError | None]:
        """Store a batch together; a write that the database refuses fails alone. Returns the error of each, or None."""
        self.begun = time.monotonic()
        try:
            return self._stored(batch)
        finally:
            self.begun = inf

    def _stored(self, batch: list[PendingWrite]) -> list[StoreError | None]:
        try:
            self._commit(batch)
        except UNFIT as error:
            if _is_of_database(error):  # it would meet each of them
                self.fails = True
                return [explained(error, self._engine.url) for _ in batch]
            if len(batch) == 1:
                return [explained(error, self._engine.url)]
            return [self._stored([write])[0] for write in batch]
        except LostError as error:
            kept = [write for write in batch if error.rooms.isdisjoint(write.epochs)]
            self.refused += sum(not (write.released or error.rooms.isdisjoint(write.epochs)) for write in batch)
            results = iter(self._stored(kept) if kept else ())
            return [next(results) if error.rooms.isdisjoint(write.epochs) else LostError(error.rooms) for write in batch]
        except StoreError as error:
            self.fails = True
            return [StoreError(str(error)) for _ in batch]
        self.fails = False
        return [None] * len(batch)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _commit(self, batch: list[PendingWrite]) -> None:
        """Store a batch in one transaction; when the connection is lost, once more on a new one."""
        if self._connection.closed or self._connection.invalidated:
            self._connect()
        try:
            self._transaction(batch)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            self._connect()
            if not self._was_stored(batch):
                self._transaction(batch)

    def _transaction(self, batch: list[PendingWrite]) -> None:
        with self._connection.begin():
            self._check_epochs(batch)
            rooms = [write.room for write in batch if write.room]
            events = [write.event for write in batch if write.event]
            over = [write.over for write in batch if write.over]
            if not (rooms or events):  # a trial
                self._connection.execute(update(ROOMS).where(false()).values(over=True))
            if rooms:
                self._connection.execute(INSERT_ROOMS, rooms)
            if events:
                self._connection.execute(INSERT_EVENTS, events)
            if over:
                self._connection.execute(MARK_OVER, {"rooms": over})
            if begun := [write.begun for write in batch if write.begun]:
                self._connection.execute(MARK_BEGUN, {"rooms": begun})
            for seen in [write.seen for write in batch if write.seen]:
                self._connection.execute(update(ROOMS).where(ROOMS.c.id.in_(seen.rooms)).values(seen=seen.at))
            for write in batch:
                _operate(self._connection, write)
                _give_up(self._connection, write)

    def _check_epochs(self, batch: list[PendingWrite]) -> None:
        """Check that this server still has the rooms that are changed, and keep them until the transaction ends.

        Where one server has the database there is nothing to check. A room that no server has ever had is of epoch 0. Raises
        LostError.
        """
        rooms = sorted({room for write in batch for room in write.epochs})
        if not rooms or self._engine.dialect.name != "postgresql":
            return
        query = select(LEASES.c.room, LEASES.c.owner, LEASES.c.epoch).where(LEASES.c.room.in_(rooms)).order_by(LEASES.c.room)
        found = {room: (owner, epoch) for room, owner, epoch in self._connection.execute(query.with_for_update(read=True))}
        wanted = ((room, (self._owner, epoch)) for write in batch for room, epoch in write.epochs.items())
        if lost := {room for room, lease in wanted if found.get(room, (self._owner, 0)) != lease}:
            raise LostError(lost)

    def _was_stored(self, batch: list[PendingWrite]) -> bool:
        """True when a batch was stored after all: the connection was lost between the commit and its acknowledgement."""
        with self._connection.begin():
            found = [_is_stored(self._connection, write) for write in batch if write.room or write.event or write.gone]
            return bool(found) and all(found)  # what else there is does no harm twice

    def _connect(self) -> None:
        """Make a new connection. Raises StoreError, also when another server has changed the schema meanwhile."""
        self._connection.close()
        connection = writing_connection(self._engine)
        with ExitStack() as unfit:
            unfit.callback(connection.close)
            unfit.callback(connection.invalidate)  # before that: what may have the lock does not go back into the pool
            if self._engine.dialect.name == "postgresql":
                with connection.begin():
                    await_no_change(connection)
                    check_schema(connection)
            unfit.pop_all()
        self._connection = connection


def _is_of_database(error: Exception) -> bool:
    """True for trouble of the database itself, or of the way to it, and not with what was to be stored."""
    return isinstance(error, OperationalError) or (isinstance(error, DBAPIError) and error.connection_invalidated)


def _give_up(connection: Connection, write: PendingWrite) -> None:
    """Delete rooms, or give one back."""
    if gone := write.gone:
        connection.execute(delete(EVENTS).where(EVENTS.c.room.in_(gone)))
        connection.execute(delete(ROOMS).where(ROOMS.c.id.in_(gone)))
        connection.execute(delete(LEASES).where(LEASES.c.room.in_(gone)))
    if room := write.released:
        is_gone = ~exists().where(ROOMS.c.id == room)  # deleted by another server, just before this one took it
        connection.execute(delete(LEASES).where(LEASES.c.room == room, is_gone))
        connection.execute(update(LEASES).where(LEASES.c.room == room).values(owner="", listing=None))
        if connection.dialect.name == "postgresql":
            connection.execute(notification(f"{FREE} {room}"))


def _operate(connection: Connection, write: PendingWrite) -> None:
    """Store the changes of the operator and of retention."""
    for statement in write.statements:
        connection.execute(statement)
    if new := write.rewritten:
        connection.execute(update(ROOMS).where(ROOMS.c.id == new.room).values(options=new.options))
        for n, data in new.events.items():
            connection.execute(update(EVENTS).where(EVENTS.c.room == new.room, EVENTS.c.n == n).values(data=data))
    if address := write.unblocked or (write.block and write.block.address):
        connection.execute(delete(BLOCKS).where(BLOCKS.c.address == address))
    if write.block:
        connection.execute(insert(BLOCKS), [msgspec.structs.asdict(write.block)])


def _is_stored(connection: Connection, write: PendingWrite) -> bool:
    """True when the database has exactly what was to be written."""
    for table, row in ((ROOMS, write.room), (EVENTS, write.event)):
        if row:
            key = [column == row[column.name] for column in table.primary_key]
            found = connection.execute(select(table).where(*key)).mappings().one_or_none()
            return found is not None and dict(found) == row
    if write.gone:
        return connection.execute(select(ROOMS.c.id).where(ROOMS.c.id.in_(write.gone))).first() is None
    return False
