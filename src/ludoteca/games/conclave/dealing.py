"""The parameter `deal`: `fair`, `document`, or `document:SEED` with a seed of the document's generator."""

import re
from collections.abc import Mapping
from random import Random
from typing import Any, Final

from ludoteca.core.errors import NotationError

FAIR: Final = "fair"
DOCUMENT: Final = "document"
SEEDS: Final = 1 << 32
"""“Cal que l'atribut on guardeu els valors d'Xn sigui del tipus unsigned”: 32 bits."""

FAIRLY: Final = 0
DRAWN_SEED: Final = 1
GIVEN_SEED: Final = 2
"""`rules.setup` takes one of these numbers, or for a given seed GIVEN_SEED + the seed."""

_DIGITS: Final = 32
"""10^32 is a multiple of 2^32, so the digits before the last 32 do not matter."""


def canonical(text: str) -> str:
    """The deal with its seed, if it has one, below 2^32. Raises NotationError."""
    if text in (FAIR, DOCUMENT):
        return text
    seed = text.removeprefix(f"{DOCUMENT}:")
    if seed == text or not is_seed(seed):
        raise NotationError(("deal.unread", repr(text[:40])), __package__)
    return of_seed(seed)


def is_seed(word: str) -> bool:
    """True for a natural number."""
    return re.fullmatch("[0-9]+", word) is not None


def of_seed(digits: str) -> str:
    """The deal of a seed of any length: “la llavor” is taken modulo 2^32."""
    return f"{DOCUMENT}:{int(digits[-_DIGITS:]) % SEEDS}"


def to_number(deal: str) -> int:
    """The number that `rules.setup` takes for a canonical text."""
    if deal == FAIR:
        return FAIRLY
    seed = deal.removeprefix(f"{DOCUMENT}:")
    return DRAWN_SEED if seed == deal else GIVEN_SEED + int(seed)


def is_computable(parameters: Mapping[str, Any]) -> bool:
    """True for deals of the document's generator: only one of its 2^20 fits a player's own hand and the border."""
    return bool(parameters["deal"] != FAIR)


def sample(random: Random) -> str:
    """Any of the three kinds of deals, at random."""
    return random.choice((FAIR, DOCUMENT, f"{DOCUMENT}:{random.randrange(SEEDS)}"))
