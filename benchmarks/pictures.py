"""Measure the processor time of pictures, or with `--browser` their differences from a browser's pictures.

Games are random and interpreted, and have at most 40 moves. `--browser` needs Chromium.

Figures: docs/records.md#how-long-a-picture-takes
"""

import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import count
from statistics import median
from typing import Any

import numpy as np
from PIL import Image

from benchmarks.measuring import print_header, print_row, variants
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.core.svg import THEMES, paint
from ludoteca.pictures import files, tiles
from ludoteca.pictures.plain import plain_maker
from ludoteca.pictures.raster import rgb_array
from ludoteca.pictures.tiles import render

MOVES = 40


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


def print_costs(games: Iterator[tuple[str, Game]], width: int) -> None:
    """Print the table of costs."""
    frames = (f"first frame, {width} wide, ms", "next ones: median, mean, ms", "drawn whole, ms")
    print_header("game", "moves", "items", *frames, "PNG, KB", "GIF, s, KB")
    for name, game in games:
        tiles.tile_of.cache_clear()
        state = played(game)
        first, *others = [seconds(partial(rgb_array, now, width=width))[0] * 1000 for now in state.states()]
        picture = paint(game.spec, state.scene())
        whole, _ = seconds(partial(render, plain_maker(game.spec, "light").make(picture, width)))
        _, still = seconds(partial(files.png, game.spec, picture, "light", "", width))
        spent, film = seconds(partial(files.gif, state, width=width))
        next_ones = f"{median(others):.1f}, {np.mean(others):.1f}"
        times = (f"{first:.0f}", next_ones, f"{whole * 1000:.0f}")
        print_row(
            name, len(others), len(state.scene().items), *times, len(still) // 1000, f"{spent:.1f}, {len(film) // 1000}"
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


def print_differences(games: Iterator[tuple[str, Game]]) -> None:
    """Print the table of differences from Chromium's pictures, in both themes."""
    from playwright.sync_api import sync_playwright
    from tests.browser.conftest import ARGUMENTS, CHROMIUM

    print_header("game", "theme", "pixels", "mean difference, of 255", "more than 32, %", "more than 96, %")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        for name, game in games:
            state = played(game)
            for theme in THEMES:
                theirs = shot(browser, paint(game.spec, state.scene(0), theme))
                found = apart(theirs, state, theme, 0)
                size = f"{theirs.width} × {theirs.height}"
                shares = (f"{100 * (found > limit).mean():.2f}" for limit in (32, 96))
                print_row(name, theme, size, f"{found.mean():.2f}", *shares)
        browser.close()


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="(all)")
    parser.add_argument("--width", type=int, default=480, help="width of pictures in pixels (480)")
    parser.add_argument("--browser", action="store_true", help="compare with pictures of Chromium")
    options = parser.parse_args(arguments)
    games = variants(options.games, compiled=False)
    if options.browser:
        print_differences(games)
    else:
        print_costs(games, options.width)
