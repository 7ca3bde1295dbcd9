"""Rooms and events are kept: in SQLite and in PostgreSQL, together where they come together, and nobody harms another."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, create_engine, event, text

from ludoteca.server.model.events import EventRow, RoomRow
from ludoteca.server.store import database as databases
from ludoteca.server.store import writer
from ludoteca.server.store.database import StoreError, url_of
from ludoteca.server.store.store import Store
from ludoteca.server.store.writer import PendingWrite, WriteSession
from tests.server.postgres import Cluster
from tests.server.serving import in_sqlite

SEED, NONCE = bytes(range(32)), bytes(range(255, 223, -1))


def room(key: str, **other: Any) -> RoomRow:
    usual = {"parameters": {"players": 3, "board": "4 4"}, "options": {"clock": None, "name": "Núria 🂡"}, "created": 1.5}
    return RoomRow(id=key, game="duel", rules=2, seed=SEED, nonce=NONCE, **{**usual, **other})


@asynccontextmanager
async def opened(url: str, *keys: str) -> AsyncIterator[Store]:
    """A store with these rooms in it."""
    store = Store.open(url)
    try:
        for key in keys:
            await store.create_room(room(key))
        yield store
    finally:
        await store.close()


@contextmanager
def transactions() -> Iterator[list[Any]]:
    """Every transaction that is committed meanwhile."""
    commits: list[Any] = []

    def note(connection: Connection) -> None:
        commits.append(connection)

    event.listen(Engine, "commit", note)
    try:
        yield commits
    finally:
        event.remove(Engine, "commit", note)


async def outcomes(*calls: Awaitable[None]) -> list[str]:
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert all(result is None or isinstance(result, StoreError) for result in results), results
    return ["stored" if result is None else "refused" for result in results]


@contextmanager
def outside(url: str) -> Iterator[Connection]:
    """A connection of somebody else's."""
    engine = create_engine(url_of(url))
    with engine.connect() as connection:
        yield connection
    engine.dispose()


# what is written is there


async def test_rooms_and_events_are_read_as_they_were_written(database: str) -> None:
    rooms = [room("b", created=1795240852.925372), room("a", created=2e9, parameters={}, options={"from": ["x", 1, None]})]
    events = [
        EventRow(n, data, at) for n, data, at in ((1, b"\0\xff", 0.1), (2, b"", 1795240852.1234567), (3, b"x" * 5000, 2.0))
    ]

    async with opened(database) as store:
        for row in rooms:
            await store.create_room(row)
        for row_of_event in reversed(events):
            await store.append("a", row_of_event.n, row_of_event.data, row_of_event.at)
    async with opened(database) as store:
        assert await store.rooms() == rooms
        assert await store.room("b") == rooms[0]
        assert await store.room("c") is None
        assert await store.events("a") == events
        assert await store.events("b") == []


async def test_what_is_acknowledged_can_be_seen_from_outside(database: str) -> None:
    async with opened(database, "r") as store:
        with outside(database) as reader:
            for n in range(5):
                await store.append("r", n, b"", 0.0)
                assert reader.scalar(text("SELECT max(n) FROM events")) == n
                reader.rollback()


async def test_a_room_is_over_with_its_last_event(database: str) -> None:
    async with opened(database, "a", "b", "c") as store:
        await store.append("a", 1, b"", 0.0)
        with transactions() as commits:
            await store.append("a", 2, b"end", 0.0, over=True)
        assert len(commits) == 1
        assert await outcomes(store.append("b", 1, b"", 0.0), store.append("b", 1, b"end", 0.0, over=True)) == [
            "stored",
            "refused",
        ]
        assert {found.id: found.over for found in await store.rooms()} == {"a": True, "b": False, "c": False}


@in_sqlite
async def test_a_change_of_an_event_leaves_all_others(database: str) -> None:
    async with opened(database, "a", "b") as store:
        for key, n in (("a", 1), ("a", 2), ("b", 2)):
            await store.append(key, n, b"old", 0.0)
        await store.rewrite("a", 0, {}, {2: b"new"})
        assert await store.events_of(["a", "b"]) == {"a": [b"old", b"new"], "b": [b"old"]}


# together, and each for itself


@in_sqlite
def test_what_comes_together_is_stored_in_one_transaction(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "WINDOW", window := 0.1)  # longer than a busy machine keeps a thread waiting
    rooms, events = 20, 5

    async def play(store: Store, key: str) -> None:
        for n in range(events):
            await store.append(key, n, b"move", 0.0)

    async def scenario() -> tuple[int, float]:
        keys = [str(number) for number in range(rooms)]
        async with opened(database, *keys) as store:
            begin = time.monotonic()
            with transactions() as commits:
                await asyncio.gather(*(play(store, key) for key in keys))
            return len(commits), time.monotonic() - begin

    commits, seconds = asyncio.run(scenario())
    assert commits <= rooms * events / 4, "all rooms wait for their event at the same time, so about one transaction a round"
    assert commits <= seconds / window + 1


async def test_a_move_after_a_pause_waits_for_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "WINDOW", window := 0.3)

    async with opened(str(tmp_path / "x"), "r") as store:
        times = []
        for n in range(3):
            await asyncio.sleep(2 * window)  # the pause
            begin = time.monotonic()
            await store.append("r", n, b"", 0.0)
            times.append(time.monotonic() - begin)
        assert min(times) < window


async def test_one_that_is_refused_harms_no_other(database: str) -> None:
    async with opened(database, "a", "b") as store:
        await store.append("a", 1, b"first", 0.0)
        await asyncio.sleep(0)
        assert await outcomes(
            store.append("a", 2, b"", 0.0),
            store.append("a", 1, b"again", 0.0),
            store.append("nowhere", 1, b"", 0.0),
            store.append("b", 1, b"", 0.0),
            store.create_room(room("a")),
            store.create_room(room("c")),
            store.append("b", 1, b"twice", 0.0),
        ) == ["stored", "refused", "refused", "stored", "refused", "stored", "refused"]
        assert [(row.n, row.data) for row in await store.events("a")] == [(1, b"first"), (2, b"")]
        assert [(row.n, row.data) for row in await store.events("b")] == [(1, b"")]
        assert {row.id for row in await store.rooms()} == {"a", "b", "c"}


async def test_what_no_database_can_take_fails_alone(database: str) -> None:
    async with opened(database, "a") as store:
        await store.append("a", 0, b"", 0.0)
        assert await outcomes(
            store.append("a", 1, b"", 0.0),
            store.append("a", 1 << 70, b"", 0.0),
            store.append("\ud800", 1, b"", 0.0),
            store.create_room(room("b", options={"x": object()})),
            store.append("a", 2, b"", 0.0),
        ) == ["stored", "refused", "refused", "refused", "stored"]
        assert [row.n for row in await store.events("a")] == [0, 1, 2]


async def test_an_error_that_nobody_thought_of_leaves_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: WriteSession, batch: list[PendingWrite]) -> list[StoreError | None]:
        raise LookupError("a bug")

    heard: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", heard.append)
    async with opened(str(tmp_path / "games"), "a") as store:
        monkeypatch.setattr(WriteSession, "store", fail)
        assert await outcomes(*(store.append("a", n, b"", 0.0) for n in range(5))) == ["refused"] * 5
        with pytest.raises(StoreError, match="closed"):
            await store.append("a", 9, b"", 0.0)
    assert [str(problem.exc_value) for problem in heard] == ["a bug"], "it is not silent"


async def test_a_refusal_says_why_and_tells_nothing_of_what_was_to_be_stored(database: str) -> None:
    async with opened(database, "a") as store:
        await store.append("a", 1, b"", 0.0)
        with pytest.raises(StoreError) as error:
            await store.append("a", 1, b"secret", 0.0)
    message = str(error.value)
    assert "unique" in message.lower()
    assert "secret" not in message
    assert "INSERT" not in message


@in_sqlite
async def test_whoever_stops_waiting_harms_no_other(database: str) -> None:
    async with opened(database, "a") as store:
        gone = [asyncio.create_task(store.append("a", n, b"", 0.0)) for n in range(5)]
        kept = [asyncio.create_task(store.append("a", n, b"", 0.0)) for n in range(5, 10)]
        await asyncio.sleep(0)
        for task in gone:
            task.cancel()
        await asyncio.gather(*kept)
        assert {row.n for row in await store.events("a")} >= set(range(5, 10))


@in_sqlite
async def test_what_was_begun_is_stored_before_the_store_closes(database: str) -> None:
    store = Store.open(database)
    await store.create_room(room("a"))
    tasks = [asyncio.create_task(store.append("a", n, b"", 0.0)) for n in range(30)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*tasks)
    with pytest.raises(StoreError, match="closed"):
        await store.append("a", 99, b"", 0.0)
    async with opened(database) as again:
        assert len(await again.events("a")) == 30


# one server at a time


async def test_a_second_server_is_refused_and_the_first_is_not_harmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = str(tmp_path / "games")

    async with opened(database, "a") as store:
        with monkeypatch.context() as patched:
            patched.setattr(databases, "HANDOVER", 0.05)
            with pytest.raises(StoreError, match="another server has it open"):
                Store.open(database)
        await store.append("a", 1, b"", 0.0)
    async with opened(database) as store:
        assert len(await store.events("a")) == 1


@pytest.mark.parametrize("link", [os.symlink, os.link])
async def test_the_same_file_by_another_name_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link: Callable[[Path, Path], None]
) -> None:
    monkeypatch.setattr(databases, "HANDOVER", 0.05)

    async with opened(str(tmp_path / "games"), "r"):
        link(tmp_path / "games", tmp_path / "link")
        with pytest.raises(StoreError, match="another server has it open"):
            Store.open(str(tmp_path / "link"))
    async with opened(str(tmp_path / "games")) as store:
        assert await store.room("r")


def test_a_killed_server_leaves_the_database_free_though_its_workers_live(tmp_path: Path) -> None:
    file = tmp_path / "games"
    code = (
        "import asyncio, multiprocessing, os, time\n"
        "from ludoteca.server.store.store import Store\n"
        "if __name__ == '__main__':\n"
        f"    store = Store.open({str(file)!r})\n"
        "    worker = multiprocessing.get_context('spawn').Process(target=time.sleep, args=(600,))\n"
        "    worker.start()\n"
        "    print(worker.pid, flush=True)\n"
        "    time.sleep(600)\n"
    )
    script = tmp_path / "server.py"
    script.write_text(code)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE) as server:
        assert server.stdout
        worker = int(server.stdout.readline())
        server.kill()
    try:
        asyncio.run(Store.open(str(file)).close())
        os.kill(worker, 0)
    finally:
        with suppress(ProcessLookupError):
            os.kill(worker, 9)


# a database in trouble


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "LOCK_TIMEOUT", 0.1)


@pytest.mark.usefixtures("impatient")
async def test_a_locked_file_is_an_error_for_those_who_wait_and_no_longer(tmp_path: Path) -> None:
    file = tmp_path / "games"

    async with opened(str(file), "a") as store:
        intruder = sqlite3.connect(file)
        intruder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=f"{file}: database is locked"):
            await store.append("a", 1, b"", 0.0)
        assert await outcomes(*(store.append("a", n, b"", 0.0) for n in range(9))) == ["refused"] * 9
        intruder.close()
        await store.append("a", 1, b"", 0.0)
        assert [row.n for row in await store.events("a")] == [1]


async def test_a_full_disk_is_an_error_and_what_was_stored_stays(tmp_path: Path) -> None:
    def shrink(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA max_page_count = 20")

    event.listen(Engine, "connect", shrink)
    try:
        async with opened(str(tmp_path / "games"), "a") as store:
            for n in range(100):
                try:
                    await store.append("a", n, b"x" * 1000, 0.0)
                except StoreError as error:
                    assert "database or disk is full" in str(error)  # noqa: PT017  # the number of the first is wanted
                    break
            await store.append("a", 1000, b"", 0.0)
            assert [row.n for row in await store.events("a")] == [*range(n), 1000]
            assert 0 < n < 99
    finally:
        event.remove(Engine, "connect", shrink)


def end_connections(connection: Any) -> None:
    """It returns when they have ended."""
    connection.execute("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE backend_type = 'client backend'"
                       " AND pid <> pg_backend_pid()")  # fmt: skip


async def test_a_lost_connection_is_made_again(postgres: Cluster) -> None:
    name = postgres.new_database()

    async with opened(postgres.url(name), "a") as store:
        await store.append("a", 1, b"", 0.0)
        with postgres.connect(name) as other:
            end_connections(other)
            assert await outcomes(*(store.append("a", n, b"", 0.0) for n in (1, 2, 3))) == [
                "refused",
                "stored",
                "stored",
            ]
            assert [row.n for row in await store.events("a")] == [1, 2, 3]


async def test_what_was_committed_when_the_connection_broke_is_not_stored_twice(postgres: Cluster) -> None:
    name = postgres.new_database()

    async with opened(postgres.url(name), "a") as store:
        with postgres.connect(name) as other:
            other.execute("INSERT INTO events (room, n, data, at) VALUES ('a', 1, 'move', 2.5), ('a', 2, 'other', 2.5)")
            end_connections(other)
            await store.append("a", 1, b"move", 2.5)
            end_connections(other)
            with pytest.raises(StoreError):
                await store.append("a", 2, b"move", 2.5)
            assert [row.data for row in await store.events("a")] == [b"move", b"other"]


async def test_a_room_is_deleted_though_the_connection_was_lost(postgres: Cluster) -> None:
    name = postgres.new_database()

    async with opened(postgres.url(name), "a", "b") as store:
        with postgres.connect(name) as other:
            end_connections(other)
        await store.delete({"a": 0})
        assert [row.id for row in await store.rooms()] == ["b"]


def test_a_server_that_has_a_database_for_itself_keeps_others_out(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of before schema 0004 have: they hold this lock as long as they run."""
    monkeypatch.setattr(databases, "MIGRATING", 0.05)
    name = postgres.new_database()
    with postgres.connect(name) as older:
        older.execute("SELECT pg_advisory_lock(%s)", [int.from_bytes(b"ludoteca", "big")])
        with pytest.raises(StoreError, match="another server has it open"):
            Store.open(postgres.url(name))
    asyncio.run(Store.open(postgres.url(name)).close())


# what cannot be opened


@pytest.mark.parametrize(
    ("text_of_url", "says"),
    [
        ("mysql://me@there/games", "read mysql://"),
        ("sqlite://", "forget every game"),
        ("sqlite:///:memory:", "forget every game"),
        ("postgresql://me:hunter2@there:port/games", "cannot be read"),
        ("/proc/games/x.sqlite", "/proc/games/x.sqlite: games cannot be kept there"),
        ("postgresql://me:hunter2@127.0.0.1:1/games", r"me:\*\*\*@127.0.0.1:1/games: .*refused"),
    ],
)
def test_a_database_that_cannot_be_opened_says_why(text_of_url: str, says: str) -> None:
    with pytest.raises(StoreError, match=says) as error:
        Store.open(text_of_url)
    assert "hunter2" not in str(error.value)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(StoreError, match=f"{folder}: games cannot be kept there: Is a directory"):
        Store.open(str(folder))


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Sir or Madam, " * 100)
    with pytest.raises(StoreError, match="file is not a database"):
        Store.open(str(file))
    assert file.read_text() == "Dear Sir or Madam, " * 100


def test_secrets_are_the_users_own(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    store = Store.open(str(folder / "games"))
    try:
        modes = {path.name: path.stat().st_mode & 0o077 for path in folder.iterdir() if not path.name.endswith(".lock")}
        assert {"games", "games-wal"} <= set(modes)
        assert set(modes.values()) == {0}
        assert folder.stat().st_mode & 0o077 == 0
    finally:
        asyncio.run(store.close())
