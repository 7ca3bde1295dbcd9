"""How long the first answer takes on a new machine: an empty cache of machine code, a server or a terminal just started.

    python benchmarks/first_answer.py [--games NAME...] [--levels 1 3 5] [--python PYTHON] [--whole]

For each game and level a server is started, a room with two agents of that level is made at once, and watched. Prints a
Markdown table of seconds: from the server's start to its first move, and what processor time the server and the process that
thinks had taken by then (what compiles meanwhile is another one, and nobody waits for it); from the room to that; from the
start of `ludoteca play` to its first move; with `--whole` from the server's start until all is compiled (slow). `--python`
is one in whose environment another version is installed. Processor time is read as Linux tells it.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect

GAMES = ("okupacio", "conclave", "cartas", "qinto", "metro")
PLAYERS = {"metro": {"players": 2}}
SEATS = {"cartas": 4}
PATIENCE = 600.0


@contextmanager
def fresh(python: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command of ludoteca's with an empty cache and no games."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"LUDOTECA_CACHE": cache, "LUDOTECA_DATA": f"{cache}/games", "PYTHONUNBUFFERED": "1"}
        command = [python, "-m", "ludoteca", *arguments]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        ) as process:
            try:
                yield process
            finally:
                process.terminate()


def post(address: str, body: object) -> Any:
    with urlopen(Request(f"{address}api/rooms", json.dumps(body).encode()), timeout=30) as answer:
        return json.load(answer)


def processor_seconds(process: int) -> float:
    """The processor time that a process has taken, without its children."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def in_the_browser(python: str, game: str, level: str, whole: bool) -> tuple[float, float, float, float | None]:
    """Seconds to a server's first move, of the processor for that, of the move alone, and until all is compiled."""
    begin = time.perf_counter()
    with fresh(python, "serve", "--port", "0", "--no-open", "--pace", "0") as server:
        assert server.stdout
        address = server.stdout.readline().split()[-1]
        seats = [{"kind": "agent", "agent": level}] * SEATS.get(game, 2)
        room = post(address, {"game": game, "parameters": PLAYERS.get(game, {}), "seats": seats})["room"]
        asked = time.perf_counter()
        first = None
        with connect(f"ws{address.removeprefix('http')}ws/{room}", max_size=None) as watcher:
            watcher.send('{"t": "hello"}')
            while True:
                frame = json.loads(watcher.recv(PATIENCE))
                if frame.get("ply", 0) > 0 and first is None:
                    first = time.perf_counter()
                    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
                    cpu = sum(map(processor_seconds, (server.pid, *map(int, children[:1]))))  # the thinker began first
                if first and not whole:
                    return first - begin, cpu, first - asked, None
                if first and frame.get("percent") == 100:
                    return first - begin, cpu, first - asked, time.perf_counter() - begin
                if first and frame.get("over"):
                    return first - begin, cpu, first - asked, None


def in_the_terminal(python: str, game: str, level: str) -> float:
    """Seconds from the start of the program to its first move."""
    begin = time.perf_counter()
    options = [f"--{name}={value}" for name, value in PLAYERS.get(game, {}).items()]
    with fresh(
        python, "play", game, *options, "--opponent", level, "--seat", "2", "--seed", "1", "--language", "en"
    ) as program:
        assert program.stdout
        for line in program.stdout:
            if re.match("Player 1 ", line):
                return time.perf_counter() - begin
    raise AssertionError(f"{game} ended")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--levels", nargs="+", default=("1", "3", "5"))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--whole", action="store_true")
    chosen = parser.parse_args()
    print(
        "| game | level | server to first move, s | of the processor | move alone | terminal | until compiled |\n"
        "|---|---|---:|---:|---:|---:|---:|",
        flush=True,
    )
    for game in chosen.games:
        for level in chosen.levels:
            first, cpu, alone, compiled = in_the_browser(chosen.python, game, level, chosen.whole)
            terminal = in_the_terminal(chosen.python, game, level)
            until = f"{compiled:.1f}" if compiled else ""
            print(f"| {game} | {level} | {first:.1f} | {cpu:.1f} | {alone:.1f} | {terminal:.1f} | {until} |", flush=True)


if __name__ == "__main__":
    main()
