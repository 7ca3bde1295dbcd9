"""Which environments of PettingZoo can be copied and pickled in the middle of a game, and how fast they play: its and ours.

    python -m venv apart && apart/bin/pip install 'pettingzoo[classic]' .
    apart/bin/python benchmarks/pettingzoo_copies.py

Each plays some random moves, is copied, and both play the same random moves on. A copy that is told anything else than the
original, or has no such move, is not one. Moves a second are random ones with all that `env.last()` tells before each.
"""

import argparse
import copy
import pickle
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from random import Random
from typing import Any

import numpy as np
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.classic.all_modules import classic_environments

from ludoteca.core import registry
from ludoteca.envs import pettingzoo

Copy = Callable[[Any], Any]
COPIES: dict[str, Copy] = {
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


def environments() -> Iterator[tuple[str, Any]]:
    """Every environment by name."""
    for name in sorted(classic_environments):
        module = import_module(f"pettingzoo.{name.replace('/', '.')}")
        yield name, module.env()
    for game in registry.names():
        yield f"ludoteca {game}", pettingzoo.env(game, compiled=True)


def move(env: Any, random: Random) -> Any:
    """A random legal action of the agent to move, None for one whose game is over."""
    observation, _, terminated, truncated, info = env.last()
    if terminated or truncated:
        return None
    mask = observation.get("action_mask") if isinstance(observation, dict) else info.get("action_mask")
    if mask is None:
        return random.randrange(int(env.action_space(env.agent_selection).n))
    return random.choice(np.flatnonzero(mask).tolist())


def difference(env: Any, make_copy: Copy, before: int, after: int, seed: int) -> str:
    """What tells a copy of the environment from it, made while a game goes on; an empty text when nothing does."""
    random = Random(seed)
    while True:
        env.reset(seed=random.randrange(1 << 31))
        for _ in range(before):
            if env.agents:
                env.step(move(env, random))
        if env.agents and not any(env.last()[2:4]):
            break
    try:
        twin = make_copy(env)
    except (TypeError, AttributeError, pickle.PicklingError, RecursionError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    for number in range(after):
        if not env.agents:
            return ""
        try:
            same = env.agent_selection == twin.agent_selection and data_equivalence(env.last(), twin.last(), exact=True)
        except (AttributeError, LookupError, TypeError, ValueError, AssertionError) as error:
            return f"{type(error).__name__}: {error}"
        if not same:
            return f"told otherwise {number} moves after the copy"
        action = move(env, random)
        env.step(action)
        twin.step(action)
    return ""


def rate(env: Any, seconds: float) -> float:
    """Random moves a second, game after game."""
    random, moves = Random(1), 0
    env.reset(seed=1)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        if not env.agents:
            env.reset()
        env.step(move(env, random))
        moves += 1
    return moves / seconds


def main() -> None:
    """Print a table: a line an environment."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=int, default=2, help="moves before the copy")
    parser.add_argument("--after", type=int, default=20, help="moves after it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0, help="for counting moves, an environment")
    chosen = parser.parse_args()
    print(f"PettingZoo {version('pettingzoo')}\n\n| environment | {' | '.join(COPIES)} | moves/s |")
    print(f"|---|{'---|' * len(COPIES)}--:|")
    for name, env in environments():
        told = [difference(env, make, chosen.before, chosen.after, chosen.seed) for make in COPIES.values()]
        shown = " | ".join((text or "plays on alike").splitlines()[0][:80] for text in told)
        print(f"| {name} | {shown} | {rate(env, chosen.seconds):,.0f} |", flush=True)


if __name__ == "__main__":
    main()
