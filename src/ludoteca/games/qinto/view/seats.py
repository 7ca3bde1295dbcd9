"""Hands and piles in a scene: a group for each other player above the grid, the player's own things below it.

Lengths are those of a narrow scene. Hands and piles grow with the scene's width, so each area has its scale.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil
from typing import Final, NamedTuple, TypeAlias

from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.core.messages import SEAT, Message
from ludoteca.core.scene import Item, row
from ludoteca.games.qinto.hidden import has_own_pile, pile_of
from ludoteca.games.qinto.names import HIDDEN, KIND_OF, Trace, hand_of, pile_names

TILE: Final[dict[str, Message]] = {name: ("tile", (f"shape.{name[0]}",), (f"colour.{name[1]}",), name) for name in KIND_OF}
"""Each tile in words."""
SPRITE: Final = {name: f"qinto-{name}" for name in KIND_OF} | {HIDDEN: "qinto-back"}

EDGE: Final = 0.25
"""The width between a scene's right edge and the things next to it."""
GROUP_WIDTH: Final = 4.4
GROUP_HEIGHT: Final = 1.0
"""The height of a group without the tiles of an open pile."""
GROUP_STEP: Final = 0.42
"""The distance between neighbouring tiles of another player's hand."""
SMALL: Final = 0.62
"""The side of a tile in another player's hand and in an open pile."""
TINY: Final = 0.36
"""The side of a wild that may be in a hand or a pile."""
HAND_HEIGHT: Final = 1.75
HAND_STEP: Final = 1.25
"""The distance between neighbouring tiles of the player's own hand."""
LARGE: Final = 1.15
"""The side of a tile of the player's own hand."""
BEHIND: Final = 0.16
"""The part of the second of two equal tiles that shows behind the first."""
PILE_ROW_HEIGHT: Final = 0.75
PER_ROW: Final = 20
"""The most tiles of a pile in one row below the player's own hand. They overlap if there are many."""
PER_GROUP_ROW: Final = 10
"""The most tiles of an open pile in one row of a group."""
DIGITS: Final = 3
"""The number of decimals of coordinates."""

Box: TypeAlias = tuple[float, float, float, float]
"""The middle of an item, its width and its height."""


class Area(NamedTuple):
    """A part of a scene that has its own unit of length."""

    x: float
    """The place of the area's origin in the scene."""
    y: float
    scale: float
    """The area's unit, in units of the scene."""

    def row(self, xs: Iterable[float], y: float, side: float) -> list[Box]:
        """Return the boxes of squares in a row. Their places and their side are given in the area's unit."""
        y, side = round(self.y + self.scale * y, DIGITS), round(self.scale * side, DIGITS)
        return [(round(self.x + self.scale * x, DIGITS), y, side, side) for x in xs]


def group(view: RawPosition, seat: int, traces: Sequence[Trace], area: Area) -> list[Item]:
    """Return another player's sign, hand and pile, from left to right. The area's origin is the middle of its left edge.

    Hand and pile are open at the end of the game. Before that, the hand shows backs, and wilds that are known to be there.
    """
    pile, hand, known = f"pile/{pile_of(view, seat)}", hand_of(view, seat), "hand.shown"
    items = _sign(view, seat, area)
    if HIDDEN in hand:
        wilds = [wild for wild, seats, places in traces if seats == [seat] and not places]
        hand, known = [HIDDEN] * (len(hand) - len(wilds)) + wilds, "trace.hand"
    boxes = area.row((1.4 + GROUP_STEP * at for at in range(len(hand))), 0, SMALL)
    for at, (name, box) in enumerate(zip(hand, boxes, strict=True)):
        label = "" if name == HIDDEN else (known, TILE[name], (SEAT, seat))
        items.append(Item(f"back/{seat}/{at}", SPRITE[name], *box, 0, "", label, "", pile))
    maybe = [wild for wild, seats, places in traces if seat in seats and (places or len(seats) > 1)]
    boxes = area.row((1.4 + GROUP_STEP * at for at in range(len(maybe))), 0.26, TINY)
    for at, (name, box) in enumerate(zip(maybe, boxes, strict=True)):
        items.append(Item(f"maybe/{seat}/{at}", SPRITE[name], *box, label=("trace.maybe", TILE[name], (SEAT, seat))))
    if has_own_pile(view):
        items.append(_pile(view, seat, "pile.other", *area.row([3.85], 0, 0.8)))
        tiles = open_pile(view, seat)
        boxes = _pile_boxes(area, len(tiles), PER_GROUP_ROW, GROUP_WIDTH, GROUP_HEIGHT / 2)
        for at, (name, box) in enumerate(zip(tiles, boxes, strict=True)):
            items.append(Item(f"pile/{seat}/{at}", SPRITE[name], *box, label=("pile.shown", TILE[name], at + 1)))
    return items


def own_pile(view: RawPosition, seat: int, traces: Sequence[Trace], area: Area, width: float) -> list[Item]:
    """Return the pile of a player at the right end of the own hand, and the wilds that may be in the common pile.

    The area's origin is its upper left corner. Its width is in the area's unit.
    """
    common, x, y = not has_own_pile(view), width - 0.85, HAND_HEIGHT / 2
    items = [_pile(view, seat, "pile.common" if common else "pile.own", *area.row([x], y, LARGE))]
    maybe = [wild for wild, _, places in traces if places and common]
    boxes = area.row((x + 0.3 - GROUP_STEP * at for at in range(len(maybe))), y + 0.6, TINY)
    for at, (name, box) in enumerate(zip(maybe, boxes, strict=True)):
        items.append(Item(f"maybe/pile/{at}", SPRITE[name], *box, label=("trace.pile", TILE[name])))
    return items


def own_hand(view: RawPosition, seat: int, area: Area, width: float) -> list[Item]:
    """Return the sign of a player and the tiles of the own hand. The second of two equal tiles is behind the first.

    Area and width are those of `own_pile`.
    """
    counts, pile, y = Counter(hand_of(view, seat)), f"pile/{pile_of(view, seat)}", HAND_HEIGHT / 2
    items = _sign(view, seat, Area(area.x, area.y + area.scale * y, area.scale))
    xs = row(width / 2 - 0.3, len(counts), HAND_STEP)
    boxes, boxes_behind = area.row(xs, y, LARGE), area.row((x + BEHIND for x in xs), y - BEHIND, LARGE)
    for (name, number), box, behind in zip(counts.items(), boxes, boxes_behind, strict=True):
        if number > 1:
            items.append(Item(f"hand/{name}/2", SPRITE[name], *behind, start=pile))
        label = ("hand.two" if number > 1 else "hand.one", TILE[name])
        items.append(Item(f"hand/{name}", SPRITE[name], *box, 0, "grip", label, "", pile))
    return items


def known_in_pile(view: RawPosition, seat: int, tiles: Sequence[str], area: Area, width: float) -> list[Item]:
    """Return the tiles of the own pile from the topmost tile that the player knows down to the bottom, below the own hand.

    Area and width are those of `own_pile`.
    """
    size, met, items = int(view.piled[pile_of(view, seat)]), Counter[str](), []
    is_open = view.mover == TERMINAL and len(tiles) == size and HIDDEN not in tiles
    known, boxes = "pile.shown" if is_open else "known", _pile_boxes(area, len(tiles), PER_ROW, width, HAND_HEIGHT)
    for at, (name, box) in enumerate(zip(tiles, boxes, strict=True), size - len(tiles) + 1):
        met[name] += 1
        label, start = ("", "") if name == HIDDEN else ((known, TILE[name], at), f"hand/{name}")
        items.append(Item(f"under/{name}/{met[name]}", SPRITE[name], *box, 0, "", label, "", start))
    return items


def open_pile(view: RawPosition, pile: int) -> list[str]:
    """Return the tiles of a pile from the top down if it is open at the end of the game, and none otherwise."""
    names = pile_names(view, pile) if view.mover == TERMINAL else []
    return [] if HIDDEN in names else names


def _pile_boxes(area: Area, tiles: int, most: int, width: float, top: float) -> list[Box]:
    """Return the boxes of the tiles of a pile, from the top down, in rows below `top` that end at the right."""
    rows, boxes = ceil(tiles / most), []
    for number in range(rows):
        begin, end = tiles * number // rows, tiles * (number + 1) // rows
        step = min(SMALL, (width - 2 * EDGE - SMALL) / max(end - begin - 1, 1))
        xs = (width - EDGE - SMALL / 2 - (end - 1 - at) * step for at in range(begin, end))
        boxes += area.row(xs, top + (number + 0.5) * PILE_ROW_HEIGHT, SMALL)
    return boxes


def _sign(view: RawPosition, seat: int, area: Area) -> list[Item]:
    """Return the player's sign in the area's middle line, after a mark if that player moves."""
    label = "hand.other", (SEAT, seat), int(view.in_hand[seat])
    (box,) = area.row([0.65], 0, 0.62)
    items = [Item(f"seat/{seat}", f"qinto-seat-{seat}", *box, 0, f"player-{seat} round", label)]
    if seat == view.mover:
        (x, y, w, _), h = *area.row([0.65 - 0.46], 0, 0.26), round(area.scale * 0.34, DIGITS)
        items.insert(0, Item("turn", "qinto-turn", x, y, w, h))
    return items


def _pile(view: RawPosition, seat: int, key: str, box: Box) -> Item:
    """Return the pile from which a player draws, with the number of its tiles. `key` is that of its label."""
    pile = pile_of(view, seat)
    tiles = int(view.piled[pile])
    label = (key, (SEAT, seat), tiles) if key == "pile.other" else (key, tiles)
    sprite, text = ("qinto-pile", str(tiles)) if tiles else ("qinto-no-pile", "")
    return Item(f"pile/{pile}", sprite, *box, 0, "on-back", label, text)
