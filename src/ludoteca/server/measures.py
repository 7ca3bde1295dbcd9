"""The counters and histograms of this process, in Prometheus's form. `operation/metrics.py` adds the present state of the
server, such as its rooms, and serves all of them.
"""

from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper bounds of a histogram's buckets, in seconds. Longer times are counted in a last bucket without a bound."""

# the time of the first count would be one more series for each label
disable_created_metrics()  # type: ignore[no-untyped-call]  # prometheus_client has no types there

REGISTRY: Final = CollectorRegistry()
_counter = partial(Counter, namespace="ludoteca", registry=REGISTRY)
_histogram = partial(Histogram, namespace="ludoteca", unit="seconds", buckets=BOUNDS, registry=REGISTRY)

EVENTS: Final = _counter("events", "Events that were stored; `moved` are moves.", ["game", "kind"])
ROOMS: Final = _counter("rooms_made", "Rooms that were made.", ["game"])
REFUSALS: Final = _counter("refusals", "Requests and frames that were refused, by code.", ["code"])
RESPONSES: Final = _counter("http_responses", "Answers over HTTP, by status.", ["status"])
ANSWERING: Final = _histogram("answering", "From the arrival of a frame to its answer.")
STORING: Final = _histogram("storing", "From an event to the moment when it is stored.")
THINKING: Final = _histogram("thinking", "From asking an agent to its answer, waiting included.")
