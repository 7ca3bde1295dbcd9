"""Strengths by maximum likelihood from orders of finish, in the Plackett-Luce model (Bradley-Terry for two bots).

Each bot has a strength, a positive number. The winner of a game is drawn with odds in proportion to the strengths of its
players. Then the second is drawn from the rest, and so on (R. D. Luce, "Individual Choice Behavior", 1959; R. L. Plackett,
"The Analysis of Permutations", 1975). D. R. Hunter, "MM algorithms for generalized Bradley-Terry models" (2004) explains
when there is a maximum (`unbounded`). Newton's method finds it here, as the logarithm of the likelihood is concave in the
logarithms of the strengths.

**Ties**: bots that finish level count as all their orders together, each with the same part of one game. For two bots, this
is half a win for each. Above MOST_TIED bots this would take too long, and Efron's approximation is used: each next bot is
drawn as if the rest of them were average. **Losers of an unknown order** are not level. The game only shows that the other
bots finished above them.
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
"""Pairs of a bot and its number of seats, sorted."""

ELO: Final = 400 / log(10)
"""The points on Elo's scale for a strength that is e times as high. With 400 points more, the odds are ten to one."""
PRIOR: Final = 0.5
"""A weak prior: each bot gets about this number of wins, and of losses, in addition to those in its games."""
_LEAST_PRIOR: Final = 1e-4
MOST_TIED: Final = 8
EXACT: Final = 1e-9
_EXACT_TOGETHER: Final = 1e-3
_LONGEST_STEP: Final = 2.0
_MOST_STEPS: Final = 200
_STEPS_TOGETHER: Final = 30
_FLAT: Final = 1e-12
"""A direction is flat if it is flatter than the steepest one by this factor: all strengths of bots that met, times a factor.
"""


class Order(NamedTuple):
    """An order of finish of the bots in a game, by their numbers. A bot with two seats appears twice."""

    levels: tuple[tuple[int, ...], ...]
    """Groups of bots that finished level, the best first."""
    is_open: bool = False
    """True if the bots of the last group did not finish level, but in an unknown order."""


class Terms(NamedTuple):
    """The likelihood of an order of finish. It is the product of `strength ** gain` over all bots, divided by the product of
    `(sum of the strengths in a set) ** weight` over all sets.
    """

    gains: dict[int, float]
    sets: dict[Members, float]


@lru_cache(1 << 16)
def terms_of(order: Order) -> Terms:
    """Return the terms of the likelihood of one game. Sets with a single bot are combined with the gain of this bot."""
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
    """Yield the sets of tied bots that remain before each draw, over all orders in which these bots could have finished.
    Each set comes with the share of the orders in which it occurs.
    """
    number = len(tied)
    for left in range(1, number + 1):
        if number > MOST_TIED:
            yield tuple((bot, left / number) for bot in tied), 1.0
        else:
            yield from ((tuple((bot, 1.0) for bot in some), 1.0 / comb(number, left)) for some in combinations(tied, left))


class Likelihood:
    """The likelihood of many games as a function of the strengths of the bots. Each game belongs to a deal, and each deal
    has a weight.

    It includes a weak prior: additional games in which each two bots that met have won a small part of a game against each
    other.
    """

    def __init__(self, bots: int, deals: int, games: list[tuple[int, Order]]) -> None:
        """Prepare the likelihood. `bots` and `deals` are the numbers of bots and deals. `games` contains the number of the
        deal and the order of finish of each game.
        """
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
        """Return the logarithms of the strengths with the maximum likelihood. Their mean is 0 in each part, which is a group
        of bots that met directly or through others.

        `weights` are the weights of the deals, by default 1. `prior` has the weight of each additional game of the prior, by
        default `self.prior`. `start` is the point from which the search starts, by default 0. At the result, no component of
        the gradient exceeds EXACT.
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
        """Fit many rows of weights near 1, each with a row of weights of the prior's games, and return a row of logarithms
        of strengths for each. `likeliest` is the result of `fit` without weights, from which all rows start.

        This takes a fraction of the time of `fit`, because all rows make their steps together, with the curvature at the
        start. A row that does not converge in a few steps, as can happen with few games, is fitted alone.
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
        """Return random weights of the prior's games, one row for each of `rows`. They come from gamma distributions whose
        means are the weights in `self.prior`.

        Without this variation, a bot that won all its games would have no interval. For two bots, this interval is that of
        Jeffreys's prior.
        """
        drawn: Floats = np.maximum(random.gamma(self.prior, size=(rows, len(self.prior))), _LEAST_PRIOR)
        return drawn

    def _counts(self, weights: Floats) -> Floats:
        """Return the weight of each set."""
        return np.bincount(self._set, self._weight * weights[self._deal], len(self._sets)).astype(np.float64)

    def _gradient(self, place: Floats, gains: Floats, counts: Floats) -> Floats:
        """Return the derivatives of the logarithm of the likelihood, at one point or at each row of points."""
        strengths = np.exp(place)
        gradient: Floats = gains - strengths * ((counts / (strengths @ self._sets.T)) @ self._sets)
        return gradient

    def _curvature(self, place: Floats, counts: Floats) -> Floats:
        """Return the negative second derivatives at a place."""
        scaled = self._sets * np.exp(place)
        sums = scaled.sum(axis=1)
        curvature: Floats = np.diag((counts / sums) @ scaled) - (scaled.T * (counts / sums**2)) @ scaled
        return curvature

    def _value(self, place: Floats, gains: Floats, counts: Floats) -> float:
        return float(gains @ place - counts @ np.log(self._sets @ np.exp(place)))


def _prior(bots: int, orders: list[Order]) -> tuple[list[tuple[int, int]], Floats]:
    """Return the games of the prior, as pairs of winner and loser, and their weights. Each two bots that met have two such
    games, and each wins one.

    All prior games of a bot together make about PRIOR wins and as many losses. They are divided among its opponents by the
    number of games against each.
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
    """Return three arrays with an element for each bot: whether the results set no upper bound to its strength, whether they
    set no lower bound, and the number of its part.

    `better[a, b]` is true if a has once finished above b, or level with b. A bot that beat all others could be arbitrarily
    strong: its strength has no upper bound. In general, a set of bots has no upper bound if no bot outside the set has ever
    finished above, or level with, a bot of the set. The same holds for lower bounds, the other way round. Parts are numbered
    from 1. Bots of different parts never met, not even through other bots.
    """
    reached, met = _closure(better), _closure(better | better.T)
    wins, losses = (reached & ~reached.T).any(axis=1), (reached.T & ~reached).any(axis=1)
    parts = np.unique(met.argmax(axis=1), return_inverse=True)[1] + 1
    return np.logical_and(wins, ~losses), np.logical_and(losses, ~wins), parts.astype(np.int64)


def _closure(related: Flags) -> Flags:
    """Return the transitive and reflexive closure of a relation: true for pairs that are related by any number of steps,
    including none.
    """
    found = np.logical_or(related, np.eye(len(related), dtype=np.bool_))
    for _ in range(len(related).bit_length()):
        found = (found.astype(np.float64) @ found.astype(np.float64)) > 0
    return found
