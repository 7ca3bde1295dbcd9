"""The guard in front of uvicorn's protocols. It enforces limits that need nothing but the bytes of a connection and their
times.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, cast

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from ludoteca.server.http.limiter import ConnectionLimiter
from ludoteca.server.settings import ACCEPTED, KEPT_ALIVE, LARGEST_FRAME, LARGEST_HEAD, UNREAD
from ludoteca.server.shares import Bucket

log: Final = logging.getLogger(__name__)

END_OF_HEAD: Final = b"\r\n\r\n"
CONTINUE: Final = b"HTTP/1.1 100 "
"""The beginning of an answer after which the request goes on."""
UNSEEN: Final = (0x0, 0x9, 0xA)
"""Kinds of WebSocket frames that no application sees: continuations, pings and pongs (RFC 6455, section 5.2)."""
NO_ERRORS: Final = (
    "ASGI callable returned without completing handshake.",
    "Invalid UTF-8 sequence received from client.",
)
"""Errors that uvicorn logs, but that a client causes. The application refuses its WebSocket with an HTTP response, or
a text of the client is not in UTF-8. In the second case uvicorn closes the WebSocket with 1007."""


def config_of(app: Starlette, host: str, port: int) -> uvicorn.Config:
    """Return the settings with which uvicorn runs the server, within its limits."""
    logging.getLogger("uvicorn.error").addFilter(lambda record: record.msg not in NO_ERRORS)
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=cast(type[asyncio.Protocol], partial(Guard, app.state.limiter)),
        ws="websockets-sansio",
        h11_max_incomplete_event_size=LARGEST_HEAD,
        # a frame that is too large is refused with a code, and one that is far too large by uvicorn
        ws_max_size=16 * LARGEST_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=app.state.settings.ping,
        backlog=ACCEPTED,
        timeout_keep_alive=KEPT_ALIVE,
        forwarded_allow_ips=[str(network) for network in app.state.settings.proxies()],
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )


@asynccontextmanager
async def answering(server: uvicorn.Server, listening: socket.socket) -> AsyncIterator[None]:
    """Answer requests on a socket until the block ends. Then close the socket.

    `uvicorn.Server.serve` would also capture signals, and offers no place for work between the start and the end.
    """
    config = server.config
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup([listening])
    try:
        yield
    finally:
        await server.shutdown([listening])


class Guard(asyncio.Protocol):
    """The protocol of a connection. It passes everything on to uvicorn's protocol for HTTP or for WebSockets, within limits.

    It refuses a connection that the limiter does not admit. It closes a connection whose request head is not complete in
    time, and a WebSocket that receives frames too fast.
    """

    def __init__(
        self,
        limiter: ConnectionLimiter,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """The arguments after the limiter come from uvicorn, which makes each protocol with them."""
        self._limiter = limiter
        self._inner: asyncio.Protocol = H11Protocol(config, server_state, app_state, _loop)
        self._frames: FrameCounter | None = None
        """Of a WebSocket; None while the connection speaks HTTP."""
        self._head: bytes | None = b""
        """The last bytes of a head whose end has not come; None after its end."""
        self._has_answered = False
        """True if something was sent since the end of the last head: the next bytes begin another one."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit the connection, or refuse it."""
        self._transport = cast(asyncio.Transport, transport)
        self._deadline: asyncio.TimerHandle | None = None
        if self._limiter.admit(self._transport):
            self._await_head()
            self._inner.connection_made(cast(asyncio.Transport, GuardedTransport(self._transport, self)))
        else:
            self._inner = asyncio.Protocol()  # which reads nothing

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_awaiting()
        self._limiter.release(self._transport)
        self._inner.connection_lost(exc)
        self._inner = asyncio.Protocol()  # uvicorn's protocol refers to this guard: both are freed without a search

    def data_received(self, data: bytes) -> None:
        """Pass bytes on, unless they exceed a limit."""
        if self._frames and not self._frames.allows(data):
            client = (self._transport.get_extra_info("peername") or ["a client"])[0]
            log.warning("%s sends too many frames, and is cut off", client)
            self._transport.abort()
            return
        if not self._frames:
            self._look_for_the_end_of_a_head(data)
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass it on."""
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        """Pass it on."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Pass it on."""
        self._inner.resume_writing()

    def upgrade(self, protocol: asyncio.BaseProtocol) -> None:
        """Pass everything on to this protocol, for WebSockets, from now on."""
        self._inner = cast(asyncio.Protocol, protocol)
        self._frames = FrameCounter(Bucket(self._limiter.settings.frames))
        self._stop_awaiting()

    def wrote(self, data: bytes) -> None:
        """Note that uvicorn's protocol has sent something."""
        self._has_answered = self._has_answered or not data.startswith(CONTINUE)

    def _look_for_the_end_of_a_head(self, data: bytes) -> None:
        if self._head is None and self._has_answered:
            self._head = b""
            self._await_head()
        if self._head is not None:
            head = self._head + data
            self._head = None if END_OF_HEAD in head else head[1 - len(END_OF_HEAD) :]
            if self._head is None:
                self._stop_awaiting()
                self._has_answered = False

    def _await_head(self) -> None:
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(self._limiter.settings.head_within, self._transport.abort)

    def _stop_awaiting(self) -> None:
        if self._deadline:
            self._deadline.cancel()


class GuardedTransport:
    """The transport that uvicorn's protocols get. If one protocol hands the connection to another, the guard stays in front
    of it.
    """

    def __init__(self, transport: asyncio.Transport, guard: Guard) -> None:
        self._transport = transport
        self._guard = guard

    def __getattr__(self, name: str) -> Any:
        """The attribute of the transport itself."""
        return getattr(self._transport, name)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Have the guard pass everything on to that protocol."""
        self._guard.upgrade(protocol)

    def write(self, data: bytes) -> None:
        """Send it."""
        self._guard.wrote(data)
        self._transport.write(data)


class FrameCounter:
    """Counts the WebSocket frames that a client sends, by finding their headers in its bytes (RFC 6455, section 5.2)."""

    def __init__(self, unseen: Bucket) -> None:
        """`unseen` has a token for each frame that no application sees."""
        self._unseen = unseen
        self._rest = b""
        """The beginning of a header that is not complete."""
        self._missing = 0
        """Bytes of the last frame that are still to come."""

    def allows(self, data: bytes) -> bool:
        """Return False if these bytes have more unseen frames than there are tokens, or more than UNREAD other frames."""
        data, at, seen = self._rest + data, self._missing, 0
        while at + 2 <= len(data):
            short = data[at + 1] & 0x7F
            extended = {126: 2, 127: 8}.get(short, 0)
            if at + 2 + extended > len(data):
                break
            if data[at] & 0xF not in UNSEEN:
                seen += 1
            elif not self._unseen.take():
                return False
            mask = 4 if data[at + 1] & 0x80 else 0
            at += 2 + extended + mask + (int.from_bytes(data[at + 2 : at + 2 + extended]) if extended else short)
        self._rest, self._missing = data[at:], max(0, at - len(data))
        return seen <= UNREAD
