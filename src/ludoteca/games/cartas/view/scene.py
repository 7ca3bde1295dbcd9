"""The table of Cartas as a seat sees it: four players around it, the seat's own hand at the bottom, play going clockwise.

table             the table
c37               a card that the seat sees: in a hand, in the last play, or in its place of the chart
mat, maker        the place of the last play, and on its last card the sign of the player who made it
back-2-5          a hidden card: its player, and its place in the fan
seat-2, pass-2    a player's sign with the number of cards left, and the note of a pass
turn, winner      the ring around the sign of the player to move, and the winner's crown
chart, seen       the small chart of the cards that have been played, and its heading. `style.css` makes it larger for a
                  player who points at it, touches it, or gives it the focus.

A fan of hidden cards is always closed up, so that it does not show which card of the hand has been played.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from ludoteca.core.bits import members
from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import PICTURE, ROW, SEAT, Message
from ludoteca.core.scene import Choice, Item, Placed, Preview, Scene, Standing, fan, hand_zone, in_zone, row
from ludoteca.games.cartas import rules
from ludoteca.games.cartas.cards import WORDS, highest
from ludoteca.games.cartas.combinations import (
    DECK,
    SINGLE,
    SUITS,
    VALUES,
    each_of,
    ends_in,
    length_of,
    other_shape,
    shape_of,
    turns,
)
from ludoteca.games.cartas.notation import kind_of

WIDTH: Final = 160
HEIGHT: Final = 188

# The sizes of cards; all are 60 : 85.
OWN: Final = (26, 36.83)
BACK: Final = (13, 18.4)
SHOWN: Final = (17, 24.08)
"""The size of cards in other hands, which are seen after the end."""
PLAYED: Final = (30, 42.5)
PAIRED: Final = (24, 34)
"""The size of cards in a double sequence, which has two rows."""

RADIUS: Final = 420
"""The radius of the arc on which cards are held."""
BACK_RADIUS: Final = 150
BACK_APART: Final = 5
ONE_ROW: Final = 10
"""The most cards of the player's hand in a single row. More cards are in two rows, with the low cards behind."""
BEHIND: Final = 20
"""The distance between these rows."""
FARTHEST: Final = 20
"""The largest distance between the cards of a row of the own hand."""
OWN_WIDTH: Final = 124
"""The largest distance from the first card of a row to the last."""
SHOWN_APART: Final = 6.8
SHOWN_WIDTH: Final = 64


class Corner(NamedTuple):
    """The places of a player: the middle of the hand and its angle, the sign, and the note of a pass."""

    hand: tuple[float, float]
    angle: int
    sign: tuple[float, float]
    passed: tuple[float, float]


CORNERS: Final = (
    Corner((80, 161), 0, (80, 108), (100, 108)),
    Corner((14.5, 72), 90, (26, 72), (27, 86)),
    Corner((80, 14.5), 180, (80, 27), (100, 27)),
    Corner((145.5, 72), 270, (134, 72), (133, 86)),
)
"""The places of the seat itself, then those of the other players, clockwise, as play goes."""

MAT: Final = (80, 62, 92, 50)
CHART: Final = (46.5, 110, 44.8, 12.4)
CELL: Final = (3.2, 2.4)
SEEN: Final = "of-chart at-start muted"
LETTERS: Final = "shdc"
VALUE_NAMES: Final = ("value.A", *range(2, 11), "value.J", "value.C", "value.Q", "value.K")

_WORDS: Final = tuple(word.replace(" ", "") for word in WORDS)
IDS: Final = tuple(f"c{card}" for card in range(len(WORDS)))
"""The ids of visible cards."""
_CARDS: Final = {name: 1 << card for card, name in enumerate(IDS)}
_SPRITES: Final = tuple(f"card-{card}" for card in range(len(WORDS)))
_PICTURED: Final = tuple((PICTURE, word, f"small-{card}", 0, "") for card, word in enumerate(_WORDS))
_LABELS: Final[tuple[Message, ...]] = tuple(
    ("label.card", name if isinstance(name, int) else (name,), (f"suit.{letter}",))
    for name in VALUE_NAMES
    for letter in LETTERS
)
_IN_CHART: Final = tuple(
    Item(f"c{SUITS * value + suit}", f"mini-{letter}", round(x, 2), round(y, 2), *CELL, classes="of-chart")
    for value, x in enumerate(row(CHART[0], VALUES, CELL[0]))
    for suit, (letter, y) in enumerate(zip(LETTERS, row(CHART[1] + CHART[3] * 7 / 62, SUITS, CELL[1]), strict=True))
)
"""Each card in its place of the chart."""

SENDS_AT_ONCE: Final = False


def draw(view: RawPosition, player: int) -> Scene:
    """Return the chart, the last play, and each hand with its player's sign. A spectator sits in seat 0 and sees backs."""
    hands, sizes, mover, passes = view.hands.tolist(), view.sizes.tolist(), int(view.mover), int(view.passes)
    played, play, kind, over = int(view.played), int(view.play), int(view.kind), mover < 0
    names = " ".join(_WORDS[card] for card in members(played))
    items = [Item("table", "table", WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT)]
    if play:
        maker = sizes.index(0) if over else (mover - 1 - passes) % rules.PLAYERS
        items += in_zone(("zone.table",), _last_play(play, kind, maker, sizes[maker]))
    else:
        items.append(Item("mat", "free", *MAT, classes="drop", label=("label.free",), zone=("zone.table",)))
    for number in (2, 1, 3, 0):  # the seat's own hand is above all others
        each, corner = (max(player, 0) + number) % rules.PLAYERS, CORNERS[number]
        hand, left, (x, y), colour = hands[each], sizes[each], corner.sign, f"player-{each}"
        if not hand:
            items += _backs(number, each, left)
        else:
            cards = _shown_hand(number, each, hand) if number else _open_hand(hand)
            items += in_zone(hand_zone(each, player), cards)
        if each == mover:
            items.append(Item("turn", "turn", x, y, 19, 19, classes=colour))
        label = ("label.seat", (SEAT, each), left)
        items.append(Item(f"seat-{each}", f"seat-{each}", x, y, 14, 14, 0, f"{colour} on-player", label, str(left)))
        if not left:
            items.append(Item("winner", "crown", x, y - 11, 10, 10))
        # passes count since the last play. In a void game all players have passed.
        if passes == rules.PLAYERS if over else (mover - 1 - each) % rules.PLAYERS < passes:
            items.append(
                Item(f"pass-{each}", "bubble", *corner.passed, 24, 9.6, label=("label.passed",), text=("bubble.pass",))
            )
    x, y, width, height = CHART
    items.append(Item("chart", "chart", *CHART, classes="of-chart", label=("label.played", names or "-")))
    items += [_IN_CHART[card] for card in members(played & ~play)]
    items.append(Item("seen", "", x - width / 2, y - height / 2 - 3, 20, 9, 0, SEEN, text=("chart.title",)))
    task = _task(view, 0 if over else hands[mover])
    if over:
        task = ("ending.won", (SEAT, sizes.index(0)), sum(sizes)) if 0 in sizes else ("ending.void",)
    return Scene(WIDTH, HEIGHT, tuple(items), _standings(sizes, over=over), task)


def placed(before: RawPosition, after: RawPosition, player: int, action: int) -> Placed:
    """Return the cards of a play."""
    return Placed(tuple(IDS[card] for card in members(action))) if action != rules.PASS else Placed()


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
    """Return the cards to touch for each play. Passing is a button. It looks plain if the player may lead, because such a
    player gains nothing by passing.
    """
    button = ("button.pass",) if view.play else ("button.pass-lead",)
    return [
        Choice(action, tuple(IDS[card] for card in members(action))) if action != rules.PASS else Choice(action, (), button)
        for action in legal
    ]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """Return the play of the touched cards, legal or not, or -1 if an item that is no card, or nothing, is touched."""
    cards = 0
    for name in touched:
        if name not in _CARDS:
            return -1
        cards |= _CARDS[name]
    return cards or -1


def describe(view: RawPosition, player: int, action: int) -> Message:
    """Return an action in words: the cards that are played, or a pass. A pass instead of a lead has separate words, because
    it may end the game without a winner.
    """
    if action == rules.PASS:
        return ("told.pass",) if view.play else ("told.pass-lead",)
    found = shape_of(action)
    cards = (ROW, *(_PICTURED[card] for card in members(action)))
    return ("told.card", cards) if found == SINGLE else ("told.play", kind_of(found), cards)


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Return in words how many cards are left after a play, and an estimate of how many turns they take. No item changes."""
    if action == rules.PASS:
        return Preview((), (), describe(view, player, action))
    rest = int(view.hands[player]) & ~action
    told = ("preview.leaves", rest.bit_count(), int(turns(rest))) if rest else ("preview.last",)
    return Preview((), (), told)


def reveal(state: RawPosition, view: RawPosition) -> None:
    """Show all hands."""
    view.hands = state.hands


def _last_play(play: int, kind: int, maker: int, left: int) -> list[Item]:
    """Return the items of the last play: its place, and its cards. They come from the end of the fan of the player `maker`,
    in which `left` cards remain.
    """
    x, y, width, _ = MAT
    colour, label = f"player-{maker}", ("label.play", (SEAT, maker), _name(kind))
    items = [Item("mat", "mat", *MAT, classes=f"{colour} drop", label=label)]
    # the two cards of a pair in a double sequence are one above the other
    length, each = length_of(kind), each_of(kind)
    columns, rows = (each, 1) if length == 1 else (length, each)
    w, h = PLAYED if rows == 1 else PAIRED
    apart = min(w + 1, (width - w) / max(columns - 1, 1))
    places = [(round(across, 2), down) for across in row(x, columns, apart) for down in row(y, rows, 14)]
    for i, (card, place) in enumerate(zip(members(play), places, strict=True)):
        start, angle = f"back-{maker}-{left + i}", card * 5 % 9 - 4  # as cards fall on a table
        items.append(Item(IDS[card], _SPRITES[card], *place, w, h, angle, "card", _LABELS[card], start=start))
    corner = places[-1][0] + w / 2 - 1, places[0][1] - h / 2 + 1
    items.append(Item("maker", f"seat-{maker}", *corner, 10, 10, classes=colour))
    return items


@cache
def _backs(number: int, player: int, n: int) -> tuple[Item, ...]:
    """Return the items of n hidden cards of a player. `number` is the number of the player's corner."""
    corner = CORNERS[number]
    w, h = BACK if number else OWN
    places = fan(*corner.hand, corner.angle, n, BACK_APART, BACK_RADIUS) if number else _own_places(n)
    return tuple(
        Item(f"back-{player}-{i}", "back", x, y, w, h, angle, "card dealt") for i, (x, y, angle) in enumerate(places)
    )


@cache
def _own_places(n: int) -> tuple[tuple[float, float, int], ...]:
    """Return the places and the angles of n cards of the seat's own hand, in one row or in two."""
    (x, y), behind = CORNERS[0].hand, n // 2 if n > ONE_ROW else 0
    rows = ((y - BEHIND, behind), (y, n - behind))
    return tuple(
        place
        for middle, cards in rows
        for place in fan(x, middle, 0, cards, min(FARTHEST, OWN_WIDTH / max(cards - 1, 1)), RADIUS)
    )


def _open_hand(hand: int) -> list[Item]:
    """Return the cards of the seat's own hand."""
    return [
        Item(IDS[card], _SPRITES[card], x, y, *OWN, angle, "card grip", _LABELS[card])
        for card, (x, y, angle) in zip(members(hand), _own_places(hand.bit_count()), strict=True)
    ]


def _shown_hand(number: int, player: int, hand: int) -> list[Item]:
    """Return the open cards of another hand, in that player's corner. Until the end of the game, this hand shows backs."""
    corner, n = CORNERS[number], hand.bit_count()
    places = fan(*corner.hand, corner.angle, n, min(SHOWN_APART, SHOWN_WIDTH / max(n - 1, 1)), RADIUS)
    return [
        Item(IDS[card], _SPRITES[card], x, y, *SHOWN, angle, "card", _LABELS[card], start=f"back-{player}-{i}")
        for i, (card, (x, y, angle)) in enumerate(zip(members(hand), places, strict=True))
    ]


def _standings(sizes: Sequence[int], *, over: bool) -> tuple[Standing, ...]:
    """Return the number of cards that each player has left, and at the end the points."""
    standings = []
    for player, left in enumerate(sizes):
        facts: list[tuple[Message, Message]] = [(("heading.cards",), left)]
        if over:
            facts.append((("heading.points",), 0 if left else sum(sizes)))
        standings.append(Standing(player, tuple(facts), f"seat-{player}"))
    return tuple(standings)


def _task(view: RawPosition, hand: int) -> Message:
    """Return the task of the player to move: to lead, to answer, or to pass. `hand` is 0 if the seat does not see it."""
    play, kind = int(view.play), int(view.kind)
    if not play:
        return ("task.lead",)
    fours, doubles = other_shape(play, 0), other_shape(play, 1)
    others = any(ends_in(hand, shape, DECK) for shape in (fours, doubles) if shape)
    if hand and not others and not ends_in(hand, kind, int(view.higher)):
        return ("task.none",)
    top = _WORDS[highest(play)]
    task = ("task.card", top) if kind == SINGLE else ("task.answer", _name(kind), top)
    return ("task.one-king" if fours else "task.kings", task, kind_of(doubles)) if doubles else task


def _name(kind: int) -> Message:
    return ("kind.card",) if kind == SINGLE else kind_of(kind)


def begin_turn(view: RawPosition, player: int) -> None:
    """Let all players before this player pass, so that it is this player's turn. If they all pass, the player who made the
    last play leads.

    So the player may answer the last play, answer a higher play of its kind, or lead.
    """
    maker = (int(view.mover) - 1 - int(view.passes)) % rules.PLAYERS
    view.mover = player
    if view.play and maker != player:
        view.passes = (player - 1 - maker) % rules.PLAYERS
    else:
        rules.set_play(view, 0)
        view.passes = 0
