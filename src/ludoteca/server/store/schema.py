"""The tables of the database, and the change of an older database to the newest tables.

A change of a table needs a new file in `migrations/versions`, and a test compares these files with the tables here. Alembic
makes and changes the tables, and stores the version of the schema in the database. Importing Alembic takes a quarter of a
second, so it is imported only if the database does not have the newest schema.
"""

import enum
from importlib import resources
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from ludoteca.server.store.database import StoreError, be_alone

MIGRATIONS: Final = Path(str(resources.files(__package__) / "migrations"))
VERSION_TABLE: Final = "alembic_version"

METADATA: Final = sa.MetaData(
    naming_convention={"pk": "pk_%(table_name)s", "fk": "fk_%(table_name)s_%(column_0_name)s", "ix": "ix_%(column_0_label)s"}
)

ROOMS: Final = sa.Table(
    "rooms",
    METADATA,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("parameters", sa.JSON, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("seed", sa.LargeBinary, nullable=False),
    sa.Column("nonce", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("over", sa.Boolean, nullable=False),
    sa.Column("begun", sa.Boolean, nullable=False),
    sa.Column("seen", sa.Double, nullable=False),
    sa.Column("grace", sa.Double, nullable=True),
    sa.Index(None, "over"),
    sa.Index(None, "seen"),
)

"""`grace`: the seconds that servers must still run before a marked room is deleted; NULL for a room without a mark."""

EVENTS: Final = sa.Table(
    "events",
    METADATA,
    sa.Column("room", sa.ForeignKey("rooms.id"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False, server_default="0"),
    sqlite_with_rowid=False,  # the events of a room lie together, in their order
)

LEASES: Final = sa.Table(
    "leases",
    METADATA,
    sa.Column("room", sa.String, primary_key=True),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("until", sa.Double, nullable=False),
    sa.Column("listing", sa.JSON(none_as_null=True), nullable=True),
)
"""The server that has each room, if several share the database: see `docs/server-design.md`. `owner` is empty if the last
server has given the room back. `until` is in seconds since 1970 by the database's clock. `listing` is shown in the lobby."""


class Kind(enum.Enum):
    """The kinds of rooms, which are kept for different times."""

    UNBEGUN = "a game in which nobody has moved, or a person was never there"
    ABANDONED = "a game that was begun and is not over"
    FINISHED = "a game that was begun and is over"
    RECORD = "a record to look through"


def versions(migrations: Path = MIGRATIONS) -> list[str]:
    """Return the names of all versions of the schema, such as `0001`, the oldest first."""
    return sorted(file.name.partition("_")[0] for file in (migrations / "versions").glob("[0-9]*.py"))


def bring_up_to_date(connection: sa.Connection, migrations: Path = MIGRATIONS) -> None:
    """Give the database the newest schema, in the transaction of the connection, so that all changes happen or none.

    Raises StoreError if a newer Ludoteca wrote the database, or if it is a database of another program. Raises TakenError if
    the database has an older schema that other servers are using.
    """
    known, found = versions(migrations), version_of(connection)
    if found == known[-1]:
        return
    if found and found not in known:
        raise StoreError(
            f"the database has schema {found}, and this Ludoteca knows schemas up to {known[-1]}: a newer one wrote it, "
            "and a newer one has to open it"
        )
    be_alone(connection)
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def check_schema(connection: sa.Connection) -> None:
    """Check that the database has the schema of this Ludoteca. Raises StoreError if not, for example because a newer version
    changed it.
    """
    found, newest = version_of(connection), versions()[-1]
    if found != newest:
        raise StoreError(
            f"the database has schema {found}, and this Ludoteca knows schemas up to {newest}: it was changed while this "
            "server ran, which has to be started again"
        )


def version_of(connection: sa.Connection) -> str | None:
    """Return the name of the database's schema, or None if the database is new and empty."""
    tables = sa.inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        version = connection.scalar(sa.text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608  # a constant
        if version:
            return str(version)
        tables.remove(VERSION_TABLE)
    if tables:
        raise StoreError(f"the database is not one of Ludoteca's: it has no schema version, but tables {', '.join(tables)}")
    return None
