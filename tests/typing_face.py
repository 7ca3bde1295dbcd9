"""The types that a user of the library sees. Mypy checks this file, which no test runs.

Each `assert_type` states the type of a documented call or attribute. If a change of the library changes one of these types,
mypy reports the line. `Any` marks a result without a precise type.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, SupportsFloat, TypeAlias, assert_type

import gymnasium
import numpy as np
import numpy.typing as npt

import ludoteca
import ludoteca.envs.gymnasium
from ludoteca.agents.agent import Agent, Decision, new_agent
from ludoteca.agents.explain import explain
from ludoteca.core.features import FeatureLayout, Observation
from ludoteca.core.position import InformationState, Position
from ludoteca.core.record import FromPosition, Player, Result, Seed
from ludoteca.core.spec import GameSpec
from ludoteca.core.symmetries import Symmetries, Symmetry
from ludoteca.envs import pettingzoo
from ludoteca.envs.batch import Batch
from ludoteca.envs.buffers import Buffers
from ludoteca.envs.gymnasium import GameEnvironment
from ludoteca.envs.vector import GameVectorEnv
from ludoteca.search.findings import Findings

# The library's own aliases are not imported: if one of them became imprecise, mypy would report nothing.
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]


def package() -> None:
    assert_type(ludoteca.load("okupacio"), ludoteca.Game)
    assert_type(ludoteca.load("okupacio", players=3, board="8x8", compiled=True), ludoteca.Game)
    assert_type(ludoteca.registered_games(), list[GameSpec])
    assert_type(ludoteca.new_rng(1), Words)
    assert_type(ludoteca.__version__, str)
    ludoteca.laod  # type: ignore[attr-defined]  # noqa: B018  # a wrong name is reported


def games(game: ludoteca.Game, record: ludoteca.Record) -> None:
    assert_type(game.name, str)
    assert_type(game.parameters, dict[str, Any])
    assert_type(game.num_players(), int)
    assert_type(game.num_distinct_actions(), int)
    assert_type(game.max_utility(), float)
    assert_type(game.new_initial_state(), ludoteca.State)
    assert_type(game.new_initial_state(seed=1), ludoteca.State)
    assert_type(game.state_from_string("AA#B/#ABB/##BB/CCA# - 8 0:1,1:0,0:2"), ludoteca.State)
    assert_type(game.deserialize_state("{}"), ludoteca.State)
    assert_type(game.replay(record), ludoteca.State)


def play(state: ludoteca.State) -> None:
    assert_type(state.game, ludoteca.Game)
    assert_type(state.current_player(), int)
    assert_type(state.legal_actions(), list[int])
    assert_type(state.is_terminal(), bool)
    assert_type(state.random_action(ludoteca.new_rng(1)), int)
    assert_type(state.action_to_string(0), str)
    assert_type(state.string_to_action("ab"), int)
    assert_type(state.refusal(0), str)
    assert_type(state.child(0), ludoteca.State)
    assert_type(state.clone(), ludoteca.State)
    assert_type(state.states(), Iterator[ludoteca.State])
    assert_type(state.history(), list[int])
    assert_type(state.scores(), list[int])
    assert_type(state.winners(), list[int])
    assert_type(state.returns(), list[float])
    assert_type(str(state), str)
    state.apply_action(state.legal_actions()[0])


def seats(state: ludoteca.State) -> None:
    assert_type(state.view(0), Position)
    assert_type(state.information_state(0), InformationState)
    assert_type(state.observation_string(0), str)
    assert_type(state.information_state_string(0), str)
    assert_type(state.resample_from_infostate(0, ludoteca.new_rng(1)), ludoteca.State)


def learners(state: ludoteca.State) -> None:
    assert_type(state.observation(0), Observation)
    planes, numbers = state.observation(0)
    assert_type(planes, Bytes)
    assert_type(numbers, Floats)
    assert_type(state.observation(0).planes, Bytes)
    assert_type(state.observation(0).numbers, Floats)
    assert_type(state.action_mask(), Bytes)
    assert_type(state.encode_action(0), int)
    assert_type(state.decode_action(0), int)

    layout = state.game.features.layout
    assert_type(layout, FeatureLayout)
    assert_type(layout.planes, tuple[str, ...])
    assert_type(layout.shape, tuple[int, int, int])
    assert_type(layout.split(state.observation_tensor(0)), tuple[Floats, Floats])

    symmetries = ludoteca.symmetries(state.game)
    assert_type(symmetries, Symmetries)
    assert_type(symmetries[0], Symmetry)
    assert_type(symmetries[0].planes_of(planes), Bytes)
    assert_type(symmetries[0].numbers_of(numbers), Floats)


def records(state: ludoteca.State) -> None:
    assert_type(state.to_record(), ludoteca.Record)
    assert_type(state.serialize(), str)

    record = ludoteca.read_record(Path("game.json"))
    assert_type(record, ludoteca.Record)
    assert_type(record.game, str)
    assert_type(record.parameters, dict[str, Any])
    assert_type(record.start, Seed | FromPosition)
    assert_type(record.actions, list[str])
    assert_type(record.result, Result | None)
    assert_type(record.players, tuple[Player, ...])
    assert_type(ludoteca.open_record(record), ludoteca.State)


def agents(game: ludoteca.Game, known: InformationState) -> None:
    agent = new_agent("4", game, seed=1)
    assert_type(agent, Agent)
    decision = agent.choose(known)
    assert_type(decision, Decision)
    assert_type(decision.action, int)
    assert_type(decision.findings, Findings | None)
    assert_type(decision.is_weaker, bool)
    assert_type(explain(known, decision, "ca"), str)


def batches(game: ludoteca.Game) -> None:
    batch = Batch(game, 4096, threads=2, seat="alternate", opponents="heuristics")
    assert_type(batch.reset(seeds=7), Buffers)
    assert_type(batch.sample("heuristics"), Integers)
    seen = batch.step(batch.sample())
    assert_type(seen, Buffers)
    assert_type(seen.planes, Bytes)
    assert_type(seen.numbers, Floats)
    assert_type(seen.masks, Bytes)
    assert_type(seen.rewards, Floats)
    assert_type(seen.movers, Integers)
    assert_type(seen.terminated, Bools)
    assert_type(batch.game, ludoteca.Game)
    assert_type(batch.n, int)
    assert_type(batch.seats, Integers)
    assert_type(batch.state(0), ludoteca.State)
    assert_type(batch.position(0), Position)
    assert_type(batch.deal_seed(0), int)
    assert_type(batch.copy(), Batch)


def environments_of_pettingzoo() -> None:
    env = pettingzoo.env("okupacio", players=3, board="4x4", render_mode="ansi")
    env.reset(seed=1, options={"position": "AB../..../..../.... A 2 0:1,0:0"})
    for agent in env.agent_iter():
        assert_type(agent, str)
        assert_type(env.last(), tuple[Any | None, float, bool, bool, dict[str, Any]])
        env.step(None)
    assert_type(env.layout, Any)  # PettingZoo's wrappers pass on attributes without types

    raw = pettingzoo.raw_env("okupacio", rewards="zero_sum")
    assert_type(raw.layout, FeatureLayout)
    assert_type(raw.observe("player_0"), dict[str, npt.NDArray[Any]])
    assert_type(raw.state(), npt.NDArray[np.float32])
    assert_type(raw.render(), str | npt.NDArray[np.uint8] | None)


def environments_of_gymnasium() -> None:
    made = gymnasium.make("ludoteca/Okupacio-v0", players=2, board="4x4", opponents="greedy")
    assert_type(made.reset(seed=1), tuple[Any, dict[str, Any]])
    assert_type(made.step(0), tuple[Any, SupportsFloat, bool, bool, dict[str, Any]])
    env = made.unwrapped
    assert isinstance(env, GameEnvironment)  # Gymnasium's `make` promises no more than an `Env`
    assert_type(env.layout, FeatureLayout)
    assert_type(env.seat, int)
    assert_type(env.reset(seed=1), tuple[Any, dict[str, Any]])
    assert_type(env.step(env.action_space.sample()), tuple[Any, float, bool, bool, dict[str, Any]])
    assert_type(env.action_space.sample(), np.int64)
    assert_type(env.action_masks(), npt.NDArray[np.bool_])
    assert_type(env.render(), str | npt.NDArray[np.uint8] | None)


def vectors_of_gymnasium() -> None:
    made = gymnasium.make_vec("ludoteca/Okupacio-v0", num_envs=512, opponents="heuristics", seat="alternate")
    envs = made.unwrapped
    assert isinstance(envs, GameVectorEnv)
    assert_type(envs.batch, Batch)
    assert_type(envs.reset(seed=7), tuple[Any, dict[str, Any]])
    assert_type(envs.action_space.sample(), Any)
    assert_type(envs.step(envs.action_space.sample()), tuple[Any, Floats, Bools, Bools, dict[str, Any]])
    assert_type(envs.action_masks(), Bools)
