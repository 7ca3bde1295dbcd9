"""Five whole games through `T3.pl`, as the assignment's hardest tests play them within five seconds: wall and CPU seconds.

python benchmarks/checker.py [RUNS]

The first run may compile. The CPU seconds are those of Prolog and of its engine together, with their start. Where nothing
else runs, the wall seconds are about the same: the two take turns.
"""

import os
import resource
import subprocess
import sys
from time import perf_counter

from ludoteca.games import metro

T3 = metro.GAME.file("prolog/T3.pl")
GOALS = """
    assertz((next_tile(_, Id) :- random_between(2, 10, Number), atom_concat('#', Number, Id))),
    set_random(seed(1)), get_time(Begin),
    findall(N, ( between(1, 5, _), play_game(End), get_game_tiles(End, Tiles), length(Tiles, N) ), Ns),
    get_time(Done), sum_list(Ns, Moves), Seconds is Done - Begin, format("~w moves in ~2f s; ", [Moves, Seconds])
"""
"""Without #1, which ends a game when it comes first."""


def main(runs: int) -> None:
    for _ in range(runs):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
        environment = {**os.environ, "LUDOTECA_PYTHON": sys.executable}
        subprocess.run(["swipl", "-g", GOALS, "-t", "halt", str(T3)], check=True, env=environment)
        after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter() - start
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"in all {wall:.1f} s, CPU {cpu:.1f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
