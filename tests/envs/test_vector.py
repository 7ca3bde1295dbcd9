"""Batches as Gymnasium's vector environments, with Gymnasium's own wrappers around them."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import ludoteca
from ludoteca.core.errors import ArrayError, IllegalActionError, LudotecaError, ParameterError
from ludoteca.envs.vector import GameVectorEnv

SMALL: dict[str, Any] = {"players": 3, "board": "4x4"}


def small(num_envs: int = 6, **settings: Any) -> GameVectorEnv:
    return GameVectorEnv(ludoteca.load("okupacio", **SMALL), num_envs, **settings)


@pytest.mark.parametrize(("observation", "copy"), [("row", True), ("masked", False), ("planes", False)])
def test_what_is_returned_lies_in_its_space(observation: Any, copy: bool) -> None:
    envs = small(observation=observation, copy=copy, seat="alternate")
    envs.action_space.seed(1)
    observations, infos = envs.reset(seed=1)
    for _ in range(8):
        assert envs.observation_space.contains(observations)
        assert infos["action_mask"].tolist() == envs.action_masks().tolist()
        actions = envs.action_space.sample()
        assert envs.action_space.contains(actions)
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert (rewards.shape, str(terminations.dtype), int(truncations.sum())) == ((6,), "bool", 0)
        for i in np.flatnonzero(terminations):
            assert envs.single_observation_space.contains(infos["final_obs"][i])
            assert infos["_final_obs"][i]
            assert infos["final_info"]["rewards"][i].sum() == 1


@pytest.mark.parametrize("copy", [True, False])
def test_the_next_step_writes_to_the_same_arrays_unless_they_are_copies(copy: bool) -> None:
    envs = small(observation="masked", copy=copy)
    observations, infos = envs.reset(seed=1)
    returned = [infos["action_mask"], *observations.values()]
    before = [array.copy() for array in returned]
    envs.step(envs.action_space.sample())
    assert [np.array_equal(*pair) for pair in zip(returned, before, strict=True)] == [copy] * 3


def test_rows_are_those_of_states() -> None:
    envs = small(4)
    observations, _ = envs.reset(seed=5)
    for _ in range(4):
        for i in range(4):
            assert observations[i].tolist() == envs.batch.state(i).observation_tensor(0).tolist()
        observations, *_ = envs.step(envs.action_space.sample())


def test_the_seat_is_rewarded_and_its_games_are_recorded() -> None:
    """The statistics of Gymnasium's wrapper are the returns of the learner's seat."""
    plain, recorded = small(8, seat="alternate"), RecordEpisodeStatistics(small(8, seat="alternate"))
    for envs in (plain, recorded):
        envs.reset(seed=2)
        envs.action_space.seed(2)
    returns, lengths = [], []
    for _ in range(12):
        seats, numbers = plain.batch.seats, plain.action_space.sample()
        _, rewards, ended, _, infos = plain.step(numbers)
        told = recorded.step(numbers)[4]
        assert told.get("_episode", np.zeros(8, np.bool_)).tolist() == ended.tolist()
        for i in np.flatnonzero(ended):
            assert rewards[i] == infos["final_info"]["rewards"][i, seats[i]] == told["episode"]["r"][i]
            returns.append(rewards[i])
            lengths.append(told["episode"]["l"][i])
    assert len(returns) >= 10
    assert 0 < sum(returns) < len(returns)
    assert {*lengths} <= {3, 4, 5, 6}
    assert [*recorded.return_queue] == returns


def test_rewards_can_add_up_to_zero() -> None:
    envs, plain = small(8, rewards="zero_sum"), small(8)
    for each in (envs, plain):
        each.reset(seed=3)
        each.action_space.seed(3)
    found = set()
    for _ in range(12):
        numbers = envs.action_space.sample()
        rewards, returns = envs.step(numbers)[1], plain.step(numbers)[1]
        found |= {*zip(rewards.tolist(), returns.tolist(), envs.batch.buffers.terminated.tolist(), strict=True)}
    assert found == {(0.0, 0.0, False), (-0.5, 0.0, True), (1.0, 1.0, True)}


def test_without_autoreset_games_are_dealt_where_the_mask_says() -> None:
    envs = small(4, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=1)
    while not (ended := envs.step(envs.action_space.sample())[2]).any():
        pass
    assert envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    _, infos = envs.reset(options={"reset_mask": ended})
    assert infos["action_mask"].any(axis=1).all()
    assert [envs.batch.deal_number(i) for i in range(4)] == ended.astype(int).tolist()


def test_numbers_that_are_illegal_are_refused() -> None:
    envs = small(2)
    envs.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"^game 1: read action number 16"):
        envs.step(np.array([0, 16], np.int32))
    with pytest.raises(ArrayError, match=r"^actions: read float64 \(2,\), expected whole numbers"):
        envs.step([0.0, 1.0])
    with pytest.raises(ArrayError, match=r"^actions: read int64 \(3,\), expected whole numbers of shape \(2,\)"):
        envs.step([0, 1, 2])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"observation": "picture"}, "observation: read 'picture', expected row, masked, planes"),
        ({"rewards": "much"}, "rewards: read 'much', expected returns, zero_sum"),
        ({"max_episode_steps": 0}, "max_episode_steps: read 0, expected a whole number from 1"),
        ({"render_mode": "text"}, "render_mode: read 'text', expected human, ansi"),
        ({"players": 2}, "has all its parameters: read players besides it"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(LudotecaError, match=message):
        small(2, **settings)


def test_options_that_are_unknown_are_refused() -> None:
    with pytest.raises(ParameterError, match="options: read 'position', expected 'reset_mask'"):
        small(2).reset(options={"position": ""})


def test_gymnasium_makes_batches_by_their_id() -> None:
    import ludoteca.envs.gymnasium  # noqa: F401  # registers the games

    envs = gymnasium.make_vec(
        "ludoteca/Okupacio-v0", 5, vectorization_mode="vector_entry_point", **SMALL, compiled=False, seat="alternate"
    )
    assert isinstance(envs, GameVectorEnv)
    single = gymnasium.make("ludoteca/Okupacio-v0", **SMALL)
    assert envs.single_observation_space == single.observation_space
    observations, infos = envs.reset(seed=1)
    assert observations.shape == (5, *(single.observation_space.shape or ()))
    assert infos["action_mask"].shape == (5, 16)
    assert isinstance(gymnasium.make_vec("ludoteca/Okupacio-v0", 2, **SMALL, compiled=False), GameVectorEnv)


def test_the_next_step_deals_and_its_action_is_ignored() -> None:
    envs, same = small(6, autoreset_mode=AutoresetMode.NEXT_STEP), small(6)
    for each in (envs, same):
        each.reset(seed=1)
    waiting = np.zeros(6, np.bool_)
    for _ in range(15):
        numbers = np.where(waiting, -7, envs.batch.buffers.masks.argmax(axis=1))
        before = envs.batch.buffers.planes.copy()
        _, rewards, ended, _, infos = envs.step(numbers)
        assert not rewards[waiting].any()
        assert not ended[waiting].any()
        assert (envs.batch.buffers.planes[waiting, 3].sum(axis=(1, 2)) > before[waiting, 3].sum(axis=(1, 2))).all()
        assert (infos["action_mask"].any(axis=1) != ended).all()
        waiting = ended
    assert max(envs.batch.deal_number(i) for i in range(6)) > 1


@pytest.mark.parametrize("mode", AutoresetMode)
def test_long_games_are_truncated(mode: AutoresetMode) -> None:
    envs = small(4, max_episode_steps=2, autoreset_mode=mode)
    envs.reset(seed=1)
    envs.step(envs.action_space.sample())
    observations, _, ended, truncated, infos = envs.step(envs.action_space.sample())
    assert truncated.tolist() == (~ended).tolist()
    assert truncated.any()
    deals = [envs.batch.deal_number(i) for i in range(4)]
    if mode is AutoresetMode.SAME_STEP:
        assert deals == [1] * 4
        assert all(6 <= last[:48].sum() <= 16 for last in infos["final_obs"])  # armies own cells
        assert (observations[:, :48].sum(axis=1) < 6).all()
    else:
        assert deals == [0] * 4
    if mode is AutoresetMode.NEXT_STEP:
        assert not any(envs.step([0] * 4)[3])
        assert [envs.batch.deal_number(i) for i in range(4)] == [1] * 4


def test_all_words_of_one_environment_are_words_of_many() -> None:
    """Going from one game to many is adding a number."""
    import ludoteca.envs.gymnasium  # noqa: F401  # registers the games

    for opponents, seat, rewards, mode in (
        ("greedy", "random", "score", "ansi"),
        ("1", "alternate", "zero_sum", None),
        (["heuristics", "random"], 2, "returns", "rgb_array"),
    ):
        words: dict[str, Any] = {"opponents": opponents, "seat": seat, "rewards": rewards, "render_mode": mode}
        one = gymnasium.make("ludoteca/Okupacio-v0", **SMALL, **words, max_episode_steps=3)
        many = gymnasium.make_vec("ludoteca/Okupacio-v0", 3, **SMALL, **words, max_episode_steps=3, compiled=False)
        one.reset(seed=1)
        assert isinstance(many, GameVectorEnv)
        many.reset(seed=[1, None, 3])
        for _ in range(3):
            told = many.step(many.action_space.sample())
        assert (told[2] | told[3]).all()
        shown = many.render()
        assert [type(board) for board in shown or ()] == ([type(one.render())] * 3 if mode else [])


def test_scores_are_rewarded_with_each_step() -> None:
    envs = GameVectorEnv("metro", 3, rewards="score", compiled=False)
    envs.reset(seed=np.int64(3))
    paid = np.sum([envs.step(envs.action_space.sample())[1] for _ in range(20)], axis=0)
    assert paid.tolist() == [envs.batch.state(i).scores()[0] for i in range(3)]
    assert paid.any()
