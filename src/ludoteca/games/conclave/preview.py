"""The emissary in the hole, what its row and its column would sum to, and the wizards who would follow."""

from typing import Final

import numpy as np

from ludoteca.core.bits import members
from ludoteca.core.contract import RawPosition, struct_dtype
from ludoteca.core.messages import LIST, Message
from ludoteca.core.scene import Item, Preview
from ludoteca.games.conclave import rules
from ludoteca.games.conclave.notation import card_name, hand_of
from ludoteca.games.conclave.pieces import BOARD, layout, name_of, on_board
from ludoteca.games.conclave.scene import describe
from ludoteca.games.conclave.sets import CELLS, column_run, row_run

BEYOND: Final = 4.5
"""From the board's right and lower edges to the sums of the row and the column."""
SUM: Final = 11.0
"""Twice the height of the numbers."""


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Nothing but words for ceding and drawing."""
    if action >= rules.CEDE:
        return Preview((), (), describe(view, player, action))
    place, cell = divmod(action, CELLS)
    card = hand_of(view, player)[place]
    after: RawPosition = np.array([view], struct_dtype(rules.STATE))[0]
    rules.put(after, card, cell)
    occupied, influence = int(after.occupied), int(after.influence)
    row, column = (int(rules.sum_on(influence, run)) for run in (row_run(occupied, cell), column_run(occupied, cell)))
    followers = [int(view.board[at]) for at in members(int(rules.won_from(after, card, cell)))]
    ghosts = _ghosts(int(view.players), card, cell, row, column)
    if not followers:
        return Preview(ghosts, (), ("preview.nobody", row, column))
    key = "preview.follow" if rules.convinced_by(after, card, cell) else "preview.crisis"
    told: Message = (key, row, column, (LIST, *(name_of(follower) for follower in followers)))
    return Preview(ghosts, tuple(card_name(follower) for follower in followers), told)


def _ghosts(players: int, card: int, cell: int, row: int, column: int) -> tuple[Item, ...]:
    """The emissary, and the sums beyond the ends of its row and its column."""
    at = layout(players)
    spot = at.cells[cell]
    right, below = at.board.x + BOARD[0] / 2 + BEYOND, at.board.y + BOARD[1] / 2 + BEYOND
    sums = (("row", right, spot.y, row), ("column", spot.x, below, column))
    emissary = on_board(players, cell, card, "", "")
    return (
        Item("ghost-emissary", emissary.sprite, *spot, 0, emissary.classes),
        *(
            Item(f"ghost-{line}", "", x, y, SUM, SUM, 0, "sum enough" if total >= rules.ENOUGH else "sum", text=str(total))
            for line, x, y, total in sums
        ),
    )
