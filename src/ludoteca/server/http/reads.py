"""Records and pictures that are read again and again: limited for each address, and made once, as they never change."""

import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ludoteca.core.scene import in_one_row
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Settings
from ludoteca.server.shares import Buckets

NEWEST: Final = {"cache-control": "no-cache"}
"""A client may keep a document, and asks each time whether it is still there: rooms are deleted."""

VERSION: Final = 12
"""Digits of a version: two contents of one address are never alike in so many."""


class Document(NamedTuple):
    """A record, a picture, or what a page is made of."""

    content: bytes
    tag: str
    """The entity tag: different content has a different one."""

    @property
    def version(self) -> str:
        """The tag as a part of an address."""
        return self.tag.strip('"')[:VERSION]


def document(made: str | bytes) -> Document:
    """The document with that text, or of these bytes."""
    content = made.encode() if isinstance(made, str) else made
    return Document(content, f'"{hashlib.blake2b(content, digest_size=16).hexdigest()}"')


class Reads:
    """The documents of all rooms that were read last, and how often each address reads."""

    def __init__(self, settings: Settings) -> None:
        self._of_address = Buckets(settings.reads_of_address)
        self._most = settings.kept
        self._kept: OrderedDict[Hashable, Document] = OrderedDict()
        self._size = 0

    def check_rate(self, address: str) -> None:
        """Check that the address may read once more. Raises RefusalError."""
        if not self._of_address.take(address):
            raise RefusalError("rate")

    async def get(self, key: Hashable, make: Callable[[], Awaitable[str | bytes]]) -> Document:
        """The document of that key, made now unless it is kept."""
        if found := self._kept.get(key):
            self._kept.move_to_end(key)
            return found
        made = document(await make())
        if key not in self._kept:  # nobody else has made it meanwhile
            self._kept[key] = made
            self._size += len(made.content)
        while self._size > self._most:
            self._size -= len(self._kept.popitem(last=False)[1].content)
        return made


def json_document(request: Request, content: object, headers: dict[str, str] | None = None) -> Response:
    """JSON that a browser may keep, or the news that what it has is still the same."""
    return answer_with(
        request, document(msgspec.json.encode(content, enc_hook=in_one_row).decode()), "application/json", headers or {}
    )


def answer_with(request: Request, document: Document, media_type: str, headers: dict[str, str]) -> Response:
    """The answer with a document, or with the news that the client's is still the same."""
    told = NEWEST | {"etag": document.tag} | headers
    if request.headers.get("if-none-match") == document.tag:
        return Response(status_code=304, headers=told)
    return Response(document.content, headers=told, media_type=media_type)
