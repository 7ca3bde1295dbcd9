"""Two versions of the program tell moves at the same time, on the same core: what one move takes in each, and the quotient.

    git worktree add ../before COMMIT
    python -m benchmarks.telling_pair ../before [--game NAME]... [--rounds N] [--times N]

Each version runs its own `telling.py`, as often as `--times` says, and begins first every second time. The median quotient
counts; the lowest and the highest say how far to trust it. Also says whether both tell the same.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from ludoteca.core import registry


def begin(checkout: Path, game: str, rounds: int) -> subprocess.Popen[str]:
    """Start that version's `telling.py`, on this process's core."""
    command = [sys.executable, "benchmarks/telling.py", "--game", game, "--rounds", str(rounds)]
    environment = os.environ | {"PYTHONPATH": str(checkout / "src")}
    return subprocess.Popen(command, cwd=checkout, env=environment, stdout=subprocess.PIPE, text=True)


def result(process: subprocess.Popen[str]) -> tuple[float, str]:
    """The microseconds of processor that a move took, and the digest of the frames."""
    words = process.communicate()[0].split()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return float(words[1]), words[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("there", type=Path, help="another checkout")
    parser.add_argument("--game", action="append", help="only these; else all")
    parser.add_argument("--rounds", type=int, default=100, help="moves in each of ten rooms")
    parser.add_argument("--times", type=int, default=6)
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    checkouts = options.there.resolve(), Path(__file__).resolve().parents[1]
    columns = ["", "there, us a move", "here", "here / there", "lowest", "highest", "frames"]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|", flush=True)
    for game in options.game or registry.names():
        pairs, same = [], True
        for turn in range(options.times):
            first, second = (begin(checkouts[(turn + place) % 2], game, options.rounds) for place in range(2))
            results = [result(first), result(second)]
            (there, frames_there), (here, frames_here) = reversed(results) if turn % 2 else results
            pairs.append((there, here))
            same &= frames_there == frames_here
        quotients = [here / there for there, here in pairs]
        cells = [f"{median(column):.0f}" for column in zip(*pairs, strict=True)]
        cells += [f"{value:.3f}" for value in (median(quotients), min(quotients), max(quotients))]
        print(f"| {' | '.join([game, *cells, 'the same' if same else 'differ'])} |", flush=True)


if __name__ == "__main__":
    main()
