"""How long exact play takes for endings of Okupació between two armies, by the number of free cells, on one core.

    python benchmarks/endgames.py [--board 8x8 ...] [--free 14 18 22] [--positions 50] [--thinking 0]

Positions are those of random games, or with `--thinking N` of games in which both search N simulations a move, without
exact play. Each is solved alone, with an empty table; time is the process's own. Prints a Markdown table.
"""

import argparse
import time
from collections.abc import Iterator

import numpy as np

from ludoteca.core.game import Game, State, load
from ludoteca.core.rng import new_rng
from ludoteca.games.okupacio import board as boards
from ludoteca.search.exact import Solver
from ludoteca.search.findings import Budget
from ludoteca.search.searcher import Searcher, Settings

NEVER = Budget(simulations=1 << 40)


def endings(game: Game, free: int, thinking: int) -> Iterator[State]:
    """Positions with exactly so many free cells."""
    rng, seed = new_rng(1), 0
    while True:
        seed += 1
        state, searcher = game.new_initial_state(0), Searcher(game, settings=Settings(exact=0.0), seed=seed)
        while not state.is_terminal() and len(state.legal_actions()) - 1 > free:
            if thinking and len(state.history()) >= OPENING:
                known = state.information_state(state.current_player())
                state.apply_action(searcher.search(known, Budget(simulations=thinking)).action)
            else:
                state.apply_action(state.random_action(rng))
        if len(state.legal_actions()) - 1 == free:
            yield state


OPENING = 6
"""So many moves are random, or all games would be alike."""


def measure(game: Game, free: int, positions: int, thinking: int) -> tuple[list[float], list[int], int]:
    """Seconds and positions looked at, ending by ending; and how many the mover wins."""
    seconds, nodes, wins = [], [], 0
    for state, _ in zip(endings(game, free, thinking), range(positions), strict=False):
        solver, start = Solver(game), time.process_time()
        found = solver.solve(state.information_state(state.current_player()), NEVER)
        assert found is not None
        seconds.append(time.process_time() - start)
        nodes.append(found.simulations)
        wins += found.values[found.player] == 1
    return seconds, nodes, wins


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", nargs="*", default=["8x8", "14x10"])
    parser.add_argument("--free", nargs="*", type=int, default=[14, 18, 22])
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--thinking", type=int, default=0)
    options = parser.parse_args()
    print("| board | free cells | median s | 90 % s | longest s | median positions | most | mover wins |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name in options.board:
        game = load("okupacio", players=2, board=boards.DOCUMENT if name == "14x10" else name, compiled=True)
        for free in options.free:
            seconds, nodes, wins = measure(game, free, options.positions, options.thinking)
            median, most, longest = np.quantile(seconds, [0.5, 0.9, 1.0])
            print(
                f"| {name} | {free} | {median:.4f} | {most:.4f} | {longest:.4f} | {int(np.median(nodes)):,} "
                f"| {max(nodes):,} | {wins / options.positions:.0%} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
