"""Count the redeals a second, on one core, by compiled rules.

A redeal makes a whole state of a player's view. Views are those of the first player after a fifth of a random game, in each
variant of `ludoteca bench`.

Figures: docs/speed.md#random-games-a-second-one-core
"""

import time
from argparse import ArgumentParser
from collections.abc import Sequence

from benchmarks import kernels
from benchmarks.measuring import print_header, print_row, variants
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng


def begun(game: Game) -> State:
    """Return the state after a fifth of a random game."""
    rng, whole = new_rng(2), game.new_initial_state(1)
    while not whole.is_terminal():
        whole.apply_action(whole.random_action(rng))
    state = game.new_initial_state(1)
    for action in whole.history()[: len(whole.history()) // 5]:
        state.apply_action(action)
    return state


def redeals_per_s(game: Game, seconds: float) -> float:
    """Redeal for this many seconds, and return the redeals a second."""
    redeal_often, rng = game.bind(kernels).redeal_often, new_rng(3)
    views, states = begun(game).view(0).array, game.new_array()
    redeal_often(views, states, 0, rng, 1)
    times, start, spent = 0, time.perf_counter(), 0.0
    while spent < seconds:
        times += redeal_often(views, states, 0, rng, 1000)
        spent = time.perf_counter() - start
    return times / spent


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="(all)")
    parser.add_argument("--seconds", type=float, default=1.0, help="time of each variant (1)")
    options = parser.parse_args(arguments)
    print_header("variant", "redeals/s")
    for title, game in variants(options.games):
        print_row(title, f"{redeals_per_s(game, options.seconds):,.0f}")
