"""Plain SVG as pixels, drawn by resvg.

Letters have the fonts of this package, so pictures are the same on all machines, also without fonts. The machine's fonts
serve only for other letters, for example Chinese ones of another game.
"""

import re
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from resvg_py import svg_to_bytes

FONTS: Final = tuple(str(file) for file in sorted(Path(__file__).parent.glob("fonts/*.ttf")))
FAMILY: Final = "DejaVu Sans"
FOREIGN: Final = re.compile("[^\\s -~\xa0-\u024f\u2000-\u206f€←-↓−∞─-╿■-●♠-♧]")
"""A character that these fonts lack."""


def render(plain: str) -> Image.Image:
    """Return a plain SVG picture as an RGBA image of the size of its root."""
    content = svg_to_bytes(
        svg_string=plain,
        font_files=list(FONTS) if "<text" in plain else [],  # reading them takes as long as drawing a small item
        skip_system_fonts=not FOREIGN.search(plain),
        font_family=FAMILY,
        serif_family=FAMILY,
        sans_serif_family=FAMILY,
        monospace_family=FAMILY,
    )
    image = Image.open(BytesIO(content))
    image.load()
    return image
