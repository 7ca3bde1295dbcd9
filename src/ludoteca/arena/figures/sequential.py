"""A match that ends when a sequential test accepts a hypothesis. The test is made after every few deals.

These deals, and so the verdict, do not depend on the speed of games or on the number of games at a time.
"""

from collections.abc import Mapping
from typing import Final

from ludoteca.arena.figures.ratings import deal_scores
from ludoteca.arena.figures.sprt import sprt
from ludoteca.arena.matches.formats import RoundRobin
from ludoteca.arena.matches.results import Played
from ludoteca.core.formats import Field, Finished, Schedule

DEALS_AT_A_TIME: Final = 10


class Sequential:
    """A match that tests whether the first of two bots is stronger."""

    def __init__(self, field: Field, elo0: float, elo1: float, kept: Mapping[str, Played]) -> None:
        """Take a view of all finished games by their keys, complete at each `plan`. Raises ValueError unless elo0 < elo1."""
        self._field, self._kept = field, kept
        self._elo0, self._elo1 = elo0, elo1
        self._deals = 0
        self.verdict = sprt([], elo0, elo1)
        """The state of the test after its last deals."""

    def plan(self, finished: Finished) -> Schedule:
        """Return the games of a few more deals, until the test accepts a hypothesis or no deals are left."""
        while True:
            deals = min(self._deals + DEALS_AT_A_TIME, self._field.deals)
            stage = RoundRobin().plan(self._field._replace(deals=deals), finished)
            if stage.table is None:
                return stage
            scores = deal_scores([self._kept[fixture.key] for fixture in stage.games], *self._field.entrants)
            self.verdict = sprt(scores, self._elo0, self._elo1)
            if self.verdict.accepted or deals == self._field.deals:
                return stage
            self._deals = deals
