"""A page's modules as one script and its styles as one sheet: a page asks for two files where it would ask for forty.

What is made is kept until one of the files changes, so that whoever works on the page sees the change.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final

from ludoteca.core.bundle import bundle_module
from ludoteca.server.http.reads import Document, document

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
    "learn": ("base", "controls", "board", "guide", "learn"),
}
"""The styles of a page, in their order, after SCENE. A page is called as its first module is."""

Stamps = tuple[tuple[Path, int], ...]
"""Files, and when each was changed last."""


def page_script(page: str) -> Document:
    """The modules of a page as one."""
    return _bundled(page, stamps([*(STATIC / "js").glob("*.js"), *PAINTER.glob("*.js")]))


def page_sheet(page: str) -> Document:
    """The styles of a page as one."""
    return _joined(stamps([SCENE, *(STATIC / "css" / f"{name}.css" for name in SHEETS[page])]))


def stamps(files: Sequence[Path]) -> Stamps:
    """The files with their stamps: what is made of them is kept until one changes."""
    return tuple((file, file.stat().st_mtime_ns) for file in files)


@lru_cache(maxsize=len(SHEETS))
def _bundled(page: str, stamps: Stamps) -> Document:
    return document(bundle_module(page, [file for file, _ in stamps]))


@lru_cache(maxsize=len(SHEETS))
def _joined(stamps: Stamps) -> Document:
    return document("\n".join(file.read_text(encoding="utf-8") for file, _ in stamps))
