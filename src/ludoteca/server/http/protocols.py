"""What uvicorn runs a connection by: HTTP and WebSockets within limits, and frames that are sent together."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, cast

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from ludoteca.server.http.limiter import ConnectionLimiter
from ludoteca.server.settings import ACCEPTED, KEPT_ALIVE, LARGEST_FRAME, LARGEST_HEAD, PROXIES, UNREAD
from ludoteca.server.shares import Bucket

log: Final = logging.getLogger(__name__)

UNSENT: Final = 16384
"""Bytes of a client's frames that may wait for the end of a turn of the event loop."""
TOGETHER: Final = 64
"""Clients whose frames may wait for it: in the long turns of a busy server, the first do not wait for the last."""
PIECE: Final = 4096
"""Bytes that are read of a WebSocket before it is looked whether they are too many frames."""


class LimitedConfig(uvicorn.Config):
    """The settings with which uvicorn runs the server: within these limits."""

    def __init__(self, app: Starlette, host: str, port: int) -> None:
        self.limiter: ConnectionLimiter = app.state.limiter
        self.outbox = Outbox()
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


class Outbox:
    """The WebSockets with frames that are to be sent when all has been done that can be done now, or when there are many.

    One transaction stores many moves. All of them are drawn first and then all frames are sent, since the first send after
    something else takes longer than the next: neither the system's code nor its data are near the processor then. An
    acknowledgement goes out in one piece with the event.
    """

    def __init__(self) -> None:
        self._unsent: dict[LimitedWebSocket, None] = {}

    def add(self, connection: "LimitedWebSocket") -> None:
        """Have what that connection has to send sent at the end of this turn of the event loop."""
        if not self._unsent:
            connection.loop.call_soon(self._send)
        self._unsent[connection] = None
        if len(self._unsent) == TOGETHER:
            self._send()

    def _send(self) -> None:
        unsent, self._unsent = self._unsent, {}
        for connection in unsent:
            connection.send_unsent()


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """The WebSocket that an admitted connection becomes."""

    def __init__(
        self, config: LimitedConfig, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limiter = config.limiter
        self._outbox = config.outbox
        self._unsent = 0
        """Bytes of frames that wait for the end of a turn of the event loop."""
        self._unseen = Bucket(config.limiter.settings.frames)
        self.hear: Callable[[str], bool] | None = None
        """Takes texts at once, which saves a turn of a task for each; see `connection.Wire`."""
        self._is_awaited = False
        """True while the application waits for what comes, and nothing that has come waits for the application."""

    def handle_connect(self, event: Request) -> None:
        """Begin the handshake; the application finds this connection in its state, for frames that can be sent at once."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["state"]["wire"] = self

    def send_at_once(self, text: bytes) -> bool:
        """Send a frame soon, if nothing has to be waited for; False where the client does not read, or the connection ends.

        The way through ASGI takes a turn of a task for each frame. Whatever is sent before the frame's turn, sends it first.
        """
        if self.transport.is_closing():
            return True  # nobody hears it
        if self.close_sent or not self.writable.is_set() or self.conn.state is not State.OPEN:
            return False
        self.conn.send_text(text)
        self._unsent += len(text)
        if self._unsent < UNSENT:
            self._outbox.add(self)
        else:  # whoever does not read is found out by what the system does not take
            self.send_unsent()
        return True

    def send_unsent(self) -> None:
        """Give the system the frames that have come together; what was sent meanwhile has taken them along."""
        self._unsent = 0
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))

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

    async def receive(self) -> Any:
        """The next of what waits for the application, which has done with all before."""
        self._is_awaited = self.queue.empty()
        return await super().receive()

    def send_receive_event_to_app(self) -> None:
        """Have a frame read. Only a client that sends more while one waits is not read from: stopping that takes time."""
        if self.hear and self._is_awaited and self.curr_msg_data_type == "text" and not self.close_sent:
            with suppress(UnicodeDecodeError):  # which uvicorn answers
                if self.hear(b"".join(self.frames).decode()):
                    self.frames = []
                    return
        self._is_awaited = False
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

    def on_task_complete(self, task: "asyncio.Task[None]") -> None:
        """Let go of what refers to this connection: with it, the client's room is freed at once, not in the next search."""
        super().on_task_complete(task)
        self.hear = None
        self.scope["state"].pop("wire", None)
