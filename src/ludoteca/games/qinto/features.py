"""Q!nto as numbers for a learner: one row of numbers from 0 to 1, the players in turn order from the observer on.

First come PLANES planes of WINDOW x WINDOW cells around the middle of the grid (of the rectangle that holds its tiles), so
that it does not matter where on the torus they lie; the few tiles of a very long grid that lie outside are left out. The
rest are single numbers. `split` takes the row apart.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ludoteca.core.contract import Floats, RawPosition
from ludoteca.games.qinto import rules, tiles
from ludoteca.games.qinto.rim import CELLS, SIDE, START

WINDOW: Final = 31
PLANE_NAMES: Final = (
    *(f"shape {value}" for value in (*range(1, tiles.VALUES + 1), "open")),
    *(f"colour {value}" for value in ("black", "blue", "green", "red", "yellow", "open")),
    "tile",
    "swapped in this turn",
    "rim",
    "hand that fits",
    "end of the line of this turn",
)
PLANES: Final = len(PLANE_NAMES)
NUMBERS: Final = 2 * tiles.KINDS
"""Behind the planes: how many tiles of each kind the observer has, and how many the observer does not see, in halves."""
PHASES: Final = 4
OTHERS: Final = PHASES + 5
"""Behind the numbers of each player: phase, then line (two), tiles added, again, turns without an added tile."""
OF_PLAYER: Final = 5
"""For each player: tiles in hand, in the pile, points, whether they are to move, how many tiles of the pile they know."""
MOST_POINTS: Final = 200
"""The most points that are told apart: more are shown as so many."""


def shape(parameters: Mapping[str, Any]) -> tuple[int]:
    """The length of `observation`."""
    return (PLANES * WINDOW * WINDOW + NUMBERS + OF_PLAYER * int(parameters["players"]) + OTHERS,)


def split(row: Floats) -> tuple[Floats, Floats]:
    """An observation as planes, (PLANES, WINDOW, WINDOW), rows downwards, and the single numbers."""
    cells = PLANES * WINDOW * WINDOW
    return row[:cells].reshape(PLANES, WINDOW, WINDOW), row[cells:]


def observation(view: RawPosition, player: int) -> Floats:
    """The view as numbers, float32. A spectator sees the players from the first on, and has no hand."""
    players = int(view.players)
    order = [(max(player, 0) + i) % players for i in range(players)]
    own = np.zeros(tiles.KINDS, np.float32)
    if player >= 0:
        sets = int(view.held[player]), int(view.paired[player])
        own[:] = [sum(kinds >> kind & 1 for kinds in sets) / 2 for kind in range(1, tiles.KINDS + 1)]
    piles = [seat if view.share else 0 for seat in order]
    parts = [
        _planes(view, player).ravel(),
        own,
        np.bincount(view.unseen, minlength=tiles.KINDS + 1)[1:] / 2,
        view.in_hand[order] / rules.HAND,
        view.piled[piles] / tiles.TILES,
        np.minimum(view.points[order], MOST_POINTS) / MOST_POINTS,
        np.array([view.mover == seat for seat in order]),
        np.array([int(view.known[seat]).bit_count() / tiles.TILES for seat in order]),
        np.eye(PHASES)[view.phase],
        np.array([view.line == rules.ROW, view.line == rules.COLUMN, view.laid / rules.HAND, view.again]),
        np.array([view.idle / (view.rounds * view.players)]),
    ]
    return np.concatenate(parts).astype(np.float32)


def _planes(view: RawPosition, player: int) -> Floats:
    """The planes in the order of their names."""
    kinds = view.grid.astype(np.int64) & (tiles.SWAPPED - 1)
    whole = np.zeros((PLANES, CELLS), np.float32)
    laid = np.flatnonzero(kinds)
    whole[_SHAPE[kinds[laid]], laid] = 1
    whole[tiles.OPEN + 1 + _COLOUR[kinds[laid]], laid] = 1
    whole[12, laid] = 1
    whole[13] = view.grid >= tiles.SWAPPED
    rim = view.rim[1 : int(view.n_rim) + 1]
    whole[14, rim] = 1
    hand = int(view.held[player]) if player >= 0 else 0
    whole[15, rim] = [(int(fits) & hand).bit_count() / rules.HAND for fits in view.fits[1 : int(view.n_rim) + 1]]
    whole[16, [int(cell) for cell in view.ends if cell]] = 1
    square = whole.reshape(PLANES, SIDE, SIDE)
    rows, columns = (_centred(laid // SIDE), _centred(laid % SIDE)) if len(laid) else (START // SIDE, START % SIDE)
    planes: Floats = np.take(np.take(square, _window(rows), axis=1, mode="wrap"), _window(columns), axis=2, mode="wrap")
    return planes


def _centred(used: Any) -> int:
    """The middle of rows or columns in use, on a ring: opposite to the middle of the longest gap between them."""
    lines = np.unique(used)
    gaps = (np.roll(lines, -1) - lines - 1) % SIDE
    widest = int(gaps.argmax())
    first = int(lines[(widest + 1) % len(lines)])
    return (first + (SIDE - 1 - int(gaps[widest])) // 2) % SIDE


def _window(middle: int) -> Any:
    return np.arange(middle - WINDOW // 2, middle + WINDOW // 2 + 1)


_SHAPE: Final = np.array([0, *(tiles.shape_of(kind) for kind in range(1, tiles.KINDS + 1))])
_COLOUR: Final = np.array([0, *(tiles.colour_of(kind) for kind in range(1, tiles.KINDS + 1))])
