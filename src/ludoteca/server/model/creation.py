"""Making rooms: what is asked for is looked at as a whole, and becomes the row that is stored."""

import secrets
import time
import unicodedata
from typing import Any, Final, NamedTuple

import msgspec

from ludoteca.agents.agent import names_for
from ludoteca.core import registry
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import LudotecaError, UnknownGameError
from ludoteca.core.game import Game, State
from ludoteca.core.spec import GameSpec
from ludoteca.server.model import clock, fair
from ludoteca.server.model.events import AGENT, OPEN, PERSON, Options, SeatMade
from ludoteca.server.model.table import Table
from ludoteca.server.model.tokens import digest, new_token
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import LONGEST_NAME
from ludoteca.server.store.rows import RoomRow
from ludoteca.server.thinking.workers import Found

ID_BYTES: Final = 9
DRAWS: Final = 100
"""A deal that leaves nothing to play is drawn again, so often at most."""


class From(msgspec.Struct, forbid_unknown_fields=True):
    """A position of a game that is over, or of a record, to play on from."""

    room: str
    ply: int


class SeatWished(msgspec.Struct, forbid_unknown_fields=True):
    """Who is to sit there."""

    kind: str
    name: str = ""
    agent: str = ""


class RoomWished(msgspec.Struct, forbid_unknown_fields=True, rename={"origin": "from"}):
    """The body of `POST /api/rooms`."""

    seats: list[SeatWished]
    game: str = ""
    parameters: dict[str, Any] = {}
    clock: dict[str, int] | None = None
    listed: bool = False
    origin: From | None = None


class Made(NamedTuple):
    """A row to be stored, the maker's seat, and secrets, which are told once and not kept."""

    row: RoomRow
    seat: int
    token: str
    """Of the seat."""
    key: str
    """With which the room is deleted: the seat's, where there is one."""


def spec_of(name: str) -> GameSpec:
    """The game of that name, if it can be played here. Raises RefusalError."""
    try:
        spec = registry.find(name)
    except UnknownGameError as error:
        raise RefusalError("game", str(error)) from None
    if not spec.has("scene"):
        raise RefusalError("game", f"{name} cannot be drawn")
    return spec


def playable() -> list[GameSpec]:
    """The games that can be played here."""
    return [spec for spec in registry.games() if spec.has("scene")]


def make(wished: RoomWished, origin: Table | None) -> Made:
    """A new room; `origin` is the table that `wished.origin` names. Raises RefusalError."""
    start = _position(wished.origin, origin) if wished.origin and origin else None
    game = start.game if start else _game(wished)
    token = new_token()
    seats = _seats(wished.seats, game, token)
    options = Options(seats, clock.checked(wished.clock), wished.listed, str(start) if start else None, key=digest(token))
    row = new_row(game, options, fair.undealt() if start else _draw(game))
    seat = next((number for number, made in enumerate(seats) if made.kind == PERSON), SPECTATOR)
    return Made(row, seat, token if seat != SPECTATOR else "", token)


def new_row(game: Game, options: Options, draw: fair.Draw, *, over: bool = False) -> RoomRow:
    """The row of a room that begins now."""
    return RoomRow(
        id=secrets.token_urlsafe(ID_BYTES),
        game=game.name,
        rules=game.spec.rules_version,
        parameters=game.parameters,
        options=msgspec.to_builtins(options),
        seed=draw.seed,
        nonce=draw.nonce,
        created=time.time(),
        over=over,
    )


def _game(wished: RoomWished) -> Game:
    try:
        return Game(spec_of(wished.game), wished.parameters)
    except LudotecaError as error:
        if isinstance(error, RefusalError):
            raise
        raise RefusalError("parameters", str(error)) from None


def _draw(game: Game) -> fair.Draw:
    """A deal that leaves something to play. Raises RefusalError when there seems to be none."""
    for _ in range(DRAWS):
        draw = fair.new_draw()
        if not game.new_initial_state(fair.number(draw.seed)).is_terminal():
            return draw
    raise RefusalError("parameters", "no deal of this game leaves anything to play")


def _position(wished: From, table: Table) -> State:
    if not table.is_over:
        raise RefusalError("running")
    if not 0 <= wished.ply <= table.ply:
        raise RefusalError("ply", wished.ply, table.ply)
    state = table.story.at(wished.ply).state
    if state.is_terminal():
        raise RefusalError("over")
    return state


def _seats(wished: list[SeatWished], game: Game, token: str) -> list[SeatMade]:
    if len(wished) != game.num_players():
        raise RefusalError("seats", len(wished), game.num_players())
    if sum(seat.kind == PERSON for seat in wished) > 1:
        raise RefusalError("persons")
    return [_seat(seat, game, token) for seat in wished]


def _seat(wished: SeatWished, game: Game, token: str) -> SeatMade:
    if wished.kind == PERSON:
        return SeatMade(PERSON, checked_name(wished.name), token=digest(token))
    if wished.kind == OPEN:
        return SeatMade(OPEN)
    if wished.kind != AGENT:
        raise RefusalError("kind", wished.kind)
    names = names_for(game.spec)
    if wished.agent not in names:
        raise RefusalError("agent", wished.agent, ", ".join(names))
    return SeatMade(AGENT, agent=wished.agent)


def checked_name(name: str) -> str:
    """A person's name without what cannot be seen. Raises RefusalError."""
    seen = "".join(letter for letter in name if unicodedata.category(letter)[0] != "C")
    words = " ".join(seen.split())
    if not 1 <= len(words) <= LONGEST_NAME:
        raise RefusalError("name", LONGEST_NAME)
    return words


def make_record(found: Found) -> Made:
    """A room in which a record can be looked through. Raises RefusalError."""
    key = new_token()
    game = Game(spec_of(found.game), found.parameters)
    seats = [SeatMade(PERSON) for _ in range(game.num_players())]
    options = Options(seats, record=found.text, key=digest(key))
    return Made(new_row(game, options, fair.Draw(found.seed, b""), over=True), SPECTATOR, "", key)


def make_next(table: Table, present: list[int]) -> RoomRow:
    """The row of a rematch: the same seats, the first one to move being the next; who is away finds the seat open.

    The secrets of the seats go on being those of their persons, and the maker's goes on deleting.
    """
    made = [_again(table, seat, present) for seat in range(len(table.seats))]
    options = Options(made[1:] + made[:1], table.clock_chosen, table.listed, key=table.key)
    return new_row(table.game, options, _draw(table.game))


def _again(table: Table, seat: int, present: list[int]) -> SeatMade:
    sitter = table.seats[seat]
    if sitter.kind == AGENT:
        return SeatMade(AGENT, agent=sitter.agent)
    if seat not in present:
        return SeatMade(OPEN)
    return SeatMade(PERSON, sitter.name, token=sitter.token)
