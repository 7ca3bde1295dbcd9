"""What all answers over HTTP have in common: their headers, refusals as JSON, bodies that are read with care."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludoteca.core.messages import LANGUAGES, catalogue, in_words
from ludoteca.server.addresses import client_of
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import LARGEST_BODY

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PICTURE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A picture has its style in itself, and runs nothing."""
HEADERS: Final = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
"""Of every answer that does not say otherwise. Kept pages are asked for again, and answered with 304."""
SVG: Final = "image/svg+xml"
OF_PICTURES: Final = {"content-security-policy": PICTURE_POLICY}
NEVER_KEPT: Final = {"cache-control": "no-store"}

Body = TypeVar("Body")
Endpoint = Callable[[Request], Awaitable[Response]]


class ResponseHeaders:
    """Puts HEADERS on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application's answer with them."""

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, dressed if scope["type"] == "http" else send)


def as_json(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer of the API, never kept unless it says so."""
    return Response(msgspec.json.encode(content), status, headers or NEVER_KEPT, "application/json")


def picture(svg: str) -> Response:
    """A picture."""
    return Response(svg, headers=OF_PICTURES, media_type=SVG)


def answer_to(refusal: RefusalError) -> Response:
    """What is told of a refusal."""
    return as_json({"code": refusal.code, "message": refusal.message}, refusal.status)


def answer_in_words(refusal: RefusalError, scope: Scope) -> Response:
    """What is told of a refusal to who has typed the address of a page, in his language; to programs, as every refusal."""
    if scope["type"] == "websocket" or scope["path"].startswith("/api/"):
        return answer_to(refusal)
    wished = Headers(scope=scope).get("accept-language", "")[:2].lower()
    texts = catalogue("ludoteca.server", wished if wished in LANGUAGES else "en")
    return PlainTextResponse(f"{in_words(refusal.message, texts)}\n", refusal.status)


async def refused(_: Request, error: Exception) -> Response:
    """A refusal, for Starlette."""
    return answer_to(error if isinstance(error, RefusalError) else RefusalError("failed"))


async def not_found(_: Request, error: Exception) -> Response:
    """What Starlette refuses: no such address, or not with that method."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    return as_json({"code": "missing", "message": ("error.missing",)}, status)


async def text_of(request: Request, most: int) -> str:
    """A request's body. Raises RefusalError for one that has more bytes than that, or is no UTF-8."""
    parts, length = [], 0
    try:
        async for part in request.stream():
            length += len(part)
            if length > most:
                raise RefusalError("large", most)
            parts.append(part)
        return b"".join(parts).decode()
    except ClientDisconnect:  # it is gone in the middle: nobody hears this
        raise RefusalError("malformed", "the body was cut off") from None
    except UnicodeDecodeError as error:
        raise RefusalError("malformed", str(error)) from None


async def body(request: Request, kind: type[Body]) -> Body:
    """A request's body, read as JSON of that kind. Raises RefusalError."""
    text = await text_of(request, LARGEST_BODY)
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RefusalError("malformed", str(error)) from None


def number(request: Request, name: str, otherwise: int) -> int:
    """A number of the address's query. Raises RefusalError."""
    text = request.query_params.get(name)
    if text is None:
        return otherwise
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 9:
        raise RefusalError("malformed", f"{name}: {text[:20]!r}")
    return int(text)


def address(connection: HTTPConnection) -> str:
    """Whom a request or a WebSocket comes from, for limits."""
    return client_of(connection.client.host) if connection.client else ""
