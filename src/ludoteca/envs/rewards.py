"""What learners are rewarded for."""

from collections.abc import Sequence
from typing import Final

from ludoteca.core.contract import min_score
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game, State

KINDS: Final = ("returns", "zero_sum", "score")
"""`"returns"`: the game's, at its end. `"zero_sum"`: the same, made to add up to 0. `"score"`: points when they are won."""


def check_kind(kind: str) -> str:
    """The same kind of rewards. Raises ParameterError, which says what kinds there are."""
    if kind not in KINDS:
        raise ParameterError(f"rewards: read {kind!r}, expected {', '.join(KINDS)}")
    return kind


def rewards_so_far(state: State, kind: str) -> list[float]:
    """All rewards that each player has had; the difference from one state to the next is the reward in between."""
    if kind == "score":
        return [float(score) for score in state.scores()]
    return zero_sum(state.returns()) if kind == "zero_sum" else state.returns()


def lowest(game: Game, kind: str) -> float:
    """No player's rewards of a game add up to less."""
    if kind == "score":
        return float(min_score(game.rules))
    return game.min_utility() - (game.max_utility() if kind == "zero_sum" and game.num_players() > 1 else 0.0)


def zero_sum(returns: Sequence[float]) -> list[float]:
    """Each player's return less the mean of the others': they add up to 0, and a single player's stays as it is.

    So of a won game the winner gets 1 and each of the n - 1 others -1 / (n - 1). What is all zeros, as it is before the end
    and when a game is void, stays so.
    """
    total, others = sum(returns), len(returns) - 1
    return [(len(returns) * each - total) / others for each in returns] if others else [*returns]
