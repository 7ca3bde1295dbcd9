"""Step environments of Pgx or EnvPool. `batches.py` runs this with the Python that has them.

    python batches_of_others.py pgx:hex CORES

The program prints the bytes of a step. Then it reads lines with a number of seconds. For each it prints the steps a second.
It does not import Ludoteca.
"""

import importlib
import os
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np

Rate = Callable[[float], float]


def clock_of(cores: int) -> Callable[[], float]:
    """Return the clock for processor time on one core, so that other work does not count, and of the wall on two."""
    return time.process_time if cores == 1 else time.perf_counter


def pgx_batch(name: str, cores: int) -> tuple[int, Rate]:
    """Return the bytes and the rate of Pgx's environment with 4,096 games, the number at which it is fastest."""
    n, clock = 4096, clock_of(cores)
    os.environ["XLA_FLAGS"] = f"--xla_cpu_multi_thread_eigen={str(cores > 1).lower()} intra_op_parallelism_threads={cores}"
    jax, pgx = importlib.import_module("jax"), importlib.import_module("pgx")
    auto_reset = importlib.import_module("pgx.experimental").auto_reset
    env = pgx.make(name)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))

    draw = jax.jit(lambda key, masks: jax.random.categorical(key, jax.numpy.log(masks.astype(np.float32)), axis=-1))
    key = jax.random.PRNGKey(0)
    batch = [jax.jit(jax.vmap(env.init))(jax.random.split(key, n)), key]

    def rate(seconds: float) -> float:
        steps, spent = 0, 0.0
        while spent < seconds:
            batch[1], one, other = jax.random.split(batch[1], 3)
            actions = draw(one, batch[0].legal_action_mask).block_until_ready()
            keys = jax.random.split(other, n).block_until_ready()
            begin = clock()
            batch[0] = jax.block_until_ready(step(batch[0], actions, keys))
            spent += clock() - begin
            steps += n
        return steps / spent

    rate(0.1)  # compile
    return (batch[0].observation.nbytes + batch[0].legal_action_mask.nbytes) // n, rate


def envpool_batch(name: str, cores: int) -> tuple[int, Rate]:
    """Return the bytes and the rate of EnvPool's environment with 256 games, played at random."""
    n, clock = 256, clock_of(cores)
    warnings.filterwarnings("ignore")
    envs = importlib.import_module("envpool").make(name, env_type="gymnasium", num_envs=n, num_threads=cores)
    seen, told = envs.reset()
    random, masks = np.random.default_rng(1), [told.get("legal_action_mask", np.ones((n, envs.action_space.n), np.bool_))]

    def rate(seconds: float) -> float:
        steps, spent = 0, 0.0
        while spent < seconds:
            actions = (random.random(masks[0].shape) * masks[0]).argmax(axis=1)
            begin = clock()
            told = envs.step(actions)[-1]
            spent += clock() - begin
            masks[0] = told.get("legal_action_mask", masks[0])
            steps += n
        return steps / spent

    return sum(np.asarray(part).nbytes for part in (seen.values() if isinstance(seen, dict) else [seen])) // n, rate


def main() -> None:
    library, _, name = sys.argv[1].partition(":")
    size, rate = (pgx_batch if library == "pgx" else envpool_batch)(name, int(sys.argv[2]))
    print(size, flush=True)
    for line in sys.stdin:
        print(rate(float(line)), flush=True)


if __name__ == "__main__":
    main()
