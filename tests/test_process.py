"""Every command as a process: its streams are connected with files, pipes and devices, and signals come at any moment."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ludoteca
from ludoteca.core import codecache
from tests.processes import until_it_has_worked, without_progress

PROGRAM = (sys.executable, "-m", "ludoteca")
COMMANDS = {
    "help": "--help",
    "games": "games",
    "console": "console okupacio",
    "play": "play okupacio --board 4x4 --opponent random",
    "record show": "record show RECORD",
    "bench": "bench okupacio --time 0.01",
    "serve": "serve --port 0 --no-open --data DATA",
}
SOME = ("games", "console", "play", "serve")
"""A command of each kind: printing, reading, asking, and a server. Other commands start and end in the same way."""
BOARD = Path(__file__).parent / "golden" / "okupacio" / "tauler4x4.txt"
PATIENCE = 300.0


@pytest.fixture
def words(tmp_path: Path) -> dict[str, str]:
    """Return the values of RECORD and DATA: a game of two moves, and a file for the games of a server."""
    state = ludoteca.load("okupacio", board="4x4").new_initial_state(1)
    for action in ("ab", "cd"):
        state.apply_action(state.string_to_action(action))
    record = tmp_path / "game.json"
    record.write_text(state.serialize(), encoding="utf-8")
    return {"RECORD": str(record), "DATA": str(tmp_path / "games")}


def arguments(command: str, words: dict[str, str]) -> list[str]:
    return [words.get(word, word) for word in COMMANDS[command].split()]


def run(shell: str, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    """Run the program in a shell. `"$@"` is the program with its arguments."""
    command = ["sh", "-c", shell, "sh", *PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE, env=os.environ | environment)


@pytest.mark.parametrize("command", SOME)
def test_a_full_disk_is_one_line(command: str, words: dict[str, str]) -> None:
    result = run('exec "$@" </dev/null >/dev/full', *arguments(command, words))
    assert (result.returncode, result.stdout) == (1, b"")
    errors = without_progress(result.stderr)
    assert errors == "ludoteca: standard output cannot be written: No space left on device\n"


@pytest.mark.parametrize("command", SOME)
def test_a_closed_output_is_one_line(command: str, words: dict[str, str]) -> None:
    result = run('exec "$@" </dev/null >&-', *arguments(command, words))
    assert (result.returncode, result.stderr) == (1, b"ludoteca: standard output is closed\n")


@pytest.mark.parametrize("command", SOME[:3])
def test_a_reader_that_has_enough_is_nothing_to_tell(command: str, words: dict[str, str]) -> None:
    result = run('exec 3>&1; { "$@" </dev/null; echo $? >&3; } | true', *arguments(command, words))
    assert result.stdout in (b"0\n", b"1\n")
    assert b"Traceback" not in result.stderr
    assert b"standard output" not in result.stderr


@pytest.mark.parametrize("command", SOME[:3])
def test_a_closed_input_matters_only_to_what_reads_it(command: str, words: dict[str, str]) -> None:
    result = run('exec "$@" <&-', *arguments(command, words))
    if command in ("console", "play"):
        assert (result.returncode, result.stderr) == (1, b"ludoteca: standard input is closed\n")
    else:
        assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize(("command", "encoding"), [("games", "ascii"), ("play", "latin-1"), ("record show", "ascii")])
def test_what_an_encoding_lacks_is_replaced(command: str, encoding: str, words: dict[str, str]) -> None:
    state = ludoteca.load("cartas").new_initial_state(3)
    state.apply_action(next(action for action in state.legal_actions() if state.action_to_string(action) == "3♠"))
    Path(words["RECORD"]).write_text(state.serialize(), encoding="utf-8")
    result = run('echo help | "$@"', *arguments(command, words), PYTHONIOENCODING=encoding)
    assert b"Traceback" not in result.stderr
    assert {"games": "Okupacio", "play": "Okupació", "record show": ": 3e\n"}[command] in result.stdout.decode(encoding)


def test_a_command_starts_no_threads_for_matrices(words: dict[str, str]) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    command, pipe = [*PROGRAM, *arguments("play", words)], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment) as process:
        assert process.stdout
        assert process.stdout.readline()  # the first line about a game: NumPy is imported
        threads = list(Path(f"/proc/{process.pid}/task").iterdir())
        process.communicate()
    assert len(threads) == 1


# Ctrl-C

SITE = """
import atexit, os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == moment:
            interrupt()

def interrupt():
    global moment
    moment = ""
    os.kill(os.getpid(), signal.SIGINT)

moment = os.environ["TEST_MOMENT"]
if moment == "leaving":
    atexit.register(interrupt)
sys.meta_path.insert(0, Finder())
"""
"""A module that Python runs first. The process sends itself Ctrl-C when it begins to import another module."""


@pytest.fixture
def site(tmp_path: Path) -> str:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(SITE)
    return str(folder)


MOMENTS = {
    "help": ("ludoteca.cli.signals", "typing", "leaving"),
    "games": ("ludoteca.cli.commands", "ludoteca.games.qinto", "leaving"),
    "console": ("numpy._core.multiarray",),
    "play": ("click.core", "rich.console", "ludoteca.games.okupacio.rules", "leaving"),
    "record show": ("msgspec",),
    "bench": ("numba", "llvmlite.binding"),
    "serve": ("uvicorn", "sqlalchemy", "starlette"),
}


@pytest.mark.parametrize(
    ("command", "moment"),
    [
        pytest.param(name, moment, marks=[pytest.mark.soak] if moment != MOMENTS[name][-1] else [])
        for name in MOMENTS
        for moment in MOMENTS[name]
    ],
)
def test_ctrl_c_in_the_first_moments(command: str, moment: str, words: dict[str, str], site: str) -> None:
    environment = {"PYTHONPATH": site, "TEST_MOMENT": moment, "BOARD": str(BOARD)}
    result = run('printf "2\\n$BOARD\\n" | exec "$@"', *arguments(command, words), **environment)
    errors = without_progress(result.stderr)
    assert (result.returncode, errors) == (130, "ludoteca: interrupted\n")


def test_the_end_of_a_file_that_is_no_input_is_not_taken_for_leaving(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(SITE.replace("            interrupt()", "            raise EOFError('odd')"))
    result = run('exec "$@" </dev/null', "games", PYTHONPATH=str(tmp_path), TEST_MOMENT="ludoteca.core.registry")
    assert result.stderr.endswith(b"EOFError: odd\n")
    assert b"Aborted" not in result.stderr


@pytest.mark.parametrize(
    ("shell", "says"),
    [
        ('exec "$@" </dev/null', b"standard input has ended: expected an answer; nothing was done"),
        ('exec "$@" <&-', b"standard input is closed"),
        ('echo n | exec "$@"', b"not confirmed; nothing was done"),
    ],
)
def test_a_question_without_an_answer_ends_in_one_line(shell: str, says: bytes) -> None:
    result = run(shell, "admin", "--control", "missing", "delete", "ROOM", PYTHONIOENCODING="utf-8:strict")
    assert (result.returncode, result.stderr.splitlines()[-1]) == (1, b"ludoteca: " + says)
    assert b"Traceback" not in result.stderr


# requests to end


def wait_until_there(folder: Path, pattern: str) -> None:
    end = time.monotonic() + PATIENCE
    while not list(folder.glob(pattern)):
        assert time.monotonic() < end, f"no {pattern}"
        time.sleep(0.02)  # until the next look at the folder


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_compiling_and_leaves_nothing_half_written(ending: signal.Signals, tmp_path: Path) -> None:
    environment = os.environ | {"LUDOTECA_CACHE": str(tmp_path)}
    command = [*PROGRAM, "bench", "okupacio"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        wait_until_there(tmp_path, "*.lock")
        process.send_signal(ending)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + ending
    assert without_progress(errors) == ("ludoteca: interrupted\n" if ending == signal.SIGINT else "")
    assert [path.suffix for path in tmp_path.iterdir()] == [".lock"]


@pytest.mark.soak
@pytest.mark.parametrize("moment", range(40))
def test_ctrl_c_while_everything_is_compiled_is_one_line_at_any_moment(moment: int, tmp_path: Path) -> None:
    environment = os.environ | {"LUDOTECA_CACHE": str(tmp_path)}
    with subprocess.Popen([*PROGRAM, "warm", "okupacio"], stdout=-1, stderr=-1, env=environment) as process:
        until_it_has_worked(process, 0.2 + 0.3 * moment)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    ended = process.returncode, without_progress(errors)
    assert ended in ((130, "ludoteca: interrupted\n"), (0, ""))
    assert run('exec "$@" </dev/null', "bench", "okupacio", "--time", "0.01", **environment).returncode == 0


@pytest.mark.soak
def test_a_damaged_cache_is_one_line_and_is_made_again(tmp_path: Path) -> None:
    command = "bench okupacio --time 0.01"
    for kept in codecache.root().glob("ludoteca.games.okupacio.rules+ludoteca.core.playouts-*.code"):
        shutil.copy(kept, tmp_path)  # otherwise it would be compiled
    first = run('exec "$@" </dev/null', *command.split(), LUDOTECA_CACHE=str(tmp_path))
    assert (first.returncode, without_progress(first.stderr)) == (0, "")
    for code in tmp_path.glob("*.code"):
        code.write_bytes(b"")
    second = run('exec "$@" </dev/null', *command.split(), LUDOTECA_CACHE=str(tmp_path))
    said = re.fullmatch(
        "ludoteca: the compiled code in (.*) is damaged, and is compiled again\n", without_progress(second.stderr)
    )
    assert second.returncode == 0
    assert said
    assert Path(said[1]).stat().st_size
    third = run('exec "$@" </dev/null', *command.split(), LUDOTECA_CACHE=str(tmp_path))
    assert (third.returncode, without_progress(third.stderr)) == (0, "")


def test_a_signal_that_was_ignored_is_ignored() -> None:
    shell = 'trap "" INT HUP; "$@" & wait_for=$!; read -r line; kill -INT $wait_for; kill -HUP $wait_for; wait $wait_for'
    result = subprocess.run(["sh", "-c", shell, "sh", *PROGRAM, "games"], input=b"\n", capture_output=True, timeout=PATIENCE)
    assert result.returncode == 0


# a user without a home, and a system that forbids machine code

HOMELESS = 'exec unshare --user --map-user=2000 env -u HOME -u LUDOTECA_CACHE -u XDG_CACHE_HOME -u XDG_DATA_HOME "$@"'
"""Runs the program as a user who has no entry in the list of users."""
WITHOUT_MACHINE_CODE = (
    f"exec {sys.executable} -c 'import ctypes, os, sys; PR_SET_MDWE = 65; refused = ctypes.CDLL(None).prctl(PR_SET_MDWE, 1, "
    '0, 0, 0); sys.exit(77) if refused else os.execv(sys.argv[1], sys.argv[1:])\' "$@"'
)
"""Runs the program in a process whose memory cannot become executable, or ends with status 77 on an older kernel."""
UNKEPT = "ludoteca: compiled code cannot be kept in /dev/null/no home folder (Not a directory): every program compiles it "
FORBIDDEN = "ludoteca: compiled rules are needed, but this system forbids machine code (cannot allocate executable memory)"
GAME = "play okupacio --board 4x4 --opponent 4"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shell", "command", "typed", "status", "errors"),
    [
        (HOMELESS, "serve --port 0", "", 1, "ludoteca: there is no home folder in which games could be kept: name a file"),
        (HOMELESS, "warm okupacio", "", 1, UNKEPT),
        (HOMELESS, GAME, "aa\nq\n", 0, ""),
        (WITHOUT_MACHINE_CODE, "warm okupacio", "", 1, FORBIDDEN),
    ],
)
def test_machine_code_that_cannot_be_kept_or_made_is_one_line(
    shell: str, command: str, typed: str, status: int, errors: str, tmp_path: Path
) -> None:
    if subprocess.run(["sh", "-c", shell, "sh", sys.executable, "-c", ""], capture_output=True, check=False).returncode:
        pytest.skip("this system has no users of a namespace, or cannot forbid machine code")
    shell = f"printf '{typed}' | ({shell})"
    result = run(shell, *command.split(), LUDOTECA_CACHE=str(tmp_path))
    assert result.returncode == status
    said = without_progress(result.stderr)
    assert said.startswith(errors)
    assert said.count("\n") == status


@pytest.mark.slow
def test_an_agent_searches_interpreted_rules_where_machine_code_is_forbidden() -> None:
    code = """if True:
        import ludoteca
        from ludoteca.agents.agent import Meanwhile, new_agent
        game = ludoteca.load("okupacio", board="4x4")
        agent = new_agent("50x", game, meanwhile=Meanwhile(seconds=600.0, is_ready=lambda bindings: True))
        for _ in range(2):
            print(agent.choose(game.new_initial_state(1).information_state(0)).findings.simulations)
    """
    command = ["sh", "-c", WITHOUT_MACHINE_CODE, "sh", sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    if result.returncode == 77:
        pytest.skip("this system cannot forbid machine code")
    assert (result.returncode, result.stdout) == (0, "50\n50\n")
    assert result.stderr.count("Agents search interpreted rules, and are weaker") == 1


# wrong values

HEAVY = ("numpy", "numba", "rich", "msgspec", "sqlalchemy", "starlette", "uvicorn")


@pytest.mark.parametrize(
    ("words", "loads"),
    [
        ("play metro --players 11", ""),
        ("play --opponent nosuch metro", ""),
        ("play okupacio --opponent nosuch", ""),
        ("match okupacio --bot=", ""),
        ("match okupacio --bot 1 --players 11", ""),
        ("match okupacio --bot 1 --sprt 20:0", ""),
        ("train okupacio", "msgspec"),
        ("train okupacio --games -1", "msgspec"),
        ("judge okupacio --cases 0 -- true", ""),
        ("judge okupacio --compile x --languages FILE -- true", ""),
        ("analyse nosuch", ""),
        ("tournament --nosuch", ""),
        ("serve --data FILE/games.sqlite", ""),
        ("serve --data FOLDER", ""),
        ("serve --data mysql://here", ""),
        ("serve --metrics here", ""),
        ("serve --port 99999", ""),
    ],
)
def test_a_wrong_value_is_refused_before_large_libraries_are_loaded(words: str, loads: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    typed = words.replace("FILE", str(tmp_path / "file")).replace("FOLDER", str(tmp_path)).split()
    loaded = f"print(*(name for name in {HEAVY} if name in sys.modules))"
    report = f"import sys, ludoteca.cli.commands as cli\ntry: cli.run()\nfinally: {loaded}"
    result = subprocess.run([sys.executable, "-c", report, *typed], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, f"{loads}\n")
    assert "Traceback" not in result.stderr
