"""Every game as an AEC environment: PettingZoo's own tests, copies, rewards, illegal actions."""

import copy
import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo import make, spec
from pettingzoo.test.api_test import api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs_test
from pettingzoo.test.seed_test import seed_test

import ludoteca
from duel import GAME as DUEL
from ludoteca.core import registry
from ludoteca.core.errors import ContractError, IllegalActionError, NotationError, ParameterError, UnknownGameError
from ludoteca.core.game import Game
from ludoteca.envs import pettingzoo
from ludoteca.envs.gymnasium import GameEnvironment
from ludoteca.testing.trial import Effort, games

GAMES = [spec.name for spec in registry.registered_games() if spec.has("features")]

OPEN: dict[str, Any] = {"players": 3, "board": "4x4"}
SOME = ("okupacio", "cartas")
"""Games in every run, without secrets and with secrets. Long runs have all games with any parameters."""


def play(env: Any, moves: int = 10_000) -> list[Any]:
    """Play random legal actions. Return all results of the agents."""
    told = []
    for agent in env.agent_iter(moves):
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        action = None if over else int(env.action_space(agent).sample(observation["action_mask"]))
        told.append((agent, observation["observation"].tobytes(), reward, over, info, action))
        env.step(action)
    return told


QUIET = pytest.mark.filterwarnings(
    # PettingZoo's own classic games observe dictionaries too: its test knows them by their names
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)


@QUIET
@pytest.mark.parametrize("game", SOME)
def test_pettingzoos_own_tests_pass(game: str) -> None:
    make = partial(pettingzoo.env, game)
    api_test(make(), num_cycles=20)
    seed_test(make, num_cycles=10)


DRAWN = "okupacio"
"""Its pictures are made quickly. Those of the others are tested by Gymnasium's check, and here in long runs."""


@pytest.mark.parametrize("game", [pytest.param(game, marks=[] if game == DRAWN else pytest.mark.soak) for game in GAMES])
def test_what_is_rendered_is_what_the_mode_says(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    make: Any = partial(pettingzoo.env, game)  # its annotation says Gymnasium's environments, and its code takes ours
    render_test(make)
    assert "player_" in capsys.readouterr().out
    save_obs_test(pettingzoo.env(game))
    assert "did not save the observations:  Observations must be Box" in capsys.readouterr().out


@pytest.mark.parametrize("game", SOME)
def test_a_copy_in_the_middle_plays_on_alike(game: str) -> None:
    assert_copies_play_on_alike(pettingzoo.env(game), seed=5)


def assert_copies_play_on_alike(env: Any, seed: int) -> None:
    env.reset(seed=seed)
    play(env, 6)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    told = play(env, 20)
    env.reset()  # of the next deals, too
    told += play(env, 3)
    for twin in twins:
        again = play(twin, 20)
        twin.reset()
        assert again + play(twin, 3) == told


def test_rewards_of_all_kinds_add_up() -> None:
    for kind, expected in (("returns", [1.0, 0.0, 0.0]), ("zero_sum", [1.0, -0.5, -0.5]), ("score", [7.0, 5.0, 4.0])):
        env: Any = pettingzoo.env("okupacio", rewards=kind, **OPEN)
        env.reset(seed=2)
        paid = np.zeros(3)
        while not env.terminations["player_0"]:
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
            paid += [env.rewards[agent] for agent in env.agents]
        assert env.infos["player_0"] == {"scores": [7, 5, 4]}
        assert paid.tolist() == expected


def test_observations_are_the_seats_and_masks_the_movers() -> None:
    env: Any = pettingzoo.env("okupacio", **OPEN)
    env.reset(seed=1)
    env.step(3)
    state = ludoteca.load("okupacio", **OPEN).new_initial_state(1)
    state.apply_action(state.decode_action(3))
    for player, agent in enumerate(env.agents):
        seen = env.observe(agent)
        assert (seen["observation"] == state.observation_tensor(player)).all()
        assert seen["action_mask"].sum() == (15 if agent == env.agent_selection else 0)
        assert seen in env.observation_space(agent)
    assert (env.state() == [state.observation_tensor(player) for player in range(3)]).all()
    assert env.state() in env.unwrapped.state_space


def test_an_illegal_action_ends_the_game_by_pettingzoos_wrapper() -> None:
    env: Any = pettingzoo.env("okupacio", **OPEN)
    env.reset(seed=1)
    env.step(3)
    env.step(3)
    assert [env.last()[1:4], env.rewards] == [(0.0, True, True), {"player_0": 0.0, "player_1": -1.0, "player_2": 0.0}]
    for _ in range(3):
        env.step(None)
    assert env.agents == []


def test_an_illegal_action_is_worth_no_more_than_the_worst_game() -> None:
    env: Any = pettingzoo.env("cartas", rewards="zero_sum")  # the return is up to 42 less than that of others
    env.reset(seed=1)
    mover = env.agent_selection
    env.step(int(env.observe(mover)["action_mask"].argmin()))
    assert env.rewards[mover] == -42.0


def test_a_raw_environment_refuses_it_and_stays_as_it_was() -> None:
    env = pettingzoo.raw_env("okupacio", **OPEN)
    env.reset(seed=1)
    env.step(3)
    before = pickle.dumps(env)
    for action in (3, 16, -1, 10**20):
        with pytest.raises(IllegalActionError, match="is no legal action here: expected 0, 1, 2, 4, 5"):
            env.step(action)
    assert pickle.dumps(env) == before


def test_a_deal_that_is_over_at_once_gives_way_to_the_next_one() -> None:
    assert ludoteca.load("metro").new_initial_state(1).is_terminal()
    env: Any = pettingzoo.env("metro")
    rows = []
    for _ in range(2):
        env.reset(seed=1)
        assert env.terminations == {"player_0": False}
        rows.append(env.observe("player_0")["observation"].tobytes())
    assert rows[0] == rows[1]


def test_a_game_begins_where_it_is_told() -> None:
    env: Any = pettingzoo.env("okupacio", board="4x4")
    env.reset(options={"position": "AB../..../.A../.... B 3 0:2,0:0"})
    assert env.agent_selection == "player_1"
    with pytest.raises(NotationError):
        env.reset(options={"position": "AB"})


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"game": "chess"}, UnknownGameError, "no game 'chess'"),
        ({"game": "okupacio", "army": 1}, ParameterError, "okupacio has no parameter 'army'; it has players, board"),
        ({"game": "okupacio", "render_mode": "3d"}, ParameterError, "render_mode: read '3d', expected human, ansi, "),
        ({"game": "okupacio", "rewards": "money"}, ParameterError, "rewards: read 'money', expected returns, zero"),
        ({"game": ludoteca.load("okupacio"), "players": 3}, ParameterError, "has all its parameters: read players"),
        ({"game": Game(DUEL)}, ContractError, "duel has no features module, so learners cannot see it as numbers"),
    ],
)
def test_what_cannot_be_made_says_why(arguments: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        pettingzoo.env(**arguments)


@pytest.mark.soak
@QUIET
@pytest.mark.parametrize("game", GAMES)
def test_all_of_it_holds_for_any_parameters(game: str) -> None:
    for some, seed in games(registry.find(game), Effort(games=10, seed=1)):
        make = partial(pettingzoo.env, some)
        api_test(make(), num_cycles=100)
        seed_test(make, num_cycles=100)
        assert_copies_play_on_alike(make(), seed)
        check_env(GameEnvironment(some, seat="random"), skip_render_check=True)


def test_pettingzoo_makes_the_games_by_their_ids() -> None:
    made = make("aec", "ludoteca/Okupacio-v0", players=3, board="4x4", rewards="score")
    made.reset(seed=1)
    assert made.possible_agents == ["player_0", "player_1", "player_2"]
    assert spec("aec", "ludoteca/Metro-v0").kwargs == {"game": "metro"}


@pytest.mark.parametrize("call", [lambda raw: raw.step(0), lambda raw: raw.observe("player_0"), lambda raw: raw.render()])
def test_nothing_is_played_or_shown_before_the_first_reset(call: Any) -> None:
    raw = pettingzoo.raw_env("okupacio", render_mode="ansi")
    with pytest.raises(ResetNeeded, match="call reset first"):
        call(raw)
