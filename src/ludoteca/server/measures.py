"""What a running server counts: plain numbers, so that counting costs a move next to nothing.

`operation/metrics.py` tells them to Prometheus.
"""

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds: upper ends of the classes into which delays are counted; the last class has no end."""


@dataclass
class Delays:
    """How long something took, each time."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    """How often, by class."""
    total: float = 0.0
    """Seconds in all."""

    def add(self, seconds: float) -> None:
        """Count one more."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count what takes place within, unless it raises."""
        began = time.monotonic()
        yield
        self.add(time.monotonic() - began)


@dataclass
class Measures:
    """What happened since the server started."""

    events: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Stored events, by game and kind: moves among them."""
    rooms: Counter[str] = field(default_factory=Counter)
    """Rooms made, by game."""
    refusals: Counter[str] = field(default_factory=Counter)
    """Requests and frames refused, by code."""
    responses: Counter[int] = field(default_factory=Counter)
    """Answers over HTTP, by status."""
    answering: Delays = field(default_factory=Delays)
    """From the arrival of a frame to the moment when it has been carried out, or refused."""
    storing: Delays = field(default_factory=Delays)
    """From an event to the moment when it is stored."""
    thinking: Delays = field(default_factory=Delays)
    """From asking an agent to its answer, waiting for a free process included."""
