"""Limits on connections: how many a client may hold, and for how long. They apply before a request is complete.

uvicorn has no such limits. Its `limit_concurrency` counts the connections of all clients together, and only after a request
is complete. It also waits forever for a request that is never complete, and for a client that does not read.
"""

import asyncio
import logging
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from ludoteca.server.http.web import answer_in_words, answer_to
from ludoteca.server.measures import REFUSALS
from ludoteca.server.processor import Processor
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import RESERVED, Settings
from ludoteca.server.shares import address_of, client_of

log: Final = logging.getLogger(__name__)


class ClientCounter:
    """Counts the connections of each client."""

    def __init__(self, of_client: int) -> None:
        self._of_client = of_client
        self._held: Counter[str] = Counter()

    def take(self, client: str) -> None:
        """Count one more connection. Raises RefusalError if the client has as many as it may have."""
        if self._held[client] >= self._of_client:
            log.warning("%s has %d connections, and gets no more", client, self._of_client)
            raise RefusalError("connections")
        self._held[client] += 1

    def release(self, client: str) -> None:
        """Count one connection less."""
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]


@dataclass
class OpenConnection:
    """An open connection, and how well its client reads."""

    client: str
    """The client; empty for a proxy, whose clients are known when their requests are read."""
    unsent: int = 0
    """Bytes that the client had not read at the last check."""
    moved: float = field(default_factory=time.monotonic)
    """When there were last no such bytes, or fewer than before, by the monotonic clock, in seconds."""


class ConnectionLimiter:
    """Admits, counts and ends the connections of a server, HTTP and WebSockets alike."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._in_all, self.of_client = limits(settings, raised(settings.connections + RESERVED))
        self._counter = ClientCounter(self.of_client)
        self._held: dict[asyncio.Transport, OpenConnection] = {}
        self._checks = False

    def admit(self, transport: asyncio.Transport) -> bool:
        """Admit a connection. Return False for one that is refused and closed."""
        host = str((transport.get_extra_info("peername") or [""])[0])
        held = OpenConnection("" if self.settings.is_proxy(host) else client_of(host))
        try:
            if len(self._held) >= self._in_all:
                log.warning("there are %d connections, and no more are taken", self._in_all)
                raise RefusalError("crowded")
            if held.client:
                self._counter.take(held.client)
        except RefusalError as refusal:
            REFUSALS.labels(refusal.code).inc()
            answer = answer_to(refusal)  # to a request that is not read
            status = f"HTTP/1.1 {answer.status_code} {HTTPStatus(answer.status_code).phrase}\r\n".encode()
            headers = b"".join(b"%s: %s\r\n" % header for header in ((b"connection", b"close"), *answer.raw_headers))
            transport.write(status + headers + b"\r\n" + bytes(answer.body))
            transport.close()
            return False
        self._held[transport] = held
        if not self._checks:
            self._check_later()
        return True

    def release(self, transport: asyncio.Transport) -> None:
        """Forget a connection that is closed, if it was admitted."""
        held = self._held.pop(transport, None)
        if held and held.client:
            self._counter.release(held.client)

    def count(self) -> int:
        """Return the number of open connections."""
        return len(self._held)

    def _check_later(self) -> None:
        self._checks = bool(self._held)
        if self._checks:
            asyncio.get_running_loop().call_later(self.settings.read_within / 4, self._end_unread)

    def _end_unread(self) -> None:
        """Abort the connections whose clients do not read. `close` would wait until they do."""
        now = time.monotonic()
        for transport, held in list(self._held.items()):
            unsent = transport.get_write_buffer_size()
            if unsent == 0 or unsent < held.unsent:
                held.moved = now
            elif now - held.moved >= self.settings.read_within:
                transport.abort()
            held.unsent = unsent
        self._check_later()


def raised(wanted: int) -> int:
    """Raise the number of files that this process may open, as far as the system allows, and return the new number."""
    if sys.platform == "win32":  # it has no such limit for sockets
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def limits(settings: Settings, files: int) -> tuple[int, int]:
    """Return how many connections are possible in all, and for each client, if this process may open this many files."""
    in_all = min(settings.connections, max(files - RESERVED, files // 2))
    if in_all < settings.connections:
        log.warning(
            "connections: read %d, possible are %d, as the system allows %d open files (ulimit -n, LimitNOFILE=)",
            settings.connections, in_all, files,
        )  # fmt: skip
    return in_all, min(settings.connections_of_address, max(1, in_all // 2))


class LimitEachClient:
    """Limits the requests and WebSockets of each client behind a proxy. The limiter of connections cannot, because it sees
    only the proxy.
    """

    def __init__(self, app: ASGIApp, of_client: int, processor: Processor) -> None:
        self._app = app
        self._processor = processor
        self._counter = ClientCounter(of_client)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does. Refuse the request if the client has too many connections, or no processor time
        left.
        """
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        client = address_of(HTTPConnection(scope))
        try:
            if not self._processor.has_any(client):
                raise RefusalError("rate")
            self._counter.take(client)
        except RefusalError as refusal:
            await answer_in_words(refusal, scope)(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._counter.release(client)
