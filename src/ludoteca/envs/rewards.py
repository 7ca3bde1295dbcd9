"""The rewards of learners."""

from collections.abc import Sequence
from typing import Final

from ludoteca.core.contract import min_score
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game, State

KINDS: Final = ("returns", "zero_sum", "score")
"""`"returns"`: the game's returns, at its end. `"zero_sum"`: the same with the sum 0. `"score"`: points with each move."""


def check_kind(kind: str) -> str:
    """Return the same kind. Raises ParameterError for an unknown one. The message lists the kinds."""
    if kind not in KINDS:
        raise ParameterError(f"rewards: read {kind!r}, expected {', '.join(KINDS)}")
    return kind


def rewards_so_far(state: State, kind: str) -> list[float]:
    """Return each player's sum of rewards up to a state. The reward of a step is the difference between the sums of two
    states.

    >>> from ludoteca import load
    >>> state = load("okupacio", board="4x4").new_initial_state(seed=1)
    >>> state.apply_action(state.string_to_action("ab"))
    >>> rewards_so_far(state, "returns"), rewards_so_far(state, "score")
    ([0.0, 0.0], [1.0, 0.0])
    """
    if kind == "score":
        return [float(score) for score in state.scores()]
    return zero_sum(state.returns()) if kind == "zero_sum" else state.returns()


def lowest(game: Game, kind: str) -> float:
    """Return a lower bound for the sum of a player's rewards in a game."""
    if kind == "score":
        return float(min_score(game.rules))
    return game.min_utility() - (game.max_utility() if kind == "zero_sum" and game.num_players() > 1 else 0.0)


def highest(game: Game, kind: str) -> float:
    """Return an upper bound for the sum of a player's rewards in a game."""
    if kind == "score":
        return float(game.rules.MAX_SCORE)
    return game.max_utility() - (game.min_utility() if kind == "zero_sum" and game.num_players() > 1 else 0.0)


def zero_sum(returns: Sequence[float]) -> list[float]:
    """Return each player's return minus the mean of the others' returns. The return of a single player stays the same.

    A single winner gets 1, and each of the n - 1 others -1 / (n - 1). Before the end, and in void games, all are 0.

    >>> zero_sum([1.0, 0.0, 0.0])
    [1.0, -0.5, -0.5]
    """
    total, others = sum(returns), len(returns) - 1
    return [(len(returns) * each - total) / others for each in returns] if others else [*returns]
