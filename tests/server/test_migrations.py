"""Older databases are brought up to date with all that is in them; newer ones and strangers' are left alone."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from ludoteca.server.model.events import EventRow, RoomRow
from ludoteca.server.store.database import StoreError, TakenError, engine_of, url_of
from ludoteca.server.store.schema import METADATA, MIGRATIONS, bring_up_to_date, version_of, versions
from ludoteca.server.store.store import Store
from tests.server.postgres import Cluster
from tests.server.serving import in_sqlite

VERSION_1 = {
    "sqlite": """
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));
INSERT INTO alembic_version VALUES ('0001');
CREATE TABLE rooms (id VARCHAR NOT NULL, game VARCHAR NOT NULL, rules INTEGER NOT NULL, parameters JSON NOT NULL,
    options JSON NOT NULL, seed BLOB NOT NULL, nonce BLOB NOT NULL, created DOUBLE NOT NULL, over BOOLEAN NOT NULL,
    begun BOOLEAN NOT NULL, seen DOUBLE NOT NULL, grace DOUBLE, CONSTRAINT pk_rooms PRIMARY KEY (id));
CREATE INDEX ix_rooms_over ON rooms (over);
CREATE INDEX ix_rooms_seen ON rooms (seen);
CREATE TABLE events (room VARCHAR NOT NULL, n INTEGER NOT NULL, data BLOB NOT NULL, at DOUBLE NOT NULL,
    epoch INTEGER DEFAULT '0' NOT NULL, CONSTRAINT pk_events PRIMARY KEY (room, n),
    CONSTRAINT fk_events_room FOREIGN KEY(room) REFERENCES rooms (id))
    WITHOUT ROWID;
CREATE TABLE leases (room VARCHAR NOT NULL, owner VARCHAR NOT NULL, epoch INTEGER NOT NULL, until DOUBLE NOT NULL,
    listing JSON, CONSTRAINT pk_leases PRIMARY KEY (room));
INSERT INTO rooms VALUES ('k3', 'duel', 1, '{"cards": 5}', '{"clock": {"move": 60}}', x'00ff', x'01',
    1795240852.5, 1, 1, 1795240852.5, NULL);
INSERT INTO rooms VALUES ('k4', 'duel', 1, '{}', '{}', x'02', x'03', 1795240853.0, 0, 0, 1795240853.0, NULL);
INSERT INTO events VALUES ('k3', 0, x'7b7d', 1795240854.25, 0), ('k3', 1, x'00', 1795240855.0, 0);
""",
    "postgresql": r"""
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));
INSERT INTO alembic_version VALUES ('0001');
CREATE TABLE rooms (id VARCHAR NOT NULL, game VARCHAR NOT NULL, rules INTEGER NOT NULL, parameters JSON NOT NULL,
    options JSON NOT NULL, seed BYTEA NOT NULL, nonce BYTEA NOT NULL, created DOUBLE PRECISION NOT NULL,
    over BOOLEAN NOT NULL, begun BOOLEAN NOT NULL, seen DOUBLE PRECISION NOT NULL, grace DOUBLE PRECISION,
    CONSTRAINT pk_rooms PRIMARY KEY (id));
CREATE INDEX ix_rooms_over ON rooms (over);
CREATE INDEX ix_rooms_seen ON rooms (seen);
CREATE TABLE events (room VARCHAR NOT NULL, n INTEGER NOT NULL, data BYTEA NOT NULL, at DOUBLE PRECISION NOT NULL,
    epoch INTEGER DEFAULT '0' NOT NULL, CONSTRAINT pk_events PRIMARY KEY (room, n),
    CONSTRAINT fk_events_room FOREIGN KEY(room) REFERENCES rooms (id));
CREATE TABLE leases (room VARCHAR NOT NULL, owner VARCHAR NOT NULL, epoch INTEGER NOT NULL, until DOUBLE PRECISION NOT NULL,
    listing JSON, CONSTRAINT pk_leases PRIMARY KEY (room));
INSERT INTO rooms VALUES ('k3', 'duel', 1, '{"cards": 5}', '{"clock": {"move": 60}}', '\x00ff', '\x01',
    1795240852.5, true, true, 1795240852.5, NULL);
INSERT INTO rooms VALUES ('k4', 'duel', 1, '{}', '{}', '\x02', '\x03', 1795240853.0, false, false, 1795240853.0, NULL);
INSERT INTO events VALUES ('k3', 0, '\x7b7d', 1795240854.25, 0), ('k3', 1, '\x00', 1795240855.0, 0);
""",
}
"""As the first release wrote it. This stands, whatever comes later."""
ROOMS = [
    RoomRow("k3", "duel", 1, {"cards": 5}, {"clock": {"move": 60}}, b"\0\xff", b"\1", 1795240852.5, True),
    RoomRow("k4", "duel", 1, {}, {}, b"\2", b"\3", 1795240853.0, False),
]
EVENTS = [EventRow(0, b"{}", 1795240854.25), EventRow(1, b"\0", 1795240855.0)]

LATER = f"{len(versions()) + 1:04}"
NEXT = f"""
import sqlalchemy as sa
from alembic import op

revision = "{LATER}"
down_revision = "{versions()[-1]}"

def upgrade():
    with op.batch_alter_table("events") as table:
        table.add_column(sa.Column("note", sa.String, nullable=False, server_default="none"))
    op.create_table("friends", sa.Column("name", sa.String, primary_key=True))
"""


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """A connection as the store makes them."""
    engine = engine_of(url_of(url))
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@pytest.fixture
def version_1(database: str) -> str:
    """A database as the first release left it."""
    with connected(database) as connection, connection.begin():
        for statement in VERSION_1[connection.dialect.name].split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    return database


@pytest.fixture
def future(tmp_path: Path) -> Path:
    """The migrations with one more."""
    copied = Path(shutil.copytree(MIGRATIONS, tmp_path / "migrations"))
    (copied / "versions" / f"{LATER}_next.py").write_text(NEXT)
    return copied


async def contents(store: Store) -> tuple[Any, ...]:
    try:
        return await store.rooms(), await store.events("k3"), await store.events("k4")
    finally:
        await store.close()


def tables(connection: Connection) -> set[str]:
    return set(sa.inspect(connection).get_table_names())


def test_a_database_of_the_first_version_opens_with_all_its_rooms(version_1: str) -> None:
    assert asyncio.run(contents(Store.open(version_1))) == (ROOMS, EVENTS, [])
    with connected(version_1) as connection:
        assert version_of(connection) == versions()[-1]


async def test_rooms_of_the_first_version_can_be_played_on(version_1: str) -> None:
    store = Store.open(version_1)
    try:
        await store.append("k4", 0, b"first", 1.0)
        await store.append("k3", 2, b"more", 1.0)
        with pytest.raises(StoreError):
            await store.append("k3", 1, b"again", 1.0)
    finally:
        await store.close()


def test_the_migrations_make_what_the_code_means(database: str, tmp_path: Path) -> None:
    steps = Path(shutil.copytree(MIGRATIONS, tmp_path / "steps"))
    with connected(database) as connection, connection.begin():
        bring_up_to_date(connection, steps)
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, METADATA) == []


@in_sqlite
def test_a_missing_column_would_be_found(database: str) -> None:
    with connected(database) as connection, connection.begin():
        bring_up_to_date(connection)
        connection.exec_driver_sql("ALTER TABLE rooms DROP COLUMN options")
        differences = compare_metadata(MigrationContext.configure(connection), METADATA)
        assert [(kind, column.name) for kind, _, _, column in differences] == [("add_column", "options")]


def test_the_steps_are_a_line_named_by_their_files() -> None:
    script = ScriptDirectory(str(MIGRATIONS))
    line = [step.revision for step in script.walk_revisions()][::-1]
    assert line == versions()
    assert script.get_heads() == [versions()[-1]]


def test_a_later_step_keeps_what_is_there(version_1: str, future: Path) -> None:
    with connected(version_1) as connection:
        with connection.begin():
            bring_up_to_date(connection, future)
        with connection.begin():
            assert version_of(connection) == LATER
            assert "friends" in tables(connection)
            assert connection.execute(sa.text("SELECT room, n, note FROM events ORDER BY n")).all() == [
                ("k3", 0, "none"),
                ("k3", 1, "none"),
            ]


def test_a_step_that_fails_leaves_the_database_as_it_was(version_1: str, future: Path) -> None:
    with (future / "versions" / f"{LATER}_next.py").open("a") as file:
        file.write("    op.execute('SELECT * FROM nothing')\n")
    with connected(version_1) as connection:
        with pytest.raises(sa.exc.DBAPIError, match="nothing"), connection.begin():
            bring_up_to_date(connection, future)
        with connection.begin():
            assert tables(connection) == {"alembic_version", "rooms", "events", "leases"}
            assert version_of(connection) == "0001"
    assert asyncio.run(contents(Store.open(version_1))) == (ROOMS, EVENTS, [])


@in_sqlite
def test_a_newer_database_is_refused_and_left_alone(version_1: str, future: Path) -> None:
    with connected(version_1) as connection, connection.begin():
        bring_up_to_date(connection, future)
    with pytest.raises(StoreError, match=f"has schema {LATER}, and this Ludoteca knows schemas up to {versions()[-1]}"):
        Store.open(version_1)
    with connected(version_1) as connection:
        assert version_of(connection) == LATER


async def test_a_schema_is_not_changed_beside_a_server_that_knows_the_old_one(postgres: Cluster, future: Path) -> None:
    """Nor does that one go on with the new one, where the way to the database was lost while it was changed."""
    url = postgres.url(postgres.new_database())

    running, second = Store.open(url), Store.open(url)
    with connected(url) as newer:
        for left in (second, running):
            with pytest.raises(TakenError, match="servers of an older Ludoteca use it"), newer.begin():
                bring_up_to_date(newer, future)
            await running.create_room(ROOMS[0])
            await running.delete({ROOMS[0].id: 0})
            if left is second:
                await left.close()
        cut = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database()"
        with newer.begin():
            newer.execute(sa.text(f"{cut} AND pid <> pg_backend_pid()"))
            bring_up_to_date(newer, future)
    for _ in range(2):
        with pytest.raises(StoreError, match=f"has schema {LATER}, and this Ludoteca knows schemas up to"):
            await running.create_room(ROOMS[0])
    await running.close()


def test_somebody_elses_database_is_refused_and_left_alone(database: str) -> None:
    with connected(database) as connection, connection.begin():
        connection.exec_driver_sql("CREATE TABLE letters (text VARCHAR)")
    with pytest.raises(StoreError, match=r"not one of Ludoteca's: .* letters"):
        Store.open(database)
    with connected(database) as connection:
        assert tables(connection) == {"letters"}


@pytest.mark.slow
def test_a_current_database_opens_without_alembic(tmp_path: Path) -> None:
    """It would be a quarter of a second at every start."""
    file = tmp_path / "games"
    asyncio.run(Store.open(str(file)).close())
    code = (
        "import asyncio, sys; from ludoteca.server.store.store import Store; "
        f"asyncio.run(Store.open({str(file)!r}).close()); print('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


async def test_json_is_stored_as_json(tmp_path: Path) -> None:
    """So that another program, or a later migration, can read it."""
    file = tmp_path / "games"

    store = Store.open(str(file))
    await store.create_room(ROOMS[0])
    await store.close()

    with sqlite3.connect(file) as connection:
        (parameters,) = connection.execute("SELECT parameters FROM rooms").fetchone()
    connection.close()
    assert json.loads(parameters) == {"cards": 5}
