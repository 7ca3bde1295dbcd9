"""The database's schema: looked at whenever it is opened, and brought up to date.

Alembic does the work and writes down in the database which version it has; it takes a quarter of a second to import, so it
is imported only where there is something to do.
"""

from importlib import resources
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection, inspect

from ludoteca.server.store.errors import StoreError

MIGRATIONS: Final = Path(str(resources.files(__package__) / "migrations"))
VERSION_TABLE: Final = "alembic_version"


def versions(migrations: Path = MIGRATIONS) -> list[str]:
    """The schemas there are, the oldest first: `0001`, ..."""
    return sorted(file.name.partition("_")[0] for file in (migrations / "versions").glob("[0-9]*.py"))


def bring_up_to_date(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Give the database the newest schema, in the connection's transaction: all of it or nothing.

    Raises StoreError for a database that a newer Ludoteca wrote, and for one of something else.
    """
    known, found = versions(migrations), version_of(connection)
    if found == known[-1]:
        return
    if found and found not in known:
        raise StoreError(
            f"the database has schema {found}, and this Ludoteca knows schemas up to {known[-1]}: a newer one wrote it, "
            "and a newer one has to open it"
        )
    _upgrade(connection, migrations)


def version_of(connection: Connection) -> str | None:
    """The schema that the database says it has; None for a new, empty one."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        version = connection.scalar(sa.text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608  # a constant
        if version:
            return str(version)
        tables.remove(VERSION_TABLE)
    if tables:
        raise StoreError(f"the database is not one of Ludoteca's: it has no schema version, but tables {', '.join(tables)}")
    return None


def _upgrade(connection: Connection, migrations: Path) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
