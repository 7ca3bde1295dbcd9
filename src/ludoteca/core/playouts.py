"""Whole random games, for `ludoteca bench` and other measurements."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import RawPositions, Words

if TYPE_CHECKING:
    from ludoteca.core.contract import apply, deal, is_terminal, playout_action


def play_games(prepared: RawPositions, states: RawPositions, rng: Words, games: int) -> int:
    """Deal and play this many games, one after another, in states[0]. Return the number of actions."""
    state = states[0]
    moves = 0
    for _ in range(games):
        states[0] = prepared[0]
        deal(state, rng)
        while not is_terminal(state):
            apply(state, playout_action(state, rng))
            moves += 1
    return moves
