"""`ludoteca tournament`: what comes out, whatever happens in between."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random

import pytest

from ludoteca.arena.store import FILE
from tests.arena.tournaments import (
    SMALL,
    finish,
    kill,
    outcome,
    start,
    stored,
    undisturbed,
    until_stored,
    workers_of,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(SMALL.format(deals=12))
    return path


def test_a_tournament_that_is_killed_again_and_again_ends_as_if_nobody_had_disturbed_it(file: Path) -> None:
    folder = file.with_suffix("")
    first = start(file, "--resume", "--processes", "2")
    assert until_stored(folder, 3, first)
    os.kill(workers_of(first)[0], signal.SIGKILL)  # its game is played again
    assert until_stored(folder, 12, first)
    kill(first, workers=True)
    second = start(file, "--resume", "--processes", "2")
    assert until_stored(folder, len(stored(folder)) + 6, second)
    kill(second, workers=False)
    third = start(file, "--resume", "--processes", "2")
    assert until_stored(folder, len(stored(folder)) + 1, third)
    kill(third, workers=True)
    status, table, errors = finish(start(file, "--resume"))
    assert status == 0, errors
    assert "greedy" in table
    assert outcome(file, folder) == undisturbed(file)
    results = [f"results.{kind}" for kind in ("csv", "html", "json")]
    assert sorted(path.name for path in folder.iterdir()) == ["lock", *results, FILE]


@pytest.mark.soak
def test_thirty_kills(tmp_path: Path) -> None:
    file, random = tmp_path / "cup.toml", Random(1)
    file.write_text(SMALL.format(deals=40))
    folder, kills = file.with_suffix(""), 0
    while kills < 30:
        process = start(file, "--resume", "--processes", str(random.choice((1, 2, 3))))
        wanted = len(stored(folder)) + random.choice((0, 1, 1, 2, 5))
        assert until_stored(folder, wanted, process), finish(process)
        if random.random() < 0.3 and (workers := workers_of(process)):
            os.kill(random.choice(workers), signal.SIGKILL)
            kills += 1
        kill(process, workers=random.random() < 0.5)
        kills += 1
    status, _, errors = finish(start(file, "--resume"))
    assert status == 0, errors
    assert outcome(file, folder) == undisturbed(file)


def test_ctrl_c_and_a_second_runner(file: Path) -> None:
    folder = file.with_suffix("")
    process = start(file)
    assert until_stored(folder, 2, process)
    process.send_signal(signal.SIGSTOP)  # it is in the midst of it, for as long as the other one looks
    status, _, errors = finish(start(file, "--resume"))
    assert (status, errors) == (1, f"ludoteca: {folder}: another runner plays this tournament\n")
    process.send_signal(signal.SIGCONT)
    process.send_signal(signal.SIGINT)
    status, out, errors = finish(process)
    assert (status, out) == (130, "")
    assert f"interrupted; {len(stored(folder))} games are stored, --resume goes on" in errors
    status, _, errors = finish(start(file))
    assert status == 1
    assert "holds a tournament already: --resume goes on with it" in errors


CHANGING = """
game = "okupacio"
deals = 1
seed = 1
[parameters]
board = "4x4"
[[entrants]]
agent = "random"
[[entrants]]
agent = "{agent}"
"""


def test_a_file_that_changed_is_refused_unless_that_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CHANGING.format(agent="greedy"))
    assert finish(start(file, "--processes", "1"))[0] == 0
    file.write_text(CHANGING.format(agent="greedy").replace("deals = 1", "deals = 2"))
    status, _, errors = finish(start(file, "--resume"))
    assert status == 1
    assert errors.splitlines()[0] == "ludoteca: the deals of the file changed"
    assert "--changed goes on all the same" in errors
    status, _, errors = finish(start(file, "--resume", "--changed", "--processes", "1"))
    assert status == 0, errors
    assert len(stored(file.with_suffix(""))) == 4
    file.write_text(CHANGING.format(agent="greedy").replace("seed = 1", "seed = 2"))
    status, _, errors = finish(start(file, "--resume", "--changed"))
    assert (status, "holds another tournament: the seed changed" in errors) == (1, True)


def no_large_files(most: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def test_where_no_more_can_be_written_it_stops_with_a_word_and_nothing_stored_is_lost(file: Path) -> None:
    folder = file.with_suffix("")
    process = start(file, "--processes", "1")
    assert until_stored(folder, 5, process)
    kill(process, workers=True)
    before = {played.key for played in stored(folder)}
    room = sum(path.stat().st_size for path in folder.iterdir()) + 20_000
    command = [sys.executable, "-m", "ludoteca", "tournament", str(file), "--resume", "--processes", "1"]
    result = subprocess.run(
        command, capture_output=True, text=True, check=False, preexec_fn=partial(no_large_files, room), timeout=300
    )
    assert result.returncode == 1
    assert "what was stored before is not lost" in result.stderr
    assert "Traceback" not in result.stderr
    assert {played.key for played in stored(folder)} >= before
    assert finish(start(file, "--resume"))[0] == 0
    assert outcome(file, folder) == undisturbed(file)


@pytest.mark.soak
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("mount"), reason="only root can mount a small disk")
def test_a_full_disk(file: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(disk)], check=False)
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        file.write_text(SMALL.format(deals=100))
        status, _, errors = finish(start(file, "--out", str(disk / "cup")))
        assert status == 1
        assert "what was stored before is not lost" in errors
        number = len(stored(disk / "cup"))
        assert number > 5
        subprocess.run(["mount", "-o", "remount,size=20m", str(disk)], check=True)
        assert finish(start(file, "--out", str(disk / "cup"), "--resume"))[0] == 0
        assert outcome(file, disk / "cup") == undisturbed(file)
    finally:
        subprocess.run(["umount", str(disk)], check=True)
