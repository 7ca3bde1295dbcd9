"""The rules of Okupació: armies take the cells of a walled grid, and with each cell the neighbours that it closes in.

The rules are those of the course document "Okupació", version 2.1. Headings in this module are titles of its sections.
Unusual sentences of the document are quoted next to the code that follows them.

An action is the cell to take, 26 * row + column, so `ab` is 1 and `ba` is 26 on every board. Action 650 gives up (`00`). The
index of a cell in the arrays is its action + 26. There is a row of walls above the board, and every row ends in a wall. So
the neighbours of a cell are at a distance of 26 or 1, and no code tests for the edge. A 4 x 4 board:

          0   1   2   3   4  ..  25
        26a a  27   28   29  [30]         [ ] wall: all other cells are walls too,
        52b a  53   54   55  [56]             and so are the cells 0 to 25
        78c a  79   80   81  [82]
       104d a 105  106  107  [108]
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ludoteca.core.contract import TERMINAL, Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.games.okupacio.board import OPEN

MAX_PLAYERS: Final = 10
MAX_SIDE: Final = 25
ROW: Final = MAX_SIDE + 1
"""The step from a cell to the cell below it."""
CELLS: Final = ROW * (MAX_SIDE + 2)
FREE: Final = MAX_PLAYERS
WALL: Final = MAX_PLAYERS + 1

CONCEDE: Final = ROW * MAX_SIDE
ACTIONS: Final = CONCEDE + 1
MAX_LEGAL: Final = MAX_SIDE * MAX_SIDE + 1
MAX_MOVES: Final = (MAX_PLAYERS - 1) * (MAX_SIDE * MAX_SIDE + 1)
"""A move takes at least one free cell. Only giving up frees cells again, and one army never gives up."""
UTILITY: Final = "win"
MAX_SCORE: Final = MAX_SIDE * MAX_SIDE

STATE: Final = np.dtype(
    [
        ("n_free", "i8"),
        ("rows", "i8"),  # 4..25
        ("columns", "i8"),  # 4..25
        ("players", "i8"),  # 2..10
        ("mover", "i8"),  # 0..9, or TERMINAL
        ("playing", "i8"),  # bit set of the armies that have not given up
        ("turn", "i8"),  # turns played. Giving up is a turn, too
        ("last", "i8", (MAX_PLAYERS,)),  # the turn of each army's last move
        ("cells", "i8", (MAX_PLAYERS,)),  # CASELLES: cells owned
        ("captured", "i8", (MAX_PLAYERS,)),  # ARRABASSADES: cells taken from other armies
        ("around", "i8", (CELLS,)),  # the counts of each cell's neighbours in one word, see `_bare`
        ("free", "i2", (CELLS,)),  # the free cells, in any order. Only the first n_free count
        ("place", "i2", (CELLS,)),  # the index of each free cell in `free`
        ("owner", "i1", (CELLS,)),  # the army that owns the cell (0..9), FREE (10) or WALL (11)
    ]
)
DERIVED: Final = ("free", "place")


def setup(state: RawPosition, players: int, board: Sequence[str]) -> None:
    """Lay out the board, given as rows of the characters `board.OPEN` and `board.WALL`. All open cells are free, and army 0
    is to move.
    """
    rows, columns = len(board), len(board[0])
    state.rows, state.columns, state.players = rows, columns, players
    state.playing = (1 << players) - 1
    state.owner[:] = WALL
    state.around[:] = _bare(0)
    for row in range(rows):
        for column in range(columns):
            if board[row][column] == OPEN:
                state.owner[cell_at(row, column)] = FREE
    for cell in np.flatnonzero(state.owner == FREE).tolist():
        state.around[cell] = _bare(degree_of(state, cell))
        _add_free(state, cell)
    # "hem inicialitzat els torns sense tirar tal com estarien quan qui estigués a punt de tirar fos el primer jugador"
    for player in range(players):
        state.last[player] = player - players + 1


def deal(state: RawPosition, rng: Words) -> None:
    """Do nothing: the game has no chance."""


def current_player(state: RawPosition) -> int:
    return i64(state.mover)


def legal_actions(state: RawPosition, out: Integers) -> int:
    """Write the legal actions to `out`: the free cells, then CONCEDE. Return their number."""
    if is_terminal(state):
        return 0
    free = state.free
    n = i64(state.n_free)
    for i in range(n):
        out[i] = i64(free[i]) - ROW
    out[n] = CONCEDE
    return n + 1


def random_action(state: RawPosition, rng: Words) -> int:
    return i64(state.free[index(draw(rng, state.n_free))]) - ROW


def apply(state: RawPosition, action: int) -> None:
    """Play one turn of the document's section "El programa que heu de desenvolupar": take a cell, or give up."""
    player = i64(state.mover)
    state.turn += 1
    if action == CONCEDE:
        _give_up(state, player)
    else:
        _occupy(state, action + ROW, player)
        state.last[index(player)] = state.turn
    state.mover = TERMINAL if has_to_end(state) else after(state, player)


def is_terminal(state: RawPosition) -> bool:
    return i64(state.mover) == TERMINAL


def scores(state: RawPosition, out: Integers) -> None:
    """Write CASELLES, the number of cells of each army."""
    for player in range(state.players):
        out[player] = state.cells[player]


def winners(state: RawPosition) -> int:
    """Return the bit set with the best army, 0 while the game goes on. There is exactly one winner, because no two armies
    made their last move in the same turn.
    """
    if not is_terminal(state):
        return 0
    best = i64(-1)
    for player in range(state.players):
        if is_playing(state, player) and (best < 0 or rank(state, player) > rank(state, best)):
            best = i64(player)
    return 1 << best


def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
    """Copy every field: the game hides nothing."""
    view.around = state.around
    view.owner = state.owner
    view.free = state.free
    view.place = state.place
    view.n_free = state.n_free
    view.rows = state.rows
    view.columns = state.columns
    view.players = state.players
    view.mover = state.mover
    view.playing = state.playing
    view.turn = state.turn
    view.last = state.last
    view.cells = state.cells
    view.captured = state.captured


def redeal(state: RawPosition, player: int, rng: Words) -> None:
    """Do nothing: the game hides nothing."""


def seen_action(state: RawPosition, action: int, player: int) -> int:
    return action


# Ocupació de caselles adjacents


def falls(degree: int, mine: int, owner: int, theirs: int) -> bool:
    """Return True if a neighbour of the cell that an army has just taken also becomes that army's. This function is the
    whole section “Ocupació de caselles adjacents”.

    The neighbour itself has `degree` neighbours that are not walls, and the army now owns `mine` of them. `owner` is the
    owner of the neighbour (another army, or FREE). That owner has `theirs` of the `degree` cells.
    """
    if mine == degree:
        return True
    if degree < 3 or mine < degree - 1:
        return False
    # "només en té 3 d'ocupades, adj_c està ocupada per un altre exèrcit però aquest exèrcit no té ocupada la 4a casella"
    return owner == FREE or (degree == 4 and theirs == 0)


def _fewest(degree: int) -> int:
    """Return the smallest number of neighbours that an army must own to take a cell with `degree` neighbours. It is 5, which
    is impossible, if the cell has no neighbours.
    """
    for mine in range(1, degree + 1):
        for theirs in range(degree - mine + 1):
            if falls(degree, mine, FREE, 0) or falls(degree, mine, 0, theirs):
                return mine
    return 5


# Each cell has a word. It has four bits for each army, the count of the cell's neighbours that the army owns. The four bits
# at the place of FREE are _NOBODY, and the degree is in the highest bits. A count begins at START. So its highest bit, NEAR,
# is set when the army owns enough neighbours for the cell to fall. For most moves it is enough to look at this bit.
NEAR: Final = 8
COUNT: Final = 15
_NOBODY: Final = 15
DEGREE_AT: Final = 4 * (FREE + 1)
START: Final = tuple(NEAR - _fewest(degree) for degree in range(5))


def _bare(degree: int) -> int:
    """Return the word of a cell with `degree` neighbours, none of which belongs to an army. A wall has degree 0.

    The comment above `NEAR` explains the words.
    """
    word = degree << DEGREE_AT | _NOBODY << (4 * FREE)
    for player in range(MAX_PLAYERS):
        word |= START[degree] << (4 * player)
    return word


def _falls_by_word() -> np.ndarray[Any, np.dtype[np.int8]]:
    """Return a table of the results of `falls`. An index is 256 * degree + 16 * the taker's four bits + the owner's four
    bits, as they are in the cell's word.

    A cell that the taker owns already does not fall. In this case the taker's bits and the owner's bits are the same.
    """
    table = np.zeros(5 * 256, np.int8)
    for degree in range(1, 5):
        for mine in range(degree + 1):
            row = 256 * degree + 16 * (START[degree] + mine)
            table[row + _NOBODY] = falls(degree, mine, FREE, 0)
            for theirs in range(degree - mine + 1):
                table[row + START[degree] + theirs] = falls(degree, mine, 0, theirs)
    table.setflags(write=False)
    return table


_FALLS: Final = _falls_by_word()
_FIRST: Final = (0, -ROW, -1, -ROW, 1, -ROW, -1, -ROW, ROW, -ROW, -1, -ROW, 1, -ROW, -1, -ROW)
"""The step from a cell to the first neighbour in a bit set: 1 is the neighbour above, 2 left, 4 right, 8 below."""


def _occupy(state: RawPosition, cell: int, player: int) -> None:
    """Give a free cell to a player's army, and with it the neighbours that fall: “Immediatament aquella casella passa a
    poder del jugador que l'ha ocupada”.

    A falling cell does not make further cells fall. So all four neighbours are judged before any is taken. The code has no
    branches here, because processors would often mispredict them.
    """
    take_free(state, cell, player)
    around = state.around
    nearest = around[index(cell - ROW)] | around[index(cell - 1)] | around[index(cell + 1)] | around[index(cell + ROW)]
    if (nearest >> (4 * player)) & NEAR:
        falling = _falls_at(state, cell - ROW, player)
        falling |= _falls_at(state, cell - 1, player) << 1
        falling |= _falls_at(state, cell + 1, player) << 2
        falling |= _falls_at(state, cell + ROW, player) << 3
        while falling:
            taken = cell + _FIRST[falling]
            owner = i64(state.owner[index(taken)])
            if owner == FREE:
                take_free(state, taken, player)
            else:
                state.owner[index(taken)] = player
                state.cells[index(player)] += 1
                state.cells[index(owner)] -= 1
                state.captured[index(player)] += 1
                _count_around(state.around, taken, (i64(1) << (4 * player)) - (i64(1) << (4 * owner)))
            falling &= falling - 1


def _falls_at(state: RawPosition, cell: int, player: int) -> int:
    """Return 1 if this neighbour of the cell just taken falls to the player, else 0."""
    return falls_by_word(i64(state.around[index(cell)]), i64(state.owner[index(cell)]), player)


def falls_by_word(word: int, owner: int, player: int) -> int:
    """Return 1 if a cell with this word and owner falls to the player who has just taken a neighbour of it, else 0. It is 0
    if the player owns the cell already.
    """
    mine = (word >> (4 * player)) & COUNT
    theirs = (word >> (4 * owner)) & COUNT
    return i64(_FALLS[index((word >> DEGREE_AT) << 8 | mine << 4 | theirs)])


def take_free(state: RawPosition, cell: int, player: int) -> None:
    """Give a free cell to an army, without its neighbours. In the list `free`, the last cell moves to the entry of the taken
    one.
    """
    free, place = state.free, state.place
    n = i64(state.n_free) - 1
    hole, moved = place[index(cell)], free[index(n)]
    free[index(hole)] = moved
    place[index(moved)] = hole
    state.n_free = n
    state.owner[index(cell)] = player
    state.cells[index(player)] += 1
    _count_around(state.around, cell, i64(1) << (4 * player))


def _count_around(around: Integers, cell: int, change: int) -> None:
    """Add `change` to the words of the four neighbours of a cell."""
    around[index(cell - ROW)] += change
    around[index(cell - 1)] += change
    around[index(cell + 1)] += change
    around[index(cell + ROW)] += change


# The other paragraphs about a turn


def _give_up(state: RawPosition, player: int) -> None:
    """Remove an army from the game and free its cells: “serà retirat de la partida a tots els efectes, i les caselles que
    posseïa quedaran lliures”.
    """
    owner = state.owner
    for cell in range(ROW, CELLS - ROW):
        if i64(owner[cell]) == player:
            owner[cell] = FREE
            _add_free(state, cell)
            _count_around(state.around, cell, -(i64(1) << (4 * player)))
    state.cells[index(player)] = 0
    state.captured[index(player)] = 0
    state.last[index(player)] = 0
    state.playing ^= i64(1) << player


def after(state: RawPosition, player: int) -> int:
    """Return the player whose turn comes after the turn of `player`. Armies that have given up are skipped."""
    playing = i64(state.playing)
    following = player + 1
    while (playing >> following) & 1 == 0:
        following = following + 1 if following < state.players else 0
    return following


def has_to_end(state: RawPosition) -> bool:
    """Return True if every cell is owned, or all armies but one have given up: “quan totes les caselles estan ocupades o bé
    han abandonat tots els jugadors menys un”.
    """
    playing = i64(state.playing)
    return state.n_free == 0 or playing & (playing - 1) == 0


def _add_free(state: RawPosition, cell: int) -> None:
    n = i64(state.n_free)
    state.free[n] = cell
    state.place[cell] = n
    state.n_free = n + 1


# The table of the players


def is_playing(state: RawPosition, player: int) -> bool:
    """Return False if the army has given up."""
    return (i64(state.playing) >> player) & 1 == 1


def idle(state: RawPosition, player: int) -> int:
    """Return SENSE TIRAR, the number of turns since the army's last move."""
    return i64(state.turn) - i64(state.last[player])


def rank(state: RawPosition, player: int) -> int:
    """Return a number that orders armies by CASELLES, then ARRABASSADES, then SENSE TIRAR. Higher is better."""
    return (i64(state.cells[player]) << 40) | (i64(state.captured[player]) << 20) | idle(state, player)


# Functions of the board that other modules use too


def cell_at(row: int, column: int) -> int:
    return (row + 1) * ROW + column


def degree_of(state: RawPosition, cell: int) -> int:
    """Return how many of a cell's four neighbours are not walls: "cal notar que les caselles mur no poden ser ocupades"."""
    owner = state.owner
    degree = 0
    for neighbour in (cell - ROW, cell - 1, cell + 1, cell + ROW):
        if owner[neighbour] != WALL:
            degree += 1
    return degree


def controller(state: RawPosition, cell: int, step: int, length: int) -> int:
    """Return the army that owns every open cell of a row or column. Return FREE if no army does, and WALL if there is no
    open cell.

    The row or column begins at `cell`, and `step` leads from each of its `length` cells to the next.
    """
    owner = state.owner
    holder = WALL
    for i in range(length):
        here = i64(owner[cell + i * step])
        if here != WALL and holder not in (WALL, here):
            return FREE
        if here != WALL:
            holder = here
    return holder
