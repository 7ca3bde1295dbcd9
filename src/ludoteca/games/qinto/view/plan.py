"""The next turn of a player, with the hand that is held now: its first step, on the grid as it lies at present."""

from ludoteca.core.contract import RawPosition
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.rim import unmark


def begin_turn(view: RawPosition, player: int) -> None:
    """As if the turn that is under way ended here: wilds that it has brought may be swapped then."""
    if view.phase == rules.SWAPPING:
        unmark(view)
    rules.begin_turn(view, player)
