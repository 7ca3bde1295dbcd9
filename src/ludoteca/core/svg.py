"""A scene as a picture: the painter for notebooks, documents and files. The browser's makes the same of every item.

`scene.css` says what that is, and has the look that all games share.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from ludoteca.core.errors import ContractError
from ludoteca.core.messages import ENGLISH, Message, catalogue, in_words, language_of
from ludoteca.core.scene import Item, Scene
from ludoteca.core.spec import GameSpec

THEMES: Final = ("light", "dark")
SPRITES: Final = "sprites.svg"
STYLE: Final = "style.css"
_NOT_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML file may hold, whatever a player is called."""
LONGER_SIDE: Final = 720
"""Pixels, of a picture of which nobody has said how large it is to be shown."""


def paint(spec: GameSpec, scene: Scene, theme: str = "light", seats: Sequence[str] = (), language: str = ENGLISH) -> str:
    """The scene as an SVG file that needs nothing else; `seats` are the names of the players.

    Raises ContractError when the game lacks a text, or its sprites.
    """
    if theme not in THEMES:
        raise ValueError(f"theme {theme!r}: expected {' or '.join(THEMES)}")
    spoken = language_of(spec.package, language)
    words = _Words(catalogue(spec.package, language), seats)
    width, height = _number(scene.width), _number(scene.height)
    scale = LONGER_SIDE / max(scene.width, scene.height)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="scene" data-theme="{theme}" lang="{spoken}"'
            f' viewBox="0 0 {width} {height}" width="{scene.width * scale:.0f}" height="{scene.height * scale:.0f}"'
            ' role="img">',
            f"<title>{escape(f'{spec.title}: {words.of(scene.task)}')}</title>",
            f"<style>{escape(style(spec))}</style>",
            sprites(spec),
            f'<rect width="{width}" height="{height}" style="fill: var(--felt)"/>',
            *(_paint_item(item, words) for item in scene.items),
            "</svg>\n",
        ]
    )


def style(spec: GameSpec) -> str:
    """The style sheet of all games, and then that of this one, if it has one."""
    shared = _read(Path(__file__).parent / "scene.css")
    own = spec.file(STYLE)
    return shared + _read(own) if own.is_file() else shared


def sprites(spec: GameSpec) -> str:
    """The game's symbols, as an SVG element. Raises ContractError when it has none."""
    file = spec.file(SPRITES)
    if not file.is_file():
        raise ContractError(f"{spec.name} has no {SPRITES} in {spec.package}")
    return _read(file).strip()


@cache
def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


class _Words:
    """Messages in a language."""

    def __init__(self, templates: Mapping[str, str], seats: Sequence[str]) -> None:
        self._templates = templates
        self._seats = seats

    def of(self, message: Message) -> str:
        return _NOT_XML.sub("", in_words(message, self._templates, self._seats))


def _paint_item(item: Item, words: _Words) -> str:
    turned = f" rotate({item.angle})" if item.angle else ""
    return "".join(
        [
            f'<g class="{escape(f"item {item.classes}".strip())}" data-id="{escape(item.id)}"',
            f' transform="translate({_number(item.x)} {_number(item.y)}){turned}">',
            *_parts(item, words),
            "</g>",
        ]
    )


def _parts(item: Item, words: _Words) -> Iterator[str]:
    if item.label:
        yield f"<title>{escape(words.of(item.label))}</title>"
    box = f'x="{_number(-item.w / 2)}" y="{_number(-item.h / 2)}" width="{_number(item.w)}" height="{_number(item.h)}"'
    if item.sprite:
        yield f'<use href="#{escape(item.sprite)}" {box}/>'
    yield f'<rect class="halo" {box}/>'
    if item.text:
        yield f'<text font-size="{_number(item.h / 2)}">{escape(item.text)}</text>'


def _number(value: float) -> str:
    return f"{value:.6g}"
