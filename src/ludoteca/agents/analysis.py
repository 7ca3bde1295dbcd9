"""What the moves of a game were worth: every position searched from what its mover knew, before the move and after it."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ludoteca.agents.agent import derived_seed, options
from ludoteca.agents.explain import write_line
from ludoteca.agents.searching import new_searcher
from ludoteca.core.infostate import InformationState
from ludoteca.core.rng import new_rng
from ludoteca.core.state import State
from ludoteca.search.searcher import Budget, Findings

SMALL: Final = 0.05
"""A cost below this share of what is at stake may well be an error of the search."""
DEALS: Final = 8
"""Where a move brings something to light, it is judged by what it might have brought in so many deals."""

Values: TypeAlias = tuple[float, ...]
"""What each player may expect: shares of a win, or points."""


class MoveValue(NamedTuple):
    """One move of the game."""

    number: int
    """From 1."""
    player: int
    action: str
    """In the game's notation, as the player made it."""
    values: Values
    """After the move, as far as its player knew: luck with what it brought to light is in them."""
    cost: float
    """How much less the player had to expect by this move than by the best one found; luck is not in it."""
    better: tuple[str, ...]
    """The best move found and how the game might have gone on, as the player would see it; empty when the cost is 0."""


def value_moves(state: State, budget: Budget, seed: int = 0) -> Iterator[MoveValue]:
    """The moves of a game one after the other, from its start to the given state.

    `budget` is for each search: two a move, three or four where another move was better. The same seed and budget in
    simulations give the same values. Raises SearchError for a budget of 0.
    """
    budget.check()
    walk = state.game.state_at(state.start)
    for number, action in enumerate(state.history(), 1):
        yield _Judge(walk, budget, derived_seed(seed, number)).judge(number, action)
        walk.apply_action(action)


def costly(moves: Iterable[MoveValue], stake: float, most: int = 5) -> list[MoveValue]:
    """The moves that cost most, in their order; `stake` is what a whole win is worth, or the most points there are."""
    large = [move for move in moves if move.cost >= SMALL * stake]
    return sorted(sorted(large, key=lambda move: -move.cost)[:most])


def stake(state: State, moves: Iterable[MoveValue]) -> float:
    """1 where a win is at stake, else the highest number of points that any player had to expect."""
    return 1.0 if state.game.utility() == "win" else max((max(move.values) for move in moves), default=1.0)


class _Judge:
    """One position: every search begins anew with the same budget, so that what they find can be compared."""

    def __init__(self, state: State, budget: Budget, seed: int) -> None:
        self._state = state
        self._player = state.current_player()
        self._known = state.information_state(self._player)
        self._budget = budget
        self._seed = seed

    def judge(self, number: int, action: int) -> MoveValue:
        """What the action was worth."""
        text = self._state.action_to_string(action)
        found = self._best()
        if found is None or found.action == action:
            return MoveValue(number, self._player, text, self._values(self._state.child(action)), 0.0, ())
        values, average = self._worth(action)
        cost = self._worth(found.action)[1][self._player] - average[self._player]
        better = tuple(write_line(self._known, found.line)) if cost > 0 else ()
        return MoveValue(number, self._player, text, values, max(0.0, cost), better)

    def _best(self) -> Findings | None:
        """What a search finds before the move; None when there was no choice."""
        if len(options(self._state.game, self._state.records)) < 2:
            return None
        return new_searcher(self._state.game, seed=self._seed).search(self._known, self._budget)

    def _worth(self, action: int) -> tuple[Values, Values]:
        """The values after an action in the real deal, and on average over the deals that the player had to reckon with."""
        real = self._state.child(action)
        rng = new_rng(self._seed)  # the same deals for every action
        deals = [self._state.resample_from_infostate(self._player, rng).child(action) for _ in range(DEALS)]
        values = self._values(real)
        if all(_look_alike(real, deal, self._player) for deal in deals):
            return values, values
        found = [self._values(deal, self._share()) for deal in deals]
        return values, tuple(np.mean(found, axis=0).tolist())

    def _share(self) -> Budget:
        """The budget divided among the deals."""
        simulations, seconds = self._budget
        return Budget(simulations and max(1, simulations // DEALS), seconds and seconds / DEALS)

    def _values(self, state: State, budget: Budget | None = None) -> Values:
        """What each player may expect, as far as the mover of before can know."""
        if state.is_terminal():
            return tuple(state.returns())
        known = state.information_state(self._player)
        return new_searcher(state.game, seed=self._seed).evaluate(known, budget or self._budget).values


def _look_alike(one: State, two: State, player: int) -> bool:
    return _content(one.information_state(player)) == _content(two.information_state(player))


def _content(known: InformationState) -> tuple[bytes, Values]:
    return known.view.tobytes(), known.seen
