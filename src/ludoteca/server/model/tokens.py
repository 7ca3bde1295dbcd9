"""The tokens of seats. A token is the secret with which a client acts for a seat. The server stores only the SHA-256 of each
token.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Final

BYTES: Final = 24
"""192 random bits need no salt and no slow hash."""
FORM: Final = r"^[A-Za-z0-9_-]{32,64}\Z"
"""The form of a secret that a client has made, from at least as many random bits."""


def new_token() -> str:
    """Return a new secret. All its characters are allowed in a URL."""
    return secrets.token_urlsafe(BYTES)


def seat_token(key: str, room: str) -> str:
    """Return the secret of a seat in that room, derived from the player's key. It is the same each time, so a request can be
    repeated.
    """
    return hmac.new(key.encode(), f"seat in {room}".encode(), hashlib.sha256).hexdigest()


def digest(token: str) -> str:
    """Return the SHA-256 of a secret, in the form that is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def invitation(room: str, secret: bytes) -> str:
    """Return the invitation that players of a listed room may pass on. It is derived from a secret of the room."""
    return hmac.new(secret, f"invitation to {room}".encode(), hashlib.sha256).hexdigest()[:32]


def seat_of(token: str, digests: Sequence[str]) -> int | None:
    """Return the seat whose token has this digest, or None if no seat has it. `digests` has the SHA-256 of each seat's
    token. An empty digest fits no token.

    All digests are compared, each in constant time, so that the time of the answer reveals nothing about them.
    """
    given = digest(token)
    found = [seat for seat, kept in enumerate(digests) if hmac.compare_digest(given, kept)]
    return found[0] if found else None
