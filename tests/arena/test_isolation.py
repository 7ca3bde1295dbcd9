"""Programs of an ordinary user without bubblewrap: commands warn of them once, or refuse them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.programs import script
from tests.arena.strangers import STRANGER, as_a_stranger

pytestmark = pytest.mark.slow
USER = STRANGER + 50
"""No other test counts this user's processes."""
HERE = "ludoteca: Programs are not isolated here: they can read and change your files. "
MISSING = f"{HERE}Install bubblewrap (apt-get install bubblewrap)."
CUP = """
game = "okupacio"
deals = 1
parameters.board = "4x4"
entrants = [{ name = "a", command = ["sh", "bot.sh"] }, { name = "b", command = ["sh", "bot.sh"] }]
"""
MATCH = "match okupacio --board 4x4 --deals 2 --bot a={bot} --bot b={bot}"


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder of an ordinary user with a bot, a tournament, and a class of two submissions."""
    folder = Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o755)
        script(folder)
        (folder / "cup.toml").write_text(CUP, encoding="utf-8")
        (folder / "bin").mkdir()
        for name in ("bin/sh", "class/ada", "class/bob"):
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy("/bin/sh", folder / name)
        if os.geteuid() == 0:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, USER, USER)
        yield folder
    finally:
        shutil.rmtree(folder)


def run(place: Path, *words: str, path: str = "") -> "subprocess.CompletedProcess[str]":
    """Run our Python with these words as an ordinary user. The PATH has no bubblewrap, unless it is named."""
    command = ["/usr/bin/env", f"PATH={path or place / 'bin'}", f"HOME={place}", "LC_ALL=C.UTF-8", sys.executable, *words]
    if os.geteuid() == 0:
        command = as_a_stranger(USER, str(place), command)
    done = subprocess.run(command, cwd=place, input="q\n", capture_output=True, text=True)
    if done.stderr.startswith(("unshare: ", "mount: ")):  # before our Python, which only root may read, could start
        pytest.skip(f"root cannot show Python to other users here: {done.stderr.strip()}")
    return done


def ludoteca(place: Path, words: str, path: str = "") -> tuple[int, str]:
    """Run a command. Return its exit status, and the lines of its standard error that are no progress."""
    bot = f"sh {place}/bot.sh"
    filled = [word.format(bot=bot, place=place) for word in words.split()]
    done = run(place, "-m", "ludoteca", *filled, path=path)
    return done.returncode, "".join(re.findall("(?m)^ludoteca: .*\n", done.stderr))


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("judge cartas guiao1 --cases 1 --language en -- sh {place}/bot.sh", 1),
        ("bot check okupacio --set board=4x4 -- sh {place}/bot.sh", 0),
        (MATCH, 0),
        pytest.param("play okupacio --board 4x4 --opponent-bot {bot}", 0, marks=pytest.mark.soak),
        pytest.param("tournament {place}/cup.toml --no-page --not-isolated", 0, marks=pytest.mark.soak),
        pytest.param(
            "judge cartas guiao1 --cases 1 --all {place}/class --csv {place}/class.csv --not-isolated",
            0,
            marks=pytest.mark.soak,
        ),
    ],
)
def test_a_command_warns_once(place: Path, words: str, status: int) -> None:
    assert ludoteca(place, words) == (status, f"{MISSING}\n")


@pytest.mark.parametrize(
    "words",
    [
        "tournament {place}/cup.toml",
        "judge cartas guiao1 --cases 1 --all {place}/class --csv {place}/class.csv",
    ],
)
def test_programs_of_others_are_refused(place: Path, words: str) -> None:
    before = {*place.rglob("*")}
    assert ludoteca(place, words) == (1, f"{MISSING} To run them nevertheless, add --not-isolated.\n")
    assert {path for path in place.rglob("*") if "mount-" not in str(path)} == before


def test_the_warning_has_the_reason_if_bubblewrap_does_not_work(place: Path) -> None:
    bwrap = place / "bin" / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'no namespaces' >&2\nexit 1\n", encoding="utf-8")
    bwrap.chmod(0o755)
    assert ludoteca(place, MATCH) == (0, f"{HERE}bubblewrap is installed, but does not work (no namespaces).\n")


def test_the_warning_is_in_the_language_of_the_command(place: Path) -> None:
    _, said = ludoteca(place, "judge cartas guiao1 --cases 1 --language ca -- sh {place}/bot.sh")
    assert said.startswith("ludoteca: Aquí els programes no estan aïllats")


@pytest.mark.parametrize("words", [MATCH, "tournament {place}/cup.toml --no-page"])
def test_there_is_no_warning_if_bubblewrap_works(place: Path, words: str) -> None:
    asked = "from ludoteca.arena.programs.isolation import no_bubblewrap; print(no_bubblewrap())"
    if reason := run(place, "-c", asked, path=os.environ["PATH"]).stdout.strip():
        pytest.skip(f"bubblewrap does not work for other users here: {reason}")
    assert ludoteca(place, words, os.environ["PATH"]) == (0, "")


WORKERS = {
    "judge": """
from ludoteca.arena.programs.limits import Limits
from ludoteca.judge.classes import Task, judging
from ludoteca.judge.compilers import Compiler
judging(Task("okupacio", "", (), Limits(), Compiler(), "en")).__enter__()
""",
    "arena": """
from ludoteca.arena.matches.players import Entrant
from ludoteca.arena.matches.runner import Setup, playing
from ludoteca.core.game import load
playing(Setup(load("okupacio", board="4x4"), (Entrant(name="a", command=("sh",)),), b"seed", ".")).__enter__()
""",
}
"""The beginning of a process that runs programs of others, which may be on another machine than the command."""


@pytest.mark.parametrize("worker", WORKERS)
def test_a_process_that_runs_programs_refuses_them_too(place: Path, worker: str) -> None:
    assert "BoxError: Programs are not isolated here" in run(place, "-c", WORKERS[worker]).stderr
