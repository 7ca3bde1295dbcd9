"""What is stored: rooms, and the numbered events of each."""

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


class EventRow(msgspec.Struct, frozen=True, gc=False):
    """An event of a room, as the room wrote it."""

    n: int
    data: bytes
    at: float
    """Seconds since 1970."""
