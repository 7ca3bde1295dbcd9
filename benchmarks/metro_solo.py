"""Measure the points that `pick_move` makes alone in Metro, by its number of games a move.

Tiles are drawn uniformly, and all numbers of games have the same tiles. The first tile is never #1, which would end the
game. Intervals are of 95 %, by bootstrap over the games.

Figures: docs/strength.md#metro
"""

import time
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Final

import numpy as np

from benchmarks.measuring import print_header, print_row, share_bounds
from ludoteca.core.game import Game, load
from ludoteca.games.metro.play import strategy
from ludoteca.games.metro.tiles import IDS, turnable

TILES: Final = 60


def tiles_of(number: int) -> list[int]:
    """Return the kinds of the tiles of a game."""
    drawn = np.random.default_rng([1, number]).integers(1, IDS + 1, TILES + 1).tolist()
    if drawn[0] == 1:
        drawn[0] = 2 + number % 9
    return [turnable(tile) for tile in drawn]


def play(game: Game, tries: int, tiles: Sequence[int]) -> tuple[int, int, float]:
    """Play a game with these tiles. Return its points, its moves and the processor seconds."""
    state = game.new_initial_state(1)
    raw, moves, start = state.position.raw, 0, time.process_time()
    for kind in tiles:
        raw.hands[0] = kind
        game.rules.begin_turn(raw, 0)
        if state.is_terminal() or moves == TILES:
            break
        action = strategy.choose(state.position.copy(), kind, tries)
        game.rules.place(raw, action >> 5, action & 31)
        moves += 1
    return int(raw.points[0]), moves, time.process_time() - start


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("tries", nargs="*", type=int, default=[0, 500], metavar="TRIES", help="games for each move (0 500)")
    parser.add_argument("--games", type=int, default=40, help="(40)")
    options = parser.parse_args(arguments)
    game = load("metro", compiled=True)
    strategy.prepare()
    print_header("games a move", "mean", "interval", "ms a move")
    for tries in options.tries:
        found = [play(game, tries, tiles_of(number)) for number in range(options.games)]
        points, moves, seconds = zip(*found, strict=True)
        low, high = share_bounds(points, [1] * len(points))
        print_row(tries, f"{np.mean(points):.0f}", f"{low:.0f} to {high:.0f}", f"{1000 * sum(seconds) / sum(moves):.1f}")
