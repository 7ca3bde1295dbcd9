"""The items of a scene of Conclave, and where they lie. Made once and kept while there is room: most stay at a move.

From the top: the rows of the other players in turn order, each with sign and points, hand, six zones of influence; the board
between the two piles; the row of the seat that looks on, whose hand is open below.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from ludoteca.core.messages import SEAT, Message
from ludoteca.core.scene import Item
from ludoteca.games.conclave import deck, rules, sets
from ludoteca.games.conclave.hidden import is_back
from ludoteca.games.conclave.notation import BROTHERHOODS, BY_INFLUENCE, card_name
from ludoteca.games.conclave.notation import MAGICS as LETTERS

# Cards are known by the bytes that a position has of them, which are looked up sooner than as many numbers.
_kept: Final = lru_cache(maxsize=1 << 12)
_kept_of_many: Final = lru_cache(maxsize=1 << 10)
"""For what is of many items: together they are to take some megabytes at most."""

MAGIC_NAMES: Final[tuple[Message, ...]] = tuple((f"magic.{letter}",) for letter in LETTERS)
PILES: Final = ("pile-0", "pile-1")

WIDTH: Final = 160
MIDDLE: Final = WIDTH / 2
GAP: Final = 3

WIZARD: Final = (21, 26.25)
"""The size of a card on the board; all cards are 4 : 5."""
PITCH: Final = (23, 28.25)
BOARD: Final = (98, 119)
PILED: Final = (20, 25)
PILE_X: Final = (14, WIDTH - 14)
STRIP: Final = 5.1
"""The height of the strip that is seen of a card in a pile under another card."""
OWN: Final = (24, 30)
OWN_PITCH: Final = 30
OTHERS: Final = (10.4, 13)
SIGN_X: Final = 9.5
HAND_X: Final = 24
HAND_PITCH: Final = 11
ZONE_X: Final = 72
ZONE_PITCH: Final = 15.7
ZONE_WIDTH: Final = 14.9
HEAP: Final = (13.6, 17)
"""The size of followers, which lie one upon the other under a card that tells their sum."""
CONTROL: Final = 7.6
_ZONE_HEIGHTS: Final = {2: 27, 3: 25, 4: 24}


class Spot(NamedTuple):
    """A centre and a size, as items have them."""

    x: float
    y: float
    w: float
    h: float


class Layout:
    """The places of things for one number of players. Rows are counted from that of the seat that looks on."""

    def __init__(self, players: int) -> None:
        zone = _ZONE_HEIGHTS[players]
        row = zone + GAP
        top = 2 + row * (players - 1) + 5
        own = top + BOARD[1] + GAP + zone / 2
        hand = own + zone / 2 + GAP + OWN[1] / 2
        rows = (own, *(2 + zone / 2 + row * number for number in range(players - 1)))
        places = range(rules.HAND)
        self.height: Final = hand + OWN[1] / 2 + 2
        self.board: Final = Spot(MIDDLE, top + BOARD[1] / 2, *BOARD)
        middle = (sets.SIDE - 1) / 2
        self.cells: Final = tuple(
            Spot(
                round(MIDDLE + (column - middle) * PITCH[0], 2), round(self.board.y + (line - middle) * PITCH[1], 2), *WIZARD
            )
            for line, column in (divmod(cell, sets.SIDE) for cell in range(sets.CELLS))
        )
        self.hands: Final = (
            tuple(Spot(MIDDLE + OWN_PITCH * (place - (rules.HAND - 1) / 2), hand, *OWN) for place in places),
            *(tuple(Spot(HAND_X + HAND_PITCH * place, y, *OTHERS) for place in places) for y in rows[1:]),
        )
        self.signs: Final = tuple(Spot(SIGN_X, y - 4, 12, 12) for y in rows)
        self.points: Final = tuple(Spot(SIGN_X, y + 8, 11.5, 11.5) for y in rows)
        columns = [round(ZONE_X + ZONE_PITCH * magic, 2) for magic in range(deck.MAGICS)]
        self.zones: Final = tuple(tuple(Spot(x, y, ZONE_WIDTH, zone) for x in columns) for y in rows)
        self.heaps: Final = tuple(tuple(_heap(zone) for zone in zones) for zones in self.zones)

    def piled(self, pile: int, below: int) -> Spot:
        """The place of a card of a pile with `below` cards under it."""
        return Spot(PILE_X[pile], round(self.board.y + (BOARD[1] - PILED[1]) / 2 - STRIP * below, 2), *PILED)


def _heap(zone: Spot) -> Spot:
    """The lower end of a zone; above it is seen whether its player controls the magic."""
    return Spot(zone.x, round(zone.y + (zone.h - HEAP[1]) / 2 - 0.6, 2), *HEAP)


@cache
def layout(players: int) -> Layout:
    """The layout for a number of players, made once."""
    return Layout(players)


# Names


def seat_of(player: int) -> str:
    """The id of a player's sign."""
    return f"seat-{player}"


def zone_of(player: int, magic: int) -> str:
    """The id of the item that is touched to cede a player's followers of a magic."""
    return f"zone-{player}-{LETTERS[magic]}"


def hole_of(cell: int) -> str:
    """The id of a hole of the board."""
    return f"cell-{cell}"


@cache
def name_of(card: int) -> Message:
    """The label of a card: all that is seen of it."""
    magic, face = divmod(card, 16)
    if face == deck.BACK:
        return MAGIC_NAMES[magic]
    brotherhood, influence = divmod(face, deck.INFLUENCES)
    return ("label.card", MAGIC_NAMES[magic], influence + 1, (f"brotherhood.{BROTHERHOODS[brotherhood]}",))


# The ground


@cache
def ground(players: int) -> tuple[Item, ...]:
    """The board with the numbers of its rows and columns, and the places of the piles."""
    at = layout(players)
    numbers = [_number(f"column-{i}", at.cells[i].x, at.board.y - BOARD[1] / 2 - 2.6, i) for i in range(sets.SIDE)]
    numbers += [_number(f"row-{i}", at.board.x - BOARD[0] / 2 - 3, at.cells[sets.SIDE * i].y, i) for i in range(sets.SIDE)]
    empty = [Item(f"under-{pile}", "slot", *at.piled(pile, 0)) for pile in range(len(PILE_X))]
    return (Item("conclave", "conclave", *at.board), *numbers, *empty)


def _number(name: str, x: float, y: float, number: int) -> Item:
    return Item(name, "", x, y, 9, 9, 0, "muted", "", str(number))


@_kept
def on_board(players: int, cell: int, card: int, mark: str = "seated", start: str = "") -> Item:
    """A card on the board, with a mark where it was sent last, or a hole."""
    spot = layout(players).cells[cell]
    if card == deck.NOTHING:
        return Item(hole_of(cell), "hole", *spot, 0, "wizard place", ("label.hole", *divmod(cell, sets.SIDE)))
    return _card(card, spot, start, mark)


def board(players: int, cards: bytes, sent: Mapping[int, str]) -> tuple[Item, ...]:
    """The cards on the board, and its holes; `sent` are the cells of those sent last, and where they come from."""
    items = _settled(players, cards)
    if not sent:
        return items
    marked, numbers = list(items), numbers_of(cards)
    for cell, start in sent.items():
        marked[cell] = on_board(players, cell, numbers[cell], "last", start)
    return tuple(marked)


@_kept_of_many
def _settled(players: int, cards: bytes) -> tuple[Item, ...]:
    """The board when none of its cards was sent last."""
    return tuple(on_board(players, cell, card) for cell, card in enumerate(numbers_of(cards)))


@_kept_of_many
def pile(players: int, number: int, bottom: int, backs: bytes) -> tuple[Item, ...]:
    """Backs (cards, after the end) from the lowest upwards, their number, and what is touched to draw the first."""
    at, name, rising = layout(players), PILES[number], numbers_of(backs)[::-1]
    spot = at.piled(number, max(len(backs) - 1, 0))
    order = " ".join(LETTERS[back >> 4] for back in reversed(rising)) or "-"
    return (
        *(_piled(players, number, bottom - 1 - below, below, back) for below, back in enumerate(rising)),
        Item(f"count-{number}", "", spot.x, spot.y - spot.h / 2 - 3, 10, 10, text=str(len(backs))),
        Item(name, "touch", *spot, 0, "wizard", (f"label.{name}", len(backs), order)),
    )


@_kept
def _piled(players: int, number: int, place: int, below: int, back: int) -> Item:
    """A card of a pile with `below` cards under it, `place` in the deck."""
    spot = layout(players).piled(number, below)
    return _back(f"deck-{place}", back, spot) if is_back(back) else _card(back, spot, "", "piled")


# The players


@_kept
def sign(players: int, row: int, player: int, points: int, mark: str) -> tuple[Item, ...]:
    """The sign of a player and the points of disappointment; the mark is `turn` or `winner`, or none."""
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


@_kept_of_many
def hand(players: int, row: int, player: int, cards: bytes, new: int, source: str) -> tuple[Item, ...]:
    """The places of a hand, with the cards that are there; the one at the place `new` comes from the source."""
    items: list[Item] = []
    for place, card in enumerate(numbers_of(cards)):
        items += _held(players, row, player, place, card, source if place == new else "")
    return tuple(items)


@_kept
def _held(players: int, row: int, player: int, place: int, card: int, start: str) -> tuple[Item, ...]:
    """A place of a hand, with the card that is there: most of a hand stays at a move, and is not compared again."""
    spot, slot = layout(players).hands[row][place], _slot(players, row, player, place)
    if is_back(card):
        label = ("label.held", (SEAT, player), MAGIC_NAMES[card >> 4])
        return slot, _back(f"hand-{player}-{place}", card, spot, start, label)
    return (slot,) if card == deck.NOTHING else (slot, _card(card, spot, start, "grip"))


@cache
def _slot(players: int, row: int, player: int, place: int) -> Item:
    return Item(f"slot-{player}-{place}", "slot", *layout(players).hands[row][place])


class Faction(NamedTuple):
    """The points of disappointment of a player, and the followers."""

    points: int
    followers: tuple[int, ...]
    """By magic: the faces of the cards."""
    controls: int
    """The set of the magics that the player controls."""


class Influence(NamedTuple):
    """What followers make of the players."""

    players: tuple[Faction, ...]
    best: int
    """The first player with the fewest points."""


@_kept
def influence(players: int, followers: bytes) -> Influence:
    """What the followers of all, as a position has them, make of the players."""
    piles = memoryview(followers).cast("h").tolist()
    faces = [piles[8 * each :][: deck.MAGICS] for each in range(players)]
    sums = [[sum_of(of_magic) for of_magic in own] for own in faces]
    highest = [max(of_magic) for of_magic in zip(*sums, strict=True)]
    factions = []
    for cards, own in zip(faces, sums, strict=True):
        lost = sum(mine for mine, most in zip(own, highest, strict=True) if mine < most)
        strongest = [magic for magic, mine in enumerate(own) if cards[magic] and mine == highest[magic]]
        factions.append(Faction(lost, tuple(cards), sum(1 << magic for magic in strongest)))
    points = [faction.points for faction in factions]
    return Influence(tuple(factions), points.index(min(points)))


@_kept_of_many
def zones(players: int, row: int, player: int, followers: Sequence[int], controls: int) -> tuple[tuple[Item, ...], ...]:
    """A player's followers, magic by magic."""
    return tuple(
        zone(players, row, player, magic, faces, bool(controls >> magic & 1)) for magic, faces in enumerate(followers)
    )


@lru_cache(maxsize=1 << 11)
def zone(players: int, row: int, player: int, magic: int, faces: int, controlled: bool) -> tuple[Item, ...]:
    """A player's followers of a magic, by influence, then brotherhood."""
    spot, letter = layout(players).zones[row][magic], LETTERS[magic]
    cards = [16 * magic + face for face in BY_INFLUENCE if faces >> face & 1]
    label: Message = ("label.none", (SEAT, player), MAGIC_NAMES[magic])
    if cards:
        key, names = "label.controlled" if controlled else "label.followers", " ".join(map(card_name, cards))
        label = (key, (SEAT, player), MAGIC_NAMES[magic], sum_of(faces), names)
    ground, touch = (
        Item(f"ground-{player}-{letter}", "zone", *spot),
        Item(zone_of(player, magic), "touch", *spot, 0, "wizard", label),
    )
    if not cards:
        return (
            ground,
            Item(f"ghost-{player}-{letter}", f"magic-{letter}", spot.x, spot.y, 7, 7, 0, f"ghost magic-{letter}"),
            touch,
        )
    at, name = layout(players).heaps[row][magic], f"{player}-{letter}"
    control, top = "crown" if controlled else "drop", round(at.y - at.h / 2 - 2.4, 2)
    return (
        ground,
        *(_card(card, at, seat_of(player), "follower") for card in cards),
        Item(f"heap-{name}", f"heap-{letter}", *at, 0, f"magic-{letter}"),
        Item(f"sum-{name}", "", at.x, at.y + 2.8, at.w, 18, 0, f"on-magic magic-{letter}", text=str(sum_of(faces))),
        Item(f"control-{name}", control, at.x, top, CONTROL, CONTROL),
        touch,
    )


@_kept
def sum_of(faces: int) -> int:
    """The influence of a pile of followers."""
    return int(deck.sum_of(faces))


# Cards


def numbers_of(cards: bytes) -> list[int]:
    """Cards, backs and NOTHING, of the bytes that a position has of them."""
    return memoryview(cards).cast("b").tolist()


def _card(card: int, spot: Spot, start: str, mark: str) -> Item:
    classes = f"wizard magic-{LETTERS[card >> 4]} {mark}"
    return Item(card_name(card), card_name(card), *spot, 0, classes, name_of(card), "", start)


def _back(name: str, card: int, spot: Spot, start: str = "", label: Message = "") -> Item:
    letter = LETTERS[card >> 4]
    return Item(name, letter, *spot, 0, f"wizard magic-{letter}", label, "", start)
