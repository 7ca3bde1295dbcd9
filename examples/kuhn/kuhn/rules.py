"""Kuhn poker (H. W. Kuhn, 1950): each player has one of three cards and one chip in the pot, and may bet one more chip.

The game ends after two passes, after a bet and a pass, or after two bets. A player who passes after a bet gives up the pot.
Otherwise the higher card takes it.
"""

from typing import Final

import numpy as np

from ludoteca.core.contract import TERMINAL, Integers, RawPosition, Words, i64
from ludoteca.core.rng import draw

CARDS: Final = 3
PASS: Final = 0
BET: Final = 1

ACTIONS: Final = 2
CONCEDE: Final = -1
MAX_LEGAL: Final = 2
MAX_MOVES: Final = 3
MAX_SCORE: Final = 2
MIN_SCORE: Final = -2
UTILITY: Final = "points"
DERIVED: Final = ()

STATE: Final = np.dtype(
    [
        ("cards", "i1", (2,)),  # 1 to CARDS; 0 hidden
        ("chips", "i1", (2,)),  # in the pot
        ("played", "i1"),  # actions so far
        ("mover", "i1"),
    ]
)


def deals() -> list[str]:
    """Return all deals in the game's notation. They are equally likely."""
    return [f"{one}{other} 11 0 0" for one in range(1, CARDS + 1) for other in range(1, CARDS + 1) if one != other]


def setup(state: RawPosition) -> None:
    state.chips[0], state.chips[1] = 1, 1


def deal(state: RawPosition, rng: Words) -> None:
    redeal(state, i64(-1), rng)


def current_player(state: RawPosition) -> int:
    return i64(state.mover)


def legal_actions(state: RawPosition, out: Integers) -> int:
    if is_terminal(state):
        return 0
    out[0], out[1] = PASS, BET
    return 2


def random_action(state: RawPosition, rng: Words) -> int:
    return draw(rng, i64(ACTIONS))


def apply(state: RawPosition, action: int) -> None:
    player = i64(state.mover)
    if action == BET:
        state.chips[player] += 1
    state.played += 1
    settled = state.played == 2 and not (action == BET and state.chips[0] != state.chips[1])
    state.mover = TERMINAL if settled or state.played == 3 else 1 - player


def is_terminal(state: RawPosition) -> bool:
    return i64(state.mover) == TERMINAL


def scores(state: RawPosition, out: Integers) -> None:
    won = winners(state)
    lost = min(i64(state.chips[0]), i64(state.chips[1]))
    for player in range(2):
        out[player] = 0 if won == 0 else lost if (won >> player) & 1 else -lost


def winners(state: RawPosition) -> int:
    if not is_terminal(state):
        return 0
    if state.chips[0] != state.chips[1]:
        return 1 if state.chips[0] > state.chips[1] else 2
    return 1 if state.cards[0] > state.cards[1] else 2


def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
    shown = is_terminal(state) and state.chips[0] == state.chips[1]
    for seat in range(2):
        if seat == player or shown:
            view.cards[seat] = state.cards[seat]
        view.chips[seat] = state.chips[seat]
    view.played = state.played
    view.mover = state.mover


def redeal(state: RawPosition, player: int, rng: Words) -> None:
    for seat in range(2):
        if state.cards[seat] == 0:
            other = i64(state.cards[1 - seat])
            card = 1 + draw(rng, i64(CARDS) if other == 0 else i64(CARDS) - 1)
            state.cards[seat] = card + 1 if 0 < other <= card else card


def seen_action(state: RawPosition, action: int, player: int) -> int:
    return action
