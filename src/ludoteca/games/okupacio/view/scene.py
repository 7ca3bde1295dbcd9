"""The board of Okupació from above. All players see the same.

frame bed         the wooden frame around the cells, and the wood that shows between them
row-a column-a    the letters of rows and columns, in the frame
share-0           the share of an army of all cells: a part of the bar in the frame, below the cells
held              the band under the row or column that an army holds at the end
ab                a cell, named as in the notation: free, taken or a wall
stone-ab          the stone on a cell. It turns over when another army captures the cell
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import LIST, PICTURE, SEAT, Message
from ludoteca.core.scene import Choice, Item, Placed, Preview, Scene, Standing
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.notation import army_name, cell_name, letter
from ludoteca.games.okupacio.ranking import Control, control_of, standings_of

FRAME: Final = 1 / 30
"""The width of the frame, in parts of the longer side of the board. So letters have one size on all boards."""
CELL: Final = 0.94
"""The side of a cell. Walls have side 1, so that they touch."""
STONE: Final = 0.92
WAVES: Final = 5
"""The number of moments at which stones turn over. Each neighbour of a cell has a different moment."""
AROUND: Final = (-rules.ROW, -1, 1, rules.ROW)
"""The steps from a cell to its neighbours."""
NO_VALUE: Final = "–"


def draw(view: RawPosition, player: int) -> Scene:
    """Return the frame with its letters and shares, the cells and the stones on them."""
    rows, columns, owner = int(view.rows), int(view.columns), view.owner.tolist()
    frame = FRAME * max(rows, columns)
    width, height = columns + 2 * frame, rows + 2 * frame
    over = rules.is_terminal(view)
    held = control_of(view) if over else None
    items = [
        Item("frame", "wood", width / 2, height / 2, width, height),
        Item("bed", "bed", width / 2, height / 2, columns + frame / 4, rows + frame / 4),
        *_held(held, frame, rows, columns),
        *(_letter("row", row, 0.6 * frame, frame + row + 0.5, frame) for row in range(rows)),
        *(_letter("column", column, frame + column + 0.5, 0.6 * frame, frame) for column in range(columns)),
        *_shares(view, frame, columns, height - frame / 2),
    ]
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
            items.append(_stone(stone_name(cell), army, cell, x, y))
    return Scene(width, height, tuple(items), _standings(view), _ending(view, held) if over else ("task.take",))


def placed(before: RawPosition, after: RawPosition, player: int, action: int) -> Placed:
    """Return the stone on the cell that was taken."""
    return Placed() if action == rules.CONCEDE else Placed((stone_name(action + rules.ROW),))


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> list[Choice]:
    """Return the item to touch for each action: a free cell. Giving up is a button."""
    return [
        Choice(action, (), ("choice.give_up",))
        if action == rules.CONCEDE
        else Choice(action, (cell_name(action + rules.ROW),))
        for action in legal
    ]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """Return the action that takes the touched cell, or the cell of the touched stone, legal or not. Return -1 for other
    items.
    """
    names = {name.rpartition("-")[2] for name in touched}
    spots = _spots(int(view.rows), int(view.columns))
    return next((cell - rules.ROW for cell, name, _, _ in spots if {name} == names), -1)


def describe(view: RawPosition, player: int, action: int) -> Message:
    """Return an action in words: the cell that is taken, and the cells that fall with it."""
    if action == rules.CONCEDE:
        return ("told.gives_up",)
    mover = int(view.mover)
    names: list[Message] = []
    for neighbour in _falling_with(view, action):
        name, owner = cell_name(neighbour), int(view.owner[neighbour])
        is_free = owner == rules.FREE
        names.append(_pictured(mover, name) if is_free else _pictured(owner, ("told.from", name, (SEAT, owner))))
    row, column = divmod(action, rules.ROW)
    taken = _pictured(mover, cell_name(action + rules.ROW)), row + 1, column + 1
    return ("told.takes_with", *taken, (LIST, *names)) if names else ("told.takes", *taken)


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Return the items that show an action before it is played: the army's stones, first on the cell, then on the neighbours
    that fall with it. For giving up there are only words.
    """
    told = describe(view, player, action)
    if action == rules.CONCEDE:
        return Preview((), (), told)
    army, taken, falling = int(view.mover), action + rules.ROW, _falling_with(view, action)
    spots = {cell: (name, x, y) for cell, name, x, y in _spots(int(view.rows), int(view.columns))}
    ghosts = [_stone(f"ghost-{spots[cell][0]}", army, cell, *spots[cell][1:]) for cell in (taken, *falling)]
    marked = [cell_name(cell) if view.owner[cell] == rules.FREE else stone_name(cell) for cell in falling]
    return Preview(tuple(ghosts), tuple(marked), told)


def unit(view: RawPosition) -> str:
    """Count in cells."""
    return "cell"


def stone_name(cell: int) -> str:
    """Return the id of the stone on a cell."""
    return f"stone-{cell_name(cell)}"


def _falling_with(view: RawPosition, action: int) -> list[int]:
    """Return the neighbours that fall to the mover if the mover takes the cell of an action."""
    mover = int(view.mover)
    neighbours = [action + rules.ROW + step for step in AROUND]
    words = [int(view.around[neighbour]) + (1 << (4 * mover)) for neighbour in neighbours]
    owners = [int(view.owner[neighbour]) for neighbour in neighbours]
    falling = [rules.falls_by_word(word, owner, mover) for word, owner in zip(words, owners, strict=True)]
    return [neighbour for neighbour, falls in zip(neighbours, falling, strict=True) if falls]


def _pictured(army: int, text: Message) -> Message:
    """Return a cell as a picture of an army's stone."""
    return PICTURE, text, f"army-{army}", 0, f"player-{army}"


@cache
def _spots(rows: int, columns: int) -> tuple[tuple[int, str, float, float], ...]:
    """Return the cells, row by row, with their names and their middles."""
    frame, places = FRAME * max(rows, columns), [(row, column) for row in range(rows) for column in range(columns)]
    cells = [(rules.cell_at(row, column), frame + column + 0.5, frame + row + 0.5) for row, column in places]
    return tuple((cell, cell_name(cell), x, y) for cell, x, y in cells)


def _letter(line: str, number: int, x: float, y: float, frame: float) -> Item:
    """Return the letter of a row or column, in the frame."""
    name = letter(number)
    return Item(f"{line}-{name}", "", x, y, 1.2 * frame, 1.2 * frame, classes="muted code", text=name)


def _held(held: Control | None, frame: float, rows: int, columns: int) -> list[Item]:
    """Return the item of the band under the row or column that an army controls. It goes from edge to edge, but not over the
    bar of shares.
    """
    if not held:
        return []
    along, label = frame + held.number + 0.5, (f"held.{held.line}", letter(held.number), army_name(held.player))
    width, height = columns + 2 * frame, rows + frame
    x, y, w, h = (width / 2, along, width, 1) if held.line == "row" else (along, height / 2, 1, height)
    return [Item("held", "held", x, y, w, h, 0, f"player-{held.player}", label)]


def _shares(view: RawPosition, frame: float, columns: int, y: float) -> list[Item]:
    """Return the bar of shares in the frame. The last army is at its right end, and the free cells are to the left of that
    army.
    """
    cells, open_cells = view.cells.tolist()[: int(view.players)], _open_cells(view)
    at, thick = frame, 0.42 * frame
    bar = [Item("shares", "shares", frame + columns / 2, y, columns, thick)]
    for army, wide in enumerate(round(columns * own / open_cells, 3) for own in cells):
        if army == len(cells) - 1:
            at = frame + columns - wide
        if wide:
            bar.append(Item(f"share-{army}", "share", round(at + wide / 2, 3), y, wide, thick, 0, f"share player-{army}"))
        at += wide
    return bar


def _open_cells(view: RawPosition) -> int:
    return sum(owner != rules.WALL for owner in view.owner.tolist())


def _stone(name: str, army: int, cell: int, x: float, y: float) -> Item:
    wave = (cell // rules.ROW + 2 * (cell % rules.ROW)) % WAVES
    return Item(name, f"army-{army}", x, y, STONE, STONE, 0, f"stone wave-{wave} player-{army}")


def _standings(view: RawPosition) -> tuple[Standing, ...]:
    """Return the armies' cells, their shares of all cells and their captures, best first, then the armies that gave up."""
    playing, open_cells = standings_of(view), _open_cells(view)
    names = ("standing.cells",), ("standing.share",), ("standing.captured",)
    lines = []
    for line in playing:
        facts = line.cells, f"{100 * line.cells / open_cells:.0f} %", line.captured
        lines.append(Standing(line.player, tuple(zip(names, facts, strict=True)), f"army-{line.player}"))
    gone = set(range(int(view.players))) - {line.player for line in playing}
    nothing = tuple((name, NO_VALUE) for name in names)
    return *lines, *(Standing(player, nothing, f"army-{player}", out=True) for player in sorted(gone))


def _ending(view: RawPosition, held: Control | None) -> Message:
    """Return the winner, what decided the game, and the line that an army holds."""
    best, *others = standings_of(view)
    waited = any(line.cells == best.cells and line.captured == best.captured for line in others)
    line = (f"ending.{held.line}", (SEAT, held.player), letter(held.number)) if held else ("ending.no_line",)
    return "ending.waited" if waited else "ending", (SEAT, best.player), best.cells, best.captured, line


def begin_turn(view: RawPosition, player: int) -> None:
    """Let an army move in a view, although it is not its turn. It can take any cell that is free now."""
    view.mover = player
