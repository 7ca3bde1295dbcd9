"""Names of tiles and cells, and the tiles of grid, hands and piles by their names, of which all texts about Q!nto are made.

A tile is its shape and its colour, as in the document: `1b` to `5Y`, with `W` for what is open: `1W`, `WG`, `WW`. A place
is (row, column), counted downwards and to the right from the first tile, which lies at 0,0.
"""

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Final

import numpy as np

from ludoteca.core.bits import members
from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import NotationError
from ludoteca.games.qinto.grid import Place
from ludoteca.games.qinto.hidden import has_own_pile, pile_of
from ludoteca.games.qinto.rim import CELLS, SIDE, START
from ludoteca.games.qinto.tiles import KINDS, SWAPPED, colour_of, copies, shape_of

SHAPES: Final = "12345W"
COLOURS: Final = "bBGRYW"
WILD: Final = "W"
"""The shape or the colour that a wild leaves open."""
HIDDEN: Final = "?"
"""A tile that a seat does not see."""
HALF: Final = SIDE // 2


@cache
def kind_name(kind: int) -> str:
    """`5b`; `?` for a tile that is not seen."""
    return SHAPES[shape_of(kind)] + COLOURS[colour_of(kind)] if kind else HIDDEN


KIND_OF: Final = {kind_name(kind): kind for kind in range(1, KINDS + 1)}
"""The number of each kind by its name."""
COPIES: Final = {name: copies(kind) for name, kind in KIND_OF.items()}
"""The number of tiles of each name."""


def read_kind(text: str) -> int:
    """The kind of a name. Raises NotationError."""
    if text not in KIND_OF:
        raise NotationError(("unread.tile", repr(text[:20])), __package__)
    return KIND_OF[text]


# Cells


def wrapped(place: Place) -> Place:
    """The same place with each number in -32..31."""
    row, column = place
    return (row + HALF) % SIDE - HALF, (column + HALF) % SIDE - HALF


def place_name(place: Place) -> str:
    """`-1,2`, each number in -32..31."""
    row, column = wrapped(place)
    return f"{row},{column}"


def read_place(text: str) -> Place:
    """The place of a name. Raises NotationError."""
    found = re.fullmatch("(-?[0-9]{1,3}),(-?[0-9]{1,3})", text)
    if not found:
        raise NotationError(("unread.cell", repr(text[:20])), __package__)
    return int(found[1]), int(found[2])


def cell_of(place: Place) -> int:
    """The cell of the torus that a place is."""
    row, column = place
    return (row + HALF) % SIDE * SIDE + (column + HALF) % SIDE


def place_of(cell: int) -> Place:
    """The place of a cell, each number in -32..31."""
    row, column = divmod(int(cell), SIDE)
    return row - HALF, column - HALF


# What lies where


def tiles_of(state: RawPosition) -> dict[Place, str]:
    """The tiles on the grid by their places, which go on as the grid does: 31 is followed by 32."""
    found = np.flatnonzero(state.grid != 0)  # twice as fast as without comparing
    kinds, places = state.grid[found].tolist(), [divmod(cell, SIDE) for cell in found.tolist()]
    rows, columns = (_straightened({place[i] for place in places}) for i in (0, 1))
    named = zip(places, kinds, strict=True)
    return {(rows[row], columns[column]): kind_name(kind % SWAPPED) for (row, column), kind in named}


def place_near(tiles: Collection[Place], cell: int) -> Place:
    """The place of a cell, counted on from where the tiles are: in 31, 32 when they cross from 31 to -32."""
    near = []
    for number, lines in zip(place_of(cell), zip(*tiles, strict=True) if tiles else ((0,), (0,)), strict=True):
        low, high = min(lines), max(lines)
        near.append(min((number - SIDE, number, number + SIDE), key=lambda way: max(low - way, way - high, 0)))
    return near[0], near[1]


def _straightened(lines: set[int]) -> dict[int, int]:
    """Rows or columns of the torus, of which some in a row are not empty, numbered from that of the first tile."""
    numbers: dict[int, int] = {}
    for step in (1, -1):
        number = 0
        while (number + HALF) % SIDE in lines:
            numbers[(number + HALF) % SIDE] = number
            number += step
    return numbers


def hand_of(state: RawPosition, player: int) -> list[str]:
    """The tiles of a hand, by kind."""
    names = _names_in(int(state.held[player]), int(state.paired[player]))
    return list(names) or int(state.in_hand[player]) * [HIDDEN]


@lru_cache(maxsize=1 << 10)
def _names_in(held: int, paired: int) -> tuple[str, ...]:
    return tuple(kind_name(kind) for kind in members(held | paired) for bits in (held, paired) if bits >> kind & 1)


def pile_size(state: RawPosition, player: int) -> int:
    """The number of tiles in the pile from which a player draws."""
    return int(state.piled[pile_of(state, player)])


def pile_names(state: RawPosition, pile: int) -> list[str]:
    """The tiles of a pile from the top down."""
    return [kind_name(kind) for kind in _kinds_in(state, pile)][::-1]


def seen_in_pile(state: RawPosition, pile: int) -> list[str]:
    """The same, from the topmost tile that is seen."""
    return [kind_name(kind) for kind in _kinds_in(state, pile).rstrip(b"\0")][::-1]


def _kinds_in(state: RawPosition, pile: int) -> bytes:
    """The kinds in a pile from the bottom up."""
    start = pile * int(state.share)
    kinds: bytes = state.piles[start : start + int(state.piled[pile])].tobytes()
    return kinds


def piles_of(state: RawPosition) -> range:
    """The numbers of the piles: one a player in Light, else one."""
    return range(int(state.players)) if has_own_pile(state) else range(1)


assert cell_of((0, 0)) == START
assert SIDE * SIDE == CELLS
