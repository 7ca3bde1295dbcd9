"""The API as OpenAPI 3.1. It is generated from the types with which the server decodes bodies and encodes answers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludoteca.server.http.web import Endpoint, is_ours
from ludoteca.server.refusals import CODES, RefusalError

NAME: Final = "^[A-Za-z0-9_-]{1,64}$"
"""The form of the name of a room or a game."""
PREFIX: Final = "#/components/schemas/{name}"
JSON: Final = "application/json"
EVERYWHERE: Final = ("malformed", "host", "connections", "rate", "missing", "crowded", "failed")
"""Codes with which any request may be refused."""
OF_ROOMS: Final = ("room", "deleted", "rules", "damaged", "storage", "game")
"""More codes with which a request for a room may be refused."""


class Refusal(msgspec.Struct):
    """The reason for a refused request, which has changed nothing."""

    code: str
    message: Any
    """A message: a key with its arguments, for the catalogues of texts."""
    game: str = ""
    """The game whose catalogue also has texts of the message; absent if the page's catalogue is enough."""


@dataclass(frozen=True)
class Operation:
    """A method of an address, such as `POST /api/rooms`: its endpoint, and the types of its body and its answer."""

    method: str
    path: str
    endpoint: Endpoint
    gives: Any
    """The type of the answer; its media type if that is not JSON; None for an answer without a body."""
    status: int = 200
    takes: Any = None
    """The type of the body; None if there is none."""
    query: dict[str, Any] = field(default_factory=dict)
    """The types of the query's parameters."""
    secret: bool = False
    """True if the request needs `Authorization: Bearer KEY`."""
    may_be_kept: bool = False
    """True if a client that has the answer already gets status 304."""
    refusals: tuple[str, ...] = ()
    """The codes with which it is refused, in addition to EVERYWHERE, to OF_ROOMS if a room is named, and to `origin` if it
    changes something."""

    def route(self) -> Route:
        """Return Starlette's route. A page of another server can only read."""

        async def from_ours(request: Request) -> Response:
            if not is_ours(request):
                raise RefusalError("origin")
            return await self.endpoint(request)

        return Route(self.path, self.endpoint if self.method == "GET" else from_ours, methods=[self.method])

    def statuses(self) -> set[int]:
        """Return the statuses of its refusals."""
        codes = [*EVERYWHERE, *self.refusals]
        if "{room}" in self.path:
            codes += OF_ROOMS
        if self.method != "GET":
            codes.append("origin")
        return {CODES[code] for code in codes}


def document(operations: Sequence[Operation], version: str, root: str) -> dict[str, Any]:
    """Return the description of all operations. `root` is the prefix of all paths."""
    kinds = [kind for each in operations for kind in (each.takes, each.gives) if not isinstance(kind, str | None)]
    schemas, components = msgspec.json.schema_components([*kinds, Refusal], ref_template=PREFIX)
    schema_of = {repr(kind): schema for kind, schema in zip([*kinds, Refusal], schemas, strict=True)}

    def content(kind: Any) -> dict[str, Any]:
        if isinstance(kind, str):
            return {kind: {"schema": {"type": "string"}}}
        return {JSON: {"schema": schema_of[repr(kind)]}}

    paths: dict[str, Any] = {}
    for each in operations:
        answers: dict[str, Any] = {
            str(status): {"description": HTTPStatus(status).phrase, "content": content(Refusal)}
            for status in each.statuses()
        }
        if each.may_be_kept:
            answers["304"] = {"description": HTTPStatus(304).phrase}
        answers[str(each.status)] = {"description": HTTPStatus(each.status).phrase}
        if each.gives is not None:
            answers[str(each.status)]["content"] = content(each.gives)
        summary = (each.endpoint.__doc__ or "").partition("\n")[0]
        told = {
            "summary": summary,
            "operationId": each.endpoint.__name__,
            "parameters": _parameters(each),
            "responses": answers,
        }
        if each.secret:
            told["security"] = [{"key": []}]
        if each.takes is not None:
            told["requestBody"] = {"required": True, "content": content(each.takes)}
        paths.setdefault(each.path, {})[each.method.lower()] = told
    key = {"type": "http", "scheme": "bearer", "description": "the room's key, which its maker got"}
    described = {
        "openapi": "3.1.0",
        "info": {"title": "Ludoteca", "version": version, "license": {"name": "MIT"}},
        "servers": [{"url": root or "/"}],
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"key": key}},
    }
    # the end of a text is \Z in Python's patterns, and $ in those of JSON Schema
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(described).replace(rb"\\Z", b"$"))
    return found


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    in_path = [
        {"name": part[1:-1], "in": "path", "required": True, "schema": {"type": "string", "pattern": NAME}}
        for part in operation.path.split("/")
        if part.startswith("{")
    ]
    schemas = ((name, msgspec.json.schema(kind)) for name, kind in operation.query.items())
    return [*in_path, *({"name": name, "in": "query", "schema": schema} for name, schema in schemas)]
