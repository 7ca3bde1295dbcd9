"""Plays whole random games, to measure the speed of a game's rules (`ludoteca bench`)."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import RawPositions, Words

if TYPE_CHECKING:
    from ludoteca.core.contract import apply, deal, is_terminal, playout_action


def play_games(prepared: RawPositions, states: RawPositions, rng: Words, games: int) -> int:
    """Play `games` games to their end, one after another, by the playout policy. Return the number of actions in all of
    them.

    prepared[0] is the position before the deal, and states[0] is working memory for the game that is played.
    """
    state = states[0]
    moves = 0
    for _ in range(games):
        states[0] = prepared[0]
        deal(state, rng)
        while not is_terminal(state):
            apply(state, playout_action(state, rng))
            moves += 1
    return moves
