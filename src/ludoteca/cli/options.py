"""The types of values that options and arguments of several commands have."""

from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from ludoteca.core.quantities import BYTES, SECONDS, read_quantity, write_quantity
from ludoteca.core.seeds import SEED_BITS
from ludoteca.core.words import quoted

NETWORK_FORM: Final = "an address or a network, such as 192.0.2.7 or 192.0.2.0/24"
COUNT: Final = click.IntRange(min=1)
FILE: Final = click.Path(dir_okay=False, path_type=Path)
EXISTING_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)


class Quantity(click.ParamType[float]):
    """A number with a unit. It must be above 0 and within the given bounds. The value is a number of seconds or bytes."""

    units: Mapping[str, int]
    examples: str
    """Examples of values, which error messages show."""

    def __init__(self, least: float = 0, most: float = inf) -> None:
        self._least, self._most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = read_quantity(str(value), self.units)
        except ValueError:
            self.fail(f"read {quoted(str(value))}, expected a {self.name}, such as {self.examples}.", param, ctx)
        if not number or not self._least <= number <= self._most:
            bounds = f"of at least {self.write(self._least)}" if self._least else "above 0"
            bounds += f" and at most {self.write(self._most)}" if self._most < inf else ""
            self.fail(f"read {quoted(str(value))}, expected a {self.name} {bounds}.", param, ctx)
        return number

    def write(self, number: float) -> str:
        """Return a value as it is written on the command line."""
        return write_quantity(number, self.units)


class Duration(Quantity):
    """A time, in seconds unless it has a unit."""

    name = "time"
    units = SECONDS
    examples = "5 (seconds), 0.5s, 30m, 2h or 7d"


class Size(Quantity):
    """A size, in MiB unless it has a unit. Its value is a whole number of bytes."""

    name = "size"
    units = BYTES
    examples = "512 (MiB), 512M or 1G"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return int(super().convert(value, param, ctx))


class GameName(click.ParamType[str]):
    """The name of a game. Shells can complete it. The command checks whether the game exists."""

    name = "game"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002  # click's signature
        from ludoteca.core import registry

        return [CompletionItem(name) for name in registry.names() if name.startswith(incomplete)]


class NameValue(click.ParamType[tuple[str, str]]):
    """A name with its value."""

    name = "name=value"

    def __init__(self, example: str) -> None:
        self._example = example

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        name, _, given = value.partition("=")
        if not given:
            self.fail(f"read {quoted(value)}, expected {self.name.upper()}, such as {self._example}.", param, ctx)
        return name, given


class SeedNumber(click.ParamType[int]):
    """The seed of a deal or of a random generator: an integer from 0 to 2 ** bits - 1."""

    name = "number"

    def __init__(self, bits: int = SEED_BITS) -> None:
        self._bits = bits

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        digits, bits = str(value), self._bits
        if not (digits.isascii() and digits.isdigit()) or len(digits) > bits or int(digits) >> bits:
            self.fail(f"read {quoted(digits)}, expected a number from 0 to 2^{bits} - 1.", param, ctx)
        return int(digits)
