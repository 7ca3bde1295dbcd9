"""What a page draws and writes is what the server does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ludoteca.web
from tests.web.drawing import PARAMETERS, drawn, positions

STAND_IN = Path(ludoteca.web.__file__).parent
"""The folder with the package for pages that is called numpy."""


@pytest.mark.slow
@pytest.mark.parametrize("game", PARAMETERS)
def test_the_stand_in_for_numpy_draws_and_writes_the_same(game: str) -> None:
    lines = list(positions(game, 100))
    told = subprocess.run(
        [sys.executable, Path(__file__).with_name("drawing.py")],
        input="\n".join(lines),
        env=os.environ | {"PYTHONPATH": str(STAND_IN)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stderr == ""
    assert told.stdout.splitlines() == [drawn(line) for line in lines]
