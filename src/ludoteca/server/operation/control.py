"""The operator's interface: HTTP over a Unix socket. It needs no password, because only the user that runs the server can
open the socket.

`ludoteca admin` uses it, and any program that speaks HTTP over a Unix socket can. Seats count from 1 here, and times are
texts in UTC.
"""

from datetime import UTC, datetime
from ipaddress import ip_network
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludoteca.core.contract import SPECTATOR
from ludoteca.server.http.web import as_json, refused, rooms_of, root_of
from ludoteca.server.model import events
from ludoteca.server.operation import metrics
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms import deletion, persons
from ludoteca.server.rooms.actor import RoomActor
from ludoteca.server.rooms.persons import Outcome
from ludoteca.server.shares import HOME, client_of
from ludoteca.server.store.database import StoreError

DAY: Final = 86400.0


def create_control(served: Starlette, address: str) -> Starlette:
    """Return the operator's application for a server that listens at this address."""
    control = Starlette(
        routes=[*ROUTES, metrics.route(served)],
        exception_handlers={RefusalError: refused, HTTPException: refused, StoreError: _not_stored},
    )
    control.state.rooms, control.state.address = served.state.rooms, address
    control.state.settings = served.state.settings
    return control


async def _not_stored(_: Request, __: Exception) -> Response:
    return as_json({"code": "storage", "message": ("error.storage",)}, 503)


def _utc(seconds: float) -> str:
    """A time in seconds since 1970 as text."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _seat(request: Request) -> int:
    """Return the seat of a request, counted from 0 as rooms count."""
    return int(request.path_params["seat"]) - 1


def _awake(room: RoomActor) -> dict[str, Any]:
    table = room.table
    return {
        "room": table.row.id,
        "game": table.game.name,
        "seats": [occupant.name or occupant.agent or occupant.kind for occupant in table.seats],
        "moves": table.ply,
        "over": table.is_over,
        "listed": table.listed,
        "sockets": len(room.connections()),
        "address": room.model.maker,
        "created": _utc(table.row.created),
    }


async def rooms(request: Request) -> Response:
    """The rooms in memory. With `?all=1` also the other stored rooms, with fewer details.

    `days_left` is the running time after which a marked room is deleted; None for a room without a mark.
    """
    found = {room.table.row.id: _awake(room) for room in rooms_of(request).awake.values()}
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
    await deletion.delete(rooms_of(request), request.path_params["room"])
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
    """Return the address or the network of a request as limits know clients. Raises RefusalError for another text."""
    text = request.path_params["address"]
    try:
        network = ip_network(text)
    except ValueError:
        raise RefusalError("malformed", f"address: {text[:40]!r}") from None
    if network.num_addresses == 1:
        return client_of(text)
    is_part_of_home = network.version == 6 and network.prefixlen > HOME
    return str(network.supernet(new_prefix=HOME) if is_part_of_home else network)


def _covers(place: str, client: str) -> bool:
    """True if the client is that address or in that network."""
    try:
        wide, narrow = ip_network(place), ip_network(client)
    except ValueError:  # a proxy has named its client otherwise
        return place == client
    return narrow.network_address in wide and narrow.prefixlen >= wide.prefixlen


async def address(request: Request) -> Response:
    """The part of an address or a network in rooms in memory: the rooms that it made, and its connections."""
    wanted, awake = _place(request), rooms_of(request).awake.values()
    made = [room.table.row.id for room in awake if _covers(wanted, room.model.maker)]
    sockets = [
        {"room": room.table.row.id, "seat": None if connection.seat == SPECTATOR else connection.seat + 1}
        for room in awake
        for connection in room.connections()
        if _covers(wanted, connection.address)
    ]
    return as_json({"address": wanted, "made": made, "sockets": sockets})


async def forget_address(request: Request) -> Response:
    """Forget that an address or a network made rooms in memory. After that, the agents in these rooms think for no address
    in particular.
    """
    wanted, rooms = _place(request), rooms_of(request)
    makers = rooms.factory.makers
    rooms.factory.makers = {room: maker for room, maker in makers.items() if not _covers(wanted, maker)}
    for room in rooms.awake.values():
        room.model.maker = "" if _covers(wanted, room.model.maker) else room.model.maker
        for stranger in [stranger for stranger in room.strangers if _covers(wanted, stranger)]:
            del room.strangers[stranger]
    return as_json({"forgotten": wanted})


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
]
