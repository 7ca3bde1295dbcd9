"""`ludoteca match`: its output, and its messages before the games."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludoteca.arena.matches.players import Entrant
from ludoteca.cli.arena import warn_of_bots
from ludoteca.cli.match import command
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import load, open_record
from ludoteca.core.record import read_record
from tests.processes import run_here


def test_a_match_ends_with_one_object_and_writes_its_records(tmp_path: Path) -> None:
    words = [
        "okupacio",
        "--board",
        "4x4",
        "--bot",
        "greedy",
        "--bot",
        "dice=random",
        "--deals",
        "6",
        "--seed",
        "1",
        "--json",
    ]
    result = run_here("match", *words, "--out", str(tmp_path / "records"))
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout.splitlines()[-1])
    assert found["games"] == 12
    for row, name in zip(found["bots"], ["greedy", "dice"], strict=True):
        assert list(row) == ["name", "share", "low", "high", "wins", "points", "faults", "seconds"]
        assert row["name"] == name
        assert 0 <= row["low"] <= row["share"] <= row["high"] <= 1
        assert row["seconds"] > 0
    assert sum(row["points"] for row in found["bots"]) == sum(row["wins"] for row in found["bots"]) == 12
    written = {path.name for path in (tmp_path / "records").glob("results.*")}
    assert written == {"results.json", "results.csv", "results.html"}
    files = sorted((tmp_path / "records").glob("0*.json"))
    assert len(files) == 12
    assert all(open_record(read_record(file)).is_terminal() for file in files)

    def without_times(text: str) -> object:
        return [{**row, "seconds": 0} for row in json.loads(text)["bots"]]

    assert without_times(run_here("match", *words, "--processes", "1").stdout) == without_times(result.stdout)


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("greedy", "bot greedy: name: 'greedy' is there twice"),
        ("python3 missing.py", "there is no file 'missing.py' for python3 to run"),
        ("random= ", "read 'random= '"),
        ("a|b=random", "holds no '|'"),
        ("0x", "bot 0x: "),
    ],
)
def test_a_wrong_bot_is_reported_before_anything_runs(bot: str, problem: str) -> None:
    result = run_here("match", "okupacio", "--bot", "greedy", "--bot", bot)
    assert (result.returncode, result.stdout) == (2, "")
    assert problem in result.stderr


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--bot", "random"], "read 1, expected at least 2"),
        (["--bot", "random", "--bot", "greedy", "--limit", "move=-1"], "limit move: read '-1'"),
        (["--bot", "random", "--bot", "greedy", "--limit", "moves=1"], "there is no limit 'moves'"),
        (["--bot", "random", "--bot", ""], "bot: needs a value, such as greedy or ./mine"),
        (["--bot", "random", "--bot", "greedy", "--players", "99"], "players: read '99'"),
    ],
)
def test_options_that_are_wrong(words: list[str], part: str) -> None:
    result = CliRunner().invoke(command, ["okupacio", *words])
    assert isinstance(result.exception, ParameterError)
    assert part in str(result.exception)


@pytest.mark.parametrize("limit", ["move", "move="])
def test_a_limit_has_a_value(limit: str) -> None:
    result = CliRunner().invoke(command, ["okupacio", "--bot", "random", "--bot", "greedy", "--limit", limit])
    assert result.exit_code == 2
    assert f"'--limit': read {limit!r}, expected NAME=VALUE, such as move=0.5s." in result.stderr


def test_a_deal_that_can_be_computed_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    warn_of_bots(load("conclave"), [])
    assert capsys.readouterr().err == ""
    warn_of_bots(load("conclave", deal="document"), [])
    assert "can compute the hidden part of the deal" in capsys.readouterr().err


def test_bots_that_can_read_each_others_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one/a", "one/b", "two/c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    files = {"a": "one/a", "again": "one/a", "b": "one/b", "c": "two/c"}
    entrants = [Entrant(name=name, command=(str(tmp_path / file),)) for name, file in files.items()]
    warn_of_bots(load("okupacio"), entrants)
    expected = f"ludoteca: bots in {tmp_path / 'one'} can read each other's files: a, again, b. "
    assert capsys.readouterr().err.startswith(expected)
    warn_of_bots(load("okupacio"), [Entrant(name=name, command=(str(tmp_path / "one/a"),)) for name in ("a", "again")])
    assert capsys.readouterr().err == ""


BOTS = Path(__file__).parents[2] / "examples" / "bots"


def test_programs_play_and_what_they_do_wrong_is_told(tmp_path: Path) -> None:
    silent = tmp_path / "silent.sh"
    silent.write_text("#!/bin/sh\nread line\necho ludoteca 1\nwhile read -r line; do :; done\n")
    silent.chmod(0o755)
    words = ["--limit", "move=0.2", "--bot", f"first={BOTS}/first.sh", "--bot", f"silent={silent}", "--deals", "1"]
    result = run_here("match", "okupacio", "--board", "4x4", *words)
    assert result.returncode == 0, result.stderr
    assert "silent: faults in 2 games, first time: " in result.stdout
    assert "first: faults" not in result.stdout


def test_a_match_ends_as_soon_as_it_is_known_who_is_stronger() -> None:
    words = ["okupacio", "--board", "4x4", "--bot", "greedy", "--bot", "random", "--deals", "200", "--seed", "1", "--json"]
    found = json.loads(run_here("match", *words, "--sprt", "0:200").stdout)
    assert found["sprt"]["accepted"] == "elo1"
    assert found["games"] == 2 * found["sprt"]["deals"] < 400
    assert found["sprt"]["deals"] % 10 == 0


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--sprt", "0:inf"], "read '0:inf', expected two numbers within 1000, the lower first"),
        (["--sprt", "0:20", "--bot", "greedy"], "sprt: 3 bots play, but the test needs two"),
    ],
)
def test_a_test_that_cannot_be_made(words: list[str], part: str) -> None:
    result = run_here("match", "okupacio", "--bot", "1", "--bot", "random", *words)
    assert result.returncode in (1, 2)
    assert part in result.stderr
