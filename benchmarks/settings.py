r"""Two settings of the search against each other, at equal processor time.

    python benchmarks/settings.py okupacio --board 8x8 --players 2 --budget 0.005cpu --openings 40 \
        --one rave=0.001,explore=0.23 --other rave=0

Both search by playouts, in a game without chance. Openings are of random moves, two a player; each is played from every
seat by `--one`, with `--other` in all the others. Shares are of the wins, intervals by bootstrap over openings.
"""

import argparse
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ludoteca.agents.agent import SearchAgent, budget_of
from ludoteca.core.game import Game, State, load
from ludoteca.core.rng import new_rng
from ludoteca.search.findings import Budget
from ludoteca.search.searcher import Settings

SAMPLES: Final = 4000
"""Bootstrap samples of an interval."""
WHOLE: Final = ("expand_at", "cut", "nodes", "threads")
"""Settings that are whole numbers."""


def read_settings(text: str) -> Settings:
    """`NAME=NUMBER,...`."""
    pairs = (pair.split("=") for pair in text.split(",") if pair)
    numbers: dict[str, Any] = {name: int(number) if name in WHOLE else float(number) for name, number in pairs}
    return Settings(deepen=False, **numbers)


def opening(game: Game, seed: int) -> State:
    """A position after two random moves of each player."""
    rng = new_rng(seed)
    state = game.new_initial_state(seed)
    for _ in range(2 * game.num_players()):
        state.apply_action(state.random_action(rng))
    return state


def share(begin: State, seat: int, budget: Budget, settings: tuple[Settings, Settings], seed: int) -> float:
    """The share of the win that the first settings take from that seat."""
    players = range(begin.game.num_players())
    agents = [SearchAgent(begin.game, budget, settings[player != seat], 16 * seed + player) for player in players]
    state = begin.clone()
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(agents[player].choose(state.information_state(player)).action)
    return float(state.returns()[seat])


def interval(shares: list[float]) -> str:
    """The mean, and where it lies in 95 of 100 cases, in per cent."""
    means = np.random.default_rng(1).choice(shares, (SAMPLES, len(shares))).mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return f"{100 * np.mean(shares):.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--board", default="8x8")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--budget", default="0.005cpu")
    parser.add_argument("--openings", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", default="")
    parser.add_argument("--other", default="")
    options = parser.parse_args()
    parameters: Mapping[str, int | str] = {"players": options.players, "board": options.board}
    game = load(options.game, compiled=True, **parameters)
    budget = budget_of(options.budget, game)
    if budget is None:
        parser.error(f"budget: read {options.budget}, expected one such as 500x or 0.005cpu")
    settings, shares = (read_settings(options.one), read_settings(options.other)), list[float]()
    for number in range(options.openings):
        seed = 1000 * options.seed + number
        begin = opening(game, seed)
        shares.append(float(np.mean([share(begin, seat, budget, settings, seed) for seat in range(options.players)])))
        print(f"{number + 1} openings from {options.players} seats: {interval(shares)}", flush=True)


if __name__ == "__main__":
    main()
