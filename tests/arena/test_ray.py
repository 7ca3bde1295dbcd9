"""A tournament on a Ray cluster of two nodes, one of which is killed during the tournament. It runs if Ray is installed."""

from pathlib import Path

import pytest

from tests.arena.tournaments import SMALL, finish, outcome, start, stored, undisturbed, until_stored
from tests.clusters import new_cluster

pytestmark = [pytest.mark.soak, pytest.mark.filterwarnings("default")]


def test_a_node_that_is_killed_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(SMALL.format(deals=30))
    folder = file.with_suffix("")
    cluster, node = new_cluster()
    try:
        process = start(file, "--ray", cluster.address)
        assert until_stored(folder, 20, process), finish(process)
        cluster.remove_node(node, allow_graceful=False)
        assert until_stored(folder, len(stored(folder)) + 1, process), "it was over before the node was killed"
        status, _, errors = finish(process)
        assert status == 0, errors
    finally:
        cluster.shutdown()
    assert outcome(file, folder) == undisturbed(file)


def test_no_cluster(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(SMALL.format(deals=1))
    status, _, errors = finish(start(file, "--ray", "127.0.0.1:1"))
    assert status == 1
    assert "ray: no cluster at 127.0.0.1:1" in errors
