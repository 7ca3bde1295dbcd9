"""`ludoteca play --save` and `--resume`: for every end of the program, the file has the game up to the last shown move."""

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca.core.game import State
from ludoteca.core.record import Record, read_record
from tests.processes import PATIENCE, run_here, until_it_waits
from tests.terminals import Terminal, terminal

GAME = ("okupacio", "--board", "4x4", "--opponent", "random", "--seed", "1")
ENDINGS: dict[str, tuple[Callable[[Terminal], None], int]] = {
    "closed window": (Terminal.close, 128 + signal.SIGHUP),
    "SIGKILL": (lambda tty: tty.process.kill(), -signal.SIGKILL),
    "Ctrl-C": (lambda tty: tty.type("\x03"), 130),
}


def played(*actions: str, players: int = 2) -> State:
    state = ludoteca.load("okupacio", board="4x4", players=players).new_initial_state(1)
    for action in actions:
        state.apply_action(state.string_to_action(action))
    return state


def saved(folder: Path, state: State) -> Path:
    file = folder / "game.json"
    file.write_text(state.serialize(), encoding="utf-8")
    return file


def run(*arguments: str, typed: str = "q\n", **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run the program in this process, or in a separate process if there is an environment."""
    if not environment:
        return run_here("play", *arguments, typed=typed)
    return subprocess.run(
        [sys.executable, "-m", "ludoteca", "play", *arguments],
        input=typed, capture_output=True, text=True, check=False, timeout=PATIENCE, env=os.environ | environment,
    )  # fmt: skip


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_game_that_is_cut_off_is_taken_up_again(ending: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    end, status = ENDINGS[ending]
    with terminal("play", *GAME, "--save", str(file)) as tty:
        tty.wait_for("Player 1: ")
        for number, move in enumerate(("aa", "ab"), 1):
            tty.type(f"{move}\n")
            tty.wait_for("Player 2 takes ")
            assert len(read_record(file).actions) == 2 * number, "saved before it is shown"
            tty.wait_for("Player 1: ")
        before = read_record(file).actions
        until_it_waits(tty.process)
        end(tty)
        assert tty.status() == status
    assert read_record(file).actions == before
    assert list(tmp_path.iterdir()) == [file]
    result = run("--resume", str(file), "--opponent", "person", "--seat", "2", typed="ba\nbb\nbc\nq\n")
    assert (result.returncode, result.stderr) == (0, "")
    actions = read_record(file).actions
    assert actions[: len(before)] == before
    assert len(actions) > len(before)


def test_a_game_is_taken_up_with_other_seats_and_played_to_its_end(tmp_path: Path) -> None:
    file = saved(tmp_path, played("ab", "cd", players=3))
    cells = "".join(f"{row}{column}\n" for row in "abcd" for column in "abcd")
    result = run("--resume", str(file), "--opponent", "greedy", "--seat", "2", typed=cells)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.endswith(f"The record is in {file}.\n")
    record = read_record(file)
    assert (record.actions[:2], record.parameters["players"]) == (["ab", "cd"], 3)
    assert ludoteca.open_record(record).is_terminal()
    again = run("--resume", str(file))
    moves = len(record.actions)
    assert (again.returncode, again.stderr) == (2, f"ludoteca: resume: {file}: the game is finished after {moves} moves\n")


def edited(state: State, **fields: Any) -> str:
    import msgspec

    return msgspec.structs.replace(state.to_record(), **fields).sealed().to_json()


DAMAGED: dict[str, tuple[Callable[[State], str], str]] = {
    "cut off": (lambda state: state.serialize()[:100], "the record is cut off"),
    "an illegal move": (lambda state: edited(state, actions=["ab", "ab"]), "action 2 of 2, 'ab': ab already belongs"),
    "newer rules": (lambda state: edited(state, rules=99), "it was written by a newer one"),
    "no game of ours": (lambda state: edited(state, game="chess"), "no game 'chess'"),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_record_that_cannot_be_taken_up_is_one_line(damage: str, tmp_path: Path) -> None:
    spoil, says = DAMAGED[damage]
    file = tmp_path / "game.json"
    file.write_text(spoil(played("ab", "cd")), encoding="utf-8")
    before = file.read_bytes()
    result = run("--resume", str(file))
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert result.stderr.startswith(f"ludoteca: {file}: ")
    assert says in result.stderr
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--resume", "FILE", "okupacio"), "--resume takes the game from its record"),
        (("--opponent", "random", "okupacio"), "Put --opponent after the game."),
        (("--seat", "1"), "Name a game, or a record with --resume."),
        (("--resume", "nowhere.json"), "'nowhere.json' does not exist"),
    ],
)
def test_a_wrong_use_is_a_usage_error(arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    file = saved(tmp_path, played())
    result = run(*(word.replace("FILE", str(file)) for word in arguments))
    assert (result.returncode, result.stdout) == (2, "")
    assert says in result.stderr


def test_a_full_disk_is_told_at_once_and_nothing_that_was_saved_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    with terminal("play", *GAME, "--save", str(file), PYTHONDONTWRITEBYTECODE="1") as tty:
        tty.wait_for("Player 1: ")
        limits = resource.prlimit(tty.pid, resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
        tty.type("aa\n")
        tty.wait_for("Not saved: ")
        tty.wait_for("File too large. It is tried again after the next move.")
        tty.wait_for("Player 2 takes ")
        assert read_record(file).actions == []
        tty.wait_for("Player 1: ")
        resource.prlimit(tty.pid, resource.RLIMIT_FSIZE, limits)
        tty.type("ab\n")
        tty.wait_for("Player 2 takes ")
        assert len(read_record(file).actions) == 4
        tty.wait_for("Player 1: ")
        resource.prlimit(tty.pid, resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
        tty.type("q\n")
        tty.wait_for("The record is in ")
        assert tty.status() == 0
    assert list(tmp_path.iterdir()) == [file]


def test_a_record_that_cannot_be_saved_at_the_end_is_status_1(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    with terminal("play", *GAME, "--save", str(file)) as tty:
        tty.wait_for("Player 1: ")
        resource.prlimit(tty.pid, resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
        tty.type("aa\n")
        tty.wait_for("Not saved: ")
        tty.type("q\n")
        assert tty.status() == 1
    assert isinstance(read_record(file), Record)


def test_a_record_through_a_link_stays_where_it_is_with_its_rights(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    file = saved(tmp_path / "there", played("ab"))
    file.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(file)
    assert run("--resume", str(link), "--opponent", "person", typed="cd\nq\n").returncode == 0
    assert link.is_symlink()
    assert read_record(file).actions == ["ab", "cd"]
    assert file.stat().st_mode & 0o777 == 0o640


def test_suits_that_a_terminal_lacks_are_written_with_letters() -> None:
    state = ludoteca.load("cartas").new_initial_state(3)
    hand = re.findall("(?:10|[A2-9JCQK])[♠♥♦♣]", state.action_to_string(int(state.raw.hands[0])))
    result = run("cartas", "--seed", "3", "--opponent", "random", typed="help\nq\n", PYTHONIOENCODING="latin-1")
    assert (result.returncode, result.stderr) == (0, "")
    words = result.stdout.split()
    assert "(e e, c c, o o, p p);" in " ".join(words)
    assert len(hand) == 14
    assert {card.translate(str.maketrans("♠♥♦♣", "ecop")) for card in hand} <= set(words)
