"""The next turn of a player. The player's tile will then be placed."""

from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.games.metro import rules
from ludoteca.games.metro.tiles import NONE


def begin_turn(view: RawPosition, player: int) -> None:
    """Put the mover's tile back into the hand and begin the player's turn. A player without a tile has no turn."""
    if view.hands[view.mover] == NONE:
        view.hands[view.mover] = view.tile
    if view.hands[player] == NONE:
        view.mover = TERMINAL
    else:
        rules.begin_turn(view, player)
