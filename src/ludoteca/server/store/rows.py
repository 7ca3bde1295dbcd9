"""What is stored: rooms, and the numbered events of each."""

import enum
from typing import Any

import msgspec


class RoomRow(msgspec.Struct, frozen=True, gc=False):
    """A room as it was made. All but `over` never changes."""

    id: str
    game: str
    rules: int
    """The version of the game's rules that it is played by."""
    parameters: dict[str, Any]
    options: dict[str, Any]
    """Clock, how it is listed, where it starts from: whatever the room needs to be made again, as JSON."""
    seed: bytes
    nonce: bytes
    created: float
    """Seconds since 1970."""
    over: bool = False


class Kind(enum.Enum):
    """What a room is worth keeping for."""

    UNBEGUN = "a game in which nobody has moved yet"
    ABANDONED = "a game that was begun and is not over"
    FINISHED = "a game that is over"
    RECORD = "a record to look through"


class EventRow(msgspec.Struct, frozen=True, gc=False):
    """An event of a room, as the room wrote it."""

    n: int
    data: bytes
    at: float
    """Seconds since 1970."""
