"""Games as tasks of a Ray cluster: a game whose process or node dies is played again elsewhere; the driver alone stores."""

import os
import pickle
from pathlib import Path
from typing import Any, Final

import msgspec

from ludoteca.arena.errors import ArenaError
from ludoteca.arena.playing import Done, Failed, Playing, Setup, answer
from ludoteca.arena.processes import TRIES
from ludoteca.arena.results import Played
from ludoteca.core.clusters import join
from ludoteca.core.formats import Fixture

AHEAD: Final = 2
"""Tasks for each of the cluster's processors: one that plays, and one that waits."""

_playing: Final[dict[bytes, Playing]] = {}
"""What this process of a cluster has in its hands, by its setup."""


class RayTasks:
    """A cluster that is running. Ludoteca and the bots' programs lie in the same places on all its nodes."""

    def __init__(self, setup: Setup, address: str) -> None:
        """Raises ClusterError where there is no Ray, or no cluster at that address."""
        self._ray: Any = join(address)
        self._setup = pickle.dumps(setup)
        self._task = self._ray.remote(num_cpus=1, max_retries=TRIES - 1)(play_on_node)
        self._games: dict[Any, Fixture] = {}

    def free(self) -> int:
        """How many more games the cluster may be given."""
        return int(max(1, self._ray.cluster_resources().get("CPU", 1))) * AHEAD - len(self._games)

    def start(self, fixture: Fixture) -> None:
        """Have the cluster play a game."""
        self._games[self._task.remote(self._setup, fixture)] = fixture

    def wait(self) -> list[Played]:
        """Wait for a game; give all that have finished. Raises ArenaError."""
        self._ray.wait(list(self._games), num_returns=1)
        ready, _ = self._ray.wait(list(self._games), num_returns=len(self._games), timeout=0)
        return [self._finish(task, self._games.pop(task)) for task in ready]

    def _finish(self, task: Any, fixture: Fixture) -> Played:
        try:
            found: Done | Failed = self._ray.get(task)
        except self._ray.exceptions.RayError as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise ArenaError(f"the game {fixture.key} was given up after {TRIES} tries: {reason}") from None
        if isinstance(found, Failed):
            raise ArenaError(f"the game {fixture.key} cannot be played: {found.why}")
        return msgspec.json.decode(found.played, type=Played)

    def close(self) -> None:
        """Leave the cluster; it forgets what it was playing."""
        self._ray.shutdown()


def play_on_node(setup: bytes, fixture: Fixture) -> Done | Failed:
    """A task: one game, with the players of the games before."""
    if setup not in _playing:
        for playing in _playing.values():  # of another tournament
            playing.close()
        _playing.clear()
        read: Setup = pickle.loads(setup)  # noqa: S301  # Ray's own wire, as all that its tasks are given
        if Path(read.folder).is_dir():
            os.chdir(read.folder)
        _playing[setup] = Playing(read)
    return answer(_playing[setup], fixture)
