"""The size of seeds. Commands read seeds with it before they load NumPy."""

from typing import Final

SEED_BITS: Final = 256
