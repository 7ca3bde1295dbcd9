"""What a room stores: how it was made, and one event after the other. A room is what its events make of it.

Moves stand in the game's notation, and times in milliseconds.
"""

from typing import Any, Final, TypeAlias

import msgspec

OPEN: Final = "open"
PERSON: Final = "person"
AGENT: Final = "agent"


class SeatMade(msgspec.Struct, forbid_unknown_fields=True):
    """A seat as the room was made with it."""

    kind: str
    name: str = ""
    agent: str = ""
    token: str = ""
    """The SHA-256 of a person's secret."""


class Options(msgspec.Struct, forbid_unknown_fields=True):
    """A room as it was made: what `RoomRow.options` holds."""

    seats: list[SeatMade]
    clock: dict[str, int] | None = None
    listed: bool = False
    start: str | None = None
    """A position in notation to start from, in place of a deal."""
    key: str = ""
    """The SHA-256 of the secret with which the room is deleted; empty where nobody has one."""
    record: str | None = None
    """The text of a record: the room shows it, and nobody plays in it."""


class Taken(msgspec.Struct, tag_field="k", tag="taken", forbid_unknown_fields=True):
    """Somebody takes an open seat, or comes back to the seat in which an agent was playing."""

    seat: int
    name: str
    token: str


class Moved(msgspec.Struct, tag_field="k", tag="moved", forbid_unknown_fields=True):
    """The player to move plays; `used` is what it took."""

    seat: int
    text: str
    used: int = 0


class Resigned(msgspec.Struct, tag_field="k", tag="resigned", forbid_unknown_fields=True):
    """Somebody gives up: an agent plays on, or, where it is empty, the game is over."""

    seat: int
    agent: str = ""


class Flagged(msgspec.Struct, tag_field="k", tag="flagged", forbid_unknown_fields=True):
    """The time of the player to move is up: as with `Resigned`."""

    seat: int
    agent: str = ""


class Asked(msgspec.Struct, tag_field="k", tag="asked", forbid_unknown_fields=True):
    """These seats, and no others, now agree to something."""

    what: str
    seats: list[int]


class Replaced(msgspec.Struct, tag_field="k", tag="replaced", forbid_unknown_fields=True):
    """An agent takes over a seat whose person is away."""

    seat: int
    agent: str


class Rematched(msgspec.Struct, tag_field="k", tag="rematched", forbid_unknown_fields=True):
    """The next room."""

    room: str


Happening: TypeAlias = Taken | Moved | Resigned | Flagged | Asked | Replaced | Rematched

KINDS: Final[dict[type, str]] = {
    Taken: "seats",
    Moved: "move",
    Resigned: "seats",
    Flagged: "seats",
    Asked: "asked",
    Replaced: "seats",
    Rematched: "rematch",
}
"""What clients are told of each; `over` where it ends the game without an action."""

_decoder: Final = msgspec.json.Decoder(Happening)


def encode(event: Happening) -> bytes:
    """The event as it is stored."""
    return msgspec.json.encode(event)


def decode(data: bytes) -> Happening:
    """The event that was stored. Raises msgspec.ValidationError for what no room has written."""
    event: Happening = _decoder.decode(data)
    return event


def options_of(stored: dict[str, Any]) -> Options:
    """A room's options, as its row has them."""
    return msgspec.convert(stored, Options)
