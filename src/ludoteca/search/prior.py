"""Combines the results of a Monte Carlo search with the values of a game's heuristics when the search chooses its action.

If results depend much on chance, a few visits say little about an action, and learned heuristics say more. So the search
chooses by a mean of both, in which the value of the heuristics counts as a number of visits. From this mean it subtracts an
amount for chance, which falls with the square root of the visits.
"""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ludoteca.core import hints
from ludoteca.core.game import Game
from ludoteca.core.position import Position
from ludoteca.search.findings import RootMove


class Trust(NamedTuple):
    """Three constants of a game's heuristics: TRUST, UNIT and CAUTION, which `core.contract.Heuristics` explains."""

    visits: float
    unit: float
    caution: float


def trust_in(heuristics: ModuleType | None, given: Mapping[str, float]) -> Trust | None:
    """Return the constants of the heuristics for the choice of an action, or None if TRUST is 0, so that the search chooses
    without their values.

    `given` has constants for the game's parameters. They replace those of the module.
    """
    names = ("TRUST", "UNIT", "CAUTION")
    trust = Trust(*(float(given.get(name, getattr(heuristics, name, 0))) for name in names))
    return trust if trust.visits > 0 else None


class Prior:
    """Sorts the actions at the root by the results of a search together with the values of the game's heuristics."""

    def __init__(self, game: Game, heuristics: ModuleType, trust: Trust) -> None:
        self._hints = game.bind(hints, heuristics)
        self._points = game.utility() == "points" and game.num_players() > 1
        self._trust = trust

    def order(self, position: Position, choices: Sequence[RootMove], root: Sequence[float]) -> list[RootMove]:
        """Return the choices sorted from the best to the worst for the player to move. `root` is the expected result of each
        player at the root, in wins or points.
        """
        mover, trust = position.current_player(), self._trust
        actions: np.ndarray[Any, np.dtype[np.int64]] = np.array([choice.action for choice in choices], np.int64)
        worth = np.zeros(len(actions), np.int64)
        self._hints.value_actions(position.array, actions, len(actions), worth)
        hopes = self._lead(root, mover) + (worth - worth.max()) * trust.unit

        def merit(choice: RootMove, hope: float) -> float:
            if choice.solved:
                return self._lead(choice.values, mover)
            visits = choice.visits + trust.visits
            found = self._lead(choice.values, mover) * choice.visits + hope * trust.visits
            return float(found / visits - trust.caution / np.sqrt(visits))

        merits = {choice.action: merit(choice, hope) for choice, hope in zip(choices, hopes.tolist(), strict=True)}
        return sorted(choices, key=lambda choice: merits[choice.action], reverse=True)

    def _lead(self, values: Sequence[float], mover: int) -> float:
        """Return the number that the mover maximises: the mover's value, less the mean of all players' values in games for
        points.
        """
        return values[mover] - (sum(values) / len(values) if self._points else 0.0)
