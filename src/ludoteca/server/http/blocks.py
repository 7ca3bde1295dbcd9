"""Which addresses are kept out: by whoever runs the server, for a time or for good."""

import asyncio
import logging
import time
from typing import Final

from ludoteca.server.refusals import RefusalError
from ludoteca.server.store.database import StoreError
from ludoteca.server.store.schema import Block
from ludoteca.server.store.store import Store

EVERY: Final = 30.0
"""Seconds between two readings: other servers of the same database may have blocked somebody."""

log: Final = logging.getLogger(__name__)


class Blocks:
    """The addresses that are kept out. An address is what `shares.client_of` makes of one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[str, Block] = {}

    def check(self, address: str) -> None:
        """Check that an address is not kept out. Raises RefusalError."""
        block = self._held.get(address)
        if block and (block.until is None or time.time() < block.until):
            raise RefusalError("blocked")

    def all(self) -> list[Block]:
        """All of them, in the order of their addresses; those whose time is over are among them until they are read anew."""
        return sorted(self._held.values(), key=lambda block: block.address)

    async def add(self, address: str, until: float | None) -> None:
        """Keep an address out from now on, until then. Raises StoreError."""
        block = Block(address, time.time(), until)
        await self._store.block(block)
        self._held[address] = block

    async def remove(self, address: str) -> bool:
        """Keep an address out no longer; False when it was not. Raises StoreError."""
        await self._store.unblock(address)
        return self._held.pop(address, None) is not None

    async def run(self) -> None:
        """Read them from the database, now and again and again."""
        while True:
            try:
                now = time.time()
                found = await self._store.blocks()
                self._held = {block.address: block for block in found if block.until is None or now < block.until}
            except StoreError as error:
                log.error("blocked addresses cannot be read: %s", error)
            await asyncio.sleep(EVERY)
