"""Finds and opens the database. It also holds the lock with which one server keeps an SQLite file for itself, and those with
which the servers of a PostgreSQL database change the tables one at a time.
"""

import os
import sqlite3
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import sqlalchemy as sa
from filelock import FileLock, Timeout
from platformdirs import user_data_path
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, OperationalError

from ludoteca.core.errors import LudotecaError, MissingExtraError

if TYPE_CHECKING:  # it is there only where somebody has installed it
    from psycopg import Connection as PostgreSQLConnection

FILE: Final = "ludoteca.sqlite"
LOCK_TIMEOUT: Final = 5.0
"""Seconds to wait if another program has locked the SQLite database."""
HANDOVER: Final = 2.0
"""Seconds to wait for the file if another server has it, because that server may be about to end."""
DRIVERS: Final = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
SETTINGS: Final = (
    "synchronous_commit TO on",
    "tcp_keepalives_idle TO 20",
    "tcp_keepalives_interval TO 5",
    "tcp_keepalives_count TO 3",
    "idle_in_transaction_session_timeout TO '2s'",
)
"""Settings of PostgreSQL. A commit returns only when its data are on the disk. If a server is gone, or was stopped between
two statements of a transaction, its locks are freed soon."""
MIGRATING: Final = 60.0
"""Seconds to wait while another server changes the schema of a PostgreSQL database."""
TAKEN: Final = "another server has it open; end that one, or give this one a database of its own with --data"

NOW: Final = sa.func.extract("epoch", sa.func.clock_timestamp())
"""The time of PostgreSQL's clock in seconds since 1970. It is used because the clocks of several servers may differ."""

_LOCK: Final = int.from_bytes(b"ludoteca", "big")
"""The number of the lock under which the schema of a PostgreSQL database is changed. Servers before schema 0004 hold it
while they run, because such a server has the database for itself."""
_IN_USE: Final = _LOCK + 1
"""The number of the lock that each server of a PostgreSQL database shares while it uses the tables."""


class StoreError(LudotecaError):
    """Data could not be stored or read: the disk is full, or the database is locked, damaged or gone."""


class TakenError(StoreError):
    """Another server has the database."""


class LostError(StoreError):
    """Another server has taken these rooms, or may have taken them. No data of them were stored."""

    def __init__(self, rooms: set[str]) -> None:
        self.rooms = rooms
        super().__init__(f"another server has taken {', '.join(sorted(rooms))}")


def usual() -> Path:
    """Return the default database, a file in the user's data folder. Raises StoreError if the user has no home folder."""
    try:
        return user_data_path("ludoteca", appauthor=False) / FILE
    except RuntimeError:  # the user has no entry in the list of users, as in some containers, and HOME is not set
        raise StoreError("there is no home folder in which games could be kept: name a file with --data") from None


def url_of(text: str) -> URL:
    """Return the URL of a database that a user names by its URL, or by the name of an SQLite file.

    Raises StoreError if the URL is malformed, if it is not one of SQLite or PostgreSQL, or if it is an SQLite database in
    memory.
    """
    if "://" not in text:
        return URL.create("sqlite", database=str(Path(text).expanduser().absolute()))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # its text may hold a password
        raise StoreError("the database's URL cannot be read: expected postgresql://USER:PASSWORD@HOST:PORT/NAME") from None
    scheme = url.drivername.partition("+")[0]
    if scheme not in DRIVERS:
        raise StoreError(f"database: read {scheme}://, expected the name of a file, sqlite:///FILE or postgresql://...")
    if scheme == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreError("database: read an SQLite database without a file, which would forget every game")
    return url.set(drivername=DRIVERS[scheme])


class HeldFile:
    """The SQLite file that this server has open, and SQLite's journal of it (`-wal`).

    If another program moves or removes one of them, SQLite does not notice this. It goes on with a file that no longer has a
    name, and all data stored after that are lost when the server ends. So `check` looks for such a change.
    """

    def __init__(self, path: Path, opened: BinaryIO) -> None:
        self._found = {path: _identity(os.fstat(opened.fileno())), path.with_name(f"{path.name}-wal"): None}

    def check(self) -> None:
        """Check that both names still lead to the files that are open. Raises StoreError if a file was moved or removed."""
        for path, known in self._found.items():
            try:
                found = _identity(path.stat())
            except FileNotFoundError:
                found = None
            if known is None:  # until SQLite makes the journal
                self._found[path] = found
            elif found != known:
                raise StoreError(f"{path}: the file was moved or removed. Move it back, or start the server again")


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def claim(url: URL, held: ExitStack) -> HeldFile:
    """Create the SQLite file if it is missing, and lock it against other servers until `held` is closed.

    Raises TakenError if another server has locked it, and another StoreError if it cannot be created or opened.
    """
    file = Path(str(url.database)).resolve()
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.touch(mode=0o600)  # seats' secrets are in it
        lock = FileLock(f"{file}.lock", thread_local=False)
        lock.acquire(timeout=HANDOVER)
        held.callback(lock.release)
        opened = held.enter_context(file.open("rb"))
        _hold_under_all_names(opened)
    except (Timeout, BlockingIOError):
        raise TakenError(f"{file}: {TAKEN}") from None
    except OSError as error:
        raise StoreError(f"{file}: games cannot be kept there: {error.strerror}") from None
    return HeldFile(file, opened)


def _hold_under_all_names(file: BinaryIO) -> None:
    """Lock the file itself, because a hard link would have another name and so another `.lock` file. Raises BlockingIOError
    if the file is locked already.

    The file must stay open while SQLite has it open, because closing it would also release SQLite's locks, which are of
    another kind.
    """
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def engine_of(url: URL, file: HeldFile | None = None) -> Engine:
    """Return SQLAlchemy's engine for a database, which has a pool of connections. Before each new connection and each
    transaction, `file` is checked. Raises MissingExtraError if the driver of the database is not installed.
    """
    if url.drivername == "sqlite":
        engine = create_engine(url, connect_args={"timeout": LOCK_TIMEOUT})

        @event.listens_for(engine, "do_connect")
        def check(*_: object) -> None:
            if file:
                file.check()

        @event.listens_for(engine, "connect")
        def prepare(connection: sqlite3.Connection, _: Any) -> None:
            connection.isolation_level = None  # Python's own transactions leave out changes of the schema; `begin` has them
            for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                connection.execute(f"PRAGMA {setting}")

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            check()
            connection.exec_driver_sql("BEGIN")

        return engine
    try:
        engine = create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 10})
    except ModuleNotFoundError as error:
        raise MissingExtraError(str(error.name), "postgres") from None
    # rows that are inserted together are one statement: psycopg's executemany sends a statement a row in a pipeline, and
    # PostgreSQL's timeout of idle transactions does not hold in the midst of one, nor until something comes after it
    engine.dialect.use_insertmanyvalues_wo_returning = True

    @event.listens_for(engine, "connect")
    def set_up(connection: "PostgreSQLConnection[Any]", _: Any) -> None:
        connection.execute("; ".join(f"SET {setting}" for setting in SETTINGS))
        connection.commit()

    return engine


def await_turn(connection: Connection) -> None:
    """Wait until no other server changes the tables of a PostgreSQL database, and then keep other servers from changing them
    until the transaction ends.

    Raises TakenError if another server keeps the lock for longer than MIGRATING seconds. Servers of versions before schema
    0004 keep it while they run.
    """
    connection.execute(sa.text(f"SET LOCAL lock_timeout TO '{MIGRATING}s'"))
    connection.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout TO 0"))  # a change may take long between two
    try:
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    except OperationalError as error:
        raise TakenError(TAKEN) from error


def await_no_change(connection: Connection) -> None:
    """Keep other servers from changing the tables of a PostgreSQL database while this connection is open."""
    connection.execute(sa.select(sa.func.pg_advisory_lock_shared(_IN_USE)))


def be_alone(connection: Connection) -> None:
    """Keep other servers from using a PostgreSQL database until the transaction ends, because the transaction changes the
    tables.

    Raises TakenError if another server is using the database, because that server knows only the old tables.
    """
    if connection.dialect.name == "postgresql" and not connection.scalar(
        sa.select(sa.func.pg_try_advisory_xact_lock(_IN_USE))
    ):
        raise TakenError("its schema has to be brought up to date, and servers of an older Ludoteca use it: end them first")


def explained(error: Exception, url: URL) -> StoreError:
    """Return the error as a StoreError with the first line of the database's message. It contains no SQL and no
    stored data.
    """
    words = str(getattr(error, "orig", None) or error).strip().splitlines()
    reason = words[0] if words else type(error).__name__
    return StoreError(f"{called(url)}: {reason}")


def called(url: URL) -> str:
    """Return the database's name for messages, without its password."""
    return str(url.database) if url.drivername == "sqlite" else url.render_as_string()
