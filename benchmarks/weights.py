r"""Two files of weights of a game's learned value against each other, at equal processor time.

    python benchmarks/weights.py qinto one.npz other.npz variant=light players=2 --budget 0.02cpu --deals 30

Each deal is played from every seat by who has the first weights, with the second in all the others. Shares are of the wins,
in games for points of the points, intervals by bootstrap over the deals. `shipped` stands for the weights that ship.
"""

import argparse
from pathlib import Path

import numpy as np

from benchmarks.settings import interval
from ludoteca.agents.agent import SearchAgent, budget_of
from ludoteca.core.game import Game, load
from ludoteca.core.value import MODULE, LearnedValue, load_value, read_value
from ludoteca.search.findings import Budget


def value_in(game: Game, name: str) -> LearnedValue:
    """The value whose weights that file holds."""
    value = load_value(game) if name == "shipped" else read_value(game.spec.module(MODULE), Path(name))
    assert value, f"{game.name} has no weights"
    return value


def share(game: Game, seat: int, budget: Budget, values: tuple[LearnedValue, LearnedValue], seed: int) -> float:
    """The share that the first weights take from that seat."""
    players = range(game.num_players())
    agents = [SearchAgent(game, budget, None, 16 * seed + player, value=values[player != seat]) for player in players]
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(agents[player].choose(state.information_state(player)).action)
    returns = np.array(state.returns())
    return float(returns[seat] / returns.sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--budget", default="0.02cpu")
    parser.add_argument("--deals", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = load(options.game, compiled=True, **dict(pair.split("=") for pair in options.parameters))
    budget = budget_of(options.budget, game)
    if budget is None:
        parser.error(f"budget: read {options.budget}, expected one such as 500x or 0.02cpu")
    values, shares = (value_in(game, options.one), value_in(game, options.other)), list[float]()
    for number in range(options.deals):
        seed = 1000 * options.seed + number
        shares.append(float(np.mean([share(game, seat, budget, values, seed) for seat in range(game.num_players())])))
        print(f"{number + 1} deals from {game.num_players()} seats: {interval(shares)}", flush=True)


if __name__ == "__main__":
    main()
