"""What compiling a game takes on its first day: seconds of processor time, one fresh process and an empty cache a game.

    python benchmarks/compiling.py [GAME ...]

Prints a Markdown table. The bindings are compiled in the order of its columns; what one has compiled the next ones share.
"""

import os
import subprocess
import sys
import tempfile

from ludoteca.core import registry

COMPILE = """
import time
import numba
from ludoteca.agents.agent import new_searcher
from ludoteca.core import hints, playouts
from ludoteca.core.game import load

game = load("{name}", compiled=True)
heuristics = game.spec.module("heuristics") if game.spec.has("heuristics") else None
for make in (
    lambda: game.steps,
    lambda: new_searcher(game),
    lambda: heuristics and game.bind(hints, heuristics),
    lambda: game.bind(playouts),
):
    start = time.process_time()
    make()
    print(time.process_time() - start)
"""


def compile_cold(name: str) -> list[float]:
    """Seconds for each of the bindings."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-c", COMPILE.format(name=name)]
        environment = os.environ | {"LUDOTECA_CACHE": cache}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [float(line) for line in done.stdout.split()]


def main() -> None:
    print("| CPU seconds | steps | search | hints | playouts | all |\n|---|---:|---:|---:|---:|---:|")
    for name in sys.argv[1:] or registry.names():
        seconds = compile_cold(name)
        print(f"| {name} | {' | '.join(f'{each:.1f}' for each in (*seconds, sum(seconds)))} |", flush=True)


if __name__ == "__main__":
    main()
