"""A page's modules as one script and its styles as one sheet: a page asks for two files where it would ask for forty.

What is made is kept until one of the files changes, so that whoever works on the page sees the change.
"""

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ludoteca.core.bundle import bundle_module
from ludoteca.server.http.reads import Document, answer_with, document

STATIC: Final = Path(str(resources.files("ludoteca.server") / "static"))
CORE: Final = Path(str(resources.files("ludoteca.core")))
PAINTER: Final = CORE / "painter"
"""Scripts that other pages with scenes have, too."""
SCENE: Final = CORE / "scene.css"
"""The style that all scenes share."""
SHEETS: Final = {
    "lobby": ("base", "controls", "lobby", "form"),
    "room": ("base", "controls", "form", "board", "room", "ending", "layout"),
    "missing": ("base", "controls", "guide"),
    "guide": ("base", "controls", "guide"),
}
"""The styles of a page, in their order, after SCENE. A page is called as its first module is."""

_Stamps = tuple[tuple[Path, int], ...]


async def script(request: Request) -> Response:
    """The modules of a page as one."""
    return answer_with(request, await asyncio.to_thread(_script, _page(request)), "text/javascript", {})


async def sheet(request: Request) -> Response:
    """The styles of a page as one."""
    return answer_with(request, await asyncio.to_thread(_sheet, _page(request)), "text/css", {})


def _page(request: Request) -> str:
    return Path(request.url.path).stem


def _script(page: str) -> Document:
    return _bundled(page, _stamps([*(STATIC / "js").glob("*.js"), *PAINTER.glob("*.js")]))


def _sheet(page: str) -> Document:
    return _joined(_stamps([SCENE, *(STATIC / "css" / f"{name}.css" for name in SHEETS[page])]))


def _stamps(files: Sequence[Path]) -> _Stamps:
    return tuple((file, file.stat().st_mtime_ns) for file in files)


@lru_cache(maxsize=len(SHEETS))
def _bundled(page: str, stamps: _Stamps) -> Document:
    return document(bundle_module(page, [file for file, _ in stamps]))


@lru_cache(maxsize=len(SHEETS))
def _joined(stamps: _Stamps) -> Document:
    return document("\n".join(file.read_text(encoding="utf-8") for file, _ in stamps))
