"""Cartas as a seat sees it: four players around a table, the seat's own hand open at the bottom, play going clockwise.

The id of a card that is seen is its number (`c37`); that of a back is the player and its place in a fan that is always
closed up (`back-2-5`), so that nobody sees which of a hand's cards are gone. Every card that has been played ends in its
place of the chart in the middle, as all seats have seen it.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import cos, radians, sin
from typing import Final, NamedTuple

from ludoteca.core.bits import members
from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import PICTURE, ROW, SEAT, Message
from ludoteca.core.scene import Choice, Item, Items, Preview, Scene, Standing
from ludoteca.games.cartas import rules
from ludoteca.games.cartas.cards import WORDS, highest
from ludoteca.games.cartas.combinations import (
    SINGLE,
    SUITS,
    VALUES,
    each_of,
    length_of,
    other_shape,
    shape_of,
)
from ludoteca.games.cartas.notation import kind_of
from ludoteca.games.cartas.turns import turns

WIDTH: Final = 160
HEIGHT: Final = 172

# Sizes of cards; all are 60 : 85
OWN: Final = (24, 34)
BACK: Final = (13, 18.4)
PLAYED: Final = (24, 34)
PAIRED: Final = (20, 28.33)
"""The size of cards in double sequences, which lie in two rows."""
RADIUS: Final = 275
"""The radius of the circle on which cards are held."""
NEAREST: Final = 9.6
FARTHEST: Final = 17
"""Bounds of the distance between the cards of the open hand."""
OWN_WIDTH: Final = 124.8
SHOWN: Final = (17, 24.08)
SHOWN_APART: Final = 6.8
SHOWN_WIDTH: Final = 64
"""The cards of other hands, which are seen after the end, and how far apart they are held."""


class Corner(NamedTuple):
    """The places of a player: the middle of the hand and its angle, the sign, and the note of a pass."""

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
"""The corners of the seat that looks on and of the others, clockwise, as play goes."""

MAT: Final = (80, 64, 104, 42)
CHART: Final = (80, 99, 100.8, 27.9)
CELL: Final = (7.2, 5.4)
LETTERS: Final = "shdc"
VALUE_NAMES: Final = ("value.A", *range(2, 11), "value.J", "value.C", "value.Q", "value.K")

TABLE: Final = Item("table", "table", WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT)


SENDS_AT_ONCE: Final = False

_kept: Final = lru_cache(maxsize=1 << 10)
"""What is the same for several seats, or at several moments."""


def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:
    """The table as the player sees it; a spectator sits where player 0 does, and sees backs."""
    sizes, mover, passes, seat = view.sizes.tolist(), int(view.mover), int(view.passes), max(player, 0)
    played, play, over = int(view.played), int(view.play), int(view.mover) < 0
    maker = -1
    if play:
        maker = sizes.index(0) if over else (mover - 1 - passes) % rules.PLAYERS
    ground = (_last_play(play, maker, sizes[maker], any(play & action for action in highlighted))) if play else (_FREE,)
    parts, hands = [(TABLE, _chart(played)), _minis(played & ~play), ground], view.hands.tolist()
    for number in (2, 1, 3, 0):
        each = (seat + number) % rules.PLAYERS
        if hand := hands[each]:
            parts.append(_shown_hand(each, hand, number) if number else _open_hand(hand))
        else:
            parts.append(_backs(each, sizes[each], number))
        # since the last play; in a void game all have passed
        has_passed = passes == rules.PLAYERS if over else (mover - 1 - each) % rules.PLAYERS < passes
        parts.append(_sign(each, sizes[each], number, moves=each == mover, has_passed=has_passed))
    standings = tuple(_standing(each, left, sum(sizes) if over else -1) for each, left in enumerate(sizes))
    task = _task(play)
    if over:
        task = ("ending.won", (SEAT, sizes.index(0)), sum(sizes)) if 0 in sizes else ("ending.void",)
    return Scene(WIDTH, HEIGHT, Items(parts), standings, task)


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
    """The cards of each play; passing is a button."""
    return [Choice(action, tuple(_IDS[card] for card in members(action))) if action else _PASS for action in legal]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """Playing the cards that were touched."""
    cards = 0
    for name in touched:
        if name not in _CARDS:
            return -1
        cards |= _CARDS[name]
    return cards or -1


def describe(view: RawPosition, player: int, action: int) -> Message:
    """Return the cards that are played, or a pass. A leader's pass has its own words, because it may void the game."""
    if action == rules.PASS:
        return ("told.pass",) if view.play else ("told.pass-lead",)
    found = shape_of(action)
    cards = (ROW, *(_PICTURED[card] for card in members(action)))
    return ("told.card", cards) if found == SINGLE else ("told.play", kind_of(found), cards)


def reveal(state: RawPosition, view: RawPosition) -> None:
    """The hands."""
    view.hands = state.hands


def in_words(cards: int) -> str:
    """`10♠ J♥ C♦`."""
    return " ".join(_WORDS[card] for card in members(cards))


@_kept
def _task(play: int) -> Message:
    """The task of a player who is to answer a play, 0 being none."""
    if not play:
        return ("task.lead",)
    top = _WORDS[highest(play)]
    task = ("task.card", top) if shape_of(play) == SINGLE else ("task.answer", _kind(play), top)
    fours, doubles = other_shape(play, 0), other_shape(play, 1)
    return ("task.one-king" if fours else "task.kings", task, kind_of(doubles)) if doubles else task


def _kind(play: int) -> Message:
    found = shape_of(play)
    return ("kind.card",) if found == SINGLE else kind_of(found)


# Items that are the same for several seats, or at several moves


@_kept
def _chart(played: int) -> Item:
    """The chart of the cards that have been played."""
    return Item("chart", "chart", *CHART, label=("label.played", in_words(played) or "-"))


@_kept
def _minis(cards: int) -> tuple[Item, ...]:
    """Cards in their places of the chart."""
    return tuple(map(_mini, members(cards)))


@cache
def _mini(card: int) -> Item:
    """A card's place in the chart."""
    value, suit = divmod(card, SUITS)
    x = CHART[0] + (value - (VALUES - 1) / 2) * CELL[0]
    y = CHART[1] - CHART[3] / 2 + CHART[3] * 7 / 31 + (suit + 0.5) * CELL[1]
    return Item(_IDS[card], f"mini-{LETTERS[suit]}", round(x, 2), round(y, 2), *CELL)


@_kept
def _last_play(play: int, maker: int, left: int, highlighted: bool) -> tuple[Item, ...]:
    """The play on the table; its cards come from the end of the maker's fan, which has `left` cards now."""
    label = ("label.play", (SEAT, maker), _kind(play))
    sign = Item("maker", f"seat-{maker}", MAT[0] - MAT[2] / 2, MAT[1] - MAT[3] / 2, 8, 8, classes=f"player-{maker}")
    classes = "card last" if highlighted else "card"
    cards = zip(_side_by_side(shape_of(play)), members(play), strict=True)
    return (
        Item("mat", "mat", *MAT, classes=f"player-{maker} drop", label=label),
        sign,
        *(
            Item(_IDS[card], _SPRITES[card], *place, classes=classes, label=_LABELS[card], start=f"back-{maker}-{left + i}")
            for i, (place, card) in enumerate(cards)
        ),
    )


@cache
def _sign(player: int, left: int, number: int, *, moves: bool, has_passed: bool) -> tuple[Item, ...]:
    """The sign of a player in that corner with the number of cards that are left, and what is told beside it."""
    corner = CORNERS[number]
    label, classes = ("label.seat", (SEAT, player), left), f"player-{player} on-player"
    items = [Item(f"seat-{player}", f"seat-{player}", *corner.sign, 13, 13, 0, classes, label, str(left))]
    if moves:
        items.insert(0, Item("turn", "turn", *corner.sign, 18, 18, classes=f"player-{player}"))
    if not left:
        x, y = corner.sign
        beside = (x, y - 11) if x < 20 else (x - 11, y)  # on the left there is no room beside the sign
        items.append(Item("winner", "crown", *beside, 10, 10))
    if has_passed:
        note = Item(f"pass-{player}", "bubble", *corner.passed, 20, 8, label=("label.passed",), text=("bubble.pass",))
        items.append(note)
    return tuple(items)


@cache
def _standing(player: int, left: int, total: int) -> Standing:
    """A player's line; `total` are the cards that all have left at the end, -1 before."""
    facts: list[tuple[Message, Message]] = [(("heading.cards",), left)]
    if total >= 0:
        facts.append((("heading.points",), 0 if left else total))
    return Standing(player, tuple(facts), f"seat-{player}")


@_kept
def _open_hand(hand: int) -> tuple[Item, ...]:
    n = hand.bit_count()
    apart = max(NEAREST, min(FARTHEST, OWN_WIDTH / max(n - 1, 1)))
    places = [_on_arc(CORNERS[0], i - (n - 1) / 2, apart, RADIUS) for i in range(n)]
    return tuple(
        Item(_IDS[card], _SPRITES[card], x, y, *OWN, angle, "card grip", _LABELS[card])
        for card, (x, y, angle) in zip(members(hand), places, strict=True)
    )


@_kept
def _shown_hand(player: int, hand: int, number: int) -> tuple[Item, ...]:
    """Another hand in that corner, which is seen after the end; its cards were backs."""
    corner = CORNERS[number]
    n = hand.bit_count()
    apart = min(SHOWN_APART, SHOWN_WIDTH / max(n - 1, 1))
    places = [_on_arc(corner, i - (n - 1) / 2, apart, RADIUS) for i in range(n)]
    return tuple(
        Item(_IDS[card], _SPRITES[card], x, y, *SHOWN, angle, "card", _LABELS[card], start=f"back-{player}-{i}")
        for i, (card, (x, y, angle)) in enumerate(zip(members(hand), places, strict=True))
    )


# Where things lie


@cache
def _backs(player: int, n: int, number: int) -> tuple[Item, ...]:
    """The n backs of a hand in that corner that the seat does not see."""
    corner = CORNERS[number]
    own = corner.angle == 0
    apart, radius = (NEAREST, RADIUS) if own else (5, 110)
    width, height = OWN if own else BACK
    places = [_on_arc(corner, i - (n - 1) / 2, apart, radius) for i in range(n)]
    return tuple(
        Item(f"back-{player}-{i}", "back", x, y, width, height, angle, "card") for i, (x, y, angle) in enumerate(places)
    )


def _on_arc(corner: Corner, steps: float, apart: float, radius: float) -> tuple[float, float, int]:
    """The place that lies `steps` cards clockwise from the middle of a hand, and the angle of a card there."""
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


_WORDS: Final = tuple(word.replace(" ", "") for word in WORDS)
_IDS: Final = tuple(f"c{card}" for card in range(len(WORDS)))
_SPRITES: Final = tuple(f"card-{card}" for card in range(len(WORDS)))
_PICTURED: Final = tuple((PICTURE, word, f"small-{card}", 0, "") for card, word in enumerate(_WORDS))
_CARDS: Final = {name: 1 << card for card, name in enumerate(_IDS)}
_LABELS: Final[tuple[Message, ...]] = tuple(
    ("label.card", name if isinstance(name, int) else (name,), (f"suit.{letter}",))
    for name in VALUE_NAMES
    for letter in LETTERS
)
_FREE: Final = Item("mat", "free", *MAT, classes="drop", label=("label.free",))
_PASS: Final = Choice(rules.PASS, (), ("button.pass",))


# Previews


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Nothing but words for passing."""
    if action == rules.PASS:
        return Preview((), (), describe(view, player, action))
    rest = int(view.hands[player]) & ~action
    told = ("preview.leaves", rest.bit_count(), int(turns(rest))) if rest else ("preview.last",)
    return Preview((), (), told)
