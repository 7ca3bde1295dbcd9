"""How an agent's budget is spread over a turn, where a turn is of several moves (`core.contract.Turns`)."""

from dataclasses import dataclass
from typing import Final

from ludoteca.core.position import InformationState
from ludoteca.search.searcher import Budget, Findings

FIRST: Final = 0.6
"""The share of its budget that a turn's first move has."""
LATER: Final = 0.5
"""The share of what is left then that each later move has: their searches go on where the ones before ended."""


@dataclass
class TurnBudget:
    """What is left of the budget of the turn that is being played. Where a turn is one move, that has the whole budget."""

    whole: Budget
    _spent: float = 0.0
    _share: float = 1.0
    """Of the move that is thought about."""
    _expected: tuple[int, ...] | None = None
    """What this seat has seen when it is asked for the next move of the same turn."""
    _pace: float = 0.0
    """Simulations of a search with the whole budget."""

    def goes_on(self, state: InformationState) -> bool:
        """Look at what is asked for next: True when the agent was asked for the move before, and it was of the same turn."""
        within = state.seen == self._expected and not state.view.begins_turn()
        if not within:
            self._spent = 0.0
        self._share = LATER * (1.0 - self._spent) if within else FIRST if state.game.turns_have_moves() else 1.0
        return within

    def is_settled(self, known: Findings) -> bool:
        """True when the search that is due could not give any move as many visits as the best has by now."""
        visits = sorted((choice.visits for choice in known.choices), reverse=True)
        runner_up = visits[1] if len(visits) > 1 else 0
        due = self.budget().simulations or self._share * self._pace
        return 0 < due < known.choices[0].visits - runner_up

    def budget(self) -> Budget:
        """That of the move that is thought about."""
        simulations, seconds, cpu = self.whole
        return Budget(
            None if simulations is None else max(1, round(self._share * simulations)),
            None if seconds is None else self._share * seconds,
            None if cpu is None else self._share * cpu,
        )

    def searched(self, findings: Findings) -> None:
        """The budget has been spent, and this was found."""
        self._spent += self._share
        self._pace = findings.simulations / self._share

    def decided(self, state: InformationState, action: int) -> None:
        """The action has been chosen, and is going to be played."""
        self._expected = (*state.seen, action)
