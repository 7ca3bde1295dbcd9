"""How `jogador` chooses: it counts how often it will have to win back the lead before its hand is empty.

A hand is parted into combinations in the cheapest way. One of them costs as much as it is likely to be beaten, by what
others may hold, as the cards seen and the sizes of their hands tell; and a set that nobody is likely to beat earns
something, for it wins the lead back. Of the plays that are possible, passing among them, the one is chosen after which the
rest is cheapest, and it is dearer to be beaten when somebody is about to finish. The constants were found by playing
against greedy players.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import comb, exp
from typing import Final

from ludoteca.games.cartas.combinations import (
    CHOICES,
    DECK,
    SHORTEST,
    SUITS,
    VALUES,
    count,
    counts,
    each_of,
    groups,
    length_of,
    shape_of,
    windows,
)
from ludoteca.games.cartas.lines import NOTHING, PASSED, play_to_answer

PLAYERS: Final = 4
HAND: Final = 14
LARGEST: Final = 20
"""Hands with more cards are not parted: that would take too long."""

TURN: Final = 0.42
"""What each further combination costs, however safe it is."""
REGAINS: Final = 0.26
"""What a set that is never beaten earns."""
BEATEN: Final = 0.22
"""What it costs to be beaten now, as a share of a combination that certainly is."""
WAITING: Final = 0.54
"""What it costs to pass."""
LATE: Final = 3
"""Opponents with so few cards are about to finish."""
HURRY: Final = 0.9
SINGLES: Final = 0.7
"""How much of its price a single card costs: it can often be played as an answer."""
CARDS: Final = 0.03
"""What each card played earns."""

Counts = tuple[int, ...]


def choose(hand: int, plays: Sequence[int]) -> int:
    """The cards to play, 0 for a pass. `plays` are those so far, oldest first, each a set of cards, PASSED or NOTHING."""
    to_answer = play_to_answer(plays)
    if to_answer == NOTHING:
        return PASSED
    return Table(hand, plays).best([*options(hand, to_answer)], can_wait=to_answer != PASSED)


def options(hand: int, to_answer: int) -> Iterator[int]:
    """What may be played, but of plays that differ in suits only the one that gives least away, and the highest."""
    for group in groups(to_answer):
        for low, choices in windows(hand, group):
            least = sum(some[0] << (low + SUITS * i) for i, some in enumerate(choices[:-1]))
            top = low + SUITS * (len(choices) - 1)
            yield from {least | (choices[-1][0] << top), least | (choices[-1][-1] << top)}


class Table:
    """What the player knows."""

    def __init__(self, hand: int, plays: Sequence[int]) -> None:
        self.hand = hand
        self.size = count(hand)
        self.unseen = DECK & ~hand
        self.others = [HAND] * (PLAYERS - 1)
        for ago, play in enumerate(reversed(plays), 1):
            if play not in (PASSED, NOTHING):
                self.unseen &= ~play
                if ago % PLAYERS:
                    self.others[-(ago % PLAYERS)] -= count(play)
        self.others = [max(size, 1) for size in self.others]
        self._prices: dict[tuple[int, int, int], float] = {}
        self._costs: dict[Counts, float] = {(0,) * VALUES: 0.0}

    def best(self, plays: Sequence[int], *, can_wait: bool) -> int:
        """The play after which the rest is cheapest."""
        waiting = self.waiting if can_wait else float("inf")
        worth, _, play = min(((self.worth(play), -count(play), play) for play in plays), default=(waiting, 0, PASSED))
        return play if worth <= waiting else PASSED

    @cached_property
    def hurry(self) -> float:
        """How much worse it is when somebody else leads, as somebody is about to finish."""
        return 1 + HURRY * sum(max(LATE + 1 - size, 0) for size in self.others)

    @cached_property
    def waiting(self) -> float:
        """The cost of passing."""
        return self.cost(self.hand) + WAITING * self.hurry

    def worth(self, play: int) -> float:
        """The cost of a play and of all that is to be played after it."""
        rest = self.hand & ~play
        if not rest:
            return float("-inf")
        shape = shape_of(play)
        beaten = self.beaten(length_of(shape), each_of(shape), play.bit_length() - 1)
        return self.cost(rest) + BEATEN * self.hurry * beaten - CARDS * count(play)

    def beaten(self, length: int, each: int, highest: int) -> float:
        """How likely it is that somebody holds a combination of this kind with a higher card.

        That follows from the number of those that the unseen cards make, and the chance that one's cards are in one hand.
        """
        ways = 0
        for end in range(highest // SUITS, VALUES):
            if end < length - 1:
                continue
            here = self.unseen >> SUITS * end & 15
            low = here & ((2 << highest % SUITS) - 1) if end == highest // SUITS else 0
            product = len(CHOICES[each][here]) - len(CHOICES[each][low])
            for value in range(end - length + 1, end):
                product *= len(CHOICES[each][self.unseen >> SUITS * value & 15])
            ways += product
        return 1 - exp(-ways * self.together(length * each)) if ways else 0.0

    def together(self, size: int) -> float:
        """The chance that so many unseen cards are all in one hand."""
        unseen = max(count(self.unseen), size)
        return sum(comb(other, size) for other in self.others) / comb(unseen, size)

    def cost(self, hand: int) -> float:
        """The price of the cheapest way to part a hand into combinations."""
        if count(hand) > LARGEST:
            return float(count(hand))
        found = counts(hand)
        return self._cost(tuple(found >> at & 15 for at in range(0, SUITS * VALUES, SUITS)))

    def _cost(self, held: Counts) -> float:
        if held not in self._costs:
            self._costs[held] = min(
                self._price(length, each, low + length - 1) + self._cost(_without(held, low, length, each))
                for low, length, each in _beginning(held)
            )
        return self._costs[held]

    def _price(self, length: int, each: int, value: int) -> float:
        key = length, each, value
        if key not in self._prices:
            beaten = self.beaten(length, each, SUITS * value + 1)
            regains = REGAINS * (1 - beaten) if length == 1 else 0
            easy = SINGLES if length * each == 1 else 1
            self._prices[key] = (TURN + (1 - TURN) * beaten) * easy - regains
        return self._prices[key]


def _beginning(held: Counts) -> Iterator[tuple[int, int, int]]:
    """The combinations with the lowest value held: that value, length, cards of each."""
    low = next(value for value, n in enumerate(held) if n)
    yield from ((low, 1, each) for each in range(1, held[low] + 1))
    for each in (1, 2):
        length = 0
        while low + length < VALUES and held[low + length] >= each:
            length += 1
            if length >= SHORTEST:
                yield low, length, each


def _without(held: Counts, low: int, length: int, each: int) -> Counts:
    return (*held[:low], *(n - each for n in held[low : low + length]), *held[low + length :])
