"""The WebSocket of a room, `/ws/ID`: reads frames, answers pings, and puts other requests into the room's queue."""

import asyncio
import logging
import time
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from starlette.websockets import WebSocket

from ludoteca.server.frames import Hello, Ping, Pong, Request
from ludoteca.server.http.web import is_ours, rooms_of
from ludoteca.server.model.effects import FORBIDDEN, GONE, HELLO_MISSING, TRY_LATER, UNPLAYABLE
from ludoteca.server.model.requests import number_of, read
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.actor import RoomActor
from ludoteca.server.rooms.connection import Connection

log: Final = logging.getLogger(__name__)

FINAL: Final = {"room": GONE, "game": UNPLAYABLE, "rules": UNPLAYABLE, "damaged": UNPLAYABLE}
"""By the code of a refusal after which connecting again is of no use: the code that closes the socket."""
WAITING: Final = 32
"""Requests of a connection that wait for the room. Then the socket waits, and its pings."""
HELD_UP: Final = 0.5
"""Seconds of delay after which the server itself was stopped or had no processor, so that clients are not to blame."""

_Requests: TypeAlias = asyncio.Queue[tuple[Request, float] | None]
"""The waiting requests of a connection, each with its time of arrival (`time.monotonic`), and None at the end."""


async def endpoint(socket: WebSocket) -> None:
    """Serve a connection from its beginning to its end."""
    if not is_ours(socket):
        await socket.close(FORBIDDEN)  # before it is accepted: status 403
        return
    rooms = rooms_of(socket)
    await socket.accept()
    connection = Connection(socket, rooms.settings.frames, rooms.processor)
    requests = _Requests(WAITING)
    async with asyncio.TaskGroup() as tasks:
        reading = tasks.create_task(_read(socket, connection, requests))
        try:
            room = await rooms.get(socket.path_params["room"], connection.address)
        except RefusalError as refusal:
            connection.refuse(-1, refusal)
            connection.close(FINAL.get(refusal.code, TRY_LATER))
            while await requests.get() is not None:
                pass  # until the other side has closed too
        else:
            await _serve(room, requests, connection, rooms.settings.hello_within)
        reading.cancel()
    await connection.finished()


async def _read(socket: WebSocket, connection: Connection, requests: _Requests) -> None:
    """Read frames until the client leaves or sends far too much. Pings are answered here at once, because the room may be
    busy.
    """
    while (text := await _receive(socket)) is not None:
        try:
            if not connection.may_speak():
                if not connection.may_be_refused():
                    log.warning("%s sends too many frames, and is cut off", connection.address)
                    break
                raise RefusalError("rate")
            request = read(text)
            if isinstance(request, Ping):
                connection.tell(Pong(request.id))
            else:
                await requests.put((request, time.monotonic()))
        except RefusalError as refusal:
            connection.refuse(number_of(text), refusal)
    await requests.put(None)


async def _serve(room: RoomActor, requests: _Requests, connection: Connection, hello_within: float) -> None:
    """Let the room answer each request, until the client leaves. Stop also if the client does not say hello in this many
    seconds.
    """
    waiting = asyncio.create_task(_await_hello(connection, hello_within))
    room.guests += 1  # so that it does not fall asleep before the hello
    try:
        while (asked := await requests.get()) is not None:
            request, arrived = asked
            try:
                await room.do(partial(room.answer, connection, request, arrived))
            except RefusalError as refusal:
                connection.refuse(-1 if isinstance(request, Hello) else request.id, refusal)
    finally:
        waiting.cancel()
        room.guests -= 1
        with suppress(RefusalError):  # the room has failed
            await room.do(partial(room.leave, connection))


async def _await_hello(connection: Connection, within: float) -> None:
    """End a connection if its client has not said hello in this many seconds."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + within
        await asyncio.sleep(within)
        if connection.has_joined:
            return
        if loop.time() - due <= HELD_UP:  # else what came meanwhile is not read yet
            break
    connection.refuse(-1, RefusalError("hello"))
    connection.close(HELLO_MISSING)


async def _receive(socket: WebSocket) -> str | None:
    """Return the text of a frame, or None at the end. A frame of bytes is read as an empty text, which is then refused as no
    JSON.
    """
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        return None
    text: str | None = message.get("text")
    return text if text is not None else ""
