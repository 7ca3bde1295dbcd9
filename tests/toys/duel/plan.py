"""The next turn of a player, with the present hand."""

from ludoteca.core.contract import TERMINAL, RawPosition


def begin_turn(view: RawPosition, player: int) -> None:
    """A player without cards has had the last turn."""
    view.mover = player if view.n_hand[player] else TERMINAL
