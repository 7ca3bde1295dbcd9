"""Measures new weights in games of searches: one player searches with the new weights, and the others with the weights that
the game had before the training (the frozen opponents).
"""

from itertools import count
from typing import Final

import numpy as np

from ludoteca.agents.agent import Agent, SearchAgent, new_agent
from ludoteca.agents.openings import draw_opening, moves_of
from ludoteca.core.game import Game
from ludoteca.core.levels import quick_name_for
from ludoteca.core.seeds import derived_seed
from ludoteca.core.value import LearnedValue
from ludoteca.search.findings import Budget
from ludoteca.training.batches import Strength, strength_of

BUDGET: Final = Budget(simulations=200)
"""The search budget for a turn of each player."""
AT_A_POINT: Final = 24
"""The number of deals in a measurement during a training. Each is played from every seat."""
AT_THE_END: Final = 120
"""The number of deals at the end of a training. The result decides whether the new weights replace the old ones."""


def measure_search(games: list[Game], new: LearnedValue, old: LearnedValue | None, deals: int, seed: int) -> Strength:
    """Return the strength of a search with the weights `new` against searches with the weights `old`, or against greedy
    players if `old` is None.

    The deals are distributed among the games. In games for wins, the strength is the share of the wins. In games for points,
    it is the lead over the mean of the other players. In games for one player, it is the difference between the points of
    `new` and `old` on the same deal.
    """
    found = []
    for deal, game in zip(range(deals), (games[number % len(games)] for number in count()), strict=False):
        of_deal = derived_seed(seed, "deal", deal)
        players = game.num_players()
        if players == 1:
            found.append(_play(game, of_deal, [new])[0] - _play(game, of_deal, [old])[0])
            continue
        for_points, results = game.utility() == "points", []
        for seat in range(players):
            returns = _play(game, of_deal, [new if player == seat else old for player in range(players)])
            others = (sum(returns) - returns[seat]) / (players - 1) if for_points else 0.0
            results.append(returns[seat] - others)
        found.append(sum(results) / players)
    return strength_of(np.array(found, np.float64))


def _play(game: Game, seed: int, values: list[LearnedValue | None]) -> list[float]:
    """Play a game from a balanced opening, and return each player's utility. A player with weights searches. A player
    without weights is greedy, or random if the game has no heuristics.
    """
    agents: list[Agent] = [
        SearchAgent(game, BUDGET, seed=derived_seed(seed, seat), value=value)
        if value
        else new_agent(quick_name_for(game.spec), game, derived_seed(seed, seat))
        for seat, value in enumerate(values)
    ]
    state = game.new_initial_state(seed)
    for action in draw_opening(game, moves_of(game, None), seed):
        state.apply_action(action)
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(agents[player].choose(state.information_state(player)).action)
    return state.returns()
