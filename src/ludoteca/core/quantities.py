"""Checks whole numbers from callers, and reads and writes times, sizes and counts as users write them in options and
settings: `90s`, `1.5h`, `512M`.
"""

import re
from collections.abc import Mapping
from operator import index
from typing import Any, Final

from ludoteca.core.errors import ParameterError

SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
"""The units of time, in seconds. A number without a unit is in seconds."""
BYTES: Final = {"M": 1 << 20, "K": 1 << 10, "G": 1 << 30}
"""The units of size, in bytes. A number without a unit is in MiB."""
COUNT: Final = {"": 1}
"""The unit of numbers of things."""
MOST_BYTES: Final = 1 << 40
"""The largest size. So a size over 1 MiB that a user wrote as a number of bytes, without a unit, is refused."""


def whole_number(name: str, number: Any, bits: int, low: int = 0) -> int:
    """Return a whole number that a caller gave, of Python or of NumPy, as a Python int. `name` is its name in the error.
    Raises ParameterError unless it is a whole number from `low` to 2^bits - 1. True and False are no numbers here.
    """
    try:
        read = low - 1 if isinstance(number, bool) else index(number)
    except TypeError:  # no whole number
        read = low - 1
    if not low <= read < 1 << bits:
        raise ParameterError(f"{name}: read {number!r}, expected a whole number from {low} to 2^{bits} - 1")
    return read


def read_quantity(text: str, units: Mapping[str, int]) -> float:
    """Return a number with a unit as a number of seconds, bytes or things: `1.5h` with the units SECONDS is 5400.

    `units` is SECONDS, BYTES or COUNT. A number without a unit has the first one. Raises ValueError if the text is not such
    a number, if the unit is not in `units`, or if a size is above MOST_BYTES.
    """
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)([A-Za-z]?)", text)
    if not found:
        raise ValueError(text)
    unit = found[2] or next(iter(units))
    if unit not in units:
        raise ValueError(text)
    number = float(found[1]) * units[unit]
    if units is BYTES and number > MOST_BYTES:
        raise ValueError(text)
    return number


def write_quantity(number: float, units: Mapping[str, int]) -> str:
    """Return a text that `read_quantity` reads as this number. It has the largest unit that gives a whole number, or the
    first of `units` if none does.
    """
    whole = [unit for unit, size in units.items() if number % size == 0] or list(units)[:1]
    unit = max(whole, key=lambda unit: units[unit])
    return f"{number / units[unit]:g}{unit}"
