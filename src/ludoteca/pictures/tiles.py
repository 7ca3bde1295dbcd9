"""Draws scenes as pixels. Each item is drawn once, as a tile: a small image with a transparent background. Most items stay
the same from move to move, so most tiles are used again.

The items of a scene do not affect each other, and each covers the items before it. Items that look the same, and whose
centres have the same position between two pixels, have the same tile.

The library resvg draws the tiles. Letters have the fonts of this package, so pictures are the same on all machines, also
without fonts. The machine's fonts are used only for letters that these fonts lack, such as Chinese ones in another game.
"""

import re
from functools import lru_cache
from io import BytesIO
from math import ceil, floor, hypot
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace
from PIL import Image
from resvg_py import svg_to_bytes

from ludoteca.core.scene import Item, Scene, flat
from ludoteca.core.svg import LONGER_SIDE_PIXELS, paint_item
from ludoteca.pictures.plain import PlainMaker

WIDTH_PIXELS: Final = 480
"""The default width of arrays and GIF files."""
KEPT_TILES: Final = 2048
"""The number of tiles that a process keeps, about 20 MB for pictures of 600 pixels. A game in one size has a few hundred."""
STEPS_OF_A_PIXEL: Final = 16
"""Positions of items are rounded to this part of a pixel, so that fewer tiles are needed."""
MARGIN_PIXELS: Final = 4
"""The space around an item on its tile, at first. The halo of a marked item is in it."""
LARGEST_TILE_PIXELS: Final = 8192
"""Half a side of the largest tile. A text that is longer than its tile is cut."""


class Tile(NamedTuple):
    """The image of one item with a transparent background. `left` and `top` are the position of the image's left upper
    corner, relative to the pixel of the item's centre.
    """

    left: int
    top: int
    image: Image.Image


def height_of(scene: Scene, width: int) -> int:
    """Return the height, in pixels, of a picture of the scene with that width."""
    return max(1, round(width * scene.height / scene.width))


def compose(maker: PlainMaker, scene: Scene, width: int, height: int) -> Image.Image:
    """Return a scene as an RGB image of that size in pixels. The scene is as large as fits, and in the middle."""
    ground = Image.new("RGB", (width, height), maker.background)
    scale = min(width / scene.width, height / scene.height)
    left, top = (width - scale * scene.width) / 2, (height - scale * scene.height) / 2
    screen = LONGER_SIDE_PIXELS / max(scene.width, scene.height)
    for item in flat(scene).items:
        x, y = left + item.x * scale, top + item.y * scale
        column, row = floor(x), floor(y)
        across, down = (round(part * STEPS_OF_A_PIXEL) / STEPS_OF_A_PIXEL / scale for part in (x - column, y - row))
        tile = tile_of(maker, replace(item, id="", label="", start="", x=across, y=down), scale, screen)
        if tile:
            ground.paste(tile.image, (column + tile.left, row + tile.top), tile.image)
    return ground


@lru_cache(maxsize=KEPT_TILES)
def tile_of(maker: PlainMaker, item: Item, scale: float, screen: float) -> Tile | None:
    """Return the tile of an item, or None if nothing of the item is visible. A unit of length has `scale` pixels in this
    picture, and `screen` pixels in a browser, which decides how wide lines are.
    """
    half = ceil(hypot(item.w, item.h) / 2 * scale) + MARGIN_PIXELS
    while True:
        reach = half / scale
        size = 2 * reach * screen
        picture = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{maker.look.prefix}scene" data-theme="{maker.theme}"'
            f' viewBox="{-reach} {-reach} {2 * reach} {2 * reach}" width="{size}" height="{size}">'
            f"{paint_item(item, str, maker.look.prefix)}</svg>"
        )
        image = render(maker.make(picture, 2 * half, 2 * half))
        box = image.getbbox()
        if box is None:
            return None
        if half > LARGEST_TILE_PIXELS or (min(box) > 0 and max(box) < 2 * half):
            return Tile(box[0] - half, box[1] - half, image.crop(box))
        half *= 2  # a text is longer than its item


FONTS: Final = tuple(str(file) for file in sorted(Path(__file__).parent.glob("fonts/*.ttf")))
FAMILY: Final = "DejaVu Sans"
FOREIGN: Final = re.compile("[^\\s -~\xa0-\u024f\u2000-\u206f€←-↓−∞─-╿■-●♠-♧]")
"""A character that these fonts lack."""


def render(plain: str) -> Image.Image:
    """Return a plain SVG picture as an RGBA image of the size of its root."""
    content = svg_to_bytes(
        svg_string=plain,
        font_files=list(FONTS) if "<text" in plain else [],  # reading fonts doubles the time of a small item
        skip_system_fonts=not FOREIGN.search(plain),
        font_family=FAMILY,
        serif_family=FAMILY,
        sans_serif_family=FAMILY,
        monospace_family=FAMILY,
    )
    image = Image.open(BytesIO(content))
    image.load()
    return image
