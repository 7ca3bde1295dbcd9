"""Plain SVG: the values of styles, the copies of symbols and the places of texts."""

import re
import shutil
import subprocess
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from duel import GAME as DUEL
from ludoteca.core import registry
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game
from ludoteca.core.scene import Item, Scene
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import Look, paint
from ludoteca.pictures.plain import PlainMaker, plain_maker
from ludoteca.pictures.styles import StyleSheet, inherit, resolve
from ludoteca.pictures.tiles import render

DRAWN = [spec for spec in registry.registered_games() if spec.has("scene")]
SYMBOLS = '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="a" viewBox="0 0 10 20">{}</symbol>{}</svg>'


def computed(css: str, *path: str, theme: str = "light") -> dict[str, str | None]:
    """Return the plain properties of the last element of a path. Each step is a child, given by tag and classes."""
    sheet, environment = StyleSheet(css), dict[str, str]()
    elements = [
        ElementTree.Element(tag, {"class": " ".join(classes)}) for tag, *classes in (step.split(".") for step in path)
    ]
    values = {}
    for depth in range(len(elements)):
        values = sheet.declared(elements[: depth + 1])
        environment = dict(inherit(values, environment, theme))
    return {name: resolve(value, environment.get, theme) for name, value in values.items() if not name.startswith("--")}


@pytest.mark.parametrize(
    ("css", "colour"),
    [
        ("g { fill: red } .a { fill: blue } g { fill: green }", "blue"),
        (".a { fill: blue !important } svg .a { fill: green }", "blue"),
        (".a { fill: red } .a { fill: blue }", "blue"),
        (".a { --x: blue; fill: var(--x) }", "blue"),
        ("svg { --x: blue } .a { fill: var(--x) }", "blue"),
        ("svg { --x: red } .a { --x: var(--y, blue); fill: var(--x) }", "blue"),
        ("svg { --x: var(--y); --y: blue } .a { fill: var(--x) }", "blue"),
        ("svg { --x: light-dark(blue, red) } .a { fill: var(--x) }", "blue"),
        ("svg { --x: light-dark(var(--y), red); --y: rgb(0, 0, 255) } .a { fill: var(--x) }", "rgb(0, 0, 255)"),
        (".a { fill: var(--nowhere) }", None),
        ("svg { --x: var(--y); --y: var(--x) } .a { fill: var(--x) }", None),
        ("svg { --x: red } .a { --x: var(--x); fill: var(--x) }", None),
        ("svg .b { fill: red } .a:hover { fill: red } .a::before { fill: red } .a { fill: blue }", "blue"),
    ],
)
def test_styles_have_the_values_of_css(css: str, colour: str | None) -> None:
    assert computed(css, "svg", "g.a")["fill"] == colour


def test_the_dark_theme_has_the_second_colour() -> None:
    assert computed("g { fill: light-dark(red, light-dark(green, blue)) }", "svg", "g", theme="dark") == {"fill": "blue"}


def test_a_style_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ContractError, match="a style cannot be read"):
        StyleSheet("g { fill red }")


def one(picture: ElementTree.Element, path: str) -> ElementTree.Element:
    found = picture.find(path)
    assert found is not None, path
    return found


def plain(css: str, symbol: str, classes: str = "", others: str = "") -> ElementTree.Element:
    item = f'<g class="{classes}"><use href="#a" x="0" y="0" width="1" height="2"/><rect class="halo"/></g>'
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" class="scene" viewBox="0 0 4 2" width="80" height="40">{item}</svg>'
    maker = PlainMaker(Look("", ".scene { background: white }" + css, SYMBOLS.format(symbol, others)), "light")
    return ElementTree.fromstring(re.sub(r' xmlns="[^"]*"', "", maker.make(picture)))


def test_a_symbol_is_copied_for_each_look_that_it_has() -> None:
    css = ".one { --c: red } .two { --c: blue } .three { --c: red; --d: 1 }"
    pictures = [plain(css, '<path style="fill: var(--c)" d=""/>', name) for name in ("one", "two", "three")]
    ids = [one(picture, "defs/symbol").get("id") for picture in pictures]
    assert ids[0] == ids[2] != ids[1]
    assert [one(picture, "defs/symbol/path").get("style") for picture in pictures[:2]] == ["fill: red", "fill: blue"]


def test_uses_and_clips_in_a_symbol_have_its_look() -> None:
    others = '<symbol id="b" viewBox="0 0 1 1"><path style="fill: var(--c)"/></symbol><clipPath id="k"><path/></clipPath>'
    picture = plain(".one { --c: red }", '<g clip-path="url(#k)"><use href="#b"/></g>', "one", others)
    ids = {element.get("id") for element in picture.iter()}
    assert one(picture, "defs/symbol/path").get("style") == "fill: red"
    inner, clip = one(picture, "defs//use"), one(picture, "defs//g[@clip-path]")
    assert {inner.get("href", "")[1:], clip.get("clip-path", "")[5:-1]} <= ids
    assert (inner.get("width"), inner.get("height")) == ("10", "20"), "without sides it is as large as the symbol around it"


def test_widths_of_the_screen_are_those_of_the_picture() -> None:
    css = ".halo { stroke-width: 3px; vector-effect: non-scaling-stroke; transform: scale(1.5); rx: 2px }"
    halo = one(plain(css, ""), "g/rect")
    assert (halo.get("style"), halo.get("transform"), halo.get("rx")) == ("stroke-width: 0.1", "scale(1.5)", "2px")


def test_a_symbol_that_is_not_there_is_named() -> None:
    lacking = Scene(10, 5, (Item("a", "duel-nothing", 1, 1),), (), ("end.won", ("@seat", 1)))
    with pytest.raises(ContractError, match="there is no symbol 'duel-nothing' among the sprites"):
        plain_maker(DUEL, "light").make(paint(DUEL, lacking))


@pytest.mark.parametrize("spec", DRAWN, ids=lambda spec: spec.name)
def test_plain_pictures_have_nothing_left_to_resolve(spec: GameSpec) -> None:
    picture = plain_maker(spec, "dark").make(paint(spec, Game(spec).new_initial_state(1).scene(0), "dark"))
    assert not re.search(r"var\(|light-dark|--[a-z]|class=|<style", picture)
    root = ElementTree.fromstring(picture)
    defined = [element.get("id") for element in root.iter() if "id" in element.attrib]
    assert len(defined) == len(set(defined))
    assert {href[1:] for element in root.iter() if (href := element.get("href"))} <= set(defined)


# texts

RSVG = shutil.which("rsvg-convert")
LETTERS = Scene(
    4, 4, (Item("a", "", 1, 1, 2, 2, text="H"), Item("b", "", 3, 3, 2, 2, text="H")), (), ("end.won", ("@seat", 1))
)


def plain_letters() -> str:
    """Return a picture with two letters of 100 pixels, in the middles of two quarters."""
    return plain_maker(DUEL, "light").make(paint(DUEL, LETTERS), 400)


def middles(picture: Image.Image) -> list[float]:
    """Return the heights of the letters' middles in the upper left and the lower right quarter."""
    dark = np.asarray(picture.convert("L").resize((400, 400))) < 100
    found = []
    for corner in (0, 200):
        rows = np.flatnonzero(dark[corner : corner + 200, corner : corner + 200].any(axis=1))
        found.append((rows[0] + rows[-1]) / 2 + corner)
    return found


def test_the_words_after_a_span_stay() -> None:
    text = one(plain("", "<text>one <tspan>two</tspan> three</text>"), "defs/symbol/text")
    assert "".join(text.itertext()) == "one two three"


def test_plain_texts_need_no_baseline_that_only_browsers_know() -> None:
    assert "baseline" not in plain_letters()
    assert middles(render(plain_letters())) == pytest.approx([100, 300], abs=4)


def test_a_text_lies_as_high_as_the_style_says() -> None:
    """The renderer of PNG knows baselines: the text with the style and the one with the number are on the same pixels."""
    styled = re.sub(r' dy="[^"]*"', ' dominant-baseline="central"', plain_letters())
    assert styled != plain_letters()
    assert np.abs(np.asarray(render(styled)).astype(int) - np.asarray(render(plain_letters()))).max() <= 1


@pytest.mark.soak
@pytest.mark.skipif(RSVG is None, reason="rsvg-convert is missing: apt-get install librsvg2-bin")
def test_librsvg_shows_texts_at_the_same_height() -> None:
    assert RSVG
    drawn = subprocess.run(
        [RSVG, "--background-color", "white"], input=plain_letters().encode(), check=True, capture_output=True
    )
    with Image.open(BytesIO(drawn.stdout)) as picture:
        assert middles(picture) == pytest.approx(middles(render(plain_letters())), abs=4)
