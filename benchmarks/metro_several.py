"""One player among others in Metro: agents, or the search with other settings, each deal from every seat.

    python benchmarks/metro_several.py 4 400x greedy --deals 24
    python benchmarks/metro_several.py 4 400x:widen=0.25,cut=8 400x --deals 24

Prints the share of the wins that the first one takes, with a 95 % interval by bootstrap over the deals, and by how many
points it is above the mean of its table.
"""

import argparse
from typing import Any, Final

import numpy as np

from ludoteca.agents.agent import Agent, new_agent
from ludoteca.core.game import Game, load
from ludoteca.search.searcher import Settings

RESAMPLES: Final = 4000
WHOLE: Final = ("expand_at", "cut", "nodes")
"""Settings that are whole numbers."""


def agent_of(text: str, game: Game, seed: int) -> Agent:
    """`NAME`, or `NAME:SETTING=NUMBER,...`."""
    name, _, rest = text.partition(":")
    pairs = (pair.split("=") for pair in rest.split(",") if pair)
    numbers: dict[str, Any] = {key: int(number) if key in WHOLE else float(number) for key, number in pairs}
    return new_agent(name, game, seed, Settings(**numbers))


def play(game: Game, seat: int, one: str, other: str, deal: int) -> tuple[float, float]:
    """What the one in that seat takes of the win, and how far it is above the mean in points."""
    players = range(game.num_players())
    agents = [agent_of(one if player == seat else other, game, 16 * deal + player) for player in players]
    state = game.new_initial_state(deal)
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(agents[player].choose(state.information_state(player)).action)
    points = state.scores()
    return state.returns()[seat], points[seat] - sum(points) / len(points)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", type=int)
    parser.add_argument("one", help="an agent, such as greedy, 400x or 400x:widen=0.25")
    parser.add_argument("other", help="who has all the other seats")
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    options = parser.parse_args()
    game = load("metro", compiled=True, players=options.players)
    shares, ahead = list[float](), list[float]()
    for deal in range(options.first, options.first + options.deals):
        games = [play(game, seat, options.one, options.other, deal) for seat in range(options.players)]
        shares.append(float(np.mean([share for share, _ in games])))
        ahead.append(float(np.mean([points for _, points in games])))
    means = np.random.default_rng(1).choice(shares, (RESAMPLES, len(shares))).mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    print(
        f"{options.one} takes {100 * np.mean(shares):.1f} % ({100 * low:.1f} to {100 * high:.1f}) of the wins among "
        f"{options.players - 1} of {options.other}, {np.mean(ahead):+.1f} points, {len(shares)} deals"
    )


if __name__ == "__main__":
    main()
