"""Measure exact play in endings of Okupació with two armies, by the number of free cells, on one core.

Positions are those of random games. Each is solved alone, with an empty table.

Figures: docs/strength.md#exact-endings-of-okupació
"""

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import count, islice

import numpy as np

from benchmarks.measuring import print_header, print_row
from ludoteca.core.game import Game, State, load
from ludoteca.core.rng import new_rng
from ludoteca.games.okupacio import board as boards
from ludoteca.search.exact import Solver
from ludoteca.search.findings import Budget

NEVER = Budget(simulations=1 << 40)


def endings(game: Game, free: int) -> Iterator[State]:
    """Yield states with this many free cells."""
    rng = new_rng(1)
    for _ in count():
        state = game.new_initial_state(0)
        while not state.is_terminal() and len(state.legal_actions()) - 1 > free:
            state.apply_action(state.random_action(rng))
        if len(state.legal_actions()) - 1 == free:
            yield state


def solve(game: Game, state: State) -> tuple[float, int]:
    """Solve a state, and return the processor seconds and the number of positions."""
    solver, start = Solver(game), time.process_time()
    found = solver.solve(state.information_state(state.current_player()), NEVER)
    assert found is not None
    return time.process_time() - start, found.simulations


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("--boards", nargs="+", default=["8x8", "14x10"])
    parser.add_argument("--free", nargs="+", type=int, default=[14, 18, 22], help="numbers of free cells (14 18 22)")
    parser.add_argument("--positions", type=int, default=50, help="positions of each kind (50)")
    options = parser.parse_args(arguments)
    print_header("board, free cells", "median, s", "90 %, s", "longest, s", "positions looked at, median")
    for name in options.boards:
        game = load("okupacio", players=2, board=boards.DOCUMENT if name == "14x10" else name, compiled=True)
        for free in options.free:
            solved = [solve(game, state) for state in islice(endings(game, free), options.positions)]
            seconds, nodes = zip(*solved, strict=True)
            times = (f"{value:.3f}" for value in np.quantile(seconds, [0.5, 0.9, 1.0]))
            print_row(f"{name}, {free}", *times, f"{np.median(nodes):,.0f}")
