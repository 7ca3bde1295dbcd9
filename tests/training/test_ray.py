"""A training on a Ray cluster of two nodes, one of which is killed during the training. It runs if Ray is installed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludoteca.training.checkpoint import FILE, read_checkpoint
from tests.clusters import new_cluster
from tests.processes import PATIENCE, run_here

pytestmark = [pytest.mark.soak, pytest.mark.filterwarnings("default"), pytest.mark.usefixtures("toys")]
GAMES = "40000"
COMMON = ("train", "duel", "--games", GAMES, "--cores", "3", "--seed", "5")


def test_a_node_that_is_killed_changes_nothing(
    toys: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far, here = tmp_path / "far", tmp_path / "here"
    monkeypatch.setenv("PYTHONPATH", toys["PYTHONPATH"])  # nodes find the game by it
    cluster, node = new_cluster()
    try:
        command = [sys.executable, "-m", "ludoteca", *COMMON, "--every", "0.1s", "--out", str(far)]
        process = subprocess.Popen(
            [*command, "--ray", cluster.address], env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + PATIENCE
        while not (far / FILE).exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)  # between two looks
        cluster.remove_node(node, allow_graceful=False)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, errors
    finally:
        cluster.shutdown()
    assert run_here(*COMMON, "--out", str(here)).returncode == 0
    one, two = (read_checkpoint(folder / FILE) for folder in (far, here))
    assert one.about.rounds == two.about.rounds
    assert one.fit.weights.tolist() == two.fit.weights.tolist()


def test_no_cluster(toys: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ludoteca", *COMMON, "--out", str(tmp_path / "far"), "--ray", "127.0.0.1:1"]
    done = subprocess.run(command, env=toys, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 1
    assert "ray: no cluster at 127.0.0.1:1" in done.stderr
