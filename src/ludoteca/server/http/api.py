"""The addresses that begin with `/api`, and `/health`.

The site's page of HTTP addresses is made from the docstrings here (`tools/generated.py`), and `docs/api.md` shows their use.
"""

import asyncio
import time
from collections.abc import Callable, Hashable
from functools import partial
from importlib.metadata import version
from typing import Annotated, Any, Final, Literal, TypeAlias, cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import THEMES, paint
from ludoteca.server.frames import Seat
from ludoteca.server.http.assets import answer_in_thread, json_document
from ludoteca.server.http.catalogue import describe
from ludoteca.server.http.documents import Documents, answer_with
from ludoteca.server.http.openapi import JSON, Operation, document
from ludoteca.server.http.previews import GIF, HAS_PNG, PNG, png_of
from ludoteca.server.http.web import PICTURE_HEADERS, SVG, as_json, body, number, rooms_of, root_of, text_of
from ludoteca.server.jobs import Animate
from ludoteca.server.model.creation import RecordOpened, RoomMade, RoomWished
from ludoteca.server.model.table import Table
from ludoteca.server.model.tokens import FORM, new_token
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms import deletion, persons
from ludoteca.server.rooms.matchmaking import Matchmaking, OpponentWished
from ludoteca.server.settings import LARGEST_RECORD, Settings
from ludoteca.server.shares import Buckets, address_of
from ludoteca.server.thinking.analyses import Analyses, Analysis, as_object

VERSION: Final = version("ludoteca")
MOST_FRAMES: Final = 400
"""The moves of the longest game that is drawn as an animated picture. The process that draws it takes up to 240 MB."""

Prepare: TypeAlias = Callable[[], Callable[[], str | bytes]]
"""Prepares a document of a room. The function that it returns makes the document in a thread."""


class Health(msgspec.Struct):
    """The state of the server."""

    status: str
    """`ok`, or `storage` if nothing can be stored."""
    version: str
    up: float
    """Seconds since the start."""


class GameListed(msgspec.Struct):
    """A game that can be played.

    Each of `parameters` is `{name, kind, default, help, possible}`. By `kind`, it also has `low`, `high` and `step`
    (`integer`), `options` (`choice`), or `grid` and `presets` (`text`, both optional).
    """

    name: str
    title: str
    summary: str
    players: int
    """The number of players; 0 if it is the parameter `players`."""
    perfect_information: bool
    all_see_the_same: bool
    """True if every player sees the same as a spectator."""
    agents: dict[str, Any]
    """The agents that seats may have, by name, with what each does."""
    lesson: bool
    """True if there is a guided first game, at `/learn/NAME`."""
    sends_at_once: bool
    """False if a button sends a choice, and no touch."""
    plans: bool
    """True if players can choose in advance, while others move."""
    together: dict[str, Any] | None
    """`{names, combinations}` of the numbers and choices that go together; null if all do."""
    parameters: list[dict[str, Any]]
    matchmaking: bool
    """True if the server finds opponents."""
    friends: bool
    """True if friends can join by a link."""
    phrases: bool
    animated_pictures: bool
    """True if the server draws finished games as animated pictures."""


class RoomListed(msgspec.Struct):
    """A listed room, which every client may join or look at."""

    room: str
    game: str
    parameters: dict[str, Any]
    clock: dict[str, int] | None
    seats: list[Seat]
    ply: int
    mover: int
    known: str
    created: float
    """Seconds since 1970."""


class SeatGiven(msgspec.Struct):
    """A seat that was taken."""

    seat: int
    token: str


class SeatTaken(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/rooms/ID/seats`.

    `token` has 32 to 64 letters, digits, `-` and `_`, from at least 192 random bits. `invitation` is in the frame `room` of
    the players. It is needed only at an address from which another person has come from the lobby.
    """

    name: str
    token: Annotated[str, msgspec.Meta(pattern=FORM)] | None = None
    """The seat's secret, made by the client: if no answer comes, asking again with it gets the same seat."""
    invitation: str = ""
    """The invitation of a listed room, which its players know."""


async def _table(request: Request) -> Table:
    return (await rooms_of(request).get(request.path_params["room"], address_of(request))).table


async def _finished(request: Request) -> Table:
    """Return the table of a game that is over. Raises RefusalError (`running`) if it is not over, and as `Rooms.get`."""
    table = await _table(request)
    if not table.is_over:
        raise RefusalError("running")
    return table


async def health(request: Request) -> Response:
    """Whether the server does its work, for programs that monitor it: answered at once, and without a room."""
    is_down = rooms_of(request).store.is_down()
    up = round(time.monotonic() - request.app.state.started, 1)
    return as_json(Health("storage" if is_down else "ok", VERSION, up), 503 if is_down else 200)


async def games(request: Request) -> Response:
    """The games that can be played."""
    listed: list[GameSpec] = request.app.state.games
    settings: Settings = request.app.state.settings
    films = settings.animated_pictures and HAS_PNG
    offered = {"matchmaking": settings.matchmaking, "friends": True, "phrases": settings.phrases, "animated_pictures": films}
    key = (*(spec.name for spec in listed), *offered.values())
    make = partial(json_document, key, lambda: [describe(spec) | offered for spec in listed])
    return await answer_in_thread(request, make, JSON, {})


async def list_rooms(request: Request) -> Response:
    """The rooms that are open to all visitors, to join or to watch: not over, with a client, newest first."""
    return as_json([msgspec.convert(listing, RoomListed) for listing in await rooms_of(request).lobby.listings()])


async def make_room(request: Request) -> Response:
    """Make a room."""
    wished = await body(request, RoomWished)
    return as_json(await rooms_of(request).factory.make(wished, address_of(request)), 201)


async def delete_room(request: Request) -> Response:
    """Delete a room for its maker.

    The key is that of the room, or of the room of which it is a rematch. If another person has played in the room, the
    request is refused as `played`.
    """
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise RefusalError("key")
    await deletion.delete_by_maker(rooms_of(request), request.path_params["room"], key, address_of(request))
    return Response(status_code=204)


async def take_seat(request: Request) -> Response:
    """Take an open seat of a room.

    The name may be empty. If another person in the room has the same name, the seat shows it with a number: `Rui (2)`.
    """
    wished = await body(request, SeatTaken)
    token = wished.token or new_token()
    name, who = request.path_params["room"], address_of(request)
    seat = await persons.take(rooms_of(request), name, wished.name, token, who, wished.invitation)
    return as_json(SeatGiven(seat, token), 201)


async def find_opponent(request: Request) -> Response:
    """Take a seat in the room where another player has looked longest for an opponent, or make a room and wait there."""
    _check_rate(request)
    matchmaking: Matchmaking = request.app.state.matchmaking
    wished = await body(request, OpponentWished)
    return as_json(await matchmaking.find(request.path_params["game"], wished, address_of(request)), 201)


async def make_record(request: Request) -> Response:
    """Make a room in which a record can be looked through."""
    text = await text_of(request, LARGEST_RECORD)
    return as_json(await rooms_of(request).factory.make_record(text, address_of(request)), 201)


async def record(request: Request) -> Response:
    """The record of a game that is over. It never changes."""
    _check_rate(request)
    table = await _finished(request)
    file = f'attachment; filename="{table.game.name}-{table.row.id}.json"'
    names = tuple(occupant.name for occupant in table.seats)  # they may be deleted
    return await _document(request, (table.row.id, names), lambda: table.record, JSON, {"content-disposition": file})


def _check_rate(request: Request) -> None:
    reads: Buckets = request.app.state.reads
    if not reads.of(address_of(request)).take():
        raise RefusalError("rate")


async def _document(request: Request, key: Hashable, prepare: Prepare, kind: str, headers: dict[str, str]) -> Response:
    """Return the answer with a document of a room. If it is not kept, it is prepared now and made in a thread."""
    documents: Documents = request.app.state.documents
    found = documents.find(key)
    if found is None:
        found = await rooms_of(request).processor.in_turn(address_of(request), documents.get, key, prepare())
    return answer_with(request, found, kind, headers)


async def room_picture(request: Request) -> Response:
    """A picture of a position, as the spectator sees it, or after the end as any seat saw it."""
    return await _drawn(request, paint, SVG)


async def room_png(request: Request) -> Response:
    """The same picture in pixels, if the server was installed with `ludoteca[pictures]`."""
    return await _drawn(request, png_of, PNG)


async def _drawn(request: Request, draw: Callable[..., str | bytes], media_type: str) -> Response:
    _check_rate(request)
    table = await _table(request)
    ply = number(request, "ply", table.ply)
    if not 0 <= ply <= table.ply:
        raise RefusalError("ply", ply, table.ply)
    player, theme = _eyes(request, table)
    if player != SPECTATOR and not table.is_over:
        raise RefusalError("running")
    names = tuple(occupant.name or occupant.agent for occupant in table.seats)

    def prepare() -> Callable[[], str | bytes]:
        return partial(draw, table.game.spec, table.pictured(ply, player), theme, names)

    key = table.row.id, table.position_n, ply, player, theme, names, media_type
    return await _document(request, key, prepare, media_type, PICTURE_HEADERS)


def _eyes(request: Request, table: Table) -> tuple[int, str]:
    """The player as whom a picture is drawn, and its theme."""
    player, theme = number(request, "player", SPECTATOR), request.query_params.get("theme", THEMES[0])
    if player not in range(SPECTATOR, len(table.seats)):
        raise RefusalError("player", player)
    if theme not in THEMES:
        raise RefusalError("malformed", f"theme: {theme[:20]!r}")
    return player, theme


async def room_gif(request: Request) -> Response:
    """A game that is over as an animated picture with a frame for each move, as the spectator or any seat saw it.

    Games of more than 400 moves are refused as `ply`. One picture is drawn at a time.
    """
    _check_rate(request)
    table = await _finished(request)
    player, theme = _eyes(request, table)
    if not cast(Settings, request.app.state.settings).animated_pictures:
        raise RefusalError("off")
    if not HAS_PNG:
        raise RefusalError("pictures")
    if table.ply > MOST_FRAMES:
        raise RefusalError("ply", table.ply, MOST_FRAMES)
    key, documents = (table.row.id, player, theme, GIF), cast(Documents, request.app.state.documents)
    found = documents.find(key)
    if found is None:
        job = Animate(await asyncio.to_thread(table.state.serialize), player, theme)
        content = await rooms_of(request).workers.animate(job, address_of(request))
        found = documents.get(key, lambda: content)
    file = f'attachment; filename="{table.game.name}-{table.row.id}.gif"'
    return answer_with(request, found, GIF, {"content-disposition": file})


async def begin_analysis(request: Request) -> Response:
    """Have a game that is over analysed. Ask with `GET` for the progress and the results."""
    analyses: Analyses = request.app.state.analyses
    table = await _finished(request)
    return as_json(as_object(analyses.begin(table.row.id, table.state, address_of(request))), 202)


async def analysis(request: Request) -> Response:
    """The state of an analysis, and the values of the moves so far."""
    analyses: Analyses = request.app.state.analyses
    table = await _finished(request)
    return as_json(as_object(analyses.find(table.row.id, table.state)))


async def openapi(request: Request) -> Response:
    """This description of the API."""
    root = root_of(request)
    make = partial(json_document, ("openapi", root), partial(document, OPERATIONS, VERSION, root))
    return await answer_in_thread(request, make, JSON, {})


PICTURE: Final[dict[str, Any]] = {
    "ply": Annotated[int, msgspec.Meta(ge=0, le=999_999_999)],
    "player": Annotated[int, msgspec.Meta(ge=SPECTATOR, le=9)],
    "theme": Literal["light", "dark"],
}
OPERATIONS: Final = (
    Operation("GET", "/health", health, Health, refusals=("storage",)),
    Operation("GET", "/api/openapi.json", openapi, dict[str, Any], may_be_kept=True),
    Operation("GET", "/api/games", games, list[GameListed], may_be_kept=True),
    Operation("GET", "/api/rooms", list_rooms, list[RoomListed]),
    Operation(
        "POST", "/api/rooms", make_room, RoomMade, 201, RoomWished,
        refusals=("large", "rooms", "game", "parameters", "seats", "persons", "kind", "agent", "clock", "name",
                  "room", "ply", "running", "storage", "busy"),
    ),
    Operation(
        "POST", "/api/records", make_record, RecordOpened, 201, dict[str, Any],
        refusals=("large", "costly", "record", "rooms", "game", "busy", "storage", "thinking"),
    ),
    Operation(
        "DELETE", "/api/rooms/{room}", delete_room, None, 204, secret=True,
        refusals=("key", "played", "waiting"),
    ),
    Operation(
        "POST", "/api/rooms/{room}/seats", take_seat, SeatGiven, 201, SeatTaken,
        refusals=("large", "name", "taken", "neighbours", "waiting"),
    ),
    Operation(
        "POST", "/api/games/{game}/opponent", find_opponent, RoomMade, 201, OpponentWished,
        refusals=("large", "off", "game", "parameters", "name", "rooms", "busy", "storage", "waiting", "room"),
    ),
    Operation("GET", "/api/rooms/{room}/record", record, dict[str, Any], may_be_kept=True, refusals=("running",)),
    Operation(
        "GET", "/api/rooms/{room}/picture.svg", room_picture, SVG, may_be_kept=True, query=PICTURE,
        refusals=("ply", "player", "running"),
    ),
    Operation(
        "GET", "/api/rooms/{room}/picture.png", room_png, PNG, may_be_kept=True, query=PICTURE,
        refusals=("ply", "player", "running", "pictures"),
    ),
    Operation(
        "GET", "/api/rooms/{room}/game.gif", room_gif, GIF, may_be_kept=True,
        query={name: PICTURE[name] for name in ("player", "theme")},
        refusals=("ply", "player", "running", "off", "pictures", "busy", "late", "thinking"),
    ),
    Operation("GET", "/api/rooms/{room}/analysis", analysis, Analysis, refusals=("running",)),
    Operation(
        "POST", "/api/rooms/{room}/analysis", begin_analysis, Analysis, 202, refusals=("running", "busy")
    ),
)  # fmt: skip
ROUTES: Final = [operation.route() for operation in OPERATIONS]
