"""The numbers from which `heuristics` computes the value of a free cell: it is the sum of five numbers, one for the pattern
of the cell and one for the pattern of each of its neighbours.

The numbers are logarithms of odds, in hundredths: a cell with 100 more is chosen e times as often. The numbers were fitted
to the visits of Monte Carlo tree search (12,000 to 15,000 simulations a move, uniform playouts, explore 0.7) in 2,499
positions of games of two to four players, on open boards of 8 x 8, the document's board and boards drawn at random. Most of
them are as expected: closing in cells of the army that moves next is best, then free cells, then the mover's cells.
"""

from typing import Any, Final

import numpy as np

from ludoteca.games.okupacio.rules import START

MINE, NEXT, ANOTHERS = 1, 2, 3
"""The kinds of owners as the mover sees them: the mover, the army that moves next, any other army. 0 is no owner."""

_OF_NEIGHBOURS: Final = (
    # by a neighbour's degree, the numbers of its neighbours that the mover and the next army own, its kind of owner
    (),
    (
        ((89, 4, 62, 56), (0, 0, 0, 0)),
        ((0, 0, 0, 0),),
    ),
    (
        ((-13, 27, 14, -35), (-24, 17, -25, 16), (0, 0, 0, 0)),
        ((39, -35, 103, 32), (0, 0, 0, 0)),
        ((0, 0, 0, 0),),
    ),
    (
        ((-8, -2, -11, -48), (-13, 12, -37, -43), (-32, 34, -39, 26), (0, 0, 0, 0)),
        ((63, -29, 32, -16), (109, -26, -15, 1), (0, 0, 0, 0)),
        ((11, -43, 80, 1), (0, 0, 0, 0)),
        ((0, 0, 0, 0),),
    ),
    (
        ((-29, -10, -3, -56), (-27, 18, -34, -34), (-18, 36, -31, -45), (12, -3, -28, -1), (0, 0, 0, 0)),
        ((-9, -29, 53, -29), (-17, -44, -26, -33), (2, -28, -18, -3), (0, 0, 0, 0)),
        ((36, -38, 156, 29), (57, -34, -17, -1), (0, 0, 0, 0)),
        ((-5, -44, -1, 0), (0, 0, 0, 0)),
        ((0, 0, 0, 0),),
    ),
)
_OF_THE_CELL: Final = (
    # by the cell's degree, the numbers of its neighbours that the mover and the next army own
    ((-2,),),
    ((-17, 0), (0,)),
    ((4, -4, 35), (-64, 10), (23,)),
    ((39, 45, -14, -2), (-44, -7, 18), (-63, 26), (15,)),
    ((53, 29, -10, -13, 12), (-8, -3, 15, 15), (-60, -32, 2), (-16, 7), (10,)),
)


def place_of(degree: int, mine: int, nexts: int, kind: int) -> int:
    """Return the index of a pattern in the tables. `degree` is the number of the cell's neighbours that are not walls, and
    `kind` the kind of its owner. `mine` and `nexts` count the neighbours of the mover and of the army that moves next, from
    START on, as the word of a cell does.
    """
    return degree << 10 | mine << 6 | nexts << 2 | kind


def _table(entries: Any) -> "np.ndarray[Any, np.dtype[np.int16]]":
    """Return an array of the entries, indexed by `place_of`. Walls have degree 0, and the value 0."""
    table = np.zeros(5 << 10, np.int16)
    for degree, rows in enumerate(entries):
        for mine, row in enumerate(rows):
            for nexts, values in enumerate(row):
                for kind, value in enumerate(values):
                    table[place_of(degree, START[degree] + mine, START[degree] + nexts, kind)] = value
    table.setflags(write=False)
    return table


OF_NEIGHBOURS: Final = _table(_OF_NEIGHBOURS)
OF_THE_CELL: Final = _table([[[(value,) for value in row] for row in rows] for rows in _OF_THE_CELL])
