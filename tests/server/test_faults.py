"""Faults of the machine and of its operator: the server notices them, and says what is wrong."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from ludoteca.server.rooms.actor import RoomActor
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.store.database import StoreError
from tests.server.serving import OPEN, agent, me, serve
from tests.server.test_store import opened


@pytest.mark.parametrize(("suffix", "puts_another_there"), [("", True), ("-wal", False)])
async def test_nothing_is_stored_in_a_file_that_was_moved_until_it_is_back(
    tmp_path: Path, suffix: str, puts_another_there: bool
) -> None:
    file, elsewhere = tmp_path / f"games{suffix}", tmp_path / "elsewhere"

    async with opened(str(tmp_path / "games"), "a") as store:
        file.rename(elsewhere)
        if puts_another_there:
            file.write_bytes(elsewhere.read_bytes())
        with pytest.raises(StoreError, match=f"{file}: the file was moved or removed"):
            await store.append("a", 1, b"", 0.0)
        assert store.is_down()
        with pytest.raises(StoreError):
            await asyncio.gather(*(store.room("a") for _ in range(9)))
        elsewhere.rename(file)
        await store.append("a", 2, b"", 0.0)
        assert not store.is_down()
    async with opened(str(tmp_path / "games")) as store:
        assert [row.n for row in await store.events("a")] == [2]


def test_players_hear_once_that_a_move_is_not_stored_yet_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludoteca.server.rooms.actor.UNSTORED", 0.05)
    monkeypatch.setattr("ludoteca.server.store.database.LOCK_TIMEOUT", 3600.0)
    with serve(tmp_path / "games") as server, closing(sqlite3.connect(tmp_path / "games")) as intruder:
        made = server.make("okupacio", me(), OPEN)
        friend = server.take(made["room"], "Ion")
        with server.join(made["room"], made["token"]) as mine, server.join(made["room"], friend["token"]) as theirs:
            intruder.execute("BEGIN IMMEDIATE")
            mine.send({"t": "play", "id": 1, "n": mine.whole["position_n"], "action": mine.whole["choices"][0][0]})
            notes = [client.until("note/unstored", "done", "event") for client in (mine, theirs)]
            intruder.rollback()
            after = [client.until("note/unstored", "done", "event") for client in (mine, theirs)]
    assert notes == [{"t": "note", "kind": "unstored"}] * 2
    assert [frame["t"] for frame in after] == ["event", "event"]


def test_a_ping_is_answered_while_the_room_is_made_and_while_it_stores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludoteca.server.store.database.LOCK_TIMEOUT", 3600.0)
    data, may_be_made, get = tmp_path / "games", threading.Event(), Rooms.get

    async def get_later(rooms: Rooms, *wanted: str) -> RoomActor:
        await asyncio.to_thread(may_be_made.wait)
        return await get(rooms, *wanted)

    monkeypatch.setattr(Rooms, "get", get_later)
    with serve(data) as server, closing(sqlite3.connect(data)) as intruder:
        made = server.make("okupacio", me(), agent())
        with server.connect(made["room"]) as client:
            client.send({"t": "hello", "token": made["token"]})
            client.send({"t": "ping", "id": 7})
            assert client.next() == {"t": "pong", "id": 7}
            may_be_made.set()
            whole = client.until("room")
            intruder.execute("BEGIN IMMEDIATE")
            client.send({"t": "play", "id": 1, "n": whole["position_n"], "action": whole["choices"][0][0]})
            client.send({"t": "ping", "id": 8})
            assert client.until("pong", "done") == {"t": "pong", "id": 8}
            intruder.rollback()
            client.until("done")
