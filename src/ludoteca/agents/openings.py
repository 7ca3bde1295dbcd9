"""Openings: random first moves of a game. A game without chance would otherwise always start from the same position, so that
agents would repeat the same game. Tournaments and measurements use them.

If players change seats on the same deal, the opening is the same. Bots receive the moves of an opening as ordinary moves.
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
"""An opening for two players is accepted if the mover's expected share of the win is 0.5, give or take this much."""
BUDGET: Final = Budget(simulations=5)
"""The search that estimates this share. A search with 500 simulations agrees on nine of ten accepted openings."""


def moves_of(game: Game, wanted: int | None) -> int:
    """Return how many random moves the openings of a match have. `wanted` is the number that the user chose, or None for the
    default.

    The default is two moves for each player and one more, because after an even number of random moves the player to move is
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
    """Return the random first moves of a deal, as actions. `moves` is their number, and `seed` is the seed of the deal.

    For two players, up to TRIES openings are drawn. The result is the first one that a short search calls balanced, or else
    the most balanced one. For other numbers of players it is the first opening. An opening that ends the game is not used.
    If all of them do, the result is empty.
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
