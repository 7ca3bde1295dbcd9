"""Strengths by maximum likelihood from orders of finish: Plackett and Luce's model, which for two is Bradley and Terry's.

Each bot has a strength, a positive number. The winner of a game is drawn with odds in proportion to the strengths of those
who play, then the second from the rest, and so on (R. D. Luce, "Individual Choice Behavior", 1959; R. L. Plackett, "The
Analysis of Permutations", 1975). D. R. Hunter, "MM algorithms for generalized Bradley-Terry models" (2004) says when there
is a maximum (`unbounded`); here it is found by Newton's method, as the logarithm of the likelihood is concave in the
logarithms of the strengths.

**Ties**: bots that finish level count as all their orders together, each with the same part of one game; among two that is
half a win for each. Above MOST_TIED bots that would take too long, and Efron's approximation stands for it: each next one of
them is drawn as if the rest of them were average.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import comb, log
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Order = tuple[tuple[int, ...], ...]
"""Who finished where: groups of bots that finished level, the best first; a bot with two seats is there twice."""
Members = tuple[tuple[int, float], ...]
"""Pairs of a bot and how often it is there, sorted."""

ELO: Final = 400 / log(10)
"""Points of Elo's scale for a factor e of strength: with 400 points more, the odds are ten to one."""
PRIOR: Final = 0.5
"""Each bot is taken to have won and lost so many games against one of average strength: a weak prior."""
MOST_TIED: Final = 8
EXACT: Final = 1e-9
_EXACT_TOGETHER: Final = 1e-3
_LONGEST_STEP: Final = 2.0
_MOST_STEPS: Final = 200
_STEPS_TOGETHER: Final = 8


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
    for tied in reversed(order):
        for bot in tied:
            gains[bot] = gains.get(bot, 0.0) + 1.0
        for some, weight in _left(tied):
            counts = lower.copy()
            for bot, number in some:
                counts[bot] = counts.get(bot, 0.0) + number
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
    """The likelihood of many games, each of which belongs to a deal, so that deals can be given weights."""

    def __init__(self, bots: int, deals: int, games: list[tuple[int, Order]]) -> None:
        """The games: the number of the deal, and the order of finish."""
        self.gains = np.zeros((deals, bots))
        known: dict[Members, int] = {}
        entries: list[tuple[int, int, float]] = []
        for deal, order in games:
            terms = terms_of(order)
            for bot, gain in terms.gains.items():
                self.gains[deal, bot] += gain
            entries += [(deal, known.setdefault(members, len(known)), w) for members, w in terms.sets.items()]
        self.sets = np.zeros((len(known), bots))
        for members, place in known.items():
            for bot, count in members:
                self.sets[place, bot] = count
        self._deal, self._set = (np.array([entry[place] for entry in entries], np.int64) for place in (0, 1))
        self._weight = np.array([entry[2] for entry in entries])

    def fit(self, weights: Floats, prior: float = PRIOR, start: Floats | None = None) -> Floats:
        """The logarithms of the strengths where the likelihood is greatest, deals counted with these weights.

        A strength of 1 is the prior's average. The gradient is then nowhere above EXACT, in games.
        """
        gains, counts = weights @ self.gains, self._counts(weights)
        place = np.zeros(len(gains)) if start is None else start.copy()
        value = self._value(place, gains, counts, prior)
        for _ in range(_MOST_STEPS):
            gradient = self._gradient(place, gains, counts, prior)
            if np.abs(gradient).max() < EXACT:
                break
            step = np.linalg.lstsq(self._curvature(place, counts, prior), gradient, rcond=None)[0]
            step *= min(1.0, _LONGEST_STEP / np.abs(step).max())
            while (reached := self._value(place + step, gains, counts, prior)) < value - 1e-9 * abs(value):
                step /= 2
            place, value = place + step, reached
        return place

    def fit_all(self, weights: Floats, likeliest: Floats) -> Floats:
        """The same for many rows of weights that are about 1, from what `fit` gave for ones, in a fraction of the time.

        All rows take their steps together, with the curvature of the beginning. A row that does not get there in a few
        steps, as where there are few games, is fitted by itself.
        """
        gains, counts = weights @ self.gains, np.array([self._counts(row) for row in weights])
        inverse = np.linalg.pinv(self._curvature(likeliest, self._counts(np.ones(weights.shape[1])), PRIOR))
        places = np.repeat(likeliest[None, :], len(weights), axis=0)
        for _ in range(_STEPS_TOGETHER):
            gradients = self._gradient(places, gains, counts, PRIOR)
            places += np.clip(gradients @ inverse, -_LONGEST_STEP, _LONGEST_STEP)
        slow = np.abs(self._gradient(places, gains, counts, PRIOR)).max(axis=1) > _EXACT_TOGETHER
        for row in np.flatnonzero(slow):
            places[row] = self.fit(weights[row], start=likeliest)
        return places

    def _counts(self, weights: Floats) -> Floats:
        """The weight of each set."""
        return np.bincount(self._set, self._weight * weights[self._deal], len(self.sets)).astype(np.float64)

    def _gradient(self, place: Floats, gains: Floats, counts: Floats, prior: float) -> Floats:
        """How the logarithm of the likelihood rises with each bot's, at one place or in many rows."""
        strengths = np.exp(place)
        expected = strengths * ((counts / (strengths @ self.sets.T)) @ self.sets)
        gradient: Floats = gains - expected - prior * np.tanh(place / 2)
        return gradient

    def _curvature(self, place: Floats, counts: Floats, prior: float) -> Floats:
        """The negative second derivatives there."""
        scaled = self.sets * np.exp(place)
        sums = scaled.sum(axis=1)
        even = 1 / (1 + np.exp(-place))
        own = (counts / sums) @ scaled + 2 * prior * even * (1 - even)
        curvature: Floats = np.diag(own) - (scaled.T * (counts / sums**2)) @ scaled
        return curvature

    def _value(self, place: Floats, gains: Floats, counts: Floats, prior: float) -> float:
        """The logarithm of the likelihood."""
        even = place - 2 * np.logaddexp(0, place)
        return float(gains @ place - counts @ np.log(self.sets @ np.exp(place)) + prior * even.sum())


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
