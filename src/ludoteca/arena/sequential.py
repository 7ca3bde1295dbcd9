"""A match that ends as soon as it is known who is stronger: the sequential test is asked after every few deals.

Which deals those are does not depend on how fast games end, or on how many are played at a time: nor does the verdict.
"""

from collections.abc import Mapping
from typing import Final

from ludoteca.arena.formats import RoundRobin
from ludoteca.arena.ratings import deal_scores
from ludoteca.arena.results import Played
from ludoteca.arena.sprt import Sprt, sprt
from ludoteca.core.formats import Field, Finished, Plan

DEALS_AT_A_TIME: Final = 10


class Sequential:
    """A match of two bots, the first of whom may be stronger than the second."""

    def __init__(self, field: Field, elo0: float, elo1: float, kept: Mapping[str, Played]) -> None:
        """`kept` has all finished games by their keys, whenever `plan` is called. Raises ValueError unless elo0 < elo1."""
        self._field, self._kept = field, kept
        self._elo0, self._elo1 = elo0, elo1
        self._deals = 0
        self.verdict = sprt([], elo0, elo1)
        """After the deals that it was last asked about."""

    def plan(self, finished: Finished) -> Plan:
        """The games of some more deals, until the test accepts something or there are no more deals."""
        while True:
            deals = min(self._deals + DEALS_AT_A_TIME, self._field.deals)
            stage = RoundRobin().plan(self._field._replace(deals=deals), finished)
            if stage.table is None:
                return stage
            self.verdict = self._ask([self._kept[fixture.key] for fixture in stage.games])
            if self.verdict.accepted or deals == self._field.deals:
                return stage
            self._deals = deals

    def _ask(self, games: list[Played]) -> Sprt:
        name, other = self._field.entrants
        return sprt(deal_scores(games, name, other), self._elo0, self._elo1)
