"""Two versions of the server at the same time, on the same core: what a move takes in each, and in one of the other.

    git worktree add ../before COMMIT
    python -m benchmarks.server_pair ../before [--rooms N] [--rate MOVES_A_SECOND] [--together N] [--seconds S] [--game NAME]

On a shared machine the same run takes twice as long one minute and half as long the next. Two servers that take turns by the
millisecond meet the same minute: their quotient differs by 2 % between runs of the same two. Each server, of that checkout
and of this one, has so many rooms of four people who play at random (`server_load.py`); the people have the second core.
Beside another server, each takes longer than alone: only the quotient says something.

A transaction costs much more than one more move in it. At 500 moves a second, the servers' window of 20 ms brings ten into
each; at a lower rate, both servers are given a window that brings as many (`--together`).
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.server_load import BEGINNING, WARMING, Figures, Table, busy, percentile, wait_for
from ludoteca.core import registry

PARTS = 4
"""Parts of the time that are told one by one: how far they differ says how far to trust them all."""
PORTS = 8765, 8766


WITH_WINDOW = """
import runpy, sys
from ludoteca.server.store import writer
writer.WINDOW, sys.argv = float(sys.argv[1]), sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Runs a script whose server has a window of so many seconds."""


@contextmanager
def running(checkout: Path, port: int, core: int, window: float) -> Iterator[int]:
    """The server of a checkout at that port, on that core, with that window: its process."""
    script, environment = checkout / "benchmarks" / "server_load.py", os.environ | {"PYTHONPATH": str(checkout / "src")}
    with tempfile.TemporaryDirectory() as folder:
        command = ["taskset", "-c", str(core), sys.executable, "-c", WITH_WINDOW, str(window), str(script)]
        command += ["--serve", str(port), "--data", f"{folder}/load.sqlite"]
        with subprocess.Popen(command, env=environment, cwd=checkout) as process:
            try:
                wait_for(port)
                yield process.pid
            finally:
                process.send_signal(signal.SIGINT)


async def measure(processes: list[int], games: list[str], options: argparse.Namespace) -> None:
    """Have people play on both servers, and print a line for each part of the time and one for all of it."""
    figures = [Figures() for _ in processes]
    pause = options.rooms / options.rate
    people = [
        asyncio.create_task(
            Table(port, games[number % len(games)], BEGINNING * number / options.rooms, pause, of_server).play()
        )
        for port, of_server in zip(PORTS, figures, strict=True)
        for number in range(options.rooms)
    ]
    await asyncio.wait(people, timeout=WARMING, return_when=asyncio.FIRST_EXCEPTION)
    print("| | there, ms a move | here | here / there | p99, ms: there | here |\n|---|---|---|---|---|---|", flush=True)
    moves, spent = [0, 0], [0.0, 0.0]
    for part in range(1, PARTS + 1):
        for of_server in figures:
            of_server.clear()
        used = [busy(process) for process in processes]
        await asyncio.wait(people, timeout=options.seconds / PARTS, return_when=asyncio.FIRST_EXCEPTION)
        used = [busy(process) - before for process, before in zip(processes, used, strict=True)]
        played = [len(of_server.acknowledged) for of_server in figures]
        moves, spent = [a + b for a, b in zip(moves, played, strict=True)], [a + b for a, b in zip(spent, used, strict=True)]
        slow = [f"{1000 * percentile(of_server.acknowledged, 0.99):.0f}" for of_server in figures]
        print(row(str(part), played, used, slow), flush=True)
    print(row("all", moves, spent, ["", ""]))
    for person in people:
        person.cancel()
    for result in await asyncio.gather(*people, return_exceptions=True):
        if isinstance(result, Exception):
            raise result


def row(name: str, moves: list[int], spent: list[float], slow: list[str]) -> str:
    there, here = (1000 * seconds / max(1, number) for seconds, number in zip(spent, moves, strict=True))
    return f"| {' | '.join([name, f'{there:.2f}', f'{here:.2f}', f'{here / there:.3f}', *slow])} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("there", type=Path, help="another checkout")
    parser.add_argument("--game", action="append", help="only these; else all")
    parser.add_argument("--rooms", type=int, default=25, help="of each server")
    parser.add_argument("--rate", type=float, default=150, help="moves a second of each server")
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--together", type=float, default=10, help="moves that are stored together, about")
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[-1]})
    checkouts, window = (options.there.resolve(), Path(__file__).resolve().parents[1]), options.together / options.rate
    with ExitStack() as servers:
        processes = [
            servers.enter_context(running(checkout, port, cores[0], window))
            for checkout, port in zip(checkouts, PORTS, strict=True)
        ]
        asyncio.run(measure(processes, options.game or registry.names(), options))


if __name__ == "__main__":
    main()
