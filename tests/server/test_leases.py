"""Several servers on one database: a room is of one of them, and only that one stores anything of it."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from threading import Thread

import pytest
from sqlalchemy import text
from websockets.exceptions import ConnectionClosed

from ludoteca.server.store import leases as leasing
from ludoteca.server.store.database import LostError, engine_of, url_of
from ludoteca.server.store.leases import BusyError, Leases
from ludoteca.server.store.store import Store
from ludoteca.server.store.writer import PendingWrite, WriteSession
from tests import forks
from tests.server.postgres import Cluster
from tests.server.serving import OPEN, PATIENCE, QUICK, Client, Served, me, serve
from tests.server.test_protocol import closing_code
from tests.server.test_rooms import SMALL, friends, move, wait_until
from tests.server.test_store import opened, outcomes, outside

FOREVER = 3600.0


@pytest.fixture
def url(postgres: Cluster) -> str:
    return postgres.url(postgres.new_database())


class Holder:
    """A server as far as leases go: it lives, gives back what is wanted, and drops what it has lost."""

    def __init__(self, store: Store, seconds: float) -> None:
        self.store, self.leases = store, Leases(store, seconds)
        self.given_back: list[str] = []
        self.lost: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def live(self, *, answers: bool = True) -> None:
        """Hear what is told, and answer it or not; others see that from now on."""
        self._tasks.append(asyncio.create_task(self.leases.listen(self._give_back if answers else lambda _: None)))
        key = int.from_bytes(bytes.fromhex(self.store.owner), signed=True)
        with self.store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as looking:
            while looking.scalar(text(f"SELECT pg_try_advisory_xact_lock_shared({key})")):
                await asyncio.sleep(0.01)

    def renew(self) -> None:
        self.renewing = asyncio.create_task(self.leases.renew(lambda room, _: self.lost.append(room)))
        self._tasks.append(self.renewing)

    def _give_back(self, name: str) -> None:
        epoch = self.leases.epoch_of(name)
        if epoch is not None:
            self.given_back.append(name)
            self._tasks.append(asyncio.create_task(self.leases.release(name, epoch)))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


@asynccontextmanager
async def holder(url: str, *rooms: str, seconds: float = FOREVER) -> AsyncIterator[Holder]:
    async with opened(url, *rooms) as store:
        made = Holder(store, seconds)
        try:
            yield made
        finally:
            await made.stop()
            await made.leases.release_all()


async def test_who_has_no_lease_or_an_old_one_stores_nothing(url: str) -> None:
    async with holder(url, "a", "b", seconds=0.0) as ana, holder(url) as bru:
        first, other = await ana.leases.take("a"), await ana.leases.take("b")
        await ana.store.append("a", 1, b"1", 0.0, epoch=first)
        second = await bru.leases.take("a")  # as Ana's has run out
        assert second > first
        await bru.store.append("a", 2, b"2", 0.0, epoch=second)
        assert await outcomes(
            ana.store.append("a", 3, b"old", 0.0, epoch=first),
            ana.store.append("b", 1, b"own", 0.0, epoch=other),
            ana.store.append("a", 3, b"guessed", 0.0, epoch=second),
            ana.store.append("a", 3, b"none", 0.0),
            ana.store.delete({"b": other, "a": first}),
            ana.store.rewrite("a", first, {}, {2: b""}),
            ana.store.release("a", first),
        ) == ["refused", "stored", *["refused"] * 5]
        with pytest.raises(LostError):
            await ana.store.append("a", 3, b"old", 0.0, epoch=first)
        assert not ana.store.is_down()
        assert [(row.n, row.data, row.epoch) for row in await bru.store.events("a")] == [
            (1, b"1", first),
            (2, b"2", second),
        ]
        await bru.store.delete({"a": second})
        assert await bru.store.room("a") is None


async def test_a_room_that_is_wanted_is_given_back_after_what_was_to_be_stored(url: str) -> None:
    async with holder(url, "a") as ana, holder(url) as bru:
        await ana.live()
        await bru.live()
        epoch = await ana.leases.take("a")
        appended = [asyncio.create_task(ana.store.append("a", n, b"", 0.0, epoch=epoch)) for n in range(5)]
        assert await bru.leases.take("a") == epoch + 1
        await asyncio.gather(*appended)
        assert "a" in ana.given_back
        assert [row.n for row in await bru.store.events("a")] == [0, 1, 2, 3, 4]


def test_a_room_is_had_though_nothing_that_is_told_arrives(url: str) -> None:
    async def scenario() -> None:
        async with holder(url, "a", seconds=0.3) as ana, holder(url) as bru:
            await ana.live(answers=False)
            epoch = await ana.leases.take("a")
            ana.renew()
            taken = asyncio.create_task(bru.leases.take("a"))
            await asyncio.wait([taken], timeout=0.6)
            assert not taken.done(), "it is renewed"
            ana.renewing.cancel()  # as if it were stopped
            assert await taken == epoch + 1


async def test_a_room_of_a_server_that_was_killed_is_had_at_once(url: str) -> None:
    async with holder(url, "a", seconds=FOREVER) as ana, holder(url) as bru:
        await ana.live(answers=False)
        epoch = await ana.leases.take("a")
        assert await bru.leases.take_free("a") is None
        await ana.stop()  # its sessions of the database end with it
        assert await bru.leases.take("a") == epoch + 1


async def test_of_two_who_want_a_room_at_once_one_has_it(url: str) -> None:
    async with holder(url, "a") as ana, holder(url) as bru:
        await ana.live()
        await bru.live()
        found = await asyncio.gather(*(who.leases.take_free("a") for who in (ana, bru)))
        assert set(found) == {1, None}


@asynccontextmanager
async def locked(url: str, room: str) -> AsyncIterator[None]:
    """Somebody has locked the row of a lease meanwhile, as a transaction that stores something does."""
    with outside(url) as connection:
        connection.execute(text("SELECT * FROM leases WHERE room = :room FOR UPDATE"), {"room": room})
        yield


async def waiting(url: str, how_many: int = 1) -> None:
    """Wait until so many transactions wait for a row."""
    query = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
    with outside(url) as connection:
        while connection.scalar(query) < how_many:
            connection.rollback()
            await asyncio.sleep(0.01)


async def test_a_room_that_is_taken_twice_at_once_by_one_server_has_one_epoch(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who searches for old rooms takes one in which somebody arrives just then: with two epochs, one is never renewed."""
    monkeypatch.setattr(leasing, "ASKED_AGAIN", FOREVER)  # so that who waits for the row waits

    async with holder(url, "a") as ana:
        await ana.leases.release("a", await ana.leases.take("a"))
        async with locked(url, "a"):
            sweeping = asyncio.create_task(ana.leases.take_free("a"))
            await waiting(url)
            coming = asyncio.create_task(ana.leases.take("a"))
            await asyncio.sleep(0)
            assert await ana.leases.take_free("a") is None
        assert tuple(await asyncio.gather(sweeping, coming)) == (2, 2)
        assert ana.leases.epoch_of("a") == 2
        await ana.store.append("a", 1, b"", 0.0, epoch=2)


async def test_nobody_waits_longer_for_a_row_that_is_locked_than_until_the_next_try(url: str) -> None:
    """Each would have one of the few threads in which all is read."""

    async with holder(url, "a") as ana:
        await ana.leases.release("a", await ana.leases.take("a"))
        async with locked(url, "a"):
            assert await ana.leases.take_free("a") is None
        assert await ana.leases.take_free("a") == 2


def leased(url: str) -> set[str]:
    """The rooms that have rows in the table of leases."""
    with outside(url) as connection:
        return set(connection.execute(text("SELECT room FROM leases")).scalars())


async def test_no_lease_of_a_room_that_is_deleted_stays(url: str) -> None:
    async with holder(url, "deleted", "kept", seconds=0.0) as ana, holder(url, seconds=0.0) as bru:
        await ana.store.delete({"deleted": await ana.leases.take("deleted")})
        await ana.leases.take("kept")
        assert leased(url) == {"kept"}
        late = await bru.leases.take("deleted")  # had read that there is such a room
        await bru.leases.release("deleted", late)
        assert leased(url) == {"kept"}
        await bru.leases.take("deleted")  # and is killed then
        assert leased(url) == {"kept", "deleted"}
        await ana.leases.clear()
        assert leased(url) == {"kept"}


async def test_a_lease_that_another_server_has_taken_is_noticed(url: str) -> None:
    async with holder(url, "a", "b", seconds=0.3) as ana, holder(url) as bru:
        await ana.leases.take("a")
        await ana.leases.take("b")
        await bru.leases.take("a")  # as Ana gives no sign of life
        ana.renew()
        async with asyncio.timeout(PATIENCE):
            while not ana.lost:
                await asyncio.sleep(0.02)
        assert ana.lost == ["a"]
        assert ana.leases.epoch_of("a") is None
        assert ana.leases.epoch_of("b")


async def test_an_owner_that_lives_and_does_not_answer_keeps_its_room(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leasing, "TAKE_TIMEOUT", 0.3)

    async with holder(url, "a") as ana, holder(url) as bru:
        await ana.live(answers=False)
        epoch = await ana.leases.take("a")
        with pytest.raises(BusyError):
            await bru.leases.take("a")
        await ana.store.append("a", 1, b"", 0.0, epoch=epoch)


WRITERS = 12


def store_without_end(url: str) -> None:
    """Store batches of three events, a room for each of these threads."""
    threads = [Thread(target=store_without_end_in, args=(url, str(number))) for number in range(WRITERS)]
    for thread in threads:
        thread.start()


def store_without_end_in(url: str, room: str) -> None:
    engine = engine_of(url_of(url))
    session = WriteSession(engine, engine.connect())
    done: asyncio.Future[None] = asyncio.Future(loop=asyncio.new_event_loop())
    for first in range(0, 10**9, 3):
        events = [{"room": room, "n": first + n, "epoch": 0, "at": 0.0, "data": b"x" * 200} for n in range(3)]
        assert session.store([PendingWrite(done, {room: 0}, event=event) for event in events]) == [None] * 3


def test_what_is_stopped_while_it_stores_keeps_no_lock(url: str) -> None:
    """Wherever it is in a transaction: one connection of two kept its locks when rows were inserted one by one."""

    async def make_rooms() -> None:
        async with opened(url, *map(str, range(WRITERS))):
            pass

    asyncio.run(make_rooms())
    storing = forks.start(store_without_end, url)
    assert storing.pid
    try:
        with outside(url) as looking:
            looking = looking.execution_options(isolation_level="AUTOCOMMIT")
            stored = text("SELECT count(DISTINCT room) FROM events")
            wait_until(lambda: looking.scalar(stored) == WRITERS)
            os.kill(storing.pid, signal.SIGSTOP)
            begun = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start < now()")
            wait_until(lambda: looking.scalar(begun) == 0)
    finally:
        storing.kill()
        storing.join()


# rooms


@contextmanager
def two_servers(url: str) -> Iterator[tuple[Served, Served]]:
    with serve(url, QUICK) as one, serve(url, QUICK) as two:
        yield one, two


def end_of(client: Client) -> int:
    """The code with which a server ends the connection."""
    with pytest.raises(ConnectionClosed) as ended:
        client.until("nothing")
    return closing_code(ended.value)


def test_who_has_an_old_lease_takes_no_move_back(url: str) -> None:
    """What takes moves back is an event: with an old epoch it is not stored, and nobody is told of it."""
    with serve(url, replace(QUICK, lease=FOREVER)) as one, serve(url) as two:  # one learns by storing that the room is lost
        room, tokens = friends(one, parameters=SMALL)
        with one.join(room, tokens[0]) as ana, one.join(room, tokens[1]) as bru:
            move(ana)
            assert ana.ask("undo")["t"] == "done"  # that is, asked for
            with outside(url) as connection:
                connection.execute(text("UPDATE leases SET owner = '', until = 0"))
                connection.commit()
            with two.join(room, tokens[1]) as tablet:
                assert tablet.whole["ply"] == 1
                with pytest.raises(ConnectionClosed) as ended:
                    bru.ask("agree", what="undo 2 0")
                assert closing_code(ended.value) == 1012
                assert (one.rooms.store.session.refused, two.rooms.store.session.refused) == (1, 0)
                assert all(known.has_failed for known in one.rooms.awake.values())
                with two.join(room, tokens[0]):
                    assert tablet.ask("agree", what="undo 2 0")["t"] == "done"
                    assert tablet.hello(tokens[1])["ply"] == 0
        with outside(url) as connection:
            stored = connection.execute(text("SELECT n, epoch FROM events ORDER BY n")).all()
        assert [(n, epoch) for n, epoch in stored] == [(1, 1), (2, 1), (3, 1), (4, 2)]  # a seat, a move, asked, taken back


def test_two_servers_hand_a_room_to_each_other_and_lists_each_others(url: str) -> None:
    with two_servers(url) as (one, two):
        name, tokens = friends(one, parameters=SMALL, listed=True)
        with one.join(name, tokens[0]) as ana:
            move(ana)
            wait_until(lambda: one.http.get("/api/rooms").json() == two.http.get("/api/rooms").json() != [])
            assert [found["room"] for found in two.http.get("/api/rooms").json()] == [name]
            with two.join(name, tokens[1]) as bru:
                assert end_of(ana) == 1012
                assert bru.whole["ply"] == 1
                move(bru)
                wait_until(lambda: len(one.http.get("/api/rooms").json()) == 1)
        with one.join(name, tokens[0]) as ana:
            assert ana.whole["ply"] == 2
            assert ana.ask("undo")["t"] in ("done", "error")
        wait_until(lambda: two.http.get("/api/rooms").json() == [])
        made = two.make("okupacio", me(), OPEN, parameters=SMALL)
        with one.join(made["room"]) as spectator:
            answer = two.http.delete(f"/api/rooms/{made['room']}", headers={"authorization": f"Bearer {made['key']}"})
            assert answer.status_code == 204
            assert end_of(spectator) == 1012
        assert one.http.get(f"/api/rooms/{made['room']}/record").status_code == 404
