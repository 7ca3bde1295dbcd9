"""The metrics of a server, in the text format of Prometheus."""

from collections.abc import Iterable
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
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
from ludoteca.server.measures import REGISTRY
from ludoteca.server.rooms.rooms import Rooms

PATH: Final = "/metrics"


class ServerCollector(Collector):
    """Adds what a server holds at the moment to the metrics that were counted."""

    def __init__(self, served: Starlette) -> None:
        self._state = served.state

    def collect(self) -> Iterable[Metric]:
        """Yield all metrics."""
        limiter: ConnectionLimiter = self._state.limiter
        rooms: Rooms = self._state.rooms
        yield InfoMetricFamily("ludoteca", "The server's version.", {"version": VERSION})
        yield from REGISTRY.collect()
        refused = rooms.store.session.refused
        yield CounterMetricFamily("ludoteca_writes_refused", "Writes of rooms that another server had taken.", refused)
        awake = rooms.awake.values()
        searching, waiting = rooms.workers.turns_to_search.load()
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


def route(served: Starlette) -> Route:
    """`GET /metrics` of a server that is running."""
    registry = CollectorRegistry()
    registry.register(ServerCollector(served))
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)

    async def metrics(_: Request) -> Response:
        return Response(generate_latest(registry), headers={"content-type": CONTENT_TYPE_LATEST})

    return Route(PATH, metrics)
