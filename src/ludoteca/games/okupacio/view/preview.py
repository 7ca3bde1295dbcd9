"""The army's pieces on the cell and on the neighbours that would fall with it."""

from ludoteca.core.contract import RawPosition
from ludoteca.core.scene import Item, Preview
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.notation import cell_name
from ludoteca.games.okupacio.view.scene import PIECE, describe, falling_with, place_of


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Nothing but words for giving up."""
    told = describe(view, player, action)
    if action == rules.CONCEDE:
        return Preview((), (), told)
    army, falling = int(view.mover), falling_with(view, action)
    taken = [action + rules.ROW, *falling]
    pieces = [
        Item(f"ghost-{cell_name(cell)}", f"army-{army}", *place_of(cell), PIECE, PIECE, classes=f"player-{army}")
        for cell in taken
    ]
    return Preview(tuple(pieces), tuple(cell_name(cell) for cell in falling), told)
