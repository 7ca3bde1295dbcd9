"""Draws scenes (`core.scene`) as SVG pictures, for notebooks, documents and files. The JavaScript of the browser draws the
same items in the same way, as `scene.css` describes.

`scene.css` has the styles that all games share. A document may contain pictures of several games, so each id and each class
in a picture begins with the name of its game.
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
"""The characters that XML does not allow. The name of a player may contain them."""
LONGER_SIDE_PIXELS: Final = 720
"""The length of the longer side of a picture in pixels, unless the page that shows it sets another size."""
_COMMENT: Final = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
_SELECTED_CLASS: Final = re.compile(r"(?<=\.)(?=[A-Za-z_])")
_CLASSES: Final = re.compile(r'(?<=\sclass=")[^"]+')
_ID: Final = re.compile(r'(?<=\sid=")|(?<=href="#)|(?<=url\(#)')
"""The place in an SVG text before an id, at the definition of the id and in references to it."""


class Look(NamedTuple):
    """The style sheet and the drawn symbols that all pictures of one game contain."""

    prefix: str
    """The text with which each id and each class begins, made from the name of the game."""
    style: str
    """A style sheet."""
    symbols: str
    """The symbols as one SVG element, which items refer to by id."""


def paint(spec: GameSpec, scene: Scene, theme: str = "light", seats: Sequence[str] = (), language: str = ENGLISH) -> str:
    """Return a scene, which is a player's view of a game as items with coordinates, as the text of a complete SVG file.

    `theme` is one of THEMES. `seats` are the names of the players by seat. `language` is the language of the labels. Raises
    ValueError for another theme. Raises ContractError if the game has no file `sprites.svg` with its symbols, and
    LookupError if it lacks the text of a label.
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
    """Return one style sheet: the styles that all games share, followed by the game's own `style.css`, if it has one."""
    shared = _read(Path(__file__).parent / "scene.css")
    own = spec.file(STYLE)
    return shared + _read(own) if own.is_file() else shared


def style_element(text: str) -> str:
    """Return the text of a style sheet as an SVG element `<style>`."""
    return f"<style>{escape(text)}</style>"


def sprites(spec: GameSpec) -> str:
    """Return the game's symbols as the text of one SVG element. Raises ContractError if the game has no file
    `sprites.svg`.
    """
    file = spec.file(SPRITES)
    if not file.is_file():
        raise ContractError(f"{spec.name} has no {SPRITES} in {spec.package}")
    return _read(file).strip()


def look_of(spec: GameSpec) -> Look:
    """Return the style sheet and the symbols of a game's pictures, with the game's prefix. Raises ContractError if the game
    has no file `sprites.svg`.
    """
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
    """Return the SVG element of one item, with the structure that `scene.css` describes.

    `say` translates a message and escapes it for XML. `prefix` is the text with which ids and classes of this game begin.
    """
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
