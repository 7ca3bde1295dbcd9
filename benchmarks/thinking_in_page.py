"""A program for `web/run.mjs`: it prints the mean milliseconds of a level's moves in a page's Python.

It imports nothing that a page lacks.
"""

import sys
import time

from ludoteca.agents.agent import new_agent
from ludoteca.core.game import Game
from ludoteca.core.registry import find
from ludoteca.web.shell import SEARCHES

MOVES = 6


def main(name: str, level: str) -> None:
    game = Game(find(name), {"players": 2} if name == "metro" else {}, compiled=True)
    state, total = game.new_initial_state(1), 0.0
    agents = [new_agent(level, game, seat, SEARCHES) for seat in range(game.num_players())]
    for number in range(MOVES + 1):
        known = state.information_state(state.current_player())
        began = time.perf_counter()
        action = agents[known.player].choose(known).action
        total += (time.perf_counter() - began) if number else 0.0  # the first also reads the weights
        state.apply_action(action)
    sys.stdout.write(f"{1000 * total / MOVES:.0f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
