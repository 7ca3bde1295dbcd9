"""Types of options and arguments that several commands have."""

from math import isfinite
from typing import Any

import click
from click.shell_completion import CompletionItem

from ludoteca.core.words import quoted


class Seconds(click.FloatRange):
    """A time in seconds. Infinity and `nan` are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if not isfinite(seconds):
            self.fail(f"{value} is no time: expected a number of seconds.", param, ctx)
        return seconds


class GameName(click.ParamType[str]):
    """The name of a game. Shells complete it, and the command checks it."""

    name = "game"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002  # click's signature
        from ludoteca.core import registry

        return [CompletionItem(name) for name in registry.names() if name.startswith(incomplete)]


class SeedNumber(click.ParamType[int]):
    """The number of a deal or of a generator, below 2 ** bits."""

    name = "number"

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        digits = str(value)
        if not (digits.isascii() and digits.isdigit()) or len(digits) > self._bits or int(digits) >> self._bits:
            self.fail(f"read {quoted(digits)}, expected a number from 0 to 2^{self._bits} - 1.", param, ctx)
        return int(digits)
