"""Seeds of random generators: their size, and how to make several independent seeds from one. It does not import NumPy, so
that the command line can check seeds quickly.
"""

import hashlib
from typing import Final

SEED_BITS: Final = 256


def derived_seed(seed: int, *purpose: object) -> int:
    """Return a 128-bit seed that is computed from a seed and a purpose. Generators for different purposes then give
    independent numbers.

    `purpose` is any number of values with a fixed `repr`, such as words and numbers.

    >>> derived_seed(1, "deal") == derived_seed(1, "deal"), derived_seed(1, "deal") == derived_seed(1, "agent")
    (True, False)
    """
    return int.from_bytes(hashlib.blake2b(repr((seed, *purpose)).encode(), digest_size=16).digest(), "big")
