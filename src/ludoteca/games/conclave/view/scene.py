"""Conclave as a seat sees it: its own hand open at the bottom, the others' rows above the board in turn order.

The id of an open card is its name (`p5g`), so that it is seen to move from a hand to the board and on to the followers. The
id of a back is its place in a hand (`hand-1-2`) or in the deck (`deck-17`). Everybody sees where each card comes from, but
for the last cards of a hand, which join the followers at the end and come from the player's sign.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from ludoteca.core.arrays import copied, struct_dtype
from ludoteca.core.bits import members
from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import LIST, PICTURE, SEAT, Message
from ludoteca.core.scene import Choice, Item, Items, Preview, Scene, Standing
from ludoteca.games.conclave import deck, rules, sets
from ludoteca.games.conclave.hidden import is_back
from ludoteca.games.conclave.notation import MAGICS, card_name, hand_of
from ludoteca.games.conclave.sets import CELLS, column_run, row_run
from ludoteca.games.conclave.view import pieces
from ludoteca.games.conclave.view.pieces import (
    BOARD,
    MAGIC_NAMES,
    PILES,
    WIDTH,
    hole_of,
    layout,
    name_of,
    on_board,
    seat_of,
    zone_of,
)

NO_NEWS: Final = -1, ""
"""In place of the place of a card that has just been drawn, and of the pile from which it came."""


def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:
    """The table as the player sees it; a spectator sits where player 0 does, and sees backs."""
    players, mover, seat = int(view.players), int(view.mover), max(player, 0)
    standing = pieces.influence(players, view.followers.tobytes())
    parts, standings = [pieces.ground(players)], []
    backs, tops, bottoms, hands = view.deck.tobytes(), view.top.tolist(), view.bottom.tolist(), view.hands.tobytes()
    lately = _lately(view, highlighted)
    for pile in (rules.LEFT, rules.RIGHT):
        top, bottom = tops[pile], bottoms[pile]
        parts.append(pieces.pile(players, pile, bottom, backs[top:bottom]))
    parts.append(pieces.board(players, view.board.tobytes(), lately.sent))
    for each, (points, followers, controls) in enumerate(standing.players):
        row = (each - seat) % players
        new, source = (lately.place, lately.source) if each == lately.player else NO_NEWS
        parts.append(pieces.hand(players, row, each, hands[rules.HAND * each : rules.HAND * (each + 1)], new, source))
        parts += pieces.zones(players, row, each, followers, controls)
        mark = ("turn" if each == mover else "") if mover >= 0 else "winner" if each == standing.best else ""
        parts.append(pieces.sign(players, row, each, points, mark))
        standings.append(_standing(each, points, controls.bit_count()))
    if rules.is_terminal(view):
        best, points = standing.best, standing.players[standing.best].points
        task: Message = ("ending.won", (SEAT, best), points) if points else ("ending.content", (SEAT, best))
    else:
        task = (("task.cede",), ("task.send",), ("task.draw",))[int(view.phase)]
        task = ("task.last", task, int(view.turns_left)) if view.turns_left else task
    return Scene(WIDTH, layout(players).height, Items(parts), tuple(standings), task)


@cache
def _standing(player: int, points: int, controlled: int) -> Standing:
    return Standing(player, ((("heading.points",), points), (("heading.controlled",), controlled)), seat_of(player))


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
    """A card and a hole; a zone of followers and the player who receives them; a pile. To cede nothing is a button."""
    hand = [card_name(card) for card in hand_of(view, player)]
    found = []
    for action in legal:
        if action < rules.CEDE:
            place, cell = divmod(action, sets.CELLS)
            found.append(Choice(action, (hand[place], hole_of(cell))))
        elif action < rules.KEEP:
            receiver, magic = divmod(action - rules.CEDE, 8)
            found.append(Choice(action, (zone_of(player, magic), seat_of(receiver))))
        else:
            found.append(_KEEP if action == rules.KEEP else Choice(action, (PILES[action - rules.DRAW],)))
    return found


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """Sending a card, ceding followers, drawing; a card alone, while none may be sent, means sending it."""
    hand = [card_name(card) for card in hand_of(view, player)]
    if len(touched) == 1:
        if touched[0] in PILES:
            return rules.DRAW + PILES.index(touched[0])
        untimely = touched[0] in hand and view.phase != rules.SENDING
        return sets.CELLS * hand.index(touched[0]) if untimely else -1
    if len(touched) != 2:
        return -1
    sendings = [
        sets.CELLS * hand.index(card) + cell
        for card, place in (touched, touched[::-1])
        if card in hand and (cell := _cell_of(view, place)) >= 0
    ]
    cessions = [
        rules.CEDE + 8 * _SEATS[seat] + _ZONES[zone][1]
        for zone, seat in (touched, touched[::-1])
        if seat in _SEATS and zone in _ZONES and _ZONES[zone][0] == player
    ]
    return next(iter(sendings + cessions), -1)


def _cell_of(view: RawPosition, name: str) -> int:
    """The cell of the hole or of the card with that id; -1 for none."""
    if name in _HOLES:
        return _HOLES[name]
    card, board = _CARDS.get(name, deck.BACK), view.board.tolist()
    return int(board.index(card)) if card in board else -1


def describe(view: RawPosition, player: int, action: int) -> Message:
    """The action; a card that is sent is named to those who see it, and to the others the place from which it comes."""
    if action < rules.CEDE:
        place, cell = divmod(action, sets.CELLS)
        card = hand_of(view, int(view.mover))[place]
        shown = (PICTURE, name_of(card), card_name(card), 0, f"magic-{MAGICS[card >> 4]}")
        where = divmod(cell, sets.SIDE)
        return ("told.hidden", shown, *where, place) if is_back(card) else ("told.send", shown, *where)
    if action < rules.KEEP:
        receiver, magic = divmod(action - rules.CEDE, 8)
        return ("told.cede", MAGIC_NAMES[magic], (SEAT, receiver))
    return (("told.keep",), ("told.left",), ("told.right",))[action - rules.KEEP]


def reveal(state: RawPosition, view: RawPosition) -> None:
    """The hands, and what is left of the piles."""
    view.hands, view.deck = state.hands, state.deck


class Lately(NamedTuple):
    """What the last actions have moved."""

    sent: dict[int, str]
    """The cells of emissaries, and the places of hands from which they came."""
    player: int
    """Who has drawn with the very last of them, or -1."""
    place: int
    """The place of that card in the hand."""
    source: str
    """The pile from which it came."""


def _lately(view: RawPosition, highlighted: Sequence[int]) -> Lately:
    """What the highlighted actions have moved.

    The players who sent emissaries are found backwards from the mover; at the end there is none, and it is not told. A card
    that is drawn takes the place of the one that was sent; where one pile is left, it is drawn with the sending.
    """
    cells: dict[int, str] = {}
    mover, after = int(view.mover), int(view.phase)
    drawn = None
    for action in reversed(highlighted):
        part = rules.DRAWING if action >= rules.DRAW else rules.SENDING if action < rules.CEDE else rules.CEDING
        if part >= after and mover >= 0:
            mover = (mover - 1) % int(view.players)
        after = part
        if part == rules.SENDING:
            place, cell = divmod(action, sets.CELLS)
            cells[cell] = f"slot-{mover}-{place}" if mover >= 0 else ""
            drawn = drawn or (mover, place)
    last = highlighted[-1] if highlighted else rules.KEEP
    if drawn is None or rules.CEDE <= last < rules.DRAW:
        return Lately(cells, -1, *NO_NEWS)
    pile = last - rules.DRAW
    if last < rules.CEDE:
        pile = rules.LEFT if view.top[rules.LEFT] < view.bottom[rules.LEFT] else rules.RIGHT
    return Lately(cells, *drawn, PILES[pile])


_CARDS: Final = {card_name(card): card for card in deck.ordered_deck()}
_HOLES: Final = {hole_of(cell): cell for cell in range(sets.CELLS)}
_SEATS: Final = {seat_of(player): player for player in range(rules.MAX_PLAYERS)}
_ZONES: Final = {
    zone_of(player, magic): (player, magic) for player in range(rules.MAX_PLAYERS) for magic in range(deck.MAGICS)
}
_KEEP: Final = Choice(rules.KEEP, (), ("button.keep",))


# Previews

BEYOND: Final = 4.5
"""From the board's right and lower edges to the sums of the row and the column."""
SUM: Final = 18.0
"""Twice the height of the numbers."""


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Nothing but words for ceding and drawing."""
    if action >= rules.CEDE:
        return Preview((), (), describe(view, player, action))
    place, cell = divmod(action, CELLS)
    card = hand_of(view, player)[place]
    row, column = _sums_with(int(view.occupied), int(view.influence), card, cell)
    after = copied(view)
    rules.put(after, card, cell)
    followers = [int(view.board[at]) for at in members(int(rules.won_from(after, card, cell)))]
    emissary = on_board(int(view.players), cell, card)
    ghosts = replace(emissary, id="ghost-emissary", label=""), *_sums(int(view.players), cell, row, column)
    if not followers:
        return Preview(ghosts, (), ("preview.nobody", row, column))
    key = "preview.follow" if rules.convinced_by(after, card, cell) else "preview.crisis"
    told: Message = (key, row, column, (LIST, *(name_of(follower) for follower in followers)))
    return Preview(ghosts, tuple(card_name(follower) for follower in followers), told)


def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> tuple[Item, ...]:
    """What the row and the column of an emissary have summed to, before anybody follows."""
    if action >= rules.CEDE:
        return ()
    cell = action % CELLS
    sums = _sums_with(int(before.occupied), int(before.influence), int(after.board[cell]), cell)
    return _sums(int(before.players), cell, *sums)


@lru_cache(maxsize=256)
def _sums_with(occupied: int, influence: int, card: int, cell: int) -> tuple[int, int]:
    """What the row and the column of an emissary sum to before anybody follows. It is the same for all seats.

    `occupied` and `influence` are those of the position in which it is sent.
    """
    board = np.zeros(1, struct_dtype(rules.STATE))[0]
    board.occupied, board.influence = occupied, influence
    rules.put(board, card, cell)
    runs = (run(int(board.occupied), cell) for run in (row_run, column_run))
    row, column = (int(rules.sum_on(int(board.influence), run)) for run in runs)
    return row, column


@lru_cache(maxsize=256)
def _sums(players: int, cell: int, row: int, column: int) -> tuple[Item, ...]:
    """The sums beyond the ends of a row and a column."""
    at = layout(players)
    spot = at.cells[cell]
    right, below = at.board.x + BOARD[0] / 2 + BEYOND, at.board.y + BOARD[1] / 2 + BEYOND
    sums = (("row", right, spot.y, row), ("column", spot.x, below, column))
    return tuple(
        Item(f"ghost-{line}", "", x, y, SUM, SUM, 0, "sum enough" if total >= rules.ENOUGH else "sum", text=str(total))
        for line, x, y, total in sums
    )
