"""Deals that players can check. Before the first move the server publishes a commitment, which is the hash of the seed and
of a random number, the nonce. After the last move it publishes both, so that players can check that the deal was not
changed.
"""

import hashlib
import secrets
from typing import Final, NamedTuple

BYTES: Final = 32


class Draw(NamedTuple):
    """The seed of a deal, and a random number (nonce). Both have 256 bits, so nobody can guess them from their hash."""

    seed: bytes
    nonce: bytes


def new_draw() -> Draw:
    """Return a draw from the system's random generator."""
    return Draw(secrets.token_bytes(BYTES), secrets.token_bytes(BYTES))


def undealt() -> Draw:
    """Return the random numbers of a game that starts from a given position. The seed is empty, because there is no deal.
    The nonce keeps the random numbers of agents secret.
    """
    return Draw(b"", secrets.token_bytes(BYTES))


def commitment(draw: Draw) -> str:
    """Return the commitment: the SHA-256 of the 64 bytes of seed and nonce, in hexadecimal."""
    return hashlib.sha256(draw.seed + draw.nonce).hexdigest()


def number(seed: bytes) -> int:
    """Return the seed as a number for `Game.new_initial_state`."""
    return int.from_bytes(seed, "big")
