"""The parameter `deal` of Conclave, which says how the deck is shuffled.

It is `fair` (all orders of the cards are equally likely), `document` (the random number generator of the course document,
with a random seed) or `document:SEED` (the same generator with that seed).
"""

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
"""The numbers that `rules.setup` takes for a deal: FAIRLY, DRAWN_SEED for a random seed, or GIVEN_SEED + the seed."""

_DIGITS: Final = 32
"""The number of last digits of a seed that matter, because 10^32 is a multiple of 2^32."""


def canonical(text: str) -> str:
    """Return the parameter in its standard form. A seed is reduced modulo 2^32, as the document's program would use it.

    Raises NotationError if the text is not `fair`, `document`, or `document:` and digits.
    """
    if text in (FAIR, DOCUMENT):
        return text
    seed = text.removeprefix(f"{DOCUMENT}:")
    if seed == text or not is_seed(seed):
        raise NotationError(("deal.unread", repr(text[:40])), __package__)
    return of_seed(seed)


def is_seed(word: str) -> bool:
    """Return True if a word is a natural number of any length."""
    return re.fullmatch("[0-9]+", word) is not None


def of_seed(digits: str) -> str:
    """Return the parameter `document:SEED` for a seed of any length. The seed, “la llavor”, is taken modulo 2^32."""
    return f"{DOCUMENT}:{int(digits[-_DIGITS:]) % SEEDS}"


def to_number(deal: str) -> int:
    """Return the number that `rules.setup` takes for a parameter in its standard form."""
    if deal == FAIR:
        return FAIRLY
    seed = deal.removeprefix(f"{DOCUMENT}:")
    return DRAWN_SEED if seed == deal else GIVEN_SEED + int(seed)


def is_computable(parameters: Mapping[str, Any]) -> bool:
    """Return True if a player could compute the hidden cards. With the document's generator there are 2^20 deals, and only
    one of them fits a player's hand and the border of the board.
    """
    return bool(parameters["deal"] != FAIR)


def sample(random: Random) -> str:
    """Return a random deal of one of the three kinds."""
    return random.choice((FAIR, DOCUMENT, f"{DOCUMENT}:{random.randrange(SEEDS)}"))
