"""Types of options and arguments that several commands have."""

from math import isfinite
from typing import Any

import click
from click.shell_completion import CompletionItem


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
