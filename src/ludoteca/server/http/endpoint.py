"""The WebSocket of a room, `/ws/ID`: reads frames, and puts what they ask into the room's queue."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket

from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.connection import FORBIDDEN, GONE, HELLO_MISSING, TRY_LATER, UNPLAYABLE, Connection
from ludoteca.server.rooms.handlers import answer, number_of, read
from ludoteca.server.rooms.room import Room
from ludoteca.server.rooms.rooms import Rooms

FINAL: Final = {"room": GONE, "game": UNPLAYABLE, "rules": UNPLAYABLE, "damaged": UNPLAYABLE}
"""What a socket is closed with that gets no room, by the code of the refusal, where coming back is of no use."""


def is_ours(connection: HTTPConnection) -> bool:
    """False when a page of another server asks. What is no browser sends no origin."""
    origin = connection.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:  # it is no address at all
        return False


async def endpoint(socket: WebSocket) -> None:
    """A connection from its beginning to its end."""
    if not is_ours(socket):
        await socket.close(FORBIDDEN)  # before it is accepted: status 403
        return
    rooms: Rooms = socket.app.state.rooms
    await socket.accept()
    connection = Connection(socket, rooms.settings.frames)
    try:
        room = await rooms.get(socket.path_params["room"], connection.address)
    except RefusalError as refusal:
        connection.refuse(-1, refusal)
        connection.close(FINAL.get(refusal.code, TRY_LATER))
        await _drain(socket)
    else:
        await _serve(rooms, room, socket, connection)
    await connection.finished()


async def _serve(rooms: Rooms, room: Room, socket: WebSocket, connection: Connection) -> None:
    deadline = asyncio.get_running_loop().call_later(rooms.settings.hello_within, _check_hello, connection)
    room.guests += 1  # so that it does not fall asleep before the hello
    try:
        while (text := await _receive(socket)) is not None:
            await _take(rooms, room, connection, text)
    finally:
        deadline.cancel()
        room.guests -= 1
        with suppress(RefusalError):  # the room has failed
            await room.do(partial(room.leave, connection))


def _check_hello(connection: Connection) -> None:
    if not connection.has_joined:
        connection.refuse(-1, RefusalError("hello"))
        connection.close(HELLO_MISSING)


async def _take(rooms: Rooms, room: Room, connection: Connection, text: str) -> None:
    try:
        if not connection.may_speak():
            raise RefusalError("rate")
        await room.do(partial(answer, room, rooms.make_next, connection, read(text)))
    except RefusalError as refusal:
        connection.refuse(number_of(text), refusal)


async def _receive(socket: WebSocket) -> str | None:
    """A frame's text; None at the end. A frame of bytes is read as no JSON."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        return None
    text: str | None = message.get("text")
    return text if text is not None else ""


async def _drain(socket: WebSocket) -> None:
    """Wait until the other side has closed too."""
    while await _receive(socket) is not None:
        pass
