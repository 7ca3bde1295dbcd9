"""The operator's address: a socket that only the server's user can open, so that being asked is proof enough.

`ludoteca admin` speaks to it; anything that speaks HTTP over a Unix socket can.
"""

import time
from math import isfinite
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludoteca.server import journal
from ludoteca.server.http.blocks import Blocks
from ludoteca.server.http.web import as_json, not_found, refused
from ludoteca.server.model import events
from ludoteca.server.model.effects import FORBIDDEN
from ludoteca.server.operation import metrics
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.room import LiveRoom
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.shares import client_of
from ludoteca.server.store.database import StoreError

DAY: Final = 86400.0


def create_control(served: Starlette) -> Starlette:
    """The operator's application over one that runs."""
    control = Starlette(
        routes=[*ROUTES, metrics.route(served)],
        exception_handlers={RefusalError: refused, HTTPException: not_found, StoreError: _not_stored},
    )
    control.state.rooms, control.state.blocks = served.state.rooms, served.state.blocks
    control.state.measures = served.state.measures
    return control


async def _not_stored(_: Request, __: Exception) -> Response:
    return as_json({"code": "storage", "message": ("error.storage",)}, 503)


def _rooms(request: Request) -> Rooms:
    rooms: Rooms = request.app.state.rooms
    return rooms


def _blocks(request: Request) -> Blocks:
    blocks: Blocks = request.app.state.blocks
    return blocks


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
        "created": table.row.created,
    }


async def rooms(request: Request) -> Response:
    """The rooms in memory; with `?all=1` all that are stored, of which less is known."""
    found = {room.table.row.id: _awake(room) for room in _rooms(request).awake()}
    if request.query_params.get("all"):
        for row in await _rooms(request).store.rooms():
            options = events.options_of(row.options)
            seats = [made.name or made.agent or made.kind for made in options.seats]
            told = {"room": row.id, "game": row.game, "seats": seats, "over": row.over, "listed": options.listed}
            found.setdefault(row.id, {**told, "created": row.created})
    return as_json(sorted(found.values(), key=lambda room: room["created"]))


async def close_room(request: Request) -> Response:
    """Put everybody out of a room, which sleeps until somebody comes."""
    return as_json({"closed": _rooms(request).close(request.path_params["room"])})


async def delete_room(request: Request) -> Response:
    """Delete a room for good."""
    await _rooms(request).remove(request.path_params["room"])
    return as_json({"deleted": True})


async def seat(request: Request) -> Response:
    """All that the person of a seat has left: the name, and what was done when. The secret is not told."""
    name, number = request.path_params["room"], request.path_params["seat"]
    found = await _rooms(request).seat_events(name, number)
    told = [{"at": at, **msgspec.to_builtins(event)} for at, event in found]
    for event in told:
        event.pop("token", None)
    row = await _rooms(request).store.room(name)
    made = events.options_of(row.options).seats[number] if row else None
    return as_json({"room": name, "seat": number, "name": made.name if made else "", "events": told})


async def erase_seat(request: Request) -> Response:
    """Delete the name and the secret of a seat's person."""
    await _rooms(request).erase(request.path_params["room"], request.path_params["seat"])
    return as_json({"erased": True})


def _address(request: Request) -> str:
    return client_of(request.path_params["address"])


async def address(request: Request) -> Response:
    """All that is known of an address: it is stored nowhere but where it is blocked, so what rooms in memory know."""
    wanted = _address(request)
    made = [room.table.row.id for room in _rooms(request).awake() if room.room.maker == wanted]
    sockets = [
        {"room": room.table.row.id, "seat": connection.seat}
        for room in _rooms(request).awake()
        for connection in room.connections()
        if connection.address == wanted
    ]
    block = next((block for block in _blocks(request).all() if block.address == wanted), None)
    return as_json({"address": wanted, "made": made, "sockets": sockets, "block": block})


async def forget_address(request: Request) -> Response:
    """Forget an address: who made rooms in memory, and that it is blocked."""
    wanted = _address(request)
    _rooms(request).forget(wanted)
    await _blocks(request).remove(wanted)
    return as_json({"forgotten": wanted})


async def blocks(request: Request) -> Response:
    """The addresses that are kept out."""
    return as_json(_blocks(request).all())


async def block(request: Request) -> Response:
    """Keep an address out, for `?days=` or for good, and put out whoever is in a room from there."""
    wanted, days = _address(request), request.query_params.get("days")
    try:
        until = None if days is None else time.time() + float(days) * DAY
        if until is not None and not isfinite(until):
            raise ValueError
    except ValueError:
        raise RefusalError("malformed", f"days: {days!r}") from None
    await _blocks(request).add(wanted, until)
    journal.note("address blocked", address=wanted)
    ended = [
        connection for room in _rooms(request).awake() for connection in room.connections() if connection.address == wanted
    ]
    for connection in ended:
        connection.refuse(-1, RefusalError("blocked"))
        connection.close(FORBIDDEN)
    return as_json({"blocked": wanted, "until": until, "sockets": len(ended)})


async def unblock(request: Request) -> Response:
    """Keep an address out no longer."""
    return as_json({"unblocked": await _blocks(request).remove(_address(request))})


ROUTES: Final = [
    Route("/rooms", rooms),
    Route("/rooms/{room}", delete_room, methods=["DELETE"]),
    Route("/rooms/{room}/close", close_room, methods=["POST"]),
    Route("/rooms/{room}/seats/{seat:int}", seat),
    Route("/rooms/{room}/seats/{seat:int}", erase_seat, methods=["DELETE"]),
    Route("/addresses/{address:path}", address),
    Route("/addresses/{address:path}", forget_address, methods=["DELETE"]),
    Route("/blocks", blocks),
    Route("/blocks/{address:path}", block, methods=["PUT"]),
    Route("/blocks/{address:path}", unblock, methods=["DELETE"]),
]
