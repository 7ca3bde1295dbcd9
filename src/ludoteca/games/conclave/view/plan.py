"""A player's next turn, with the present hand and the present board."""

from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.games.conclave import rules
from ludoteca.games.conclave.deck import NOTHING
from ludoteca.games.conclave.notation import hand_of


def begin_turn(view: RawPosition, player: int) -> None:
    """Change the view to the player's next turn. A player with an empty place in the hand has had the last turn."""
    if NOTHING in hand_of(view, player):
        view.mover = TERMINAL
    else:
        rules.begin_turn(view, player)
