"""One connection that writes, and what becomes of it: refusals, a database in trouble, a connection that is lost."""

import time
from asyncio import Future
from math import inf
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Engine, delete, false, insert, select, update
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from ludoteca.server.store.database import explained, writing_connection
from ludoteca.server.store.errors import StoreError, TakenError
from ludoteca.server.store.tables import EVENTS, ROOMS

Row = dict[str, Any]
UNFIT: Final = (SQLAlchemyError, TypeError, ValueError, OverflowError)
"""What databases and their drivers raise for a value that they cannot take."""


class Seen(NamedTuple):
    """Rooms that somebody has looked at, and when."""

    rooms: list[str]
    at: float


class Write(NamedTuple):
    """Something to be stored, and who waits for it; with nothing, a trial whether the database takes something."""

    done: "Future[None]"
    room: Row | None = None
    event: Row | None = None
    over: str | None = None
    """The id of a room that ends with the event."""
    begun: str | None = None
    """The id of a room whose first move the event is."""
    seen: Seen | None = None
    gone: list[str] | None = None
    """The ids of rooms that are deleted, with their events."""


class Session:
    """The connection to write with. Used by one thread."""

    def __init__(self, engine: Engine, connection: Connection) -> None:
        self._engine = engine
        self._connection = connection
        self._taken: TakenError | None = None
        self.fails = False
        """The database could not be reached or written to when it was last tried."""
        self.begun = inf
        """When the batch that is being stored was begun; `inf` when none is."""

    def store(self, batch: list[Write]) -> list[StoreError | None]:
        """Store them together; one that the database refuses fails alone. Gives what went wrong with each."""
        self.begun = time.monotonic()
        try:
            return self._stored(batch)
        finally:
            self.begun = inf

    def _stored(self, batch: list[Write]) -> list[StoreError | None]:
        try:
            self._commit(batch)
        except OperationalError as error:  # of the database, not of what was to be stored: it would meet each of them
            self.fails = True
            return [explained(error, self._engine.url) for _ in batch]
        except UNFIT as error:
            if len(batch) == 1:
                return [explained(error, self._engine.url)]
            return [self._stored([write])[0] for write in batch]
        except StoreError as error:
            self.fails = True
            return [StoreError(str(error)) for _ in batch]
        self.fails = False
        return [None] * len(batch)

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()

    def _commit(self, batch: list[Write]) -> None:
        """In one transaction; when the connection is lost, once more on a new one."""
        if self._connection.closed or self._connection.invalidated:
            self._connect()
        try:
            self._transaction(batch)
        except OperationalError as error:
            if not error.connection_invalidated:
                raise
            self._connect()
            if not self._has(batch):
                self._transaction(batch)

    def _transaction(self, batch: list[Write]) -> None:
        with self._connection.begin():
            _execute(self._connection, batch)

    def _has(self, batch: list[Write]) -> bool:
        """True when it was stored after all: the connection was lost between the commit and its acknowledgement."""
        with self._connection.begin():
            found = [_is_stored(self._connection, write) for write in batch if write.room or write.event or write.gone]
            return bool(found) and all(found)  # what else there is does no harm twice

    def _connect(self) -> None:
        """A new connection, unless another server has had the database meanwhile: what this one knows may be old."""
        self._connection.close()
        if self._taken:
            raise self._taken
        try:
            self._connection = writing_connection(self._engine)
        except TakenError as error:
            self._taken = error
            raise


def _execute(connection: Connection, batch: list[Write]) -> None:
    rooms = [write.room for write in batch if write.room]
    events = [write.event for write in batch if write.event]
    over = [write.over for write in batch if write.over]
    if not (rooms or events):  # a trial
        connection.execute(update(ROOMS).where(false()).values(over=True))
    if rooms:
        connection.execute(insert(ROOMS), rooms)
    if events:
        connection.execute(insert(EVENTS), events)
    if over:
        connection.execute(update(ROOMS).where(ROOMS.c.id.in_(over)).values(over=True))
    if begun := [write.begun for write in batch if write.begun]:
        connection.execute(update(ROOMS).where(ROOMS.c.id.in_(begun)).values(begun=True))
    for seen in [write.seen for write in batch if write.seen]:
        connection.execute(update(ROOMS).where(ROOMS.c.id.in_(seen.rooms)).values(seen=seen.at))
    for gone in [write.gone for write in batch if write.gone]:
        connection.execute(delete(EVENTS).where(EVENTS.c.room.in_(gone)))
        connection.execute(delete(ROOMS).where(ROOMS.c.id.in_(gone)))


def _is_stored(connection: Connection, write: Write) -> bool:
    """True when exactly this is in the database."""
    for table, row in ((ROOMS, write.room), (EVENTS, write.event)):
        if row:
            key = [column == row[column.name] for column in table.primary_key]
            found = connection.execute(select(table).where(*key)).mappings().one_or_none()
            return found is not None and dict(found) == row
    if write.gone:
        return connection.execute(select(ROOMS.c.id).where(ROOMS.c.id.in_(write.gone))).first() is None
    return False
