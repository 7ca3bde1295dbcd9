"""The server as an ASGI application, and how uvicorn runs it."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute

from ludoteca.server.http import api, pages
from ludoteca.server.http.endpoint import endpoint
from ludoteca.server.http.limiter import ConnectionLimiter, LimitEachClient, LimitedConfig
from ludoteca.server.http.reads import Reads
from ludoteca.server.http.web import AllowedHosts, CompressedPages, ResponseHeaders
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.settings import Settings
from ludoteca.server.store.store import Store
from ludoteca.server.thinking.analyses import Analyses
from ludoteca.server.thinking.workers import Workers


def create_app(store: Store, settings: Settings | None = None) -> Starlette:
    """The application over an open store, which it closes when it ends."""
    settings = settings or Settings()
    workers, limiter = Workers(settings), ConnectionLimiter(settings)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        app.state.started = time.monotonic()
        app.state.rooms = Rooms(store, workers, settings)
        app.state.analyses = Analyses(workers, settings)
        app.state.reads = Reads(settings)
        await app.state.rooms.start()
        try:
            yield
        finally:
            app.state.analyses.stop()
            await app.state.rooms.stop()
            await store.close()

    app = Starlette(
        routes=[WebSocketRoute("/ws/{room}", endpoint), *api.ROUTES, *pages.ROUTES],
        middleware=[
            Middleware(ResponseHeaders),
            Middleware(AllowedHosts, names=settings.allow_host),
            Middleware(LimitEachClient, of_client=limiter.of_client),
            Middleware(CompressedPages),
        ],
        exception_handlers={RefusalError: pages.refused, HTTPException: pages.refused},
        lifespan=life,
    )
    app.state.limiter = limiter
    return app


def configured(app: Starlette, host: str, port: int) -> uvicorn.Config:
    """The configuration with which uvicorn runs the application."""
    return LimitedConfig(app, host, port)
