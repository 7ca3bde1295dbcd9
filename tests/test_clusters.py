"""The address of a cluster. Tests with Ray itself are in `arena/test_ray.py` and `training/test_ray.py`."""

import socket

import pytest

from ludoteca.core import clusters


def test_an_address_without_a_cluster_is_refused_at_once() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{bound.getsockname()[1]}"
        for each in (address, f"ray://{address}"):
            with pytest.raises(ConnectionRefusedError):
                clusters._check(each)
        bound.listen()
        clusters._check(address)


def test_ray_itself_finds_the_cluster_of_this_machine() -> None:
    clusters._check("auto")
