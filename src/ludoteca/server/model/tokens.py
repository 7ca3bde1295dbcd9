"""Secrets of seats: whoever has one has the seat. The server keeps their SHA-256 only."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Final

BYTES: Final = 24
"""192 random bits need no salt and no slow hash."""
FORM: Final = r"^[A-Za-z0-9_-]{32,64}\Z"
"""Of one that a client has made, from as many random bits or more."""


def new_token() -> str:
    """A secret that is fit for an address."""
    return secrets.token_urlsafe(BYTES)


def digest(token: str) -> str:
    """What is kept of it."""
    return hashlib.sha256(token.encode()).hexdigest()


def invitation(room: str, secret: bytes) -> str:
    """What those at the table of a listed room may send to others, made from a secret of the room's."""
    return hmac.new(secret, f"invitation to {room}".encode(), hashlib.sha256).hexdigest()[:32]


def seat_of(token: str, digests: Sequence[str]) -> int | None:
    """The seat whose secret it is; None when it is none's. All are compared, each in constant time; "" fits no secret."""
    given = digest(token)
    found = [seat for seat, kept in enumerate(digests) if hmac.compare_digest(given, kept)]
    return found[0] if found else None
