"""What is deleted: by age and kind, and by whoever made it."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import text
from websockets.exceptions import ConnectionClosed

from ludoteca.core.game import load
from ludoteca.server.rooms import retention
from ludoteca.server.settings import Settings
from ludoteca.server.store.database import StoreError, engine_of, url_of
from ludoteca.server.store.leases import Leases
from ludoteca.server.store.schema import ROOMS, Kind
from ludoteca.server.store.store import Store
from ludoteca.server.store.writer import PendingWrite, WriteSession
from tests.server.postgres import Cluster
from tests.server.serving import OPEN, PATIENCE, QUICK, Served, in_sqlite, me, serve
from tests.server.test_protocol import closing_code
from tests.server.test_rooms import SMALL, friends, move, wait_until
from tests.server.test_store import end_connections, opened, outcomes, outside, room

GAME, RECORD = {"record": None}, {"record": "{}"}
DAY = 86400.0


async def kinds(store: Store, since: float = 100 * DAY) -> dict[Kind, list[str]]:
    return {kind: await store.unseen(kind, since, 10) for kind in Kind}


async def test_what_nobody_has_seen_for_long_is_found_by_kind(database: str) -> None:
    async with opened(database) as store:
        for key, options, over in (("u", {}, False), ("a", GAME, False), ("f", GAME, False), ("r", RECORD, True)):
            await store.create_room(room(key, options=options, over=over, created=DAY))
        await store.append("a", 1, b"", 2 * DAY, begun=True)
        await store.append("f", 1, b"", 2 * DAY, over=True, begun=True)
        all_of_them = {Kind.UNBEGUN: ["u"], Kind.ABANDONED: ["a"], Kind.FINISHED: ["f"], Kind.RECORD: ["r"]}
        assert await kinds(store) == all_of_them
        assert await kinds(store, 1.5 * DAY) == {**all_of_them, Kind.ABANDONED: [], Kind.FINISHED: []}
        assert await kinds(store, DAY) == {kind: [] for kind in Kind}
        await store.see(["f", "r", "nowhere"], 100 * DAY)
        assert await kinds(store) == {**all_of_them, Kind.FINISHED: [], Kind.RECORD: []}
        await store.create_room(room("a2", created=DAY))
        assert await store.unseen(Kind.UNBEGUN, 100 * DAY, 1) == ["a2"]
        assert await store.unseen(Kind.UNBEGUN, 100 * DAY, 1, after="a2") == ["u"]


async def test_what_is_deleted_leaves_nothing_and_harms_no_other(database: str) -> None:
    async with opened(database, "a", "b", "c") as store:
        for key in "abc":
            await store.append(key, 1, b"", 0.0)
        await store.delete({"a": 0, "c": 0, "nowhere": 0})
        with outside(database) as reader:
            assert reader.execute(text("SELECT id FROM rooms")).scalars().all() == ["b"]
            assert reader.execute(text("SELECT room FROM events")).scalars().all() == ["b"]
        assert await outcomes(store.append("a", 2, b"", 0.0), store.append("b", 2, b"", 0.0)) == ["refused", "stored"]


async def test_looks_at_rooms_do_not_have_a_move_stored_twice(postgres: Cluster) -> None:
    """What a look leaves cannot be told from what another one has left."""
    name = postgres.new_database()

    async with opened(postgres.url(name), "a"):
        pass
    engine, done = engine_of(url_of(postgres.url(name))), asyncio.get_running_loop().create_future()
    session = WriteSession(engine, engine.connect())
    with postgres.connect(name) as other:
        other.execute("INSERT INTO events (room, n, data, at) VALUES ('a', 1, 'move', 2.5)")
        end_connections(other)
        event = {"room": "a", "n": 1, "data": b"move", "at": 2.5, "epoch": 0}
        look = sa.update(ROOMS).where(ROOMS.c.id == "a").values(seen=9.0)
        assert session.store([PendingWrite(done, event=event), PendingWrite(done, statements=(look,))]) == [None, None]
    session.close()
    engine.dispose()


# by age


def one_of_each_kind(server: Served) -> dict[Kind, str]:
    """A room of each kind, all of them left."""
    unbegun = server.make("okupacio", me(), OPEN, parameters=SMALL)
    abandoned, tokens = friends(server, parameters=SMALL)
    with server.join(abandoned, tokens[1]), server.join(abandoned, tokens[0]) as ana:
        move(ana)
    finished, tokens = friends(server, parameters=SMALL)
    with server.join(finished, tokens[1]), server.join(finished, tokens[0]) as ana:
        move(ana)
        ana.ask("resign")
    record = server.http.post("/api/records", content=server.http.get(f"/api/rooms/{finished}/record").text).json()
    return {
        Kind.UNBEGUN: unbegun["room"],
        Kind.ABANDONED: abandoned,
        Kind.FINISHED: finished,
        Kind.RECORD: record["room"],
    }


def make_older(database: str, days: float) -> None:
    with outside(database) as connection:
        for statement in ("UPDATE rooms SET seen = seen - :age", "UPDATE events SET at = at - :age"):
            connection.execute(text(statement), {"age": days * DAY})
        connection.commit()


def remaining(database: str) -> set[str]:
    with outside(database) as connection:
        assert not connection.execute(text("SELECT 1 FROM events WHERE room NOT IN (SELECT id FROM rooms)")).all()
        return set(connection.execute(text("SELECT id FROM rooms")).scalars())


def keeping(days: float, *kinds: Kind) -> Settings:
    """A server that keeps these for so many days, and all others for ever."""
    unbegun, abandoned, finished, records = (days if kind in kinds else 0.0 for kind in Kind)
    return replace(QUICK, keep_unbegun=unbegun, keep_abandoned=abandoned, keep_finished=finished, keep_records=records)


@asynccontextmanager
async def searching(store: Store, settings: Settings) -> AsyncIterator[retention.Retention]:
    """The search for old rooms of a server on which no room is awake."""
    leases = Leases(store, settings.lease)
    yield retention.Retention(store, leases, settings, lambda _: False)
    await leases.release_all()


def sweep(database: str, settings: Settings) -> set[str]:
    """What remains after a search for old rooms."""

    async def search() -> None:
        async with opened(database) as store, searching(store, settings) as found:
            await found.sweep()

    asyncio.run(search())
    return remaining(database)


@in_sqlite
def test_only_what_is_older_than_its_kind_is_kept_goes(database: str) -> None:
    with serve(database) as server:
        rooms = one_of_each_kind(server)
    make_older(database, 2.0)
    left = set(rooms.values())
    assert sweep(database, keeping(3.0, *Kind)) == left
    for kind in Kind:
        left.remove(rooms[kind])
        assert sweep(database, keeping(1.0, kind)) == left


@in_sqlite
@pytest.mark.parametrize("ends", [False, True])
def test_a_game_in_which_a_person_never_was_goes_like_one_without_a_move(database: str, ends: bool) -> None:
    with serve(database) as server:
        room, tokens = friends(server, parameters=SMALL)
        with server.join(room, tokens[0]) as ana:
            move(ana)
            if ends:
                ana.ask("resign")
                assert ana.event(3)["over"]["reason"] == "unplayed"
    make_older(database, 2.0)
    assert sweep(database, keeping(1.0, Kind.ABANDONED, Kind.FINISHED)) == {room}
    assert sweep(database, keeping(1.0, Kind.UNBEGUN)) == set()


@in_sqlite
def test_what_somebody_looks_at_stays(database: str) -> None:
    with serve(database) as server:
        rooms = one_of_each_kind(server)
    make_older(database, 2.0)
    with serve(database) as server, server.join(rooms[Kind.UNBEGUN]):
        server.http.get(f"/api/rooms/{rooms[Kind.FINISHED]}/record")
    assert sweep(database, keeping(1.0, *Kind)) == {rooms[Kind.UNBEGUN], rooms[Kind.FINISHED]}


def test_a_room_that_is_awake_is_not_deleted_and_old_ones_go_in_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = f"sqlite:///{tmp_path}/games.sqlite"
    monkeypatch.setattr(retention, "SWEEP_EVERY", 0.05)
    monkeypatch.setattr(retention, "PAUSE", 0.0)
    monkeypatch.setattr(retention, "BATCH", 2)
    with serve(data, replace(keeping(1.0, *Kind), idle=0.05)) as server:
        room, tokens = friends(server, parameters=SMALL)
        for _ in range(5):
            server.make("okupacio", me(), OPEN, parameters=SMALL)
        with server.join(room, tokens[0]) as ana:
            make_older(data, 2.0)
            wait_until(lambda: remaining(data) == {room})
            assert move(ana)["t"] == "done"


# a clock that is wrong


def marks(database: str) -> dict[str, float]:
    """The seconds that marked rooms have left, while a server has the database."""
    with outside(database) as connection:
        found = connection.execute(text("SELECT id, grace FROM rooms WHERE grace IS NOT NULL"))
        return {str(room): float(grace) for room, grace in found}


async def test_marks_count_the_time_that_a_server_runs_and_go_when_a_room_is_not_due(database: str) -> None:
    async with opened(database) as store:
        for key, options, over in (("u", GAME, False), ("f", GAME, True), ("r", RECORD, True), ("new", GAME, False)):
            await store.create_room(room(key, options=options, over=over, created=9 * DAY if key == "new" else DAY))
        await store.append("f", 1, b"", DAY, begun=True)
        due = dict.fromkeys(Kind, 5 * DAY)
        for ran, grace, left in (
            (0.0, None, {}),
            (0.0, 100.0, {"u": 100.0, "f": 100.0, "r": 100.0}),
            (30.0, 100.0, {"u": 70.0, "f": 70.0, "r": 70.0}),
            (60.0, None, {"u": 10.0, "f": 10.0, "r": 10.0}),
        ):
            await store.update_marks(due, ran, grace, {})
            assert await store.marks() == left
            assert await store.unseen(Kind.UNBEGUN, 5 * DAY, 9) == ([] if left else ["u"])
        await store.see(["f"], 6 * DAY)
        await store.update_marks(dict.fromkeys((Kind.UNBEGUN, Kind.FINISHED), 5 * DAY), 15.0, None, {})
        assert await store.marks() == {"u": 0.0}, "one was looked at, and records are kept for ever now"
        assert await store.unseen(Kind.UNBEGUN, 5 * DAY, 9) == ["u"]
        await store.restore("u")
        assert (await store.marks(), await store.unseen(Kind.UNBEGUN, 5 * DAY, 9)) == ({}, [])


def test_a_machine_whose_clock_is_wrong_deletes_nothing(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(database) as server:
        rooms = two_rooms(server)
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() + 400 * DAY)
    assert sweep(database, keeping(90.0, *Kind)) == rooms
    has_own_clock = not database.startswith("sqlite")
    assert marks(database) == ({} if has_own_clock else dict.fromkeys(rooms, retention.GRACE))


def two_rooms(server: Served) -> set[str]:
    """A room that is not begun, and one that is."""
    begun, tokens = friends(server, parameters=SMALL)
    with server.join(begun, tokens[0]) as ana:
        move(ana)
    return {begun, server.make("okupacio", me(), OPEN, parameters=SMALL)["room"]}


async def test_what_is_marked_waits_for_the_time_that_the_server_runs(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database) as store, searching(store, keeping(90.0, *Kind)) as found:
        for key in ("visited", "other"):
            await store.create_room(room(key, options=GAME, created=time.time() - 400 * DAY))
        await found.sweep()
        assert marks(database) == {"visited": retention.GRACE, "other": retention.GRACE}
        await store.create_room(room("new", options=GAME, created=time.time()))  # by the clock that is ahead
        await found.sweep()
        await found.sweep()
        assert remaining(database) == {"visited", "other", "new"}
        assert marks(database).keys() == {"visited", "other"}
        assert all(retention.GRACE - PATIENCE < grace < retention.GRACE for grace in marks(database).values())
        found.look("visited")
        await found.sweep()
        assert marks(database).keys() == {"other"}
        make_older(database, -400.0)
        await found.sweep()
        assert (marks(database), remaining(database)) == ({}, {"visited", "other", "new"})
        monkeypatch.setattr(retention, "GRACE", 0.2)
        make_older(database, 1000.0)
        while remaining(database):
            await found.sweep()


def test_a_clock_that_jumps_while_the_server_runs_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = f"sqlite:///{tmp_path}/games.sqlite"
    monkeypatch.setattr(retention, "SWEEP_EVERY", 0.05)
    with serve(data, replace(keeping(90.0, *Kind), idle=0.05)) as server:
        rooms = two_rooms(server)
        late = server.make("okupacio", me(), OPEN, parameters=SMALL)["room"]
        wait_until(lambda: not (server.rooms.awake or server.rooms.retention._looked_at))
        with outside(data) as connection:  # a look by the wrong clock
            connection.execute(
                text("UPDATE rooms SET seen = seen + :ahead WHERE id = :late"), {"ahead": 400 * DAY, "late": late}
            )
            connection.commit()
        right = time.time
        monkeypatch.setattr(time, "time", lambda: right() + 400 * DAY)
        wait_until(lambda: marks(data) or remaining(data) == {late})
    assert (set(marks(data)), remaining(data)) == (rooms, {late, *rooms})


# by who made it


def delete(server: Served, room: str, key: str | None) -> tuple[int, str]:
    headers = {} if key is None else {"authorization": f"Bearer {key}"}
    answer = server.http.delete(f"/api/rooms/{room}", headers=headers)
    return answer.status_code, answer.json()["code"] if answer.content else ""


@in_sqlite
def test_who_made_a_room_deletes_it_and_all_are_told(database: str) -> None:
    with serve(database) as server:
        other, _ = friends(server, parameters=SMALL)
        room, tokens = friends(server, parameters=SMALL)
        with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru, server.join(room) as spectator:
            assert [client.whole["may_delete"] for client in (ana, bru, spectator)] == [True, False, True]
            refused = [delete(server, room, key) for key in (None, "short", tokens[1])]
            assert refused == [(403, "key")] * 3
            move(ana)
            assert delete(server, room, tokens[0]) == (204, "")
            for client in (ana, bru, spectator):
                assert client.until("error")["code"] == "deleted"
                with pytest.raises(ConnectionClosed) as closed:
                    client.next()
                assert closing_code(closed.value) == 4410
        assert delete(server, room, tokens[0]) == (404, "room")
        assert remaining(database) == {other}
        with server.connect(room) as late:
            assert late.next()["code"] == "room"


def test_a_room_without_its_maker_and_a_record_are_deleted_by_their_keys(server: Served) -> None:
    watched = server.make("okupacio", OPEN, OPEN, parameters=SMALL)
    assert (watched["token"], len(watched["key"])) == ("", 32)
    record = server.http.post("/api/records", content=load("okupacio").new_initial_state(0).serialize()).json()
    for made in (watched, record):
        with server.join(made["room"]) as spectator:
            assert spectator.whole["may_delete"]
        assert delete(server, made["room"], made["key"]) == (204, "")
        assert delete(server, made["room"], made["key"]) == (404, "room")


def test_a_maker_does_not_delete_a_game_in_which_another_person_has_played(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite") as server:
        room, tokens = friends(server, parameters=SMALL)
        with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru:
            move(ana)
            bru.until("event/move")
            move(bru)
            assert not ana.event(3)["may_delete"]
            assert delete(server, room, tokens[0]) == (409, "played")
    with serve(tmp_path / "games.sqlite") as server:
        assert delete(server, room, tokens[0]) == (409, "played")
        with server.join(room, tokens[0]) as ana:
            assert (ana.whole["ply"], ana.whole["may_delete"]) == (2, False)


def test_the_maker_of_a_room_deletes_its_rematch_too(server: Served) -> None:
    room, tokens = friends(server, parameters=SMALL)
    with server.join(room, tokens[0]) as ana:
        ana.ask("resign")
        ana.ask("rematch")
        again = ana.event(3)["over"]["rematch"]
    assert delete(server, again, tokens[1])[1] == "key"
    assert delete(server, again, tokens[0]) == (204, "")


def test_what_cannot_be_deleted_is_there(own_server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    room, tokens = friends(own_server, parameters=SMALL)

    async def locked(*_: Any) -> None:
        raise StoreError("the database is locked")

    with own_server.join(room, tokens[0]) as ana:
        with monkeypatch.context() as patched:
            patched.setattr(own_server.rooms.store, "delete", locked)
            assert delete(own_server, room, tokens[0]) == (503, "storage")
        assert move(ana)["t"] == "done"
    with own_server.join(room, tokens[1]) as bru:
        assert bru.whole["ply"] == 1
