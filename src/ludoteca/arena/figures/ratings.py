"""The figures of many games: shares of points, ratings, head-to-head counts, faults and times. `docs/results.md` explains
them.

**The unit is the deal.** Games of one deal resemble each other, so intervals are computed by drawing whole deals at random,
with replacement, as many as there were (B. Efron's bootstrap). The ends of an interval are two percentiles of the figures
that result (`percentiles`). In a game for one player, a single game is not a contest, so all games of one deal form one
contest.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import pi, sqrt, tan
from statistics import NormalDist
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from ludoteca.arena.figures.likelihood import ELO, Floats, Likelihood, Order, unbounded
from ludoteca.arena.matches.results import Played, Seat
from ludoteca.core.game import Game, load
from ludoteca.core.record import Record

MEAN: Final = 1500.0
"""The mean rating of all bots that met, directly or through others. Only differences have a meaning."""
RESAMPLES: Final = 1000
LEAST_DEALS: Final = 6
"""A bot with fewer deals has no intervals. They would miss the true value too often (`benchmarks/intervals.py`)."""
_AT_A_TIME: Final = 50
_NOTHING: Final = 1e-12


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's row in the final table."""

    name: str
    games: int
    share: float
    """The bot's part of all points of its games, from 0 to 1. `Results.of` says what counts as points."""
    low: float | None
    high: float | None
    """The ends of the share's 95 % interval, or None if the bot played too few deals for one."""
    wins: float
    """The number of wins. A win shared by n winners counts as 1/n."""
    points: float
    """The sum of the points of its games, as the game values results for agents."""
    score: float
    """The mean of the points that the rules of the game count."""
    faults: int
    seconds: float
    """The time that the arena waited for the bot in all games."""


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """The strength of a bot, on Elo's scale."""

    name: str
    elo: float
    low: float | None
    high: float | None
    """The ends of the 95 % interval. The results set no upper bound for a bot that won everything, and no lower bound for a
    bot that lost everything. Such an end is None. Both are None if the bot played too few deals for an interval."""
    part: int
    """Bots of different parts never met, not even through other bots. Their ratings cannot be compared."""


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of the contests in which a bot finished above another (won), level with it (tied) or below it (lost)."""

    name: str
    other: str
    won: int
    tied: int
    lost: int


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a match or a tournament."""

    games: int
    copies: int
    """Games not counted because they repeat one of `games` move by move. Only games without chance have copies."""
    deals: int
    processors: list[str]
    """The names of the processors on which the games were played."""
    of: str
    """The unit of shares: `"points"`, or `"wins"` if the game can give negative points."""
    bots: list[Line]
    """The best share first."""
    ratings: list[Rating]
    """The strongest first."""
    meetings: list[Meeting]
    """The counts for each pair of bots that met, once for each of the two bots."""

    @property
    def lacks_intervals(self) -> bool:
        """True if there were too few deals for the interval of a share or a rating."""
        ends = [*((line.low, line.high) for line in self.bots), *((one.low, one.high) for one in self.ratings)]
        return (None, None) in ends


class Contest(NamedTuple):
    """Seats that are compared: those of a game, or of all games of a deal in a game for one player."""

    deal: str
    record: Record
    seats: tuple[Seat, ...]


def results(games: Sequence[Played], resamples: int = RESAMPLES, seed: int = 1, least_deals: int = LEAST_DEALS) -> Results:
    """Return the figures of finished games. They do not depend on the order of the games.

    `resamples` is the number of bootstrap samples, and `seed` their seed, so that the same games always give the same
    figures. A bot with fewer than `least_deals` deals (2 or more) has no intervals, except for a share that was the same in
    every deal (`without_exception`).
    """
    played, games = len(games), distinct(games)
    table = _Table(games, least_deals)
    draws = list(_draws(len(table.deals), resamples, seed)) if games else []
    return Results(
        games=len(games),
        copies=played - len(games),
        deals=len(table.deals),
        processors=sorted({game.processor for game in games if game.processor}),
        of="points" if table.of_points else "wins",
        bots=sorted(table.lines(draws) if games else (), key=lambda line: (-line.share, -line.points, line.name)),
        ratings=sorted(table.ratings(draws) if games else (), key=lambda rating: (-rating.elo, rating.name)),
        meetings=list(table.meetings()),
    )


def distinct(games: Iterable[Played]) -> list[Played]:
    """Return the games in the order of their keys. In a game without chance, keep only the first of identical games.

    Games are identical if the same bots in the same seats made the same moves and got the same points. Two deterministic
    programs play the same game again and again, which is no new evidence.
    """
    first: dict[tuple[Any, ...], Played] = {}
    for game in sorted(games, key=lambda game: game.key):
        dealt = () if game_of(game.record).spec.perfect_information else (game.key,)
        seats = ((seat.bot, seat.points, seat.fault) for seat in game.seats)
        first.setdefault((*dealt, *seats, *game.record.actions), game)
    return list(first.values())


def contests(games: Iterable[Played]) -> Iterator[Contest]:
    """Yield the contests of these games."""
    alone: dict[str, list[Played]] = {}
    for game in games:
        if len(game.seats) == 1:
            alone.setdefault(game.deal, []).append(game)
        else:
            yield Contest(game.deal, game.record, tuple(game.seats))
    for deal, of_deal in alone.items():
        yield Contest(deal, of_deal[0].record, tuple(game.seats[0] for game in of_deal))


def order_of(contest: Contest) -> tuple[list[list[int]], bool]:
    """Return a pair. The first is the order of finish, by points: a list of lists of seats, in which seats that finished
    level are in one list. The second is True if the order of the last list is unknown.

    It is unknown for the losers of a game for the win, which has no second place. Their points do not rank them, because in
    some rules few points are better than many.
    """
    points = [seat.points for seat in contest.seats]
    levels = [[seat for seat, got in enumerate(points) if got == level] for level in sorted(set(points), reverse=True)]
    is_open = game_of(contest.record).utility() == "win" and not contest.seats[levels[-1][0]].won
    return levels, is_open


def deal_scores(games: Iterable[Played], name: str, other: str) -> list[float]:
    """Return the mean result of the bot `name` against the bot `other` for each deal, from 0 to 1, for `sprt`. A tie counts
    as half a win.

    A deal in which they played fewer games than in others, such as an unfinished deal, is left out.
    """
    found: dict[str, list[float]] = {}
    for contest in contests(distinct(games)):
        for above, below, level in _pairs(contest, order_of(contest)[0]):
            if {above, below} == {name, other}:
                found.setdefault(contest.deal, []).append(0.5 if level else float(above == name))
    most = max(map(len, found.values()), default=0)
    return [sum(scores) / most for scores in found.values() if len(scores) == most]


def game_of(record: Record) -> Game:
    """Return the game of a record."""
    return _game(record.game, tuple(record.parameters.items()))


@lru_cache(64)
def _game(name: str, parameters: tuple[tuple[str, Any], ...]) -> Game:
    return load(name, **dict(parameters))


def _pairs(contest: Contest, order: list[list[int]]) -> Iterator[tuple[str, str, bool]]:
    """Yield each pair of seats with different bots in a contest: the name of the bot above, the name of the bot below, and
    True if they finished level.
    """
    levels = [(level, contest.seats[seat].bot) for level, seats in enumerate(order) for seat in seats]
    for (level, above), (other, below) in combinations(levels, 2):
        if above != below:
            yield above, below, level == other


class _Table:
    """Games as arrays: a row for each deal, a column for each bot."""

    def __init__(self, games: Sequence[Played], least_deals: int) -> None:
        self.seats = [seat for game in games for seat in game.seats]
        self.names = sorted({seat.bot for seat in self.seats})
        self.number = {name: number for number, name in enumerate(self.names)}
        self.contests = list(contests(games))
        self.orders = [order_of(contest) for contest in self.contests]
        self.deals = {name: number for number, name in enumerate(sorted({contest.deal for contest in self.contests}))}
        self.of_points = all(game_of(contest.record).min_utility() >= 0 for contest in self.contests)
        self.least_deals = least_deals
        self.own, self.all = np.zeros((2, len(self.deals), len(self.names)))
        self.ordered = np.zeros(self.all.shape, np.bool_)
        for contest, (levels, is_open) in zip(self.contests, self.orders, strict=True):
            deal = self.deals[contest.deal]
            got = [seat.points if self.of_points else seat.won for seat in contest.seats]
            bots = [self.number[seat.bot] for seat in contest.seats]
            for bot, points in zip(bots, got, strict=True):
                self.own[deal, bot] += points
            self.all[deal, list(set(bots))] += sum(got)
            self.ordered[deal, bots] |= len(levels) > 1 or not is_open

    def lines(self, draws: Sequence[Floats]) -> Iterator[Line]:
        """Yield a line for each bot."""
        own, total = (np.concatenate([draw @ points for draw in draws]) for points in (self.own, self.all))
        for bot, name in enumerate(self.names):
            seats = [seat for seat in self.seats if seat.bot == name]
            has = self.all[:, bot] > 0
            share = float(self.own[has, bot].sum() / max(self.all[has, bot].sum(), _NOTHING))
            each = self.own[has, bot] / self.all[has, bot]
            low, high = None, None
            if len(each) > 1 and np.ptp(each) <= _NOTHING:
                low, high = without_exception(share, len(each))
            elif len(each) >= self.least_deals:
                known = total[:, bot] > 0
                low, high = np.percentile(own[known, bot] / total[known, bot], percentiles(len(each))).tolist()
            yield Line(
                name=name,
                games=len(seats),
                share=share,
                low=low,
                high=high,
                wins=sum(seat.won for seat in seats),
                points=sum(seat.points for seat in seats),
                score=sum(seat.score for seat in seats) / len(seats),
                faults=sum(seat.faults for seat in seats),
                seconds=sum(seat.seconds for seat in seats),
            )

    def ratings(self, draws: Sequence[Floats]) -> Iterator[Rating]:
        """Yield a rating for each bot."""
        better = np.zeros((len(self.names), len(self.names)), np.bool_)
        orders = list[tuple[int, Order]]()
        for contest, (levels, is_open) in zip(self.contests, self.orders, strict=True):
            bots = tuple(tuple(sorted(self.number[contest.seats[seat].bot] for seat in level)) for level in levels)
            order = Order(bots, is_open)
            orders.append((self.deals[contest.deal], order))
        for levels_of, is_open in {order for _, order in orders}:
            for place, level in enumerate(levels_of[: len(levels_of) - is_open]):
                for other in levels_of[place:]:
                    better[np.ix_(level, other)] = True
        endless_above, endless_below, parts = unbounded(better)
        likelihood = Likelihood(len(self.names), len(self.deals), orders)
        likeliest, random = likelihood.fit(), np.random.default_rng(2)
        drawn = np.concatenate(
            [likelihood.fit_all(draw, likelihood.drawn_priors(len(draw), random), likeliest) for draw in draws]
        )
        for bot, deals in enumerate(self.ordered.sum(axis=0).tolist()):
            low, high = None, None
            if deals >= self.least_deals:
                low, high = np.percentile(_elo(drawn[:, bot]), percentiles(deals)).tolist()
            yield Rating(
                name=self.names[bot],
                elo=float(_elo(likeliest[bot])),
                low=None if endless_below[bot] else low,
                high=None if endless_above[bot] else high,
                part=int(parts[bot]),
            )

    def meetings(self) -> Iterator[Meeting]:
        counts: dict[tuple[str, str], list[int]] = {}
        for contest, (levels, _) in zip(self.contests, self.orders, strict=True):
            for above, below, level in _pairs(contest, levels):
                counts.setdefault((above, below), [0, 0, 0])[1 if level else 0] += 1
                counts.setdefault((below, above), [0, 0, 0])[1 if level else 2] += 1
        for (name, other), (won, tied, lost) in sorted(counts.items()):
            yield Meeting(name=name, other=other, won=won, tied=tied, lost=lost)


@lru_cache(64)
def percentiles(deals: int) -> tuple[float, float]:
    """Return the two percentiles of bootstrap results over this many deals (2 or more) that are the ends of a 95 % interval.

    They are those of T. Hesterberg's expanded interval ("What Teachers Should Know about the Bootstrap", 2015), which
    corrects the percentiles 2.5 and 97.5 for few deals, as Student's t does for the interval of a mean.
    """
    angles, step = np.linspace(0, pi / 2, 1 << 16, retstep=True)
    # Student's density at sqrt(deals - 1) * tan(angle), as a density of angles
    mass = np.cumsum(np.cos(angles[:-1] + step / 2) ** (deals - 2))
    student = sqrt(deals - 1) * tan(np.interp(0.95 * mass[-1], mass, angles[1:]))
    low = 100 * NormalDist().cdf(-sqrt(deals / (deals - 1)) * student)
    return low, 100 - low


def without_exception(share: float, deals: int) -> tuple[float, float]:
    """Return the 95 % interval of a share that was the same in all `deals`. The bootstrap cannot give one, because all its
    samples are equal.

    With 97.5 % confidence, at most a part p of all possible deals has another share, with (1 - p) ** deals = 0.025 ("the
    rule of three"). In the worst case, the bot gets all points in these deals, or none.
    """
    others = 1 - 0.025 ** (1 / deals) if deals else 1.0
    return share * (1 - others), share * (1 - others) + others


def _draws(deals: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield arrays with the bootstrap samples: a row for each sample, with how often each deal was drawn."""
    random = np.random.default_rng(seed)
    for begin in range(0, resamples, _AT_A_TIME):
        rows = min(_AT_A_TIME, resamples - begin)
        chosen = random.integers(0, deals, (rows, deals)) + deals * np.arange(rows)[:, None]
        yield np.bincount(chosen.ravel(), minlength=rows * deals).reshape(rows, deals).astype(np.float64)


def _elo(places: Floats) -> Floats:
    """Return ratings from the logarithms of strengths, whose mean is 0."""
    elo: Floats = MEAN + ELO * places
    return elo


class Duel(NamedTuple):
    """The share of the first bot of a pair in the games between the two."""

    name: str
    other: str
    deals: int
    line: Line | None
    """The row of the bot `name` in the final table of these games; None before its first game."""


def duels(pairs: Iterable[Sequence[str]], games: Sequence[Played]) -> Iterator[Duel]:
    """Yield the share of the first bot of each pair against the second one, in the games in which the first bot has one seat
    and the second has all others. Shares and intervals are those of `results`.

    In a game for one player, the share is the first bot's part of the points of both, in the deals that both have played.
    """
    for name, other in pairs:
        seated = [(played, [seat.bot for seat in played.seats]) for played in games]
        deals = [{played.deal for played, bots in seated if bots == [bot]} for bot in (name, other)]
        alone = [played for played, bots in seated if bots in ([name], [other]) and played.deal in deals[0] & deals[1]]
        found = results(
            alone or [played for played, bots in seated if bots.count(name) == 1 and bots.count(other) == len(bots) - 1]
        )
        yield Duel(name, other, found.deals, next((line for line in found.bots if line.name == name), None))
