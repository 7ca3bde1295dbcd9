"""The next turn of a player: an answer to the play on the table or to a higher play of its kind, or the next lead."""

from ludoteca.core.contract import RawPosition
from ludoteca.games.cartas import rules


def begin_turn(view: RawPosition, player: int) -> None:
    """Let all players before this player pass. The maker of the play on the table then leads."""
    maker = (int(view.mover) - 1 - int(view.passes)) % rules.PLAYERS
    view.mover = player
    if view.play and maker != player:
        view.passes = (player - 1 - maker) % rules.PLAYERS
    else:
        rules.set_play(view, 0)
        view.passes = 0
