"""How rooms are made: a client's request, such as one for a game of Metro with two seats, is checked as a whole, and becomes
the database row of a new room.
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
"""Matches the number at the end of a person's name, added because another person in the room has the same name."""
INVISIBLE: Final = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Characters that are invisible although Unicode counts them among letters and marks."""
DRAWS: Final = 100
"""The number of deals to try until one allows at least one move."""


class From(msgspec.Struct, forbid_unknown_fields=True):
    """The position from which a new game starts: the one after the first `ply` actions of the game in `room`. That game is
    over, or it is a record.
    """

    room: str
    ply: int


class SeatWished(msgspec.Struct, forbid_unknown_fields=True):
    """A seat in a request to make a room. `kind` is one of `person`, `agent` and `open`."""

    kind: str
    name: str = ""
    agent: str = ""


class RoomWished(msgspec.Struct, forbid_unknown_fields=True, rename={"origin": "from"}):
    """The body of `POST /api/rooms`: the seats, and either `game` with its `parameters` or `from`.

    `seats` has an entry for each player. At most one is a `person`: the maker of the room. `clock` is `{"move": SECONDS}`
    for each move, or `{"bank": SECONDS, "increment": SECONDS}` for the whole game and more after each turn. The time of an
    agent does not run. `listed` is true if the lobby shows the room to everyone.
    """

    seats: list[SeatWished]
    game: str = ""
    parameters: dict[str, Any] = {}
    clock: dict[str, int] | None = None
    listed: bool = False
    origin: From | None = None


class RoomMade(msgspec.Struct):
    """A new room, with the secrets that its maker needs."""

    room: str
    seat: int
    """The seat of the maker. It is -1 if the maker has none."""
    token: str
    """The secret with which the maker acts for that seat; empty if the maker has no seat."""
    key: str
    """The secret with which the maker can delete the room; empty if another player made the room."""


class RecordOpened(msgspec.Struct):
    """A new room that shows the positions of a record."""

    room: str
    key: str
    """The secret with which the room can be deleted."""


def playable() -> list[GameSpec]:
    """Return the installed games that can be drawn in a browser."""
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
    """Return the row of a new room and the answer to its maker. `origin` is the table of the room that `wished.origin`
    names, or None if the game does not start from a position of another room.

    `key` is the secret of a player who looks for an opponent, from which the token of the seat is derived; empty for other
    rooms. Raises RefusalError if the game is unknown, if it does not allow the parameters or the seats, if the time limits
    are wrong, or if the game cannot go on from the chosen position.
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
    """Return the position of a finished game after its first `ply` actions.

    Raises RefusalError if the game is still running, because the position would reveal hidden information (`running`), if
    the game has fewer actions (`ply`), or if no action is possible in the position (`over`).
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
    """Return the seats of a new room. `token` is the secret of its maker, who is the only person at first.

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
    """Return a person's name without invisible characters and with single spaces.

    Raises RefusalError (`name`) if the result is empty or has more than LONGEST_NAME characters.
    """
    seen = "".join(letter for letter in name if unicodedata.category(letter)[0] != "C")
    words = " ".join(seen.split())
    if not 1 <= len(words) <= LONGEST_NAME:
        raise RefusalError("name", LONGEST_NAME)
    return words


def name_among(name: str, others: Iterable[str]) -> str:
    """Return a person's name. If a name in `others`, the other persons of the room, looks the same, add a number, as in `Rui
    (2)`.
    """
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
    """Return a text that is equal for names that look the same. Names can look the same and differ, because many letters can
    be encoded in several ways.
    """
    return INVISIBLE.sub("", unicodedata.normalize("NFKC", name)).casefold()


def make_record(found: Found) -> tuple[RoomRow, RecordOpened]:
    """Return the row of a new room that shows the positions of a record, and the answer to its maker.

    Raises RefusalError if the record's game cannot be drawn in a browser, or if a player's name is not allowed here.
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
    """Return the row of the room for a rematch after the game of `table`. It has the same seats in an order in which the
    second seat becomes the first.

    Persons keep their seats, whether they are present or not, and agents that replaced persons go on until the persons come
    back. The tokens stay the same, so each person keeps the seat, and the maker the right to delete the room.
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
    """Return random numbers for a deal in which the game is not over at once. Raises RefusalError (`parameters`) if the game
    is over at once in DRAWS deals in a row.
    """
    for _ in range(DRAWS):
        draw = fair.new_draw()
        if not game.new_initial_state(fair.number(draw.seed)).is_terminal():
            return draw
    raise RefusalError("parameters", "no deal of this game leaves anything to play")


def new_id() -> str:
    """Return a random name for a new room. It can be a part of a URL, and an argument of a command, so it does not begin
    with a hyphen.
    """
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
