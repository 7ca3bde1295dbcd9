"""The toy Duel is a template: the commands of docs/adding-a-game.md turn it into a game of this repository, named Nim.

The tutorial writes another Nim, in a package of the reader's. `make examples` runs the commands of the tutorial.
"""

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ludoteca
from ludoteca.core.game import Game
from ludoteca.testing import Effort, check
from ludoteca.testing.playthrough import write
from tests.processes import PATIENCE, without_progress

ROOT = Path(__file__).parent.parent
DUEL = Path(__file__).parent / "toys" / "duel"
PAGE = ROOT / "docs" / "adding-a-game.md"
TUTORIAL = ROOT / "docs" / "tutorials" / "add-a-game.md"
FILE = re.compile(r"^Write `nim/([^`]+)`[^\n]*:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAME = "nim"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the package, after the commands of the page."""
    folder = tmp_path_factory.mktemp("copy")
    package = Path(ludoteca.__file__).parent
    shutil.copytree(package, folder / "src" / "ludoteca")  # with Python's compiled files, which take seconds to make
    shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")  # Ruff reads the nearest one
    shutil.copytree(DUEL, folder / "tests" / "toys" / "duel")
    for command in re.findall(r"^ *((?:cp|sed) .*/games/nim.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        subprocess.run(command, shell=True, cwd=folder, check=True)
    return folder


def run(copy: Path, *arguments: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(copy / "src")},
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def check_tests(copy: Path, *arguments: str, fewest: int) -> None:
    """The tests of this repository pass for the copied game, or are skipped if there is no browser."""
    done = run(copy, "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=", "-rs", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = re.findall(r"(\d+) (?:passed|skipped)", done.stdout.splitlines()[-1])
    assert sum(map(int, counts)) >= fewest, done.stdout


def game(copy: Path) -> Path:
    return copy / "src" / "ludoteca" / "games" / NAME


def test_nothing_in_the_copy_has_the_name_of_the_template(copy: Path) -> None:
    files = [file for file in game(copy).rglob("*") if file.suffix in (".py", ".json", ".svg", ".css", ".txt")]
    assert len(files) > 15
    assert not [file for file in files if "duel" in file.read_text(encoding="utf-8").lower()]


def test_the_copy_is_found_by_its_name(copy: Path) -> None:
    assert f"{NAME}: {NAME.title()}, the higher card takes the trick" in run(copy, "ludoteca", "games").stdout


@pytest.mark.soak
def test_the_copy_keeps_the_rules_of_the_house(copy: Path) -> None:
    check_tests(copy, "tests/test_structure.py", "-k", "not more_code_lines", fewest=20)  # a new game raises that number
    style = run(copy, "ruff", "check", str(game(copy)))
    assert style.returncode == 0, style.stdout


@pytest.mark.soak
def test_the_copy_keeps_every_law(copy: Path) -> None:
    check_tests(copy, "tests/test_laws.py", "-m", "not soak", "-k", f"every_game and {NAME}", fewest=16)


def test_the_copy_is_played_in_the_terminal(copy: Path) -> None:
    cards = "".join(f"{card}\n" for card in range(6))
    played = run(copy, "ludoteca", "play", NAME, "--opponent", "random", "--seed", "1", typed=2 * cards)
    assert (played.returncode, without_progress(played.stderr)) == (0, "")
    assert NAME.title() in played.stdout


@pytest.mark.soak
def test_the_copy_is_played_in_the_browser(copy: Path) -> None:
    check_tests(copy, "tests/browser/test_games.py", "-m", "not soak", "-k", f"mouse_plays and {NAME}", fewest=1)


def test_a_game_of_this_repository_speaks_all_languages(copy: Path) -> None:
    (game(copy) / "messages" / "ro.json").unlink()
    law = run(copy, "pytest", "-p", "no:cacheprovider", "tests/test_laws.py", "-k", f"every_game and {NAME}-scenes")
    assert f"{NAME}: it has no messages in ro" in law.stdout


def test_the_game_of_the_tutorial_keeps_the_laws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILE.findall(TUTORIAL.read_text(encoding="utf-8")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    spec = importlib.import_module("nim_for_ludoteca").GAME
    spec.file("playthrough.txt").write_text(write(Game(spec), 1), encoding="utf-8")
    check(spec, Effort(games=3, compared=20, draws=500))
