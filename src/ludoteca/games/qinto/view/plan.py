"""The first step of a player's next turn, with the present hand and on the present grid."""

from ludoteca.core.contract import RawPosition
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.rim import unmark


def begin_turn(view: RawPosition, player: int) -> None:
    """End the present turn. After it, the wilds that its swaps brought to the grid may be swapped."""
    if view.phase == rules.SWAPPING:
        unmark(view)
    rules.begin_turn(view, player)
