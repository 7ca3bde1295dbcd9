"""The table of Conclave. The seat's own hand is open at the bottom, and a spectator sits in the place of player 0.

From the top: a strip for each other player in turn order, with the sign, the points, the hand, and six zones of followers.
Then the board between the two piles, the seat's own zones, and its hand between the sign and the points.

p5g             an open card, named as in the notation, in a hand, on the board, in a zone or in a pile
hand-1-2        a card of a hand, face down, at place 2 of player 1
deck-17         a card of a pile, face down, at place 17 of the deck
slot-1-2        a place of a hand
cell-5          a hole of the board
pile-0          the top of the left pile, to draw from
seat-1          the sign of player 1
zone-1-p        the zone of the purple followers of player 1, to cede them
crown-p         the crown of the first player who controls purple. If others tie with that player, theirs are crown-p-2, ...
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from ludoteca.core.bits import first, members
from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.core.messages import LIST, PICTURE, SEAT, Message
from ludoteca.core.scene import Choice, Item, Placed, Preview, Scene, Standing, hand_zone, headings, in_zone, row
from ludoteca.core.tables import copied
from ludoteca.games.conclave import deck, rules, sets
from ludoteca.games.conclave.deck import NOTHING, is_back
from ludoteca.games.conclave.notation import (
    BROTHERHOODS,
    MAGICS,
    card_name,
    followers_of,
    hand_of,
    influence_of,
    pile_of,
)

PILES: Final = ("pile-0", "pile-1")
MAGIC_NAMES: Final[tuple[Message, ...]] = tuple((f"magic.{letter}",) for letter in MAGICS)

WIDTH: Final = 160
MIDDLE: Final = WIDTH / 2
TOP: Final = 2.5
BOARD: Final = (98, 117)
WIZARD: Final = (21, 26.25)
"""The size of a card on the board. All cards are 4 : 5."""
PITCH: Final = (23, 27.9)
"""The distances between the middles of columns and of rows."""
PILE_X: Final = (14, WIDTH - 14)
PILED: Final = (20, 25)
STRIP: Final = 5.1
"""The height of the visible strip of a card under another card of a pile."""
OWN: Final = (26, 32.5)
"""The size of a card in the seat's own hand."""
OWN_XS: Final = row(MIDDLE, rules.HAND, 28.5)
OTHERS: Final = (8.8, 11)
"""The size of a card in another hand."""
OTHERS_XS: Final = tuple(round(28 + 9.6 * place, 2) for place in range(rules.HAND))
OTHERS_PITCH: Final = 15.5
"""The distance between the middles of the strips of other players."""
BEYOND: Final = 4
"""The distance from the board's right and lower edges to the sums of a row and a column."""
SUM: Final = 14
"""The size of the sum of a row or a column."""
CHIP: Final = 1.5
"""The proportions (width to height) of the chip that covers the followers in a zone and shows their sum."""


class Look(NamedTuple):
    """The sizes of the items of a player, and the places of the player's zones in a row."""

    sign: tuple[float, float]
    """An x coordinate and a size."""
    points: tuple[float, float]
    chip: float
    """The height."""
    xs: tuple[float, ...]


OWN_LOOK: Final = Look((11, 14), (149, 18), 15.6, tuple(row(MIDDLE, deck.MAGICS, 25.8)))
OTHERS_LOOK: Final = Look((7, 10.5), (17.5, 9.5), 9.8, tuple(row(109.5, deck.MAGICS, 15.9)))

Spot: TypeAlias = tuple[float, float, float, float]
"""A middle, a width and a height."""


class Ground(NamedTuple):
    """The parts of a scene that depend on the number of players alone. Rows, hand and board are y coordinates of middles."""

    height: float
    rows: tuple[float, ...]
    """The row of the seat's own zones comes first, then the strips of the others in turn order."""
    hand: float
    """The seat's own hand."""
    board: float
    cells: tuple[Spot, ...]
    items: tuple[Item, ...]
    """The board with the numbers of its rows and columns, and the places of the piles."""


def draw(view: RawPosition, player: int) -> Scene:
    """Return the scene for a player: the board with its frame and numbers, the piles, and a row of items for each player."""
    players, seat, over = int(view.players), max(player, 0), rules.is_terminal(view)
    ground = _ground(players)
    sums = [influence_of(view, each) for each in range(players)]
    highest = [max(of_magic) for of_magic in zip(*sums, strict=True)]
    controlled = [{magic for magic, most in enumerate(highest) if own[magic] == most > 0} for own in sums]
    points = [sum(own) - sum(own[magic] for magic in held) for own, held in zip(sums, controlled, strict=True)]
    winner = first(int(rules.winners(view))) if over else -1

    items = list(ground.items)
    for pile in (rules.LEFT, rules.RIGHT):
        items += _pile(view, pile, ground)
    items += in_zone(("zone.board",), _board(view, ground))
    for each in range(players):
        at = (each - seat) % players
        y, look = ground.rows[at], OTHERS_LOOK if at else OWN_LOOK
        beside = y if at else ground.hand
        places: list[Spot] = [(x, y, *OTHERS) for x in OTHERS_XS] if at else [(x, ground.hand, *OWN) for x in OWN_XS]
        items += in_zone(hand_zone(each, player), _hand(view, each, places))
        followers = followers_of(view, each)
        for magic, x in enumerate(look.xs):
            cards = [card for card in followers if card >> 4 == magic]
            holders = [number for number, held in enumerate(controlled) if magic in held]
            crown = f"crown-{MAGICS[magic]}" + ("" if each == holders[0] else f"-{each}") if each in holders else ""
            heap = _zone(each, magic, (x, y, CHIP * look.chip, look.chip), cards, sums[each][magic], crown)
            items += in_zone(("zone.followers", (SEAT, each)), heap)
        (x, size), colour = look.sign, f"player-{each}"
        if each == view.mover:
            items.append(Item("turn", "turn", x, beside, size * 1.35, size * 1.35, 0, f"round {colour}"))
        sign, label = seat_of(each), ("label.seat", (SEAT, each), points[each])
        items.append(Item(sign, sign, x, beside, size, size, 0, f"{colour} on-player", label, str(each + 1)))
        if each == winner:
            items.append(Item("winner", "crown", x, round(beside - size * 0.55, 2), 6.5, 6.5))
        x, size = look.points
        items.append(Item(f"points-{each}", "drop", x, beside, size, size, text=str(points[each])))

    task: Message = (("task.cede",), ("task.send",), ("task.draw",))[int(view.phase)]
    if over:
        task = _ending(points, winner)
    elif view.turns_left:
        task = ("task.last", task, int(view.turns_left))
    standings = tuple(
        Standing(
            each, ((("heading.points",), points[each]), (("heading.controlled",), len(controlled[each]))), seat_of(each)
        )
        for each in range(players)
    )
    return Scene(WIDTH, ground.height, tuple(items), standings, task)


def _ending(points: Sequence[int], winner: int) -> Message:
    """Return who wins, and why."""
    fewest, name = points[winner], (SEAT, winner)
    if points.count(fewest) > 1:
        tied = ((SEAT, player) for player, total in enumerate(points) if total == fewest)
        return "ending.tied", (LIST, *tied), fewest, name
    return ("ending.won", name, fewest) if fewest else ("ending.content", name)


def placed(before: RawPosition, after: RawPosition, player: int, action: int) -> Placed:
    """Return the items that an action has placed: the emissary, which comes from its place in the hand, or a drawn card,
    which comes from its pile.

    If only one pile is left, the action that sends a card also draws one.
    """
    mover, sent, starts = int(before.mover), list[str](), dict[str, str]()
    if action < rules.CEDE:
        place, cell = divmod(action, sets.CELLS)
        pile = rules.LEFT if before.top[rules.LEFT] < before.bottom[rules.LEFT] else rules.RIGHT
        sent = [card_name(int(after.board[cell]))]
        starts[sent[0]] = f"slot-{mover}-{place}"
    elif action >= rules.DRAW:
        place, pile = hand_of(before, mover).index(NOTHING), action - rules.DRAW
    else:
        return Placed()
    drawn = hand_of(after, mover)[place]
    if drawn != NOTHING:
        starts[_held_name(mover, place, drawn)] = PILES[pile]
    return Placed(tuple(sent), starts)


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> list[Choice]:
    """Return the items to touch for each action: a card and a hole, a zone of followers and the sign of their receiver, or a
    pile. Ceding nothing is a button.
    """
    touches = _touches(view, player)
    return [Choice(action, touches[action], ("button.keep",) if action == rules.KEEP else "") for action in legal]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """Return the action that the touched items mean, legal or not, or -1 if they mean none. If the player may not send a
    card now, a single touched card means sending it, so that the refusal explains why that is not possible.
    """
    for action, ids in _touches(view, player).items():
        if ids and set(ids) == set(touched):
            return action
    hand = [card_name(card) for card in hand_of(view, player)]
    untimely = view.phase != rules.SENDING and len(touched) == 1 and touched[0] in hand
    return sets.CELLS * hand.index(touched[0]) if untimely else -1


def describe(view: RawPosition, player: int, action: int) -> Message:
    """Return an action in words, before it is played. A card face down is named by its magic and by its place in
    the hand.
    """
    if action < rules.CEDE:
        place, cell = divmod(action, sets.CELLS)
        card = hand_of(view, int(view.mover))[place]
        return (*_sent("told.hidden", card, cell), place) if is_back(card) else _sent("told.send", card, cell)
    if action < rules.KEEP:
        receiver, magic = divmod(action - rules.CEDE, 8)
        return ("told.cede", MAGIC_NAMES[magic], (SEAT, receiver))
    return (("told.keep",), ("told.left",), ("told.right",))[action - rules.KEEP]


def tell(before: RawPosition, after: RawPosition, player: int, action: int) -> Message:
    """Return an action in words, after it was played. A card that has been sent is then open on the board, so the words name
    it.
    """
    if action >= rules.CEDE:
        return describe(before, player, action)
    cell = action % sets.CELLS
    return _sent("told.send", int(after.board[cell]), cell)


def reveal(state: RawPosition, view: RawPosition) -> None:
    """Copy the hands and the rest of the piles."""
    view.hands, view.deck = state.hands, state.deck


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Return the items that show an action before it is played: the emissary, the sums of its row and column, and marks on
    its followers. For other actions there are only words.
    """
    if action >= rules.CEDE:
        return Preview((), (), describe(view, player, action))
    place, cell = divmod(action, sets.CELLS)
    card = hand_of(view, player)[place]
    sent = copied(view)
    rules.put(sent, card, cell)
    followers = [int(view.board[at]) for at in members(int(rules.won_from(sent, card, cell)))]
    spot = _ground(int(view.players)).cells[cell]
    emissary = Item("ghost-emissary", card_name(card), *spot, 0, f"wizard magic-{MAGICS[card >> 4]} seated")
    sums = _sums(sent, cell)
    told: Message = ("preview.nobody", *sums)
    if followers:
        key = "preview.follow" if rules.convinced_by(sent, card, cell) else "preview.crisis"
        told = (key, *sums, (LIST, *map(name_of, followers)))
    items = (emissary, *_shown(int(view.players), cell, sums))
    return Preview(items, tuple(map(card_name, followers)), told)


def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> tuple[Item, ...]:
    """Return items to show for a moment: the sums of the emissary's row and column, before any wizard follows it."""
    if action >= rules.CEDE:
        return ()
    sent, cell = copied(before), action % sets.CELLS
    rules.put(sent, int(after.board[cell]), cell)
    return _shown(int(before.players), cell, _sums(sent, cell))


def hole_of(cell: int) -> str:
    """Return the id of a hole of the board."""
    return f"cell-{cell}"


def zone_of(player: int, magic: int) -> str:
    """Return the id of a zone. A player touches it to cede the followers there."""
    return f"zone-{player}-{MAGICS[magic]}"


def seat_of(player: int) -> str:
    """Return the id of a player's sign."""
    return f"seat-{player}"


def name_of(card: int) -> Message:
    """Return the label of a card: its magic, its influence and its brotherhood, or its magic alone if it is face down."""
    magic, face = divmod(card, 16)
    if face == deck.BACK:
        return MAGIC_NAMES[magic]
    brotherhood, influence = divmod(face, deck.INFLUENCES)
    return ("label.card", MAGIC_NAMES[magic], influence + 1, (f"brotherhood.{BROTHERHOODS[brotherhood]}",))


def _sent(key: str, card: int, cell: int) -> tuple[Message, ...]:
    """Return a text with the card and the cell to which it is sent."""
    shown = (PICTURE, name_of(card), card_name(card), 0, f"magic-{MAGICS[card >> 4]}")
    return key, shown, *divmod(cell, sets.SIDE)


def _touches(view: RawPosition, player: int) -> dict[int, tuple[str, ...]]:
    """Return the ids of the items to touch for each action, by action. Illegal actions are included."""
    hand = [card_name(card) for card in hand_of(view, player)]
    board = [hole_of(cell) if card == deck.NOTHING else card_name(card) for cell, card in enumerate(view.board.tolist())]
    touches: dict[int, tuple[str, ...]] = {}
    for place, card in enumerate(hand):
        touches |= {sets.CELLS * place + cell: (card, item) for cell, item in enumerate(board)}
    for receiver in range(rules.MAX_PLAYERS):
        for magic in range(deck.MAGICS):
            touches[rules.CEDE + 8 * receiver + magic] = (zone_of(player, magic), seat_of(receiver))
    return touches | {rules.KEEP: (), rules.DRAW + rules.LEFT: PILES[:1], rules.DRAW + rules.RIGHT: PILES[1:]}


@cache
def _ground(players: int) -> Ground:
    """Return the places and the still items for a number of players."""
    others = [TOP + 7 + OTHERS_PITCH * number for number in range(players - 1)]
    top = TOP + OTHERS_PITCH * (players - 1) + 3
    own = top + BOARD[1] + 12.5
    hand = own + 13.5 + OWN[1] / 2
    board = top + BOARD[1] / 2
    xs, ys = ([round(at, 2) for at in row(middle, sets.SIDE, PITCH[i])] for i, middle in enumerate((MIDDLE, board)))
    numbers = [str(number) for number in range(sets.SIDE)]
    items = [
        Item("conclave", "conclave", MIDDLE, board, *BOARD),
        *_codes(headings("column-", numbers, [(x, board - BOARD[1] / 2 - 1.8) for x in xs], 7, 7)),
        *_codes(headings("row-", numbers, [(MIDDLE - BOARD[0] / 2 - 2.5, y) for y in ys], 7, 7)),
        *(Item(f"under-{pile}", "slot", *_piled(pile, 0, board)) for pile in range(len(PILES))),
    ]
    cells: list[Spot] = [(x, y, *WIZARD) for y in ys for x in xs]
    return Ground(hand + OWN[1] / 2 + 1.5, (own, *others), hand, board, tuple(cells), tuple(items))


def _codes(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the same items with the class of codes, which players can hide."""
    return (replace(item, classes="muted code") for item in items)


def _pile(view: RawPosition, pile: int, ground: Ground) -> list[Item]:
    """Return the cards of a pile from the lowest upwards, their number, and the item to touch."""
    cards, items = pile_of(view, pile), list[Item]()
    for below, card in enumerate(reversed(cards)):
        spot = _piled(pile, below, ground.board)
        if is_back(card):
            items.append(_face_down(f"deck-{int(view.bottom[pile]) - 1 - below}", card, spot))
        else:
            items.append(_open(card, spot, "piled"))
    x, y, w, h = _piled(pile, max(len(cards) - 1, 0), ground.board)
    order = " ".join(MAGICS[card >> 4] for card in cards) or "-"
    items.append(Item(f"count-{pile}", "", x, y - h / 2 - 3, 10, 10, text=str(len(cards))))
    items.append(Item(PILES[pile], "touch", x, y, w, h, 0, "wizard", (f"label.{PILES[pile]}", len(cards), order)))
    return items


def _piled(pile: int, below: int, board: float) -> Spot:
    """Return the place and size of a card in a pile that has `below` cards under it. `board` is the y coordinate of the
    board's middle.
    """
    return (PILE_X[pile], round(board + (BOARD[1] - PILED[1]) / 2 - STRIP * below, 2), *PILED)


def _board(view: RawPosition, ground: Ground) -> Iterator[Item]:
    """Yield the holes of the board, and its wizards."""
    for cell, (card, spot) in enumerate(zip(view.board.tolist(), ground.cells, strict=True)):
        if card == deck.NOTHING:
            yield Item(hole_of(cell), "hole", *spot, 0, "wizard place", ("label.hole", *divmod(cell, sets.SIDE)))
        else:
            yield _open(card, spot, "seated")


def _hand(view: RawPosition, player: int, places: Sequence[Spot]) -> Iterator[Item]:
    """Yield the places of a hand with their cards."""
    for place, (card, spot) in enumerate(zip(hand_of(view, player), places, strict=True)):
        yield Item(f"slot-{player}-{place}", "slot", *spot)
        if is_back(card):
            label = ("label.held", (SEAT, player), name_of(card))
            yield _face_down(_held_name(player, place, card), card, spot, label, "dealt")
        elif card != deck.NOTHING:
            yield _open(card, spot, "grip")


def _zone(player: int, magic: int, chip: Spot, cards: Sequence[int], total: int, crown: str) -> Iterator[Item]:
    """Yield the items of a zone: a player's followers of a magic under a chip with the sum of their influence. Above it is a
    crown if the player controls the magic, otherwise a drop.

    `crown` is the id of the crown, or empty for a drop.
    """
    name, colour = f"{player}-{MAGICS[magic]}", f"magic-{MAGICS[magic]}"
    x, y, w, h = chip
    label: Message = ("label.none", (SEAT, player), MAGIC_NAMES[magic])
    if cards:
        lower, size = round(y + h * 0.18, 2), round(h * 0.64, 2)
        yield from (_open(card, (x, lower, h * 0.8, h), "follower", seat_of(player)) for card in cards)
        yield Item(f"heap-{name}", f"heap-{MAGICS[magic]}", x, lower, w, h, 0, f"chip {colour}")
        letters = h * (1.55 if total < 10 else 1.3)
        yield Item(f"sum-{name}", "", x + w * 0.17, lower, h, letters, 0, f"chip on-magic {colour}", text=str(total))
        above = x - w * 0.24, round(lower - h * 0.6, 2)
        yield Item(crown or f"drop-{name}", "crown" if crown else "drop", *above, size, size, 0, "control")
        key, names = "label.controlled" if crown else "label.followers", " ".join(map(card_name, cards))
        label = (key, (SEAT, player), MAGIC_NAMES[magic], total, names)
    else:
        yield Item(f"ghost-{name}", f"magic-{MAGICS[magic]}", x, y, h * 0.65, h * 0.65, 0, f"ghost {colour}")
    yield Item(zone_of(player, magic), "touch", x, y, w, h * 1.3, 0, "wizard", label)


def _open(card: int, spot: Spot, mark: str, start: str = "") -> Item:
    """Return a card that lies face up. `mark` is its class in the style sheet."""
    label = "" if mark == "follower" else name_of(card)
    return Item(card_name(card), card_name(card), *spot, 0, f"wizard magic-{MAGICS[card >> 4]} {mark}", label, "", start)


def _held_name(player: int, place: int, card: int) -> str:
    """Return the id of a card of a hand."""
    return f"hand-{player}-{place}" if is_back(card) else card_name(card)


def _face_down(name: str, card: int, spot: Spot, label: Message = "", mark: str = "") -> Item:
    """Return a card face down. Its id is the name of its place. The mark is its class."""
    return Item(name, MAGICS[card >> 4], *spot, 0, f"wizard magic-{MAGICS[card >> 4]} {mark}".strip(), label)


def _sums(sent: RawPosition, cell: int) -> tuple[int, int]:
    """Return the sums of the row and the column of an emissary that has just been put into a cell."""
    occupied, influence = int(sent.occupied), int(sent.influence)
    row_sum, column_sum = (rules.sum_on(influence, int(run(occupied, cell))) for run in (sets.row_run, sets.column_run))
    return int(row_sum), int(column_sum)


def _shown(players: int, cell: int, sums: tuple[int, int]) -> tuple[Item, ...]:
    """Return the items for the sums of the row and the column of a cell, at the right and below the board."""
    ground = _ground(players)
    x, y, _, _ = ground.cells[cell]
    right, below = MIDDLE + BOARD[0] / 2 + BEYOND, ground.board + BOARD[1] / 2 + BEYOND
    looks = ["gain sum enough" if total >= rules.ENOUGH else "gain sum" for total in sums]
    return (
        Item("ghost-row", "badge", right, y, SUM, SUM, 0, looks[0], text=str(sums[0])),
        Item("ghost-column", "badge", x, below, SUM, SUM, 0, looks[1], text=str(sums[1])),
    )


def begin_turn(view: RawPosition, player: int) -> None:
    """Change the view to the player's next turn. A player with an empty place in the hand has had the last turn."""
    if NOTHING in hand_of(view, player):
        view.mover = TERMINAL
    else:
        rules.begin_turn(view, player)
