"""The items of a scene of Conclave. They are made once and kept while there is room: most stay as they are at a move."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

from ludoteca.core.messages import SEAT, Message
from ludoteca.core.scene import Item
from ludoteca.games.conclave import deck, sets
from ludoteca.games.conclave.hidden import is_back
from ludoteca.games.conclave.layout import BOARD, PILE_X, Spot, layout
from ludoteca.games.conclave.notation import BROTHERHOODS, card_name
from ludoteca.games.conclave.notation import MAGICS as LETTERS

_kept = lru_cache(maxsize=1 << 13)

MAGIC_NAMES: Final[tuple[Message, ...]] = tuple((f"magic.{letter}",) for letter in LETTERS)
PILES: Final = ("pile-0", "pile-1")


def seat_of(player: int) -> str:
    """The sign of a player."""
    return f"seat-{player}"


def zone_of(player: int, magic: int) -> str:
    """What is touched to cede a player's followers of a magic."""
    return f"zone-{player}-{LETTERS[magic]}"


def hole_of(cell: int) -> str:
    """A hole of the board."""
    return f"cell-{cell}"


@cache
def name_of(card: int) -> Message:
    """What a card is called: all that is seen of it."""
    magic, face = divmod(card, 16)
    if face == deck.BACK:
        return MAGIC_NAMES[magic]
    brotherhood, influence = divmod(face, deck.INFLUENCES)
    return ("label.card", MAGIC_NAMES[magic], influence + 1, (f"brotherhood.{BROTHERHOODS[brotherhood]}",))


# The ground


@cache
def ground(players: int) -> tuple[Item, ...]:
    """The board with the numbers of its rows and columns, and where the piles lie."""
    at = layout(players)
    numbers = [_number(f"column-{i}", at.cells[i].x, at.board.y - BOARD[1] / 2 - 2.6, i) for i in range(sets.SIDE)]
    numbers += [_number(f"row-{i}", at.board.x - BOARD[0] / 2 - 3, at.cells[sets.SIDE * i].y, i) for i in range(sets.SIDE)]
    empty = [Item(f"under-{pile}", "slot", *at.piled(pile, 0)) for pile in range(len(PILE_X))]
    return (Item("conclave", "conclave", *at.board), *numbers, *empty)


def _number(name: str, x: float, y: float, number: int) -> Item:
    return Item(name, "", x, y, 9, 9, 0, "muted", "", str(number))


@_kept
def on_board(players: int, cell: int, card: int, mark: str, start: str) -> Item:
    """A card on the board, or a hole."""
    spot = layout(players).cells[cell]
    if card == deck.NOTHING:
        return Item(hole_of(cell), "hole", *spot, 0, "wizard", ("label.hole", *divmod(cell, sets.SIDE)))
    return _card(card, spot, start, mark)


@_kept
def pile(players: int, number: int, bottom: int, backs: Sequence[int]) -> tuple[Item, ...]:
    """Backs from the lowest upwards, how many they are, and what is touched to draw the top one."""
    at, name = layout(players), PILES[number]
    spot = at.piled(number, max(len(backs) - 1, 0))
    order = " ".join(LETTERS[back >> 4] for back in reversed(backs)) or "-"
    return (
        *(_back(f"deck-{bottom - 1 - i}", back, at.piled(number, i)) for i, back in enumerate(backs)),
        Item(f"count-{number}", "", spot.x, spot.y - spot.h / 2 - 3, 10, 10, text=str(len(backs))),
        Item(name, "touch", *spot, 0, "wizard", (f"label.{name}", len(backs), order)),
    )


# The players


@_kept
def sign(players: int, row: int, player: int, points: int, mark: str) -> tuple[Item, ...]:
    """Who sits there, with how many points of disappointment; the mark is `turn` or `winner`, or none."""
    spot, classes = layout(players).signs[row], f"player-{player} on-player"
    turn = [Item("turn", "turn", spot.x, spot.y, 16, 16, 0, "round")] if mark == "turn" else []
    crown = [Item("winner", "crown", spot.x, spot.y - 6, 9, 9)] if mark == "winner" else []
    label = ("label.seat", (SEAT, player), points)
    return (
        *turn,
        Item(seat_of(player), f"seat-{player}", *spot, 0, classes, label, str(player + 1)),
        Item(f"points-{player}", "drop", *layout(players).points[row], text=str(points)),
        *crown,
    )


@_kept
def hand(players: int, row: int, player: int, cards: Sequence[int], source: str) -> tuple[Item, ...]:
    """The places of a hand, with the cards that are there; what is new comes from the source."""
    return tuple(_hand(layout(players).hands[row], player, cards, source))


def _hand(spots: Sequence[Spot], player: int, cards: Sequence[int], source: str) -> Iterator[Item]:
    for place, card in enumerate(cards):
        yield Item(f"slot-{player}-{place}", "slot", *spots[place])
        if is_back(card):
            label = ("label.held", (SEAT, player), MAGIC_NAMES[card >> 4])
            yield _back(f"hand-{player}-{place}", card, spots[place], source, label)
        elif card != deck.NOTHING:
            yield _card(card, spots[place], source)


@_kept
def zone(players: int, row: int, player: int, magic: int, faces: int, controlled: bool) -> tuple[Item, ...]:
    """A player's followers of a magic."""
    spot, letter = layout(players).zones[row][magic], LETTERS[magic]
    under = Item(f"ground-{player}-{letter}", "zone", *spot)
    over = Item(zone_of(player, magic), "touch", *spot, 0, "wizard", _zone_label(player, magic, faces, controlled))
    if not faces:
        return (
            under,
            Item(f"ghost-{player}-{letter}", f"magic-{letter}", spot.x, spot.y, 7, 7, 0, f"ghost magic-{letter}"),
            over,
        )
    spots = layout(players).followers(row, magic, len(cards := _sorted(magic, faces)))
    sprite, classes = ("crown", "on-gold") if controlled else ("drop", "")
    total = Item(f"sum-{player}-{letter}", sprite, *layout(players).sums[row][magic], 0, classes, text=str(sum_of(faces)))
    return (under, *(_card(card, at, seat_of(player)) for card, at in zip(cards, spots, strict=True)), total, over)


def _zone_label(player: int, magic: int, faces: int, controlled: bool) -> Message:
    if not faces:
        return ("label.none", (SEAT, player), MAGIC_NAMES[magic])
    names = " ".join(card_name(card) for card in _sorted(magic, faces))
    key = "label.controlled" if controlled else "label.followers"
    return (key, (SEAT, player), MAGIC_NAMES[magic], sum_of(faces), names)


@_kept
def sum_of(faces: int) -> int:
    """The influence of a pile of followers."""
    return int(deck.sum_of(faces))


def _sorted(magic: int, faces: int) -> list[int]:
    """Followers by influence, then brotherhood."""
    by_influence = sorted(range(sets.FACES), key=lambda face: (face % deck.INFLUENCES, face))
    return [16 * magic + face for face in by_influence if faces >> face & 1]


# Cards


def _card(card: int, spot: Spot, start: str, mark: str = "") -> Item:
    classes = f"wizard magic-{LETTERS[card >> 4]} {mark}".rstrip()
    return Item(card_name(card), card_name(card), *spot, 0, classes, name_of(card), "", start)


def _back(name: str, card: int, spot: Spot, start: str = "", label: Message = "") -> Item:
    letter = LETTERS[card >> 4]
    return Item(name, letter, *spot, 0, f"wizard magic-{letter}", label, "", start)
