"""A Ray cluster of this machine, where Ray is installed."""

from typing import Any, Final

import pytest

cluster_utils: Any = pytest.importorskip("ray.cluster_utils", reason="Ray is not installed: pip install 'ludoteca[ray]'")

TRIES: Final = 5


def new_cluster() -> tuple[Any, Any]:
    """A cluster of two nodes, and the second of them. On a busy machine Ray gives a node up that takes half a minute."""
    for tried in range(1, TRIES + 1):
        cluster = cluster_utils.Cluster()
        try:
            cluster.add_node(num_cpus=1, include_dashboard=False)
            node = cluster.add_node(num_cpus=1)
            cluster.wait_for_nodes()
        except Exception as error:  # Ray has no class of its own for it
            cluster.shutdown()
            if "timed out during startup" not in str(error) or tried == TRIES:
                raise
        else:
            return cluster, node
    raise AssertionError
