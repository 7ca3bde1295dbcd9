"""How often `analyse` is right about mistakes: small games of Okupació, of which exact play knows the truth of every move.

    python benchmarks/accusations.py [--boards 4x4 5x4 5x5] [--games 40] [--simulations 4000] [--players random 2 4]

A move is a mistake when it gives a win away against best play. Said to be costly and no mistake: a false accusation. Every
kind of player plays so many games on every board against its like, from two random moves on. Prints a Markdown table.
"""

import argparse
import time
from collections.abc import Iterator

from ludoteca.agents.agent import derived_seed, new_agent
from ludoteca.agents.analysis import costly, value_moves
from ludoteca.core.game import Game, State, load
from ludoteca.core.rng import new_rng
from ludoteca.search.exact import Solver
from ludoteca.search.findings import Budget

NEVER = Budget(simulations=1 << 40)
OPENING = 2
"""So many moves are random, or games of the same players would be alike."""


def played(game: Game, name: str, seed: int) -> State:
    """A whole game."""
    state, rng = game.new_initial_state(0), new_rng(seed)
    agents = [new_agent(name, game, derived_seed(seed, seat)) for seat in range(2)]
    while not state.is_terminal():
        seat = state.current_player()
        early = len(state.history()) < OPENING
        known = state.information_state(seat)
        state.apply_action(state.random_action(rng) if early else agents[seat].choose(known).action)
    return state


def true_costs(state: State, solver: Solver) -> Iterator[float]:
    """What every move of a game gave away, against best play."""

    def worth(position: State, player: int) -> float:
        if position.is_terminal():
            return position.returns()[player]
        found = solver.solve_position(position.position, NEVER)
        assert found is not None
        return found.values[player]

    walk = state.game.state_at(state.start)
    for action in state.history():
        player, best = walk.current_player(), worth(walk, walk.current_player())
        walk.apply_action(action)
        yield best - worth(walk, player)


def row(board: str, name: str, games: int, budget: Budget) -> str:
    """One kind of player on one board."""
    game = load("okupacio", compiled=True, board=board)
    solver, moves, mistakes, said, false, seconds = Solver(game, entries=1 << 20), 0, 0, 0, 0, 0.0
    for seed in range(games):
        state = played(game, name, seed)
        truth = list(true_costs(state, solver))
        begin = time.thread_time()
        found = list(value_moves(state, budget, seed))
        seconds += time.thread_time() - begin
        accused = costly(found, 1.0, most=len(found))
        moves += len(found)
        mistakes += sum(cost > 0 for cost in truth)
        said += len(accused)
        false += sum(truth[move.number - 1] == 0 for move in accused)
    right = said - false
    return (
        f"| {board} | {name} | {moves} | {mistakes} | {said} | {false} ({_share(false, said)}) "
        f"| {right} ({_share(right, mistakes)}) | {1000 * seconds / moves:.0f} |"
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", default=["4x4", "5x4", "5x5"])
    parser.add_argument("--players", nargs="+", default=["random", "2", "4"])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--simulations", type=int, default=4000)
    chosen = parser.parse_args()
    print("| board | players | moves | mistakes | said to be costly | no mistake | mistakes found | ms a move |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for board in chosen.boards:
        for name in chosen.players:
            print(row(board, name, chosen.games, Budget(simulations=chosen.simulations)), flush=True)


if __name__ == "__main__":
    main()
