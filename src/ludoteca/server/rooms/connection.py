"""One client of a room: what is to be sent to it waits in a queue that does not grow without end."""

import asyncio
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ludoteca.core.contract import SPECTATOR
from ludoteca.server.bucket import Bucket
from ludoteca.server.frames import Answer, Refused
from ludoteca.server.http.web import address
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import QUEUE, Rate

NORMAL: Final = 1000
RESTART: Final = 1012
SLOW: Final = 1013
TRY_LATER: Final = 1013
FAILED: Final = 1011
GONE: Final = 4404
"""No such room; from 4400 to 4499, coming back is of no use."""
FORBIDDEN: Final = 4403
HELLO_MISSING: Final = 4408
DELETED: Final = 4410
UNPLAYABLE: Final = 4409
"""The room is there, and this server cannot make its game again."""

_encoder: Final = msgspec.json.Encoder()


def encoded(answer: Answer) -> str:
    """A frame's text."""
    return _encoder.encode(answer).decode()


class Connection:
    """A WebSocket, and the seat for which it may act."""

    def __init__(self, socket: WebSocket, rate: Rate) -> None:
        self.seat = SPECTATOR
        self.has_joined = False
        self.address = address(socket)
        self._socket = socket
        self._bucket = Bucket(rate)
        self._waiting: asyncio.Queue[str | int] = asyncio.Queue(QUEUE)
        self._writer = asyncio.create_task(self._write())

    def may_speak(self) -> bool:
        """False when the client sends too much."""
        return self._bucket.take()

    def send(self, text: str) -> None:
        """Send a frame, when those before it are sent. A client that does not read them is dropped."""
        if self._waiting.full():
            self.close(SLOW, now=True)
        else:
            self._waiting.put_nowait(text)

    def tell(self, answer: Answer) -> None:
        """Send an answer."""
        self.send(encoded(answer))

    def refuse(self, id: int, refusal: RefusalError) -> None:  # noqa: A002  # the frame's word
        """Send a refusal."""
        self.tell(Refused(id, refusal.code, refusal.message))

    def close(self, code: int, *, now: bool = False) -> None:
        """End the connection: after what waits, or at once."""
        if now:
            while not self._waiting.empty():
                self._waiting.get_nowait()
        if not self._waiting.full():
            self._waiting.put_nowait(code)

    async def finished(self) -> None:
        """Nothing is to be sent any more: the client has gone."""
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        try:
            while isinstance(what := await self._waiting.get(), str):
                await self._socket.send_text(what)
            if self._socket.application_state is not WebSocketState.DISCONNECTED:
                await self._socket.close(what)
        except (WebSocketDisconnect, RuntimeError):  # it has gone: who reads from it finds out as well
            return
