"""Openings: random first moves, so that the deals of a game without chance differ.

All seatings of a deal have the same opening. Bots receive its moves as ordinary moves.
"""

from functools import lru_cache
from typing import Final

from ludoteca.agents.agent import new_searcher
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game
from ludoteca.core.rng import new_rng
from ludoteca.search.searcher import Budget

TRIES: Final = 20
"""The maximum number of openings that are drawn for a deal."""
BALANCED: Final = 0.15
"""An opening of a game for two is accepted if the player to move wins with a probability of 0.5, give or take this much."""
BUDGET: Final = Budget(simulations=5)
"""The search that estimates this probability. A search with 500 simulations agrees on nine of ten accepted openings."""


def moves_of(game: Game, wanted: int | None) -> int:
    """Return how many random moves the openings of a match have.

    By default there are two for each player and one more, because after an even number of random moves the player to move is
    ahead. A game with chance has no openings, because its deals differ already. Raises ParameterError if `wanted` is above 0
    in such a game.
    """
    if game.spec.perfect_information:
        return 2 * game.num_players() + 1 if wanted is None else wanted
    if wanted:
        raise ParameterError(f"opening: read {wanted}, expected 0: the deals of {game.name} differ by chance")
    return 0


@lru_cache(64)
def draw_opening(game: Game, moves: int, seed: int) -> tuple[int, ...]:
    """Draw the first moves of a deal.

    For two players, draw up to TRIES openings and take the first one that a short search calls balanced, or else the most
    balanced one. For other numbers of players, take the first opening. An opening that ends the game is drawn again. If all
    of them do, the result is empty.
    """
    rng, best, least = new_rng(seed), tuple[int, ...](), 1.0
    searcher = new_searcher(game) if moves and game.num_players() == 2 else None
    for _ in range(TRIES if moves else 0):
        state = game.new_initial_state(seed)
        while len(state.history()) < moves and not state.is_terminal():
            state.apply_action(state.random_action(rng))
        if state.is_terminal():
            continue
        if searcher is None:
            return tuple(state.history())
        mover = state.current_player()
        value = searcher.search(state.information_state(mover), BUDGET).choices[0].values[mover]
        if abs(value - 0.5) < least:
            best, least = tuple(state.history()), abs(value - 0.5)
        if least <= BALANCED:
            break
    return best
