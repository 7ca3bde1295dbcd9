"""Hands and piles in a scene: the groups of the others, and the player's own at the bottom. Lengths are in `layout`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.core.messages import SEAT, Message
from ludoteca.core.scene import Item
from ludoteca.games.qinto.hidden import has_own_pile, pile_of
from ludoteca.games.qinto.names import HIDDEN, KIND_OF, WILD, hand_of, pile_names, seen_in_pile
from ludoteca.games.qinto.positions import traces_in
from ludoteca.games.qinto.view.layout import (
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


_kept: Final = lru_cache(maxsize=1 << 11)
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


def start_of(tile: str, pile: str, swapped: str) -> str:
    """Where a tile of a hand comes from: a wild from the grid, if there was a swap; the others from the pile."""
    return swapped if swapped and WILD in tile else pile


def players_of(view: RawPosition, swapped: str) -> tuple[Player, ...]:
    """All players; `swapped` is the id of the cell of a swap that was played last."""
    hands, piles = view.in_hand.tolist()[: int(view.players)], view.piled.tolist()
    return _players(tuple(hands), tuple(piles), int(view.mover), has_own_pile(view), swapped)


@_kept
def _players(hands: Sequence[int], piles: Sequence[int], mover: int, own: bool, swapped: str) -> tuple[Player, ...]:
    return tuple(
        Player(seat, seat == mover, held, piles[seat if own else 0], own, swapped if seat == mover else "")
        for seat, held in enumerate(hands)
    )


def placed(item: Item, x: float, y: float, scale: float) -> Item:
    """An item scaled, then moved."""
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


def group_of(view: RawPosition, player: Player, traces: tuple[int, ...]) -> Group:
    """A player with the wilds whose traces lead there; `traces` are those of the position."""
    if not view.held[player.seat] and view.mover != TERMINAL:
        return _closed_group(player, traces)
    hand = tuple(hand_of(view, player.seat))
    pile = open_pile(view, player.seat) if player.has_own else ()
    return _closed_group(player, traces)._replace(hand=() if HIDDEN in hand else hand, pile=pile)


@_kept
def _closed_group(player: Player, traces: tuple[int, ...]) -> Group:
    seat, found = player.seat, traces_in(traces)
    wilds = tuple(name for name, seats, places in found if seats == [seat] and not places)
    maybe = tuple(name for name, seats, places in found if seat in seats and (places or len(seats) > 1))
    return Group(player, (), wilds, maybe, ())


def open_pile(view: RawPosition, pile: int) -> tuple[str, ...]:
    """The tiles of a pile from the top down, where it lies open after the end; else none."""
    names = tuple(pile_names(view, pile)) if view.mover == TERMINAL else ()
    return () if HIDDEN in names else names


@_kept
def group(of: Group, x: float, y: float, scale: float) -> tuple[Item, ...]:
    """Sign, hand and pile, from the left end on."""
    player, seat = of.player, of.player.seat
    held = of.hand or [HIDDEN] * (player.hand - len(of.wilds)) + [*of.wilds]
    known = "hand.shown" if of.hand else "trace.hand"
    starts = [start_of(name, player.pile_name, player.swapped) for name in held]
    backs = [_back(seat, at, *tile, known, x, y, scale) for at, tile in enumerate(zip(held, starts, strict=True))]
    items = []
    for at, name in enumerate(of.maybe):  # upon the backs
        label = ("trace.maybe", TILE[name], (SEAT, seat))
        items.append(Item(f"maybe/{seat}/{at}", SPRITE[name], 1.4 + STEP * at, 0.26, TINY, TINY, label=label))
    if player.has_own:
        of_pile: Message = ("pile.other", (SEAT, seat), player.pile)
        items.append(_pile(player.pile_name, player.pile, of_pile, 3.85, 0, 0.8))
        rows = rows_for(len(of.pile), IN_A_GROUP)
        items += _rows(f"pile/{seat}", of.pile, "pile.shown", 1, rows, GROUP, GROUP_HEIGHT / 2)
    return *_sign(seat, player.hand, player.moves, x, y, scale), *backs, *(placed(item, x, y, scale) for item in items)


@_kept
def _back(seat: int, at: int, name: str, start: str, known: str, x: float, y: float, scale: float) -> Item:
    """A tile in another player's hand, most often its back."""
    label: Message = (known, TILE[name], (SEAT, seat)) if name != HIDDEN else ""
    item = Item(f"back/{seat}/{at}", SPRITE[name], 1.4 + STEP * at, 0, SMALL, SMALL, label=label, start=start)
    return placed(item, x, y, scale)


@_kept
def _sign(seat: int, hand: int, moves: bool, x: float, y: float, scale: float) -> tuple[Item, ...]:
    """The player's sign on a middle line, and a mark beside that of the mover."""
    label, left = ("hand.other", (SEAT, seat), hand), 0.65
    sign = Item(f"seat/{seat}", f"qinto-seat-{seat}", left, 0, 0.62, 0.62, classes=f"player-{seat} round", label=label)
    items = (Item("turn", "qinto-turn", left - 0.46, 0, 0.26, 0.34), sign) if moves else (sign,)
    return tuple(placed(item, x, y, scale) for item in items)


def _pile(name: str, pile: int, label: Message, x: float, y: float, size: float) -> Item:
    """A pile from which is drawn, with the number of its tiles."""
    sprite, text = ("qinto-pile", str(pile)) if pile else ("qinto-no-pile", "")
    return Item(name, sprite, x, y, size, size, classes="on-back", label=label, text=text)


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


def own_of(view: RawPosition, player: Player, traces: tuple[int, ...], under: Sequence[str], *, watches: bool) -> Own:
    """The hand and the pile of a player; or the common pile, for a spectator."""
    maybe = () if player.has_own else tuple(name for name, _, places in traces_in(traces) if places)
    hand = None if watches else tuple(hand_of(view, player.seat))
    known = "pile.shown" if open_pile(view, pile_of(view, player.seat)) else "known"
    return Own(player, hand, tuple(under), known, maybe)


def known_in_pile(view: RawPosition, player: int) -> list[str]:
    """The player's pile from the topmost tile that the player has put there down to the bottom; after the end, all of it.

    A spectator is shown the common pile.
    """
    if player < 0:
        return [] if has_own_pile(view) else list(open_pile(view, 0))
    return seen_in_pile(view, pile_of(view, player))


def at_bottom(of: Own, width: float, y: float, scale: float) -> Iterator[tuple[Item, ...]]:
    """Hand and pile below a line, in that width; in parts, as seldom more than one of them changes at a move."""
    player = of.player
    yield _own_pile(player.pile_name, player.pile, player.has_own, of.maybe, width, y, scale)
    if of.hand is not None:
        yield _sign(player.seat, player.hand, player.moves, 0, y + scale * HAND_HEIGHT / 2, scale)
        yield _own_hand(of.hand, player.pile_name, player.swapped, width, y, scale)
    if of.under:
        yield _under(of.under, of.known, player.pile - len(of.under) + 1, width, y, scale)


@_kept
def _own_pile(
    name: str, pile: int, has_own: bool, maybe: tuple[str, ...], width: float, y: float, scale: float
) -> tuple[Item, ...]:
    """The pile at the right end, with the wilds that may be in it."""
    x, middle = width / scale - 0.85, HAND_HEIGHT / 2
    items = [_pile(name, pile, ("pile.own" if has_own else "pile.common", pile), x, middle, LARGE)]
    for at, kind in enumerate(maybe):
        left, label = x + 0.3 - STEP * at, ("trace.pile", TILE[kind])
        items.append(Item(f"maybe/pile/{at}", SPRITE[kind], left, middle + 0.6, TINY, TINY, label=label))
    return tuple(placed(item, 0, y, scale) for item in items)


@_kept
def _own_hand(hand: tuple[str, ...], pile: str, swapped: str, width: float, y: float, scale: float) -> tuple[Item, ...]:
    """The tiles of a hand in the middle; of two equal ones, one stands behind the other."""
    counts = Counter(hand)
    items, middle = [], HAND_HEIGHT / 2
    x = width / scale / 2 - 0.3 - HAND_STEP * (len(counts) - 1) / 2
    for at, (name, number) in enumerate(counts.items()):
        place, start = x + HAND_STEP * at, start_of(name, pile, swapped)
        if number > 1:
            behind = place + BEHIND, middle - BEHIND
            items.append(Item(f"hand/{name}/2", SPRITE[name], *behind, LARGE, LARGE, start=start))
        label, here = ("hand.two" if number > 1 else "hand.one", TILE[name]), (place, middle, LARGE, LARGE)
        items.append(Item(f"hand/{name}", SPRITE[name], *here, classes="grip", label=label, start=start))
    return tuple(placed(item, 0, y, scale) for item in items)


@_kept
def _under(tiles: tuple[str, ...], known: str, first: int, width: float, y: float, scale: float) -> tuple[Item, ...]:
    """The tiles of a pile from the topmost one that is known, the `first` of the pile."""
    met, items = Counter[str](), []
    rows = rows_for(len(tiles), IN_A_ROW)
    for item, name in zip(_rows("under", tiles, known, first, rows, width / scale, HAND_HEIGHT), tiles, strict=True):
        met[name] += 1
        found = replace(item, id=f"under/{name}/{met[name]}", start=f"hand/{name}" if name != HIDDEN else "")
        items.append(placed(found, 0, y, scale))
    return tuple(items)


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
