"""The time of a real Level 8 agent's answer reveals nothing about hidden cards."""

import asyncio

import pytest

from tests.server.test_pauses import LARGEST, distance, times


@pytest.mark.soak
def test_one_legal_action_takes_level_8_as_long_as_several() -> None:
    several, one = asyncio.run(times("8"))
    assert distance(several, one) < LARGEST
