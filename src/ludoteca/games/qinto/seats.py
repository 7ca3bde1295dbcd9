"""Hands and piles in a scene: the groups of the others, and the player's own at the bottom. Lengths are in `layout`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.core.messages import SEAT, Message
from ludoteca.core.scene import Item
from ludoteca.games.qinto.hidden import has_own_pile, pile_of
from ludoteca.games.qinto.layout import (
    EDGE,
    GROUP,
    GROUP_HEIGHT,
    HAND_HEIGHT,
    HAND_STEP,
    IN_A_GROUP,
    IN_A_ROW,
    LARGE,
    SMALL,
    UNDER_HEIGHT,
    rows_for,
)
from ludoteca.games.qinto.names import HIDDEN, KIND_OF, WILD, hand_of, pile_names
from ludoteca.games.qinto.positions import Trace

TILE: Final[dict[str, Message]] = {name: ("tile", (f"shape.{name[0]}",), (f"colour.{name[1]}",), name) for name in KIND_OF}
"""Each tile in words."""
SPRITE: Final = {name: f"qinto-{name}" for name in KIND_OF} | {HIDDEN: "qinto-back"}
STEP: Final = 0.42
"""From one of another player's tiles to the next."""
TINY: Final = 0.36
BEHIND: Final = 0.16
"""The distance by which the second of two equal tiles looks out."""
DIGITS: Final = 3
"""Decimals of the coordinates that are sent."""


_kept: Final = lru_cache(maxsize=1 << 10)
"""Most of what players have stays as it is at a move, and is seen by several."""


class Player(NamedTuple):
    """The part of a player's things that all see."""

    seat: int
    moves: bool
    hand: int
    """The number of tiles in the hand."""
    pile: int
    """The number of tiles in the pile from which the player draws."""
    has_own: bool
    """True where each player has a pile."""
    swapped: str
    """The id of the cell of a swap that the player has just played: where a wild of the hand comes from."""

    @property
    def pile_name(self) -> str:
        """The id of the pile from which the player draws."""
        return f"pile/{self.seat if self.has_own else 0}"

    def start_of(self, name: str) -> str:
        """Where a tile of the hand comes from: a wild from the grid, if there was a swap; the others from the pile."""
        return self.swapped if self.swapped and WILD in name else self.pile_name


def players_of(view: RawPosition, swapped: str) -> list[Player]:
    """All players; `swapped` is the id of the cell of a swap that was played last."""
    own, mover = has_own_pile(view), int(view.mover)
    hands, piles = view.in_hand.tolist(), view.piled.tolist()
    return [
        Player(seat, seat == mover, hands[seat], piles[seat if own else 0], own, swapped if seat == mover else "")
        for seat in range(int(view.players))
    ]


def placed(items: Iterable[Item], x: float, y: float, scale: float) -> tuple[Item, ...]:
    """Items scaled, then moved."""
    return tuple(_placed(item, x, y, scale) for item in items)


@lru_cache(maxsize=1 << 12)
def _placed(item: Item, x: float, y: float, scale: float) -> Item:
    return replace(
        item,
        x=round(x + scale * item.x, DIGITS),
        y=round(y + scale * item.y, DIGITS),
        w=round(scale * item.w, DIGITS),
        h=round(scale * item.h, DIGITS),
    )


# Others


class Group(NamedTuple):
    """Another player, as far as can be seen."""

    player: Player
    hand: tuple[str, ...]
    """The tiles of the hand, where they are seen after the end."""
    wilds: tuple[str, ...]
    """The wilds that were seen to go to the hand, and are still there."""
    maybe: tuple[str, ...]
    """The wilds that may be there."""
    pile: tuple[str, ...]
    """The tiles of the player's own pile from the top down, where it lies open after the end."""


def group_of(view: RawPosition, player: Player, found: Sequence[Trace]) -> Group:
    """A player with the wilds whose traces lead there."""
    seat = player.seat
    wilds = tuple(name for name, seats, places in found if seats == [seat] and not places)
    maybe = tuple(name for name, seats, places in found if seat in seats and (places or len(seats) > 1))
    hand = tuple(hand_of(view, seat))
    pile = open_pile(view, seat) if player.has_own else ()
    return Group(player, () if HIDDEN in hand else hand, wilds, maybe, pile)


def open_pile(view: RawPosition, pile: int) -> tuple[str, ...]:
    """The tiles of a pile from the top down, where it lies open after the end; else none."""
    names = tuple(pile_names(view, pile)) if view.mover == TERMINAL else ()
    return () if HIDDEN in names else names


@_kept
def group(of: Group, x: float, y: float, scale: float) -> tuple[Item, ...]:
    """Sign, hand and pile, from the left end on."""
    player, seat = of.player, of.player.seat
    items = _sign(player, 0.65, 0)
    known = "hand.shown" if of.hand else "trace.hand"
    for at, name in enumerate(of.hand or [HIDDEN] * (player.hand - len(of.wilds)) + [*of.wilds]):
        label: Message = (known, TILE[name], (SEAT, seat)) if name != HIDDEN else ""
        item_id, start = f"back/{seat}/{at}", player.start_of(name)
        items.append(Item(item_id, SPRITE[name], 1.4 + STEP * at, 0, SMALL, SMALL, label=label, start=start))
    for at, name in enumerate(of.maybe):  # upon the backs
        label = ("trace.maybe", TILE[name], (SEAT, seat))
        items.append(Item(f"maybe/{seat}/{at}", SPRITE[name], 1.4 + STEP * at, 0.26, TINY, TINY, label=label))
    if player.has_own:
        items.append(_pile(player, ("pile.other", (SEAT, seat), player.pile), 3.85, 0, 0.8))
        rows = rows_for(len(of.pile), IN_A_GROUP)
        items += _rows(f"pile/{seat}", of.pile, "pile.shown", 1, rows, GROUP, GROUP_HEIGHT / 2)
    return placed(items, x, y, scale)


def _sign(player: Player, x: float, y: float) -> list[Item]:
    """The player's sign, and a mark beside that of the mover."""
    seat = player.seat
    label = ("hand.other", (SEAT, seat), player.hand)
    sign = Item(f"seat/{seat}", f"qinto-seat-{seat}", x, y, 0.62, 0.62, classes=f"player-{seat} round", label=label)
    return [Item("turn", "qinto-turn", x - 0.46, y, 0.26, 0.34), sign] if player.moves else [sign]


def _pile(player: Player, label: Message, x: float, y: float, size: float) -> Item:
    """The pile from which a player draws, with the number of its tiles."""
    sprite, text = ("qinto-pile", str(player.pile)) if player.pile else ("qinto-no-pile", "")
    return Item(player.pile_name, sprite, x, y, size, size, classes="on-back", label=label, text=text)


# Oneself


class Own(NamedTuple):
    """The things at the bottom."""

    player: Player
    hand: tuple[str, ...] | None
    """The player's tiles by kind; None for a spectator, who sees the common pile there."""
    under: tuple[str, ...]
    """The pile from the topmost tile that is known down to the bottom."""
    known: str
    """The text that says of such a tile why it is known."""
    maybe: tuple[str, ...]
    """The wilds that may be in the common pile."""


def own_of(view: RawPosition, player: Player, found: Sequence[Trace], under: Sequence[str], *, watches: bool) -> Own:
    """The hand and the pile of a player; or the common pile, for a spectator."""
    maybe = () if player.has_own else tuple(name for name, _, places in found if places)
    hand = None if watches else tuple(hand_of(view, player.seat))
    known = "pile.shown" if open_pile(view, pile_of(view, player.seat)) else "known"
    return Own(player, hand, tuple(under), known, maybe)


def known_in_pile(view: RawPosition, player: int) -> list[str]:
    """The player's pile from the topmost tile that the player has put there down to the bottom; after the end, all of it.

    A spectator is shown the common pile.
    """
    if player < 0:
        return [] if has_own_pile(view) else list(open_pile(view, 0))
    names = pile_names(view, pile_of(view, player))
    first = next((at for at, name in enumerate(names) if name != HIDDEN), len(names))
    return names[first:]


@_kept
def at_bottom(of: Own, width: float, y: float, scale: float) -> tuple[Item, ...]:
    """Hand and pile below a line, in that width."""
    player, width, middle = of.player, width / scale, HAND_HEIGHT / 2
    key = "pile.own" if player.has_own else "pile.common"
    items = [_pile(player, (key, player.pile), width - 0.85, middle, LARGE)]
    for at, name in enumerate(of.maybe):
        x = width - 0.85 + 0.3 - STEP * at
        items.append(Item(f"maybe/pile/{at}", SPRITE[name], x, middle + 0.6, TINY, TINY, label=("trace.pile", TILE[name])))
    if of.hand is not None:
        items += _sign(player, 0.65, middle)
        counts = Counter(of.hand)
        x = width / 2 - 0.3 - HAND_STEP * (len(counts) - 1) / 2
        for at, (name, number) in enumerate(counts.items()):
            place, start = x + HAND_STEP * at, player.start_of(name)
            if number > 1:  # of two equal tiles, one stands behind the other
                behind = place + BEHIND, middle - BEHIND
                items.append(Item(f"hand/{name}/2", SPRITE[name], *behind, LARGE, LARGE, start=start))
            label, here = ("hand.two" if number > 1 else "hand.one", TILE[name]), (place, middle, LARGE, LARGE)
            items.append(Item(f"hand/{name}", SPRITE[name], *here, classes="grip", label=label, start=start))
    first, rows = player.pile - len(of.under) + 1, rows_for(len(of.under), IN_A_ROW)
    met = Counter[str]()
    for item, name in zip(_rows("under", of.under, of.known, first, rows, width, HAND_HEIGHT), of.under, strict=True):
        met[name] += 1
        items.append(replace(item, id=f"under/{name}/{met[name]}", start=f"hand/{name}" if name != HIDDEN else ""))
    return placed(items, 0, y, scale)


def _rows(pile: str, tiles: Sequence[str], known: str, first: int, rows: int, width: float, top: float) -> Iterator[Item]:
    """Tiles of a pile from the top down, in rows below `top` that end at the right; the first is the `first` of the pile."""
    for row in range(rows):
        begin, end = len(tiles) * row // rows, len(tiles) * (row + 1) // rows
        step = min(SMALL, (width - 2 * EDGE - SMALL) / max(end - begin - 1, 1))
        y = top + (row + 0.5) * UNDER_HEIGHT
        for at in range(begin, end):
            x = width - EDGE - SMALL / 2 - (end - 1 - at) * step
            label: Message = (known, TILE[tiles[at]], first + at) if tiles[at] != HIDDEN else ""
            yield Item(f"{pile}/{at}", SPRITE[tiles[at]], x, y, SMALL, SMALL, label=label)
