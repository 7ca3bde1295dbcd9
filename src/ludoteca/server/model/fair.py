"""Deals that can be checked: what a deal is made of is promised before the first move, and shown after the last."""

import hashlib
import secrets
from typing import Final, NamedTuple

BYTES: Final = 32


class Draw(NamedTuple):
    """The seed of a deal, and a nonce that makes the promise unguessable: 256 bits each."""

    seed: bytes
    nonce: bytes


def new_draw() -> Draw:
    """A draw from the system's random generator."""
    return Draw(secrets.token_bytes(BYTES), secrets.token_bytes(BYTES))


def undealt() -> Draw:
    """The draw of a game that starts from a position: no seed; the nonce makes what agents do by chance unguessable."""
    return Draw(b"", secrets.token_bytes(BYTES))


def commitment(draw: Draw) -> str:
    """The promise: SHA-256 of the 64 bytes, in hexadecimal."""
    return hashlib.sha256(draw.seed + draw.nonce).hexdigest()


def number(seed: bytes) -> int:
    """The seed as `Game.new_initial_state` takes it."""
    return int.from_bytes(seed, "big")
