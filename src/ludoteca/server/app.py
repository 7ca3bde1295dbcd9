"""The server as an ASGI application. `ludoteca serve` runs it with uvicorn, and tests run it without a network."""

import gc
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount, Route, WebSocketRoute

from ludoteca.server.http import api, pages
from ludoteca.server.http.documents import Documents
from ludoteca.server.http.endpoint import endpoint
from ludoteca.server.http.limiter import ConnectionLimiter, LimitEachClient
from ludoteca.server.http.web import AllowedHosts, ResponseHeaders
from ludoteca.server.model.creation import playable
from ludoteca.server.processor import Processor
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.matchmaking import Matchmaking
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.settings import Settings
from ludoteca.server.shares import Buckets
from ludoteca.server.store.store import Store
from ludoteca.server.thinking.analyses import Analyses
from ludoteca.server.thinking.workers import Workers

COLLECTING: Final = (2_000, 3, 200)
"""The thresholds that `brief_collections` gives to `gc.set_threshold`, so that each run of Python's garbage collector is
short. The collector has work only with objects of libraries: the server's own objects form no reference cycles and are freed
without it (`tests/server/test_memory.py`)."""


def create_app(store: Store, settings: Settings) -> Starlette:
    """Return the application that serves the rooms of an open store. The application closes the store when it shuts down.

    `settings` also decides how many processes the application starts for agents, and the path below which it serves all
    pages.
    """
    processor = Processor(settings.processor_of_address)
    workers, limiter = Workers(settings), ConnectionLimiter(settings)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        app.state.started = time.monotonic()
        app.state.games = playable()  # a search through all installed packages
        app.state.rooms = Rooms(store, workers, settings, processor)
        app.state.matchmaking = Matchmaking(app.state.rooms)
        app.state.analyses = Analyses(workers, settings)
        app.state.reads = Buckets(settings.reads_of_address)
        app.state.documents = Documents(settings.kept, packs=False)
        await app.state.rooms.start(app.state.matchmaking.delete_abandoned())
        try:
            with brief_collections():
                yield
        finally:
            await app.state.analyses.stop()
            await app.state.rooms.stop()
            await store.close()

    routes = [WebSocketRoute("/ws/{room}", endpoint), *api.ROUTES, *pages.ROUTES]
    below = [Mount(settings.root, routes=routes)] if settings.root else routes
    app = Starlette(
        routes=[Route("/health", api.health), *below],  # without the path, for a check of the server itself
        middleware=[
            Middleware(ResponseHeaders),
            Middleware(AllowedHosts, names=settings.allow_host),
            Middleware(LimitEachClient, of_client=limiter.of_client, processor=processor),
        ],
        exception_handlers={RefusalError: pages.refused, HTTPException: pages.refused},
        lifespan=life,
    )
    app.state.limiter, app.state.settings = limiter, settings
    return app


@contextmanager
def brief_collections() -> Iterator[None]:
    """Keep each run of Python's garbage collector short inside the `with` block, and restore the old thresholds after it.

    Objects that exist at the start of the block, such as imported modules, are never searched. Objects that have survived
    for long are searched seldom. With Python's own thresholds the collector takes more than a tenth of a busy server's time,
    and stops the server for up to a tenth of a second.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*COLLECTING)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
