"""How rooms are made: a wish, such as "Metro with two seats", is checked as a whole, and becomes the database row of the
room.
"""

import re
import secrets
import time
import unicodedata
from collections.abc import Iterable
from itertools import count
from typing import Any, Final

import msgspec

from ludoteca.core import registry
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import LudotecaError, UnknownGameError
from ludoteca.core.game import Game, State
from ludoteca.core.levels import names_for
from ludoteca.core.record import Player
from ludoteca.core.spec import GameSpec
from ludoteca.server.jobs import Found
from ludoteca.server.model import clock, fair
from ludoteca.server.model.events import AGENT, OPEN, PERSON, Options, RoomRow, SeatMade
from ludoteca.server.model.table import Table
from ludoteca.server.model.tokens import digest, new_token, seat_token
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import LONGEST_NAME

ID_BYTES: Final = 9
NUMBERED: Final = re.compile(r" \([0-9]+\)\Z")
"""The number of a person whose name another person of the room has."""
INVISIBLE: Final = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Letters and marks that are not seen though Unicode counts them among letters and marks."""
DRAWS: Final = 100
"""A deal that leaves nothing to play is drawn again, DRAWS times in all."""


class From(msgspec.Struct, forbid_unknown_fields=True):
    """The position from which a new game starts. It is one of a game that is over, or of a record."""

    room: str
    ply: int


class SeatWished(msgspec.Struct, forbid_unknown_fields=True):
    """A seat as it is asked for: a person's, an agent's or an open one."""

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


class RoomMade(msgspec.Struct):
    """A new room, with what its maker needs."""

    room: str
    seat: int
    """The seat of the maker. It is -1 if the maker has none."""
    token: str
    """The secret of that seat. It is empty if there is none."""
    key: str
    """The secret with which the room is deleted. It is empty if another player made the room."""


class RecordOpened(msgspec.Struct):
    """A new room that shows the positions of a record."""

    room: str
    key: str
    """The secret with which it is deleted."""


def playable() -> list[GameSpec]:
    """Return the games that can be played here."""
    return [spec for spec in registry.registered_games() if spec.has("scene")]


def spec_of(name: str) -> GameSpec:
    """Return the game of that name. Raises RefusalError (`game`) if there is none, or if it has no scenes for a browser."""
    try:
        spec = registry.find(name)
    except UnknownGameError as error:
        raise RefusalError("game", error.message) from None
    if not spec.has("scene"):
        raise RefusalError("game", f"{name} cannot be drawn")
    return spec


def make(wished: RoomWished, origin: Table | None, key: str = "") -> tuple[RoomRow, RoomMade]:
    """Return a new room and the answer to its maker. `origin` is the table that `wished.origin` names.

    `key` is the key of a player who looks for an opponent. The secret of the seat is derived from it. Raises RefusalError if
    the game is unknown, if it does not allow the parameters or the seats, if the clock is wrong, or if no game can go on
    from the chosen position.
    """
    start = None
    if wished.origin and origin:
        start = _position_to_play_on(origin, wished.origin.ply)
        game = start.game
    else:
        spec = spec_of(wished.game)
        try:
            game = Game(spec, wished.parameters)
        except LudotecaError as error:
            raise RefusalError("parameters", error.message, game=spec.name) from None
    name = new_id()
    token = seat_token(key, name) if key else new_token()
    options = Options(
        _seats(wished.seats, game, token),
        clock.checked(wished.clock),
        wished.listed,
        sought=bool(key),
        start=str(start) if start else None,
        key=digest(token),
    )
    row = new_row(game, options, fair.undealt() if start else _draw(game), name=name)
    seat = next((number for number, made in enumerate(options.seats) if made.kind == PERSON), SPECTATOR)
    return row, RoomMade(name, seat, token if seat != SPECTATOR else "", token)


def _position_to_play_on(table: Table, ply: int) -> State:
    """Return the position of a game that is over, after `ply` actions.

    Raises RefusalError if the game is still running, because that would reveal hidden information (`running`), if it has
    fewer actions (`ply`), or if nothing can be played in the position (`over`).
    """
    if not table.is_over:
        raise RefusalError("running")
    if not 0 <= ply <= table.ply:
        raise RefusalError("ply", ply, table.ply)
    state = table.history.at(ply).state
    if state.is_terminal():
        raise RefusalError("over")
    return state


def _seats(wished: list[SeatWished], game: Game, token: str) -> list[SeatMade]:
    """Return the seats of a new room. Its maker, the only person at first, has the secret `token`.

    Raises RefusalError if the game has another number of seats, if several seats are for persons, if a name is not allowed,
    or if there is no such agent or kind of seat.
    """
    if len(wished) != game.num_players():
        raise RefusalError("seats", len(wished), game.num_players())
    if sum(seat.kind == PERSON for seat in wished) > 1:
        raise RefusalError("persons")
    names, seats = names_for(game.spec), []
    for seat in wished:
        if seat.kind == PERSON:
            name = checked_name(seat.name) if seat.name else ""  # a guest is called so in the reader's language
            seats.append(SeatMade(PERSON, name, token=digest(token)))
        elif seat.kind == OPEN:
            seats.append(SeatMade(OPEN))
        elif seat.kind != AGENT:
            raise RefusalError("kind", seat.kind)
        elif seat.agent not in names:
            raise RefusalError("agent", seat.agent, ", ".join(names))
        else:
            seats.append(SeatMade(AGENT, agent=seat.agent))
    return seats


def checked_name(name: str) -> str:
    """Return a person's name without invisible characters.

    Raises RefusalError (`name`) if nothing is left of it, or more than LONGEST_NAME characters.
    """
    seen = "".join(letter for letter in name if unicodedata.category(letter)[0] != "C")
    words = " ".join(seen.split())
    if not 1 <= len(words) <= LONGEST_NAME:
        raise RefusalError("name", LONGEST_NAME)
    return words


def name_among(name: str, others: Iterable[str]) -> str:
    """Return a person's name, with a number if another person of the room has one that looks the same: `Rui (2)`."""
    taken = {_looks(other) for other in others}
    if not name or _looks(name) not in taken:
        return name
    base = NUMBERED.sub("", name)
    for number in count(2):
        suffix = f" ({number})"
        numbered = base[: LONGEST_NAME - len(suffix)].rstrip() + suffix
        if _looks(numbered) not in taken:
            return numbered
    raise AssertionError("there are more numbers than seats")


def _looks(name: str) -> str:
    """Return a text that is the same for all names that look the same, because many letters can be encoded in
    several ways.
    """
    return INVISIBLE.sub("", unicodedata.normalize("NFKC", name)).casefold()


def make_record(found: Found) -> tuple[RoomRow, RecordOpened]:
    """Return a room that shows the positions of a record, and the answer to its maker.

    Raises RefusalError if the record's game has no scenes for a browser, or if a player's name is not allowed here.
    """
    key = new_token()
    game = Game(spec_of(found.game), found.parameters)
    seats = [_seat_of(player, game) for player in found.players] or [SeatMade(PERSON) for _ in range(game.num_players())]
    options = Options(seats, record=found.text, key=digest(key))
    row = new_row(game, options, fair.Draw(found.seed, b""), over=True)
    return row, RecordOpened(row.id, key)


def _seat_of(player: Player, game: Game) -> SeatMade:
    """Return the seat of a player whom a record names."""
    if player.agent in names_for(game.spec):
        return SeatMade(AGENT, agent=player.agent)
    name = player.name or player.agent
    return SeatMade(PERSON, checked_name(name) if name else "")


def make_next(table: Table) -> RoomRow:
    """Return the database row of a rematch. It has the same seats, but the second seat becomes the first.

    Persons keep their seats, whether they are present or not. An agent that replaced a person gives the seat back. The
    secrets stay the same, so each person keeps the seat and the right to delete the room.
    """
    seats = []
    for occupant in table.seats:
        if occupant.is_replaced:
            seats.append(SeatMade(AGENT, occupant.name, occupant.agent, occupant.token))
        elif occupant.kind == AGENT:
            seats.append(SeatMade(AGENT, agent=occupant.agent))
        elif occupant.token:
            seats.append(SeatMade(PERSON, occupant.name, token=occupant.token))
        else:
            seats.append(SeatMade(OPEN))  # the person had the name and the secret erased
    options = Options(seats[1:] + seats[:1], table.clock_chosen, table.listed, key=table.key)
    return new_row(table.game, options, _draw(table.game))


def _draw(game: Game) -> fair.Draw:
    """Draw a deal whose game is not over at once. Raises RefusalError (`parameters`) if DRAWS deals in a row are."""
    for _ in range(DRAWS):
        draw = fair.new_draw()
        if not game.new_initial_state(fair.number(draw.seed)).is_terminal():
            return draw
    raise RefusalError("parameters", "no deal of this game leaves anything to play")


def new_id() -> str:
    """Return the name of a new room. It can be part of a URL, and of a command, so it does not begin with a hyphen."""
    while (name := secrets.token_urlsafe(ID_BYTES)).startswith("-"):
        pass
    return name


def new_row(game: Game, options: Options, draw: fair.Draw, *, over: bool = False, name: str = "") -> RoomRow:
    """Return the row of a room that begins now."""
    return RoomRow(
        id=name or new_id(),
        game=game.name,
        rules=game.spec.rules_version,
        parameters=game.parameters,
        options=msgspec.to_builtins(options),
        seed=draw.seed,
        nonce=draw.nonce,
        created=time.time(),
        over=over,
    )
