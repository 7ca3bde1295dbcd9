"""Scenes in pixels, put together from items that are drawn once: from move to move, few are new.

An item lies over those before it and has no other dealings with them, so that it can be drawn alone, on glass, and then be
laid in its place. Items that look alike and lie alike between two pixels are the same piece of glass.
"""

from functools import lru_cache
from math import ceil, floor, hypot
from typing import Final, NamedTuple

from msgspec.structs import replace
from PIL import Image

from ludoteca.core.scene import Item, Scene
from ludoteca.core.svg import LONGER_SIDE_PIXELS, paint_item
from ludoteca.pictures.plain import PlainMaker
from ludoteca.pictures.resvg import render

TILES: Final = 2048
"""So many are kept; a game in one size has a few hundred. In pictures 600 pixels wide they take about 20 MB."""
STEPS: Final = 16
"""Places that are told apart between two pixels."""
MARGIN: Final = 4
"""Pixels around an item for a start, for its halo."""
LARGEST: Final = 8192


class Tile(NamedTuple):
    """An item on glass, and where it begins, from the pixel of its centre."""

    left: int
    top: int
    image: Image.Image


class Placed(NamedTuple):
    """How a scene lies in a picture of a given size: as large as it can be, in the middle."""

    scale: float
    """Pixels of a unit."""
    left: float
    top: float

    @classmethod
    def within(cls, scene: Scene, width: int, height: int) -> "Placed":
        scale = min(width / scene.width, height / scene.height)
        return cls(scale, (width - scale * scene.width) / 2, (height - scale * scene.height) / 2)


def height_of(scene: Scene, width: int) -> int:
    """The height of a picture of that width."""
    return max(1, round(width * scene.height / scene.width))


def compose(maker: PlainMaker, scene: Scene, width: int, height: int, screen: float | None = None) -> Image.Image:
    """The scene as an RGB image. What has its width in pixels has it where a unit has `screen` pixels, usually `paint`'s."""
    ground = Image.new("RGB", (width, height), maker.background)
    place = Placed.within(scene, width, height)
    screen = screen or LONGER_SIDE_PIXELS / max(scene.width, scene.height)
    for item in scene.items:
        x, y = place.left + item.x * place.scale, place.top + item.y * place.scale
        column, row = floor(x), floor(y)
        between = (round((x - column) * STEPS) / STEPS / place.scale, round((y - row) * STEPS) / STEPS / place.scale)
        alone = replace(item, id="", label="", start="", x=between[0], y=between[1])
        tile = tile_of(maker, alone, place.scale, screen)
        if tile:
            ground.paste(tile.image, (column + tile.left, row + tile.top), tile.image)
    return ground


@lru_cache(maxsize=TILES)
def tile_of(maker: PlainMaker, item: Item, scale: float, screen: float) -> Tile | None:
    """An item alone; None for one of which nothing is seen. `scale` has its pixels, `screen` those of a screen."""
    half = ceil(hypot(item.w, item.h) / 2 * scale) + MARGIN
    while True:
        reach = half / scale
        size = 2 * reach * screen
        image = render(
            maker.make(
                f'<svg xmlns="http://www.w3.org/2000/svg" class="{maker.look.prefix}scene" data-theme="{maker.theme}"'
                f' viewBox="{-reach} {-reach} {2 * reach} {2 * reach}" width="{size}" height="{size}">'
                f"{paint_item(item, str, maker.look.prefix)}</svg>",
                2 * half,
                2 * half,
            )
        )
        box = image.getbbox()
        if box is None:
            return None
        if half > LARGEST or (min(box) > 0 and max(box) < 2 * half):
            return Tile(box[0] - half, box[1] - half, image.crop(box))
        half *= 2  # a text is longer than its item
