"""The cost of pictures, and their differences from a browser's pictures. Prints Markdown tables.

    python benchmarks/pictures.py [--width 480] [GAME ...]       milliseconds a frame, seconds a film and a sheet
    python benchmarks/pictures.py --browser [GAME ...]           pixels that differ from Chromium's, in light and in dark

They cover each variant of `ludoteca bench`. Games are random and interpreted, and have at most 40 moves.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from PIL import Image

from ludoteca.core import registry
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.core.sheet import lay_out
from ludoteca.core.svg import THEMES, paint
from ludoteca.pictures import files, tiles
from ludoteca.pictures.plain import plain_maker
from ludoteca.pictures.raster import rgb_array
from ludoteca.pictures.resvg import render

sys.path.insert(0, str(Path(__file__).parents[1]))

MOVES = 40


def variants(names: list[str]) -> Iterator[tuple[str, Game]]:
    """Yield all games with scenes, with the parameters of their variants."""
    for spec in registry.games():
        if spec.has("scene") and (not names or spec.name in names):
            for name, parameters in (spec.variants or {"": {}}).items():
                yield f"{spec.name} {name}".strip(), Game(spec, parameters)


def played(game: Game, moves: int = MOVES) -> State:
    """Return the state of a random game after this many moves, or at its end."""
    rng = new_rng(1)
    deals = (game.new_initial_state(seed) for seed in count(1))
    state = next(deal for deal in deals if not deal.is_terminal())
    while not state.is_terminal() and len(state.history()) < moves:
        state.apply_action(state.random_action(rng))
    return state


def seconds(action: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of a function, and its result."""
    start = time.process_time()
    found = action()
    return time.process_time() - start, found


def costs(games: Iterator[tuple[str, Game]], width: int) -> Iterator[str]:
    """Yield the rows of the table of costs."""
    yield (
        f"| game | moves | items | first frame, {width} wide, ms | next ones: median, mean, ms | drawn whole, ms "
        "| PNG, KB | GIF, s, KB | sheet, s, KB |"
    )
    yield "|---|" + "--:|" * 8
    for name, game in games:
        tiles.tile_of.cache_clear()
        state = played(game)
        first, *others = [seconds(partial(rgb_array, now, width=width))[0] * 1000 for now in state.states()]
        picture = paint(game.spec, state.scene())
        whole, _ = seconds(partial(render, plain_maker(game.spec, "light").make(picture, width)))
        _, still = seconds(partial(files.png, game.spec, picture, "light", "", width))
        made = [
            seconds(partial(files.gif, state, width=width)),
            seconds(partial(files.sheet_png, lay_out(state), "light", "")),
        ]
        yield (
            f"| {name} | {len(others)} | {len(state.scene().items)} | {first:.0f} "
            f"| {median(others):.1f}, {np.mean(others):.1f} | {whole * 1000:.0f} | {len(still) // 1000} "
            + "".join(f"| {spent:.1f}, {len(content) // 1000} " for spent, content in made)
            + "|"
        )


def shot(browser: Any, picture: str) -> Image.Image:
    """Return a browser's screenshot of an SVG picture."""
    page = browser.new_page(viewport={"width": 800, "height": 800})
    page.set_content(f'<body style="margin: 0">{picture.replace("<svg ", "<svg id=picture ", 1)}</body>')
    taken = page.locator("#picture").screenshot()
    page.close()
    return Image.open(BytesIO(taken)).convert("RGB")


def apart(theirs: Image.Image, state: State, theme: str, player: int = -1) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return for each pixel the largest difference of its three colours from those of our picture, 0 to 255."""
    picture = paint(state.game.spec, state.scene(player), theme)
    drawn = render(plain_maker(state.game.spec, theme).make(picture, *theirs.size)).convert("RGB")
    found: np.ndarray[Any, np.dtype[np.int64]] = np.abs(np.asarray(drawn).astype(np.int64) - np.asarray(theirs)).max(axis=2)
    return found


def likeness(games: Iterator[tuple[str, Game]]) -> Iterator[str]:
    """Yield the rows of the table of differences."""
    from playwright.sync_api import sync_playwright
    from tests.browser.conftest import ARGUMENTS, CHROMIUM

    yield "| game | theme | pixels | mean difference, of 255 | more than 32, % | more than 96, % |"
    yield "|---|---|" + "--:|" * 4
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        for name, game in games:
            state = played(game)
            for theme in THEMES:
                theirs = shot(browser, paint(game.spec, state.scene(0), theme))
                found = apart(theirs, state, theme, 0)
                size = f"{theirs.width} × {theirs.height}"
                shares = " | ".join(f"{(found > limit).mean():.2%}"[:-1] for limit in (32, 96))
                yield f"| {name} | {theme} | {size} | {found.mean():.2f} | {shares} |"
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--width", type=int, default=480)
    parser.add_argument("--browser", action="store_true")
    options = parser.parse_args()
    games = variants(options.games)
    for row in likeness(games) if options.browser else costs(games, options.width):
        print(row, flush=True)


if __name__ == "__main__":
    main()
