"""Processes that die: their game is played again, and given up after three of them."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from ludoteca.arena.matches.players import Entrant
from ludoteca.arena.matches.runner import ArenaError, Memory, Setup, playing, run
from ludoteca.arena.programs.limits import Limits
from ludoteca.core.formats import Finished, Fixture, Schedule
from ludoteca.core.game import load
from ludoteca.core.workers import TRIES_PER_JOB, ProcessPool
from tests.arena.tournaments import PATIENCE, is_running
from tests.processes import workers_of_this_process


def one_game(finished: Finished) -> Schedule:  # the signature of a plan
    return Schedule([Fixture("deal 1", ("a", "b"))], None)


def test_a_game_that_ends_three_workers_is_given_up_with_its_name(tmp_path: Path) -> None:
    silent = tmp_path / "silent.sh"
    silent.write_text(f"#!/bin/sh\necho >> {tmp_path}/started\nexec sleep 1000\n")
    silent.chmod(0o755)
    entrants = (Entrant(name="a", command=(str(silent),), limits=Limits(start=1000)), Entrant(name="b", agent="random"))
    killed = list[int]()

    def kill() -> None:
        while len(killed) < TRIES_PER_JOB:
            for number in set(workers_of_this_process()) - set(killed):
                killed.append(number)
                os.kill(number, signal.SIGKILL)
            time.sleep(0.01)  # between two looks

    thread = threading.Thread(target=kill)
    with ProcessPool(playing, Setup(load("okupacio", board="4x4"), entrants, b"seed", str(tmp_path)), 1) as pool:
        thread.start()
        with pytest.raises(ArenaError, match=r"deal 1: a \| b cannot be played: 3 processes .* the last one by signal 9"):
            run(one_game, Memory(), pool)
    thread.join(PATIENCE)
    assert not any(is_running(number) for number in killed)


def test_a_program_that_is_gone_when_it_is_to_play_stops_the_games(tmp_path: Path) -> None:
    entrants = (Entrant(name="a", command=(str(tmp_path / "gone"),)), Entrant(name="b", agent="random"))
    setup = Setup(load("okupacio", board="4x4"), entrants, b"seed", str(tmp_path), not_isolated=True)
    with ProcessPool(playing, setup, 1) as pool, pytest.raises(ArenaError, match="cannot be played: a: missing: "):
        run(one_game, Memory(), pool)
