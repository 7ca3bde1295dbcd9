"""Tournaments that tests run: their files, the program, and the expected results."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import msgspec

from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.runner import Memory, Setup, playing, run
from ludoteca.arena.matches.store import FILE
from ludoteca.arena.matches.tournament import read_tournament
from ludoteca.core.formats import Fixture, Place
from ludoteca.core.workers import Failed, Pool

PATIENCE = 300.0
SMALL = """
game = "okupacio"
deals = {deals}
seed = 7

[parameters]
board = "4x4"

[[entrants]]
agent = "greedy"

[[entrants]]
name = "dice"
agent = "random"

[[entrants]]
name = "more dice"
agent = "random"
"""


class Here(Pool[Fixture, Played]):
    """Plays games in this process, one at a time."""

    def __init__(self, setup: Setup) -> None:
        self._stack = ExitStack()
        self._play = self._stack.enter_context(playing(setup))

    @property
    def size(self) -> int:
        return 1

    def completed(self, jobs: Iterable[Fixture | None]) -> Iterator[tuple[int, Played | Failed]]:
        for number, fixture in enumerate(jobs):
            assert fixture
            yield number, self._play(fixture)

    def close(self) -> None:
        self._stack.close()


def undisturbed(file: Path) -> tuple[Sequence[Place], list[tuple[str, str]]]:
    """The final table of a tournament, and its games: key and digest."""
    tournament = read_tournament(file)
    assert tournament.seed is not None
    field, kept = tournament.field(tournament.seed), Memory()
    setup = Setup(tournament.new_game(), tournament.entrants, field.seed, str(file.parent), tournament.opening)
    with Here(setup) as pool:
        table = run(partial(tournament.new_format().plan, field), kept, pool)
    return table, contents(kept.games.values())


def outcome(file: Path, folder: Path) -> tuple[Sequence[Place] | None, list[tuple[str, str]]]:
    """The same for the content of a folder."""
    tournament, games = read_tournament(file), stored(folder)
    assert tournament.seed is not None
    kept = Memory()
    for played in games:
        kept.add(played)
    return tournament.new_format().plan(tournament.field(tournament.seed), kept.outcomes()).table, contents(games)


def contents(games: Iterable[Played]) -> list[tuple[str, str]]:
    return sorted((played.key, played.record.digest) for played in games)


def stored(folder: Path) -> list[Played]:
    """The games in a folder, also during writes."""
    if not (folder / FILE).exists():
        return []
    database = sqlite3.connect(folder / FILE, timeout=PATIENCE)
    try:
        made = database.execute("SELECT name FROM sqlite_master WHERE name = 'games'").fetchall()
        found = database.execute("SELECT played FROM games").fetchall() if made else []
    finally:
        database.close()
    return [msgspec.json.decode(text, type=Played) for (text,) in found]


def start(file: Path, *words: str) -> "subprocess.Popen[str]":
    """The program, in the background."""
    command = [sys.executable, "-m", "ludoteca", "tournament", str(file), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Its exit status and its output."""
    out, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, out, errors


def until_stored(folder: Path, number: int, process: "subprocess.Popen[str]") -> bool:
    """Wait until a folder has this many games. Return False if the program ended before."""
    deadline = time.monotonic() + PATIENCE
    while len(stored(folder)) < number:
        if process.poll() is not None:
            return False
        assert time.monotonic() < deadline
        time.sleep(0.01)  # between two looks
    return process.poll() is None


def workers_of(process: "subprocess.Popen[str]") -> list[int]:
    """The numbers of its processes."""
    try:
        return list(map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()))
    except FileNotFoundError:
        return []


def kill(process: "subprocess.Popen[str]", *, workers: bool) -> None:
    """Kill the program, with or without its workers. The workers end in any case."""
    found = workers_of(process)
    process.send_signal(signal.SIGSTOP)  # so that it starts no more of them
    for worker in found if workers else ():
        os.kill(worker, signal.SIGKILL)
    process.kill()
    process.communicate()
    deadline = time.monotonic() + PATIENCE
    while any(is_running(worker) for worker in found):
        assert time.monotonic() < deadline, "a worker outlives its runner"
        time.sleep(0.01)  # between two looks


def is_running(number: int) -> bool:
    """False for a process that has ended, also if its exit status was not read yet."""
    try:
        status = Path(f"/proc/{number}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"
