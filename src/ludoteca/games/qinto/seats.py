"""What players have, in a scene: the others' groups, and one's own hand with the pile. Lengths are those of `layout`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from ludoteca.core.contract import Record
from ludoteca.core.messages import SEAT, Message
from ludoteca.core.scene import Item
from ludoteca.games.qinto.hidden import has_own_pile, pile_of
from ludoteca.games.qinto.layout import EDGE, HAND_HEIGHT, HAND_STEP, LARGE, SMALL, UNDER_HEIGHT
from ludoteca.games.qinto.names import HIDDEN, KIND_OF, hand_of, pile_names, pile_size
from ludoteca.games.qinto.positions import traces_of
from ludoteca.games.qinto.reasons import WILD

TILE: Final[dict[str, Message]] = {name: ("tile", (f"shape.{name[0]}",), (f"colour.{name[1]}",), name) for name in KIND_OF}
"""Each tile in words."""
SPRITE: Final = {name: f"qinto-{name}" for name in KIND_OF} | {HIDDEN: "qinto-back"}
STEP: Final = 0.42
"""From one of another player's tiles to the next."""
TINY: Final = 0.36
BEHIND: Final = 0.16
"""How far the second of two equal tiles looks out."""
DIGITS: Final = 3
"""No eye sees more, and they travel."""


def placed(items: Iterable[Item], x: float, y: float, scale: float) -> Iterator[Item]:
    """Items moved, their lengths being multiplied."""
    for item in items:
        place = round(x + scale * item.x, DIGITS), round(y + scale * item.y, DIGITS)
        size = round(scale * item.w, DIGITS), round(scale * item.h, DIGITS)
        yield replace(item, x=place[0], y=place[1], w=size[0], h=size[1])


# Others


def group(view: Record, seat: int, swapped: str) -> Iterator[Item]:
    """Another player's sign, hand (wilds that were seen to go there are seen) and pile, from its left end on.

    `swapped` is the cell of a swap that was played last, as an id.
    """
    yield from _sign(view, seat, 0.65, 0)
    seen = [name for name, seats, places in traces_of(view) if seats == [seat] and not places]
    backs = int(view.in_hand[seat]) - len(seen)
    for at, name in enumerate([HIDDEN] * backs + seen):
        label: Message = ("trace.hand", TILE[name], (SEAT, seat)) if at >= backs else ""
        item_id, start = f"back/{seat}/{at}", _start(view, seat, name, swapped)
        yield Item(item_id, SPRITE[name], 1.4 + STEP * at, 0, SMALL, SMALL, label=label, start=start)
    yield from _doubtful(view, seat)
    if has_own_pile(view):
        yield _pile(view, seat, -1, 3.85, 0, 0.8)


def _doubtful(view: Record, seat: int) -> Iterator[Item]:
    """The wilds of which it is known that the player may have them, upon the backs."""
    maybe = [name for name, seats, places in traces_of(view) if seat in seats and (places or len(seats) > 1)]
    for at, name in enumerate(maybe):
        label = ("trace.maybe", TILE[name], (SEAT, seat))
        yield Item(f"maybe/{seat}/{at}", SPRITE[name], 1.4 + STEP * at, 0.26, TINY, TINY, label=label)


def _sign(view: Record, seat: int, x: float, y: float) -> Iterator[Item]:
    """The player's sign, and whether it is his turn."""
    if seat == view.mover:
        yield Item("turn", "qinto-turn", x - 0.46, y, 0.26, 0.34)
    label = ("hand.other", (SEAT, seat), int(view.in_hand[seat]))
    yield Item(f"seat/{seat}", f"qinto-seat-{seat}", x, y, 0.62, 0.62, classes=f"player-{seat} round", label=label)


def _start(view: Record, seat: int, name: str, swapped: str) -> str:
    """Where a tile of a hand comes from: a wild from the grid, if there was a swap, and others from the pile."""
    return swapped if swapped and seat == view.mover and WILD in name else _pile_name(view, seat)


def _pile_name(view: Record, seat: int) -> str:
    return f"pile/{pile_of(view, seat)}"


def _pile(view: Record, seat: int, player: int, x: float, y: float, size: float) -> Item:
    """The pile from which `seat` draws, with the number of its tiles, as `player` sees it."""
    number = pile_size(view, seat)
    label: Message = ("pile.other", (SEAT, seat), number)
    if not has_own_pile(view):
        label = ("pile.common", number)
    elif seat == player:
        label = ("pile.own", number)
    sprite = "qinto-pile" if number else "qinto-no-pile"
    return Item(_pile_name(view, seat), sprite, x, y, size, size, classes="on-back", label=label, text=str(number or ""))


# Oneself


def own(view: Record, player: int, under: Sequence[str], swapped: str, width: float) -> Iterator[Item]:
    """The player's own hand and pile, from the upper left on; of a common pile, also for who watches."""
    y = HAND_HEIGHT / 2
    if player >= 0 or not has_own_pile(view):
        yield _pile(view, max(player, 0), player, width - 0.85, y, LARGE)
    if not has_own_pile(view):
        yield from _in_pile(view, width - 0.85, y)
    if player >= 0:
        yield from _sign(view, player, 0.65, y)
        yield from _hand(view, player, swapped, width / 2 - 0.3, y)
        yield from _under(view, player, under, width)


def _hand(view: Record, player: int, swapped: str, x: float, y: float) -> Iterator[Item]:
    """The tiles by kind; of two equal ones, one stands behind the other."""
    counts = Counter(hand_of(view, player))
    x -= HAND_STEP * (len(counts) - 1) / 2
    for at, (name, number) in enumerate(counts.items()):
        place, start = x + HAND_STEP * at, _start(view, player, name, swapped)
        if number > 1:
            yield Item(f"hand/{name}/2", SPRITE[name], place + BEHIND, y - BEHIND, LARGE, LARGE, start=start)
        label = "hand.two" if number > 1 else "hand.one", TILE[name]
        yield Item(f"hand/{name}", SPRITE[name], place, y, LARGE, LARGE, label=label, start=start)


def known_in_pile(view: Record, player: int) -> list[str]:
    """The player's pile from the topmost tile that he has put there himself to the bottom."""
    if player < 0:
        return []
    names = pile_names(view, pile_of(view, player))
    first = next((at for at, name in enumerate(names) if name != HIDDEN), len(names))
    return names[first:]


def _under(view: Record, player: int, under: Sequence[str], width: float) -> Iterator[Item]:
    """They lie in a row below the pile, its bottom at the right."""
    step = min(SMALL, (width - 2 * EDGE - SMALL) / max(len(under) - 1, 1))
    x, y, above = width - EDGE - SMALL / 2, HAND_HEIGHT + UNDER_HEIGHT / 2, pile_size(view, player) - len(under)
    met = Counter[str]()
    for at, name in enumerate(under, 1):
        met[name] += 1
        item_id, place = f"under/{name}/{met[name]}", x - (len(under) - at) * step
        if name == HIDDEN:
            yield Item(item_id, SPRITE[name], place, y, SMALL, SMALL)
        else:
            label = ("known", TILE[name], above + at)
            yield Item(item_id, SPRITE[name], place, y, SMALL, SMALL, label=label, start=f"hand/{name}")


def _in_pile(view: Record, x: float, y: float) -> Iterator[Item]:
    """The wilds of which it is known that the common pile may have them."""
    maybe = [name for name, _, places in traces_of(view) if places]
    for at, name in enumerate(maybe):
        yield Item(
            f"maybe/pile/{at}", SPRITE[name], x + 0.3 - STEP * at, y + 0.6, TINY, TINY, label=("trace.pile", TILE[name])
        )
