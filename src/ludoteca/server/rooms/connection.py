"""A client of a room: the frames for it wait in a queue of limited length."""

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
    """The WebSocket of a client."""

    def __init__(self, socket: WebSocket, rate: Rate, processor: Processor) -> None:
        super().__init__(address_of(socket))
        self.processor = processor
        self._socket = socket
        self._bucket = Bucket(rate)
        self._refusals = Bucket(rate)
        self._waiting: deque[bytes | int] = deque()
        self._writer: asyncio.Task[None] | None = None
        """Sends the frames that wait. None if none waits."""

    def may_speak(self) -> bool:
        """Return False if the client sends too much, or if its address has used up its time. It may always say hello."""
        return self._bucket.take() and (not self.has_joined or self.processor.has_any(self.address))

    def may_be_refused(self) -> bool:
        """False if the client goes on after many refusals."""
        return self._refusals.take()

    def send(self, text: bytes) -> None:
        """Put a frame behind the waiting ones. If too many wait, because the client reads none, the client is
        disconnected.
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
        """Send a refusal, count it, and write it to the journal.

        The refusal `reload` is sent with its text in the browser's language, because a page of another version may not have
        the text.
        """
        REFUSALS.labels(refusal.code).inc()
        logs.note(logs.REFUSED, code=refusal.code, path=self._socket.url.path, address=self.address)
        message = refusal.message
        if refusal.code == "reload":
            language = language_among(self._socket.headers.get("accept-language", ""))
            message = in_words(message, catalogue("ludoteca.server", language))
        self.tell(Refused(id, refusal.code, message))

    def close(self, code: int) -> None:
        """End the connection after the frames that wait."""
        if len(self._waiting) < QUEUE:
            self._send_later(code)

    async def finished(self) -> None:
        """Stop sending: the client has gone."""
        if self._writer:
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)

    def _send_later(self, what: bytes | int) -> None:
        self._waiting.append(what)
        self._writer = self._writer or asyncio.create_task(self._write())

    async def _write(self) -> None:
        """Send frames whenever some wait, until a code ends the connection."""
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
