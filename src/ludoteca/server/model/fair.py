"""Deals that players can check. Before the first move the server shows a commitment to the seed and the nonce of a deal, and
after the last move it shows both.
"""

import hashlib
import secrets
from typing import Final, NamedTuple

BYTES: Final = 32


class Draw(NamedTuple):
    """The seed of a deal, and a nonce. Both have 256 bits, so that they cannot be guessed from the commitment."""

    seed: bytes
    nonce: bytes


def new_draw() -> Draw:
    """Return a draw from the system's random generator."""
    return Draw(secrets.token_bytes(BYTES), secrets.token_bytes(BYTES))


def undealt() -> Draw:
    """Return the draw of a game from a given position. It has no seed. Its nonce keeps agents' random numbers secret."""
    return Draw(b"", secrets.token_bytes(BYTES))


def commitment(draw: Draw) -> str:
    """Return the commitment: the SHA-256 of the 64 bytes of seed and nonce, in hexadecimal."""
    return hashlib.sha256(draw.seed + draw.nonce).hexdigest()


def number(seed: bytes) -> int:
    """Return the seed as a number for `Game.new_initial_state`."""
    return int.from_bytes(seed, "big")
