"""What the play leaves: how many cards, and how many turns these take at the least."""

from ludoteca.core.contract import RawPosition
from ludoteca.core.scene import Preview
from ludoteca.games.cartas import rules
from ludoteca.games.cartas.turns import turns
from ludoteca.games.cartas.view.scene import describe


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Nothing but words for passing."""
    if action == rules.PASS:
        return Preview((), (), describe(view, player, action))
    rest = int(view.hands[player]) & ~action
    told = ("preview.leaves", rest.bit_count(), int(turns(rest))) if rest else ("preview.last",)
    return Preview((), (), told)
