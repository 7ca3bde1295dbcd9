"""A room and its events as they are stored."""

from typing import Any

import msgspec


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
    """The epoch of the lease under which it was stored; 0 if one server has the database."""
