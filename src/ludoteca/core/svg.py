"""Scenes as pictures, for notebooks, documents and files. The browser's painter draws every item in the same way.

`scene.css` describes this, and has the styles that all games share. A document may contain pictures of several games, so the
name of the game begins each id and each class of a picture.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from ludoteca.core.errors import ContractError
from ludoteca.core.messages import ENGLISH, Message, catalogue, in_words, language_of
from ludoteca.core.scene import Item, Scene, flat
from ludoteca.core.spec import GameSpec

THEMES: Final = ("light", "dark")
SPRITES: Final = "sprites.svg"
STYLE: Final = "style.css"
_NOT_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that an XML file cannot contain, but a player's name might."""
LONGER_SIDE_PIXELS: Final = 720
"""The pixels of the longer side of a picture, unless the page sets another size."""
_COMMENT: Final = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
_SELECTED_CLASS: Final = re.compile(r"(?<=\.)(?=[A-Za-z_])")
_CLASSES: Final = re.compile(r'(?<=\sclass=")[^"]+')
_ID: Final = re.compile(r'(?<=\sid=")|(?<=href="#)|(?<=url\(#)')
"""The place before an id, also in a reference to it."""


class Look(NamedTuple):
    """The style and the symbols in all pictures of a game."""

    prefix: str
    """The beginning of each id and each class."""
    style: str
    """A style sheet."""
    symbols: str
    """An SVG element."""


def paint(spec: GameSpec, scene: Scene, theme: str = "light", seats: Sequence[str] = (), language: str = ENGLISH) -> str:
    """Return the scene as a self-contained SVG file. `seats` are the names of the players.

    Raises ContractError if the game lacks a text, or its sprites.
    """
    if theme not in THEMES:
        raise ValueError(f"theme {theme!r}: expected {' or '.join(THEMES)}")
    templates, spoken = catalogue(spec.package, language), language_of(spec.package, language)

    def say(message: Message) -> str:
        return escape(_NOT_XML.sub("", in_words(message, templates, seats)))

    scale = LONGER_SIDE_PIXELS / max(scene.width, scene.height)
    width, height = _number(scene.width), _number(scene.height)
    look = look_of(spec)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{look.prefix}scene" data-theme="{theme}" lang="{spoken}"'
            f' viewBox="0 0 {width} {height}" width="{scene.width * scale:.0f}" height="{scene.height * scale:.0f}"'
            ' role="img">',
            f"<title>{escape(spec.title)}: {say(scene.task)}</title>",
            style_element(look.style),
            look.symbols,
            f'<rect width="{width}" height="{height}" style="fill: var(--felt)"/>',
            *(paint_item(item, say, look.prefix) for item in flat(scene).items),
            "</svg>\n",
        ]
    )


def style(spec: GameSpec) -> str:
    """Return the style sheet of all games, followed by the game's own, if it has one."""
    shared = _read(Path(__file__).parent / "scene.css")
    own = spec.file(STYLE)
    return shared + _read(own) if own.is_file() else shared


def style_element(text: str) -> str:
    """Return a style sheet as an SVG element."""
    return f"<style>{escape(text)}</style>"


def sprites(spec: GameSpec) -> str:
    """Return the game's symbols as an SVG element. Raises ContractError if it has none."""
    file = spec.file(SPRITES)
    if not file.is_file():
        raise ContractError(f"{spec.name} has no {SPRITES} in {spec.package}")
    return _read(file).strip()


def look_of(spec: GameSpec) -> Look:
    """Return the look of a game's pictures. Raises ContractError if the game has no symbols."""
    prefix = re.sub(r"^(?=[0-9])|[^\w-]", "_", spec.name) + "-"
    return _scoped(prefix, style(spec), sprites(spec))


@cache
def _scoped(prefix: str, css: str, symbols: str) -> Look:
    css = _SELECTED_CLASS.sub(prefix, _COMMENT.sub("", css).replace(":root", ".scene"))
    return Look(prefix, css, _CLASSES.sub(lambda found: _prefixed(found[0], prefix), _ID.sub(prefix, symbols)))


def _prefixed(classes: str, prefix: str) -> str:
    return " ".join(f"{prefix}{name}" for name in classes.split())


@cache
def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def paint_item(item: Item, say: Callable[[Message], str], prefix: str) -> str:
    """Return the SVG element of an item, as `scene.css` describes it, in the look of that prefix."""
    turned = f" rotate({item.angle})" if item.angle else ""
    box = f'x="{_number(-item.w / 2)}" y="{_number(-item.h / 2)}" width="{_number(item.w)}" height="{_number(item.h)}"'
    return "".join(
        [
            f'<g class="{escape(_prefixed(f"item {item.classes}", prefix))}"',
            f' data-id="{escape(item.id)}"' if item.id else "",
            f' transform="translate({_number(item.x)} {_number(item.y)}){turned}">',
            f"<title>{say(item.label)}</title>" if item.label else "",
            f'<use href="#{escape(prefix + item.sprite)}" {box}/>' if item.sprite else "",
            f'<rect class="{prefix}halo" {box}/>',
            f'<text font-size="{_number(item.h / 2)}">{say(item.text)}</text>' if item.text else "",
            "</g>",
        ]
    )


def _number(value: float) -> str:
    return f"{value:.6g}"
