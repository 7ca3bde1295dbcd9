"""Okupació as items: cells, each with its letters as id, and armies' pieces upon them, each with its army's letter before.

A cell stays, and lies under the piece of the army that takes it. A piece comes from the cell that was played: it goes over
to the neighbours that fall with it.
"""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import LIST, SEAT, Message
from ludoteca.core.scene import Choice, Item, Scene, Standing
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.notation import army_name, cell_name, letter
from ludoteca.games.okupacio.ranking import Control, control_of, standings_of

MARGIN: Final = 0.9
"""From the picture's edge to the first cell, above and to the left, where the letters are."""
RIM: Final = 0.15
"""How far the plate on which the cells lie stands out from under them."""
END: Final = 0.35
"""From the last cell to the picture's edge."""

CELL: Final = 0.94
PIECE: Final = 0.9
"""Their sides; walls are one wide, so that they stand close."""
AROUND: Final = (-rules.ROW, -1, 1, rules.ROW)
"""From a cell to its neighbours."""
NO_VALUE: Final = "–"


def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:
    """Everybody sees everything."""
    rows, columns = int(view.rows), int(view.columns)
    owner = view.owner.tolist()
    played = {action + rules.ROW for action in highlighted if action != rules.CONCEDE}
    cells = _cells(rows, columns)
    held = control_of(view) if rules.is_terminal(view) else None
    items = (
        *_around(rows, columns),
        *_letters(rows, columns, held),
        *[_cell(cell, owner[cell], cell in played and owner[cell] == rules.FREE) for cell in cells],
        *[
            _piece(cell, owner[cell], cell in played, _origin(cell, owner, played))
            for cell in cells
            if owner[cell] < rules.FREE
        ],
    )
    return Scene(MARGIN + columns + END, MARGIN + rows + END, items, _standings(view), _task(view, held))


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> list[Choice]:
    """A free cell is taken by touching it; giving up is a button."""
    return [_choice(action) for action in legal]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """The cell that was touched, whatever lies upon it."""
    cells = {name.rpartition("-")[2] for name in touched}
    named = _named(int(view.rows), int(view.columns))
    return named.get(cells.pop(), -1) if len(cells) == 1 else -1


def describe(view: RawPosition, player: int, action: int) -> Message:
    """The cell taken, and those that fall with it."""
    if action == rules.CONCEDE:
        return ("told.gives_up",)
    cell = action + rules.ROW
    falling = [_fallen(view, other) for other in _falling(view, cell)]
    if not falling:
        return "told.takes", cell_name(cell)
    return "told.takes_with", cell_name(cell), (LIST, *falling)


# Items


@cache
def _cells(rows: int, columns: int) -> tuple[int, ...]:
    return tuple(rules.cell_at(row, column) for row in range(rows) for column in range(columns))


@cache
def _named(rows: int, columns: int) -> dict[str, int]:
    """The action that takes each cell, by its letters."""
    return {cell_name(cell): cell - rules.ROW for cell in _cells(rows, columns)}


@cache
def _place(cell: int) -> tuple[float, float]:
    row, column = divmod(cell - rules.ROW, rules.ROW)
    return MARGIN + column + 0.5, MARGIN + row + 0.5


@cache
def _around(rows: int, columns: int) -> tuple[Item, ...]:
    """The plate under the cells: between them it shows as lines."""
    x, y = MARGIN + columns / 2, MARGIN + rows / 2
    return (Item("plate", "plate", x, y, columns + 2 * RIM, rows + 2 * RIM),)


@cache
def _letters(rows: int, columns: int, held: Control | None) -> tuple[Item, ...]:
    """The letters of rows and columns; that of the line which an army holds at the end has its colour."""
    lines = [("row", number) for number in range(rows)] + [("column", number) for number in range(columns)]
    return tuple(_letter(*line, held.player if held and line == (held.line, held.number) else -1) for line in lines)


def _letter(line: str, number: int, holder: int) -> Item:
    at = MARGIN + number + 0.5
    x, y = (MARGIN / 2, at) if line == "row" else (at, MARGIN / 2)
    if holder < 0:
        return Item(f"{line}-{letter(number)}", "", x, y, 0.8, 0.8, classes="muted", text=letter(number))
    label = (f"letter.{line}", letter(number), army_name(holder))
    return Item(f"{line}-{letter(number)}", "held", x, y, 0.6, 0.6, 0, f"on-player player-{holder}", label, letter(number))


@cache
def _cell(cell: int, owner: int, last: bool) -> Item:
    sprite, size = ("wall", 1.0) if owner == rules.WALL else ("cell", CELL)
    classes = "last" if last else ""
    return Item(cell_name(cell), sprite, *_place(cell), size, size, classes=classes, label=_label(cell, owner))


def _label(cell: int, owner: int) -> Message:
    if owner == rules.WALL:
        return "cell.wall", cell_name(cell)
    return ("cell.free", cell_name(cell)) if owner == rules.FREE else ("cell.taken", cell_name(cell), army_name(owner))


@cache
def _piece(cell: int, army: int, last: bool, start: str) -> Item:
    name, classes = f"{army_name(army)}-{cell_name(cell)}", f"player-{army}{' last' if last else ''}"
    return Item(name, f"army-{army}", *_place(cell), PIECE, PIECE, classes=classes, start=start)


def _origin(cell: int, owner: list[int], played: Collection[int]) -> str:
    """The cell from which a piece has come, if it is new: the one beside it that its army has just played."""
    for step in AROUND:
        if cell + step in played and owner[cell + step] == owner[cell] and cell not in played:
            return cell_name(cell + step)
    return ""


@cache
def _choice(action: int) -> Choice:
    if action == rules.CONCEDE:
        return Choice(action, (), ("choice.give_up",))
    return Choice(action, (cell_name(action + rules.ROW),))


# Words


def _falling(view: RawPosition, cell: int) -> list[int]:
    """The neighbours that would fall if the mover took the cell."""
    mover = int(view.mover)
    one = 1 << (4 * mover)
    around, owner = view.around, view.owner
    return [
        cell + step for step in AROUND if rules.falls_by_word(int(around[cell + step]) + one, int(owner[cell + step]), mover)
    ]


def _fallen(view: RawPosition, cell: int) -> Message:
    owner = int(view.owner[cell])
    return cell_name(cell) if owner == rules.FREE else ("told.from", cell_name(cell), army_name(owner))


def _standings(view: RawPosition) -> tuple[Standing, ...]:
    """The document's table, best first, and then those who have given up."""
    playing = standings_of(view)
    names = [("standing.cells",), ("standing.captured",), ("standing.idle",)]
    lines = [
        Standing(line.player, tuple(zip(names, (line.cells, line.captured, line.idle), strict=True)), f"army-{line.player}")
        for line in playing
    ]
    gone = set(range(int(view.players))) - {line.player for line in playing}
    nothing = tuple((name, NO_VALUE) for name in names)
    return *lines, *(Standing(player, nothing, f"army-{player}", out=True) for player in sorted(gone))


def _task(view: RawPosition, held: Control | None) -> Message:
    if not rules.is_terminal(view):
        return ("task.take",)
    best = standings_of(view)[0]
    line: Message = ("ending.no_line",)
    if held:
        line = (f"ending.{held.line}", army_name(held.player), letter(held.number))
    return "ending", army_name(best.player), (SEAT, best.player), best.cells, best.captured, line


# The rules, for who has never played


def _shown(rows: str, mover: str = "A", armies: str = "0:2,0:1,0:0") -> str:
    return f"{rows} {mover} 9 {armies}"


GUIDE_PARAMETERS: Final[dict[str, Any]] = {"players": 3, "board": ".#..../....../....../...#../......"}

GUIDE: Final[tuple[tuple[Message, str], ...]] = (
    (("guide.aim",), _shown("A#.BBB/AAABB./AACCB./.CC#BB/..CC..", armies="1:2,2:1,0:0")),
    (("guide.turn",), ""),
    (("guide.neighbours",), _shown(".#..../....../....../...#../......")),
    (("guide.one",), _shown("A#..../A...../....../...#../......", "B")),
    (("guide.two",), _shown(".#..../....../....../...#../BA....")),
    (("guide.three",), _shown(".#..../.....A/.....B/A..#../......")),
    (("guide.four",), _shown(".#..../..A.../.A..../...#../......")),
    (("guide.four_safe",), _shown(".#..../..A.../.AB.../..B#../......")),
    (("guide.four_falls",), _shown(".#..../..A.../.AB.../..C#../......")),
    (("guide.no_more",), ""),
    (("guide.give_up",), ""),
    (("guide.end",), _shown("A#BBBB/AABBBB/AACCCB/AAC#CB/AACCCC", "-", "1:2,2:1,1:0")),
    (("guide.lines",), ""),
)
