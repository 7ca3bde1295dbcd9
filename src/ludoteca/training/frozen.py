"""Games of searches with new weights against frozen opponents: the weights that a game had before the training."""

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
"""The budget of a turn, of both sides."""
AT_A_POINT: Final = 24
"""The number of deals at a point of the curves. Each is played from every seat."""
AT_THE_END: Final = 120
"""The number of deals at the end, which decide whether new weights replace the old ones."""


def measure_search(games: list[Game], new: LearnedValue, old: LearnedValue | None, deals: int, seed: int) -> Strength:
    """Return the strength of searches with new weights against searches with old ones, or without these against greedy.

    The deals are shared out among the games. In games for wins, the strength is the share of the wins. In games for points,
    it is the lead over the mean of the others, or alone over the other's points on the same deal.
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
    """Return the returns of a game from a balanced opening. A player without weights is greedy, or plays at random."""
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
