"""`ludoteca analyse` from the command line: its output, in separate processes if that matters."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ludoteca
from tests.processes import run_here

LEGAL = ["ab", "bc", "db", "cc", "bd", "cd"]


def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
    return run_here("analyse", *map(str, arguments))


def run_there(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "ludoteca", "analyse", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A game that was left after six moves."""
    return written(tmp_path, "4x4")


def written(folder: Path, board: str) -> Path:
    state = ludoteca.load("okupacio", board=board).new_initial_state(1)
    for text in LEGAL:
        state.apply_action(state.string_to_action(text))
    file = folder / "game.json"
    file.write_text(state.serialize(), encoding="utf-8")
    return file


def test_the_text_has_a_row_a_move_and_the_costly_ones(record: Path) -> None:
    result = run(record, "--simulations", 60)
    head, names, *rows = result.stdout.splitlines()
    assert result.returncode == 0, result.stderr
    assert head == "Okupació: what each player might expect after every move"
    assert names.split() == ["#", "player", "move", "player", "1", "player", "2", "cost", "sure"]
    assert [row.split()[:4] for row in rows[:6]] == [
        [str(number), "player", "12"[(number - 1) % 2], text] for number, text in enumerate(LEGAL, 1)
    ]
    assert all(" %" in row for row in rows[:6])


def test_the_same_seed_gives_the_same_object(record: Path) -> None:
    one, same = (run_in(record, "--simulations", 60, "--json").stdout for run_in in (run, run_there))
    assert one == same
    found = json.loads(one)
    assert list(found) == ["game", "parameters", "budget", "utility", "players", "complete", "moves", "costly", "unsure"]
    assert [move["action"] for move in found["moves"]] == LEGAL
    assert found["complete"] is True
    assert found["budget"] == {"simulations": 60, "seconds": None, "cpu": None}
    for move in found["moves"]:
        assert sum(move["values"]) == pytest.approx(1)
        assert move["number"] not in found["costly"] or move["better"]
        assert move["interval"][0] <= move["cost"] <= move["interval"][1]
        assert not move["certain"] or move["interval"] == [move["cost"]] * 2


def test_the_graph_is_written(record: Path) -> None:
    graph = record.with_name("graph.svg")
    assert run(record, "--simulations", 50, "--graph", graph).returncode == 0
    assert len(ElementTree.parse(graph).getroot().findall("{http://www.w3.org/2000/svg}polyline")) == 2
    assert "Okupació: what each player might expect after every move" in graph.read_text(encoding="utf-8")
    assert "100 %" in graph.read_text(encoding="utf-8")


def test_ctrl_c_ends_with_what_there_is(tmp_path: Path) -> None:
    record, graph = written(tmp_path, "12x12"), tmp_path / "graph.svg"
    command = [sys.executable, "-m", "ludoteca", "analyse", str(record), "--time", "3", "--json", "--graph", str(graph)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        assert any("Analysing ..." in line for line in process.stderr)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
    found = json.loads(out)
    assert process.returncode == 130
    assert found["complete"] is False
    assert len(found["moves"]) < len(LEGAL)
    assert err == f"ludoteca: interrupted after {len(found['moves'])} of 6 moves\n"
    assert graph.exists()


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("{", encoding="utf-8")
    assert run(file).stderr.startswith(f"ludoteca: {file}: the record is cut off")


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("--graph", "g.png"), 2, "ludoteca: graph: read g.png, expected a name that ends in .svg\n"),
        (("--graph", "/nowhere/g.svg"), 2, "ludoteca: graph: /nowhere/g.svg cannot be written\n"),
        (
            ("--simulations", "0"),
            2,
            "ludoteca: '--simulations': 0 is not in the range x>=1. Try 'ludoteca analyse --help' for help.\n",
        ),
        (
            ("--time", "0"),
            2,
            "ludoteca: '--time': read '0', expected a time above 0. Try 'ludoteca analyse --help' for help.\n",
        ),
    ],
)
def test_what_cannot_be_is_refused(record: Path, arguments: tuple[str, ...], status: int, says: str) -> None:
    result = run(record, *arguments)
    assert result.returncode == status
    assert result.stderr.endswith(says)
