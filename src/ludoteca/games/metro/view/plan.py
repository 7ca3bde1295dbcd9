"""The next turn of a player who keeps a tile: it is that one which will be placed."""

from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.games.metro import rules
from ludoteca.games.metro.tiles import NONE


def begin_turn(view: RawPosition, player: int) -> None:
    """The mover keeps the tile that is to be placed now; who has no tile is passed over."""
    if view.hands[view.mover] == NONE:
        view.hands[view.mover] = view.tile
    if view.hands[player] == NONE:
        view.mover = TERMINAL
    else:
        rules.begin_turn(view, player)
