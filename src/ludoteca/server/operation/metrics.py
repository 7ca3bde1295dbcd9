"""What a server counts, in the text format of Prometheus."""

from collections.abc import Iterable
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludoteca.server.http.api import VERSION
from ludoteca.server.http.limiter import ConnectionLimiter
from ludoteca.server.measures import BOUNDS, Delays, Measures
from ludoteca.server.rooms.rooms import Rooms

PATH: Final = "/metrics"


class ServerCollector(Collector):
    """Makes Prometheus's families out of a server's measures, and of what it holds at that moment."""

    def __init__(self, served: Starlette) -> None:
        self._state = served.state

    def collect(self) -> Iterable[Metric]:
        """All families."""
        measures: Measures = self._state.measures
        limiter: ConnectionLimiter = self._state.limiter
        rooms: Rooms = self._state.rooms
        yield InfoMetricFamily("ludoteca", "The server's version.", {"version": VERSION})
        events = CounterMetricFamily(
            "ludoteca_events", "Events that were stored; `moved` are moves.", labels=["game", "kind"]
        )
        for (game, kind), count in sorted(measures.events.items()):
            events.add_metric([game, kind], count)
        yield events
        for name, what, label, counts in (
            ("ludoteca_rooms_made", "Rooms that were made.", "game", measures.rooms),
            ("ludoteca_refusals", "Requests and frames that were refused, by code.", "code", measures.refusals),
            ("ludoteca_http_responses", "Answers over HTTP, by status.", "status", measures.responses),
        ):
            family = CounterMetricFamily(name, what, labels=[label])
            for key, count in sorted(counts.items()):
                family.add_metric([str(key)], count)
            yield family
        refused = rooms.store.refused()
        yield CounterMetricFamily("ludoteca_writes_refused", "Writes of rooms that another server had taken.", refused)
        yield _histogram("answering", "From the arrival of a frame to its answer.", measures.answering)
        yield _histogram("storing", "From an event to the moment when it is stored.", measures.storing)
        yield _histogram("thinking", "From asking an agent to its answer, waiting included.", measures.thinking)
        awake = rooms.awake()
        searching, waiting = rooms.workers.load()
        for name, what, value in (
            ("rooms_awake", "Rooms in memory.", len(awake)),
            ("rooms_played", "Rooms in memory in which a game goes on.", sum(not room.table.is_over for room in awake)),
            ("sockets", "WebSockets that are in a room.", sum(len(room.connections()) for room in awake)),
            ("connections", "Connections, of HTTP and WebSockets.", limiter.count()),
            ("room_queue", "Requests that wait in rooms' queues.", sum(room.waiting() for room in awake)),
            ("store_queue", "Writes that wait for the database.", rooms.store.writer.waiting()),
            ("store_down", "1 when the database took nothing at the last try.", int(rooms.store.is_down())),
            ("agents_thinking", "Agents that search at the moment.", searching),
            ("agents_waiting", "Agents that wait for a process to search in.", waiting),
        ):
            yield GaugeMetricFamily(f"ludoteca_{name}", what, value)


def _histogram(name: str, what: str, delays: Delays) -> HistogramMetricFamily:
    ends = (*(str(bound) for bound in BOUNDS), "+Inf")
    below = [sum(delays.counts[: number + 1]) for number in range(len(ends))]
    family = HistogramMetricFamily(f"ludoteca_{name}_seconds", what)
    family.add_metric([], list(zip(ends, below, strict=True)), delays.total)
    return family


def route(served: Starlette) -> Route:
    """`GET /metrics` of a server that is running."""
    registry = CollectorRegistry()
    registry.register(ServerCollector(served))
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)

    async def metrics(_: Request) -> Response:
        return Response(generate_latest(registry), headers={"content-type": CONTENT_TYPE_LATEST})

    return Route(PATH, metrics)
