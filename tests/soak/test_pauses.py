"""The time of a real highest level agent's answer reveals nothing about hidden cards."""

import asyncio

import pytest

from tests.server.test_pauses import LARGEST, distance, times


@pytest.mark.soak
def test_one_legal_action_takes_the_highest_level_as_long_as_several() -> None:
    several, one = asyncio.run(times("7"))
    assert distance(several, one) < LARGEST
