"""A game, played here or played again from its record, as rows of both tables."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Final, NamedTuple

import pyarrow as pa

from ludoteca.agents.agent import Agent, budget_of, derived_seed, needs_compiling, new_agent, new_searcher
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game, State
from ludoteca.core.record import Record
from ludoteca.core.rng import draw, new_rng
from ludoteca.envs.dataset.about import DatasetError
from ludoteca.envs.dataset.columns import Column, Moment, array_of, chosen_columns, position_fields
from ludoteca.search.findings import Budget, Findings
from ludoteca.search.searcher import Searcher, Settings

BY_SEARCH: Final = ("visits", "best")
"""Ways to choose that follow the search of each position; the others are agents."""


@dataclass(frozen=True)
class Plan:
    """What is to be written of each game, and how games are played that are not there yet. It can be pickled.

    Raises LudotecaError for what cannot be: another way to play, an unknown column.
    """

    game: Game
    """It should be compiled where `needs_compiling` says so."""
    search: int = 0
    """The number of simulations for each position; 0 for no search."""
    play: str = ""
    """How actions are chosen: `visits`, in proportion to the visits of the search (but what is certainly best is played);
    `best`, as the search finds best; or an agent's name. By default `visits` where there is a search, else `random`."""
    seed: int = 0
    columns: tuple[str, ...] | None = None
    """The names of columns; None for all that tell something new."""

    def __post_init__(self) -> None:
        if self.search < 0:
            raise DatasetError(f"search: read {self.search}, expected a number of simulations, 0 for none")
        object.__setattr__(self, "play", self.play or ("visits" if self.search else "random"))
        if self.play in BY_SEARCH:
            if not self.search:
                raise DatasetError(f"play: {self.play} goes by a search, and none was asked for")
        elif (budget := budget_of(self.play, self.game)) and budget.simulations is None:
            raise DatasetError(f"play: {self.play} thinks for a time, so the same seed would not give the same games")
        self.chosen()

    def chosen(self) -> list[Column]:
        """The columns to write."""
        return chosen_columns(self.game, self.columns, searched=self.search > 0)

    def needs_compiling(self) -> bool:
        """True where interpreted rules are too slow: for a search, and for an agent that searches."""
        return self.search > 0 or needs_compiling(self.play, self.game)

    def prepare(self) -> None:
        """Compile what the game's rules need, if the game is compiled: processes then read it."""
        _ = self.game.steps
        Tracer(self).prepare()


class Traced(NamedTuple):
    """A game as rows."""

    record: Record
    rows: Any
    """A record batch of Arrow: the rows of the table of positions."""


class Tracer:
    """Makes the rows of one game after the other. What it makes of a game depends on that game's number and no other."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._columns = plan.chosen()
        self._schema = pa.schema(position_fields(plan.game, self._columns))

    def prepare(self) -> None:
        """Make all that a game needs to be played."""
        self._searcher(0)
        self._chooser(0)
        if any(column.of_features for column in self._columns):
            self._plan.game.features.mask(self._plan.game.prepared)

    def play(self, number: int) -> Traced:
        """Play a game."""
        plan = self._plan
        state = plan.game.new_initial_state(derived_seed(plan.seed, "deal", number))
        choose = self._chooser(number)
        rows = self._trace(number, state, choose)
        return Traced(state.to_record(), rows)

    def replay(self, number: int, name: str, record: Record) -> Traced:
        """Play a record again. Raises DatasetError, which begins with the name."""
        try:
            state = self._plan.game.replay(record)
            actions = iter(state.history())
            start = self._plan.game.state_at(record.start)
            return Traced(record, self._trace(number, start, lambda _, __: next(actions, None)))
        except LudotecaError as error:
            raise DatasetError(f"{name}: {error}") from None

    def _trace(self, number: int, state: State, choose: "Callable[[State, Findings | None], int | None]") -> Any:
        """Play on until the game is over or nothing is chosen any more; the rows, a record batch."""
        searcher = self._searcher(number)
        values: dict[str, list[Any]] = {column.name: [] for column in self._columns}
        played = 0
        while not state.is_terminal():
            findings = _search(searcher, state, self._plan.search) if searcher else None
            action = choose(state, findings)
            if action is None:
                break
            moment = Moment(number, state, action, findings)
            for column in self._columns:
                if column.value:
                    values[column.name].append(column.value(moment))
            state.apply_action(action)
            played += 1
        if "returns" in values:
            values["returns"] = [state.returns() if state.is_terminal() else None] * played
        arrays = [array_of(column, values[column.name], self._plan.game) for column in self._columns]
        return pa.record_batch(arrays, schema=self._schema)

    def _searcher(self, number: int) -> Searcher | None:
        if not self._plan.search:
            return None
        settings = Settings(exact=0.0, deepen=False)  # actions are sampled by their visits
        return new_searcher(self._plan.game, settings, derived_seed(self._plan.seed, "search", number))

    def _chooser(self, number: int) -> "Callable[[State, Findings | None], int]":
        """How the actions of a game are chosen."""
        plan = self._plan
        if plan.play == "best":
            return lambda _, findings: _known(findings).action
        if plan.play == "visits":
            rng = new_rng(derived_seed(plan.seed, "choice", number))
            return lambda _, findings: _by_visits(_known(findings), lambda n: draw(rng, n))
        agents: Sequence[Agent] = [
            new_agent(plan.play, plan.game, derived_seed(plan.seed, "agent", number, seat))
            for seat in range(plan.game.num_players())
        ]

        def chosen(state: State, findings: Findings | None) -> int:  # noqa: ARG001  # what a chooser is given
            seat = state.current_player()
            return agents[seat].choose(state.information_state(seat)).action

        return chosen


def _search(searcher: Searcher, state: State, simulations: int) -> Findings:
    """Search from what the mover knows, and from nothing that was found before: no past is told, so no tree is kept."""
    known = replace(state.information_state(state.current_player()), seen=())
    return searcher.search(known, Budget(simulations=simulations))


def _known(findings: Findings | None) -> Findings:
    assert findings
    return findings


def _by_visits(findings: Findings, below: Callable[[int], int]) -> int:
    """An action, each as likely as it was visited; but the first of all where what it leads to is certain."""
    if findings.choices[0].solved:
        return findings.action
    ends = list(accumulate(choice.visits for choice in findings.choices))
    return findings.choices[bisect_right(ends, below(ends[-1]))].action
