"""Rows of a batch: states that become rows, copies, rows that are stepped alone, kinds of rewards, and agents."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.core import registry
from ludoteca.core.errors import IllegalActionError
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.envs.batch import Batch
from ludoteca.envs.rewards import rewards_so_far
from ludoteca.envs.seating import makers, play_on, seated
from ludoteca.testing.trial import sample_game
from tests.envs.test_batch import GAMES, SMALL, compare, small, trace

# positions from outside


@pytest.mark.parametrize("name", GAMES)
def test_states_become_rows(name: str) -> None:
    game = sample_game(registry.find(name), Random(5))
    states, rng = [game.new_initial_state(seed) for seed in range(20)], new_rng(1)
    states = [state for state in states if not state.is_terminal()][:4]
    for number, state in enumerate(states):
        for _ in range(number):
            if not state.child(action := state.random_action(rng)).is_terminal():
                state.apply_action(action)
    batch = Batch.from_states(states, seeds=1)
    for i, state in enumerate(states):
        compare(batch, i, state)
    batch.set(2, states[0])
    compare(batch, 2, states[0])


@pytest.mark.parametrize("auto_reset", [True, False])
def test_a_state_that_is_over_ends_at_once(auto_reset: bool) -> None:
    game = ludoteca.load("okupacio", players=2, board="4x4")
    over = game.state_from_string("AAAA/BBAA/BBBA/BBAA - 13 1:0,1:1")
    batch = Batch.from_states([over, game.new_initial_state()], auto_reset=auto_reset)
    assert batch.buffers.terminated.tolist() == [True, False]
    assert batch.buffers.rewards.tolist() == [over.returns(), [0, 0]]
    assert batch.buffers.movers.tolist() == [0 if auto_reset else -4, 0]


def test_copied_rows_play_on_as_their_sources() -> None:
    batch, other = small(4, finals=True), small(6)
    for each in (batch, other):
        each.reset(1)
        trace(each, 2)
    other.copy_rows([3, 0, 3], [0, 1, 5], of=batch)
    batch.copy_rows([0, 1], [1, 2])  # row 1 is a target and a source
    assert batch.position(2) != batch.position(1) == batch.position(0) == other.position(1)
    for _ in range(12):
        seen, copied = batch.step(batch.sample()), other.step(other.sample())
        for source, target in ((3, 0), (0, 1), (1, 1), (3, 5)):
            assert seen.planes[source].tobytes() == copied.planes[target].tobytes()
            assert seen.rewards[source].tolist() == copied.rewards[target].tolist()


@pytest.mark.parametrize("threads", [1, 3])
def test_chosen_rows_are_stepped_alone(threads: int) -> None:
    batch, whole = small(6, threads=threads), small(6)
    for each in (batch, whole):
        each.reset(1)
    numbers = whole.sample()
    before = [array.copy() for array in batch.buffers]
    whole.step(numbers)
    batch.step(numbers[[4, 1]], [4, 1])
    arrays: Any = zip(before, whole.buffers, batch.buffers, strict=True)
    for old, stepped, now in arrays:
        for i in range(len(now)):
            assert np.array_equal(now[i], stepped[i] if i in (1, 4) else old[i])
    with pytest.raises(IllegalActionError, match=r"^game 5: read action number 77"):
        batch.step([0, 77], [0, 5])


# rewards and agents


@pytest.mark.parametrize("rewards", ["zero_sum", "score"])
@pytest.mark.parametrize("name", GAMES)
def test_rewards_of_all_kinds_add_up_to_those_of_states(name: str, rewards: str) -> None:
    game = sample_game(registry.find(name), Random(1 + len(name)))
    batch = Batch(game, 2, rewards=rewards)
    batch.reset(2)
    states = [game.new_initial_state(batch.deal_seed(i)) for i in range(2)]
    for _ in range(25):
        numbers, before = batch.sample(), [rewards_so_far(state, rewards) for state in states]
        paid = batch.step(numbers).rewards
        for i, state in enumerate(states):
            state.apply_action(state.decode_action(int(numbers[i])))
            wanted = np.subtract(rewards_so_far(state, rewards), before[i])
            assert paid[i] == pytest.approx(wanted)
            if state.is_terminal():
                states[i] = game.new_initial_state(batch.deal_seed(i))


@pytest.mark.parametrize("seat", [1, "alternate", "random"])
def test_agents_play_the_other_seats_as_in_single_games(seat: Any) -> None:
    game = ludoteca.load("okupacio", **SMALL)
    batch = Batch(game, 3, seat=seat, opponents=["greedy", "heuristics"], finals=True)
    batch.reset(4)
    twin, ended = batch.copy(), 0

    def begun(i: int) -> tuple[State, Any]:
        state, seat = game.new_initial_state(batch.deal_seed(i)), int(batch.seats[i])
        agents = seated(makers(game, ["greedy", "heuristics"]), game, seat, batch.deal_seed(i))
        play_on(state, agents)
        return state, agents

    games = [begun(i) for i in range(3)]
    for _ in range(12):
        assert batch.buffers.movers.tolist() == batch.seats.tolist()
        numbers = batch.sample()
        seen, again = batch.step(numbers), twin.step(numbers)
        assert [array.tobytes() for array in seen] == [array.tobytes() for array in again]
        for i, (state, agents) in enumerate(games):
            state.apply_action(state.decode_action(int(numbers[i])))
            play_on(state, agents)
            assert seen.terminated[i] == state.is_terminal()
            assert seen.rewards[i].tolist() == np.array(state.returns(), np.float32).tolist()
            if state.is_terminal():
                games[i] = begun(i)
                ended += 1
            else:
                compare(batch, i, state)
    assert ended > 3


def test_a_seat_is_drawn_for_every_deal() -> None:
    batch = small(60, seat="random")
    batch.reset(1)
    assert min(np.bincount(batch.seats, minlength=3)) > 10
    assert batch.buffers.movers.tolist() == batch.seats.tolist()


def test_a_memory_on_disk_is_a_buffer(tmp_path: Path) -> None:
    planes = np.memmap(tmp_path / "planes", np.uint8, "w+", shape=(3, 4, 4, 4))
    seen = small(3, buffers={"planes": planes}).reset(1)
    assert seen.planes is planes
    assert planes[:, 3].all()
