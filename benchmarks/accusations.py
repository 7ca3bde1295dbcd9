"""Count the right and the wrong accusations of `analyse` in small games of Okupació.

Exact play knows what each move is worth. A mistake is a move that gives a win away against best play. A wrong accusation is
a move that `analyse` calls costly although it is no mistake. Agents play against themselves, from two random moves on.

Figures: docs/analyse.md#how-often-it-is-right
"""

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence

from benchmarks.measuring import print_header, print_row
from ludoteca.agents.agent import new_agent
from ludoteca.agents.analysis import costly, value_moves
from ludoteca.core.game import Game, State, load
from ludoteca.core.rng import new_rng
from ludoteca.core.seeds import derived_seed
from ludoteca.search.exact import Solver
from ludoteca.search.findings import Budget

NEVER = Budget(simulations=1 << 40)
OPENING_MOVES = 2
"""Random moves at the start. Without them, all games of the same players would be similar."""


def played(game: Game, name: str, seed: int) -> State:
    """Return the final state of a game of this agent against itself."""
    state, rng = game.new_initial_state(0), new_rng(seed)
    agents = [new_agent(name, game, derived_seed(seed, seat)) for seat in range(2)]
    while not state.is_terminal():
        seat = state.current_player()
        early = len(state.history()) < OPENING_MOVES
        known = state.information_state(seat)
        state.apply_action(state.random_action(rng) if early else agents[seat].choose(known).action)
    return state


def true_costs(state: State, solver: Solver) -> Iterator[float]:
    """Yield for each move of a game what it gave away against best play."""

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


def print_figures(board: str, name: str, games: int, budget: Budget) -> None:
    """Print the figures of one agent on one board."""
    game = load("okupacio", compiled=True, board=board)
    solver, moves, mistakes, accusations, wrong, seconds = Solver(game, entries=1 << 20), 0, 0, 0, 0, 0.0
    for seed in range(games):
        state = played(game, name, seed)
        costs = list(true_costs(state, solver))
        begin = time.thread_time()
        found = list(value_moves(state, budget, seed))
        seconds += time.thread_time() - begin
        accused = costly(found, 1.0, most=len(found))
        moves += len(found)
        mistakes += sum(cost > 0 for cost in costs)
        accusations += len(accused)
        wrong += sum(costs[move.number - 1] == 0 for move in accused)
    right = accusations - wrong
    parts = (
        f"{part} ({100 * part / whole:.0f} %)" if whole else "0 (-)"
        for part, whole in ((wrong, accusations), (right, mistakes))
    )
    print_row(board, name, moves, mistakes, accusations, *parts, f"{1000 * seconds / moves:.0f}")


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("--boards", nargs="+", default=["4x4", "5x4", "5x5"])
    parser.add_argument("--players", nargs="+", default=["random", "2", "4"], help="names of agents")
    parser.add_argument("--games", type=int, default=8, help="games of each agent on each board (8)")
    parser.add_argument("--simulations", type=int, default=4000, help="the budget of `analyse` (4000)")
    options = parser.parse_args(arguments)
    print_header("board", "players", "moves", "mistakes", "said to be costly", "no mistake", "mistakes found", "ms a move")
    for board in options.boards:
        for name in options.players:
            print_figures(board, name, options.games, Budget(simulations=options.simulations))
