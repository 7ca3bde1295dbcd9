"""The stored form of a room: how it was made, and its events in order. To load a room, the server applies its events one
after the other.

Moves are in the game's notation, and times in milliseconds.
"""

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import msgspec

OPEN: Final = "open"
PERSON: Final = "person"
AGENT: Final = "agent"


class SeatMade(msgspec.Struct, forbid_unknown_fields=True):
    """A seat as it was when the room was made."""

    kind: str
    name: str = ""
    agent: str = ""
    token: str = ""
    """The SHA-256 of a person's secret."""


class Options(msgspec.Struct, forbid_unknown_fields=True):
    """The settings with which a room was made, apart from its game: `RoomRow.options`."""

    seats: list[SeatMade]
    clock: dict[str, int] | None = None
    listed: bool = False
    sought: bool = False
    """True if the room was made for a player who looked for an opponent."""
    start: str | None = None
    """A position in notation to start from, instead of a deal."""
    key: str = ""
    """The SHA-256 of the secret with which the room can be deleted. Empty if there is none."""
    record: str | None = None
    """The text of a record. The room shows the record, and refuses moves."""


class OfSeat(msgspec.Struct, tag_field="k", forbid_unknown_fields=True):
    """An event of a seat."""

    seat: int


class Taken(OfSeat, tag="taken"):
    """A person takes an open seat, or comes back to a seat in which an agent was playing."""

    name: str
    token: str


class Moved(OfSeat, tag="moved"):
    """The player to move plays. `used` is the time of the turn."""

    text: str
    used: int = 0


class Resigned(OfSeat, tag="resigned"):
    """A player gives up. An agent plays on in the seat, or the game is over if `agent` is empty."""

    agent: str = ""
    unplayed: bool = False
    """True if the game is over without a loser, because a person was never there."""


class Flagged(OfSeat, tag="flagged"):
    """The time of the player to move is up, with the same consequences as `Resigned`."""

    agent: str = ""


class Asked(msgspec.Struct, tag_field="k", tag="asked", forbid_unknown_fields=True):
    """The seats that now agree to a question, such as a rematch. It replaces the earlier list of seats."""

    what: str
    seats: list[int]


class Declined(msgspec.Struct, tag_field="k", tag="declined", forbid_unknown_fields=True):
    """A player declines what others have asked for, or withdraws what that player has asked for."""

    what: str
    seat: int


class Replaced(OfSeat, tag="replaced"):
    """An agent takes over an open seat, or a seat whose person is away. `used` is the time of that person's turn so far."""

    agent: str
    used: int = 0


class TakenBack(msgspec.Struct, tag_field="k", tag="back", forbid_unknown_fields=True):
    """An undo: the actions from `ply` on are taken back. Time that they added to a clock is taken away, too, but used time
    is not given back.

    `used` is the time that the player to move has used.
    """

    ply: int
    used: int = 0


class TimeGiven(OfSeat, tag="given"):
    """In a game of two, a player gives the opponent this much time."""

    time: int


class Rematched(msgspec.Struct, tag_field="k", tag="rematched", forbid_unknown_fields=True):
    """The room of the next game is made."""

    room: str


StoredEvent: TypeAlias = Taken | Moved | Resigned | Flagged | Asked | Declined | Replaced | TakenBack | TimeGiven | Rematched

KINDS: Final[dict[type, str]] = {
    Taken: "seats",
    Moved: "move",
    Resigned: "seats",
    Flagged: "seats",
    Asked: "asked",
    Declined: "asked",
    Replaced: "seats",
    TakenBack: "back",
    TimeGiven: "clock",
    Rematched: "rematch",
}
"""The kind of the frame in which clients get each event. If the event ends the game without an action, it is `over`."""

_decoder: Final = msgspec.json.Decoder(StoredEvent)


def encode(event: StoredEvent) -> bytes:
    """Return the event in the form that is stored."""
    return msgspec.json.encode(event)


def decode(data: bytes) -> StoredEvent:
    """Return the event of stored data. Raises msgspec.ValidationError for data that no room has written."""
    event: StoredEvent = _decoder.decode(data)
    return event


def tag_of(event: StoredEvent) -> str:
    """Return the kind of an event, as it is stored."""
    return str(event.__struct_config__.tag)


class RoomRow(msgspec.Struct, frozen=True, gc=False):
    """A room as it was made. Only `over` ever changes."""

    id: str
    game: str
    rules: int
    """The version of the rules by which it is played."""
    parameters: dict[str, Any]
    options: dict[str, Any]
    """Its seats, its clock, its start and more, as JSON: the content from which the room is made again."""
    seed: bytes
    nonce: bytes
    created: float
    """Seconds since 1970."""
    over: bool = False


class EventRow(msgspec.Struct, frozen=True, gc=False):
    """An event of a room, as the room wrote it."""

    n: int
    data: bytes
    at: float
    """Seconds since 1970."""
    epoch: int = 0
    """The epoch of the lease under which it was stored, or 0 if one server has the database."""


def without_person(row: RoomRow, rows: Iterable[EventRow], seat: int) -> tuple[dict[str, Any], dict[int, bytes]]:
    """Return a room's options and its changed events, by number, as they are after the person of a seat was deleted.

    The name and the secret of the person become empty. So does the key of the room if it is the same secret.
    """
    changed, made = {}, options_of(row)
    sitting = made.seats[seat]
    secrets = {sitting.token}
    for stored in rows:
        event = decode(stored.data)
        if isinstance(event, Taken) and event.seat == seat:
            secrets.add(event.token)
            changed[stored.n] = encode(Taken(seat, "", ""))
    if made.key in secrets:
        made.key = ""
    sitting.name = sitting.token = ""
    return msgspec.to_builtins(made), changed


def with_secret(row: RoomRow, rows: Iterable[EventRow], old: str, new: str) -> tuple[dict[str, Any], dict[int, bytes]]:
    """Return a room's options and its changed events, by number, after a new secret replaced an old one. Both are given as
    SHA-256.
    """
    changed, made = {}, options_of(row)
    for stored in rows:
        event = decode(stored.data)
        if isinstance(event, Taken) and event.token == old:
            changed[stored.n] = encode(Taken(event.seat, event.name, new))
    for seat in made.seats:
        seat.token = new if seat.token == old else seat.token
    made.key = new if made.key == old else made.key
    return msgspec.to_builtins(made), changed


def secrets_of(row: RoomRow, rows: Iterable[EventRow]) -> list[str]:
    """Return the SHA-256 of each seat's secret after these events. It is empty for a seat that no person has."""
    secrets = [seat.token for seat in options_of(row).seats]
    for stored in rows:
        event = decode(stored.data)
        if isinstance(event, Taken):
            secrets[event.seat] = event.token
    return secrets


def options_of(row: RoomRow) -> Options:
    """Return a room's options."""
    return msgspec.convert(row.options, Options)
