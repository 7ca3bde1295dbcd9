"""Fixtures of long runs. They print the seed, so that a failure can be repeated."""

import logging
import os
import secrets
import sys
from collections.abc import Iterator
from random import Random

import pytest

SEED = "LUDOTECA_SOAK_SEED"


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> Random:
    """Quick runs have a fixed seed. A soak has a new seed, unless the environment names one."""
    is_long = request.node.get_closest_marker("soak") is not None
    seed = int(os.environ.get(SEED) or (secrets.randbits(32) if is_long else 0))
    sys.stdout.write(f"{SEED}={seed}\n")
    return Random(seed)


@pytest.fixture(autouse=True)
def nothing_is_logged_as_an_error(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A refusal is no error of the server, and an error is in its log."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.ERROR] == []
