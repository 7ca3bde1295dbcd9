r"""How levels compare, before a game says its own (`levels.py` in its folder): each of a list against the one before it.

    python benchmarks/levels.py qinto variant=light players=2 --deals 60 --levels 0.1 0.3 0.7 20 80:0.5:1 350

`0.3` glances at the position, and notices three in ten of the legal actions; `80` searches with 80 simulations a turn;
`80:0.5:1` does so in half of its turns, and glances in the others, where it notices everything. Names of agents (`greedy`,
`3`, `0.3cpu`) are read, too. Every deal is played from every seat by one, with the one before it in all the others; alone,
the same deals by all. In a game without deals, where who searches may win whenever he moves first, `--opening 4` begins
after four random moves. Shares are of the wins or, in a game for points, of the points; intervals of 95 % by bootstrap over
deals.
"""

import argparse
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np

from ludoteca.agents.agent import Agent, agent_of, derived_seed, is_name, new_agent
from ludoteca.core.game import Game, State, load
from ludoteca.core.levels import Level
from ludoteca.core.rng import new_rng

SAMPLES: Final = 4000
"""Bootstrap samples of an interval."""


def read_level(text: str) -> Callable[[Game, int], Agent]:
    """What makes the agent, from a game and a seed."""
    if is_name(text):
        return lambda game, seed: new_agent(text, game, seed)
    if text.startswith("0.") or text == "1.0":
        level = Level(notices=float(text))
    else:
        simulations, careless, notices = [*text.split(":"), "0", "0"][:3]
        level = Level(int(simulations), float(careless), float(notices))
    return lambda game, seed: agent_of(level, game, seed)


def play(begin: State, agents: list[Agent], seconds: dict[int, list[float]]) -> list[float]:
    """The returns of a game; the processor time of every turn is written down, for each agent."""
    state = begin.clone()
    while not state.is_terminal():
        player = state.current_player()
        began = time.process_time()
        action = agents[player].choose(state.information_state(player)).action
        spent, turns = time.process_time() - began, seconds.setdefault(id(agents[player]), [])
        if not turns or state.view(player).begins_turn():
            turns.append(spent)
        else:
            turns[-1] += spent
        state.apply_action(action)
    return state.returns()


def interval(won: list[float], of: list[float], whole: float) -> str:
    """What was won of all there was, and where it lies in 95 of 100 cases."""
    rng, pairs = np.random.default_rng(1), np.array([won, of])
    sums = pairs[:, rng.integers(len(won), size=(SAMPLES, len(won)))].sum(axis=2)
    low, high = np.percentile(sums[0] / sums[1], [2.5, 97.5])
    return f"{whole * sum(won) / sum(of):.1f} ({whole * low:.1f} to {whole * high:.1f})"


def beginning(game: Game, seed: int, moves: int) -> State:
    """A deal after so many random moves."""
    state, rng = game.new_initial_state(seed), new_rng(seed)
    for _ in range(moves):
        if not state.is_terminal():
            state.apply_action(state.random_action(rng))
    return state


def compare(game: Game, one: str, other: str, deals: int, seed: int, opening: int = 0) -> str:
    """How the first fares against the second."""
    players, won, of, spent = game.num_players(), list[float](), list[float](), (list[float](), list[float]())
    for deal in range(deals):
        begin = beginning(game, derived_seed(seed, deal), opening)
        if begin.is_terminal():
            continue
        got, total = 0.0, 0.0
        for seat in range(max(players, 2)):  # alone: first the one, then the other
            names = [one if player == seat else other for player in range(players)]
            agents = [read_level(name)(game, derived_seed(seed, deal, name, i)) for i, name in enumerate(names)]
            seconds: dict[int, list[float]] = {}
            returns = play(begin, agents, seconds)
            for name, agent in zip(names, agents, strict=True):
                spent[name == other].extend(seconds.get(id(agent), []))
            got += (-returns[0] if seat else returns[0]) if players == 1 else returns[seat]
            total += 0.5 if players == 1 else sum(returns)
        won.append(got)
        of.append(total)
    costs = " / ".join(f"{1000 * np.mean(part):.2f}" for part in spent)
    what = "points more" if players == 1 else f"%, even {100 / players:.0f}"
    taken = interval(won, of, 1 if players == 1 else 100)
    return f"{one} against {other}: {taken} {what}; {len(won)} deals; {costs} ms CPU a turn"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("parameters", nargs="*", help="NAME=VALUE")
    parser.add_argument("--levels", nargs="+", required=True)
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opening", type=int, default=0, help="random moves before the levels play")
    parser.add_argument("--interpreted", action="store_true", help="see how quickly interpreted rules play them")
    options = parser.parse_args()
    chosen = dict(text.split("=", 1) for text in options.parameters)
    game = load(options.game, compiled=not options.interpreted, **chosen)
    for other, one in pairwise(options.levels):
        print(compare(game, one, other, options.deals, options.seed, options.opening), flush=True)


if __name__ == "__main__":
    main()
