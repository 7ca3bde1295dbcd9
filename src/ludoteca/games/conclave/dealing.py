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
"""`rules.setup` takes one of these numbers, or GIVEN_SEED + the seed for a given seed."""

_DIGITS: Final = 32
"""The number of last digits that matter, because 10^32 is a multiple of 2^32."""


def canonical(text: str) -> str:
    """Return the deal, with a seed below 2^32 if it has one.

    Raises NotationError if the text is not `fair`, `document`, or `document:` and digits.
    """
    if text in (FAIR, DOCUMENT):
        return text
    seed = text.removeprefix(f"{DOCUMENT}:")
    if seed == text or not is_seed(seed):
        raise NotationError(("deal.unread", repr(text[:40])), __package__)
    return of_seed(seed)


def is_seed(word: str) -> bool:
    """Return True for a natural number of any length."""
    return re.fullmatch("[0-9]+", word) is not None


def of_seed(digits: str) -> str:
    """Return the deal of a seed of any length. “La llavor” is taken modulo 2^32."""
    return f"{DOCUMENT}:{int(digits[-_DIGITS:]) % SEEDS}"


def to_number(deal: str) -> int:
    """Return the number that `rules.setup` takes for a canonical text."""
    if deal == FAIR:
        return FAIRLY
    seed = deal.removeprefix(f"{DOCUMENT}:")
    return DRAWN_SEED if seed == deal else GIVEN_SEED + int(seed)


def is_computable(parameters: Mapping[str, Any]) -> bool:
    """Return True for deals of the document's generator. Only one of these 2^20 fits a player's hand and the border."""
    return bool(parameters["deal"] != FAIR)


def sample(random: Random) -> str:
    """Return a random deal of one of the three kinds."""
    return random.choice((FAIR, DOCUMENT, f"{DOCUMENT}:{random.randrange(SEEDS)}"))
