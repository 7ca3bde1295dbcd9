"""The registry finds games: those of this package in their folders, others by their entry points."""

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import ludoteca
from ludoteca.core import registry
from ludoteca.core.errors import UnknownGameError

TOYS = Path(__file__).parent / "toys"


@pytest.fixture
def outside(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a machine with an installed package of the game Duel."""
    info = tmp_path / "duel-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: duel\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ludoteca.games]\nduel = duel:GAME\n")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(TOYS)])}


def run(environment: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "ludoteca", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_no_module_takes_the_name_of_a_public_function() -> None:
    for spec in registry.registered_games():
        ludoteca.load(spec.name)
    assert not {name for name in ludoteca.__all__ if isinstance(getattr(ludoteca, name), ModuleType)}


@pytest.mark.slow
def test_a_game_from_outside_is_found_by_its_entry_point(outside: dict[str, str]) -> None:
    assert "duel: Duel, the higher card takes the trick" in run(outside, "games").stdout
    figures = run(outside, "bench", "duel", "--json", "--time", "0.05").stdout.splitlines()
    assert ['"mode": "compiled"' in figures[0], '"mode": "interpreted"' in figures[1]] == [True, True]
    assert " duel, " in run(outside, "games", "chess").stderr


def test_an_entry_point_that_is_no_game_is_named(outside: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "duel-1.0.dist-info" / "entry_points.txt").write_text("[ludoteca.games]\nduel = duel.rules:DECK\n")
    result = run(outside, "games")
    assert result.returncode == 1
    assert result.stderr == "ludoteca: the game duel is 8, expected a GameSpec\n"


def test_a_package_that_cannot_be_imported_is_named(outside: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "duel-1.0.dist-info" / "entry_points.txt").write_text("[ludoteca.games]\nduel = duel.nothing:GAME\n")
    told = "ludoteca: the game duel of the package duel cannot be loaded: No module named 'duel.nothing'\n"
    assert [run(outside, *words).stderr for words in (("games",), ("games", "duel"))] == [told, told]
    assert run(outside, "games", "metro").stderr == ""


def test_a_game_found_under_another_name_is_named(outside: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "duel-1.0.dist-info" / "entry_points.txt").write_text("[ludoteca.games]\nnim = duel:GAME\n")
    assert run(outside, "games", "nim").stderr == "ludoteca: the GameSpec of the game nim has the name duel\n"


def test_every_folder_of_games_is_a_game() -> None:
    folders = {path.name for path in (Path(ludoteca.__file__).parent / "games").iterdir() if (path / "__init__.py").exists()}
    assert folders <= set(registry.names())
    assert "okupacio" in folders


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("chess", "no game 'chess': there are .*okupacio"),
        ("okupació", "no game 'okupació': .*did you mean okupacio"),
        ("../core", "no game '../core'"),
    ],
)
def test_an_unknown_game_is_told_what_there_is(name: str, says: str) -> None:
    with pytest.raises(UnknownGameError, match=says):
        ludoteca.load(name)
