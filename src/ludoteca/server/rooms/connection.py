"""The connection of a client to a room. Frames for the client wait in a queue of limited length, so that a slow client does
not delay the room.
"""

import asyncio
from collections import deque

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ludoteca.core.messages import catalogue, in_words, language_among
from ludoteca.server import logs
from ludoteca.server.frames import Answer, Refused
from ludoteca.server.measures import REFUSALS
from ludoteca.server.model.effects import SLOW, Client
from ludoteca.server.processor import Processor
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import QUEUE, Rate
from ludoteca.server.shares import Bucket, address_of


class Connection(Client):
    """A WebSocket of a client, with the queue of frames to send. `rate` limits the frames that the client may send, and
    `processor` the processor time that they may cost.
    """

    def __init__(self, socket: WebSocket, rate: Rate, processor: Processor) -> None:
        super().__init__(address_of(socket))
        self.processor = processor
        self._socket = socket
        self._bucket = Bucket(rate)
        self._refusals = Bucket(rate)
        self._waiting: deque[bytes | int] = deque()
        self._writer: asyncio.Task[None] | None = None
        """The task that sends the waiting frames; None if no frame waits."""

    def may_speak(self) -> bool:
        """Count a frame of the client and return True if it may be carried out. Return False if the client sends too many
        frames, or if its address has used up its processor time. `hello` needs no processor time left.
        """
        return self._bucket.take() and (not self.has_joined or self.processor.has_any(self.address))

    def may_be_refused(self) -> bool:
        """Return False if the client goes on sending after so many refusals that it is to be disconnected."""
        return self._refusals.take()

    def send(self, text: bytes) -> None:
        """Append a frame, as JSON text, to the queue. If QUEUE frames wait already, because the client reads none,
        disconnect the client.
        """
        if len(self._waiting) == QUEUE:
            self._waiting.clear()
            self.close(SLOW)
        else:
            self._send_later(text)

    def tell(self, answer: Answer) -> None:
        """Send an answer."""
        self.send(msgspec.json.encode(answer))

    def refuse(self, id: int, refusal: RefusalError) -> None:  # noqa: A002  # the frame's word
        """Send a refusal of the request with the number `id`, count it in the metrics, and write it to the journal.

        Pages translate refusals, but a page of another version may not have the text of the refusal `reload`. So this
        refusal is sent with its text in the browser's language.
        """
        REFUSALS.labels(refusal.code).inc()
        logs.note(logs.REFUSED, code=refusal.code, path=self._socket.url.path, address=self.address)
        message = refusal.message
        if refusal.code == "reload":
            language = language_among(self._socket.headers.get("accept-language", ""))
            message = in_words(message, catalogue("ludoteca.server", language))
        self.tell(Refused(id, refusal.code, message))

    def close(self, code: int) -> None:
        """Close the WebSocket with this code after the waiting frames have been sent."""
        if len(self._waiting) < QUEUE:
            self._send_later(code)

    async def finished(self) -> None:
        """Cancel the sending of frames, after the client has disconnected."""
        if self._writer:
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)

    def _send_later(self, what: bytes | int) -> None:
        self._waiting.append(what)
        self._writer = self._writer or asyncio.create_task(self._write())

    async def _write(self) -> None:
        """Send frames until none waits, or until a waiting code closes the connection."""
        try:
            while self._waiting:
                what = self._waiting.popleft()
                if isinstance(what, bytes):
                    await self._socket.send_text(what.decode())
                    continue
                if self._socket.application_state is not WebSocketState.DISCONNECTED:
                    await self._socket.close(what)
                return
            self._writer = None
        except (WebSocketDisconnect, RuntimeError):  # it has gone: the reading side finds out as well
            return
