"""What a page's Python draws, plays and finds is what the server does, byte for byte: both run here, one after the other."""

import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from ludoteca.web.libraries import LINKER
from tests.processes import run_here
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


def lines_of(command: list[str | Path], *arguments: str, typed: str = "") -> list[str]:
    run = subprocess.run([*command, *arguments], input=typed, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.splitlines()


@pytest.mark.parametrize(
    "game",
    [
        pytest.param("okupacio", marks=pytest.mark.slow),
        *(pytest.param(game, marks=pytest.mark.soak) for game in ("conclave", "cartas", "metro", "qinto")),
    ],
)
def test_a_page_draws_plays_and_searches_as_the_server_does(game: str, tmp_path: Path) -> None:
    made = run_here("web", str(tmp_path), game)
    assert made.returncode == 0, made.stderr
    for program, arguments, typed in (("drawing.py", [], "\n".join(positions(game, 100))), ("playing.py", [game], "")):
        page: list[str | Path] = ["node", ROOT / "web/run.mjs", tmp_path, game, HERE / program]
        found = lines_of(page, *arguments, typed=typed)
        assert len(found) >= 100
        assert found == lines_of([sys.executable, HERE / program], *arguments, typed=typed)
