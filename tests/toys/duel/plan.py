"""The next turn of a player, with the cards that are held now."""

from ludoteca.core.contract import TERMINAL, RawPosition


def begin_turn(view: RawPosition, player: int) -> None:
    """Who has no card left has had the last turn."""
    view.mover = player if view.n_hand[player] else TERMINAL
