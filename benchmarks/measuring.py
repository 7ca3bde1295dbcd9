"""Print tables in Markdown, and compute what several measurements need."""

import statistics
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from ludoteca.core import registry
from ludoteca.core.game import Game

RESAMPLES: Final = 4000
"""Bootstrap samples of an interval."""


def print_header(*headings: str) -> None:
    """Print the first two lines of a table. All columns except the first are aligned to the right."""
    print_row(*headings)
    print(f"|---|{'---:|' * (len(headings) - 1)}", flush=True)


def print_row(*cells: object) -> None:
    """Print a line of a table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def middle(values: Iterable[float], digits: int = 2) -> str:
    """Return the median with thousands separators and this many decimal digits."""
    return f"{statistics.median(values):,.{digits}f}"


def share_bounds(own: Sequence[float], everybody: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of a share of all points, by bootstrap over the deals.

    `own` and `everybody` have the points of each deal.
    """
    points = np.array([own, everybody], np.float64)
    drawn = np.random.default_rng(1).integers(len(own), size=(RESAMPLES, len(own)))
    low, high = np.percentile(np.divide(*points[:, drawn].sum(axis=2)), [2.5, 97.5])
    return float(low), float(high)


def variants(names: Sequence[str], *, compiled: bool = True) -> Iterator[tuple[str, Game]]:
    """Yield the title and the game of each variant of `ludoteca bench`. Without names, yield those of all games."""
    for name in names or registry.names():
        spec = registry.find(name)
        for variant, parameters in (spec.variants or {"": {}}).items():
            yield f"{name} {variant}".strip(), Game(spec, parameters, compiled=compiled)
