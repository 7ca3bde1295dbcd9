"""How many redeals a second, on one core, compiled: a view made into a whole state, uniformly among the deals that fit.

    python -m benchmarks.redeals [--seconds 1] [GAME ...]

Each variant of `ludoteca bench`, seen by the first player after a fifth of a random game. Prints a Markdown table.
"""

import argparse
import sys
import time
from pathlib import Path

from ludoteca.core import registry
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import kernels


def played(game: Game) -> State:
    """A state after a fifth of a random game."""
    rng = new_rng(2)
    whole = game.new_initial_state(1)
    while not whole.is_terminal():
        whole.apply_action(whole.random_action(rng))
    state = game.new_initial_state(1)
    for action in whole.history()[: len(whole.history()) // 5]:
        state.apply_action(action)
    return state


def rate(game: Game, seconds: float) -> float:
    """Redeals a second."""
    redeal_often, rng = game.bind(kernels).redeal_often, new_rng(3)
    views, states = played(game).view(0).array, game.new_array()
    redeal_often(views, states, 0, rng, 1)
    times, start, spent = 0, time.perf_counter(), 0.0
    while spent < seconds:
        times += redeal_often(views, states, 0, rng, 1000)
        spent = time.perf_counter() - start
    return times / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    print("| variant | redeals/s |\n|---|---:|")
    for name in options.games or registry.names():
        for variant, parameters in registry.find(name).variants.items():
            figure = rate(Game(registry.find(name), parameters, compiled=True), options.seconds)
            print(f"| {name} `{variant}` | {figure:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
