"""Token buckets: how often something may be done."""

import time
from collections.abc import Callable

from ludoteca.server.settings import Rate


class Bucket:
    """Full at first; each `take` takes one, or as many as it says, if there are so many."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._now = now
        self._left = rate.burst
        self._at = now()

    def take(self, count: float = 1) -> bool:
        """False when it is to be refused."""
        self._fill()
        if self._left < count:
            return False
        self._left -= count
        return True

    def is_full(self) -> bool:
        """True when forgetting it changes nothing."""
        self._fill()
        return self._left >= self._rate.burst

    def _fill(self) -> None:
        now = self._now()
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now


class Buckets:
    """One for each of many, such as addresses; the full ones are forgotten now and then."""

    def __init__(self, rate: Rate, most: int = 1000) -> None:
        self._rate = rate
        self._most = most
        self._kept: dict[str, Bucket] = {}

    def take(self, whose: str, count: float = 1) -> bool:
        """False when it is to be refused."""
        if len(self._kept) >= self._most:
            self._kept = {name: bucket for name, bucket in self._kept.items() if not bucket.is_full()}
        return self._kept.setdefault(whose, Bucket(self._rate)).take(count)
