"""Makes the content of PNG and GIF files with pictures of games. Equal games give equal bytes on each machine with the same
versions of the libraries.
"""

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from itertools import chain, pairwise
from typing import Final

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.core.scene import Scene
from ludoteca.core.spec import GameSpec
from ludoteca.pictures.plain import plain_maker
from ludoteca.pictures.tiles import WIDTH_PIXELS, compose, height_of, render

PALETTE_COLOURS: Final = 255
"""The number of colours of a GIF file. All its frames have the same palette."""
PALETTE_FRAMES: Final = 12
"""The number of frames from which the palette is chosen."""
LAST_FRAME_SECONDS: Final = 3.0
"""The shortest time for which the last frame is shown."""


def png(spec: GameSpec, picture: str, theme: str, title: str, width: int | None = None) -> bytes:
    """Return the content of a PNG file with a picture. `picture` is the SVG text that `core.svg.paint` returns.

    `theme` is the theme of that picture, and `title` is stored in the file. `width` is in pixels, by default that of the
    picture.
    """
    maker = plain_maker(spec, theme)
    drawn = render(maker.make(picture, width))
    ground = Image.new("RGBA", drawn.size, maker.background)
    ground.alpha_composite(drawn)
    facts = PngInfo()
    facts.add_itxt("Title", title)
    facts.add_text("Software", "Ludoteca")
    file = BytesIO()
    ground.convert("RGB").save(file, "PNG", optimize=True, pnginfo=facts)
    return file.getvalue()


def gif(
    state: State,
    player: int = SPECTATOR,
    theme: str = "light",
    width: int = WIDTH_PIXELS,
    delay: float = 1.0,
    title: str = "",
    progress: Callable[[float], None] = lambda _: None,
) -> bytes:
    """Return the content of a GIF file that shows the whole game up to a state, as a player sees it, with one frame for each
    position.

    A frame is shown for `delay` seconds. `width` is in pixels, and all frames have the height of the highest position.
    `title` is stored in the file. `progress` is called with the finished share, from 0 to 1. Raises ContractError if the
    game has no scenes.
    """

    def scenes() -> Iterator[Scene]:
        yield from (now.scene(player, before) for before, now in pairwise(chain([None], state.states())) if now)

    maker = plain_maker(state.game.spec, theme)
    heights = [height_of(scene, width) for scene in scenes()]
    height, count = max(heights), len(heights)
    sampled = {*range(0, count, max(1, count // PALETTE_FRAMES)), count - 1}
    some = [scene for number, scene in enumerate(scenes()) if number in sampled]
    palette = _palette([compose(maker, scene, width, height) for scene in some])

    def draw(number: int, scene: Scene) -> Image.Image:
        progress(number / count)
        return compose(maker, scene, width, height).quantize(palette=palette, dither=Image.Dither.NONE)

    first, *others = [draw(number, scene) for number, scene in enumerate(scenes(), 1)]  # a byte for each pixel
    durations = [round(delay * 1000)] * len(others) + [round(max(delay, LAST_FRAME_SECONDS) * 1000)]
    file = BytesIO()
    first.save(
        file, "GIF", save_all=True, append_images=others, duration=durations, loop=0, comment=title.encode(), disposal=1
    )
    return file.getvalue()


def _palette(frames: Sequence[Image.Image]) -> Image.Image:
    """Return an image whose palette has the colours for all frames of a game. They are chosen from the given frames."""
    width, height = frames[0].size
    together = Image.new("RGB", (width, height * len(frames)))
    for number, frame in enumerate(frames):
        together.paste(frame, (0, number * height))
    return together.quantize(PALETTE_COLOURS, Image.Quantize.MEDIANCUT)
