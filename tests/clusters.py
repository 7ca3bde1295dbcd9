"""A Ray cluster on this machine, if Ray is installed."""

import time
from typing import Any
from unittest.mock import patch

import pytest

from ludoteca.core.extras import install_command
from tests.processes import PATIENCE

cluster_utils: Any = pytest.importorskip("ray.cluster_utils", reason=f"Ray is missing: {install_command('ray')}")
services: Any = pytest.importorskip("ray._private.services")


def new_cluster() -> tuple[Any, Any]:
    """Return a cluster of two nodes, and the second node.

    If a node sends no message for 30 seconds, Ray gives it up. There is no option for this time, which is too short on a
    busy machine, so this function waits for the node itself.
    """
    ask = services.get_node

    def wait(*arguments: Any) -> Any:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return ask(*arguments)
            except RuntimeError:  # not yet there
                if time.monotonic() > deadline:
                    raise

    cluster = cluster_utils.Cluster()
    try:
        with patch.object(services, "get_node", wait):
            cluster.add_node(num_cpus=1, include_dashboard=False, wait=False)
            node = cluster.add_node(num_cpus=1, wait=False)
        cluster.wait_for_nodes(PATIENCE)
    except BaseException:
        cluster.shutdown()
        raise
    return cluster, node
