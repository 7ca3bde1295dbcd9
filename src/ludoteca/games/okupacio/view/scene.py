"""The board of Okupació from above. All players see the same.

plate             the plate under the cells. It shows between them as lines
row-a column-a    the letters of rows and columns
ab                a cell, named as in the notation: free, taken or a wall
A-ab              the piece of an army on its cell
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import LIST, PICTURE, SEAT, Message
from ludoteca.core.scene import Choice, Item, Placed, Preview, Scene, Standing, headings
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.notation import army_name, cell_name, letter
from ludoteca.games.okupacio.ranking import Control, control_of, standings_of

MARGIN: Final = 0.9
"""The width from the picture's edge to the first cell, above and to the left. The letters are there."""
RIM: Final = 0.15
"""The width of the plate's rim around the cells."""
END: Final = 0.35
"""The width from the last cell to the picture's edge."""
CELL: Final = 0.94
"""The side of a cell. Walls have side 1, so that they touch."""
PIECE: Final = 0.9
AROUND: Final = (-rules.ROW, -1, 1, rules.ROW)
"""The steps from a cell to its neighbours."""
NO_VALUE: Final = "–"


def draw(view: RawPosition, player: int) -> Scene:
    """Return the plate with its letters, the cells and the pieces on them."""
    rows, columns, owner = int(view.rows), int(view.columns), view.owner.tolist()
    over = rules.is_terminal(view)
    held = control_of(view) if over else None
    items = [Item("plate", "plate", MARGIN + columns / 2, MARGIN + rows / 2, columns + 2 * RIM, rows + 2 * RIM)]
    items += _letters("row", rows, held)
    items += _letters("column", columns, held)
    spots = _spots(rows, columns)
    for cell, name, x, y in spots:
        army = owner[cell]
        if army == rules.WALL:
            items.append(Item(name, "wall", x, y, label=("cell.wall", name)))
        elif army == rules.FREE:
            items.append(Item(name, "cell", x, y, CELL, CELL, 0, "place", ("cell.free", name)))
        else:
            items.append(Item(name, "cell", x, y, CELL, CELL, label=("cell.taken", name, army_name(army))))
    for cell, _, x, y in spots:
        army = owner[cell]
        if army < rules.FREE:
            items.append(Item(piece_name(army, cell), f"army-{army}", x, y, PIECE, PIECE, 0, f"player-{army}"))
    task: Message = ("task.take",)
    if over:
        best = standings_of(view)[0]
        line = (f"ending.{held.line}", (SEAT, held.player), letter(held.number)) if held else ("ending.no_line",)
        task = "ending", (SEAT, best.player), best.cells, best.captured, line
    return Scene(MARGIN + columns + END, MARGIN + rows + END, tuple(items), _standings(view), task)


def placed(before: RawPosition, after: RawPosition, player: int, action: int) -> Placed:
    """Return the piece on the cell that was taken. The pieces on the cells that fell come from this cell."""
    if action == rules.CONCEDE:
        return Placed()
    army, taken = int(before.mover), action + rules.ROW
    near = [taken + step for step in AROUND]
    fallen = [cell for cell in near if before.owner[cell] != army and after.owner[cell] == army]
    return Placed((piece_name(army, taken),), {piece_name(army, cell): cell_name(taken) for cell in fallen})


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> list[Choice]:
    """Return a touch of a free cell for each action. A button gives up."""
    return [
        Choice(action, (), ("choice.give_up",))
        if action == rules.CONCEDE
        else Choice(action, (cell_name(action + rules.ROW),))
        for action in legal
    ]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """Return the action for the touched cell, or for the cell of the touched piece."""
    names = {name.rpartition("-")[2] for name in touched}
    spots = _spots(int(view.rows), int(view.columns))
    return next((cell - rules.ROW for cell, name, _, _ in spots if {name} == names), -1)


def describe(view: RawPosition, player: int, action: int) -> Message:
    """Return the cell that is taken and the cells that fall with it."""
    if action == rules.CONCEDE:
        return ("told.gives_up",)
    mover = int(view.mover)
    names: list[Message] = []
    for neighbour in _falling_with(view, action):
        name, owner = cell_name(neighbour), int(view.owner[neighbour])
        is_free = owner == rules.FREE
        names.append(_pictured(mover, name) if is_free else _pictured(owner, ("told.from", name, (SEAT, owner))))
    taken = _pictured(mover, cell_name(action + rules.ROW))
    return ("told.takes_with", taken, (LIST, *names)) if names else ("told.takes", taken)


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Return the army's pieces on the cell and on the neighbours that fall with it. Giving up shows words alone."""
    told = describe(view, player, action)
    if action == rules.CONCEDE:
        return Preview((), (), told)
    army, falling = int(view.mover), _falling_with(view, action)
    spots = {spot[0]: spot[1:] for spot in _spots(int(view.rows), int(view.columns))}
    places = [spots[cell] for cell in (action + rules.ROW, *falling)]
    pieces = [Item(f"ghost-{name}", f"army-{army}", x, y, PIECE, PIECE, 0, f"player-{army}") for name, x, y in places]
    return Preview(tuple(pieces), tuple(map(cell_name, falling)), told)


def unit(view: RawPosition) -> str:
    """Count in cells."""
    return "cell"


def piece_name(army: int, cell: int) -> str:
    """Return the id of the piece of an army on a cell."""
    return f"{army_name(army)}-{cell_name(cell)}"


def _falling_with(view: RawPosition, action: int) -> list[int]:
    """Return the neighbours that fall to the mover with the cell of an action."""
    mover = int(view.mover)
    neighbours = [action + rules.ROW + step for step in AROUND]
    words = [int(view.around[neighbour]) + (1 << (4 * mover)) for neighbour in neighbours]
    owners = [int(view.owner[neighbour]) for neighbour in neighbours]
    falling = [rules.falls_by_word(word, owner, mover) for word, owner in zip(words, owners, strict=True)]
    return [neighbour for neighbour, falls in zip(neighbours, falling, strict=True) if falls]


def _pictured(army: int, text: Message) -> Message:
    """Return a cell as a picture of an army's piece. Its name is always shown, because only the name shows its place."""
    return PICTURE, text, f"army-{army}", 0, f"player-{army} named"


@cache
def _spots(rows: int, columns: int) -> tuple[tuple[int, str, float, float], ...]:
    """Return the cells, row by row, with their names and their middles."""
    places = [(row, column) for row in range(rows) for column in range(columns)]
    cells = [(rules.cell_at(row, column), MARGIN + column + 0.5, MARGIN + row + 0.5) for row, column in places]
    return tuple((cell, cell_name(cell), x, y) for cell, x, y in cells)


def _letters(line: Literal["row", "column"], number: int, held: Control | None) -> list[Item]:
    """Return the letters of rows or columns. The letter of the line that an army holds at the end has its colour."""
    names, along = [letter(i) for i in range(number)], [MARGIN + i + 0.5 for i in range(number)]
    places = [(MARGIN / 2, at) if line == "row" else (at, MARGIN / 2) for at in along]
    items = headings(f"{line}-", names, places, 0.8, 0.8)
    if held and held.line == line:
        name, classes = names[held.number], f"on-player player-{held.player}"
        label = (f"letter.{line}", name, army_name(held.player))
        items[held.number] = Item(f"{line}-{name}", "held", *places[held.number], 0.6, 0.6, 0, classes, label, name)
    return items


def _standings(view: RawPosition) -> tuple[Standing, ...]:
    """Return the document's table, best first, then the armies that have given up.

    The document counts turns without a move from before the first move, when nobody has waited.
    """
    playing = standings_of(view)
    has_begun = any(line.cells for line in playing)
    names = [("standing.cells",), ("standing.captured",), ("standing.idle",)]
    lines = [
        Standing(
            line.player,
            tuple(zip(names, (line.cells, line.captured, line.idle if has_begun else NO_VALUE), strict=True)),
            f"army-{line.player}",
        )
        for line in playing
    ]
    gone = set(range(int(view.players))) - {line.player for line in playing}
    nothing = tuple((name, NO_VALUE) for name in names)
    return *lines, *(Standing(player, nothing, f"army-{player}", out=True) for player in sorted(gone))


def begin_turn(view: RawPosition, player: int) -> None:
    """Let the army move. It can take any cell that is free now, unless another army takes the cell first."""
    view.mover = player
