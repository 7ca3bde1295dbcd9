"""What clients ask of a room: each request is looked at as a whole, and then carried out or refused."""

import math
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeAlias

import msgspec

from ludoteca.agents.agent import HINTS_BY
from ludoteca.server.frames import (
    Done,
    Hello,
    Hint,
    Hinted,
    Look,
    Note,
    Past,
    Play,
    Rematch,
    Replace,
    Request,
    Resign,
    Why,
    Write,
)
from ludoteca.server.model.events import AGENT, PERSON, Asked, Rematched, Replaced, Resigned
from ludoteca.server.model.table import REMATCH, REPLACEMENT, replacement
from ludoteca.server.model.views import ACTIONS
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.connection import Connection
from ludoteca.server.rooms.room import Room
from ludoteca.server.settings import LARGEST_FRAME, LONGEST_TEXT
from ludoteca.server.thinking.workers import Progress, Valued

MakeNext: TypeAlias = Callable[[Room, str], Awaitable[str]]
"""Makes the room of the next game for who wants it at that address, and gives its name."""

_decoder: Final = msgspec.json.Decoder(Request)
_ACTION: Final = re.compile(r"[0-9]{1,19}")


class _Numbered(msgspec.Struct):
    id: int = -1


def read(text: str) -> Request:
    """A client's frame. Raises RefusalError."""
    if len(text.encode()) > LARGEST_FRAME:
        raise RefusalError("large", LARGEST_FRAME)
    try:
        request: Request = _decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RefusalError("malformed", str(error)) from None
    return request


def number_of(text: str) -> int:
    """The number of a request that is refused; -1 when it cannot be read."""
    try:
        found = msgspec.json.decode(text, type=_Numbered).id
    except (msgspec.MsgspecError, RecursionError):
        return -1
    return found if 0 <= found < 1 << 53 else -1


async def answer(room: Room, make_next: MakeNext, connection: Connection, request: Request) -> None:
    """Carry a request out, in the room's task."""
    if isinstance(request, Hello):
        await room.join(connection, request)
        return
    try:
        if not connection.has_joined:
            raise RefusalError("hello")
        await _carry_out(room, make_next, connection, request)
    except RefusalError as refusal:
        connection.refuse(request.id, refusal)


async def _carry_out(room: Room, make_next: MakeNext, connection: Connection, request: Request) -> None:
    if isinstance(request, Rematch):
        await _rematch(room, make_next, connection, request)
    else:
        await _HANDLERS[type(request)](room, connection, request)


# who may


def _seat(room: Room, connection: Connection) -> int:
    """The seat of a person who asks; one that an agent has taken over meanwhile is no person's."""
    if connection.seat < 0 or room.table.seats[connection.seat].kind != PERSON:
        raise RefusalError("seat")
    return connection.seat


async def _mover(room: Room, connection: Connection, at: int) -> int:
    """The seat of who asks, who is to move in the position that the request was made in."""
    seat = _seat(room, connection)
    await room.check_time()
    table = room.table
    if table.is_over:
        raise RefusalError("over")
    if table.mover < 0:
        raise RefusalError("open")
    if at != table.ply:
        raise RefusalError("stale", at, table.ply)
    if seat != table.mover:
        raise RefusalError("turn")
    return seat


def _check_new(room: Room, connection: Connection, at: int, action: int) -> None:
    """That the very same action is not sent again. Raises RefusalError."""
    story = room.table.story
    if at < story.ply and story.movers[at] == connection.seat and story.actions[at] == action:
        raise RefusalError("duplicate")


# moves


async def _play(room: Room, connection: Connection, request: Play) -> None:
    if not _ACTION.fullmatch(request.action) or int(request.action) >= ACTIONS:
        raise RefusalError("malformed", f"action: {request.action[:40]!r}")
    await _try(room, connection, request, int(request.action))


async def _write(room: Room, connection: Connection, request: Write) -> None:
    if len(request.text) > LONGEST_TEXT:
        raise RefusalError("large", LONGEST_TEXT)
    seat = _seat(room, connection)
    if request.at <= room.table.ply:
        await _try(room, connection, request, room.table.story.at(request.at).read_action(seat, request.text))
    else:
        raise RefusalError("stale", request.at, room.table.ply)


async def _try(room: Room, connection: Connection, request: Play | Write, action: int) -> None:
    _check_new(room, connection, request.at, action)
    seat = await _mover(room, connection, request.at)
    room.table.story.now.check_legal(seat, action)
    await room.play(seat, action)
    connection.tell(Done(request.id, room.table.n))


async def _why(room: Room, connection: Connection, request: Why) -> None:
    seat = await _mover(room, connection, request.at)
    sight = room.table.story.now
    sight.check_legal(seat, sight.interpret(seat, request.touched))
    raise RefusalError("nothing")  # it is legal: nothing is to be said against it


async def _resign(room: Room, connection: Connection, request: Resign) -> None:
    seat = _seat(room, connection)
    table = room.table
    if table.is_over:
        raise RefusalError("over")
    if table.mover < 0:
        raise RefusalError("open")
    if request.at != table.ply:
        raise RefusalError("stale", request.at, table.ply)
    concede = int(table.game.rules.CONCEDE)
    if table.mover == seat and concede in table.state.legal_actions():
        await room.play(seat, concede)
    else:
        await room.happen(Resigned(seat, "" if table.ends_by(seat) else table.stand_in()))
    connection.tell(Done(request.id, table.n))


# what several agree to


async def _replace(room: Room, connection: Connection, request: Replace) -> None:
    seat, table = _seat(room, connection), room.table
    _check_replacement(room, request)
    what = replacement(request.seat)
    agreed = sorted({*table.asked.get(what, ()), seat})
    here = set(room.present()) & set(table.people()) - {request.seat}
    if here <= set(agreed):
        await room.happen(Replaced(request.seat, REPLACEMENT))
    else:
        await _ask(room, what, agreed)
    connection.tell(Done(request.id, table.n))


async def _ask(room: Room, what: str, agreed: list[int]) -> None:
    """Store who agrees, unless it is known: who says it again and again fills no disk. Raises RefusalError."""
    if agreed == room.table.asked.get(what):
        raise RefusalError("duplicate")
    await room.happen(Asked(what, agreed))


def _check_replacement(room: Room, request: Replace) -> None:
    table = room.table
    if table.is_over:
        raise RefusalError("over")
    if request.seat not in table.people():
        raise RefusalError("replace", request.seat + 1)
    if request.seat in room.present():
        raise RefusalError("present", ("@seat", request.seat))
    left = room.keeps_seat(request.seat)
    if left > 0:
        raise RefusalError("away", ("@seat", request.seat), math.ceil(left))


async def _rematch(room: Room, make_next: MakeNext, connection: Connection, request: Rematch) -> None:
    table = room.table
    if connection.seat < 0:
        raise RefusalError("seat")
    if not table.is_over or table.is_record:
        raise RefusalError("running")
    if table.rematch:
        raise RefusalError("duplicate")
    agreed = sorted({*table.asked.get(REMATCH, ()), connection.seat})
    persons = {seat for seat in room.present() if table.seats[seat].kind == PERSON}
    if persons <= set(agreed):
        await room.happen(Rematched(await make_next(room, connection.address)))
    else:
        await _ask(room, REMATCH, agreed)
    connection.tell(Done(request.id, table.n))


# what changes nothing


async def _look(room: Room, connection: Connection, request: Look) -> None:
    table = room.table
    player = connection.seat if request.player is None else request.player
    if request.ply > table.ply:
        raise RefusalError("ply", request.ply, table.ply)
    if player not in range(-1, len(table.seats)):
        raise RefusalError("player", player)
    if player not in (connection.seat, -1) and not table.is_over:
        raise RefusalError("running")
    connection.tell(Past(request.id, request.ply, player, table.story.scene(request.ply, player)))


async def _hint(room: Room, connection: Connection, request: Hint) -> None:
    seat = await _mover(room, connection, request.at)
    others = [sitter.kind for number, sitter in enumerate(room.table.seats) if number != seat]
    if any(kind != AGENT for kind in others):
        raise RefusalError("hint")
    if room.hinting:
        raise RefusalError("busy")
    room.hinting = True
    room.start(_think(room, connection, request, seat))


async def _think(room: Room, connection: Connection, request: Hint, seat: int) -> None:
    """Beside the room's task: the game may go on meanwhile."""
    try:
        job = room.job(seat, HINTS_BY, explain=True)
        thought = await room.workers.think(job, connection.address, partial(_listen, connection, seat))
        found = _touches(room, request.at, thought.action)
        connection.tell(
            Hinted(request.id, request.at, str(thought.action), thought.text, found, thought.value, thought.line)
        )
    except RefusalError as refusal:
        connection.refuse(request.id, refusal)
    finally:
        room.hinting = False


def _listen(connection: Connection, seat: int, progress: Progress | Valued) -> None:
    if isinstance(progress, Progress):
        connection.tell(Note(progress.what, player=seat))


def _touches(room: Room, at: int, action: int) -> tuple[str, ...]:
    if room.table.ply != at or room.table.is_over:
        raise RefusalError("stale", at, room.table.ply)
    return next(choice.touches for choice in room.table.story.now.choices if choice.action == action)


_Handler: TypeAlias = Callable[[Room, Connection, Any], Awaitable[None]]
_HANDLERS: Final[dict[type, _Handler]] = {
    Play: _play,
    Write: _write,
    Why: _why,
    Resign: _resign,
    Replace: _replace,
    Look: _look,
    Hint: _hint,
}
