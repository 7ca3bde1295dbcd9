"""The next turn of a player, with the wizards that are held now: to a hole that is still there."""

from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.games.conclave import rules
from ludoteca.games.conclave.deck import NOTHING
from ludoteca.games.conclave.notation import hand_of


def begin_turn(view: RawPosition, player: int) -> None:
    """Whose hand was not filled again has had the last turn."""
    if NOTHING in hand_of(view, player):
        view.mover = TERMINAL
    else:
        rules.begin_turn(view, player)
