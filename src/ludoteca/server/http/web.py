"""The common parts of all requests and answers: allowed hosts, headers, refusals, bodies of limited size.

A stranger's page can make its own host name point to this machine (DNS rebinding). The browser then believes that this
server belongs to the stranger, and lets the page read its answers. So requests that name an unknown host are refused.
Requests that name an IP address are allowed, because no page can make an IP address point elsewhere.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from ipaddress import ip_address
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludoteca.core.messages import catalogue, in_words, language_among
from ludoteca.server import logs
from ludoteca.server.measures import REFUSALS, RESPONSES
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.settings import LARGEST_BODY, Settings
from ludoteca.server.shares import address_of

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PICTURE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A picture has its own style, and runs no script."""
HEADERS: Final = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
"""The headers of every answer that does not set them. A browser asks again for a kept page, and gets status 304."""
_RAW_HEADERS: Final = tuple((name.encode(), value.encode()) for name, value in HEADERS.items())
SVG: Final = "image/svg+xml"
PICTURE_HEADERS: Final = {"content-security-policy": PICTURE_POLICY}
NOT_KEPT: Final = {"cache-control": "no-store"}

HOST: Final = re.compile(r"(?:\[([^]]*)\]|([^:]*))(?::[0-9]*)?")
"""The value of a `Host` header: an address of IPv6, or a name or another address; a port."""

Body = TypeVar("Body")
Endpoint = Callable[[Request], Awaitable[Response]]


class ResponseHeaders:
    """Puts HEADERS on every answer, and counts it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, with these headers."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                RESPONSES.labels(message["status"]).inc()
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(header for header in _RAW_HEADERS if header[0] not in given)]
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class AllowedHosts:
    """Refuses requests and WebSockets for a host of another name."""

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        own = socket.gethostname().lower()  # in its own network, without a look-up
        self._names = {"localhost", own, own.partition(".")[0], f"{own.partition('.')[0]}.local", *names}
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, or with status 421."""
        headers = Headers(scope=scope) if scope["type"] in ("http", "websocket") else Headers()
        host = headers.get("host")  # HTTP/1.0, which no browser speaks, may leave it out
        if host is None or self._is_own(host):
            await self._app(scope, receive, send)
        else:
            await answer_in_words(RefusalError("host", host[:100]), scope)(scope, receive, send)

    def _is_own(self, host: str) -> bool:
        found = HOST.fullmatch(host)
        if not found:
            return False
        name = found[1] or found[2].lower().rstrip(".")
        if name in self._names:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def is_ours(connection: HTTPConnection) -> bool:
    """Return False if the request comes from a page of another server. Programs other than browsers do not say where they
    come from.
    """
    origin = connection.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:  # it is no address
        return False


def rooms_of(connection: HTTPConnection) -> Rooms:
    """Return the rooms of the server."""
    rooms: Rooms = connection.app.state.rooms
    return rooms


def root_of(connection: HTTPConnection) -> str:
    """Return the prefix of the paths of all addresses, as in `Settings.root`."""
    settings: Settings = connection.app.state.settings
    return settings.root


def as_json(content: Any, status: int = 200) -> Response:
    """Return an answer of the API, which browsers do not keep."""
    return Response(msgspec.json.encode(content), status, NOT_KEPT, "application/json")


def answer_to(refusal: RefusalError) -> Response:
    """Return the answer with a refusal."""
    game = {"game": refusal.game} if refusal.game else {}
    return as_json({"code": refusal.code, "message": refusal.message, **game}, refusal.status)


def answer_in_words(refusal: RefusalError, scope: Scope) -> Response:
    """Return the answer with a refusal: in words of the reader's language at the address of a page, and as JSON
    elsewhere.
    """
    if scope["type"] == "websocket" or "/api/" in scope["path"]:
        return answer_to(refusal)
    texts = catalogue("ludoteca.server", language_among(Headers(scope=scope).get("accept-language", "")))
    return PlainTextResponse(f"{in_words(refusal.message, texts)}\n", refusal.status)


async def refused(request: Request, error: Exception) -> Response:
    """Answer a refusal, which is counted and goes into the journal, or a path or method that does not exist."""
    if not isinstance(error, RefusalError):
        status = error.status_code if isinstance(error, HTTPException) else 500
        return as_json({"code": "missing", "message": ("error.missing",)}, status)
    REFUSALS.labels(error.code).inc()
    logs.note(logs.REFUSED, code=error.code, path=request.url.path, address=address_of(request))
    return answer_to(error)


async def text_of(request: Request, most: int) -> str:
    """Return a request's body. Raises RefusalError for more bytes than `most`, a slow client and invalid UTF-8."""
    parts, length, within = [], 0, request.app.state.settings.body_within
    try:
        async with asyncio.timeout(within):
            async for part in request.stream():
                length += len(part)
                if length > most:
                    raise RefusalError("large", most)
                parts.append(part)
        return b"".join(parts).decode()
    except TimeoutError:
        raise RefusalError("malformed", f"the body is not complete after {within:g} s") from None
    except ClientDisconnect:  # the client has gone
        raise RefusalError("malformed", "the body was cut off") from None
    except UnicodeDecodeError as error:
        raise RefusalError("malformed", str(error)) from None


async def body(request: Request, kind: type[Body]) -> Body:
    """Return a request's body, decoded from JSON as that type.

    Raises RefusalError if the body is too large (`large`), slow, cut off or not of that type (`malformed`).
    """
    text = await text_of(request, LARGEST_BODY)
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RefusalError("malformed", str(error)) from None


def number(request: Request, name: str, otherwise: int) -> int:
    """Return a number of the query, or `otherwise` if the query does not have it.

    Raises RefusalError (`malformed`) if it is not a whole number of at most nine characters.
    """
    text = request.query_params.get(name)
    if text is None:
        return otherwise
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 9:
        raise RefusalError("malformed", f"{name}: {text[:20]!r}")
    return int(text)
