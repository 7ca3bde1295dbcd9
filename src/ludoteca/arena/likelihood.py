"""Strengths by maximum likelihood from orders of finish: Plackett and Luce's model, which for two is Bradley and Terry's.

Each bot has a strength, a positive number. The winner of a game is drawn with odds in proportion to the strengths of those
who play, then the second from the rest, and so on (R. D. Luce, "Individual Choice Behavior", 1959; R. L. Plackett, "The
Analysis of Permutations", 1975). D. R. Hunter, "MM algorithms for generalized Bradley-Terry models" (2004) says when there
is a maximum (`unbounded`); here it is found by Newton's method, as the logarithm of the likelihood is concave in the
logarithms of the strengths.

**Ties**: bots that finish level count as all their orders together, each with the same part of one game; among two that is
half a win for each. Above MOST_TIED bots that would take too long, and Efron's approximation stands for it: each next one of
them is drawn as if the rest of them were average. **Losers whose order is not known** are not level: who of them would have
come before whom is left open, and the game tells no more than that the others stood above them.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, log
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Members = tuple[tuple[int, float], ...]
"""Pairs of a bot and how often it is there, sorted."""

ELO: Final = 400 / log(10)
"""Points of Elo's scale for a factor e of strength: with 400 points more, the odds are ten to one."""
PRIOR: Final = 0.5
"""Each bot is taken to have won, and to have lost, about so many more games than it has: a weak prior."""
_LEAST_PRIOR: Final = 1e-4
MOST_TIED: Final = 8
EXACT: Final = 1e-9
_EXACT_TOGETHER: Final = 1e-3
_LONGEST_STEP: Final = 2.0
_MOST_STEPS: Final = 200
_STEPS_TOGETHER: Final = 30
_FLAT: Final = 1e-12
"""What is flatter than the steepest direction by this factor is flat: all strengths of those who met, times a factor."""


class Order(NamedTuple):
    """Who finished where. A bot with two seats is there twice."""

    levels: tuple[tuple[int, ...], ...]
    """Groups of bots that finished level, the best first."""
    is_open: bool = False
    """True when the last group is not level, but of an unknown order."""


class Terms(NamedTuple):
    """What an order of finish says of the strengths s: the product of `s ** gains`, over that of `sum of set ** weight`."""

    gains: dict[int, float]
    sets: dict[Members, float]


@lru_cache(1 << 16)
def terms_of(order: Order) -> Terms:
    """The terms of one game. Sets of one bot alone say nothing, and are left out."""
    gains: dict[int, float] = {}
    sets: dict[Members, float] = {}
    lower: dict[int, float] = {}
    for number, tied in enumerate(reversed(order.levels)):
        for bot in tied:
            gains[bot] = gains.get(bot, 0.0) + (number > 0 or not order.is_open)
        for some, weight in _left(tied) if number > 0 or not order.is_open else ():
            counts = lower.copy()
            for bot, times in some:
                counts[bot] = counts.get(bot, 0.0) + times
            if len(counts) == 1:
                gains[some[0][0]] -= weight
            else:
                members = tuple(sorted(counts.items()))
                sets[members] = sets.get(members, 0.0) + weight
        for bot in tied:
            lower[bot] = lower.get(bot, 0.0) + 1.0
    return Terms(gains, sets)


def _left(tied: tuple[int, ...]) -> Iterator[tuple[Members, float]]:
    """Who of those that finished level is left before each of them is drawn, and in which part of their orders."""
    number = len(tied)
    for left in range(1, number + 1):
        if number > MOST_TIED:
            yield tuple((bot, left / number) for bot in tied), 1.0
        else:
            yield from ((tuple((bot, 1.0) for bot in some), 1.0 / comb(number, left)) for some in combinations(tied, left))


class Likelihood:
    """The likelihood of many games, each of which belongs to a deal, so that deals can be given weights.

    With the games goes a weak prior: each two bots that met are taken to have won a part of a game each against each other.
    """

    def __init__(self, bots: int, deals: int, games: list[tuple[int, Order]]) -> None:
        """The games: the number of the deal, and the order of finish."""
        pairs, self.prior = _prior(bots, [order for _, order in games])
        self._deals = deals
        virtual = [(deals + number, Order(((above,), (below,)))) for number, (above, below) in enumerate(pairs)]
        self._gains = np.zeros((deals + len(pairs), bots))
        known: dict[Members, int] = {}
        entries: list[tuple[int, int, float]] = []
        for deal, order in [*games, *virtual]:
            terms = terms_of(order)
            for bot, gain in terms.gains.items():
                self._gains[deal, bot] += gain
            entries += [(deal, known.setdefault(members, len(known)), w) for members, w in terms.sets.items()]
        self._sets = np.zeros((len(known), bots))
        for members, place in known.items():
            for bot, count in members:
                self._sets[place, bot] = count
        self._deal, self._set = (np.array([entry[place] for entry in entries], np.int64) for place in (0, 1))
        self._weight = np.array([entry[2] for entry in entries])

    def fit(self, weights: Floats | None = None, prior: Floats | None = None, start: Floats | None = None) -> Floats:
        """The logarithms of the strengths where the likelihood is greatest; their mean is 0 in each part of bots that met.

        Deals are counted with these weights, or all with 1, and the prior's games with others than `self.prior` if they are
        given. The gradient is then nowhere above EXACT, in games.
        """
        weights = np.concatenate(
            [np.ones(self._deals) if weights is None else weights, self.prior if prior is None else prior]
        )
        gains, counts = weights @ self._gains, self._counts(weights)
        place = np.zeros(len(gains)) if start is None else start.copy()
        value = self._value(place, gains, counts)
        for _ in range(_MOST_STEPS):
            gradient = self._gradient(place, gains, counts)
            if np.abs(gradient).max() < EXACT:
                break
            step = np.linalg.lstsq(self._curvature(place, counts), gradient, rcond=_FLAT)[0]
            step *= min(1.0, _LONGEST_STEP / np.abs(step).max())
            while (reached := self._value(place + step, gains, counts)) < value - 1e-9 * abs(value):
                step /= 2
            place, value = place + step, reached
        return place

    def fit_all(self, weights: Floats, priors: Floats, likeliest: Floats) -> Floats:
        """The same for many rows of weights that are about 1, each with its prior, from what `fit` gave for ones.

        It takes a fraction of the time: all rows take their steps together, with the curvature of the beginning. A row that
        does not get there in a few steps, as where there are few games, is fitted by itself.
        """
        whole = np.concatenate([weights, priors], axis=1)
        gains, counts = whole @ self._gains, np.array([self._counts(row) for row in whole])
        beginning = self._counts(np.concatenate([np.ones(self._deals), self.prior]))
        inverse = np.linalg.pinv(self._curvature(likeliest, beginning), rcond=_FLAT)
        places = np.repeat(likeliest[None, :], len(whole), axis=0)
        for _ in range(_STEPS_TOGETHER):
            gradients = self._gradient(places, gains, counts)
            slow = np.abs(gradients).max(axis=1) > _EXACT_TOGETHER
            if not slow.any():
                break
            places += np.clip(gradients @ inverse, -_LONGEST_STEP, _LONGEST_STEP)
        for row in np.flatnonzero(slow):
            places[row] = self.fit(weights[row], priors[row], likeliest)
        return places

    def drawn_priors(self, rows: int, random: np.random.Generator) -> Floats:
        """The prior's games drawn anew for each row: numbers from gamma distributions with the prior's as their means.

        So a bot that won all its games has an interval, which for two bots is that of Jeffreys's prior.
        """
        drawn: Floats = np.maximum(random.gamma(self.prior, size=(rows, len(self.prior))), _LEAST_PRIOR)
        return drawn

    def _counts(self, weights: Floats) -> Floats:
        """The weight of each set."""
        return np.bincount(self._set, self._weight * weights[self._deal], len(self._sets)).astype(np.float64)

    def _gradient(self, place: Floats, gains: Floats, counts: Floats) -> Floats:
        """How the logarithm of the likelihood rises with each bot's, at one place or in many rows."""
        strengths = np.exp(place)
        gradient: Floats = gains - strengths * ((counts / (strengths @ self._sets.T)) @ self._sets)
        return gradient

    def _curvature(self, place: Floats, counts: Floats) -> Floats:
        """The negative second derivatives there."""
        scaled = self._sets * np.exp(place)
        sums = scaled.sum(axis=1)
        curvature: Floats = np.diag((counts / sums) @ scaled) - (scaled.T * (counts / sums**2)) @ scaled
        return curvature

    def _value(self, place: Floats, gains: Floats, counts: Floats) -> float:
        """The logarithm of the likelihood."""
        return float(gains @ place - counts @ np.log(self._sets @ np.exp(place)))


def _prior(bots: int, orders: list[Order]) -> tuple[list[tuple[int, int]], Floats]:
    """The prior's games, each two bots that met both ways round, and their numbers.

    A bot has PRIOR wins and as many losses in all, about: they are shared out by how often it met each of the others.
    """
    counts: Counter[tuple[int, int]] = Counter()
    for order in orders:
        counts.update(permutations({bot for level in order.levels for bot in level}, 2))
    met = np.zeros((bots, bots))
    for (one, other), number in counts.items():
        met[one, other] = number
    pairs = [(int(one), int(other)) for one, other in np.argwhere(met)]
    each = met.sum(axis=1)
    return pairs, np.array([PRIOR * met[one, other] * (1 / each[one] + 1 / each[other]) / 2 for one, other in pairs])


def unbounded(better: Flags) -> tuple[Flags, Flags, Integers]:
    """What orders of finish leave open: whose strength has no upper bound, whose no lower one, and who never met whom.

    `better[a, b]` says that a has finished above b, or level with it. There is a greatest likelihood without a prior only
    if, however the bots are parted in two, some of either part have once finished above (or level with) some of the other.
    A set of bots that nobody from outside has finished above, or level with, has no upper bound, and the other way round.
    The third array numbers the parts, from 1, whose bots never met those of another part, not even by way of others.
    """
    reached, met = _closure(better), _closure(better | better.T)
    wins, losses = (reached & ~reached.T).any(axis=1), (reached.T & ~reached).any(axis=1)
    parts = np.unique(met.argmax(axis=1), return_inverse=True)[1] + 1
    return np.logical_and(wins, ~losses), np.logical_and(losses, ~wins), parts.astype(np.int64)


def _closure(related: Flags) -> Flags:
    """Who is related to whom by any number of steps, none included."""
    found = np.logical_or(related, np.eye(len(related), dtype=np.bool_))
    for _ in range(len(related).bit_length()):
        found = (found.astype(np.float64) @ found.astype(np.float64)) > 0
    return found
