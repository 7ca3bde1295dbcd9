"""What options of more than one command have in common."""

from math import isfinite
from typing import Any

import click


class Seconds(click.FloatRange):
    """A time: a number from some minimum on, or above it. Neither endless nor `nan`, which no range excludes."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if not isfinite(seconds):
            self.fail(f"{value} is no time: expected a number of seconds.", param, ctx)
        return seconds
