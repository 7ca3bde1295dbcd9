"""The addresses and networks that the operator keeps out, for a time or for good."""

import asyncio
import logging
import time
from functools import lru_cache
from ipaddress import IPv6Network, ip_address, ip_network
from typing import Final

from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Network
from ludoteca.server.shares import HOME, client_of
from ludoteca.server.store.database import StoreError
from ludoteca.server.store.schema import Block
from ludoteca.server.store.store import Store

EVERY: Final = 30.0
"""Seconds between two readings: other servers of the same database may have blocked an address."""

log: Final = logging.getLogger(__name__)


def place_of(text: str) -> str:
    """Return an address or a network as it is blocked: an address of IPv6 with its home. Raises RefusalError."""
    try:
        return client_of(str(ip_address(text)))
    except ValueError:
        pass
    try:
        network = ip_network(text)
    except ValueError:
        raise RefusalError("malformed", f"address: {text[:40]!r}") from None
    if isinstance(network, IPv6Network) and network.prefixlen > HOME:
        return str(network.supernet(new_prefix=HOME))
    return str(network) if network.num_addresses > 1 else str(network.network_address)


def covers(place: str, client: str) -> bool:
    """True if the client is that address or in that network."""
    wide, narrow = _network(place), _network(client)
    if wide is None or narrow is None:
        return place == client
    return narrow.network_address in wide and narrow.prefixlen >= wide.prefixlen


@lru_cache(maxsize=1 << 10)
def _network(text: str) -> Network | None:
    try:
        return ip_network(text)
    except ValueError:  # a proxy has named its client otherwise
        return None


class Blocks:
    """The addresses and networks that are kept out, as `place_of` writes them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[str, Block] = {}

    def check(self, client: str) -> None:
        """Check that a client is not kept out. Raises RefusalError."""
        now = time.time()
        if any(block.until is None or now < block.until for block in self.of(client)):
            raise RefusalError("blocked")

    def of(self, client: str) -> list[Block]:
        """Return the blocks of a client: of its address, and of networks around it."""
        return [block for name, block in self._held.items() if name == client or ("/" in name and covers(name, client))]

    def all(self) -> list[Block]:
        """Return all blocks by address. A block whose time is over is among them until the next reading."""
        return sorted(self._held.values(), key=lambda block: block.address)

    async def add(self, address: str, until: float | None) -> None:
        """Keep an address or a network out from now on, until then. Raises StoreError."""
        block = Block(address, time.time(), until)
        await self._store.block(block)
        self._held[address] = block

    async def remove(self, address: str) -> bool:
        """Keep an address or a network out no longer; False if it was not kept out. Raises StoreError."""
        await self._store.unblock(address)
        return self._held.pop(address, None) is not None

    async def run(self) -> None:
        """Read the blocks from the database every EVERY seconds."""
        while True:
            try:
                now = time.time()
                found = await self._store.blocks()
                self._held = {block.address: block for block in found if block.until is None or now < block.until}
            except StoreError as error:
                log.error("blocked addresses cannot be read: %s", error)
            await asyncio.sleep(EVERY)
