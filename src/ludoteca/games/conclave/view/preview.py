"""The emissary in the hole, what its row and its column would sum to, and the wizards who would follow."""

from functools import lru_cache
from typing import Final

import numpy as np
from msgspec.structs import replace

from ludoteca.core.arrays import copied, struct_dtype
from ludoteca.core.bits import members
from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import LIST, Message
from ludoteca.core.scene import Item, Preview, Scene
from ludoteca.games.conclave import rules
from ludoteca.games.conclave.notation import card_name, hand_of
from ludoteca.games.conclave.sets import CELLS, column_run, row_run
from ludoteca.games.conclave.view.pieces import BOARD, layout, name_of, on_board
from ludoteca.games.conclave.view.scene import describe

BEYOND: Final = 4.5
"""From the board's right and lower edges to the sums of the row and the column."""
SUM: Final = 18.0
"""Twice the height of the numbers."""


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Nothing but words for ceding and drawing."""
    if action >= rules.CEDE:
        return Preview((), (), describe(view, player, action))
    place, cell = divmod(action, CELLS)
    card = hand_of(view, player)[place]
    row, column = _sums_with(int(view.occupied), int(view.influence), card, cell)
    after = copied(view)
    rules.put(after, card, cell)
    followers = [int(view.board[at]) for at in members(int(rules.won_from(after, card, cell)))]
    emissary = on_board(int(view.players), cell, card)
    ghosts = replace(emissary, id="ghost-emissary", label=""), *_sums(int(view.players), cell, row, column)
    if not followers:
        return Preview(ghosts, (), ("preview.nobody", row, column))
    key = "preview.follow" if rules.convinced_by(after, card, cell) else "preview.crisis"
    told: Message = (key, row, column, (LIST, *(name_of(follower) for follower in followers)))
    return Preview(ghosts, tuple(card_name(follower) for follower in followers), told)


def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> tuple[Item, ...]:
    """What the row and the column of an emissary have summed to, before anybody follows."""
    if action >= rules.CEDE:
        return ()
    cell = action % CELLS
    sums = _sums_with(int(before.occupied), int(before.influence), int(after.board[cell]), cell)
    return _sums(int(before.players), cell, *sums)


@lru_cache(maxsize=256)
def _sums_with(occupied: int, influence: int, card: int, cell: int) -> tuple[int, int]:
    """What the row and the column of an emissary sum to before anybody follows. It is the same for all seats.

    `occupied` and `influence` are those of the position in which it is sent.
    """
    board = np.zeros(1, struct_dtype(rules.STATE))[0]
    board.occupied, board.influence = occupied, influence
    rules.put(board, card, cell)
    runs = (run(int(board.occupied), cell) for run in (row_run, column_run))
    row, column = (int(rules.sum_on(int(board.influence), run)) for run in runs)
    return row, column


@lru_cache(maxsize=256)
def _sums(players: int, cell: int, row: int, column: int) -> tuple[Item, ...]:
    """The sums beyond the ends of a row and a column."""
    at = layout(players)
    spot = at.cells[cell]
    right, below = at.board.x + BOARD[0] / 2 + BEYOND, at.board.y + BOARD[1] / 2 + BEYOND
    sums = (("row", right, spot.y, row), ("column", spot.x, below, column))
    return tuple(
        Item(f"ghost-{line}", "", x, y, SUM, SUM, 0, "sum enough" if total >= rules.ENOUGH else "sum", text=str(total))
        for line, x, y, total in sums
    )
