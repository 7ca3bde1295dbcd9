"""What the heuristics expect of the actions at the root: it counts as so many visits when a search makes its choice.

A few visits tell little where results differ much by chance, and heuristics that were learned tell a lot. So the choice goes
by the mean of both, less what may be chance in it: how far that is falls with the root of the visits.
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
    """The constants of heuristics whose values of actions count in the choice; see `core.contract.Heuristics`."""

    visits: float
    unit: float
    caution: float


def trust_in(heuristics: ModuleType | None, given: Mapping[str, float]) -> Trust | None:
    """What the heuristics say of themselves, `given` for the game's parameters; None where their values do not count."""
    names = ("TRUST", "UNIT", "CAUTION")
    trust = Trust(*(float(given.get(name, getattr(heuristics, name, 0))) for name in names))
    return trust if trust.visits > 0 else None


class Prior:
    """Puts choices in order by what a search found and by what the heuristics say."""

    def __init__(self, game: Game, heuristics: ModuleType, trust: Trust) -> None:
        self._hints = game.bind(hints, heuristics)
        self._points = game.utility() == "points" and game.num_players() > 1
        self._trust = trust

    def order(self, position: Position, choices: Sequence[RootMove], root: Sequence[float]) -> list[RootMove]:
        """The choices of the position's mover, the best first; `root` is what each player may expect at the root."""
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
        """What the mover maximises, see `tree.lead`."""
        return values[mover] - (sum(values) / len(values) if self._points else 0.0)
