"""Several servers on one database: a room is of one of them, and only that one stores anything of it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import pytest
from websockets.exceptions import ConnectionClosed

from ludoteca.server.store import leases as leasing
from ludoteca.server.store.database import LostError
from ludoteca.server.store.leases import BusyError, Leases
from ludoteca.server.store.store import Store
from tests.server.postgres import Cluster
from tests.server.serving import OPEN, PATIENCE, QUICK, Client, Served, me, serve
from tests.server.test_protocol import closing_code
from tests.server.test_rooms import SMALL, friends, move, wait_until
from tests.server.test_store import opened, outcomes

FOREVER = 3600.0


@pytest.fixture
def url(postgres: Cluster) -> str:
    return postgres.url(postgres.new_database())


class Holder:
    """A server as far as leases go: it gives back what is wanted, and drops what it has lost."""

    def __init__(self, store: Store, seconds: float) -> None:
        self.store, self.leases = store, Leases(store, seconds)
        self.given_back: list[str] = []
        self.lost: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []

    def listen(self) -> None:
        self._tasks.append(asyncio.create_task(self.leases.listen(self._give_back)))

    def renew(self) -> None:
        self._tasks.append(asyncio.create_task(self.leases.renew(lambda room, _: self.lost.append(room))))

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


def test_who_has_no_lease_or_an_old_one_stores_nothing(url: str) -> None:
    async def scenario() -> None:
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
                ana.store.erase("a", first, {}, {2: b""}),
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

    asyncio.run(scenario())


def test_a_room_that_is_wanted_is_given_back_after_what_was_to_be_stored(url: str) -> None:
    async def scenario() -> None:
        async with holder(url, "a") as ana, holder(url) as bru:
            ana.listen()
            bru.listen()
            epoch = await ana.leases.take("a")
            appended = [asyncio.create_task(ana.store.append("a", n, b"", 0.0, epoch=epoch)) for n in range(5)]
            assert await bru.leases.take("a") == epoch + 1
            await asyncio.gather(*appended)
            assert "a" in ana.given_back
            assert [row.n for row in await bru.store.events("a")] == [0, 1, 2, 3, 4]

    asyncio.run(scenario())


def test_a_room_is_had_though_nothing_that_is_told_arrives(url: str) -> None:
    async def scenario() -> None:
        async with holder(url, "a", seconds=0.3) as ana, holder(url) as bru:
            epoch = await ana.leases.take("a")
            ana.renew()
            taken = asyncio.create_task(bru.leases.take("a"))
            await asyncio.wait([taken], timeout=0.6)
            assert not taken.done(), "it is renewed"
            await ana.stop()  # as if it were killed
            assert await taken == epoch + 1

    asyncio.run(scenario())


def test_of_two_who_want_a_room_at_once_one_has_it(url: str) -> None:
    async def scenario() -> None:
        async with holder(url, "a") as ana, holder(url) as bru:
            found = await asyncio.gather(*(who.leases.take_free("a") for who in (ana, bru)))
            assert set(found) == {1, None}

    asyncio.run(scenario())


def test_a_lease_that_another_server_has_taken_is_noticed(url: str) -> None:
    async def scenario() -> None:
        async with holder(url, "a", "b", seconds=0.3) as ana, holder(url) as bru:
            await ana.leases.take("a")
            await ana.leases.take("b")
            await asyncio.sleep(0.4)  # as if it were stopped meanwhile
            await bru.leases.take("a")
            ana.renew()
            async with asyncio.timeout(PATIENCE):
                while not ana.lost:
                    await asyncio.sleep(0.02)
            assert ana.lost == ["a"]
            assert ana.leases.epoch_of("a") is None
            assert ana.leases.epoch_of("b")

    asyncio.run(scenario())


def test_an_owner_that_lives_and_does_not_answer_keeps_its_room(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leasing, "PATIENCE", 0.3)

    async def scenario() -> None:
        async with holder(url, "a") as ana, holder(url) as bru:
            epoch = await ana.leases.take("a")
            with pytest.raises(BusyError):
                await bru.leases.take("a")
            await ana.store.append("a", 1, b"", 0.0, epoch=epoch)

    asyncio.run(scenario())


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


def test_two_servers_hand_a_room_to_each_other_and_lists_each_others(url: str) -> None:
    with two_servers(url) as (one, two):
        name, tokens = friends(one, parameters=SMALL, listed=True)
        with one.join(name, tokens[0]) as ana:
            move(ana, 0)
            wait_until(lambda: [found["room"] for found in two.http.get("/api/rooms").json()] == [name])
            assert one.http.get("/api/rooms").json() == two.http.get("/api/rooms").json()
            with two.join(name, tokens[1]) as bru:
                assert end_of(ana) == 1012
                assert bru.whole["ply"] == 1
                move(bru, 1)
                wait_until(lambda: len(one.http.get("/api/rooms").json()) == 1)
        with one.join(name, tokens[0]) as ana:
            assert ana.whole["ply"] == 2
            assert ana.ask("undo", at=2)["t"] in ("done", "error")
        wait_until(lambda: two.http.get("/api/rooms").json() == [])
        made = two.make("okupacio", me(), OPEN, parameters=SMALL)
        with one.join(made["room"]) as spectator:
            answer = two.http.delete(f"/api/rooms/{made['room']}", headers={"authorization": f"Bearer {made['key']}"})
            assert answer.status_code == 204
            assert end_of(spectator) == 1012
        assert one.http.get(f"/api/rooms/{made['room']}/record").status_code == 404
