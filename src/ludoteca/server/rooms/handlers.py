"""The requests of clients: each is checked as a whole, and then carried out or refused."""

import math
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

from ludoteca.server.frames import (
    Done,
    Hello,
    Hint,
    Hinted,
    Line,
    Look,
    Note,
    Past,
    Plan,
    Planned,
    Play,
    Preview,
    Previewed,
    Read,
    Rematch,
    Replace,
    Request,
    Resign,
    Undo,
    Why,
    Write,
    choice_frames,
)
from ludoteca.server.jobs import Progress, Thought, Valued
from ludoteca.server.model.events import AGENT, PERSON, Asked, Rematched, Replaced, Resigned, TakenBack
from ludoteca.server.model.table import REMATCH, REPLACEMENT, replacement, takeback
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.connection import Connection
from ludoteca.server.rooms.room import Room
from ludoteca.server.settings import LARGEST_FRAME, LONGEST_TEXT

MOST_TAKEN_BACK: Final = 200
"""So often are actions of a room taken back: its events do not grow without end."""
ACTIONS: Final = 1 << 63
"""Actions are below this number."""

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


async def answer(room: Room, connection: Connection, request: Request, arrived: float) -> None:
    """Carry a request out, in the room's task, that arrived then (`time.monotonic`)."""
    if isinstance(request, Hello):
        await room.join(connection, request)
        return
    try:
        if not connection.has_joined:
            raise RefusalError("hello")
        await HANDLERS[type(request)](room, connection, request)
    except RefusalError as refusal:
        connection.refuse(request.id, refusal)
    room.measures.answering.add(time.monotonic() - arrived)


# moves


async def play(room: Room, connection: Connection, request: Play) -> None:
    """Play one of the choices."""
    await _try(room, connection, request, _read_action(request.action))


def _read_action(text: str) -> int:
    """An action as it travels. Raises RefusalError."""
    if not _ACTION.fullmatch(text) or int(text) >= ACTIONS:
        raise RefusalError("malformed", f"action: {text[:40]!r}")
    return int(text)


async def write(room: Room, connection: Connection, request: Write) -> None:
    """Play a move that was typed in the game's notation."""
    if len(request.text) > LONGEST_TEXT:
        raise RefusalError("large", LONGEST_TEXT)
    seat = _seat(room, connection)
    if request.at > room.table.ply:
        raise RefusalError("stale", request.at, room.table.ply)
    await _try(room, connection, request, room.table.history.at(request.at).read_action(seat, request.text))


async def _try(room: Room, connection: Connection, request: Play | Write, action: int) -> None:
    history, at = room.table.history, request.at
    if at < history.ply and history.movers[at] == connection.seat and history.actions[at] == action:
        raise RefusalError("duplicate")
    seat = await _mover(room, connection, at)
    room.table.now.check_legal(seat, action)
    await room.play(seat, action)
    connection.tell(Done(request.id, room.table.n))


async def why(room: Room, connection: Connection, request: Why) -> None:
    """Say why items that were touched together are no legal action: with a refusal."""
    seat, now = await _mover(room, connection, request.at), room.table.now
    now.check_legal(seat, now.interpret(seat, request.touched))
    raise RefusalError("nothing")  # it is legal: nothing is to be said against it


async def preview(room: Room, connection: Connection, request: Preview) -> None:
    """Show what one of the choices would do, or of those that the seat would have if it were its turn."""
    action = _read_action(request.action)
    seat = await _player(room, connection, request.at)
    shown, deed = room.table.now.preview(seat, action)
    connection.tell(Previewed(request.id, request.at, request.action, shown.items, shown.marked, shown.told, deed))


async def plan(room: Room, connection: Connection, request: Plan) -> None:
    """Tell what the seat could play if it were its turn now."""
    scene, choices = room.table.history.plan(await _player(room, connection, request.at))
    connection.tell(Planned(request.id, request.at, scene, choice_frames(choices)))


async def resign(room: Room, connection: Connection, request: Resign) -> None:
    """Give the game up: by an action where the rules have one, else by giving the seat away."""
    seat, table = _seat(room, connection), room.table
    _check_running(room, request.at)
    concede = int(table.game.rules.CONCEDE)
    if table.mover == seat and concede in table.now.legal:
        await room.play(seat, concede)
    else:
        await room.happen(Resigned(seat, "" if table.ends_by(seat) else table.stand_in()))
    connection.tell(Done(request.id, table.n))


def _seat(room: Room, connection: Connection) -> int:
    """The seat of the person who asks. Raises RefusalError for a spectator, and where an agent has taken the seat over."""
    if connection.seat < 0 or room.table.seats[connection.seat].kind != PERSON:
        raise RefusalError("seat")
    return connection.seat


async def _player(room: Room, connection: Connection, at: int) -> int:
    """The seat of the person who asks, in the position that the request was made in. Raises RefusalError."""
    seat = _seat(room, connection)
    await room.check_time()
    _check_running(room, at)
    return seat


async def _mover(room: Room, connection: Connection, at: int) -> int:
    """The seat of the person who asks, who is to move in the position that the request was made in. Raises RefusalError."""
    seat = await _player(room, connection, at)
    if seat != room.table.mover:
        raise RefusalError("turn")
    return seat


def _check_running(room: Room, at: int) -> None:
    """Check that the game goes on, and has not gone on since the client decided. Raises RefusalError."""
    table = room.table
    if table.is_over:
        raise RefusalError("over")
    if table.mover < 0:
        raise RefusalError("open")
    if at != table.ply:
        raise RefusalError("stale", at, table.ply)


# what several agree to


async def replace(room: Room, connection: Connection, request: Replace) -> None:
    """Agree that an agent takes over the seat of an absent person; it does when everybody who is there agrees."""
    seat, table, audience = _seat(room, connection), room.table, room.audience
    if table.is_over:
        raise RefusalError("over")
    if request.seat not in table.people():
        raise RefusalError("replace", request.seat + 1)
    if request.seat in audience.present():
        raise RefusalError("present", ("@seat", request.seat))
    left = audience.keeps_seat(request.seat)
    if left > 0:
        raise RefusalError("away", ("@seat", request.seat), math.ceil(left))
    what = replacement(request.seat)
    agreed = sorted({*table.asked.get(what, ()), seat})
    if set(audience.present()) & set(table.people()) - {request.seat} <= set(agreed):
        await room.happen(Replaced(request.seat, REPLACEMENT))
    else:
        await _agree(room, what, agreed)
    connection.tell(Done(request.id, table.n))


async def undo(room: Room, connection: Connection, request: Undo) -> None:
    """Take the last action of the seat back, or agree to it for the one that has asked first."""
    seat, table = _seat(room, connection), room.table
    await room.check_time()
    _check_running(room, request.at)
    asked = table.asked.get(takeback(table.ply), [])
    ply = table.history.undo_to(asked[0] if asked else seat)
    if ply is None:
        raise RefusalError("undo")
    if table.taken_back >= MOST_TAKEN_BACK:
        raise RefusalError("undos", MOST_TAKEN_BACK)
    agreed = asked if seat in asked else [*asked, seat]
    if set(room.audience.present()) & set(table.people()) <= set(agreed):
        await room.happen(TakenBack(ply))
    else:
        await _agree(room, takeback(table.ply), agreed)
    connection.tell(Done(request.id, table.n))


async def rematch(room: Room, connection: Connection, request: Rematch) -> None:
    """Agree to another game with the same seats; it begins when everybody who is there agrees."""
    table = room.table
    if connection.seat < 0:
        raise RefusalError("seat")
    if not table.is_over or table.is_record:
        raise RefusalError("running")
    if table.rematch:
        raise RefusalError("duplicate")
    agreed = sorted({*table.asked.get(REMATCH, ()), connection.seat})
    if {seat for seat in room.audience.present() if table.seats[seat].kind == PERSON} <= set(agreed):
        await room.happen(Rematched(await room.make_next(connection.address)))
    else:
        await _agree(room, REMATCH, agreed)
    connection.tell(Done(request.id, table.n))


async def _agree(room: Room, what: str, agreed: list[int]) -> None:
    """Store who agrees, unless it is known already: repeating it fills no disk. Raises RefusalError."""
    if agreed == room.table.asked.get(what):
        raise RefusalError("duplicate")
    await room.happen(Asked(what, agreed))


# what changes nothing


async def look(room: Room, connection: Connection, request: Look) -> None:
    """Show an earlier position; after the end, also as another seat saw it."""
    table = room.table
    player = connection.seat if request.player is None else request.player
    if request.ply > table.ply:
        raise RefusalError("ply", request.ply, table.ply)
    if player not in range(-1, len(table.seats)):
        raise RefusalError("player", player)
    if player not in (connection.seat, -1) and not table.is_over:
        raise RefusalError("running")
    connection.tell(Past(request.id, request.ply, player, table.scene(request.ply, player)))


async def tell(room: Room, connection: Connection, request: Read) -> None:
    """Tell the position and the legal moves as texts."""
    connection.tell(room.table.text(connection.seat, request.id))


async def hint(room: Room, connection: Connection, request: Hint) -> None:
    """Have an agent say what it would play, beside the room's task: the game may go on meanwhile."""
    seat, thinker, table = await _mover(room, connection, request.at), room.thinker, room.table
    if any(occupant.kind != AGENT for number, occupant in enumerate(table.seats) if number != seat):
        raise RefusalError("hint")
    if thinker.is_hinting:
        raise RefusalError("busy")
    thinker.is_hinting = True

    def listen(progress: Progress | Valued) -> None:
        if isinstance(progress, Progress):
            connection.tell(Note(progress.what, player=seat))

    async def give() -> None:
        try:
            found = await thinker.hint(seat, connection.address, listen)
            if table.ply != request.at or table.is_over:
                raise RefusalError("stale", request.at, table.ply)
            touches = next(choice.touches for choice in table.now.choices() if choice.action == found.action)
            connection.tell(hinted(request, touches, found))
        except RefusalError as refusal:
            connection.refuse(request.id, refusal)
        finally:
            thinker.is_hinting = False

    room.start(give())


def hinted(request: Hint, touches: tuple[str, ...], found: Thought) -> Hinted:
    """The answer to a request for a hint."""
    assert found.advice is not None, "a hint's reason was asked for"
    line = [Line(*step) for step in found.advice.line]
    others = [(Line(*step), worth) for step, worth in found.advice.others]
    return Hinted(request.id, request.at, str(found.action), touches, found.value, line, found.advice.worth, others)


HANDLERS: Final[dict[type, Callable[[Room, Connection, Any], Awaitable[None]]]] = {
    Play: play,
    Write: write,
    Why: why,
    Preview: preview,
    Plan: plan,
    Resign: resign,
    Undo: undo,
    Replace: replace,
    Rematch: rematch,
    Look: look,
    Read: tell,
    Hint: hint,
}
"""By the kind of the request. Each handler raises RefusalError, and has changed nothing then."""
