"""Makes plain SVG from the pictures of `core.svg`, for renderers and editors that know little of CSS. The style of every
element is written into the element.

In a browser, a symbol takes the colours of the item that uses it. Plain SVG instead has a copy of the symbol for each
combination of colours. Styles and copies are computed once for a game and a theme.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from ludoteca.core.errors import ContractError
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import THEMES, Look, look_of, style_element
from ludoteca.pictures.styles import LIVE, VARIABLE, Environment, StyleSheet, Values, inherit, resolve

GEOMETRY: Final = ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "dy", "transform")
"""CSS properties that renderers know only as attributes of SVG elements."""
FOR_SCREENS: Final = ("pointer-events", "user-select", "background", "color-scheme", "vector-effect", "cursor")
"""CSS properties that have no effect in a picture, or that this module replaces by other properties."""
SELECTED: Final = ("class", "id", "style", "data-theme")
"""Attributes on which the style of an element depends."""
FOR_STYLES: Final = ("class", "style", "data-id", "data-theme", "role")
"""Attributes of the original picture that are left out of plain SVG."""
BASELINES: Final = {"central": f"{709 / 2048}em", "middle": f"{560 / 2048}em"}
"""How far these baselines move a text down in DejaVu Sans, which has 2048 units in an em. Many renderers know neither."""
_SVG: Final = "http://www.w3.org/2000/svg"
_SCALE: Final = re.compile(r"scale\(\s*([0-9.]+)\s*\)")
_REFERENCE: Final = re.compile(r"url\([\"']?#([^)\"']+)[\"']?\)")
_LENGTH: Final = re.compile(r"([0-9.]+)(?:px)?")

Path = tuple[ElementTree.Element, ...]
"""The elements from the root of a picture down to one element, which is the last."""


@dataclass(frozen=True, eq=False)
class Styled:
    """The computed style of an element. Two of these objects are never equal."""

    environment: Environment
    """The CSS variables that the children of the element, and the symbol that it uses, inherit."""
    attributes: Mapping[str, str]
    """The style of the element as SVG attributes, without variables."""


class Copy(NamedTuple):
    """A copy of a symbol with certain colours: its id, and the SVG text of its definition and of the definitions that it
    uses, by id. Its own definition comes last.
    """

    id: str
    definitions: Mapping[str, str]


def plain_maker(spec: GameSpec, theme: str) -> "PlainMaker":
    """Return the object that makes plain pictures of a game in a theme. The same object is returned again, with the styles
    and copies that it has computed. Raises ValueError for an unknown theme.
    """
    if theme not in THEMES:
        raise ValueError(f"theme {theme!r}: expected {' or '.join(THEMES)}")
    return _maker(look_of(spec), theme)


@cache
def _maker(look: Look, theme: str) -> "PlainMaker":
    return PlainMaker(look, theme)


class PlainMaker:
    """Makes plain SVG from the pictures of one game in one theme. Several threads may use it at the same time."""

    def __init__(self, look: Look, theme: str) -> None:
        self.look = look
        self.theme = theme
        self._sheet = StyleSheet(look.style)
        page = ElementTree.Element("svg", {"class": f"{look.prefix}scene", "data-theme": theme})
        values = self._sheet.declared((page,))
        self.background = resolve(values["background"], inherit(values, {}, theme).get, theme) or ""
        """The colour behind all pictures."""
        page.append(_parsed(look.symbols))
        self._symbols = {path[-1].get("id", ""): path for path in _paths((page,))}
        self._root = Styled({}, {})
        self._declared: dict[tuple[object, ...], Values] = {}
        self._styled: dict[tuple[object, ...], Styled] = {}
        self._copies: dict[tuple[object, ...], Copy] = {}

    def make(self, picture: str, width: int | None = None, height: int | None = None) -> str:
        """Return a picture of `core.svg` as plain SVG text. `width` and `height` are the size in pixels.

        By default, the size is that of the picture. If only the width is given, the height keeps the proportions. Raises
        ContractError if the picture uses a symbol that the game does not have.
        """
        for known in (style_element(self.look.style), self.look.symbols):
            picture = picture.replace(known, "")
        root = _parsed(picture)
        _use_in_place(root)
        scale = _scale_of(root)
        if width:
            _, _, *sides = map(float, root.get("viewBox", "").split())
            root.attrib.update(width=str(width), height=str(height or max(1, round(width * sides[1] / sides[0]))))
        definitions: dict[str, str] = {}
        head, close, rest = self._write((root,), self._root, scale, definitions).partition(">")
        return f'{head} xmlns="{_SVG}"{close}<defs>{"".join(definitions.values())}</defs>{rest}\n'

    def _write(self, path: Path, above: Styled, scale: float, definitions: dict[str, str]) -> str:
        """Return the plain SVG text of one element of a picture or symbol, with the elements inside it. `path` leads to the
        element.

        `above` is the style of its parent. `scale` is the number of screen pixels in one unit of length, for widths of lines
        in pixels. The definitions of symbols that it uses are added to `definitions`, by id.
        """
        element = path[-1]
        if element.tag == "svg" and len(path) > 1:
            scale *= _scale_of(element)
        styled = self._style(path, above, scale)

        def copy_of(id: str) -> str:  # noqa: A002  # its name in XML
            copy = self._copy(id, styled.environment)
            definitions.update(copy.definitions)
            return copy.id

        kept = {name: text for name, text in element.items() if name not in FOR_STYLES and not LIVE.search(text)}
        attributes = {**kept, **styled.attributes}
        if element.tag == "use":
            attributes = {**_sides_around(path), **attributes, "href": f"#{copy_of(_target(element))}"}
        for name, text in attributes.items():
            if "url(" in text:  # clips, gradients
                attributes[name] = _REFERENCE.sub(lambda found: f"url(#{copy_of(found[1])})", text)
        inside = "".join(self._write((*path, child), styled, scale, definitions) for child in element)
        if element.tag in ("text", "tspan", "title"):
            inside = escape(element.text or "") + inside
        head = f"<{element.tag}" + "".join(f" {name}={quoteattr(text)}" for name, text in attributes.items())
        after = escape(element.tail or "") if element.tag == "tspan" else ""
        return f"{head}>{inside}</{element.tag}>{after}" if inside else f"{head}/>{after}"

    def _style(self, path: Path, above: Styled, scale: float) -> Styled:
        key = (above, scale, _seen(path[-1]))
        if key not in self._styled:
            seen = tuple(map(_seen, path))
            if seen not in self._declared:
                self._declared[seen] = self._sheet.declared(path)
            environment = inherit(self._declared[seen], above.environment, self.theme)
            self._styled[key] = Styled(environment, self._resolved(path[-1].tag, self._declared[seen], environment, scale))
        return self._styled[key]

    def _resolved(self, tag: str, values: Values, environment: Environment, scale: float) -> dict[str, str]:
        """Return styles as attributes of an element with the name `tag`. `scale` is the number of screen pixels in one unit
        of length, for widths of lines in pixels.
        """
        plain = {
            name: text
            for name, tokens in values.items()
            if not name.startswith(VARIABLE) and (text := resolve(tokens, environment.get, self.theme)) is not None
        }
        if plain.get("vector-effect") == "non-scaling-stroke":
            enlarged = _SCALE.fullmatch(plain.get("transform", ""))
            width = _LENGTH.fullmatch(plain.get("stroke-width", "1"))
            if width:
                plain["stroke-width"] = f"{float(width[1]) / scale / (float(enlarged[1]) if enlarged else 1):.6g}"
        if tag == "text" and plain.get("dominant-baseline") in BASELINES:
            plain["dy"] = BASELINES[plain.pop("dominant-baseline")]
        attributes = {name: text for name, text in plain.items() if name in GEOMETRY}
        style = "; ".join(f"{name}: {text}" for name, text in plain.items() if name not in (*GEOMETRY, *FOR_SCREENS))
        return attributes | ({"style": style} if style else {})

    def _copy(self, id: str, environment: Environment) -> Copy:  # noqa: A002
        """Return the copy of a symbol for these CSS variables. Its id ends with a digest of its text, so that two equal
        copies have the same id. Raises ContractError if the game has no such symbol.
        """
        if id not in self._symbols:
            raise ContractError(f"there is no symbol {id.removeprefix(self.look.prefix)!r} among the sprites")
        key = (id, frozenset(environment.items()))
        if key not in self._copies:
            definitions: dict[str, str] = {}
            text = self._write(self._symbols[id], Styled(environment, {}), 1.0, definitions)
            name = f"{id}.{sha256(text.encode()).hexdigest()[:12]}"
            definitions[name] = text.replace(f" id={quoteattr(id)}", f" id={quoteattr(name)}", 1)
            self._copies[key] = Copy(name, definitions)
        return self._copies[key]


def _parsed(text: str) -> ElementTree.Element:
    """Return the root element of an SVG text. The names of elements have no namespaces, and attributes of other namespaces
    are left out, except that `xlink:href` becomes `href`.
    """
    root = ElementTree.fromstring(text)  # noqa: S314  # it is our own
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        for name in [name for name in element.attrib if "}" in name]:
            value = element.attrib.pop(name)
            if name.endswith("}href"):
                element.set("href", value)
    return root


def _use_in_place(root: ElementTree.Element) -> None:
    """Replace each `use` of a definition in the picture by the defined element, because the style of the element depends on
    the place of its use.
    """
    for definitions in root.findall("defs"):
        own = {element.get("id"): element for element in definitions}
        root.remove(definitions)
        for parent in list(root.iter()):
            parent[:] = [own.get(_target(child), child) if child.tag == "use" else child for child in parent]


def _paths(path: Path) -> Iterator[Path]:
    """Yield this path, and the paths to all elements inside its last element."""
    yield path
    for child in path[-1]:
        yield from _paths((*path, child))


def _seen(element: ElementTree.Element) -> tuple[object, ...]:
    """Return the name and the attributes of an element on which its style depends."""
    return (element.tag, *(item for item in element.items() if item[0] in SELECTED or LIVE.search(item[1])))


def _target(element: ElementTree.Element) -> str:
    return element.get("href", "").removeprefix("#")


def _scale_of(element: ElementTree.Element) -> float:
    """Return how much larger the inside of an SVG element is drawn than its outside."""
    _, _, width, height = map(float, element.get("viewBox", "0 0 1 1").split())
    scale = min(float(element.get("width", width)) / width, float(element.get("height", height)) / height)
    return float(f"{scale:.6g}")  # styles are kept by it, and its last digits must not add more of them


def _sides_around(path: Path) -> dict[str, str]:
    """Return the width and height of the symbol that contains a `use`, as attributes for the `use`. Without them, renderers
    would take the sides of the whole picture. Outside a symbol, the result is empty.
    """
    boxes = [element.get("viewBox", "").split() for element in path if element.tag == "symbol"]
    return dict(zip(("width", "height"), boxes[-1][2:], strict=False)) if boxes else {}
