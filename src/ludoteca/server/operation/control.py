"""The operator's interface: HTTP over a Unix socket that only the user of the server can open. There is no password.

`ludoteca admin` uses it, and so can any program that speaks HTTP over a Unix socket. Seats count from 1 here, and times are
texts in UTC.
"""

import time
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludoteca.core.contract import SPECTATOR
from ludoteca.server import journal
from ludoteca.server.http.blocks import Blocks, covers, place_of
from ludoteca.server.http.web import as_json, refused, rooms_of, root_of
from ludoteca.server.model import events
from ludoteca.server.model.effects import FORBIDDEN
from ludoteca.server.operation import metrics
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms import persons
from ludoteca.server.rooms.persons import Outcome
from ludoteca.server.rooms.room import LiveRoom
from ludoteca.server.store.database import StoreError
from ludoteca.server.store.schema import Block

DAY: Final = 86400.0
LONGEST: Final = 36_525.0
"""Days for which an address is blocked at most: a century. Without a number it is blocked for good."""


def create_control(served: Starlette, address: str) -> Starlette:
    """Return the operator's application for a server that listens at this address."""
    control = Starlette(
        routes=[*ROUTES, metrics.route(served)],
        exception_handlers={RefusalError: refused, HTTPException: refused, StoreError: _not_stored},
    )
    control.state.rooms, control.state.blocks = served.state.rooms, served.state.blocks
    control.state.address = address
    control.state.settings = served.state.settings
    return control


async def _not_stored(_: Request, __: Exception) -> Response:
    return as_json({"code": "storage", "message": ("error.storage",)}, 503)


def _blocks(request: Request) -> Blocks:
    blocks: Blocks = request.app.state.blocks
    return blocks


def _utc(seconds: float) -> str:
    """A time in seconds since 1970 as text."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _as_told(block: Block) -> dict[str, Any]:
    until = None if block.until is None else _utc(block.until)
    return {"address": block.address, "since": _utc(block.since), "until": until}


def _seat(request: Request) -> int:
    """Return the seat of a request, counted from 0 as rooms count."""
    return int(request.path_params["seat"]) - 1


def _awake(room: LiveRoom) -> dict[str, Any]:
    table = room.table
    return {
        "room": table.row.id,
        "game": table.game.name,
        "seats": [occupant.name or occupant.agent or occupant.kind for occupant in table.seats],
        "moves": table.ply,
        "over": table.is_over,
        "listed": table.listed,
        "sockets": len(room.connections()),
        "address": room.room.maker,
        "created": _utc(table.row.created),
    }


async def rooms(request: Request) -> Response:
    """The rooms in memory. With `?all=1` also the other stored rooms, with fewer details.

    `days_left` is the running time after which a marked room is deleted; None for a room without a mark.
    """
    found = {room.table.row.id: _awake(room) for room in rooms_of(request).awake()}
    if request.query_params.get("all"):
        for row in await rooms_of(request).store.rooms():
            options = events.options_of(row)
            seats = [made.name or made.agent or made.kind for made in options.seats]
            told = {"room": row.id, "game": row.game, "seats": seats, "over": row.over, "listed": options.listed}
            found.setdefault(row.id, {**told, "created": _utc(row.created)})
    marks = await rooms_of(request).store.marks()
    for name, told in found.items():
        told["days_left"] = marks[name] / DAY if name in marks else None
    return as_json(sorted(found.values(), key=lambda room: room["created"]))


async def close_room(request: Request) -> Response:
    """Put all clients out of a room, which sleeps until a client comes."""
    name = request.path_params["room"]
    await rooms_of(request).row(name)
    return as_json({"closed": rooms_of(request).close(name)})


async def restore_room(request: Request) -> Response:
    """Remove the mark of a room that is to be deleted."""
    name, rooms = request.path_params["room"], rooms_of(request)
    await rooms.row(name)
    if was_marked := name in await rooms.store.marks():
        await rooms.store.restore(name)
    return as_json({"restored": was_marked})


async def delete_room(request: Request) -> Response:
    """Delete a room for good."""
    await rooms_of(request).remove(request.path_params["room"])
    return as_json({"deleted": True})


async def seat(request: Request) -> Response:
    """The name and the events of a seat's person, with times and without the secret."""
    name, number = request.path_params["room"], _seat(request)
    called, found = await persons.events_of_seat(rooms_of(request), name, number)
    told = [{"at": _utc(at), **msgspec.to_builtins(event), "seat": number + 1} for at, event in found]
    for event in told:
        event.pop("token", None)
    return as_json({"room": name, "seat": number + 1, "name": called, "events": told})


async def erase_seat(request: Request) -> Response:
    """Delete the name and the secret of a seat's person, here and in rematches."""
    return as_json(_told(await persons.erase(rooms_of(request), request.path_params["room"], _seat(request))))


async def give_back_seat(request: Request) -> Response:
    """Give a seat's person a new secret, here and in rematches. The secret is in this answer and nowhere else."""
    name = request.path_params["room"]
    token, outcomes = await persons.give_back(rooms_of(request), name, _seat(request))
    root = root_of(request)
    link = {"address": request.app.state.address, "root": root, "path": f"{root}/room/{name}#{token}"}
    return as_json({**link, **_told(outcomes)})


def _told(outcomes: list[Outcome]) -> dict[str, Any]:
    """Return the rooms that were changed, and the rooms whose change failed."""
    told: dict[str, Any] = {"rooms": [], "failed": []}
    for place, refusal in outcomes:
        about = {"room": place.room, "seat": None if place.seat is None else place.seat + 1}
        if refusal is None:
            told["rooms"].append(about)
        else:
            told["failed"].append({**about, "message": refusal.message})
    return told


def _place(request: Request) -> str:
    return place_of(request.path_params["address"])


async def address(request: Request) -> Response:
    """The blocks of an address or a network, which are stored, and its part in rooms in memory."""
    wanted, awake = _place(request), rooms_of(request).awake()
    made = [room.table.row.id for room in awake if covers(wanted, room.room.maker)]
    sockets = [
        {"room": room.table.row.id, "seat": None if connection.seat == SPECTATOR else connection.seat + 1}
        for room in awake
        for connection in room.connections()
        if covers(wanted, connection.address)
    ]
    found = [_as_told(block) for block in _blocks(request).of(wanted)]
    return as_json({"address": wanted, "made": made, "sockets": sockets, "blocks": found})


async def forget_address(request: Request) -> Response:
    """Forget an address or a network: that it made rooms in memory, and that it is blocked."""
    wanted = _place(request)
    rooms_of(request).forget(lambda client: covers(wanted, client))
    await _blocks(request).remove(wanted)
    return as_json({"forgotten": wanted})


async def blocks(request: Request) -> Response:
    """The addresses and networks that are kept out."""
    return as_json([_as_told(block) for block in _blocks(request).all()])


async def block(request: Request) -> Response:
    """Keep an address or a network out, for `?days=` or for good, and end its connections to rooms."""
    wanted, until = _place(request), _until(request.query_params.get("days"))
    await _blocks(request).add(wanted, until)
    journal.note("address blocked", address=wanted)
    connections = [connection for room in rooms_of(request).awake() for connection in room.connections()]
    ended = [connection for connection in connections if covers(wanted, connection.address)]
    for connection in ended:
        connection.refuse(-1, RefusalError("blocked"))
        connection.close(FORBIDDEN)
    return as_json({"blocked": wanted, "until": None if until is None else _utc(until), "sockets": len(ended)})


def _until(days: str | None) -> float | None:
    """Return the time after this number of days; None for good. Raises RefusalError."""
    if days is None:
        return None
    try:
        number = float(days)
    except ValueError:
        number = 0.0
    if not 0 < number <= LONGEST:
        raise RefusalError("malformed", f"days: {days[:40]!r}")
    return time.time() + number * DAY


async def unblock(request: Request) -> Response:
    """Keep an address or a network out no longer."""
    return as_json({"unblocked": await _blocks(request).remove(_place(request))})


ROUTES: Final = [
    Route("/rooms", rooms),
    Route("/rooms/{room}", delete_room, methods=["DELETE"]),
    Route("/rooms/{room}/close", close_room, methods=["POST"]),
    Route("/rooms/{room}/restore", restore_room, methods=["POST"]),
    Route("/rooms/{room}/seats/{seat:int}", seat),
    Route("/rooms/{room}/seats/{seat:int}", erase_seat, methods=["DELETE"]),
    Route("/rooms/{room}/seats/{seat:int}/link", give_back_seat, methods=["POST"]),
    Route("/addresses/{address:path}", address),
    Route("/addresses/{address:path}", forget_address, methods=["DELETE"]),
    Route("/blocks", blocks),
    Route("/blocks/{address:path}", block, methods=["PUT"]),
    Route("/blocks/{address:path}", unblock, methods=["DELETE"]),
]
