"""What each bot got of all that was to be had, with a 95 % interval by bootstrap over deals."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Final

import msgspec
import numpy as np

from ludoteca.arena.results import Played

RESAMPLES: Final = 4000
SEED: Final = 1
"""Of the generator that draws deals: the same games always give the same interval."""


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's line."""

    name: str
    share: float
    """Of all points, or of the wins where to win is the game's utility; from 0 to 1."""
    low: float
    high: float
    """Where the share lies, with 95 %."""
    wins: float
    """Games won, a shared win in parts."""
    points: float
    """In the game's utility, all games together."""
    faults: int
    seconds: float
    """How long it was waited for, all games together."""


def shares(names: Sequence[str], games: Iterable[Played]) -> list[Share]:
    """A line for each bot, in the order of the names. Deals are drawn whole: their games do not vary independently."""
    deals: dict[str, list[Played]] = {}
    for played in games:
        deals.setdefault(played.deal, []).append(played)
    ordered = [deals[deal] for deal in sorted(deals)]
    everything = np.array([fsum(seat.points for played in deal for seat in played.seats) for deal in ordered])
    drawn = np.random.default_rng(SEED).integers(0, max(len(ordered), 1), (RESAMPLES, len(ordered)))
    return [_share(name, ordered, everything, drawn) for name in names]


def _share(
    name: str,
    deals: Sequence[Sequence[Played]],
    everything: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    drawn: "np.ndarray[tuple[int, int], np.dtype[np.int64]]",
) -> Share:
    own = [[seat for played in deal for seat in played.seats if seat.bot == name] for deal in deals]
    points = np.array([fsum(seat.points for seat in deal) for deal in own])
    resampled = points[drawn].sum(axis=1) / np.maximum(everything[drawn].sum(axis=1), 1e-9)
    low, high = np.percentile(resampled, [2.5, 97.5])
    seats = [seat for deal in own for seat in deal]
    return Share(
        name=name,
        share=float(points.sum() / max(everything.sum(), 1e-9)),
        low=float(low),
        high=float(high),
        wins=fsum(seat.won for seat in seats),
        points=fsum(seat.points for seat in seats),
        faults=sum(seat.faults for seat in seats),
        seconds=fsum(seat.seconds for seat in seats),
    )
