"""Analyses a finished game: how much each move cost the player who made it, and which move would have been better. The
command line and the server show the results.

For each move, the positions before and after it are searched from the knowledge that the player had, not from the hidden
cards.
"""

from collections.abc import Iterable, Iterator
from math import inf
from statistics import fmean
from typing import Final, NamedTuple, TypeAlias

from ludoteca.agents.agent import new_searcher
from ludoteca.agents.explain import write_line
from ludoteca.agents.intervals import DEALS, SEEDS, Interval, mean_of, outcome_of
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.core.seeds import derived_seed
from ludoteca.search import exact
from ludoteca.search.searcher import Budget, Settings

COSTLY_SHARE: Final = 0.05
"""A move is costly if, even at the lower bound of its interval, it costs this share of the stake (`stake`)."""
BUDGETS_A_MOVE: Final = 2.0
"""To compare two moves, each is searched several times. All searches of one move together take this many budgets."""
HASTY_SHARE: Final = 0.25
"""Each comparison is repeated with this share of its budget, to see how much the cost changes with more time."""

Values: TypeAlias = tuple[float, ...]
"""The expected result for each player, as a share of a win or in points."""
Line: TypeAlias = tuple[int, ...]
NO_COST: Final = (0.0, 0.0)


class MoveValue(NamedTuple):
    """The analysis of one move of a game."""

    number: int
    """The number of the move in the game, from 1."""
    player: int
    action: str
    """The move in the game's notation."""
    values: Values
    """The expected results after the move, from its player's knowledge. A lucky draw in the move changes them."""
    cost: float
    """How much better the best move is for the player, in shares of a win or points. Luck does not change it."""
    interval: Interval
    """The bounds of the cost in 95 of 100 cases. Both are the cost if it is certain, or if no better move was found."""
    certain: bool
    """True if the cost comes from exact play to the end, or if no other move was legal."""
    better: tuple[str, ...]
    """The best move and likely moves after it, in notation as the player would see them. Empty if the cost is 0."""


def value_moves(state: State, budget: Budget, seed: int = 0, settings: Settings | None = None) -> Iterator[MoveValue]:
    """Yield the analysis of each move of a game, from the start of `state` to its last move.

    `budget` is for one search. A move takes two searches. If another move looked better, it takes up to twelve short
    searches and two more. The same seed and the same budget in simulations give the same results. Raises SearchError for a
    budget of 0.

    >>> from ludoteca import load
    >>> from ludoteca.search.searcher import Budget
    >>> state = load("okupacio", board="4x4").new_initial_state(seed=1)
    >>> for text in ("ab", "dd"):
    ...     state.apply_action(state.string_to_action(text))
    >>> [move.action for move in value_moves(state, Budget(simulations=20))]
    ['ab', 'dd']
    """
    budget.check()
    walk = state.game.state_at(state.start)
    solver = exact.Solver(state.game) if exact.applies(state.game) else None  # its table helps with the next move
    for number, action in enumerate(state.history(), 1):
        yield _Judge(walk, budget, derived_seed(seed, number), solver, settings).judge(number, action)
        walk.apply_action(action)


def costly(moves: Iterable[MoveValue], stake: float, most: int = 5) -> list[MoveValue]:
    """Return the moves that cost most, in order of play. There are at most `most`.

    A move is in the result only if it costs at least COSTLY_SHARE of the stake, even at the lower bound of its interval.
    `stake` is the result of the function `stake`.

    >>> move = MoveValue(1, 0, "ab", (0.4, 0.6), cost=0.2, interval=(0.1, 0.3), certain=False, better=("ba",))
    >>> [each.action for each in costly([move], stake=1.0)]
    ['ab']
    """
    large = [move for move in moves if move.interval[0] >= COSTLY_SHARE * stake]
    return sorted(sorted(large, key=lambda move: -move.cost)[:most])


def unsure(moves: Iterable[MoveValue], stake: float) -> list[MoveValue]:
    """Return the moves whose estimated cost is at least COSTLY_SHARE of the stake, but whose interval also contains smaller
    costs.
    """
    return [move for move in moves if move.cost >= COSTLY_SHARE * stake > move.interval[0]]


def stake(state: State, moves: Iterable[MoveValue]) -> float:
    """Return the most that a player can win or lose in a game. In a game for wins this is 1. In a game for points it is the
    distance between the highest and the lowest number among 0 and all expected results of the moves.
    """
    if state.game.utility() == "win":
        return 1.0
    values = [value for move in moves for value in move.values]
    return max(values) - min(0.0, *values) if values else 1.0


class _Judge:
    """Analyses the move in one position: by exact play if that is possible within the budget, else by searches after the
    played move and after the best move.
    """

    def __init__(
        self, state: State, budget: Budget, seed: int, solver: exact.Solver | None, settings: Settings | None
    ) -> None:
        self._state = state
        self._player = state.current_player()
        self._known = state.information_state(self._player)
        self._budget = budget
        self._seed = seed
        self._solver = solver
        self._settings = settings

    def judge(self, number: int, action: int) -> MoveValue:
        """Return the analysis of the action that was played as move number `number`."""
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
        found = new_searcher(self._state.game, self._settings, self._seed).search(self._known, self._budget)
        if found.action == action:
            return worth(after[0] if after else self._values(real, self._seed), 0.0, NO_COST, ())
        values, cost, interval = self._compare(found.action, action)
        return worth(after[0] if after else values, cost, interval, found.line)

    def _exact(self, state: State) -> tuple[Values, Line] | None:
        """Return each player's result with best play by all, and the moves that lead there. Return None if exact play would
        take more than the budget.
        """
        if state.is_terminal():
            return tuple(state.returns()), ()
        found = self._solver.solve(state.information_state(self._player), self._budget) if self._solver else None
        return (found.values, found.line) if found else None

    def _compare(self, best: int, action: int) -> tuple[Values, float, Interval]:
        """Return the expected results after the played action, its cost, and the bounds of the cost. The cost is the
        difference from the action `best`, for the player.

        Both actions are searched in the same positions with the same seeds, so that chance affects both alike. If an action
        reveals hidden cards, these are positions after several random deals that fit the player's knowledge. Otherwise it is
        the position of the game, with several seeds. The expected results are always those of the position of the game.
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
        share = BUDGETS_A_MOVE / len(pairs)
        found = self._search(pairs, share)
        means = tuple(map(fmean, zip(*(after_action for _, after_action in found), strict=True)))
        values = self._values(reals[1], self._seed) if shows else means
        mine = [(after_best[self._player], after_action[self._player]) for after_best, after_action in found]
        costs = [after_best - after_action for after_best, after_action in mine]
        if hidden or game.utility() != "win":
            hasty = [one[self._player] - other[self._player] for one, other in self._search(pairs, share * HASTY_SHARE)]
            mean, half = mean_of(costs)
            drift = mean - fmean(hasty)  # four times the budget may change the cost by this much
            low, high = min(mean, mean + drift) - half, max(mean, mean + drift) + half
        else:
            (low_best, high_best), (low_played, high_played) = map(outcome_of, zip(*mine, strict=True))
            low, high = low_best - high_played, high_best - low_played
        most = 1.0 if game.utility() == "win" else inf
        return values, max(0.0, fmean(costs)), (min(most, max(0.0, low)), min(most, max(0.0, high)))

    def _search(self, pairs: list[list[State]], share: float) -> list[tuple[Values, Values]]:
        """Return the expected results of all players after each of the two actions, for each pair of positions. Each search
        gets this share of the budget.
        """
        seeds = [derived_seed(self._seed, number, share) for number in range(len(pairs))]
        return [
            (self._values(best, seed, share), self._values(played, seed, share))
            for seed, (best, played) in zip(seeds, pairs, strict=True)
        ]

    def _values(self, state: State, seed: int, share: float = 1.0) -> Values:
        """Return the expected results of all players in a position, searched from the knowledge of the player who made the
        move, with a share of the budget.
        """
        if state.is_terminal():
            return tuple(state.returns())
        simulations, *times = self._budget
        budget = Budget(simulations and max(1, int(simulations * share)), *(time and time * share for time in times))
        known = state.information_state(self._player)
        return new_searcher(state.game, self._settings, seed).evaluate(known, budget).values
