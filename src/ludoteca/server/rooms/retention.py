"""Deletion of old rooms. Rooms are deleted after the number of days for which the settings keep rooms of their kind, such as
finished games.

A deletion is final, but the system's clock may be wrong. So if the clock is far ahead of all stored times, old rooms are
only marked for deletion. The server then measures a further time while it runs, without the system's clock, and deletes a
marked room after that time.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from typing import Final

from ludoteca.server.settings import Settings
from ludoteca.server.store.database import StoreError
from ludoteca.server.store.leases import Leases
from ludoteca.server.store.schema import Kind
from ludoteca.server.store.store import Store

SWEEP_EVERY: Final = 3600.0
"""Seconds between two searches for old rooms. The first search is at the start."""
BATCH: Final = 20
"""Rooms that are deleted in one transaction. Moves that arrive during it wait for some milliseconds."""
PAUSE: Final = 0.2
"""Seconds between two transactions, during which waiting moves are stored."""
DAY: Final = 86400.0
AHEAD: Final = 3 * DAY
"""If no data was stored for this many seconds, or if the clock has jumped this far, the clock is assumed to be wrong."""
GRACE: Final = 7 * DAY
"""Seconds for which the server has to run before a marked room is deleted."""
SWEEPING: Final = "/old"
"""The name of the lease of the server that searches for old rooms, among the leases of rooms. No room has this name."""

log: Final = logging.getLogger(__name__)


class Retention:
    """Collects which rooms clients have opened, and deletes old rooms. `is_needed` returns True for a room that is in
    memory.
    """

    def __init__(self, store: Store, leases: Leases, settings: Settings, is_needed: Callable[[str], bool]) -> None:
        self._store = store
        self._leases = leases
        self._days = {
            Kind.UNBEGUN: settings.keep_unbegun,
            Kind.ABANDONED: settings.keep_abandoned,
            Kind.FINISHED: settings.keep_finished,
            Kind.RECORD: settings.keep_records,
        }
        self._is_needed = is_needed
        """Returns True for the name of a room that is in memory."""
        self._read_at: tuple[float, float] | None = None
        """The time of the last search in seconds, by the database's clock and by the monotonic clock."""
        self._swept_at: float | None = None
        """The time of this server's last search by the monotonic clock; None if another server may have searched since."""
        self._looked_at: set[str] = set()
        self._deleted: dict[str, float] = {}
        """When rooms were deleted. Entries are kept as long as a request may be using data of the room read before."""

    def look(self, room: str) -> None:
        """Remember that a client has opened the room. The time is stored later, together with that of other rooms, so that
        no client waits for it.
        """
        self._looked_at.add(room)

    def has_deleted(self, room: str) -> bool:
        """Return True for a room that is being deleted or was deleted recently. Such a room must not be loaded again."""
        return room in self._deleted

    async def delete(self, rooms: Mapping[str, int]) -> None:
        """Delete rooms for good. `rooms` has the names of the rooms, each with the epoch of the lease under which this
        server has it. Raises StoreError if they cannot be deleted. Then none of them is deleted.
        """
        self._deleted.update(dict.fromkeys(rooms, time.monotonic()))
        try:
            await self._store.delete(rooms)
        except StoreError:
            for room in rooms:
                self._deleted.pop(room, None)
            raise
        for room, epoch in rooms.items():
            self._leases.forget(room, epoch)

    async def run(self) -> None:
        """Search for old rooms at once and then every SWEEP_EVERY seconds. It runs until it is cancelled."""
        while True:
            try:
                await self.sweep()
            except StoreError as error:
                log.error("old rooms cannot be deleted: %s", error)
            await asyncio.sleep(SWEEP_EVERY)

    async def sweep(self) -> None:
        """Delete the rooms that are older than rooms of their kind are kept, unless another server is doing this at present.

        Raises StoreError if the database fails. The next search then finds the rooms that were not deleted.
        """
        now, at = await self._store.now(), time.monotonic()
        is_believed = await self._believes(now, at)  # before looks are stored with this very time
        await self.store_looks()
        if (epoch := self._leases.epoch_of(SWEEPING)) is None:
            if self._leases.is_shared:
                self._swept_at = None
            epoch = await self._leases.take_free(SWEEPING)
        if epoch is None:
            self._read_at = now, at
            return
        self._deleted = {room: at for room, at in self._deleted.items() if at > time.monotonic() - SWEEP_EVERY}
        due = {kind: now - days * DAY for kind, days in self._days.items() if days}
        await self._mark(due, is_believed, epoch)
        self._read_at = now, at
        for kind, since in due.items():
            last, found = "", [""]
            while found:
                found = await self._store.unseen(kind, since, BATCH, last)
                old = [room for room in found if room not in self._looked_at and not self._is_needed(room)]
                taken = {room: await self._leases.take_free(room) for room in old}
                # a client may have come while they were taken
                free = {room: epoch for room, epoch in taken.items() if epoch is not None and not self._is_needed(room)}
                if free:
                    try:
                        await self.delete(free)
                    except StoreError:
                        for room, epoch in free.items():
                            await self._leases.release(room, epoch)
                        raise
                    await asyncio.sleep(PAUSE)
                last = found[-1] if found else last
        await self._leases.clear()

    async def _believes(self, now: float, at: float) -> bool:
        """Return False if the system's clock cannot be right: if `now`, its time, is far ahead of all stored times, or of
        the time of the last search plus the seconds since then. `at` is the time by the monotonic clock.
        """
        if self._read_at and now - self._read_at[0] - (at - self._read_at[1]) > AHEAD:
            return False
        return await self._store.has_news(now - AHEAD)

    async def _mark(self, due: Mapping[Kind, float], is_believed: bool, epoch: int) -> None:
        """Add the time since the last search to the running time that is counted for each marked room. If the system's clock
        is not believed, mark all other old rooms, too. `due` has for each kind of room the time of the last use before which
        a room is old.
        """
        at = time.monotonic()
        ran = 0.0 if self._swept_at is None else at - self._swept_at
        if not is_believed and [room for kind, since in due.items() for room in await self._store.unseen(kind, since, 1)]:
            log.warning(
                "the clock is more than %g days ahead of all stored times: old rooms are only marked, and deleted after the "
                "server has run for %g days (ludoteca admin rooms --all shows them, admin restore keeps a room)",
                *(AHEAD / DAY, GRACE / DAY),
            )
        await self._store.update_marks(due, ran, None if is_believed else GRACE, {SWEEPING: epoch})
        self._swept_at = at

    async def store_looks(self) -> None:
        """Store that clients have opened the rooms collected by `look`. Raises StoreError if this fails. The next call then
        stores these rooms, too.
        """
        looked_at, self._looked_at = self._looked_at, set()
        try:
            await self._store.see(sorted(looked_at), await self._store.now())
        except StoreError:
            self._looked_at |= looked_at
            raise
