"""Compare each agent of a list with the one before it. Every deal is played from every seat.

    python -m benchmarks levels cartas --levels greedy 0.025cpu --deals 200
    python -m benchmarks levels qinto variant=light players=2 --levels 0.1 0.3 20 80:0.5:1 350

An agent has a name (`greedy`, `3`, `0.3cpu`), or it is a level that no game has yet. `0.3` does not search and notices 0.3
of the legal actions. `80` searches with 80 simulations a turn. `80:0.5:1` does so in half of its turns. In the others it
does not search, and notices all actions. Shares are of the wins or, in a game for points, of the points. Intervals are of
95 %, by bootstrap over the deals.

Figures: docs/strength.md#the-ladder, docs/strength.md#among-greedy-players
"""

import time
from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import pairwise

from benchmarks.measuring import print_header, print_row, share_bounds
from ludoteca.agents.agent import Agent, agent_of, new_agent
from ludoteca.core.game import Game, State, load
from ludoteca.core.levels import Level, is_name
from ludoteca.core.rng import new_rng
from ludoteca.core.seeds import derived_seed


def agent(text: str, game: Game, seed: int) -> Agent:
    """Return the agent that a text of the list describes."""
    if is_name(text):
        return new_agent(text, game, seed)
    if text.startswith("0.") or text == "1.0":
        return agent_of(Level(notices=float(text)), game, seed)
    simulations, careless, notices = [*text.split(":"), "0", "0"][:3]
    return agent_of(Level(int(simulations), float(careless), float(notices)), game, seed)


def play(state: State, agents: list[Agent]) -> tuple[list[float], list[float], list[int]]:
    """Play a game to its end. Return the returns, the processor seconds and the number of turns of each player."""
    seconds, turns = [0.0] * len(agents), [0] * len(agents)
    while not state.is_terminal():
        player = state.current_player()
        turns[player] += not turns[player] or state.view(player).begins_turn()
        begin = time.process_time()
        action = agents[player].choose(state.information_state(player)).action
        seconds[player] += time.process_time() - begin
        state.apply_action(action)
    return state.returns(), seconds, turns


def beginning(game: Game, seed: int, moves: int) -> State:
    """Return a deal after this many random moves."""
    state, rng = game.new_initial_state(seed), new_rng(seed)
    while len(state.history()) < moves and not state.is_terminal():
        state.apply_action(state.random_action(rng))
    return state


def compare(game: Game, one: str, other: str, seeds: Sequence[int], opening: int) -> None:
    """Print the share of the first agent among copies of the second, or alone the difference of their points."""
    players = game.num_players()
    own, everybody, spent, turns = list[float](), list[float](), [0.0, 0.0], [0, 0]
    for seed in seeds:
        begin = beginning(game, seed, opening)
        if begin.is_terminal():
            continue
        taken = [0.0, 0.0]
        for seat in range(max(players, 2)):  # alone, both play the deal
            names = [one if player == seat else other for player in range(players)]
            agents = [agent(name, game, derived_seed(seed, name, player)) for player, name in enumerate(names)]
            returns, seconds, turns_played = play(begin.clone(), agents)
            for player in range(players):
                side = int(player != seat)
                taken[side] += returns[player]
                spent[side] += seconds[player]
                turns[side] += turns_played[player]
        own.append(taken[0] - taken[1] if players == 1 else taken[0])
        everybody.append(1.0 if players == 1 else sum(taken))
    whole = 1 if players == 1 else 100
    low, high = (whole * bound for bound in share_bounds(own, everybody))
    costs = " / ".join(f"{1000 * part / max(1, number):.2f}" for part, number in zip(spent, turns, strict=True))
    print_row(one, other, f"{whole * sum(own) / sum(everybody):.1f}", f"{low:.1f} to {high:.1f}", len(own), costs)


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--levels", nargs="+", required=True, metavar="AGENT")
    parser.add_argument("--deals", type=int, default=40, help="(40)")
    parser.add_argument("--seed", type=int, default=1, help="(1)")
    parser.add_argument("--opening", type=int, default=0, metavar="MOVES", help="random moves before the agents play (0)")
    options = parser.parse_args(arguments)
    game = load(options.game, compiled=True, **dict(text.split("=", 1) for text in options.parameters))
    seeds = [derived_seed(options.seed, deal) for deal in range(options.deals)]
    even = "points more" if game.num_players() == 1 else f"share, % (even: {100 / game.num_players():.0f})"
    print_header("level", "against", even, "interval", "deals", "ms of processor a turn")
    for other, one in pairwise(options.levels):
        compare(game, one, other, seeds, options.opening)
