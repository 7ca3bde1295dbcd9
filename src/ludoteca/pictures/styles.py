"""Computes the styles of SVG elements from a CSS style sheet: which rules apply to an element, and the values of its
properties without variables.

Renderers of SVG know neither custom properties (CSS variables) nor `light-dark()`. This module knows the parts of CSS that
`core/scene.css` and the games' `style.css` use. A selector may depend on an element and its ancestors, but not on its
siblings.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final
from xml.etree import ElementTree

import cssselect2
import tinycss2

from ludoteca.core.errors import ContractError

Values = dict[str, Sequence[Any]]
"""Values of properties, as tokens of CSS."""
Environment = Mapping[str, str]
"""The CSS variables of an element by name. Their values contain no other variables, and no colours of the other theme."""

VARIABLE: Final = "--"
LIVE: Final = re.compile(r"(var|light-dark)\(")
"""Matches a value that must be computed: a variable, or a colour that depends on the theme."""


class StyleSheet:
    def __init__(self, text: str) -> None:
        self._matcher = cssselect2.Matcher()
        for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
            if rule.type == "qualified-rule":
                found = declarations(rule.content)
                for selector in cssselect2.compile_selector_list(rule.prelude):
                    self._matcher.add_selector(selector, found)

    def declared(self, path: Sequence[ElementTree.Element]) -> Values:
        """Return the values that the style sheet, and the element's own `style`, give to the last element of a path, by
        property. Values of higher priority come later.

        The path begins at the root. Selectors are matched as if each element were the only child of the element before it.
        """
        alone = [ElementTree.Element(element.tag, element.attrib) for element in path]
        for parent, child in pairwise(alone):
            parent.append(child)
        *_, wrapped = cssselect2.ElementWrapper.from_xml_root(alone[0]).iter_subtree()
        matched = sorted(self._matcher.match(wrapped), key=lambda match: match[:2])
        layers = [
            [
                (name, tinycss2.parse_component_value_list(value), False)
                for name, value in path[-1].items()
                if name != "style" and LIVE.search(value)
            ],
            *(found for _, _, pseudo, found in matched if pseudo is None),
            declarations(path[-1].get("style", "")),
        ]
        values: Values = {}
        for important in (False, True):
            for layer in layers:
                for name, value, weighty in layer:
                    if weighty == important:
                        values.pop(name, None)
                        values[name] = value
        return values


def declarations(source: Any) -> list[tuple[str, Sequence[Any], bool]]:
    """Return the declarations in a CSS block as tuples of a property, its value, and True if it is `!important`. Raises
    ContractError if the block has other content.
    """
    found = []
    for part in tinycss2.parse_blocks_contents(source, skip_comments=True, skip_whitespace=True):
        if part.type == "error":
            raise ContractError(f"a style cannot be read: {part.message}")
        if part.type == "declaration":
            found.append((part.name, part.value, part.important))
    return found


def inherit(values: Values, parents: Environment, theme: str) -> Environment:
    """Return the CSS variables of an element: those of its parent, `parents`, and those that `values` sets, in a theme."""
    own = {name: value for name, value in values.items() if name.startswith(VARIABLE)}
    if not own:
        return parents
    found = dict(parents)
    pending: set[str] = set()

    def look_up(name: str) -> str | None:
        if name in own and name not in pending:
            pending.add(name)
            value = resolve(own.pop(name), look_up, theme)
            pending.remove(name)
            if value is None:
                found.pop(name, None)
            else:
                found[name] = value
        return found.get(name) if name not in pending else None

    for name in list(own):
        look_up(name)
    return found


def resolve(tokens: Sequence[Any], look_up: Callable[[str], str | None], theme: str) -> str | None:
    """Return a CSS value as text, with the values of variables and the colours of the theme in place. `look_up` returns the
    value of a variable. The result is None if a variable has no value.
    """
    parts = []
    for token in tokens:
        if token.type != "function":
            parts.append(token.serialize())
            continue
        arguments = _arguments(token.arguments)
        if token.lower_name == "var":
            value = look_up(arguments[0][0].serialize())
            if value is None and len(arguments) > 1:
                value = resolve(arguments[1], look_up, theme)
        elif token.lower_name == "light-dark" and len(arguments) == 2:
            value = resolve(arguments[theme == "dark"], look_up, theme)
        else:
            inner = resolve(token.arguments, look_up, theme)
            value = None if inner is None else f"{token.name}({inner})"
        if value is None:
            return None
        parts.append(value)
    return "".join(parts).strip()


def _arguments(tokens: Sequence[Any]) -> list[list[Any]]:
    """Return the arguments of a function, without blanks before them."""
    found: list[list[Any]] = [[]]
    for part in tokens:
        if part == ",":
            found.append([])
        elif found[-1] or part.type not in ("whitespace", "comment"):
            found[-1].append(part)
    return found
