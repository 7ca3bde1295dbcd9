"""Racks and piles in a scene: a rack for each other player above the grid, the player's own things below it.

Lengths are in cells. Racks of several players share the width, so each area has its scale.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.core.messages import SEAT, Message
from ludoteca.core.scene import Item, row
from ludoteca.games.qinto.hidden import has_own_pile, pile_of
from ludoteca.games.qinto.names import HIDDEN, KIND_OF, Trace, hand_of, pile_names
from ludoteca.games.qinto.rules import CHOOSING, TRADING

TILE: Final[dict[str, Message]] = {name: ("tile", (f"shape.{name[0]}",), (f"colour.{name[1]}",), name) for name in KIND_OF}
"""Each tile in words."""
SPRITE: Final = {name: f"qinto-{name}" for name in KIND_OF} | {HIDDEN: "qinto-back"}

GROUP_WIDTH: Final = 2.66
GROUP_HEIGHT: Final = 1.0
"""The height of a rack without the tiles of an open pile."""
GROUP_STEP: Final = 0.19
"""The distance between neighbouring tiles of another player's hand."""
SMALL: Final = 0.5
"""The side of a tile in another player's hand and in an open pile."""
TINY: Final = 0.34
"""The side of a wild that may be in a hand or a pile."""
HAND: Final = 3.3, 0.78
"""The middle of the own rack."""
HAND_STEP: Final = 1.24
"""The distance between neighbouring tiles of the player's own hand."""
LARGE: Final = 1.16
"""The side of a tile of the player's own hand."""
BEHIND: Final = 0.14
"""The part of the second of two equal tiles that shows behind the first."""
PILE: Final = 7.2, 0.78
KNOWN: Final = 1.84
"""The middle of the row of known tiles of a pile, which is below the player's rack."""
RIGHT: Final = 7.8
"""The right edge of the row of known tiles of a pile."""
PILE_ROW_HEIGHT: Final = 0.54
PER_GROUP_ROW: Final = 7
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
    """Return the items of another player's rack: sign, hand and the number of tiles left. The area's origin is the middle of
    the rack.

    Hand and pile are open at the end of the game. Before that, the hand shows backs, and wilds that are known to be there.
    """
    pile, hand, known = f"pile/{pile_of(view, seat)}", hand_of(view, seat), "hand.shown"
    (x, y, w, _), h = *area.row([0], 0, 2.56), round(area.scale * 0.8, DIGITS)
    items = [Item(f"rack/{seat}", "qinto-small-rack", x, y, w, h), *_sign(view, seat, *area.row([-0.9], -0.06, 0.46))]
    if seat == view.mover:
        (x, y, w, _), h = *area.row([-1.19], -0.06, 0.13), round(area.scale * 0.2, DIGITS)
        items.append(Item("turn", "qinto-turn", x, y, w, h))
    if HIDDEN in hand:
        wilds = [wild for wild, seats, places in traces if seats == [seat] and not places]
        hand, known = [HIDDEN] * (len(hand) - len(wilds)) + wilds, "trace.hand"
    boxes = area.row((-0.38 + GROUP_STEP * at for at in range(len(hand))), -0.06, SMALL)
    for at, (name, box) in enumerate(zip(hand, boxes, strict=True)):
        label = "" if name == HIDDEN else (known, TILE[name], (SEAT, seat))
        items.append(Item(f"back/{seat}/{at}", SPRITE[name], *box, 0, "", label, "", pile))
    maybe = [wild for wild, seats, places in traces if seat in seats and (places or len(seats) > 1)]
    boxes = area.row((-0.38 + 0.3 * at for at in range(len(maybe))), 0.24, TINY)
    for at, (name, box) in enumerate(zip(maybe, boxes, strict=True)):
        items.append(Item(f"maybe/{seat}/{at}", SPRITE[name], *box, label=("trace.maybe", TILE[name], (SEAT, seat))))
    if has_own_pile(view):
        (x, y, w, h), tiles = *area.row([0.95], -0.06, 0.76), int(view.piled[seat])
        left = tiles + int(view.in_hand[seat])
        items.append(Item(pile, "", x, y, w, h, 0, "on-wood", ("pile.other", (SEAT, seat), left, tiles), left))
        for at, name in enumerate(open_pile(view, seat)):
            y, x = divmod(at, PER_GROUP_ROW)
            (box,) = area.row([0.36 * x - 1.08], (GROUP_HEIGHT + PILE_ROW_HEIGHT) / 2 + PILE_ROW_HEIGHT * y, SMALL)
            items.append(Item(f"pile/{seat}/{at}", SPRITE[name], *box, label=("pile.shown", TILE[name], at + 1)))
    return items


def own_pile(view: RawPosition, seat: int, traces: Sequence[Trace], area: Area) -> list[Item]:
    """Return the items of the pile at the right of the player's rack, and of the wilds that may be in the common pile.

    The pile looks open while the player may put tiles under it.
    """
    common, (x, y) = not has_own_pile(view), PILE
    pile, tiles = pile_of(view, seat), int(view.piled[pile_of(view, seat)])
    sprite = "qinto-pile" if tiles else "qinto-no-pile"
    if seat == view.mover and view.phase in (CHOOSING, TRADING):
        sprite = "qinto-pile-open" if tiles else sprite
    label = "pile.common" if common else "pile.own", tiles
    items = [Item(f"pile/{pile}", sprite, *area.row([x], y, 1.3)[0], 0, "on-back", label, str(tiles or ""))]
    maybe = [wild for wild, _, places in traces if places and common]
    boxes = area.row((x + 0.4 - 0.3 * at for at in range(len(maybe))), y + 0.5, TINY)
    for at, (name, box) in enumerate(zip(maybe, boxes, strict=True)):
        items.append(Item(f"maybe/pile/{at}", SPRITE[name], *box, label=("trace.pile", TILE[name])))
    return items


def own_hand(view: RawPosition, seat: int, area: Area) -> list[Item]:
    """Return a player's rack, sign and tiles. The second of two equal tiles is behind the first."""
    counts, pile, (x, y) = Counter(hand_of(view, seat)), f"pile/{pile_of(view, seat)}", HAND
    items = [Item("rack", "qinto-rack", area.x + x, area.y + y, 6.4, 1.48)]
    xs = row(x, len(counts), HAND_STEP)
    boxes, boxes_behind = area.row(xs, y - 0.06, LARGE), area.row((x + BEHIND for x in xs), y - 0.06 - BEHIND, LARGE)
    for (name, number), box, behind in zip(counts.items(), boxes, boxes_behind, strict=True):
        if number > 1:
            items.append(Item(f"hand/{name}/2", SPRITE[name], *behind, start=pile))
        label = ("hand.two" if number > 1 else "hand.one", TILE[name])
        items.append(Item(f"hand/{name}", SPRITE[name], *box, 0, "grip", label, "", pile))
    return items + _sign(view, seat, *area.row([0.36], 1.37, 0.3))


def known_in_pile(view: RawPosition, seat: int, tiles: Sequence[str], area: Area) -> list[Item]:
    """Return the tiles of the own pile from the topmost known one down to the bottom, below the own rack."""
    size, met, items = int(view.piled[pile_of(view, seat)]), Counter[str](), []
    is_open = view.mover == TERMINAL and len(tiles) == size and HIDDEN not in tiles
    known, step = "pile.shown" if is_open else "known", min(SMALL, 7.1 / max(len(tiles) - 1, 1))
    boxes = area.row((RIGHT - SMALL / 2 - step * (len(tiles) - 1 - at) for at in range(len(tiles))), KNOWN, SMALL)
    for at, (name, box) in enumerate(zip(tiles, boxes, strict=True), size - len(tiles) + 1):
        met[name] += 1
        label, start = ("", "") if name == HIDDEN else ((known, TILE[name], at), f"hand/{name}")
        items.append(Item(f"under/{name}/{met[name]}", SPRITE[name], *box, 0, "", label, "", start))
    return items


def open_pile(view: RawPosition, pile: int) -> list[str]:
    """Return the tiles of a pile from the top down if it is open at the end of the game, and none otherwise."""
    names = pile_names(view, pile) if view.mover == TERMINAL else []
    return [] if HIDDEN in names else names


def _sign(view: RawPosition, seat: int, box: Box) -> list[Item]:
    """Return the player's sign."""
    label = "hand.other", (SEAT, seat), int(view.in_hand[seat])
    return [Item(f"seat/{seat}", f"qinto-seat-{seat}", *box, 0, f"player-{seat} round", label)]
