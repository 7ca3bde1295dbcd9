"""Solved games, against a solver that tries all moves, and the files of a killed solver."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from ludoteca.cli.signals import INTERRUPTED
from ludoteca.cli.solving import check
from ludoteca.core.errors import SearchError
from ludoteca.core.game import Game, State, load
from ludoteca.core.symmetries import symmetries
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.play import endgame, solving
from ludoteca.search import alphabeta, proof
from ludoteca.search.proof import Prover, lead_in_words
from ludoteca.search.proven import Proven
from tests.processes import PATIENCE, run_here
from tests.terminals import terminal

BOARDS = ("..##/.###/.###/...#", "..##/..##/.#../.#..", "....#/#..##/#..##/#####")
"""Few open cells, with ends, bends, crossings and parts that do not touch."""
MEMORY = 1 << 20


@cache
def game(board: str, **chosen: int) -> Game:
    return load("okupacio", compiled=True, board=board, **chosen)


def uniform(state: State) -> dict[int, float]:
    return {}


def prover(one: Game, file: Path | None = None, watch: Callable[[], None] = lambda: None) -> Prover:
    return Prover(one, Proven(one, file), lambda _: uniform, MEMORY, watch)


@cache
def looked_at_everything(board: str) -> tuple[int, int, int]:
    return slow(game(board).new_initial_state(0), {})


def slow(state: State, known: dict[bytes, tuple[int, int, int]]) -> tuple[int, int, int]:
    """How far player 0 is ahead at the end when both choose what is best: cells, captures, turns since the last move."""
    content = state.content()
    if content not in known:
        raw = state.raw
        if state.is_terminal():
            mine, other = ((raw.cells[i], raw.captured[i], raw.turn - raw.last[i]) for i in (0, 1))
            known[content] = (int(mine[0] - other[0]), int(mine[1] - other[1]), int(mine[2] - other[2]))
        else:
            best = max if state.current_player() == 0 else min
            known[content] = best(slow(state.child(action), known) for action in state.legal_actions()[:-1])
    return known[content]


def parts(value: int) -> tuple[int, int, int]:
    """An advantage at the end taken apart."""
    cells = (value + endgame.CELL // 2) // endgame.CELL
    captured = (value - cells * endgame.CELL + endgame.CAPTURE // 2) // endgame.CAPTURE
    return cells, captured, value - cells * endgame.CELL - captured * endgame.CAPTURE


@pytest.mark.parametrize("small", [-1, 24])
@pytest.mark.parametrize("board", BOARDS)
def test_small_boards_are_worth_what_looking_at_everything_says(
    board: str, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "SMALL_SIZE", small)
    solved, start = prover(game(board)), game(board).new_initial_state(0)
    cells, captured, idle = looked_at_everything(board)
    solved.settle(winner_only=True)
    assert (solved.bounds[0] > 0) == ((cells, captured, idle) > (0, 0, 0))
    assert solved.bounds[0] > 0 or solved.bounds[1] < 0
    solved.settle()
    assert len(set(solved.bounds)) == 1
    assert parts(solved.bounds[0]) == (cells, captured, (idle > 0) - (idle < 0))
    end = start
    for action in solved.line():
        end = end.child(action)
    assert end.is_terminal()
    assert slow(end, {}) == (cells, captured, idle)


def key(state: State) -> int:
    return int(state.game.bind(alphabeta, None, solving).identify(state.position.array))


def played(board: str, cells: Iterable[int]) -> State:
    """The position after these cells, numbered row by row, are taken in turn."""
    state = game(board).new_initial_state(0)
    for cell in cells:
        row, column = divmod(cell, int(state.raw.columns))
        state.apply_action(rules.ROW * row + column)
    return state


@cache
def group(board: str) -> list[list[int]]:
    """Where each symmetry of the board moves each cell."""
    return [np.argsort(symmetry.actions).tolist() for symmetry in symmetries(load("okupacio", board=board))]


@pytest.mark.parametrize(("board", "order"), [("4x4", 8), ("...../#...#/#...#/.....", 4), ("..#../...../...../.#...", 1)])
def test_positions_that_a_symmetry_makes_of_each_other_have_one_key(board: str, order: int) -> None:
    random, keys = Random(1), set[int]()
    assert len(group(board)) == order
    for _ in range(10):
        state, taken = played(board, []), list[int]()
        while state.raw.n_free >= solving.SHALLOW:
            assert {key(played(board, [way[cell] for cell in taken])) for way in group(board)} == {key(state)}
            keys.add(key(state))
            row, column = divmod(random.choice(state.legal_actions()[:-1]), rules.ROW)
            taken.append(row * int(state.raw.columns) + column)
            state = played(board, taken)
    assert len(keys) > 10


def test_different_positions_have_different_keys() -> None:
    """All openings of two moves: each key belongs to one opening and its symmetric openings."""
    keys = dict[int, set[tuple[int, int]]]()
    for a, b in permutations(range(20), 2):
        images = {(way[a], way[b]) for way in group("4x5")}
        assert keys.setdefault(key(played("4x5", (a, b))), images) == images
    assert sum(map(len, keys.values())) == 20 * 19


PROGRAM = """
import os, signal, sys
from pathlib import Path
from ludoteca.search import proof
from tests.search.test_proof import game, prover

proof.SMALL_SIZE, proof.SLICE_NODES, proof.HARVEST_NODES = int(sys.argv[3]), 256, 1024
left = [int(sys.argv[2])]

def watch():
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)

prover(game("4x4"), Path(sys.argv[1]), watch).settle()
"""


@pytest.mark.parametrize(("small", "looks"), [(8, 400), pytest.param(24, 150, marks=pytest.mark.soak)])
def test_what_a_killed_one_had_proven_is_not_searched_again(
    small: int, looks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both with positions that are searched move by move, and with whole games by alpha-beta."""
    for name, value in (("SMALL_SIZE", small), ("SLICE_NODES", 256), ("HARVEST_NODES", 1024)):
        monkeypatch.setattr(proof, name, value)
    whole = prover(game("4x4"), tmp_path / "whole")
    whole.settle()
    file = tmp_path / "killed"
    ended = subprocess.run([sys.executable, "-c", PROGRAM, str(file), str(looks), str(small)], check=False)
    assert ended.returncode == -signal.SIGKILL
    with file.open("ab") as opened:
        opened.write(b"0123456")  # a line that was broken off
    again = prover(game("4x4"), file)
    assert again.bounds != whole.bounds
    again.settle()
    assert again.bounds == whole.bounds
    assert again.positions < whole.positions
    done = prover(game("4x4"), file)
    assert done.bounds == whole.bounds
    assert len(done.line()) == len(whole.line())


def test_a_damaged_file_and_one_of_another_game_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "proven"
    Proven(game("4x4"), file).add(1, 2, 3)
    Proven(game("4x4"), file).add(1, 2, 3)
    assert file.read_bytes().count(b"\n") == 2
    with pytest.raises(SearchError, match=r"read parameters .* expected .*4 5 20"):
        Proven(game("4x5"), file)
    file.write_bytes(file.read_bytes().replace(b" 1 2 3", b" 1 2 4"))
    with pytest.raises(SearchError, match="line 2 of 2 lines is damaged"):
        Proven(game("4x4"), file)


def test_leads_are_told_in_words() -> None:
    one = game("4x4")
    assert lead_in_words(one, 1) == "the later turn"
    assert lead_in_words(one, 2 * endgame.CELL - 3 * endgame.CAPTURE - 1) == "2 cells and 3 captured fewer"
    assert lead_in_words(one, endgame.CELL + endgame.CAPTURE + 1) == "1 cell and 1 captured more"


def test_the_command_says_who_wins_and_how(tmp_path: Path) -> None:
    arguments = ("solve", "okupacio", "--board", "4x4", "--memory", "8", "--out", str(tmp_path / "kept"))
    found = run_here(*arguments)
    first, line, end, _ = found.stdout.splitlines()
    assert found.returncode == 0, found.stderr
    assert first == "Okupació: with best play player 1 wins, by 2 cells and 1 captured fewer."
    assert line.startswith("Best play: ")
    assert end.endswith(", 9 to 7")
    again = json.loads(run_here(*arguments, "--json").stdout)
    assert (again["complete"], again["winner"], len(set(again["bounds"]))) == (True, 0, 1)
    state = game("4x4").new_initial_state(0)
    for text in again["line"]:
        state.apply_action(state.string_to_action(text))
    assert state.scores() == again["scores"] == [9, 7]


def test_ctrl_c_ends_it_with_what_is_known(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ludoteca", "solve", "okupacio", "--board", "6x6", "--out", str(tmp_path / "kept")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        while not process.stderr.readline().startswith("it is open who wins; "):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == INTERRUPTED
    assert printed.startswith("Okupació: it is open who wins.\n")
    assert errors.endswith(f"ludoteca: interrupted; the same command continues from {tmp_path / 'kept'}\n")


def test_a_game_that_is_too_large_is_begun_with_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    check(load("okupacio", board="5x6"))
    assert not capsys.readouterr().err
    check(load("okupacio", board="5x7"))
    assert capsys.readouterr().err.startswith("ludoteca: this game begins with 35 possible moves. ")


def test_no_search_is_made_for_what_cannot_be_solved() -> None:
    """It would be compiled first, which takes seconds."""
    three = game("4x4", players=3)
    with pytest.raises(SearchError, match="between two sides"):
        Prover(three, Proven(three, None), lambda _: pytest.fail("a search is made"), MEMORY, lambda: None)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("cartas",), "cartas cannot be solved: its players do not see everything"),
        (("okupacio", "--players", "3"), "exact play is for positions between two sides"),
        (("okupacio", "--board", "4x4", "--out", "no/such/folder"), "no/such/folder: No such file or directory"),
    ],
)
def test_what_cannot_be_solved_is_told(arguments: tuple[str, ...], says: str) -> None:
    found = run_here("solve", *arguments)
    assert found.returncode == 2
    assert found.stderr.startswith("ludoteca: ")
    assert found.stderr.count("\n") == 1
    assert says in found.stderr


def test_a_terminal_shows_the_time_left_until_the_rules_are_compiled(tmp_path: Path) -> None:
    with terminal("solve", "okupacio", "--board", "5x5", columns=100, NO_COLOR="1", LUDOTECA_CACHE=str(tmp_path)) as tty:
        tty.wait_for("Compiling the rules of Okupació, only this time")
        tty.wait_for("left 0:00:")
