"""Every game as an environment for one player: Gymnasium's own checks, opponents, masks, rewards, illegal actions."""

import copy
import os
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from duel import GAME as DUEL
from ludoteca.agents.agent import Agent, Decision, RandomAgent
from ludoteca.core.errors import ContractError, IllegalActionError, ParameterError
from ludoteca.core.extras import install_command
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.core.rng import new_rng
from ludoteca.envs.gymnasium import GameEnvironment
from ludoteca.envs.spaces import env_id


def play(env: Any, **how: Any) -> list[Any]:
    """Play random legal actions. Return all results."""
    observation, info = env.reset(**how)
    told: list[Any] = [(observation.tobytes(), info["action_mask"].tobytes())]
    over = False
    while not over:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, over, truncated, info = env.step(action)
        told.append((observation.tobytes(), info["action_mask"].tobytes(), reward, truncated))
    return [*told, info["returns"], info["scores"], env.unwrapped.seat]


@pytest.mark.parametrize("game", ["okupacio", "conclave"])
def test_gymnasiums_check_passes(game: str) -> None:
    check_env(gymnasium.make(env_id(game)).unwrapped)


@pytest.mark.parametrize("kind", ["masked", "planes"])
def test_gymnasiums_check_passes_with_other_observations(kind: str) -> None:
    check_env(gymnasium.make("ludoteca/Conclave-v0", observation=kind, seat="random").unwrapped, skip_render_check=True)


def test_the_same_seed_gives_the_same_game() -> None:
    told = []
    for _ in range(2):
        env = gymnasium.make(env_id("conclave"), seat="random")
        env.action_space.seed(7)
        told.append(play(env, seed=3))
    assert told[0] == told[1]


def test_rewards_of_all_kinds_add_up() -> None:
    for kind in ("returns", "zero_sum", "score"):
        env = gymnasium.make("ludoteca/Okupacio-v0", players=3, board="4x4", rewards=kind, seat="random")
        for seed in range(5):
            *steps, returns, scores, seat = play(env, seed=seed)
            paid = {"returns": returns[seat], "zero_sum": (3 * returns[seat] - 1) / 2, "score": scores[seat]}
            assert sum(step[2] for step in steps[1:]) == pytest.approx(paid[kind])


def test_alone_every_point_can_be_rewarded_when_it_is_won() -> None:
    env = gymnasium.make("ludoteca/Metro-v0", rewards="score")
    env.action_space.seed(1)
    *steps, returns, scores, _ = play(env, seed=2)
    rewards = [step[2] for step in steps[1:]]
    assert sum(rewards) == scores[0] == returns[0] > max(rewards) > 0


def test_masks_are_given_in_every_form() -> None:
    env = gymnasium.make("ludoteca/Okupacio-v0", board="4x4", observation="masked")
    env.reset(seed=1)
    observation, _, _, _, info = env.step(5)
    masks = env.get_wrapper_attr("action_masks")()
    assert (masks.dtype, masks.shape, masks.sum()) == (np.bool_, (16,), 14)
    assert (observation["action_mask"] == masks).all()
    assert (info["action_mask"] == masks).all()
    assert all(masks[env.action_space.sample()] for _ in range(20))


def test_an_illegal_action_says_what_is_legal_and_changes_nothing() -> None:
    env = gymnasium.make("ludoteca/Okupacio-v0", board="4x4", render_mode="ansi")
    env.reset(options={"position": "AB../..../..../.... A 2 0:1,0:0"})
    env.step(2)
    shown = env.render()
    for action in (0, 1, 2, 16, -1, np.int64(0)):
        with pytest.raises(IllegalActionError, match=f"read action number {action}, which is no legal action here"):
            env.step(action)
    assert env.render() == shown


def test_what_was_drawn_before_a_reset_can_be_played_after_it() -> None:
    env = gymnasium.make("ludoteca/Okupacio-v0", board="4x4")
    env.reset(seed=1)
    drawn = env.action_space.sample()
    env.reset(options={"position": "AB../..../..../.... A 2 0:1,0:0"})
    for number in (0, 1):
        assert env.step(type(drawn)(number))[0] in env.observation_space


def test_the_learner_can_take_the_seats_in_turn() -> None:
    env, seats = GameEnvironment("okupacio", "heuristics", "alternate", players=3, board="4x4"), list[int]()
    seeds: list[Any] = [np.int64(1), None, None, None, 1]
    for seed in seeds:
        env.reset(seed=seed)
        seats.append(env.seat)
    assert seats == [0, 1, 2, 0, 0]


def test_opponents_are_told_what_their_seats_know() -> None:
    asked = []

    class Spy(RandomAgent):
        def choose(self, state: InformationState, watch: Any = None) -> Decision:
            asked.append(state)
            return super().choose(state, watch)

    def spy(game: Game, seed: int) -> Agent:
        return Spy(game, seed)

    play(gymnasium.make("ludoteca/Cartas-v0", opponents=[spy, "greedy", "random"], seat=1), seed=1)
    assert {(state.player, state.view.current_player()) for state in asked} == {(2, 2)}
    assert all(state.view.conceal(2) == state.view != state.redeal(new_rng(1)) for state in asked)


def test_a_copy_in_the_middle_plays_on_alike() -> None:
    env = gymnasium.make("ludoteca/Okupacio-v0", players=3, board="5x5", opponents=["random", "greedy"])
    env.reset(seed=1)
    env.step(env.action_space.sample())
    twin = copy.deepcopy(env)
    while not (told := env.step(env.action_space.sample()))[2]:
        again = twin.step(twin.action_space.sample())
        assert (again[0] == told[0]).all()
        assert again[1:4] == told[1:4]


def test_nothing_is_played_before_the_first_reset() -> None:
    env = GameEnvironment("okupacio", board="4x4")
    for call in (env.action_masks, lambda: env.step(0)):
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset first"):
            call()


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"game": "okupacio", "army": 1}, ParameterError, "okupacio has no parameter 'army'; it has players, board"),
        ({"game": "okupacio", "seat": 2}, ParameterError, "seat: read 2, expected 0 to 1, 'random' or 'alternate'"),
        ({"game": "okupacio", "opponents": ["random"] * 2}, ParameterError, "opponents: read 2 agents, expected one or 1"),
        ({"game": "okupacio", "observation": "rows"}, ParameterError, "observation: read 'rows', expected row, masked"),
        ({"game": Game(DUEL)}, ContractError, "duel has no features module"),
    ],
)
def test_what_cannot_be_made_says_why(arguments: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        GameEnvironment(**arguments)


def test_options_that_cannot_be_followed_say_why() -> None:
    env = GameEnvironment("okupacio", board="4x4")
    with pytest.raises(ParameterError, match="options: read 'start', expected 'position'"):
        env.reset(options={"start": ""})
    with pytest.raises(ParameterError, match="100 games in a row were over before player 0 had moved"):
        env.reset(options={"position": "AAAA/BBAA/BBBA/BBAA - 13 1:0,1:1"})


def test_importing_it_registers_the_games_and_loads_no_compiler() -> None:
    code = """
import sys
import gymnasium
env = gymnasium.make("ludoteca.envs.gymnasium:ludoteca/Okupacio-v0", players=2)
env.reset(seed=1)
print([name for name in ("numba", "pettingzoo", "rich", "PIL") if name in sys.modules], env.action_space)
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[] Discrete(140)\n", "")


def test_a_missing_extra_is_named_when_a_picture_is_asked_for() -> None:
    code = """
import sys
sys.modules["resvg_py"] = None
import gymnasium
from gymnasium.utils.env_checker import check_env
env = gymnasium.make("ludoteca.envs.gymnasium:ludoteca/Okupacio-v0", players=2, board="4x4").unwrapped
check_env(env)
print(env.metadata["render_modes"])
env = gymnasium.make("ludoteca.envs.gymnasium:ludoteca/Okupacio-v0", board="4x4", render_mode="rgb_array").unwrapped
env.step(env.action_space.sample(mask=env.reset()[1]["action_mask"]))
print("played")
env.render()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-2:] == ["['human', 'ansi']", "played"]
    error = f"MissingExtraError: this needs resvg_py. To install it, run: {install_command('pictures')}"
    assert done.stderr.splitlines()[-1].endswith(error)


@pytest.mark.parametrize("extra", ["pettingzoo", "gymnasium"])
def test_an_extra_that_is_missing_is_told_by_name(extra: str) -> None:
    code = f"import sys; sys.modules['{extra}'] = None; import ludoteca.envs.{extra}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=os.environ.copy())
    told = f"MissingExtraError: this needs {extra}. To install it, run: {install_command(extra)}\n"
    assert done.stderr.endswith(told)
