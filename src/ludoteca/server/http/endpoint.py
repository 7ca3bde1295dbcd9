"""The WebSocket of a room, `/ws/ID`: reads frames, and puts what they ask for into the room's queue."""

import asyncio
import time
from contextlib import suppress
from functools import partial
from typing import Final

from starlette.websockets import WebSocket

from ludoteca.server.http.web import is_ours
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.connection import FORBIDDEN, GONE, HELLO_MISSING, TRY_LATER, UNPLAYABLE, Connection
from ludoteca.server.rooms.handlers import answer, number_of, read
from ludoteca.server.rooms.room import Room, Work
from ludoteca.server.rooms.rooms import Rooms

FINAL: Final = {"room": GONE, "game": UNPLAYABLE, "rules": UNPLAYABLE, "damaged": UNPLAYABLE}
"""By the code of a refusal after which connecting again is of no use: the code that closes the socket."""
HELD_UP: Final = 0.5
"""Seconds by which this server is late where it was stopped, or had no processor, and clients are not to blame."""


async def endpoint(socket: WebSocket) -> None:
    """Serve a connection from its beginning to its end."""
    if not is_ours(socket):
        await socket.close(FORBIDDEN)  # before it is accepted: status 403
        return
    rooms: Rooms = socket.app.state.rooms
    await socket.accept()
    connection = Connection(socket, rooms.settings.frames, rooms.measures)
    try:
        room = await rooms.get(socket.path_params["room"], connection.address)
    except RefusalError as refusal:
        connection.refuse(-1, refusal)
        connection.close(FINAL.get(refusal.code, TRY_LATER))
        while await _receive(socket) is not None:
            pass  # until the other side has closed too
    else:
        await _serve(room, socket, connection, rooms.settings.hello_within)
    await connection.finished()


async def _serve(room: Room, socket: WebSocket, connection: Connection, hello_within: float) -> None:
    """Have the room answer every frame until the client goes; it has to say hello in so many seconds."""
    waiting = asyncio.create_task(_await_hello(connection, hello_within))
    room.guests += 1  # so that it does not fall asleep before the hello
    connection.hear_at_once(partial(_hear, room, connection))
    try:
        while (text := await _receive(socket)) is not None:
            if work := _work_of(room, connection, text):
                await room.do(work)
    finally:
        waiting.cancel()
        room.guests -= 1
        with suppress(RefusalError):  # the room has failed
            await room.do(partial(room.leave, connection))


async def _await_hello(connection: Connection, within: float) -> None:
    """End a connection whose client has not said hello in so many seconds."""
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


def _work_of(room: Room, connection: Connection, text: str) -> Work | None:
    """What a frame asks for; None where it is refused, or where its client asks for too much and is cut off."""
    try:
        if room.has_failed:
            raise RefusalError("failed")
        if connection.may_speak():
            return partial(answer, room, connection, read(text), time.monotonic())
        if connection.may_be_refused():
            raise RefusalError("rate")
        connection.cut_off()
    except RefusalError as refusal:
        connection.refuse(number_of(text), refusal)
    return None


def _hear(room: Room, connection: Connection, text: str) -> bool:
    """Put what a frame asks for into the room's queue; False where that is full, and the frame has to wait."""
    if room.is_full():
        return False
    if work := _work_of(room, connection, text):
        room.do_soon(work)
    return True


async def _receive(socket: WebSocket) -> str | None:
    """A frame's text; None at the end. A frame of bytes is read as an empty text, which is no JSON."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        return None
    text: str | None = message.get("text")
    return text if text is not None else ""
