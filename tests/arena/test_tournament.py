"""`ludoteca tournament`: the results, also after interruptions."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from ludoteca.arena.matches.players import Entrant
from ludoteca.arena.matches.runner import ArenaError, Setup, Watch, run
from ludoteca.arena.matches.store import FILE, Store, changes
from ludoteca.arena.matches.tournament import read_tournament
from ludoteca.cli.tournament import begin, command
from tests.arena.programs import script
from tests.arena.tournaments import (
    SMALL,
    Here,
    finish,
    kill,
    outcome,
    start,
    stored,
    undisturbed,
    until_stored,
    workers_of,
)
from tests.terminals import terminal


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(SMALL.format(deals=9))
    return path


def test_a_tournament_that_is_killed_ends_as_if_nobody_had_disturbed_it(file: Path) -> None:
    folder = file.with_suffix("")
    first = start(file, "--resume", "--processes", "2")
    assert until_stored(folder, 3, first)
    os.kill(workers_of(first)[0], signal.SIGKILL)  # its game is played again
    assert until_stored(folder, 6, first)
    kill(first, workers=False)
    status, table, errors = finish(start(file, "--resume", "--no-page"))
    assert status == 0, errors
    assert "greedy" in table
    assert outcome(file, folder) == undisturbed(file)
    results = [f"results.{kind}" for kind in ("csv", "json")]
    assert sorted(path.name for path in folder.iterdir()) == ["lock", *results, FILE]


def test_in_a_terminal_the_table_is_shown_while_it_grows(file: Path) -> None:
    with terminal("tournament", str(file), "--processes", "1", "--no-page") as screen:
        screen.wait_for("points a game")
        screen.wait_for("of 54 games")
        screen.wait_for("Elo")


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
    assert f"interrupted; {len(stored(folder))} games are stored, --resume continues" in errors


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


def test_a_file_that_changed_is_refused_unless_that_is_wanted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CHANGING.format(agent="greedy"))
    before = read_tournament(file)
    with ExitStack() as stack:
        store = Store(tmp_path / "cup", stack)
        assert begin(store, before, resume=True, changed=False) == 1  # there is nothing to go on with
        with pytest.raises(ArenaError, match="holds a tournament already: --resume continues it"):
            begin(store, before, resume=False, changed=True)
        assert begin(store, before, resume=True, changed=False) == 1
        with pytest.raises(
            ArenaError, match="the deals of the file changed\nludoteca: --changed continues with the stored games"
        ):
            begin(store, replace(before, deals=2), resume=True, changed=False)
        assert begin(store, replace(before, deals=2), resume=True, changed=True) == 1
        assert begin(store, replace(before, deals=2), resume=True, changed=False) == 1
    assert capsys.readouterr().err == "ludoteca: the deals of the file changed\n"


def test_a_seed_that_is_drawn_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CHANGING.format(agent="greedy").replace("seed = 1", ""))
    seeds = []
    for folder in ("one", "one", "two"):
        with ExitStack() as stack:
            seeds.append(begin(Store(tmp_path / folder, stack), read_tournament(file), resume=True, changed=False))
    assert seeds[0] == seeds[1] != seeds[2]
    assert seeds[0] > 1 << 200


def play_here(file: Path, *, at_most: int = 1000) -> None:
    """Play some more games of a tournament in this process."""
    tournament = read_tournament(file)
    with ExitStack() as stack:
        store = Store(file.with_suffix(""), stack)
        field = tournament.field(begin(store, tournament, resume=True, changed=False))
        setup = Setup(tournament.new_game(), tournament.entrants, field.seed, str(file.parent), tournament.opening)
        with Here(setup) as pool, suppress(StopIteration):
            run(partial(tournament.new_format().plan, field), store, pool, stop_after(at_most))


def stop_after(number: int) -> Watch:
    """Raises StopIteration after this many games."""
    left = iter(range(number - 1))
    return lambda *_: [next(left)].clear()


def test_what_is_stored_can_be_shown_at_any_time(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CHANGING.format(agent="greedy"))
    nothing = CliRunner().invoke(command, [str(file), "--show"])
    assert isinstance(nothing.exception, ArenaError)
    play_here(file, at_most=1)
    with ExitStack() as stack:
        Store(tmp_path / "cup", stack)  # a runner is at it
        shown = CliRunner().invoke(command, [str(file), "--show"])
        assert (shown.exit_code, "greedy" in shown.output, "place" in shown.output) == (0, True, False)
    play_here(file)
    shown = CliRunner().invoke(command, [str(file), "--show"])
    assert (shown.exit_code, "place" in shown.output) == (0, True)
    assert (tmp_path / "cup" / "results.html").is_file()


@pytest.mark.parametrize(("answer", "status"), [('echo "$first"; first=', 0), ("echo no", 1)])
def test_a_strict_tournament_fails_if_a_bot_had_a_fault(tmp_path: Path, answer: str, status: int) -> None:
    file = tmp_path / "cup.toml"
    bot = f'[[entrants]]\nname = "mine"\ncommand = {json.dumps(script(tmp_path, move=answer))}\n'
    file.write_text(CHANGING.format(agent="greedy") + bot, encoding="utf-8")
    done = CliRunner().invoke(command, [str(file), "--strict", "--processes", "1", "--no-page", "--not-isolated"])
    assert done.exit_code == status, done.output
    assert CliRunner().invoke(command, [str(file), "--show"]).exit_code == 0
    assert CliRunner().invoke(command, [str(file), "--show", "--strict"]).exit_code == status


def entrant(name: str, **other: Any) -> Entrant:
    return Entrant(name=name, **other)


def test_what_counts_as_changed(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("print()")
    command = ("/bin/sh", str(bot))
    file = tmp_path / "cup.toml"
    file.write_text(CHANGING.format(agent="greedy"))
    before = replace(read_tournament(file), entrants=(entrant("a", command=command), entrant("b", agent="random")))
    with ExitStack() as stack:
        store = Store(tmp_path / "cup", stack)
        store.begin(before, 1)
        kept = store.about()
    assert kept
    assert kept[:2] == (before, 1)
    assert changes(before, before, kept[2]) == []
    for now, said in [
        (replace(before, deals=2, options={"x": 1}), ["the options of the file changed", "the deals of the file changed"]),
        (replace(before, entrants=before.entrants[::-1]), ["the order of the entrants changed"]),
        (replace(before, entrants=before.entrants[:1]), ["entrant b was removed"]),
        (replace(before, entrants=(*before.entrants, entrant("c", agent="1"))), ["entrant c was added"]),
        (replace(before, entrants=(before.entrants[0], entrant("b", agent="1"))), ["the settings of entrant b changed"]),
    ]:
        assert changes(now, before, kept[2]) == said
    bot.write_text("print(1)")
    assert changes(before, before, kept[2]) == ["the program of entrant a changed"]


@pytest.mark.soak
def test_several_tournaments_are_played_one_after_the_other(tmp_path: Path) -> None:
    files = [tmp_path / "one.toml", tmp_path / "two.toml"]
    for file, deals in zip(files, (1, 2), strict=True):
        file.write_text(SMALL.format(deals=deals))
    names = [*map(str, files), "--out", str(tmp_path / "cups")]
    result = CliRunner().invoke(command, [*names, "--processes", "1", "--no-page"])
    assert result.exit_code == 0, result.output
    assert [line for line in result.output.splitlines() if line.endswith(".toml:")] == [f"{file}:" for file in files]
    games = [len(stored(tmp_path / "cups" / file.stem)) for file in files]
    assert games[1] == 2 * games[0] > 0
    again = CliRunner().invoke(command, [str(files[0]), str(files[0]), "--out", str(tmp_path / "cups"), "--resume"])
    assert str(again.exception) == f"two tournaments have the same folder {tmp_path / 'cups' / 'one'}: rename a file"


@pytest.mark.parametrize(("old", "new"), [("seed = 1", "seed = 2"), ('board = "4x4"', 'board = "5x5"')])
def test_another_tournament_is_refused(tmp_path: Path, old: str, new: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CHANGING.format(agent="greedy"))
    with ExitStack() as stack:
        Store(tmp_path / "cup", stack).begin(read_tournament(file), 1)
    file.write_text(CHANGING.format(agent="greedy").replace(old, new))
    with (
        ExitStack() as stack,
        pytest.raises(ArenaError, match=r"holds another tournament: the (seed|parameters) changed"),
    ):
        begin(Store(tmp_path / "cup", stack), read_tournament(file), resume=True, changed=True)


def no_large_files(most: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def test_where_no_more_can_be_written_it_stops_with_a_word_and_nothing_stored_is_lost(file: Path) -> None:
    folder = file.with_suffix("")
    play_here(file, at_most=5)
    before = {played.key for played in stored(folder)}
    assert len(before) == 5
    room = sum(path.stat().st_size for path in folder.iterdir()) + 20_000
    words = [sys.executable, "-m", "ludoteca", "tournament", str(file), "--resume", "--processes", "1"]
    result = subprocess.run(
        words, capture_output=True, text=True, check=False, preexec_fn=partial(no_large_files, room), timeout=300
    )
    assert result.returncode == 1
    assert "the stored games are not lost" in result.stderr
    assert "Traceback" not in result.stderr
    assert {played.key for played in stored(folder)} > before
    play_here(file)
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
        assert "the stored games are not lost" in errors
        number = len(stored(disk / "cup"))
        assert number > 5
        subprocess.run(["mount", "-o", "remount,size=20m", str(disk)], check=True)
        assert finish(start(file, "--out", str(disk / "cup"), "--resume"))[0] == 0
        assert outcome(file, disk / "cup") == undisturbed(file)
    finally:
        subprocess.run(["umount", str(disk)], check=True)
