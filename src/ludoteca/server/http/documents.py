"""A cache of documents that are made once: the files of pages, and records and pictures of rooms."""

import gzip
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

NEWEST: Final = {"cache-control": "no-cache"}
"""A client may keep a document, and asks each time if it has changed: rooms are deleted."""
VERSION: Final = 12
"""Digits of a version. They are enough to tell the contents of one address apart."""
SMALLEST: Final = 600
"""Bytes from which on a document is compressed. A smaller one fits in a packet."""
WORTH: Final = 0.9
"""The largest part of a document's size for which its compressed form is kept. PNG files are compressed already."""


class Document(NamedTuple):
    """A content with its entity tag, and with its compressed form if it has one."""

    content: bytes
    tag: str
    packed: bytes = b""

    @property
    def version(self) -> str:
        """The tag as a part of an address."""
        return self.tag.strip('"')[:VERSION]


def document(made: str | bytes, *, packs: bool = False) -> Document:
    """Return the document with this text or these bytes. If `packs` is True, it also has its compressed form."""
    content = made.encode() if isinstance(made, str) else made
    packed = gzip.compress(content, mtime=0) if packs and len(content) >= SMALLEST else content
    tag = f'"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'
    return Document(content, tag, packed if len(packed) < WORTH * len(content) else b"")


class Documents:
    """A cache of documents by key. If they take more than `most` bytes together, the one that was read longest ago is
    forgotten.

    Do not compress a document that may contain a secret next to text from a stranger: its compressed length would reveal
    something about the secret (the BREACH attack). Threads may use this.
    """

    def __init__(self, most: int, *, packs: bool) -> None:
        self._most = most
        self._packs = packs
        self._kept: OrderedDict[Hashable, Document] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def find(self, key: Hashable) -> Document | None:
        """Return the document of that key, or None if it is not kept."""
        with self._lock:
            if found := self._kept.get(key):
                self._kept.move_to_end(key)
            return found

    def get(self, key: Hashable, make: Callable[[], str | bytes]) -> Document:
        """Return the document of that key. If it is not in the cache, make and compress it now."""
        if found := self.find(key):
            return found
        made = document(make(), packs=self._packs)
        with self._lock:
            if key not in self._kept:  # another thread may have made it
                self._kept[key] = made
                self._size += _size(made)
            while self._size > self._most:
                self._size -= _size(self._kept.popitem(last=False)[1])
        return made


def _size(document: Document) -> int:
    return len(document.content) + len(document.packed)


def answer_with(request: Request, document: Document, media_type: str, headers: dict[str, str]) -> Response:
    """Return the answer with a document: compressed if the client can read that, or with status 304 if the client has the
    document.

    The compressed and the plain form have different tags (RFC 9110, section 8.8.3).
    """
    content, told = document.content, NEWEST | {"etag": document.tag} | headers
    if document.packed:
        told["vary"] = ", ".join(filter(None, (told.get("vary"), "accept-encoding")))
        if reads_gzip(request):
            content = document.packed
            told |= {"etag": f'{document.tag[:-1]}-gzip"', "content-encoding": "gzip"}
    known = {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}
    if known & {told["etag"], "*"}:
        told.pop("content-encoding", None)
        return Response(status_code=304, headers=told)
    return Response(content, headers=told, media_type=media_type)


def reads_gzip(request: Request) -> bool:
    """Return True if the client reads content that is compressed with gzip."""
    codings = request.headers.get("accept-encoding", "").lower().replace(" ", "").split(",")
    parts = (coding.partition(";q=") for coding in codings)
    return any(name == "gzip" and (not quality or quality.strip("0.")) for name, _, quality in parts)
