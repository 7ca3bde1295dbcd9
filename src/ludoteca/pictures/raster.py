"""Pictures in pixels: the scene that the browser draws, as an array or as the content of a PNG file.

Letters are set in the fonts that lie here, so that pictures are the same on all machines, with and without fonts of their
own. What these lack (another game's Chinese, say) is looked for among the machine's fonts.
"""

import re
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image
from resvg_py import svg_to_bytes

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.core.svg import paint
from ludoteca.pictures.plain import plain_maker

Pixels = npt.NDArray[np.uint8]
"""Of shape (height, width, 3): red, green and blue."""

FONTS: Final = tuple(str(file) for file in sorted(Path(__file__).parent.glob("fonts/*.ttf")))
FAMILY: Final = "DejaVu Sans"
FOREIGN: Final = re.compile("[^\\s -~\xa0-\u024f\u2000-\u206f€←-↓−∞─-╿■-●♠-♧]")
"""A character that these fonts lack."""
WIDTH: Final = 480


def rgb_array(
    state: State, player: int = SPECTATOR, width: int = WIDTH, height: int | None = None, theme: str = "light"
) -> Pixels:
    """What a player sees of a state, an array of shape (height, width, 3); -1 is a spectator.

    Without a height it is that of the scene, which may change in the course of a game; with one, the picture is as large as
    it can be and stands in the middle. Raises ContractError when the game has no scenes.
    """
    spec = state.game.spec
    maker = plain_maker(spec, theme)
    drawn = render(maker.make(paint(spec, state.scene(player), theme)), width, height)
    if height is None or drawn.size == (width, height):
        return np.array(drawn)
    ground = Image.new("RGB", (width, height), maker.background)
    ground.paste(drawn, ((width - drawn.width) // 2, (height - drawn.height) // 2))
    return np.array(ground)


def render(plain: str, width: int, height: int | None = None) -> Image.Image:
    """A plain SVG picture in pixels, as wide as it may be where neither side is exceeded."""
    content = svg_to_bytes(
        svg_string=plain,
        width=width,
        height=height,
        font_files=list(FONTS),
        skip_system_fonts=not FOREIGN.search(plain),
        font_family=FAMILY,
        serif_family=FAMILY,
        sans_serif_family=FAMILY,
        monospace_family=FAMILY,
    )
    return Image.open(BytesIO(content)).convert("RGB")
