"""Makes new rooms: for a client's request, for an uploaded record and for a rematch. Limits how many rooms each internet
address may make.
"""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from ludoteca.server import logs
from ludoteca.server.jobs import Read
from ludoteca.server.measures import ROOMS
from ludoteca.server.model import creation
from ludoteca.server.model.creation import RecordOpened, RoomMade, RoomWished
from ludoteca.server.model.events import RoomRow
from ludoteca.server.model.table import Table
from ludoteca.server.processor import Processor
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Settings
from ludoteca.server.shares import Buckets
from ludoteca.server.store.leases import refusing
from ludoteca.server.store.store import Store
from ludoteca.server.thinking.workers import Workers

MOST_MAKERS: Final = 10_000
"""The number of rooms for which the factory remembers the maker's address until the first client comes."""

FindTable: TypeAlias = Callable[[str, str], Awaitable[Table]]
"""Returns the table of the room with a name (first argument), for a client at an address (second) that makes a new room from
it (`Rooms.origin`)."""


class RoomFactory:
    """Makes rooms and stores them in the database. A new room is not loaded into memory before its first client comes."""

    def __init__(self, store: Store, workers: Workers, settings: Settings, processor: Processor, find: FindTable) -> None:
        self.makers: dict[str, str] = {}
        """The maker's address of each room that has had no client so far."""
        self._store = store
        self._workers = workers
        self._processor = processor
        self._find = find
        self._made = Buckets(settings.rooms_of_address)
        self._record_bytes = Buckets(settings.record_bytes_of_address)

    async def make(self, wished: RoomWished, address: str, key: str = "") -> RoomMade:
        """Make a room for a client at `address`, and return the answer to the client. `key` is the secret of a player who
        looks for an opponent, and is empty for other rooms.

        Raises RefusalError if the address has made too many rooms (`rooms`), if the room whose position is the start does
        not exist, if the game, its parameters, the seats or the clock are not allowed (`creation.make`), or if the room
        cannot be stored (`storage`).
        """
        self._check_rate(address)
        origin = await self._find(wished.origin.room, address) if wished.origin else None
        row, made = await self._processor.in_turn(address, creation.make, wished, origin, key)
        await self._add(row, address)
        return made

    async def make_record(self, text: str, address: str) -> RecordOpened:
        """Make a room that shows a record, whose JSON text a client at `address` has sent. Return the answer to the client.

        Raises RefusalError if the address has made too many rooms or sent too many bytes (`rooms`), if the text is not a
        record that can be replayed and shown here, or if the room cannot be stored (`storage`).
        """
        self._check_rate(address)
        found = await self._workers.read(Read(text), address)
        if not self._record_bytes.of(address).take(len(found.text.encode())):
            raise RefusalError("rooms")
        row, made = creation.make_record(found)
        await self._add(row, address)
        return made

    async def make_next(self, table: Table, maker: str, address: str) -> str:
        """Make the room of a rematch after the game of `table`, and return its name. It counts as a room made from
        `address`, the address of the client that asked last. `maker` is the address for which its agents think.

        Raises RefusalError if the address has made too many rooms (`rooms`), or if the room cannot be stored (`storage`).
        """
        self._check_rate(address)
        row = creation.make_next(table)
        await self._add(row, maker)
        return row.id

    def _check_rate(self, address: str) -> None:
        if not self._made.of(address).take():
            raise RefusalError("rooms")

    async def _add(self, row: RoomRow, maker: str) -> None:
        with refusing(f"room {row.id} cannot be made"):
            await self._store.create_room(row)
        ROOMS.labels(row.game).inc()
        logs.note("room made", room=row.id, game=row.game, address=maker)
        self.makers[row.id] = maker
        if len(self.makers) > MOST_MAKERS:
            del self.makers[next(iter(self.makers))]
