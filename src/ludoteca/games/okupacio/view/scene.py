"""Okupació as items: cells, whose ids are their letters (`ab`), and the armies' pieces upon them (`A-ab`).

A cell stays when an army takes it, and lies under the army's piece. The pieces on neighbours that fall with a cell come
from that cell.
"""

from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import LIST, PICTURE, SEAT, Message
from ludoteca.core.scene import Choice, Item, Items, Scene, Standing, once_a_view
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.notation import army_name, cell_name, letter
from ludoteca.games.okupacio.ranking import Control, control_of, standings_of

MARGIN: Final = 0.9
"""The width from the picture's edge to the first cell, above and to the left, where the letters are."""
RIM: Final = 0.15
"""The width by which the plate under the cells juts out."""
END: Final = 0.35
"""The width from the last cell to the picture's edge."""

CELL: Final = 0.94
PIECE: Final = 0.9
"""The sides of cells and pieces; walls are one wide, so that they touch."""
AROUND: Final = (-rules.ROW, -1, 1, rules.ROW)
"""The steps from a cell to its neighbours."""
NO_ARMY: Final = bytes(range(rules.FREE, 256))
"""The owners of cells upon which no piece lies."""
NO_VALUE: Final = "–"

_kept: Final = lru_cache(maxsize=1 << 12)
"""Most rows stay as they are at a move."""


class Board(NamedTuple):
    """All that is seen of a position while nothing is highlighted: the same for all."""

    scene: Scene
    items: Items
    owner: bytes
    """The owner of each cell, as rules count them."""
    rows: int

    def at(self, cell: int) -> tuple[int, int]:
        """The part of the items in which a cell is, and its place there."""
        row, column = divmod(cell - rules.ROW, rules.ROW)
        return 1 + row, column

    def piece_at(self, cell: int) -> tuple[int, int]:
        """The same for the piece upon it: pieces have no places for cells that no army has."""
        row, column = divmod(cell - rules.ROW, rules.ROW)
        return 1 + self.rows + row, len(self.owner[cell - column : cell].translate(None, NO_ARMY))


def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:
    """The board from above: everybody sees everything."""
    board = _board(view)
    scene, owner = board.scene, board.owner
    played = {action + rules.ROW for action in highlighted if action != rules.CONCEDE}
    lit = {board.at(cell): _cell(cell, owner[cell], owner[cell] == rules.FREE) for cell in played}
    for cell in played.union([place + step for place in played for step in AROUND]):
        if owner[cell] < rules.FREE:
            lit[board.piece_at(cell)] = _piece(cell, owner[cell], cell in played, _origin(cell, owner, played))
    return Scene(scene.width, scene.height, board.items.replaced(lit), scene.standings, scene.task) if lit else scene


@once_a_view
def _board(view: RawPosition) -> Board:
    rows, columns, owner = int(view.rows), int(view.columns), view.owner.tobytes()
    held = control_of(view) if rules.is_terminal(view) else None
    firsts = range(rules.cell_at(0, 0), rules.cell_at(rows, 0), rules.ROW)
    of_rows = [(first, owner[first : first + columns]) for first in firsts]
    parts = [_frame(rows, columns, held), *(_row(*row) for row in of_rows), *(_pieces(*row) for row in of_rows)]
    task: Message = ("task.take",)
    if rules.is_terminal(view):
        best = standings_of(view)[0]
        line = (f"ending.{held.line}", (SEAT, held.player), letter(held.number)) if held else ("ending.no_line",)
        task = "ending", (SEAT, best.player), best.cells, best.captured, line
    items = Items(parts)
    scene = Scene(MARGIN + columns + END, MARGIN + rows + END, items, _standings(view), task)
    return Board(scene, items, owner, rows)


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> list[Choice]:
    """A free cell is taken by touching it; giving up is a button."""
    return [_choice(action) for action in legal]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """The cell that was touched, whatever lies upon it."""
    names = {name.rpartition("-")[2] for name in touched}
    found = [cell - rules.ROW for cell in _cells(int(view.rows), int(view.columns)) if {cell_name(cell)} == names]
    return found[0] if found else -1


def describe(view: RawPosition, player: int, action: int) -> Message:
    """The cell taken, and those that fall with it."""
    if action == rules.CONCEDE:
        return ("told.gives_up",)
    cell, falling = action + rules.ROW, falling_with(view, action)
    names: list[Message] = []
    for neighbour in falling:
        name, owner = cell_name(neighbour), int(view.owner[neighbour])
        names.append(_pictured(owner, name if owner == rules.FREE else ("told.from", name, army_name(owner))))
    taken = _pictured(int(view.mover), cell_name(cell))
    return ("told.takes_with", taken, (LIST, *names)) if names else ("told.takes", taken)


def _pictured(owner: int, text: Message) -> Message:
    """A cell as its owner's piece, or free; its name is always shown, as nothing else says where it is."""
    sprite, classes = ("cell", "open ") if owner == rules.FREE else (f"army-{owner}", f"player-{owner} ")
    return PICTURE, text, sprite, 0, f"{classes}named"


def unit(view: RawPosition) -> str:
    """Cells."""
    return "cell"


def falling_with(view: RawPosition, action: int) -> list[int]:
    """The neighbours that fall to the mover with the cell of an action."""
    cell, mover = action + rules.ROW, int(view.mover)
    found = []
    for neighbour in (cell + step for step in AROUND):
        word = int(view.around[neighbour]) + (1 << (4 * mover))
        if rules.falls_by_word(word, int(view.owner[neighbour]), mover):
            found.append(neighbour)
    return found


# Items


@cache
def _cells(rows: int, columns: int) -> tuple[int, ...]:
    return tuple(rules.cell_at(row, column) for row in range(rows) for column in range(columns))


@cache
def place_of(cell: int) -> tuple[float, float]:
    """The middle of a cell."""
    row, column = divmod(cell - rules.ROW, rules.ROW)
    return MARGIN + column + 0.5, MARGIN + row + 0.5


@cache
def _frame(rows: int, columns: int, held: Control | None) -> tuple[Item, ...]:
    """The plate under the cells, which shows between them as lines, and the letters of rows and columns.

    The letter of the line that an army holds at the end has the army's colour.
    """
    items = [Item("plate", "plate", MARGIN + columns / 2, MARGIN + rows / 2, columns + 2 * RIM, rows + 2 * RIM)]
    for line, number in [("row", number) for number in range(rows)] + [("column", number) for number in range(columns)]:
        name, along = letter(number), MARGIN + number + 0.5
        place = (MARGIN / 2, along) if line == "row" else (along, MARGIN / 2)
        if held and (line, number) == (held.line, held.number):
            label = (f"letter.{line}", name, army_name(held.player))
            item = Item(f"{line}-{name}", "held", *place, 0.6, 0.6, 0, f"on-player player-{held.player}", label, name)
        else:
            item = Item(f"{line}-{name}", "", *place, 0.8, 0.8, classes="muted", text=name)
        items.append(item)
    return tuple(items)


@_kept
def _row(first: int, owners: bytes) -> tuple[Item, ...]:
    """The cells of a row."""
    return tuple(_cell(first + column, owner, False) for column, owner in enumerate(owners))


@_kept
def _pieces(first: int, owners: bytes) -> tuple[Item, ...]:
    """The pieces upon them."""
    cells = enumerate(owners, first)
    return tuple(_piece(cell, owner, False, "") for cell, owner in cells if owner < rules.FREE)


@cache
def _cell(cell: int, owner: int, last: bool) -> Item:
    name = cell_name(cell)
    label: Message = ("cell.taken", name, army_name(owner))
    if owner in (rules.WALL, rules.FREE):
        label = ("cell.wall" if owner == rules.WALL else "cell.free", name)
    sprite, size = ("wall", 1.0) if owner == rules.WALL else ("cell", CELL)
    classes = "place" if owner == rules.FREE else ""
    return Item(name, sprite, *place_of(cell), size, size, classes=f"{classes} last" if last else classes, label=label)


@cache
def _choice(action: int) -> Choice:
    if action == rules.CONCEDE:
        return Choice(action, (), ("choice.give_up",))
    return Choice(action, (cell_name(action + rules.ROW),))


@cache
def _piece(cell: int, army: int, last: bool, start: str) -> Item:
    name, classes = f"{army_name(army)}-{cell_name(cell)}", f"player-{army}{' last' if last else ''}"
    return Item(name, f"army-{army}", *place_of(cell), PIECE, PIECE, classes=classes, start=start)


def _origin(cell: int, owner: bytes, played: Collection[int]) -> str:
    """The cell from which a piece has come, if it is new: the one beside it that its army has just played."""
    for step in AROUND:
        if cell + step in played and owner[cell + step] == owner[cell] and cell not in played:
            return cell_name(cell + step)
    return ""


def _standings(view: RawPosition) -> tuple[Standing, ...]:
    """The document's table, best first, and then the armies that have given up."""
    playing = standings_of(view)
    names = [("standing.cells",), ("standing.captured",), ("standing.idle",)]
    lines = [
        Standing(line.player, tuple(zip(names, (line.cells, line.captured, line.idle), strict=True)), f"army-{line.player}")
        for line in playing
    ]
    gone = set(range(int(view.players))) - {line.player for line in playing}
    nothing = tuple((name, NO_VALUE) for name in names)
    return *lines, *(Standing(player, nothing, f"army-{player}", out=True) for player in sorted(gone))
