"""What ships is learned by `ludoteca train`: here a smaller run of it, on a game of this repository."""

from pathlib import Path

import numpy as np

import ludoteca
from ludoteca.core.value import read_value, weights_file
from ludoteca.training.checkpoint import FILE, read_checkpoint
from tests.processes import run_here


def test_okupacio_learns_on_two_boards(tmp_path: Path) -> None:
    out = tmp_path / "okupacio"
    options = ["--players", "2", "--board", "4x4", "--board", "6x6", "--games", "400", "--round", "100", "--seed", "1"]
    done = run_here("train", "okupacio", *options, "--out", str(out))
    assert done.returncode == 0, done.stderr
    curve = read_checkpoint(out / FILE).about.curve
    assert [point.games for point in curve] == [100, 200, 300, 400]
    assert curve[-1].error < 0.95 * curve[0].error
    game = ludoteca.load("okupacio", players=2, board="8x8")
    shipped = weights_file(game)
    assert shipped
    learned = read_value(game.spec.module("value"), out / shipped.name)
    assert learned.weights.shape == read_value(game.spec.module("value"), shipped).weights.shape
    assert np.count_nonzero(learned.weights) > 1000
