"""Workers that die: their game is played again, and given up when it has ended three of them."""

from contextlib import closing
from pathlib import Path

import pytest

from ludoteca.arena.errors import ArenaError
from ludoteca.arena.limits import Limits
from ludoteca.arena.player import Entrant
from ludoteca.arena.playing import Setup
from ludoteca.arena.processes import Processes
from ludoteca.core.formats import Fixture
from ludoteca.core.game import load
from tests.arena.tournaments import is_running


def test_a_game_that_ends_three_workers_is_given_up_with_its_name(tmp_path: Path) -> None:
    silent = tmp_path / "silent.sh"
    silent.write_text("#!/bin/sh\nexec sleep 1000\n")
    silent.chmod(0o755)
    entrants = (Entrant(name="silent", command=(str(silent),), limits=Limits(start=1000)), Entrant(name="b", agent="random"))
    executor = Processes(Setup(load("okupacio", board="4x4"), entrants, b"seed", str(tmp_path)), 1)
    with closing(executor):
        executor.start(Fixture("deal 1", ("silent", "b")))
        for _ in range(2):
            assert executor.free() == 0
            executor._workers[0].process.kill()
            assert executor.wait() == []
        (last,) = (worker.process for worker in executor._workers)
        last.kill()
        with pytest.raises(ArenaError, match=r"deal 1: silent \| b was given up: 3 processes .* the last one by signal 9"):
            executor.wait()
    assert not is_running(last.pid)


def test_a_program_that_is_gone_when_it_is_to_play_stops_the_games(tmp_path: Path) -> None:
    entrants = (Entrant(name="a", command=(str(tmp_path / "gone"),)), Entrant(name="b", agent="random"))
    with closing(Processes(Setup(load("okupacio", board="4x4"), entrants, b"seed", str(tmp_path)), 1)) as executor:
        executor.start(Fixture("deal 1", ("a", "b")))
        with pytest.raises(ArenaError, match="cannot be played: a: missing: "):
            executor.wait()
