"""Measure the time to the first move on a new machine, with an empty cache of compiled functions.

For each game, this starts a server and makes a room with agents of one level. The processor time is that of the server and
of the process that thinks, until the first move. It does not include the process that compiles. The last column is the time
from the start of `ludoteca play` to its first move.

Figures: docs/speed.md#the-first-answer
"""

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from websockets.sync.client import connect

from benchmarks.measuring import print_header, print_row
from benchmarks.servers import post, processor_seconds, serving, started
from ludoteca.core import registry

PLAYERS = {"metro": {"players": 2}}
SEATS = {"cartas": 4}
FRAME_SECONDS = 600.0


def in_the_browser(game: str, level: str) -> tuple[float, float]:
    """Return the seconds from the start of a server to its first move, and the processor seconds."""
    begin = time.perf_counter()
    with serving("--pace", "0", cold=True) as (address, server):
        seats = [{"kind": "agent", "agent": level}] * SEATS.get(game, 2)
        room = post(address, "rooms", {"game": game, "parameters": PLAYERS.get(game, {}), "seats": seats})["room"]
        with connect(f"ws{address.removeprefix('http')}ws/{room}", max_size=None) as spectator:
            spectator.send('{"t": "hello"}')
            while json.loads(spectator.recv(FRAME_SECONDS)).get("ply", 0) == 0:
                pass
        seconds = time.perf_counter() - begin
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        thinker = map(int, children[:1])  # it starts before the process that compiles
        return seconds, sum(map(processor_seconds, (server, *thinker)))


def in_the_terminal(game: str, level: str) -> float:
    """Return the seconds from the start of `ludoteca play` to its first move."""
    begin = time.perf_counter()
    parameters = [f"--{name}={value}" for name, value in PLAYERS.get(game, {}).items()]
    options = ["--opponent", level, "--seat", "2", "--seed", "1", "--language", "en"]
    with started("play", game, *parameters, *options, cold=True) as program:
        assert program.stdout
        if not any(line.startswith("Player 1 ") for line in program.stdout):
            sys.exit(f"first_answer: `ludoteca play {game}` ended without a move")
        return time.perf_counter() - begin


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="(all)")
    parser.add_argument("--level", default="3", help="the level of the agents (3)")
    options = parser.parse_args(arguments)
    print_header("game", "server to first move, s", "of the processor, s", "terminal, s")
    for game in options.games or registry.names():
        seconds = (*in_the_browser(game, options.level), in_the_terminal(game, options.level))
        print_row(game, *(f"{value:.1f}" for value in seconds))
