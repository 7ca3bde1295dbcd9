"""Whole numbers from callers, and times, sizes and numbers in the notation of users: `90s`, `1.5h`, `512M`."""

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
"""The largest size. A number of bytes that was meant without a unit is larger, if it is over 1 MiB."""


def whole_number(name: str, number: Any, bits: int, low: int = 0) -> int:
    """Return a number of Python or NumPy. Raises ParameterError unless it is whole and from `low` to 2^bits - 1."""
    try:
        read = low - 1 if isinstance(number, bool) else index(number)
    except TypeError:  # no whole number
        read = low - 1
    if not low <= read < 1 << bits:
        raise ParameterError(f"{name}: read {number!r}, expected a whole number from {low} to 2^{bits} - 1")
    return read


def read_quantity(text: str, units: Mapping[str, int]) -> float:
    """Return a number with its unit as a number of seconds, bytes or things: `1.5h` is 5400 with SECONDS.

    Raises ValueError if the text is no such number, its unit is none of `units`, or a size is above MOST_BYTES.
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
    """Return the text that `read_quantity` reads as this number, in the largest unit that divides it, or else the first."""
    whole = [unit for unit, size in units.items() if number % size == 0] or list(units)[:1]
    unit = max(whole, key=lambda unit: units[unit])
    return f"{number / units[unit]:g}{unit}"
