"""The parts of an agent's budget in a turn of several moves (`core.contract.Turns`)."""

from dataclasses import dataclass
from typing import Final

from ludoteca.core.position import InformationState
from ludoteca.search.searcher import Budget, Findings

FIRST_SHARE: Final = 0.6
"""The first move's share of the budget."""
LATER_SHARE: Final = 0.5
"""Each later move's share of the rest. Its search continues the search before."""


@dataclass
class TurnBudget:
    """The budget of the present turn. In games with one move a turn, the move has the whole budget."""

    whole: Budget
    _spent: float = 0.0
    _share: float = 1.0
    """The share of the present move."""
    _expected: tuple[int, ...] | None = None
    """The actions that this seat will have seen before the next move of the same turn."""
    _pace: float = 0.0
    """Simulations of a search with the whole budget."""

    def goes_on(self, state: InformationState) -> bool:
        """Start a move. Return True if the agent also chose the move before, in the same turn."""
        within = state.seen == self._expected and not state.view.begins_turn()
        if not within:
            self._spent = 0.0
        self._share = LATER_SHARE * (1.0 - self._spent) if within else FIRST_SHARE if state.game.turns_have_moves() else 1.0
        return within

    def is_settled(self, known: Findings) -> bool:
        """Return True if the search for this move cannot change the move with the most visits."""
        visits = sorted((choice.visits for choice in known.choices), reverse=True)
        runner_up = visits[1] if len(visits) > 1 else 0
        due = self.budget().simulations or self._share * self._pace
        return 0 < due < known.choices[0].visits - runner_up

    def budget(self) -> Budget:
        """Return the budget of the present move."""
        simulations, seconds, cpu = self.whole
        return Budget(
            None if simulations is None else max(1, round(self._share * simulations)),
            None if seconds is None else self._share * seconds,
            None if cpu is None else self._share * cpu,
        )

    def searched(self, findings: Findings) -> None:
        """Count the budget of the present move as spent, with these findings."""
        self._spent += self._share
        self._pace = findings.simulations / self._share

    def decided(self, state: InformationState, action: int) -> None:
        """Remember the action that is going to be played."""
        self._expected = (*state.seen, action)
