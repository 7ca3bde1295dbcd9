"""Where things lie in a scene of Conclave, by the number of players.

rows of the other players, in the order of their turns: sign and points, hand, six zones of influence
the board between the two piles
the row of who looks, whose hand is open below
"""

from functools import cache
from typing import Final, NamedTuple

from ludoteca.games.conclave import deck, rules, sets

WIDTH: Final = 160
MIDDLE: Final = WIDTH / 2
GAP: Final = 3

WIZARD: Final = (21, 26.25)
"""On the board; all cards are 4 : 5."""
PITCH: Final = (23, 28.25)
BOARD: Final = (98, 119)
PILED: Final = (20, 25)
PILE_X: Final = (14, WIDTH - 14)
STRIP: Final = 5.1
"""What is seen of a card in a pile that is not on top."""
OWN: Final = (24, 30)
OWN_PITCH: Final = 30
OTHERS: Final = (10.4, 13)
SIGN_X: Final = 9.5
HAND_X: Final = 24
HAND_PITCH: Final = 11
ZONE_X: Final = 72
ZONE_PITCH: Final = 15.7
ZONE_WIDTH: Final = 14.9
FOLLOWER: Final = (12, 15)
MOST_SEEN: Final = 5
"""Of a follower on whom another lies."""
_ZONE_HEIGHTS: Final = {2: 27, 3: 25, 4: 24}


class Spot(NamedTuple):
    """A middle and a size, as items have them."""

    x: float
    y: float
    w: float
    h: float


class Layout:
    """All that depends on how many play. Rows are counted from that of who looks."""

    def __init__(self, players: int) -> None:
        zone = _ZONE_HEIGHTS[players]
        row = zone + GAP
        top = 2 + row * (players - 1) + 5
        own = top + BOARD[1] + GAP + zone / 2
        self.board: Final = Spot(MIDDLE, top + BOARD[1] / 2, *BOARD)
        self.cells: Final = tuple(self._cell(*divmod(cell, sets.SIDE)) for cell in range(sets.CELLS))
        rows = (own, *(2 + zone / 2 + row * number for number in range(players - 1)))
        hand = own + zone / 2 + GAP + OWN[1] / 2
        self.height: Final = hand + OWN[1] / 2 + 2
        self.hands: Final = (_own_hand(hand), *(_hand(y) for y in rows[1:]))
        self.signs: Final = tuple(Spot(SIGN_X, y - 4, 12, 12) for y in rows)
        self.points: Final = tuple(Spot(SIGN_X, y + 8, 11.5, 11.5) for y in rows)
        self.zones: Final = tuple(_zones(y, zone) for y in rows)
        self.sums: Final = tuple(tuple(_corner(zone) for zone in zones) for zones in self.zones)

    def _cell(self, row: int, column: int) -> Spot:
        across, down = column - (sets.SIDE - 1) / 2, row - (sets.SIDE - 1) / 2
        return Spot(round(self.board.x + across * PITCH[0], 2), round(self.board.y + down * PITCH[1], 2), *WIZARD)

    def piled(self, pile: int, below: int) -> Spot:
        """A card of a pile that lies on so many others."""
        return Spot(PILE_X[pile], round(self.board.y + (BOARD[1] - PILED[1]) / 2 - STRIP * below, 2), *PILED)

    def followers(self, row: int, magic: int, number: int) -> list[Spot]:
        """So many followers in a zone, the last one on top."""
        x, y, _, height = self.zones[row][magic]
        seen = min(MOST_SEEN, (height - FOLLOWER[1] - 2) / max(number - 1, 1))
        top = y - height / 2 + 1 + FOLLOWER[1] / 2
        return [Spot(x, round(top + seen * i, 2), *FOLLOWER) for i in range(number)]


def _own_hand(y: float) -> tuple[Spot, ...]:
    return tuple(Spot(MIDDLE + OWN_PITCH * (place - (rules.HAND - 1) / 2), y, *OWN) for place in range(rules.HAND))


def _hand(y: float) -> tuple[Spot, ...]:
    return tuple(Spot(HAND_X + HAND_PITCH * place, y, *OTHERS) for place in range(rules.HAND))


def _zones(y: float, height: float) -> tuple[Spot, ...]:
    return tuple(Spot(round(ZONE_X + ZONE_PITCH * magic, 2), y, ZONE_WIDTH, height) for magic in range(deck.MAGICS))


def _corner(zone: Spot) -> Spot:
    """The lower right corner, where the sum stands."""
    return Spot(round(zone.x + zone.w / 2 - 4, 2), round(zone.y + zone.h / 2 - 4, 2), 9.6, 9.6)


@cache
def layout(players: int) -> Layout:
    """For so many players."""
    return Layout(players)
