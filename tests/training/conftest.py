"""A machine on which the toy games are installed, for programs and for this process."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GAMES = {"duel": ROOT / "tests" / "toys" / "duel", "kuhn": ROOT / "examples" / "kuhn" / "kuhn"}


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of programs that find the games, which lie in `tmp_path`, where weights can be installed."""
    folder = tmp_path / "toys"
    for name, place in GAMES.items():
        shutil.copytree(place, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for game, other in (("kuhn", "plain"), ("duel", "joust")):  # the same games without a value; `joust` has options
        shutil.copytree(folder / game, folder / other)
        for file in (folder / other).glob("*.py"):
            file.write_text(file.read_text(encoding="utf-8").replace(game, other), encoding="utf-8")
        (folder / other / "value.py").unlink()
    info = folder / "toys-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    names = "".join(f"{name} = {name}:GAME\n" for name in ("duel", "kuhn", "plain", "joust"))
    (info / "entry_points.txt").write_text(f"[ludoteca.games]\n{names}")
    monkeypatch.syspath_prepend(str(folder))
    return os.environ | {"PYTHONPATH": str(folder)}
