"""What the API answers: `docs/api.md` shows each, `/api/openapi.json` describes them."""

from typing import Any

import msgspec

from ludoteca.server.frames import Seat


class Health(msgspec.Struct):
    """Whether the server does its work."""

    status: str
    """`ok`, or `storage` when nothing can be stored."""
    version: str
    up: float
    """Seconds since the start."""


class Refusal(msgspec.Struct):
    """Why a request was refused; nothing has changed."""

    code: str
    message: Any
    """A message: a key with its arguments, for the catalogues of texts."""
    game: str = ""
    """The game whose catalogue has them besides the page's; not there where the page's are enough."""


class GameListed(msgspec.Struct):
    """A game that can be played."""

    name: str
    title: str
    summary: str
    players: int
    """The number of players; 0 where that is a parameter of that name."""
    perfect_information: bool
    all_see_the_same: bool
    """True if every player sees the same as a spectator."""
    agents: dict[str, Any]
    """The agents that seats may have, by name, with what each does."""
    lesson: bool
    """True where there is a guided first game, at `/learn/NAME`."""
    sends_at_once: bool
    """False where a button sends a choice, and no touch."""
    plans: bool
    """True where one may choose in advance, while others move."""
    together: dict[str, Any] | None
    """`{names, combinations}` of the numbers and choices that go together; null where all do."""
    parameters: list[dict[str, Any]]
    matchmaking: bool
    """True if the server finds opponents."""
    phrases: bool
    """True if players can say phrases."""


class RoomListed(msgspec.Struct):
    """A room that anybody may join or look at."""

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
    """The secret of the seat."""
