"""A type of option that more than one command has."""

from math import isfinite
from typing import Any

import click


class Seconds(click.FloatRange):
    """A time in seconds: a number from some minimum on, or above it; infinity and `nan` are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if not isfinite(seconds):
            self.fail(f"{value} is no time: expected a number of seconds.", param, ctx)
        return seconds
