"""The rows of a game: it is played, or replayed from its record."""

from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Any, Final, NamedTuple, TypeAlias

import pyarrow as pa

from ludoteca.agents.agent import budget_of, new_agent, new_searcher
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game, State
from ludoteca.core.levels import needs_compiling
from ludoteca.core.record import Record
from ludoteca.core.rng import draw, new_rng
from ludoteca.core.seeds import derived_seed
from ludoteca.core.workers import Failed, ProcessPool
from ludoteca.envs.dataset.columns import (
    GAME_SCHEMA,
    GAMES,
    POSITIONS,
    Column,
    DatasetError,
    Moment,
    chosen_columns,
    schema_of,
)
from ludoteca.search.findings import Budget, Findings
from ludoteca.search.searcher import Searcher, Settings

BY_SEARCH: Final = ("visits", "best")
"""Values of `play` that use the search of each position. Other values are names of agents."""
QUEUED_GAMES: Final = 2
"""The number of games that a process receives at once, so that it need not wait for the next one."""

Watch: TypeAlias = Callable[[float], None] | None
"""Is called after every game, with the share of the work that is done."""
Choose: TypeAlias = Callable[[State, Findings | None], int | None]


@dataclass(frozen=True)
class Recipe:
    """What to write of each game, and how to play games. Raises LudotecaError for a wrong combination.

    >>> from ludoteca import load
    >>> Recipe(load("okupacio", board="4x4"), seed=1).needs_compiling()
    False
    >>> Recipe(load("okupacio", board="4x4"), seed=1, search=100).needs_compiling()
    True
    """

    game: Game
    """It should be compiled if `needs_compiling` says so."""
    search: int = 0
    """The number of simulations for each position. 0 means no search."""
    play: str = ""
    """How actions are chosen. `visits` draws in proportion to the visits of the search, but plays a solved best action.
    `best` plays the search's best action. Other values name an agent. The default is `visits` with a search, or `random`."""
    seed: int = 0
    columns: tuple[str, ...] | None = None
    """The names of the columns. None means all except those on request."""

    def __post_init__(self) -> None:
        if self.search < 0:
            raise DatasetError(f"search: read {self.search}, expected a number of simulations, 0 for none")
        object.__setattr__(self, "play", self.play or ("visits" if self.search else "random"))
        if self.play in BY_SEARCH:
            if not self.search:
                raise DatasetError(f"play: {self.play} needs a search, and no search was asked for")
        elif (budget := budget_of(self.play, self.game)) and budget.simulations is None:
            raise DatasetError(f"play: {self.play} thinks for a time, so the same seed would not give the same games")
        self.chosen()

    def chosen(self) -> list[Column]:
        """Return the columns to write."""
        return chosen_columns(self.game, self.columns, searched=self.search > 0)

    def needs_compiling(self) -> bool:
        """Return True if interpreted rules are too slow: for a search, and for an agent that searches."""
        return self.search > 0 or needs_compiling(self.play, self.game)

    def prepare(self) -> None:
        """Compile what the rules need, if the game is compiled. Other processes then read it."""
        _ = self.game.steps
        self.searcher(0)
        self.chooser(0)
        if self.game.spec.has("features"):
            self.game.features.mask(self.game.prepared)

    def searcher(self, number: int) -> Searcher | None:
        """Return the search for the positions of a game."""
        if not self.search:
            return None
        settings = Settings(exact=0.0, deepen=False)  # actions are sampled by their visits
        return new_searcher(self.game, settings, derived_seed(self.seed, "search", number))

    def chooser(self, number: int) -> Choose:
        """Return the function that chooses the actions of a game."""
        if self.play not in BY_SEARCH:
            seeds = [derived_seed(self.seed, "agent", number, seat) for seat in range(self.game.num_players())]
            agents = [new_agent(self.play, self.game, seed) for seed in seeds]
            return lambda state, _: agents[seat := state.current_player()].choose(state.information_state(seat)).action
        rng = new_rng(derived_seed(self.seed, "choice", number))

        def by_search(_: State, findings: Findings | None) -> int:
            assert findings
            if self.play == "best" or findings.choices[0].solved:
                return findings.action
            ends = list(accumulate(choice.visits for choice in findings.choices))
            return findings.choices[bisect_right(ends, draw(rng, ends[-1]))].action

        return by_search


class GameJob(NamedTuple):
    """A game to play, or a record to replay."""

    number: int
    name: str = ""
    """The name of the record in error messages."""
    record: Record | None = None


def trace(recipe: Recipe, job: GameJob) -> dict[str, Any]:
    """Play or replay a game, and return its rows in each table, as record batches. The same recipe and job always give the
    same rows.

    Raises DatasetError for a record that breaks the rules.
    """
    game, record = recipe.game, job.record
    if record:
        try:
            actions = iter(game.replay(record).history())
            start = game.state_at(record.start)
            positions = _positions(recipe, job.number, start, lambda _, __: next(actions, None))
        except LudotecaError as error:
            raise DatasetError(f"{job.name}: {error}") from None
    else:
        state = game.new_initial_state(derived_seed(recipe.seed, "deal", job.number))
        positions = _positions(recipe, job.number, state, recipe.chooser(job.number))
        record = state.to_record()
    result = {"returns": record.result.returns, "scores": record.result.scores} if record.result else {}
    row = {"game": job.number, "secret_record": record.to_json(), **result}
    return {POSITIONS: positions, GAMES: pa.RecordBatch.from_pylist([row], GAME_SCHEMA)}


def _positions(recipe: Recipe, number: int, state: State, choose: Choose) -> Any:
    """Play until the game is over or `choose` returns None. Return a row for each position, as a record batch."""
    searcher, columns = recipe.searcher(number), recipe.chosen()
    values: dict[str, list[Any]] = {column.name: [] for column in columns}
    while not state.is_terminal():
        findings = None
        if searcher:  # without the past, so that it keeps no tree of an earlier position
            known = replace(state.information_state(state.current_player()), seen=())
            findings = searcher.search(known, Budget(simulations=recipe.search))
        action = choose(state, findings)
        if action is None:
            break
        moment = Moment(number, state, action, findings)
        for column in columns:
            if column.value:
                values[column.name].append(column.value(moment))
        state.apply_action(action)
    if "returns" in values:
        values["returns"] = [state.returns() if state.is_terminal() else None] * len(values["game"])
    schema = schema_of(columns)
    return pa.record_batch([pa.array(values[of.name], of.type) for of in schema], schema=schema)


def tracing(recipe: Recipe) -> AbstractContextManager[Callable[[GameJob], dict[str, Any]]]:
    """Give a process of the pool the function that makes a game."""
    return nullcontext(partial(trace, recipe))


def traced(recipe: Recipe, jobs: Iterable[GameJob], processes: int) -> Generator[dict[str, Any], None, None]:
    """Yield the games in the order of the jobs. If `processes` is 1, this process makes them.

    Raises DatasetError for the first game that cannot be made.
    """
    if processes == 1:
        yield from map(partial(trace, recipe), jobs)
        return
    with ProcessPool(tracing, recipe, processes, queued=QUEUED_GAMES) as pool:
        for result in pool.map(jobs):
            if isinstance(result, Failed):
                raise DatasetError(result.why)
            yield result
