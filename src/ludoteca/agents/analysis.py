"""What the moves of a game were worth: every position searched from what its mover knew, before the move and after it."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from ludoteca.agents.agent import derived_seed, new_searcher
from ludoteca.agents.explain import write_line
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.search import exact
from ludoteca.search.searcher import Budget, Searcher, Settings

SMALL: Final = 0.05
"""A move is costly when it surely costs at least this share of what is at stake."""
SEEDS: Final = 4
"""Two moves are compared by this many pairs of independent searches."""
DEALS: Final = 8
"""Where a move reveals something, they are compared by this many pairs, each in another deal of what it may reveal."""
STUDENT: Final = {SEEDS: 3.182, DEALS: 2.365}
"""By number of values: how many standard errors their mean is from the true one in 95 of 100 cases (Student's t)."""
EFFORT: Final = 2.0
"""All pairs together spend this many budgets on each of the two moves."""
HASTE: Final = 0.25
"""The pairs are searched with this share of their budget as well, to see how the cost changes with more of it."""
MARGIN: Final = 0.1
"""Where nothing is hidden, a value that is no farther from a half does not say who wins (`benchmarks/accusations.py`)."""

Values: TypeAlias = tuple[float, ...]
"""What each player may expect: shares of a win, or points."""
Interval: TypeAlias = tuple[float, float]
Line: TypeAlias = tuple[int, ...]
Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
NO_COST: Final = (0.0, 0.0)


class MoveValue(NamedTuple):
    """One move of the game."""

    number: int
    """From 1."""
    player: int
    action: str
    """In the game's notation, as the player made it."""
    values: Values
    """After the move, as far as its player knew: luck with what it revealed is part of them."""
    cost: float
    """How much less the player had to expect from this move than from the best one found; luck is no part of it."""
    interval: tuple[float, float]
    """The cost lies in it in 95 of 100 cases; both ends are the cost when it is certain, or no better move was found."""
    certain: bool
    """True when exact play knows the cost, or nothing else could be played."""
    better: tuple[str, ...]
    """The best move found and how the game might have gone on, as the player would see it; empty when the cost is 0."""


def judging_searcher(game: Game, seed: int = 0) -> Searcher:
    """The search that values moves: by playouts, whose chance says how far they may be wrong, never by deepening."""
    return new_searcher(game, Settings(deepen=False), seed)


def value_moves(state: State, budget: Budget, seed: int = 0) -> Iterator[MoveValue]:
    """The values of a game's moves, one after the other, from its start to the given state.

    `budget` is for each search: two a move, up to twelve as long as two of them and two more where another move looked
    better. The same seed and budget in simulations give the same values. Raises SearchError for a budget of 0.
    """
    budget.check()
    walk = state.game.state_at(state.start)
    solver = exact.Solver(state.game) if exact.applies(state.game) else None  # what it learns helps with the next move
    for number, action in enumerate(state.history(), 1):
        yield _Judge(walk, budget, derived_seed(seed, number), solver).judge(number, action)
        walk.apply_action(action)


def costly(moves: Iterable[MoveValue], stake: float, most: int = 5) -> list[MoveValue]:
    """The moves that surely cost most, in order of play; `stake` is what can be won at most (see `stake`)."""
    large = [move for move in moves if move.interval[0] >= SMALL * stake]
    return sorted(sorted(large, key=lambda move: -move.cost)[:most])


def unsure(moves: Iterable[MoveValue], stake: float) -> list[MoveValue]:
    """The moves that look costly, but may cost little all the same."""
    return [move for move in moves if move.cost >= SMALL * stake > move.interval[0]]


def stake(state: State, moves: Iterable[MoveValue]) -> float:
    """What can be won at most: 1, or in a game for points the highest value that any player had, above the lowest or 0."""
    if state.game.utility() == "win":
        return 1.0
    values = [value for move in moves for value in move.values]
    return max(values) - min(0.0, *values) if values else 1.0


class _Judge:
    """Judges the move in one position: by exact play where that is possible, else by searches of two moves."""

    def __init__(self, state: State, budget: Budget, seed: int, solver: exact.Solver | None) -> None:
        self._state = state
        self._player = state.current_player()
        self._known = state.information_state(self._player)
        self._budget = budget
        self._seed = seed
        self._solver = solver

    def judge(self, number: int, action: int) -> MoveValue:
        """The value of the action, and its cost against the best one."""
        text, real = self._state.action_to_string(action), self._state.child(action)

        def worth(values: Values, cost: float, interval: Interval, line: Line, *, certain: bool = False) -> MoveValue:
            better = tuple(write_line(self._known, line)) if cost > 0 else ()
            return MoveValue(number, self._player, text, values, cost, interval, certain, better)

        if set(self._state.position.choices().tolist()) <= {action}:
            return worth(self._values(real, self._seed), 0.0, NO_COST, (), certain=True)
        best, after = self._exact(self._state), self._exact(real)
        if best and after:
            cost = max(0.0, best[0][self._player] - after[0][self._player])
            return worth(after[0], cost, (cost, cost), best[1], certain=True)
        found = judging_searcher(self._state.game, self._seed).search(self._known, self._budget)
        if found.action == action:
            return worth(after[0] if after else self._values(real, self._seed), 0.0, NO_COST, ())
        values, cost, interval = self._compare(found.action, action)
        return worth(after[0] if after else values, cost, interval, found.line)

    def _exact(self, state: State) -> tuple[Values, Line] | None:
        """What every player gets with best play, and the line; None where that takes more than the budget."""
        if state.is_terminal():
            return tuple(state.returns()), ()
        found = self._solver.solve(state.information_state(self._player), self._budget) if self._solver else None
        return (found.values, found.line) if found else None

    def _compare(self, best: int, action: int) -> tuple[Values, float, Interval]:
        """The values after the action in the real deal, its cost against the best one, and the interval of the cost.

        Both are searched in the same deals with the same seeds.
        """
        game, rng = self._state.game, new_rng(self._seed)
        hidden = not game.spec.perfect_information
        deals = [self._state.resample_from_infostate(self._player, rng) for _ in range(DEALS)] if hidden else []
        reals = [self._state.child(best), self._state.child(action)]

        def looks(state: State) -> tuple[bytes, tuple[int, ...]]:
            known = state.information_state(self._player)
            return known.view.tobytes(), known.seen

        shows = any(
            looks(real) != looks(deal.child(played))
            for real, played in zip(reals, (best, action), strict=True)
            for deal in deals
        )
        pairs = [[deal.child(played) for played in (best, action)] for deal in deals] if shows else [reals] * SEEDS
        share = EFFORT / len(pairs)
        found = self._search(pairs, share)
        values = self._values(reals[1], self._seed) if shows else tuple(np.mean(found[1], axis=0).tolist())
        mine = found[:, :, self._player]
        cost = max(0.0, float(np.mean(mine[0] - mine[1])))
        if hidden or game.utility() != "win":
            hasty = self._search(pairs, share * HASTE)[:, :, self._player]
            mean, half = _mean(mine[0] - mine[1])
            drift = mean - float(np.mean(hasty[0] - hasty[1]))  # four times the budget may move it on as far as this
            low, high = min(mean, mean + drift) - half, max(mean, mean + drift) + half
        else:
            (low_best, high_best), (low_played, high_played) = map(_outcome, mine)
            low, high = low_best - high_played, high_best - low_played
        return values, cost, (max(0.0, low), max(0.0, high))

    def _search(self, pairs: list[list[State]], share: float) -> Floats:
        """The values of all players after both moves, pair by pair."""
        found = [
            [self._values(state, derived_seed(self._seed, number, share), share) for state in pair]
            for number, pair in enumerate(pairs)
        ]
        return np.swapaxes(np.array(found), 0, 1)

    def _values(self, state: State, seed: int, share: float = 1.0) -> Values:
        """What each player may expect, as far as the judged player can know, with a share of the budget."""
        if state.is_terminal():
            return tuple(state.returns())
        simulations, *times = self._budget
        budget = Budget(simulations and max(1, int(simulations * share)), *(time and time * share for time in times))
        known = state.information_state(self._player)
        return judging_searcher(state.game, seed).evaluate(known, budget).values


def _outcome(values: Floats) -> Interval:
    """The interval of what a position with nothing hidden is worth to a player with best play.

    That is a result and no chance, so the value of a search says who wins, or nothing: searches with other seeds differ by
    little where all of them are wrong.
    """
    mean, half = _mean(values)
    if mean - half >= 0.5 + MARGIN:
        return mean - half, 1.0
    if mean + half <= 0.5 - MARGIN:
        return 0.0, mean + half
    return 0.0, 1.0


def _mean(numbers: Floats) -> tuple[float, float]:
    """The mean of independent numbers, and how far the true one is from it at most in 95 of 100 cases."""
    count = len(numbers)
    return float(np.mean(numbers)), STUDENT[count] * float(np.std(numbers, ddof=1)) / count**0.5
