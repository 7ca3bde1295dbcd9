"""Plain SVG of what `core.svg` paints: every style resolved, for renderers and editors that know little of CSS.

A symbol takes its colours from the variables of the item that shows it, so plain SVG has a copy of it for every look that it
has. Looks and copies are worked out once for a game and a theme, and put together for every picture.
"""

import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from itertools import count
from typing import Final, NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from ludoteca.core.errors import ContractError
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import THEMES, Look, look_of, style_element
from ludoteca.pictures.styles import VARIABLE, Environment, StyleSheet, Values, inherit, resolve, variables_in

GEOMETRY: Final = ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "transform")
"""Properties that renderers know as attributes only."""
FOR_SCREENS: Final = ("pointer-events", "user-select", "background", "color-scheme", "vector-effect", "cursor")
"""Properties that are of no use in a picture, or that are put into others."""
FOR_STYLES: Final = ("class", "style", "data-id", "data-theme", "role")
"""Attributes that say nothing any more."""
_SVG: Final = "http://www.w3.org/2000/svg"
_SCALE: Final = re.compile(r"scale\(\s*([0-9.]+)\s*\)")
_ELSEWHERE: Final = re.compile(r"url\([\"']?#([^)\"']+)[\"']?\)")
_LENGTH: Final = re.compile(r"([0-9.]+)(?:px)?")


class Styled(NamedTuple):
    """How an element looks."""

    number: int
    environment: Environment
    """The variables that its children inherit, and the symbol that it shows."""
    attributes: Mapping[str, str]
    """What is written for its styles."""


class Copy(NamedTuple):
    """A symbol in one look: its id, and the definitions that it needs, by their ids."""

    id: str
    definitions: Mapping[str, str]


def plain_maker(spec: GameSpec, theme: str) -> "PlainMaker":
    """The maker of plain pictures of a game in a theme, which keeps what it has worked out."""
    if theme not in THEMES:
        raise ValueError(f"theme {theme!r}: expected {' or '.join(THEMES)}")
    return _maker(look_of(spec), theme)


@cache
def _maker(look: Look, theme: str) -> "PlainMaker":
    return PlainMaker(look, theme)


class PlainMaker:
    """Makes the pictures of one game in one theme plain."""

    def __init__(self, look: Look, theme: str) -> None:
        self.look = look
        self.theme = theme
        self._known = (style_element(look.style), look.symbols)
        self._sheet = StyleSheet(look.style)
        page = ElementTree.Element("svg", {"class": f"{look.prefix}scene", "data-theme": theme})
        self.background = self._background(page)
        """The colour behind all pictures."""
        page.append(_parsed(look.symbols))
        self._paths = {path[-1].get("id", ""): path for path in _paths((page,))}
        self._declared: dict[ElementTree.Element, Values] = {}
        self._variables: dict[str, tuple[str, ...]] = {}
        self._numbers = count(1)  # threads may share a maker: none of them gives a number twice
        self._looks: dict[tuple[object, ...], Styled] = {}
        self._copies: dict[tuple[str, ...], Copy] = {}

    def make(self, picture: str, width: int | None = None, height: int | None = None) -> str:
        """A picture that `core.svg` has painted, as plain SVG; of that many pixels, the height in proportion if need be.

        Raises ContractError for a symbol that is not there.
        """
        for known in self._known:
            picture = picture.replace(known, "")
        root = _parsed(picture)
        _put_in_place(root)
        definitions: dict[str, str] = {}
        scale = _scale_of(root)
        if width:
            _, _, *sides = map(float, root.get("viewBox", "").split())
            root.attrib.update(width=str(width), height=str(height or max(1, round(width * sides[1] / sides[0]))))
        body = self._write((root,), Styled(0, {}, {}), scale, definitions)
        head, close, rest = body.partition(">")
        return f'{head} xmlns="{_SVG}"{close}<defs>{"".join(definitions.values())}</defs>{rest}\n'

    def _background(self, page: ElementTree.Element) -> str:
        values = self._sheet.declared((page,))
        return resolve(values["background"], inherit(values, {}, self.theme).get, self.theme) or ""

    def _write(self, path: tuple[ElementTree.Element, ...], above: Styled, scale: float, definitions: dict[str, str]) -> str:
        """An element of a picture; the definitions that it needs are added to those there are."""
        element = path[-1]
        if _name(element) == "svg" and len(path) > 1:
            scale *= _scale_of(element)
        look = self._look(path, above, scale)
        shown = {}
        if _name(element) == "use":
            copy = self._copy(_target(element), look.environment)
            definitions.update(copy.definitions)
            shown = {"href": f"#{copy.id}"}
        inside = "".join(self._write((*path, child), look, scale, definitions) for child in element)
        return _written(element, {**look.attributes, **shown}, inside)

    def _look(self, path: tuple[ElementTree.Element, ...], above: Styled, scale: float) -> Styled:
        element = path[-1]
        seen = (element.get(name) for name in ("class", "id", "style", "data-theme"))
        key = (above.number, scale, element.tag, *seen)
        if key not in self._looks:
            values = self._sheet.declared(path)
            environment = inherit(values, above.environment, self.theme)
            self._looks[key] = Styled(next(self._numbers), environment, self._dress(values, environment, scale))
        return self._looks[key]

    def _dress(self, values: Values, environment: Environment, scale: float) -> dict[str, str]:
        """The attributes that stand for these styles; where widths are the screen's, `scale` is the screen's, too."""
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
        attributes = {name: text for name, text in plain.items() if name in GEOMETRY}
        style = "; ".join(f"{name}: {text}" for name, text in plain.items() if name not in (*GEOMETRY, *FOR_SCREENS))
        return attributes | ({"style": style} if style else {})

    def _copy(self, id: str, environment: Environment) -> Copy:  # noqa: A002  # what XML calls it
        """The symbol with the colours that these variables give it."""
        values = [f"{name}: {environment[name]}" for name in self._asked(id) if name in environment]
        key = (id, *values)
        if key not in self._copies:
            name = f"{id}.{sha256('; '.join(values).encode()).hexdigest()[:8]}" if values else id
            definitions: dict[str, str] = {}
            text = self._symbol(self._path(id), environment, definitions, {"id": name})
            self._copies[key] = Copy(name, {**definitions, name: text})
        return self._copies[key]

    def _symbol(
        self,
        path: tuple[ElementTree.Element, ...],
        above: Environment,
        definitions: dict[str, str],
        own: Mapping[str, str],
    ) -> str:
        """An element of a symbol, where these variables come from whatever shows it."""
        element = path[-1]
        values = self._values(path)
        environment = inherit(values, above, self.theme)
        attributes = {**self._dress(values, environment, 1.0), **own}
        if _name(element) == "use":
            copy = self._copy(_target(element), environment)
            definitions.update(copy.definitions)
            attributes = {**_whole_of(path), **attributes, "href": f"#{copy.id}"}

        def shown(found: re.Match[str]) -> str:
            copy = self._copy(found[1], environment)
            definitions.update(copy.definitions)
            return f"url(#{copy.id})"

        attributes = {name: text for name, text in element.items() if name not in FOR_STYLES} | attributes
        attributes = {name: _ELSEWHERE.sub(shown, text) for name, text in attributes.items()}  # clips, gradients
        inside = "".join(self._symbol((*path, child), environment, definitions, {}) for child in element)
        return _written(element, attributes, inside)

    def _asked(self, id: str) -> tuple[str, ...]:  # noqa: A002
        """The variables on which the look of a symbol may depend, sorted."""
        if id not in self._variables:
            found = set[str]()
            for path in _paths(self._path(id)):
                texts = list(path[-1].attrib.values())
                for tokens in self._values(path).values():
                    found.update(variables_in(tokens))
                    texts += [token.serialize() for token in tokens]
                targets = _ELSEWHERE.findall(" ".join(texts))
                for target in [_target(path[-1])] if _name(path[-1]) == "use" else targets:
                    found.update(self._asked(target))
            self._variables[id] = tuple(sorted(found))
        return self._variables[id]

    def _path(self, id: str) -> tuple[ElementTree.Element, ...]:  # noqa: A002
        if id not in self._paths:
            raise ContractError(f"there is no symbol {id.removeprefix(self.look.prefix)!r} among the sprites")
        return self._paths[id]

    def _values(self, path: tuple[ElementTree.Element, ...]) -> Values:
        """What is declared for an element of the sprites."""
        if path[-1] not in self._declared:
            self._declared[path[-1]] = self._sheet.declared(path)
        return self._declared[path[-1]]


def _parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314  # it is our own


def _put_in_place(root: ElementTree.Element) -> None:
    """What a picture defines itself takes the place of what shows it, so that it looks as it does there."""
    for definitions in root.findall("{*}defs"):
        own = {element.get("id"): element for element in definitions}
        root.remove(definitions)
        for parent in list(root.iter()):
            parent[:] = [own.get(_target(child), child) if _name(child) == "use" else child for child in parent]


def _paths(path: tuple[ElementTree.Element, ...]) -> "list[tuple[ElementTree.Element, ...]]":
    """This path and those of all that lies within."""
    return [path, *(inner for child in path[-1] for inner in _paths((*path, child)))]


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _target(element: ElementTree.Element) -> str:
    return next((value for name, value in element.items() if name.rpartition("}")[2] == "href"), "").removeprefix("#")


def _scale_of(element: ElementTree.Element) -> float:
    """How much larger the inside of an SVG element is drawn than its outside."""
    _, _, width, height = map(float, element.get("viewBox", "0 0 1 1").split())
    scale = min(float(element.get("width", width)) / width, float(element.get("height", height)) / height)
    return float(f"{scale:.6g}")  # looks are kept by it: the last digits must not make new ones


def _whole_of(path: tuple[ElementTree.Element, ...]) -> dict[str, str]:
    """The sides of the symbol around an element, for those that it leaves out: renderers take those of the picture."""
    boxes = [element.get("viewBox", "").split() for element in path if _name(element) == "symbol"]
    sides = dict(zip(("width", "height"), boxes[-1][2:], strict=False)) if boxes else {}
    return {name: side for name, side in sides.items() if name not in path[-1].attrib}


def _written(element: ElementTree.Element, attributes: Mapping[str, str], inside: str) -> str:
    name = _name(element)
    kept = {key: value for key, value in element.items() if key not in FOR_STYLES and "}" not in key}
    text = "".join(f" {key}={quoteattr(value)}" for key, value in {**kept, **attributes}.items())
    inside = escape(element.text or "") + inside if name in ("text", "tspan", "title") else inside
    after = escape(element.tail or "") if name == "tspan" else ""
    return f"<{name}{text}>{inside}</{name}>{after}" if inside else f"<{name}{text}/>"
