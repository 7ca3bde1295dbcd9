"""The command line: its output, in separate processes if that matters."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import ludoteca
from ludoteca.cli.commands import command
from ludoteca.core import registry
from tests.processes import run_here

GAMES = ", ".join(registry.names())
VARIANTS = ["14x10-4p", "25x25-2p", "8x8-2p"]
KEYS = ["game", "variant", "mode", "games", "moves", "seconds", "games_per_s", "moves_per_s"]


def run(*arguments: str, timeout: float = 600) -> "subprocess.CompletedProcess[str]":
    program = [sys.executable, "-m", "ludoteca", *arguments]
    return subprocess.run(program, capture_output=True, text=True, check=False, timeout=timeout, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("games",),
        ("console",),
        ("play",),
        ("play", "okupacio"),
        ("analyse",),
        ("warm",),
        ("bench",),
        ("record",),
        ("serve",),
    ],
)
def test_help_is_one_screen(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(command, [*arguments, "--help"], prog_name="ludoteca")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Usage: ludoteca")
    assert len(result.stdout.splitlines()) <= 40


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("games", "chess"), f"ludoteca: no game 'chess': there are {GAMES}\n"),
        (("play", "ocupacio"), f"ludoteca: no game 'ocupacio': there are {GAMES}; did you mean okupacio?\n"),
        (("console", "chess"), f"ludoteca: no game 'chess': there are {GAMES}\n"),
        (("judge", "okupacio"), "ludoteca: program: expected a command after --\n"),
        (("bench", "chess"), f"ludoteca: no game 'chess': there are {GAMES}\n"),
        (("play", "okupacio", "--players", "1"), "ludoteca: players: read '1', expected a whole number from 2 to 10\n"),
        (("warm", "chess"), f"ludoteca: no game 'chess': there are {GAMES}\n"),
        (
            ("play", "okupacio", "--opponent", "9"),
            "ludoteca: agent: read '9', expected random, greedy, a level from 1 to 8 (some games have fewer), or a "
            "budget a turn such as 500x (simulations), 0.5s (seconds) or 0.5cpu (seconds of processor time)\n",
        ),
        (
            ("play", "okupacio", "--opponent", "0s"),
            "ludoteca: budget: read 0.0 seconds, expected more than 0\n",
        ),
    ],
)
def test_a_wrong_value_is_one_line_and_status_2(arguments: tuple[str, ...], says: str) -> None:
    result = run_here(*arguments)
    assert (result.returncode, result.stderr) == (2, says)


def test_without_the_linker_of_webassembly_its_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    result = run_here("web", str(tmp_path / "page"))
    told = "ludoteca: wasm-ld, which links WebAssembly, is not installed: on Debian and Ubuntu, apt install lld\n"
    assert (result.returncode, result.stderr, [*tmp_path.iterdir()]) == (1, told, [])


def test_an_argument_of_a_documents_program_is_refused_in_its_language() -> None:
    result = run_here("console", "okupacio", "guiao1")
    says = "ludoteca: s'ha llegit 'guiao1': aquest programa no pren arguments\n"
    assert (result.returncode, result.stderr) == (1, says)


@pytest.mark.parametrize("words", [f"{name} ok" for name in ("play", "match", "judge", "console", "bench", "games", "warm")])
def test_a_shell_completes_games(words: str) -> None:
    """Completion takes its words from the environment."""
    environment = {"_LUDOTECA_COMPLETE": "bash_complete", "COMP_WORDS": f"ludoteca {words}", "COMP_CWORD": "2"}
    result = CliRunner().invoke(command, [], prog_name="ludoteca", env=environment)
    assert result.stdout == "plain,okupacio\n"


@pytest.mark.parametrize("seed", ["-1", "x", str(1 << 256), "1" * 400])
@pytest.mark.parametrize(
    "words", ["play okupacio", "match okupacio --bot random", "dataset make okupacio", "train okupacio"]
)
def test_a_seed_is_a_number_that_a_generator_takes(words: str, seed: str) -> None:
    result = CliRunner().invoke(command, [*words.split(), "--seed", seed], prog_name="ludoteca")
    assert result.exit_code == 2
    assert "Invalid value for '--seed': read " in result.stderr


def test_a_misspelled_command_has_a_suggestion() -> None:
    result = run_here("gams")
    assert result.returncode == 2
    assert result.stderr.startswith("ludoteca: No such command 'gams'. (Did you mean 'games'?)")


@pytest.mark.parametrize("time", ["nan", "inf", "-inf", "1e999", "0", "5x", "2 h"])
@pytest.mark.parametrize("arguments", [("bench",), ("analyse", __file__)], ids=lambda words: words[0])
def test_no_time_is_a_usage_error(arguments: tuple[str, ...], time: str) -> None:
    result = CliRunner().invoke(command, [*arguments, f"--time={time}"], prog_name="ludoteca")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Error: Invalid value for '--time': read {time!r}, expected a time" in result.stderr


def test_games_lists_parameters_and_ranges() -> None:
    text = run_here("games").stdout
    for part in ("okupacio: Okupació", "players = 2", "a whole number from 2 to 10", "ludoteca console okupacio"):
        assert part in text


@pytest.mark.slow
def test_bench_prints_an_object_a_line() -> None:
    lines = [json.loads(line) for line in run_here("bench", "okupacio", "--time", "0.05", "--json").stdout.splitlines()]
    assert [(line["variant"], line["mode"]) for line in lines] == [
        (variant, mode) for variant in VARIANTS for mode in ("compiled", "interpreted")
    ]
    for line in lines:
        assert list(line) == KEYS
        assert line["seconds"] >= 0.05
        assert line["games_per_s"] == pytest.approx(line["games"] / line["seconds"])
        assert line["moves_per_s"] == pytest.approx(line["moves"] / line["seconds"])


@pytest.mark.slow
def test_warm_says_what_is_ready() -> None:
    lines = run("warm", "okupacio", timeout=600).stdout.splitlines()
    assert lines
    for number, line in enumerate(lines, 1):
        assert line.startswith(f"{number} of {len(lines)}, Okupació: ")
        assert " ready after " in line
    for part in ("rules", "random games", "search for 2 players", "search for 3 to 10 players"):
        assert any(f"Okupació: {part}: ready" in line for line in lines)


@pytest.mark.slow
def test_bench_prints_a_table() -> None:
    head, *rows = run_here("bench", "okupacio", "--time", "0.05").stdout.splitlines()
    assert head.split() == ["game", "variant", "mode", "games", "moves", "seconds", "games/s", "moves/s"]
    assert [row.split()[2] for row in rows] == ["compiled", "interpreted"] * len(VARIANTS)


def test_the_version_is_told() -> None:
    assert run("--version").stdout == f"ludoteca, version {ludoteca.__version__}\n"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("bench --seconds 1", "Did you mean '--time'?"),
        ("analyse game.json --seconds 1", "Did you mean '--time'?"),
        ("judge --compile-seconds 1", "Did you mean '--compile-time'?"),
        ("judge --contest", "Did you mean '--form'?"),
        ("play --seconds 1", "No such option '--seconds'."),
    ],
)
def test_a_renamed_option_says_its_new_name(words: str, hint: str) -> None:
    result = run_here(*words.split())
    assert result.returncode == 2
    assert hint in result.stderr
