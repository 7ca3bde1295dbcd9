"""What a seat sees of Cartas: a round of four around a table, the seat's own hand open at the bottom, play going clockwise.

Cards that are seen are called by the card (`c37`), backs by the player and their place in a fan that is always closed up
(`back-2-5`), so that nobody sees which of a hand's cards are gone. Every card that has been played ends in its place of the
chart in the middle: the seats have all seen it.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from math import cos, radians, sin
from typing import Final, NamedTuple

from ludoteca.core.bits import members
from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import SEAT, Message
from ludoteca.core.scene import Choice, Item, Scene, Standing
from ludoteca.games.cartas import rules
from ludoteca.games.cartas.cards import PASSO, WORDS, highest
from ludoteca.games.cartas.combinations import (
    SINGLE,
    SUITS,
    VALUES,
    each_of,
    is_answered_by_fours,
    length_of,
    pairs_that_answer,
    shape,
    shape_of,
)
from ludoteca.games.cartas.guide import GUIDE as GUIDE
from ludoteca.games.cartas.guide import GUIDE_PARAMETERS as GUIDE_PARAMETERS
from ludoteca.games.cartas.notation import kind_of

WIDTH: Final = 160
HEIGHT: Final = 172

# Sizes of cards; all are 60 : 85
OWN: Final = (24, 34)
BACK: Final = (13, 18.4)
PLAYED: Final = (24, 34)
PAIRED: Final = (20, 28.33)
"""Of double sequences, which lie in two rows."""
RADIUS: Final = 275
"""Of the circle on which cards are held."""
NEAREST: Final = 9.6
FARTHEST: Final = 17
"""How far apart the cards of the open hand are."""
OWN_WIDTH: Final = 124.8


class Corner(NamedTuple):
    """Where a player sits: the middle of the hand, how it is turned, the player's sign, and what says that he passed."""

    hand: tuple[float, float]
    angle: int
    sign: tuple[float, float]
    passed: tuple[float, float]


CORNERS: Final = (
    Corner((80, 145), 0, (80, 120), (101, 120)),
    Corner((15, 80), 90, (15, 29), (15, 17)),
    Corner((80, 15), 180, (80, 34), (101, 34)),
    Corner((145, 80), 270, (145, 29), (145, 17)),
)
"""One's own, then clockwise, as play goes."""

MAT: Final = (80, 64, 104, 42)
CHART: Final = (80, 99, 100.8, 27.9)
CELL: Final = (7.2, 5.4)
LETTERS: Final = "shdc"
VALUE_NAMES: Final = ("value.A", *range(2, 11), "value.J", "value.C", "value.Q", "value.K")

TABLE: Final = Item("table", "table", WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT)


def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:
    """The table as it is for a player; who watches sits where player 0 does, and sees backs."""
    table = _Table(view, player, highlighted)
    return Scene(WIDTH, HEIGHT, tuple(table.items()), tuple(table.standings()), table.task())


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
    """The cards of each play; passing is a button."""
    return [Choice(action, _ids(action)) if action else _PASS for action in legal]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """To play the cards that were touched."""
    cards = 0
    for name in touched:
        if name not in _CARDS:
            return -1
        cards |= _CARDS[name]
    return cards or -1


def describe(view: RawPosition, player: int, action: int) -> Message:
    """What is played."""
    if action == rules.PASS:
        return ("told.pass",)
    found = shape_of(action)
    return ("told.card", in_words(action)) if found == SINGLE else ("told.play", kind_of(found), in_words(action))


def in_words(cards: int) -> str:
    """`10♠ J♥ C♦`."""
    return " ".join(_WORDS[card] for card in members(cards))


class _Table:
    """A view, from a seat."""

    def __init__(self, view: RawPosition, player: int, highlighted: Collection[int]) -> None:
        self.hands = view.hands.tolist()
        self.sizes = view.sizes.tolist()
        self.played, self.play = int(view.played), int(view.play)
        self.passes, self.mover = int(view.passes), int(view.mover)
        self.seat = max(player, 0)
        self.highlighted = 0
        for action in highlighted:
            self.highlighted |= action

    def items(self) -> Iterator[Item]:
        """From the table upwards; what is touched last of all."""
        yield TABLE
        yield _chart(self.played)
        yield from _gone(self.played & ~self.play)
        yield from self._last_play()
        for number in (2, 1, 3, 0):
            yield from self._corner((self.seat + number) % rules.PLAYERS, CORNERS[number])

    # the last play

    def _last_play(self) -> Iterator[Item]:
        maker = self._maker()
        if maker < 0:
            yield _FREE
            return
        label = ("label.play", (SEAT, maker), _kind(self.play))
        yield Item("mat", "mat", *MAT, classes=f"player-{maker}", label=label)
        yield Item("maker", f"seat-{maker}", MAT[0] - MAT[2] / 2, MAT[1] - MAT[3] / 2, 8, 8, classes=f"player-{maker}")
        last, left = "card last" if self.play & self.highlighted else "card", self.sizes[maker]
        places = _side_by_side(shape_of(self.play))
        for i, (place, card) in enumerate(zip(places, members(self.play), strict=True)):
            start = f"back-{maker}-{left + i}"  # the fan has lost so many at its end
            yield Item(_IDS[card], _SPRITES[card], *place, classes=last, label=_LABELS[card], start=start)

    def _maker(self) -> int:
        """Who made the play that is to be answered, or that ended the game; -1 for nobody."""
        if not self.play:
            return -1
        return self.sizes.index(0) if self.mover < 0 else (self.mover - 1 - self.passes) % rules.PLAYERS

    # the players

    def _corner(self, player: int, corner: Corner) -> Iterator[Item]:
        hand = self.hands[player]
        yield from _open_hand(hand) if hand else _backs(player, self.sizes[player], corner)
        if player == self.mover:
            yield Item("turn", "turn", *corner.sign, 18, 18, classes=f"player-{player}")
        yield _sign(player, self.sizes[player], corner)
        if not self.sizes[player]:
            yield Item("winner", "crown", corner.sign[0] - 11, corner.sign[1], 10, 10)
        if self._has_passed(player):
            yield Item(f"pass-{player}", "bubble", *corner.passed, 20, 8, label=("label.passed",), text=PASSO)

    def _has_passed(self, player: int) -> bool:
        """Since the last play; when the game is void all have."""
        if self.mover < 0:
            return self.passes == rules.PLAYERS
        return (self.mover - 1 - player) % rules.PLAYERS < self.passes

    # in words

    def standings(self) -> Iterator[Standing]:
        """Cards left; at the end points, too."""
        left, over = sum(self.sizes), self.mover < 0
        for player, size in enumerate(self.sizes):
            facts: list[tuple[Message, Message]] = [(("heading.cards",), size)]
            if over:
                facts.append((("heading.points",), 0 if size else left))
            yield Standing(player, tuple(facts), f"seat-{player}")

    def task(self) -> Message:
        """What is to be played."""
        if self.mover >= 0:
            return _task(self.play)
        if 0 in self.sizes:
            return ("ending.won", (SEAT, self.sizes.index(0)), sum(self.sizes))
        return ("ending.void",)


def _task(play: int) -> Message:
    """What answers a play, 0 being none."""
    if not play:
        return ("task.lead",)
    top = _WORDS[highest(play)]
    task = ("task.card", top) if shape_of(play) == SINGLE else ("task.answer", _kind(play), top)
    pairs = pairs_that_answer(play)
    if not pairs:
        return task
    return ("task.one-king" if is_answered_by_fours(play) else "task.kings", task, kind_of(shape(pairs, 2)))


def _kind(play: int) -> Message:
    found = shape_of(play)
    return ("kind.card",) if found == SINGLE else kind_of(found)


# What is the same for several, or at several moves

_kept: Final = lru_cache(maxsize=1 << 10)


@_kept
def _chart(played: int) -> Item:
    """The chart of the cards that have been played."""
    return Item("chart", "chart", *CHART, label=("label.played", in_words(played) or "-"))


@_kept
def _gone(cards: int) -> tuple[Item, ...]:
    """Cards in the chart."""
    return tuple(_mini(card) for card in members(cards))


@_kept
def _open_hand(hand: int) -> tuple[Item, ...]:
    places = zip(members(hand), _held(hand.bit_count()), strict=True)
    return tuple(
        Item(_IDS[card], _SPRITES[card], x, y, *OWN, angle, "card", _LABELS[card]) for card, (x, y, angle) in places
    )


# Where things lie


@cache
def _held(n: int) -> tuple[tuple[float, float, int], ...]:
    """The places and angles of so many cards in the open hand."""
    apart = max(NEAREST, min(FARTHEST, OWN_WIDTH / max(n - 1, 1)))
    return tuple(_on_arc(CORNERS[0], i - (n - 1) / 2, apart, RADIUS) for i in range(n))


@cache
def _backs(player: int, n: int, corner: Corner) -> tuple[Item, ...]:
    """So many backs, in a hand that is held by another."""
    own = corner.angle == 0
    apart, radius = (NEAREST, RADIUS) if own else (5, 110)
    width, height = OWN if own else BACK
    places = [_on_arc(corner, i - (n - 1) / 2, apart, radius) for i in range(n)]
    return tuple(
        Item(f"back-{player}-{i}", "back", x, y, width, height, angle, "card") for i, (x, y, angle) in enumerate(places)
    )


def _on_arc(corner: Corner, steps: float, apart: float, radius: float) -> tuple[float, float, int]:
    """The place that lies so many steps clockwise from the middle of a hand, and how a card is turned there."""
    turned = steps * apart / radius
    along, outwards = radius * sin(turned), radius * (1 - cos(turned))
    facing = radians(corner.angle)
    x = corner.hand[0] + along * cos(facing) - outwards * sin(facing)
    y = corner.hand[1] + along * sin(facing) + outwards * cos(facing)
    return round(x, 2), round(y, 2), round(corner.angle + turned * 57.3)


@cache
def _side_by_side(found: int) -> tuple[tuple[float, float, float, float], ...]:
    """The places and sizes of a combination's cards; pairs of a double sequence lie one above the other."""
    length, each = length_of(found), each_of(found)
    columns, rows = (each, 1) if length == 1 else (length, each)
    width, height = PLAYED if rows == 1 else PAIRED
    apart = min(width + 1, (MAT[2] - 4 - width) / max(columns - 1, 1))
    left, top = MAT[0] - apart * (columns - 1) / 2, MAT[1] - 5 * (rows - 1)
    return tuple((round(left + apart * i, 2), top + 10 * j, width, height) for i in range(columns) for j in range(rows))


@cache
def _mini(card: int) -> Item:
    """A card's place among those that have been played."""
    value, suit = divmod(card, SUITS)
    x = CHART[0] + (value - (VALUES - 1) / 2) * CELL[0]
    y = CHART[1] - CHART[3] / 2 + CHART[3] * 7 / 31 + (suit + 0.5) * CELL[1]
    return Item(_IDS[card], f"mini-{LETTERS[suit]}", round(x, 2), round(y, 2), *CELL)


@cache
def _sign(player: int, size: int, corner: Corner) -> Item:
    label = ("label.seat", (SEAT, player), size)
    return Item(f"seat-{player}", f"seat-{player}", *corner.sign, 13, 13, 0, f"player-{player} on-player", label, str(size))


def _ids(cards: int) -> tuple[str, ...]:
    return tuple(_IDS[card] for card in members(cards))


_WORDS: Final = tuple(word.replace(" ", "") for word in WORDS)
_IDS: Final = tuple(f"c{card}" for card in range(len(WORDS)))
_SPRITES: Final = tuple(f"card-{card}" for card in range(len(WORDS)))
_CARDS: Final = {name: 1 << card for card, name in enumerate(_IDS)}
_LABELS: Final[tuple[Message, ...]] = tuple(
    ("label.card", name if isinstance(name, int) else (name,), (f"suit.{letter}",))
    for name in VALUE_NAMES
    for letter in LETTERS
)
_FREE: Final = Item("mat", "free", *MAT, label=("label.free",))
_PASS: Final = Choice(rules.PASS, (), ("button.pass",))
