"""A Ray cluster of this machine, where Ray is installed."""

import time
from typing import Any
from unittest.mock import patch

import pytest

from ludoteca.core.extras import install_command
from tests.processes import PATIENCE

cluster_utils: Any = pytest.importorskip("ray.cluster_utils", reason=f"Ray is missing: {install_command('ray')}")
services: Any = pytest.importorskip("ray._private.services")


def new_cluster() -> tuple[Any, Any]:
    """A cluster of two nodes, and the second of them.

    Ray gives up a node that has sent no message for 30 seconds, and has no option for this number. On a busy machine
    that is too few, so what it asks for is waited for here.
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
