"""What a seat sees of Conclave: its own hand open at the bottom, the others' rows above the board in the order of turns.

Open cards are called by the card (`p5g`) and so are seen to move from a hand to the board and on to the followers. Backs
are called by their place, in a hand (`hand-1-2`) or in the deck (`deck-17`). What comes from where is known to everybody,
up to the end: then the last cards of a hand join the followers, and come from the player's sign.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import SEAT, Message
from ludoteca.core.scene import Choice, Item, Scene, Standing
from ludoteca.games.conclave import deck, pieces, rules, sets
from ludoteca.games.conclave.guide import GUIDE as GUIDE
from ludoteca.games.conclave.guide import GUIDE_PARAMETERS as GUIDE_PARAMETERS
from ludoteca.games.conclave.hidden import is_back
from ludoteca.games.conclave.layout import WIDTH, layout
from ludoteca.games.conclave.notation import card_name, hand_of
from ludoteca.games.conclave.pieces import MAGIC_NAMES, PILES, hole_of, name_of, seat_of, zone_of


def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:
    """The table as it is for a player; who watches sits where player 0 does, and sees backs."""
    table = _Table(view, player, highlighted)
    items, standings = tuple(table.items()), tuple(table.standings())
    return Scene(WIDTH, layout(table.players).height, items, standings, _task(view, table.points))


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
    """Card and hole; a zone of followers and who gets them; a pile. To cede nothing is a button."""
    hand = [card_name(card) for card in hand_of(view, player)]
    return [_choice(hand, player, action) for action in legal]


def _choice(hand: Sequence[str], player: int, action: int) -> Choice:
    if action < rules.CEDE:
        place, cell = divmod(action, sets.CELLS)
        return Choice(action, (hand[place], hole_of(cell)))
    if action < rules.KEEP:
        receiver, magic = divmod(action - rules.CEDE, 8)
        return Choice(action, (zone_of(player, magic), seat_of(receiver)))
    return _KEEP if action == rules.KEEP else Choice(action, (PILES[action - rules.DRAW],))


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """To send a card, to cede followers, to draw. A card alone says what is to be done before any is sent."""
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
    """The cell that is a hole, or in which a card lies, of that name; -1 for none."""
    if name in _HOLES:
        return _HOLES[name]
    card, board = _CARDS.get(name, deck.BACK), view.board.tolist()
    return int(board.index(card)) if card in board else -1


def describe(view: RawPosition, player: int, action: int) -> Message:
    """What is done; the card that is sent is named to who sees it."""
    if action < rules.CEDE:
        place, cell = divmod(action, sets.CELLS)
        card = hand_of(view, int(view.mover))[place]
        return ("told.hidden" if is_back(card) else "told.send", name_of(card), *divmod(cell, sets.SIDE))
    if action < rules.KEEP:
        receiver, magic = divmod(action - rules.CEDE, 8)
        return ("told.cede", MAGIC_NAMES[magic], (SEAT, receiver))
    return (("told.keep",), ("told.left",), ("told.right",))[action - rules.KEEP]


class _Table:
    """A view, from a seat."""

    def __init__(self, view: RawPosition, player: int, highlighted: Sequence[int]) -> None:
        self.view = view
        self.players, self.mover = int(view.players), int(view.mover)
        self.seat = max(player, 0)
        self.tops: list[int] = view.top.tolist()
        self.bottoms: list[int] = view.bottom.tolist()
        self.followers: list[int] = view.followers.tolist()
        self.sums = [[pieces.sum_of(faces) for faces in self.followers[8 * each :][: deck.MAGICS]] for each in self._all()]
        self.highest = [max(sums) for sums in zip(*self.sums, strict=True)]
        self.points = [self._disappointment(each) for each in self._all()]
        self.sent = _sent(view, highlighted)
        self.source = self._pile_drawn_from(highlighted)

    def _all(self) -> range:
        return range(self.players)

    def _disappointment(self, player: int) -> int:
        sums = zip(self.sums[player], self.highest, strict=True)
        return sum(mine for mine, highest in sums if mine < highest)

    def _pile_drawn_from(self, highlighted: Sequence[int]) -> str:
        """The pile that was drawn from last, or the only one there is."""
        drawn = [action - rules.DRAW for action in highlighted if action >= rules.DRAW]
        left = self.tops[rules.LEFT] < self.bottoms[rules.LEFT]
        return PILES[drawn[-1] if drawn else rules.LEFT if left else rules.RIGHT]

    def items(self) -> Iterator[Item]:
        """From the ground upwards."""
        yield from pieces.ground(self.players)
        backs: list[int] = self.view.deck.tolist()
        for pile in (rules.LEFT, rules.RIGHT):
            top, bottom = self.tops[pile], self.bottoms[pile]
            yield from pieces.pile(self.players, pile, bottom, tuple(reversed(backs[top:bottom])))
        for cell, card in enumerate(self.view.board.tolist()):
            mark, start = ("last", self.sent[cell]) if cell in self.sent else ("", self.source)
            yield pieces.on_board(self.players, cell, card, mark, start)
        for player in self._all():
            yield from self._player(player, (player - self.seat) % self.players)

    def _player(self, player: int, row: int) -> Iterator[Item]:
        cards = tuple(hand_of(self.view, player))
        yield from pieces.hand(self.players, row, player, cards, self.source)
        for magic in range(deck.MAGICS):
            faces = self.followers[8 * player + magic]
            yield from pieces.zone(self.players, row, player, magic, faces, self._controls(player, magic))
        yield from pieces.sign(self.players, row, player, self.points[player], self._mark(player))

    def _mark(self, player: int) -> str:
        if self.mover >= 0:
            return "turn" if player == self.mover else ""
        return "winner" if player == self.points.index(min(self.points)) else ""

    def _controls(self, player: int, magic: int) -> bool:
        return bool(self.followers[8 * player + magic]) and self.sums[player][magic] == self.highest[magic]

    def standings(self) -> Iterator[Standing]:
        """Points of disappointment, and how many magics are controlled."""
        for player, points in enumerate(self.points):
            controlled = sum(self._controls(player, magic) for magic in range(deck.MAGICS))
            facts = ((("heading.points",), points), (("heading.controlled",), controlled))
            yield Standing(player, facts, seat_of(player))


def _task(view: RawPosition, points: Sequence[int]) -> Message:
    """What is to be done, or who has won."""
    if rules.is_terminal(view):
        best = min(points)
        return ("ending.won", (SEAT, points.index(best)), best)
    task = (("task.cede",), ("task.send",), ("task.draw",))[int(view.phase)]
    return ("task.last", task, int(view.turns_left)) if view.turns_left else task


def _sent(view: RawPosition, highlighted: Sequence[int]) -> dict[int, str]:
    """The cells of the last emissaries, and the places of hands whence they came.

    Who sent them is found backwards from who is to move; at the end nobody is, and it is not told.
    """
    cells: dict[int, str] = {}
    mover, after = int(view.mover), int(view.phase)
    for action in reversed(highlighted):
        part = rules.DRAWING if action >= rules.DRAW else rules.SENDING if action < rules.CEDE else rules.CEDING
        if part >= after and mover >= 0:
            mover = (mover - 1) % int(view.players)
        after = part
        if part == rules.SENDING:
            cells[action % sets.CELLS] = f"slot-{mover}-{action // sets.CELLS}" if mover >= 0 else ""
    return cells


_CARDS: Final = {card_name(card): card for card in deck.ordered_deck()}
_HOLES: Final = {hole_of(cell): cell for cell in range(sets.CELLS)}
_SEATS: Final = {seat_of(player): player for player in range(rules.MAX_PLAYERS)}
_ZONES: Final = {
    zone_of(player, magic): (player, magic) for player in range(rules.MAX_PLAYERS) for magic in range(deck.MAGICS)
}
_KEEP: Final = Choice(rules.KEEP, (), ("button.keep",))
