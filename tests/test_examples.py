"""`make examples`: a fresh clone, set up as the README says, runs all examples of README and docs."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import ludoteca

pytestmark = pytest.mark.examples

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "features").glob("*.md"))]
"""Pages with examples. `test_console_pages` runs the pages of the consoles, in every run."""
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
"""Pages whose reader types everything, in order. Each is one session."""
BLOCK = re.compile(r"```(sh|console|python)\n(.*?)```", re.DOTALL)
STEP = re.compile(r"(?:Write `([^`]+)`[^\n]*:\n+)?^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
"""A block of a tutorial. A line such as "Write `bots/my.py`:" before it makes it a file, in any language."""
LEARNERS = ("ppo_metro.py", "ray_rollouts.py")
"""Programs of `examples/learning` that print other figures on other machines."""
ELSEWHERE = (
    "make test",
    ".venv/bin/python examples/learning/alphazero.py",
    *(f".venv/bin/python examples/learning/{name}" for name in LEARNERS),
)
"""Commands that run the other tests, or have a separate test. They do not run here."""
READERS_OWN = ("okupacio.c", "-- ./okupacio", "submissions")
"""Parts of commands for the reader's programs. `tests/judge` judges some programs."""
SEVERAL_MACHINES = "ray start --address"
"""The mark of blocks for a cluster. The other nodes of a cluster would wait for the first one here."""
EXTRAS = re.compile(r"pip install 'ludoteca\[([a-z,]+)\]'")
MADE = {'open_dataset("okupacio")': "ludoteca dataset make okupacio --board 4x4 --games 20 --search 50 --out okupacio"}
"""Calls that read data, and commands that make smaller files of the same kind."""
UNFINISHED = "ludoteca play "
"""The beginning of commands with exit status 1: without a person at the terminal, the game does not end."""
END = "-- end of what a command prints --"


class Example(NamedTuple):
    page: Path
    language: str
    text: str


def examples() -> Iterator[object]:
    """All blocks. A block of Python continues the blocks before it on its page."""
    for page in PAGES:
        before = ""
        for number, found in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")), 1):
            if SEVERAL_MACHINES in found[2]:
                continue
            goes_on = found[1] == "python" and "def test_" not in found[2]
            example = Example(page, found[1], before + found[2] if goes_on else found[2])
            before = example.text if goes_on else before
            yield pytest.param(example, id=f"{page.relative_to(ROOT)}-{number}-{example.language}")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clone of the repository after `make play`, with a saved game of ten moves."""
    folder = tmp_path_factory.mktemp("stranger") / "ludoteca"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    done = shell("make play", folder, folder)
    assert done.returncode == 0, done.stderr
    state, rng = ludoteca.load("okupacio", board="4x4").new_initial_state(1), ludoteca.new_rng(39)
    while not state.is_terminal():
        state.apply_action(state.random_action(rng))
    assert len(state.history()) == 10, "as the pages show"
    (folder / "game.json").write_text(state.serialize(), encoding="utf-8")
    return folder


@cache
def install_extras(page: Path, clone: Path) -> None:
    """Install the extras that the page names."""
    for extras in EXTRAS.findall(page.read_text(encoding="utf-8")):
        constraints = clone / "requirements" / "examples.txt"
        done = shell(f"PIP_CONSTRAINT={constraints} python -m pip install --quiet 'ludoteca[{extras}]'", clone, clone)
        assert done.returncode == 0, done.stderr


def shell(command: str, folder: Path, clone: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command with the clone's programs, without the environment of `make`."""
    return run_bash(command, folder, clone / ".venv" / "bin", ("MAKE", "MFLAGS", "PYTEST"))


def run_bash(command: str, folder: Path, programs: Path, dropped: tuple[str, ...]) -> "subprocess.CompletedProcess[str]":
    """Run a command with programs of this folder, without the variables whose names begin with one of `dropped`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    environment = kept | {"PATH": f"{programs}:{os.environ['PATH']}"}
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def run_commands(text: str, clone: Path) -> None:
    for line in text.splitlines():
        command = line.partition("  #")[0].strip()
        theirs = any(name in command for name in READERS_OWN)
        if command and command not in ELSEWHERE and not theirs and not EXTRAS.search(command):
            done = shell(command, clone, clone)
            assert done.returncode == int(command.startswith(UNFINISHED)), f"{command}\n{done.stderr}"
            assert "Traceback" not in done.stderr


class Command(NamedTuple):
    """A command of a session, and the output that the page shows."""

    text: str
    shown: str


def session_of(text: str) -> list[Command]:
    """Return the commands of a `console` block. They are the lines after `$ `."""
    parts = (part.partition("\n") for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:])
    return [Command(command, shown) for command, _, shown in parts]


def run_session(commands: list[Command], clone: Path, folder: Path) -> None:
    """Run commands in one shell. They print the shown output, except for blanks at the ends of lines."""
    script = "".join(f"{{ {command.text}\n}} 2>&1\nprintf '%s' '{END}'\n" for command in commands)
    done = shell(script, folder, clone)
    *printed, rest = done.stdout.split(END)
    for output, (command, shown) in zip(printed, commands, strict=False):
        lines = [line.rstrip() for line in output.splitlines() if not line.endswith(" ...")]  # progress, if it takes long
        assert lines == shown.splitlines() or not shown, command
    assert len(printed) == len(commands), rest + done.stderr


def tutorial(page: Path) -> Iterator[Command]:
    """Yield the commands of a tutorial. A command without output on the page must succeed. The blocks of Python that are not
    files are one program, which runs at the last one.
    """
    steps = STEP.findall(page.read_text(encoding="utf-8"))
    cells = [number for number, (file, language, _) in enumerate(steps) if language == "python" and not file]
    for number, (file, language, text) in enumerate(steps):
        if file:
            yield Command(f"mkdir -p $(dirname {file})\ncat > {file} <<'{END}'\n{text}{END}", "")
        elif language == "console":
            yield from (Command(text if shown else f"set -e\n{text}\nset +e", shown) for text, shown in session_of(text))
        elif language == "sh":
            typed = "".join(line for line in text.splitlines(keepends=True) if not EXTRAS.search(line))
            yield Command(f"set -e\n{typed}set +e", "")
        elif number in cells[-1:]:
            yield Command(f"set -e\npython - <<'{END}'\n{''.join(steps[cell][2] for cell in cells)}{END}\nset +e", "")


def program() -> str:
    """Write the Prolog program that a page shows and then runs."""
    found = re.search(r"```prolog\n(.*?)```", (ROOT / "docs" / "prolog.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


def run_python(text: str, clone: Path, folder: Path) -> None:
    """Run a program, or the tests of a game in a separate package: here the toy game in a package of that name."""
    (folder / "nim_for_ludoteca.py").write_text("from duel import GAME as GAME\n", encoding="utf-8")
    (folder / "test_example.py").write_text(text, encoding="utf-8")
    for command in (command for name, command in MADE.items() if name in text):
        made = shell(command, folder, clone)
        assert made.returncode == 0, made.stderr
    program = [str(clone / ".venv" / "bin" / "python")]
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*(tests if "def test_" in text else program), "test_example.py"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(clone / "tests" / "toys")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


READERS: Final = re.findall(r"^- \*\*You [^`]*`([^`]+)`", PAGES[0].read_text(encoding="utf-8"), re.MULTILINE)
"""The commands of the README, one for each kind of reader."""


@pytest.mark.parametrize("command", [command for command in READERS if not command.startswith("make")])
def test_the_command_for_each_reader_runs_after_make_play_alone(command: str, clone: Path) -> None:
    program = f"#!/bin/sh\nexec {clone}/.venv/bin/ludoteca console okupacio\n"
    files = (clone / "okupacio", clone / "submissions" / "anna")
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text(program, encoding="utf-8")
        file.chmod(0o755)
    serves = " serve " in command
    done = shell(f"timeout --signal=INT 10 {command} --port 0" if serves else command, clone, clone)
    for file in files:
        file.unlink()  # the judge's page makes a folder with one of these names
    expected = [124] if serves else [1] if " play " in command else [0]
    assert done.returncode in expected, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("example", list(examples()))
def test_what_a_page_shows_can_be_done(example: Example, clone: Path, tmp_path: Path) -> None:
    install_extras(example.page, clone)
    (tmp_path / "game.json").write_bytes((clone / "game.json").read_bytes())
    if example.language == "sh":
        run_commands(example.text, clone)
    elif example.language == "console":
        (tmp_path / "example.pl").write_text(program(), encoding="utf-8")
        run_session(session_of(example.text), clone, clone if ".venv/bin" in example.text else tmp_path)
    else:
        run_python(example.text, clone, tmp_path)


@pytest.fixture(scope="module")
def wheel(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    done = shell(f"python -m hatchling build --directory {folder}", clone, clone)
    assert done.returncode == 0, done.stderr
    (source,), (built,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    assert source.stat().st_size < 3_000_000
    return built


def empty_environment(folder: Path, wanted: str) -> Path:
    """Return the programs of a new environment outside the repository, with this package only."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    constraints = ROOT / "requirements" / "examples.txt"
    pip = [str(folder / "bin" / "pip"), "install", "--quiet", "--constraint", str(constraints), wanted]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "bin"


def run_away(programs: Path, folder: Path, command: str, status: int = 0) -> str:
    done = run_bash(command, folder, programs, ("PYTEST", "PYTHON"))
    assert done.returncode == status, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_the_wheel_runs_in_an_empty_environment(wheel: Path, clone: Path, tmp_path: Path) -> None:
    programs = empty_environment(tmp_path / "venv", f"{wheel}[pictures]")
    files = clone / "examples" / "okupacio"
    (tmp_path / "game.json").write_bytes((clone / "game.json").read_bytes())
    assert "CONTROLA LA FILA a" in run_away(programs, files, "ludoteca console okupacio < example.in")
    run_away(programs, tmp_path, "ludoteca play okupacio --board 4x4", status=1)
    run_away(programs, tmp_path, "ludoteca match okupacio --board 4x4 --bot greedy --bot random --deals 2")
    run_away(programs, tmp_path, "ludoteca judge okupacio --cases 3 -- $(command -v ludoteca) console okupacio")
    run_away(programs, tmp_path, "ludoteca bench okupacio --time 0.1")
    run_away(programs, tmp_path, "ludoteca record gif game.json")
    run_away(programs, tmp_path, "timeout --signal=INT 10 ludoteca serve --port 0 --no-open --data games.sqlite", status=124)
    assert (tmp_path / "games.sqlite").exists()


def section(page: str, title: str) -> str:
    """Return the Python code of a section of a page."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text[text.index(title) :].split("\n## ")[0], re.DOTALL)
    return "\n".join(blocks)


ALONE: Final = {
    "pictures": ("ludoteca record gif game.json", 0),
    "dataset": ("ludoteca dataset make okupacio --board 4x4 --games 5 --search 20 --out okupacio", 0),
    "gymnasium": ("python -W error example.py", 0),
    "pettingzoo": ("python example.py", 0),
    "openspiel": ("python example.py", 0),
    "learn": ("python -c 'import torch; import ludoteca.envs.batch'", 0),
    # no server listens at the address, and only the extra can find that out
    "postgres": ("ludoteca serve --no-open --data postgresql://nobody@127.0.0.1:1/games", 1),
    "ray": ("ludoteca tournament cup.toml --out results --ray 127.0.0.1:1", 1),
}
"""A command for each extra, and its exit status."""
CUP: Final = 'game = "okupacio"\nentrants = [{ agent = "random" }, { agent = "greedy" }]\n'


@pytest.mark.parametrize("extra", ALONE)
def test_an_extra_is_enough_for_its_example(extra: str, wheel: Path, clone: Path, tmp_path: Path) -> None:
    programs = empty_environment(tmp_path / "venv", f"{wheel}[{extra}]")
    pages = {
        "gymnasium": section("environments.md", "## Train one seat with Gymnasium"),
        "pettingzoo": section("environments.md", "## Play all seats with PettingZoo"),
        "openspiel": section("openspiel.md", "# OpenSpiel"),
    }
    (tmp_path / "example.py").write_text(pages.get(extra, ""), encoding="utf-8")
    (tmp_path / "cup.toml").write_text(CUP, encoding="utf-8")
    (tmp_path / "game.json").write_bytes((clone / "game.json").read_bytes())
    command, status = ALONE[extra]
    run_away(programs, tmp_path, command, status)


def test_a_search_learns_and_tells_its_speed(clone: Path) -> None:
    """How strong it is after 15 minutes is in the page. Here it runs for a few seconds."""
    install_extras(ROOT / "docs" / "learning.md", clone)
    done = shell(".venv/bin/python examples/learning/alphazero.py --minutes 0.3", clone, clone)
    assert done.returncode == 0, done.stderr
    assert re.search(r"[0-9]+ trained moves a second, .*learning [0-9]+ %, network [0-9]+ %, rules", done.stdout)
    assert re.search(r"won [0-9.]+ of 100 games against greedy", done.stdout)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_network_beats_the_random_player(name: str, clone: Path) -> None:
    """Their intervals do not touch. On a busy machine Ray's processes need longer to start than Ray gives them."""
    install_extras(ROOT / "docs" / "learning.md", clone)
    done = shell(f"RAY_raylet_start_wait_time_s=600 .venv/bin/python examples/learning/{name}", clone, clone)
    assert done.returncode == 0, done.stderr
    figures = re.findall(r"(.*): ([0-9.]+) \+- ([0-9.]+) points", done.stdout)
    (player, chance, above), *_, (learner, score, below) = figures
    assert (player, learner.partition(",")[0]) == ("random player", "network")
    assert float(score) - float(below) > float(chance) + float(above), done.stdout


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_can_be_typed_from_its_first_line_to_its_last(page: Path, clone: Path) -> None:
    """The last test, because tutorials add files and packages to the clone."""
    install_extras(page, clone)
    run_session(list(tutorial(page)), clone, clone)
