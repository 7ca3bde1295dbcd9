"""The thread that writes to the database. Writes that arrive close together share one transaction (a group commit), and
their callers wait until it is committed.

`Writer` is the thread. `WriteSession` is its connection, which handles refused writes and lost connections.
"""

import time
from asyncio import Future
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from math import inf
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from ludoteca.server.store.database import LostError, StoreError, await_no_change, explained
from ludoteca.server.store.schema import EVENTS, LEASES, ROOMS, check_schema

WINDOW: Final = 0.020
"""Seconds from the beginning of a transaction to the beginning of the next one, which has all writes that came meanwhile.

The first write after a pause is stored at once, so that a move against an agent waits only for the disk."""
CLOSED: Final = "the store is closed, and takes nothing any more"
UNFIT: Final = (SQLAlchemyError, TypeError, ValueError, OverflowError)
"""The errors that databases and their drivers raise, also for a value that they cannot store."""
_INSERT_EVENTS: Final = sa.insert(EVENTS)
"""A constant, so that SQLAlchemy computes only once the key under which it finds the compiled statement."""


class PendingWrite(NamedTuple):
    """A write that waits for the next transaction, and the future (`done`) with which its caller waits."""

    done: "Future[None]"
    epochs: Mapping[str, int] = MappingProxyType({})
    """The rooms that it changes, each with its epoch on this server. The write is stored only if these are still valid."""
    room: dict[str, Any] | None = None
    """The row of a new room."""
    event: dict[str, Any] | None = None
    gone: list[str] | None = None
    """The ids of rooms that `statements` delete."""
    statements: tuple[sa.Executable, ...] = ()
    """Other SQL statements. They may be carried out twice if the connection is lost, so they must allow this."""
    releases: bool = False
    """True if the write only gives rooms back to other servers."""


class Writer:
    """Takes writes from one event loop and stores them in the order in which they come. The future of each write gets the
    result.
    """

    def __init__(self, session: "WriteSession") -> None:
        self._session = session
        self._queue: SimpleQueue[PendingWrite | None] = SimpleQueue()
        self._lock = Lock()
        self._closed = False
        self._begun = 0.0
        self.on_failure: Callable[[], None] = lambda: None
        """A function that is called in the thread if an unforeseen error ends it. Nothing is stored after that."""
        self._thread = Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def put(self, write: PendingWrite) -> None:
        """Add a write to the queue. Its future is done after the commit, or gets a StoreError. Raises StoreError if the
        store is closed.
        """
        with self._lock:
            if self._closed:
                raise StoreError(CLOSED)
            self._queue.put(write)

    def waiting(self) -> int:
        """Return the number of writes that wait for the next transaction."""
        return self._queue.qsize()

    def close(self) -> None:
        """Store the writes that have been put into the queue so far, and end the thread."""
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
            if left := [*batch, *self._take_all()]:
                _tell(left, [StoreError(CLOSED)] * len(left))

    def _next_batch(self) -> list[PendingWrite]:
        """Wait until WINDOW seconds have passed since the last batch, and then until a write comes. Return all waiting
        writes, or an empty list if the store is closed.

        The order of the two waits matters. If the thread first waited for a write, each write that the event loop puts into
        the queue would wake the thread.
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
    """Give the future of each write in a batch its result. The event loop is woken only once for the whole batch."""

    def resolve() -> None:
        for write, error in zip(batch, results, strict=True):
            if write.done.done():  # its caller has gone
                continue
            if error:
                write.done.set_exception(error)
            else:
                write.done.set_result(None)

    with suppress(RuntimeError):  # the loop is closed, so no task waits
        batch[0].done.get_loop().call_soon_threadsafe(resolve)


class WriteSession:
    """The connection that writes, used by one thread."""

    def __init__(self, engine: sa.Engine, connection: sa.Connection, owner: str = "") -> None:
        self._engine = engine
        self._connection = connection
        self._owner = owner
        self.fails = False
        """True if the database could not be reached or written to at the last try."""
        self.refused = 0
        """The number of writes that were not stored because another server had taken their rooms. Writes that only give
        rooms back do not count."""
        self.begun = inf
        """The time at which the writing of the present batch began, or `inf` if no batch is being written."""

    def store(self, batch: list[PendingWrite]) -> list[StoreError | None]:
        """Store a batch of writes in one transaction. If the database refuses a write of the batch, the others are stored
        nevertheless. Return for each write its error, or None if it was stored.
        """
        self.begun = time.monotonic()
        try:
            return self._stored(batch)
        finally:
            self.begun = inf

    def _stored(self, batch: list[PendingWrite]) -> list[StoreError | None]:
        try:
            self._commit(batch)
        except (LostError, *UNFIT) as error:
            is_cut = isinstance(error, DBAPIError) and error.connection_invalidated
            is_of_database = is_cut or isinstance(error, OperationalError)  # it would meet each of them
            if len(batch) > 1 and not is_of_database:
                return [self._stored([write])[0] for write in batch]
            self.fails |= is_of_database
            if isinstance(error, LostError):
                self.refused += not batch[0].releases
                return [LostError(error.rooms)]
            return [explained(error, self._engine.url) for _ in batch]
        except StoreError as error:
            self.fails = True
            return [StoreError(str(error)) for _ in batch]
        self.fails = False
        return [None] * len(batch)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _commit(self, batch: list[PendingWrite]) -> None:
        """Store a batch in one transaction. If the connection is lost, try once more on a new one."""
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
            if rooms := [write.room for write in batch if write.room]:
                self._connection.execute(sa.insert(ROOMS), rooms)
            if events := [write.event for write in batch if write.event]:
                self._connection.execute(_INSERT_EVENTS, events)
            for statement in [each for write in batch for each in write.statements]:
                self._connection.execute(statement)

    def _check_epochs(self, batch: list[PendingWrite]) -> None:
        """Check that this server still has the leases of the rooms that are changed, and lock the leases until the
        transaction ends.

        If only one server uses the database, there is nothing to check. A room that no server has ever taken has epoch 0.
        Raises LostError if another server has taken one of the rooms.
        """
        rooms = sorted({room for write in batch for room in write.epochs})
        if not rooms or self._engine.dialect.name != "postgresql":
            return
        leases = sa.select(LEASES.c.room, LEASES.c.owner, LEASES.c.epoch).where(LEASES.c.room.in_(rooms))
        locked = self._connection.execute(leases.order_by(LEASES.c.room).with_for_update(read=True))
        found = {room: (owner, epoch) for room, owner, epoch in locked}
        wanted = ((room, (self._owner, epoch)) for write in batch for room, epoch in write.epochs.items())
        if lost := {room for room, lease in wanted if found.get(room, (self._owner, 0)) != lease}:
            raise LostError(lost)

    def _was_stored(self, batch: list[PendingWrite]) -> bool:
        """Return True if the batch was stored although the connection was lost, which happens if it is lost after the commit
        and before the confirmation.
        """
        with self._connection.begin():
            found = [_is_stored(self._connection, write) for write in batch if write.room or write.event or write.gone]
            return bool(found) and all(found)  # what else there is does no harm twice

    def _connect(self) -> None:
        """Make a new connection.

        Raises SQLAlchemyError if the database cannot be reached, and StoreError if another server has changed the schema.
        """
        self._connection.close()
        connection = self._engine.connect()
        with ExitStack() as unfit:
            unfit.callback(connection.close)
            unfit.callback(connection.invalidate)  # before that: what may have the lock does not go back into the pool
            if self._engine.dialect.name == "postgresql":
                with connection.begin():
                    await_no_change(connection)
                    check_schema(connection)
            unfit.pop_all()
        self._connection = connection


def _is_stored(connection: sa.Connection, write: PendingWrite) -> bool:
    """Return True if the database has exactly the data of a write."""
    for table, row in ((ROOMS, write.room), (EVENTS, write.event)):
        if row:
            key = [column == row[column.name] for column in table.primary_key]
            found = connection.execute(sa.select(table).where(*key)).mappings().one_or_none()
            return found is not None and dict(found) == row
    if write.gone:
        return connection.execute(sa.select(ROOMS.c.id).where(ROOMS.c.id.in_(write.gone))).first() is None
    return False
