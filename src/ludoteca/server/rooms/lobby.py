"""The rooms in the lobby, the page with games that are open to all: the listed rooms of this server, and of other servers
with the same database.
"""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from ludoteca.server.rooms.actor import RoomActor
from ludoteca.server.store.database import StoreError
from ludoteca.server.store.leases import Leases

MOST_LISTED: Final = 100
SHOWN_EVERY: Final = 1.0
"""Seconds between two checks whether other servers must be informed of changes in this server's list of rooms."""

log: Final = logging.getLogger(__name__)


class Lobby:
    """The rooms in the lobby: rooms whose makers had them listed, with at least one client, and whose games are not over."""

    def __init__(self, leases: Leases, awake: Mapping[str, RoomActor]) -> None:
        self._leases = leases
        self._awake = awake
        self._shown: dict[tuple[str, int], dict[str, Any]] = {}
        """The entries that other servers have of this server's rooms, by room and epoch of its lease."""

    async def listings(self) -> list[dict[str, Any]]:
        """Return the entries of at most MOST_LISTED rooms, the newest first. Each entry is a JSON object with the room's
        name, game, clock, seats and more.
        """
        mine = [_listing(room) for room in self._listed()]
        try:
            others = await self._leases.listings()
        except StoreError as error:
            log.error("the rooms of other servers cannot be listed: %s", error)
            others = []
        return sorted((*mine, *others), key=lambda listing: -listing["created"])[:MOST_LISTED]

    def _listed(self) -> list[RoomActor]:
        awake = self._awake.values()
        found = [room for room in awake if room.table.listed and not room.table.is_over and room.audience.connections()]
        return sorted(found, key=lambda room: -room.table.row.created)[:MOST_LISTED]

    async def run(self) -> None:
        """Store changes of this server's entries in the database every second, so that other servers can show them. It runs
        until it is cancelled.
        """
        while True:
            await asyncio.sleep(SHOWN_EVERY)
            now = {(room.table.row.id, room.epoch): _listing(room) for room in self._listed()}
            changed = {room: listing for (room, epoch), listing in now.items() if self._shown.get((room, epoch)) != listing}
            ended = {room: None for room, _ in self._shown.keys() - now.keys() if room not in changed}
            try:
                await self._leases.show(ended | changed)
            except StoreError as error:
                log.error("other servers cannot be told which rooms are listed: %s", error)
            else:
                self._shown = now


def _listing(room: RoomActor) -> dict[str, Any]:
    table = room.table
    listing: dict[str, Any] = msgspec.to_builtins(
        {
            "room": table.row.id,
            "game": table.game.name,
            "parameters": table.game.parameters,
            "clock": table.clock_chosen,
            "seats": room.audience.seats(),
            "ply": table.ply,
            "mover": table.mover,
            "known": table.known(),
            "created": table.row.created,
        }
    )
    return listing
