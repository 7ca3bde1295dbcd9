"""The content of PNG and GIF files. The same game gives the same bytes, wherever the same versions of the libraries are."""

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Final

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.core.sheet import Sheet
from ludoteca.core.spec import GameSpec
from ludoteca.pictures.plain import plain_maker
from ludoteca.pictures.resvg import render
from ludoteca.pictures.tiles import compose, height_of

WIDTH: Final = 480
"""Pixels of a GIF, unless others are wished for."""
COLOURS: Final = 255
"""Of a GIF, in all its frames."""
SAMPLES: Final = 12
"""Frames from which these colours are chosen."""
HELD: Final = 3.0
"""Seconds for which the last frame stays, at least."""


def plain_svg(spec: GameSpec, picture: str, theme: str) -> str:
    """A picture that `core.svg` or `core.sheet` has painted, as SVG that any editor understands."""
    return plain_maker(spec, theme).make(picture)


def png(spec: GameSpec, picture: str, theme: str, title: str, width: int | None = None) -> bytes:
    """Such a picture as a PNG file, so many pixels wide; without a width, as large as it is on a screen."""
    return _png(_drawn(spec, picture, theme, width), title)


def sheet_png(sheet: Sheet, theme: str, title: str, width: int | None = None) -> bytes:
    """A contact sheet as a PNG file, put together from tiles."""
    whole = _drawn(sheet.spec, sheet.paint(theme, positions=False), theme, width)
    maker, scale = plain_maker(sheet.spec, theme), whole.width / sheet.width
    for cell in sheet.cells:
        scene = cell.shot.scene
        screen = min(cell.width / scene.width, cell.height / scene.height)
        size = max(1, round(cell.width * scale)), max(1, round(cell.height * scale))
        whole.paste(compose(maker, scene, *size, screen), (round(cell.left * scale), round(cell.top * scale)))
    return _png(whole, title)


def _drawn(spec: GameSpec, picture: str, theme: str, width: int | None) -> Image.Image:
    maker = plain_maker(spec, theme)
    drawn = render(maker.make(picture, width))
    ground = Image.new("RGBA", drawn.size, maker.background)
    ground.alpha_composite(drawn)
    return ground.convert("RGB")


def _png(image: Image.Image, title: str) -> bytes:
    facts = PngInfo()
    facts.add_itxt("Title", title)
    facts.add_text("Software", "Ludoteca")
    file = BytesIO()
    image.save(file, "PNG", optimize=True, pnginfo=facts)
    return file.getvalue()


def gif(
    state: State,
    player: int = SPECTATOR,
    theme: str = "light",
    width: int = WIDTH,
    delay: float = 1.0,
    title: str = "",
    watch: Callable[[float], None] | None = None,
) -> bytes:
    """The game that led to a state as a GIF file, a frame a move: what a player saw. Delays are in seconds.

    `watch` is told the share that is done. Raises ContractError when the game has no scenes.
    """
    frames = list(_frames(state, player, theme, width, watch or (lambda _: None)))
    palette = _palette(frames)
    first, *others = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    durations = [round(delay * 1000)] * len(others) + [round(max(delay, HELD) * 1000)]
    file = BytesIO()
    first.save(
        file, "GIF", save_all=True, append_images=others, duration=durations, loop=0, comment=title.encode(), disposal=1
    )
    return file.getvalue()


def _frames(state: State, player: int, theme: str, width: int, watch: Callable[[float], None]) -> Iterator[Image.Image]:
    """All positions in one size, that of the tallest."""
    maker = plain_maker(state.game.spec, theme)
    scenes = [now.scene(player) for now in state.states()]
    height = max(height_of(scene, width) for scene in scenes)
    for number, scene in enumerate(scenes):
        yield compose(maker, scene, width, height)
        watch((number + 1) / len(scenes))


def _palette(frames: Sequence[Image.Image]) -> Image.Image:
    """An image with the colours that all frames share."""
    step = max(1, len(frames) // SAMPLES)
    some = [*frames[::step], frames[-1]]
    width, height = frames[0].size
    together = Image.new("RGB", (width, height * len(some)))
    for number, frame in enumerate(some):
        together.paste(frame, (0, number * height))
    return together.quantize(COLOURS, Image.Quantize.MEDIANCUT)
