"""The tile in its cell, the tiles of the lines that it would make, and what these are worth."""

from collections.abc import Callable, Iterator, Sequence

from ludoteca.core.arrays import copied
from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import Message
from ludoteca.core.scene import Item, Preview, Scene
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.names import kind_name
from ludoteca.games.qinto.rim import CELLS, below, beside
from ludoteca.games.qinto.tiles import VALUES
from ludoteca.games.qinto.view.layout import name_of
from ludoteca.games.qinto.view.scene import describe, draw
from ludoteca.games.qinto.view.seats import SPRITE


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Nothing but words for trading tiles and for the end of a turn."""
    told = describe(view, player, action)
    if action >= rules.TRADE:
        return Preview((), (), told)
    kind, cell = divmod(action, CELLS)
    is_swap = bool(view.grid[cell])
    touched = f"{'tile' if is_swap else 'cell'}/{name_of(cell)}"
    there = next(item for item in draw(view, player, ()).items if item.id == touched)
    ghost = Item("ghost-tile", SPRITE[kind_name(kind)], there.x, there.y)
    lines = [list(_beside(view, cell, step)) for step in (beside, below)]
    if not is_swap:
        told = _worth(view, player, action, sorted(len(line) + 1 for line in lines if line))
    return Preview((ghost,), tuple(f"tile/{name_of(each)}" for line in lines for each in line), told)


def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> Sequence[Item]:
    """The points that a tile has brought, upon it."""
    points = sum(after.points.tolist()) - sum(before.points.tolist())
    if action >= rules.TRADE or not points:
        return ()
    there = next(item for item in scene.items if item.id == f"tile/{name_of(action % CELLS)}")
    return (Item("ghost-points", "", there.x, there.y, 1, 1.3, classes="gain", text=f"+{points}"),)


def _beside(view: RawPosition, cell: int, step: Callable[[int, int], int]) -> Iterator[int]:
    """The cells of the tiles that lie in one line with a cell, on both of its sides."""
    for direction in (-1, 1):
        distance = direction
        while view.grid[next_one := int(step(cell, distance))]:
            yield next_one
            distance += direction


def _worth(view: RawPosition, player: int, action: int, lengths: list[int]) -> Message:
    """The lines that a tile makes, and in Classic and Plus its points."""
    told: Message = ("preview.alone",)
    if lengths:
        told = ("preview.line" if len(lengths) == 1 else "preview.lines", *lengths)
    if VALUES in lengths:
        told = ("preview.qinto", told)
    if view.variant == rules.LIGHT:
        return told
    after = copied(view)
    rules.apply(after, action)
    return "preview.points", told, int(after.points[player] - view.points[player])
