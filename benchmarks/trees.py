"""Simulations a second, and how many nodes of the tree they use, from the first position of Okupació.

    python benchmarks/trees.py [--simulations 100000] [--rounds 3]

The best of all rounds, by processor time.
"""

import argparse
import time

from ludoteca.agents.agent import search_modules
from ludoteca.core.game import load
from ludoteca.core.rng import new_rng
from ludoteca.search import mcts
from ludoteca.search.leaf import TO_THE_END
from ludoteca.search.searcher import EXPAND_AT, EXPLORE, new_learned, new_scratch, new_tree
from ludoteca.search.tree import USED


def row(board: str, players: int, simulations: int, rounds: int) -> str:
    """A line of the table."""
    game = load("okupacio", players=players, board=board, compiled=True)
    policy, _ = search_modules(game)
    kernel, root, learned = game.bind(mcts, policy), game.new_initial_state(1).position.array, new_learned(game, None)
    cells = [f"| {board}, {players} players"]
    for rave in (0.0, 1e-3):
        settings = (EXPAND_AT, getattr(policy, "EXPLORE", EXPLORE), getattr(policy, "WIDEN", 0.5), TO_THE_END, rave)
        best, used = float("inf"), 0
        for seed in range(rounds):
            tree, scratch, rng = new_tree(game, 1_000_000), new_scratch(game), new_rng(seed)
            begin = time.thread_time()
            kernel.simulate(root, tree, scratch, rng, simulations, *settings, learned)
            best, used = min(best, time.thread_time() - begin), int(tree.counters[USED])
        cells.append(f"{simulations / best:,.0f} | {used:,}")
    return " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print("| board | simulations/s | nodes | simulations/s, RAVE | nodes |\n|---|---:|---:|---:|---:|")
    for board, players in (("8x8", 2), ("14x10", 2), ("14x10", 4), ("25x25", 2)):
        print(row(board, players, options.simulations, options.rounds), flush=True)


if __name__ == "__main__":
    main()
