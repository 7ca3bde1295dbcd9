"""A second, slow Cartas from the document, which shares no code with the library.

Cards are pairs (value, suit), values 1..14. Everything is found by definition: all subsets of a hand are tried.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

Card = tuple[int, int]
Cards = frozenset[Card]
KING = 14


def kind(cards: Cards) -> tuple[str, int] | None:
    """Type and size of a combination. None for other cards."""
    values = sorted(value for value, _ in cards)
    different = sorted(set(values))
    if not cards:
        return None
    if len(different) == 1:
        return "set", len(values)
    if len(different) < 3 or different != list(range(different[0], different[0] + len(different))):
        return None
    if len(values) == len(different):
        return "sequence", len(different)
    if all(times == 2 for times in Counter(values).values()):
        return "double", len(different)
    return None


def may_follow(cards: Cards, last: Cards) -> bool:
    mine, theirs = kind(cards), kind(last)
    if mine is None or theirs is None:
        return False
    if mine == theirs and max(cards) > max(last):
        return True
    if {value for value, _ in last} == {KING}:
        if len(last) == 1 and mine in (("set", 4), ("double", 3)):
            return True
        return (len(last), mine) in ((2, ("double", 4)), (3, ("double", 5)))
    return False


def plays(hand: Cards, last: Cards | None) -> set[Cards]:
    """Every subset of the hand that may be played. `last` is None if the player leads."""
    subsets = (frozenset(some) for n in range(1, len(hand) + 1) for some in combinations(sorted(hand), n))
    return {some for some in subsets if (kind(some) if last is None else may_follow(some, last))}


@dataclass
class Game:
    """A game from four hands: the history says the rest."""

    hands: list[Cards]
    history: list[Cards] = field(default_factory=list)

    def mover(self) -> int | None:
        if any(not hand for hand in self.hands) or self.passes() == 4:
            return None
        return len(self.history) % 4

    def passes(self) -> int:
        """How many in a row."""
        n = 0
        for cards in reversed(self.history):
            if cards:
                return n
            n += 1
        return n

    def last(self) -> Cards | None:
        return next((cards for cards in reversed(self.history[-3:]) if cards), None)

    def legal(self) -> set[Cards]:
        mover = self.mover()
        return set() if mover is None else {frozenset(), *plays(self.hands[mover], self.last())}

    def play(self, cards: Cards) -> None:
        mover = self.mover()
        assert mover is not None
        self.hands[mover] -= cards
        self.history.append(cards)

    def scores(self) -> list[int]:
        points = sum(len(hand) for hand in self.hands)
        return [0 if hand else points for hand in self.hands]
