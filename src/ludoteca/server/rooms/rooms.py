"""All rooms: how they are opened, made and deleted, woken for a client and put to sleep without one."""

import asyncio
import hmac
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Final, TypeVar

import msgspec

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game
from ludoteca.server import journal
from ludoteca.server.jobs import Read
from ludoteca.server.measures import ROOMS
from ludoteca.server.model import creation, events
from ludoteca.server.model.clock import least_left
from ludoteca.server.model.creation import RecordOpened, RoomMade, RoomWished, checked_name, name_among
from ludoteca.server.model.effects import DELETED, RESTART
from ludoteca.server.model.events import Taken
from ludoteca.server.model.replay import folded
from ludoteca.server.model.rows import EventRow, RoomRow
from ludoteca.server.model.table import Table
from ludoteca.server.model.tokens import digest, seat_of
from ludoteca.server.processor import Processor
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.actor import NEAR, Rest, RoomActor
from ludoteca.server.rooms.lobby import Lobby
from ludoteca.server.rooms.retention import Retention
from ludoteca.server.settings import Settings
from ludoteca.server.shares import Buckets, Turns
from ludoteca.server.store.database import StoreError
from ludoteca.server.store.leases import BusyError, Leases
from ludoteca.server.store.store import TOGETHER, Store
from ludoteca.server.thinking.workers import Workers

ROUND: Final = 5.0
"""Seconds between two looks for rooms that may sleep."""
DESKS: Final = 4
"""Rooms that are woken, or records and pictures that are made, at once: fewer than `asyncio.to_thread` has threads."""
MAKERS: Final = 10_000
"""Rooms without a client so far whose makers' addresses are remembered."""

Result = TypeVar("Result")
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The form of a room's name. No other name is looked up: no database has to take it, and no log."""

log: Final = logging.getLogger(__name__)


class Rooms:
    """The rooms of a server."""

    def __init__(self, store: Store, workers: Workers, settings: Settings, processor: Processor) -> None:
        self.store = store
        self.workers = workers
        self.settings = settings
        self.processor = processor
        self._made = Buckets(settings.rooms_of_address)
        self._taken = Buckets(settings.seats_taken_of_address)
        self._record_bytes = Buckets(settings.record_bytes_of_address)
        self._awake: dict[str, RoomActor] = {}
        self._resting: dict[str, Rest] = {}
        """The clocks of rooms that sleep."""
        self._waking: dict[tuple[str, str], asyncio.Task[RoomActor]] = {}
        self._makers: dict[str, str] = {}
        """The makers' addresses of rooms that have had no client so far."""
        self._desks = Turns(range(DESKS))
        self._hastening = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        self._giving_back: set[asyncio.Task[None]] = set()
        self.leases = Leases(store, settings.lease)
        self.retention = Retention(store, self.leases, settings, self._awake.__contains__)
        self.lobby = Lobby(self.leases, self._awake)

    # opening

    async def get(self, name: str, address: str = "") -> RoomActor:
        """Return the room of that name, woken for that address if it sleeps. Raises RefusalError."""
        room = await self.wake(name, address)
        self.retention.look(name)
        return room

    async def wake(self, name: str, address: str = "") -> RoomActor:
        """Like `get`, but the room does not count as looked at. Raises RefusalError."""
        if not NAME.fullmatch(name) or self.retention.has_deleted(name):
            raise RefusalError("room")
        with refusing("leases of rooms cannot be renewed"):
            await self.leases.confirm(self._on_lost)
        if room := self.find(name):
            return room
        key = name, address  # no client waits for the turn of another address
        if key not in self._waking:
            self._waking[key] = asyncio.create_task(self._wake(*key))
            self._waking[key].add_done_callback(lambda _: self._waking.pop(key, None))
        return await asyncio.shield(self._waking[key])

    def find(self, name: str) -> RoomActor | None:
        """Return the room of that name if it is awake."""
        room = self._awake.get(name)
        return None if room is None or room.has_failed else room

    async def _wake(self, name: str, address: str) -> RoomActor:
        async with self._leased(name) as epoch, self._desks.turn(address):
            if room := self.find(name):
                return room
            table = await self._made_again(name, address)
            if self.retention.has_deleted(name):
                raise RefusalError("room")
            if room := self.find(name):  # woken for another address meanwhile
                return room
            maker, rest = self._makers.pop(name, ""), self._resting.pop(name, None)
            began = rest.began if rest else None
            table.came |= rest.came if rest else set()
            room = RoomActor(table, epoch, self.store, self.workers, self.settings, self.make_next, maker, began)
            self._awake[name] = room
        room.start(self._hasten(table.game))
        return room

    async def _hasten(self, game: Game) -> None:
        """Have a game's rules run compiled if their code is there: one game at a time, because others wait for the first."""
        async with self._hastening:
            await asyncio.to_thread(game.hasten)

    @asynccontextmanager
    async def _leased(self, name: str) -> AsyncIterator[int]:
        """Have a room for this server, with its epoch. If the block is refused and the room sleeps, give it back."""
        if (failed := self._awake.get(name)) and failed.has_failed:
            self.leases.forget(name, failed.epoch)  # another server may have taken it
        with refusing(f"room {name}"):
            if self.leases.is_shared:
                await self.row(name)
            epoch = await self.leases.take(name)
        try:
            yield epoch
        except RefusalError:
            if not self.find(name):
                self._release(name, epoch)
            raise

    async def _made_again(self, name: str, address: str) -> Table:
        """Return the table of a room, made from its stored events. Raises RefusalError."""
        row, rows = await self.stored(name)
        try:
            return await self.processor.in_thread(address, folded, row, rows)
        except RefusalError as refusal:
            log.error("room %s: %s", name, refusal)
            raise
        except (LudotecaError, msgspec.MsgspecError) as error:
            log.error("room %s: its game cannot be made again: %s", name, error)
            raise RefusalError("damaged") from None

    async def row(self, name: str) -> RoomRow:
        """Return the stored row of a room, which is not woken. Raises RefusalError."""
        if not NAME.fullmatch(name):
            raise RefusalError("room")
        with refusing(f"room {name}"):
            row = await self.store.room(name)
        if row is None:
            raise RefusalError("room")
        return row

    async def stored(self, name: str) -> tuple[RoomRow, list[EventRow]]:
        """Return the stored row of a room, and its events. Raises RefusalError."""
        row = await self.row(name)
        with refusing(f"room {name}"):
            return row, await self.store.events(name)

    async def aside(self, address: str, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do slow work in a thread, in turns between addresses."""
        async with self._desks.turn(address):
            return await self.processor.in_thread(address, work, *arguments)

    def awake(self) -> list[RoomActor]:
        """The rooms that are in memory."""
        return list(self._awake.values())

    # making

    async def make(self, wished: RoomWished, address: str, key: str = "") -> RoomMade:
        """Make a room, for the player with that key who looks for an opponent. Raises RefusalError."""
        self._check_rate(address)
        origin = await self._origin(wished.origin.room, address) if wished.origin else None
        row, made = await self.aside(address, creation.make, wished, origin, key)
        await self._store(row, address)
        return made

    async def _origin(self, name: str, address: str) -> Table:
        """Return the table of a room from which a new room is made. Raises RefusalError."""
        if self.find(name) or not self.leases.is_shared:
            return (await self.get(name, address)).table
        async with self._desks.turn(address):
            return await self._made_again(name, address)

    async def make_record(self, text: str, address: str) -> RecordOpened:
        """Make a room for a record. Raises RefusalError."""
        self._check_rate(address)
        found = await self.workers.read(Read(text), address)
        if not self._record_bytes.of(address).take(len(found.text.encode())):
            raise RefusalError("rooms")
        row, made = creation.make_record(found)
        await self._store(row, address)
        return made

    async def make_next(self, room: RoomActor, address: str) -> str:
        """Make the room of the next game for a client at that address, and return its name. Raises RefusalError."""
        self._check_rate(address)
        row = creation.make_next(room.table)
        await self._store(row, room.model.maker)
        return row.id

    def _check_rate(self, address: str) -> None:
        if not self._made.of(address).take():
            raise RefusalError("rooms")

    async def _store(self, row: RoomRow, address: str) -> None:
        with refusing(f"room {row.id} cannot be made"):
            await self.store.create_room(row)
        ROOMS.labels(row.game).inc()
        journal.note("room made", room=row.id, game=row.game, address=address)
        self._makers[row.id] = address
        if len(self._makers) > MAKERS:
            del self._makers[next(iter(self._makers))]

    async def take(
        self, name: str, called: str, token: str, address: str, invitation: str = "", *, is_met: bool = False
    ) -> int:
        """Take an open seat of a room for the client with that secret; asked again, it is the same seat.

        With `is_met`, it is refused if persons have been there and have all gone. Raises RefusalError; after `waiting`, the
        seat may be taken all the same.
        """
        room = await self.get(name, address)
        table = room.table
        is_invited = not table.listed or hmac.compare_digest(invitation.encode(), table.invitation().encode())
        taken = Taken(SPECTATOR, checked_name(called) if called else "", digest(token))

        async def take_in_turn() -> int:
            await room.look_up()  # the seat may be taken without a confirmation by the database
            tokens = [occupant.token for occupant in table.seats]
            if taken.token in tokens:
                return tokens.index(taken.token)
            seat = next(iter(table.open_seats()), SPECTATOR)
            if seat == SPECTATOR or table.is_over or (is_met and table.came and not room.audience.present()):
                raise RefusalError("taken")
            if not is_invited and address and room.strangers[address] >= self.settings.seats_of_address:
                raise RefusalError("neighbours")
            if not self._taken.of(address).take():
                raise RefusalError("rate")
            called_here = name_among(taken.name, [occupant.name for occupant in table.seats])
            await room.happen(msgspec.structs.replace(taken, seat=seat, name=called_here))
            journal.note("seat taken", room=name, seat=seat + 1, address=address)
            if not is_invited and address:
                room.strangers[address] += 1
            return seat

        return await room.ask(take_in_turn)

    # deleting

    async def delete(self, name: str, key: str, address: str) -> None:
        """Delete a room for its maker by its key, unless another person has played in it. Raises RefusalError."""
        row = await self.row(name)
        if seat_of(key, [row.options.get("key", "")]) is None:
            raise RefusalError("key")
        await self.remove(name, address, by_maker=True)

    async def remove(self, name: str, address: str = "", *, by_maker: bool = False, if_abandoned: bool = False) -> None:
        """Delete a room for good, and disconnect its clients. Raises RefusalError."""
        room = self.find(name)
        if room is None:
            await self.row(name)
            async with self._leased(name) as epoch:
                if by_maker:
                    _check_deletion(await self._made_again(name, address))
                await self._delete(name, epoch)
            return

        async def delete_in_turn() -> None:  # so that nothing happens in it meanwhile
            if by_maker:
                _check_deletion(room.table)
            if if_abandoned and not room.is_abandoned():
                raise RefusalError("stale")
            await self._delete(name, room.epoch)
            room.close(DELETED, RefusalError("deleted"))
            del self._awake[name]

        await room.ask(delete_in_turn)

    async def _delete(self, name: str, epoch: int) -> None:
        with refusing(f"room {name} cannot be deleted"):
            await self.retention.delete({name: epoch})
        journal.note("room deleted", room=name)

    # for the operator

    def close(self, name: str) -> bool:
        """Disconnect all clients of a room, which sleeps then. Return False if it is not awake. The next client wakes it.

        A clock runs on meanwhile.
        """
        room = self._awake.pop(name, None)
        if room:
            if not room.has_failed and (rest := room.rest()):
                self._resting[name] = rest
            room.close(RESTART)
        return room is not None

    def forget(self, is_meant: Callable[[str], bool]) -> None:
        """Forget which rooms were made from these addresses. Their agents think for no address in particular then."""
        self._makers = {room: maker for room, maker in self._makers.items() if not is_meant(maker)}
        for room in self._awake.values():
            room.model.maker = "" if is_meant(room.model.maker) else room.model.maker
            for address in filter(is_meant, list(room.strangers)):
                del room.strangers[address]

    # sleeping

    def _release(self, name: str, epoch: int) -> None:
        """Give a room back that is not awake here, without waiting for it."""
        task = asyncio.create_task(self.leases.release(name, epoch))
        self._giving_back.add(task)
        task.add_done_callback(self._giving_back.discard)

    def _on_wanted(self, name: str) -> None:
        """Give a room back that another server wants, unless it is being woken: the server asks again in a moment."""
        epoch = self.leases.epoch_of(name)
        if epoch is not None and not any(waking == name for waking, _ in self._waking):
            self.close(name)
            self._resting.pop(name, None)
            self._release(name, epoch)

    def _on_lost(self, name: str, epoch: int) -> None:
        """Disconnect the clients of a room that another server has taken."""
        log.warning("room %s: another server has taken it", name)
        if (room := self._awake.get(name)) and room.epoch == epoch:
            self.close(name)
        self._resting.pop(name, None)

    async def _watch_clocks(self, start: float) -> None:
        """Wake rooms whose clocks are nearly over.

        Clocks go on from the last event at the start: the time without a server is taken from no player. If there are other
        servers, which may have those rooms, only clocks run that have run here.
        """
        rows = [] if self.leases.is_shared else await self.store.clocked()
        for first in range(0, len(rows), TOGETHER):
            some = rows[first : first + TOGETHER]
            happened = await self.store.events_of([row.id for row in some])
            left = await asyncio.to_thread(_seconds_left, some, happened)
            self._resting |= {name: Rest(start, start + left[name]) for name in left.keys() - self._awake.keys()}
        while True:
            soon = time.monotonic() + NEAR
            for name in [name for name, rest in self._resting.items() if rest.due <= soon]:
                with suppress(RefusalError):  # which is in the log
                    await self.wake(name)
                self._resting.pop(name, None)
            await asyncio.sleep(min(ROUND, self.settings.idle))

    async def _put_to_sleep(self) -> None:
        while True:
            await asyncio.sleep(min(ROUND, self.settings.idle))
            for name in [name for name, room in self._awake.items() if room.is_abandoned()]:
                with suppress(RefusalError):
                    await self.remove(name, if_abandoned=True)
            self._close_quiet_rooms()

    def _close_quiet_rooms(self) -> None:
        """Have rooms without clients sleep. The loop itself would keep a reference to the last of them."""
        oldest = time.monotonic() - self.settings.idle
        for name, room in list(self._awake.items()):
            if room.guests:
                self.retention.look(name)
            if room.has_failed or (room.is_quiet() and room.quiet_since <= oldest):
                self.close(name)
                if name not in self._resting:
                    self._release(name, room.epoch)

    # running

    async def start(self) -> None:
        """Begin to look for rooms whose players' time is nearly up, rooms that may sleep and rooms that may be deleted."""
        work = [self._watch_clocks(time.monotonic()), self._put_to_sleep(), self.retention.run()]
        if self.leases.is_shared:
            work += [self.leases.listen(self._on_wanted), self.leases.renew(self._on_lost), self.lobby.run()]
        self._tasks = [asyncio.create_task(doing) for doing in work]

    async def stop(self) -> None:
        """End all rooms in this process, with their tasks, and the processes that think."""
        tasks = [*self._tasks, *self._waking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        for room in self._awake.values():
            room.close(RESTART)
        await asyncio.gather(*(room.ended() for room in self._awake.values()), *self._giving_back)
        try:
            await self.retention.store_looks()
        except StoreError as error:
            log.error("when rooms were looked at cannot be stored: %s", error)
        await self.leases.release_all()
        await self.workers.close()


@contextmanager
def refusing(doing: str) -> Iterator[None]:
    """Log what the store could not do, and refuse it. `doing` is the beginning of the line in the log."""
    try:
        yield
    except BusyError as error:
        log.warning("%s", error)
        raise RefusalError("waiting") from None
    except StoreError as error:
        log.error("%s: %s", doing, error)
        raise RefusalError("storage") from None


def _seconds_left(rows: list[RoomRow], happened: dict[str, list[bytes]]) -> dict[str, float]:
    """The seconds that the players of these rooms have at least; none where what is stored cannot be read."""
    found = {}
    for row in rows:
        try:
            clock = events.options_of(row).clock or {}
            found[row.id] = least_left(clock, map(events.decode, happened[row.id])) / 1000
        except (msgspec.MsgspecError, KeyError):
            found[row.id] = 0.0
    return found


def _check_deletion(table: Table) -> None:
    if not table.may_be_deleted():
        raise RefusalError("played")
