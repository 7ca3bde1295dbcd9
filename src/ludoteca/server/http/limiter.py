"""Which clients may hold a connection, and for how long: limits that hold before a request is there.

uvicorn's `limit_concurrency` counts the connections of all clients in one, and only once a request is complete; it has no
time limit for a request that is never completed, and none for a client that does not read.
"""

import asyncio
import logging
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, cast

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from ludoteca.server.http.blocks import Blocks
from ludoteca.server.http.web import answer_in_words, answer_to
from ludoteca.server.measures import Measures
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import (
    ACCEPTED,
    KEPT_ALIVE,
    LARGEST_FRAME,
    LARGEST_HEAD,
    PROXIES,
    RESERVED,
    UNREAD,
    Settings,
)
from ludoteca.server.shares import Bucket, address_of, client_of

log: Final = logging.getLogger(__name__)

PIECE: Final = 4096
"""Bytes that are read of a WebSocket before it is looked whether they are too many frames."""


class ClientCounter:
    """Counts the connections of each client."""

    def __init__(self, of_client: int) -> None:
        self._of_client = of_client
        self._held: Counter[str] = Counter()

    def take(self, client: str) -> None:
        """Count one more. Raises RefusalError when the client has all that it may have."""
        if self._held[client] >= self._of_client:
            log.warning("%s has %d connections, and gets no more", client, self._of_client)
            raise RefusalError("connections")
        self._held[client] += 1

    def release(self, client: str) -> None:
        """Count one less."""
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]


@dataclass
class OpenConnection:
    """A connection that is open, and how well its client reads."""

    client: str
    """The client; empty for a proxy, whose clients are known when their requests are read."""
    unsent: int = 0
    """Bytes that waited for the client to read them at the last look."""
    moved: float = field(default_factory=time.monotonic)
    """When there were last none, or fewer than before."""


class ConnectionLimiter:
    """Admits, counts and ends the connections of a server, HTTP and WebSockets alike."""

    def __init__(self, settings: Settings, measures: Measures, blocks: Blocks) -> None:
        self.settings = settings
        self._measures = measures
        self._blocks = blocks
        self._in_all, self.of_client = limits(settings, raised(settings.connections + RESERVED))
        self._counter = ClientCounter(self.of_client)
        self._held: dict[asyncio.Transport, OpenConnection] = {}
        self._checks = False

    def admit(self, transport: asyncio.Transport) -> bool:
        """False for a connection that is refused and closed, for which `release` is not to be called."""
        host = str((transport.get_extra_info("peername") or [""])[0])
        held = OpenConnection("" if host in PROXIES else client_of(host))
        try:
            if len(self._held) >= self._in_all:
                log.warning("there are %d connections, and no more are taken", self._in_all)
                raise RefusalError("crowded")
            if held.client:
                self._blocks.check(held.client)
                self._counter.take(held.client)
        except RefusalError as refusal:
            self._measures.refusals[refusal.code] += 1
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
        """Forget a connection that is closed."""
        held = self._held.pop(transport)
        if held.client:
            self._counter.release(held.client)

    def count(self) -> int:
        """The number of open connections."""
        return len(self._held)

    def _check_later(self) -> None:
        self._checks = bool(self._held)
        if self._checks:
            asyncio.get_running_loop().call_later(self.settings.read_within / 4, self._end_unread)

    def _end_unread(self) -> None:
        """End the connections whose clients do not read: closing them in order would wait until they do."""
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
    """Raise the number of files that this process may have open, if the system allows it, and return that number."""
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
    """How many connections there may be in all and of each client, where so many files may be open."""
    in_all = min(settings.connections, max(files - RESERVED, files // 2))
    if in_all < settings.connections:
        log.warning(
            "connections: read %d, possible are %d, as the system allows %d open files (ulimit -n, LimitNOFILE=)",
            settings.connections, in_all, files,
        )  # fmt: skip
    return in_all, min(settings.connections_of_address, max(1, in_all // 2))


class LimitedConfig(uvicorn.Config):
    """The settings with which uvicorn runs the server: within these limits."""

    def __init__(self, app: Starlette, host: str, port: int) -> None:
        self.limiter: ConnectionLimiter = app.state.limiter
        super().__init__(
            app,
            host=host,
            port=port,
            http=LimitedHTTP,
            ws=LimitedWebSocket,
            h11_max_incomplete_event_size=LARGEST_HEAD,
            # a frame that is too large is refused with a code, and one that is far too large by uvicorn
            ws_max_size=16 * LARGEST_FRAME,
            ws_per_message_deflate=False,
            ws_ping_interval=app.state.settings.ping,
            backlog=ACCEPTED,
            timeout_keep_alive=KEPT_ALIVE,
            forwarded_allow_ips=list(PROXIES),
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=3,
        )


class LimitedHTTP(H11Protocol):
    """A connection that is closed when a request is not complete in time."""

    def __init__(
        self, config: LimitedConfig, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limiter = config.limiter
        self._is_admitted = False
        self._awaited: tuple[float, object] | None = None
        """The seconds in which the client has to send something now, and the request after which it has to."""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit the connection, or refuse it."""
        transport = cast(asyncio.Transport, transport)
        self._is_admitted = self._limiter.admit(transport)
        if self._is_admitted:
            super().connection_made(transport)
            self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection; one that has become a WebSocket goes on."""
        if self._is_admitted:
            self._stop_awaiting()
            self._limiter.release(self.transport)
            super().connection_lost(exc)

    def handle_events(self) -> None:
        """Read the bytes that have come, and wait for those that are missing."""
        super().handle_events()
        if self.transport.get_protocol() is self:
            self._await_request()
        else:  # it has become a WebSocket, whose request h11 has not read to its end
            self._stop_awaiting()

    def _await_request(self) -> None:
        """Give the client its time for what is missing of a request; more of the same gets no more time."""
        state, settings = self.conn.their_state, self._limiter.settings
        awaited: tuple[float, object] | None = None
        if state is h11.SEND_BODY:
            awaited = settings.body_within, self.cycle
        elif state is h11.IDLE and (self.timeout_keep_alive_task is None or self.conn.trailing_data[0]):
            awaited = settings.head_within, self.cycle
        if awaited != self._awaited:
            self._stop_awaiting()
            if awaited:
                self._awaited = awaited
                self._deadline = self.loop.call_later(awaited[0], self.transport.abort)

    def _stop_awaiting(self) -> None:
        self._awaited = None
        if self._deadline:
            self._deadline.cancel()


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """The WebSocket that an admitted connection becomes."""

    def __init__(
        self, config: LimitedConfig, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limiter = config.limiter
        self._unseen = Bucket(config.limiter.settings.frames)

    def handle_connect(self, event: Request) -> None:
        """Begin the handshake; the application finds this connection in its state, for frames that can be sent at once."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["state"]["wire"] = self

    def send_at_once(self, text: bytes) -> bool:
        """Send a frame, if nothing has to be waited for; False where the client does not read, or the connection ends.

        The way through ASGI takes a turn of a task for each frame.
        """
        if self.transport.is_closing():
            return True  # nobody hears it
        if self.close_sent or not self.writable.is_set() or self.conn.state is not State.OPEN:
            return False
        self.conn.send_text(text)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def data_received(self, data: bytes) -> None:
        """Read what has come, piece by piece: at once it may be thousands of frames, which would hold the server up."""
        for first in range(0, len(data), PIECE):
            super().data_received(data[first : first + PIECE])
            if self.queue.qsize() > UNREAD:
                self.cut_off()
            if self.transport.is_closing():
                return

    def cut_off(self) -> None:
        """End the connection of a client that sends more than it can want answered."""
        if not self.transport.is_closing():
            log.warning("%s sends too many frames, and is cut off", self.client[0] if self.client else "a client")
            self.transport.abort()

    def _may_send_more(self) -> bool:
        """False, and the connection is cut off, for too many frames that no application sees: no client needs many."""
        if not self._unseen.take():
            self.cut_off()
        return not self.transport.is_closing()

    def handle_ping(self) -> None:
        """Answer it."""
        if self._may_send_more():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Note that the client is there."""
        if self._may_send_more():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Add it to the message that it goes on with."""
        if self._may_send_more():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Have a frame read. Only a client that sends more while one waits is not read from: stopping that takes time."""
        is_first, was_paused = self.queue.empty(), self.read_paused
        self.read_paused |= is_first
        super().send_receive_event_to_app()
        if is_first:
            self.read_paused = was_paused

    async def send(self, message: Any) -> None:
        """Send it. A refusal in words ends the handshake; uvicorn would log it as one that was never answered."""
        await super().send(message)
        self.handshake_complete |= self.close_sent

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._limiter.release(self.transport)
        super().connection_lost(exc)


class LimitEachClient:
    """Limits the requests and WebSockets of each client of a proxy, which the limiter cannot tell from one another."""

    def __init__(self, app: ASGIApp, of_client: int, blocks: Blocks) -> None:
        self._app = app
        self._blocks = blocks
        self._counter = ClientCounter(of_client)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, or that the client has too many connections."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        client = address_of(HTTPConnection(scope))
        try:
            self._blocks.check(client)
            self._counter.take(client)
        except RefusalError as refusal:
            await answer_in_words(refusal, scope)(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._counter.release(client)
