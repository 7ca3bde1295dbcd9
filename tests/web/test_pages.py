"""What a page's Python draws, plays and finds is what the server does, byte for byte: both run here, one after the other."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from ludoteca.web.libraries import LINKER
from tests.web.drawing import positions

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
pytestmark = [
    pytest.mark.skipif(not is_there, reason=f"{what} is missing: {remedy}")
    for what, is_there, remedy in (
        ("Node", which("node"), "apt-get install nodejs"),
        ("lld", which(LINKER), "apt-get install lld"),
        ("Pyodide", (ROOT / "web/node_modules/pyodide").exists(), "npm ci --prefix web"),
        ("msgspec for Pyodide", any((ROOT / "web/wheels").glob("*.whl")), "make page"),
    )
]


TOYS = ROOT / "tests" / "toys"


def lines_of(command: list[str | Path], environment: dict[str, str], typed: str = "") -> list[str]:
    run = subprocess.run(command, env=os.environ | environment, input=typed, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.splitlines()


def make(game: str, directory: Path, **environment: str) -> Path:
    """Have `ludoteca web` write a folder for a game. Return the part of it that a page's Python needs."""
    made = subprocess.run(
        [sys.executable, "-m", "ludoteca", "web", directory, game, "--tools", ROOT / "web"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return directory / "python"


def check(program: str, game: str, directory: Path, typed: str = "", **environment: str) -> None:
    """Check that a program prints the same in a page as here."""
    in_page = lines_of(["node", ROOT / "web/run.mjs", directory, game, HERE / program, game], environment, typed)
    assert in_page == lines_of([sys.executable, HERE / program, game], environment, typed)
    assert len(in_page) > 10


@pytest.mark.soak
@pytest.mark.parametrize("game", ["okupacio", "conclave", "cartas", "metro", "qinto"])
def test_a_page_draws_plays_and_searches_as_the_server_does(game: str, tmp_path: Path) -> None:
    python = make(game, tmp_path)
    check("drawing.py", game, python, "\n".join(positions(game, 100)))
    check("playing.py", game, python)


@pytest.mark.slow
def test_a_game_of_another_package_plays_in_a_page_without_a_change(tmp_path: Path) -> None:
    info = tmp_path / "duel-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: duel\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ludoteca.games]\nduel = duel:GAME\n")
    installed = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(TOYS)])}
    python = make("duel", tmp_path / "page", **installed)
    check("playing.py", "duel", python, **installed)
