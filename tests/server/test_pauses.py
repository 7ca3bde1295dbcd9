"""The time of an agent's answer reveals nothing about hidden cards."""

import asyncio
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import count

import pytest

from ludoteca.agents.agent import new_searcher
from ludoteca.core.game import load
from ludoteca.core.rng import new_rng
from ludoteca.core.seeds import derived_seed
from ludoteca.search.searcher import Budget
from ludoteca.server.jobs import Think
from ludoteca.server.settings import Settings
from ludoteca.server.thinking.pauses import NEAREST, RECENT, Pauses, drawn
from ludoteca.server.thinking.workers import Workers

EACH = 40
"""Answers of each kind that are compared."""
LARGEST = 0.7
"""A machine whose load changes meanwhile has reached 0.6. Without pauses the distance is more than 0.8."""


def questions(agent: str) -> Iterator[tuple[bool, Think]]:
    """The turns of an agent in game after game, and for each whether it has one legal action."""
    game, rng = load("cartas"), new_rng(1)
    for deal in count():
        state = game.new_initial_state(deal)
        while not state.is_terminal():
            player = state.current_player()
            seen, view = tuple(state.seen_actions(player)), state.view(player).tobytes()
            seed = derived_seed(len(seen)).to_bytes(16, "big")
            is_forced = len(state.information_state(player).redeal(rng).candidates()) == 1
            yield is_forced, Think("cartas", game.parameters, player, view, seen, agent, seed)
            state.apply_action(state.random_action(rng))


async def times(agent: str) -> tuple[list[float], list[float]]:
    """The seconds of EACH answers with several choices, and of EACH with one."""
    taken: tuple[list[float], list[float]] = [], []
    workers = Workers(Settings(workers=1))
    try:
        for is_forced, job in questions(agent):
            if len(taken[is_forced]) < EACH:
                began = time.monotonic()
                await workers.think(job)
                taken[is_forced].append(time.monotonic() - began)
            elif len(taken[not is_forced]) == EACH:
                return taken
    finally:
        await workers.close()
    raise AssertionError("questions have no end")


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    """The largest difference of the two cumulative shares (Kolmogorov and Smirnov)."""
    one, other = sorted(one), sorted(other)
    return max(abs(bisect_right(one, at) / len(one) - bisect_right(other, at) / len(other)) for at in (*one, *other))


@pytest.fixture(scope="session")
def compiled_cards() -> None:
    """Compile what agents search with. Their own processes have a low priority, so they would compile for long."""
    new_searcher(load("cartas", compiled=True))


@pytest.mark.usefixtures("compiled_cards")
@pytest.mark.parametrize("agent", [pytest.param("7", marks=pytest.mark.soak), "0.05s"])
def test_one_legal_action_takes_as_long_as_several(agent: str) -> None:
    several, one = asyncio.run(times(agent))
    assert distance(several, one) < LARGEST


def test_an_early_answer_waits_as_long_as_a_recent_one_near_in_the_game() -> None:
    known = deque([(ply, 100.0 * round_ + ply) for round_ in range(3) for ply in range(40)], RECENT)
    assert {drawn(known, 10, 5.0) for _ in range(500)} == {210, 110, 10, 211, 209, 111, 109, 11}
    assert len(known) > NEAREST


def test_the_first_early_answer_waits_as_long_as_its_budget_says() -> None:
    job = Think("cartas", {}, 0, b"", (), "8", b"")
    assert Pauses().after(job, Budget(seconds=2.0), 0.5, is_early=True) == 1.5


def test_a_later_move_of_a_turn_waits_as_later_moves_do() -> None:
    pauses = Pauses()
    first, later = (Think("qinto", {}, 0, b"", (), "8", b"", moves=moves) for moves in (0, 1))
    pauses.after(first, Budget(seconds=2.0), 1.2, is_early=False)
    pauses.after(later, Budget(seconds=2.0), 0.4, is_early=False)
    assert [pauses.after(job, Budget(seconds=2.0), 0.0, is_early=True) for job in (first, later)] == [1.2, 0.4]


def test_an_answer_that_took_as_long_as_usual_does_not_wait() -> None:
    pauses, job = Pauses(), Think("cartas", {}, 0, b"", (), "8", b"")
    assert [pauses.after(job, Budget(seconds=2.0), seconds, is_early=False) for seconds in (0.1, 3.0)] == [0.0, 0.0]
    assert pauses.after(job, Budget(seconds=2.0), 4.0, is_early=True) == 0.0
