"""What a running server counts, as metrics of Prometheus. `operation/metrics.py` adds what it holds at the moment."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds: upper ends of the classes into which delays are counted; the last class has no end."""

disable_created_metrics()  # type: ignore[no-untyped-call]


class Measures:
    """What happened since the server started."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.events = self._counter("events", "Events that were stored; `moved` are moves.", "game", "kind")
        self.rooms = self._counter("rooms_made", "Rooms that were made.", "game")
        self.refusals = self._counter("refusals", "Requests and frames that were refused, by code.", "code")
        self.responses = self._counter("http_responses", "Answers over HTTP, by status.", "status")
        self.answering = self._histogram("answering", "From the arrival of a frame to its answer.")
        self.storing = self._histogram("storing", "From an event to the moment when it is stored.")
        self.thinking = self._histogram("thinking", "From asking an agent to its answer, waiting included.")

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"ludoteca_{name}", what, labels, registry=self.registry)

    def _histogram(self, name: str, what: str) -> Histogram:
        return Histogram(f"ludoteca_{name}_seconds", what, registry=self.registry, buckets=BOUNDS)
