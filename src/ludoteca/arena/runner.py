"""Playing a plan to its end: what can be played is played, and what has finished is stored before anything else is begun."""

from collections import deque
from collections.abc import Callable, Container, Sequence
from typing import Protocol, TypeAlias

from ludoteca.arena.processes import Executor
from ludoteca.arena.results import Played
from ludoteca.core.formats import Finished, Fixture, Outcome, Place, Plan

Watch: TypeAlias = Callable[[Sequence[Played], int, int], None]
"""Is told of games that have just been stored, how many there are, and how many are known to be played."""


class Keeper(Protocol):
    """What keeps finished games."""

    def outcomes(self) -> dict[str, Outcome]:
        """What is kept, by key."""

    def add(self, games: Sequence[Played]) -> None:
        """Keep these, for good when it returns. Raises ArenaError."""


class Memory:
    """Keeps games until the program ends."""

    def __init__(self) -> None:
        self.games: dict[str, Played] = {}

    def outcomes(self) -> dict[str, Outcome]:
        """What is kept, by key."""
        return {key: outcome_of(played) for key, played in self.games.items()}

    def add(self, games: Sequence[Played]) -> None:
        """Keep these."""
        self.games |= {played.key: played for played in games}


def outcome_of(played: Played) -> Outcome:
    """What a format knows of a game."""
    return Outcome(tuple(seat.points for seat in played.seats), tuple(seat.won for seat in played.seats))


def run(plan: Callable[[Finished], Plan], keeper: Keeper, executor: Executor, watch: Watch) -> Sequence[Place]:
    """Play all games of a plan that are not kept yet. Return the final table. Raises ArenaError."""
    finished, begun = keeper.outcomes(), set[str]()
    known, waiting, done = _planned(plan, finished, begun)
    while known.table is None:
        while waiting and executor.free():
            fixture = waiting.popleft()
            begun.add(fixture.key)
            executor.start(fixture)
        games = executor.wait()
        keeper.add(games)
        finished |= {played.key: outcome_of(played) for played in games}
        done += len(games)
        if games and not waiting:
            known, waiting, done = _planned(plan, finished, begun)
        watch(games, done, len(known.games))
    return known.table


def _planned(
    plan: Callable[[Finished], Plan], finished: Finished, begun: Container[str]
) -> tuple[Plan, deque[Fixture], int]:
    """What there is to play now, those of it that nobody has begun, and how many are finished."""
    known = plan(finished)
    missing = [fixture for fixture in known.games if fixture.key not in finished]
    return known, deque(fixture for fixture in missing if fixture.key not in begun), len(known.games) - len(missing)
