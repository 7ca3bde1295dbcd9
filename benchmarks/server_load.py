"""Measure the moves a second that a server bears on one core, and the time of each move.

In each room four people play at random. The server runs on the first core, and the people on the second. The table has the
server's processor time for a move, and the times from sending a move to its acknowledgement. A busy machine makes processor
time longer. So the last column has the milliseconds of processor time that a fixed piece of work took on the server's core.
With `--kept`, the database has this many rooms before the start, half of them with running clocks. Then the time of the
start and the server's memory are printed, too. This needs `taskset`.

Figures: docs/speed.md#load
"""

import asyncio
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.measuring import print_header, print_row
from benchmarks.servers import post, processor_seconds, serving
from ludoteca.core import registry
from ludoteca.core.game import load
from ludoteca.server.model import events
from ludoteca.server.model.creation import new_row
from ludoteca.server.model.fair import Draw
from ludoteca.server.store.store import Store

SEATS: Final = 4
OVER: Final = -4
"""The player to move in a finished game."""
BEGINNING_SECONDS: Final = 10.0
"""The time in which the rooms are made. They start one after the other, so that their games end at different times."""
WARMING_SECONDS: Final = BEGINNING_SECONDS + 3
"""The time before the measurement."""
WITHOUT_LIMITS: Final = [
    word
    for limit in ("processor-of-address", "rooms-of-address", "seats-taken-of-address")
    for word in (f"--{limit}", "1e9,1e9")
]
"""Options of the server. All people have the same address."""
KEPT_MOVES: Final = 20
STORED_AT_ONCE: Final = 500
MEMORY_SAMPLES: Final = 10
REFERENCE_WORK: Final = """
import sys, time
def work():
    begin, total = time.thread_time(), 0
    for i in range(50_000):
        total += i * i
    return time.thread_time() - begin
end, spent, pieces = time.monotonic() + float(sys.argv[1]), 0.0, 0
while time.monotonic() < end:
    spent, pieces = spent + work(), pieces + 1
    time.sleep(0.1)
print(f"{1000 * spent / pieces * 1_000_000 / 50_000:.0f}")
"""
"""Prints the milliseconds of processor time of a million turns. It uses two hundredths of the core. The loop is in a
function, because Python needs twice the time for global names."""


async def fill(file: str, number: int) -> None:
    """Fill a database with unfinished rooms, every second one with a running clock."""
    store, game = Store.open(file), load("okupacio", players=SEATS)
    made = [events.SeatMade("person", str(seat), token=str(seat)) for seat in range(SEATS)]
    state, happened = game.new_initial_state(0), []
    for _ in range(KEPT_MOVES):
        action = state.legal_actions()[0]
        moved = events.Moved(state.current_player(), state.action_to_string(action), 1000)
        happened.append(events.encode(moved))
        state.apply_action(action)
    for first in range(0, number, STORED_AT_ONCE):
        clocks = [{"move": 86_400} if at % 2 else None for at in range(first, min(number, first + STORED_AT_ONCE))]
        rows = [new_row(game, events.Options(made, clock), Draw(bytes(32), bytes(32))) for clock in clocks]
        await asyncio.gather(*map(store.create_room, rows))
        for n, event in enumerate(happened, 1):
            await asyncio.gather(*(store.append(row.id, n, event, time.time(), begun=n == 1) for row in rows))
    await store.close()


def memory_mb(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


async def print_memory(process: int, seconds: float) -> None:
    """Print the server's memory at ten times in this many seconds."""
    found = []
    for _ in range(MEMORY_SAMPLES):
        await asyncio.sleep(seconds / MEMORY_SAMPLES)
        found.append(memory_mb(process))
    print(f"MB of memory, every {seconds / MEMORY_SAMPLES:.0f} s: {', '.join(map(str, found))}", file=sys.stderr, flush=True)


# the people


class Frame(msgspec.Struct):
    """The fields of a server's frame that people use."""

    t: str
    id: int = -1
    ply: int = 0
    position_n: int = 0
    mover: int = -1
    choices: list[tuple[str, msgspec.Raw, msgspec.Raw]] | None = None
    give_up: str = ""


DECODER = msgspec.json.Decoder(Frame)


@dataclass
class Figures:
    """The measurements of the people."""

    seconds: list[float] = field(default_factory=list)
    """The time from sending each move to its acknowledgement."""
    bytes: int = 0


class Table:
    """Four people who play one game after the other."""

    def __init__(self, address: str, game: str, begin: float, pause: float, figures: Figures) -> None:
        self._address = address
        self._game = game
        self._begin = begin
        self._pause = pause
        self._figures = figures
        self._sent: dict[int, float] = {}
        """The time of each move, by the number of actions before it."""
        self._next = time.monotonic() + begin + random.random() * pause

    async def play(self) -> None:
        """Make a room after `begin` seconds, and a new one after each game."""
        await asyncio.sleep(self._begin)
        while True:
            async with self._sockets() as sockets, asyncio.TaskGroup() as group:
                for seat, socket in enumerate(sockets):
                    group.create_task(self._sit(seat, socket, group))

    @asynccontextmanager
    async def _sockets(self) -> AsyncIterator[list[ClientConnection]]:
        room, tokens = await asyncio.to_thread(new_room, self._address, self._game)
        where = f"ws{self._address.removeprefix('http')}ws/{room}"
        sockets = []
        for token in tokens:
            sockets.append(await connect(where, max_size=None, max_queue=None, compression=None, open_timeout=120))
            await sockets[-1].send(json.dumps({"t": "hello", "token": token}))
        self._sent.clear()
        yield sockets
        for socket in sockets:
            await socket.close()

    async def _sit(self, seat: int, socket: ClientConnection, group: asyncio.TaskGroup) -> None:
        own: Frame | None = None
        async for text in socket:
            self._figures.bytes += len(text)
            frame = DECODER.decode(text)
            if frame.t == "error":
                raise ValueError(f"{self._game}: refused: {text!r}")
            if frame.t == "done":
                self._figures.seconds.append(time.monotonic() - self._sent[frame.id])
            if frame.t in ("room", "yours"):
                own = frame
            if frame.t in ("room", "event"):
                if frame.mover == OVER:
                    return
                if frame.mover == seat and own and own.choices:
                    # a task, because reading the acknowledgement must not wait for the same player's next move
                    group.create_task(self._move(socket, frame, own))
                    own = None

    async def _move(self, socket: ClientConnection, frame: Frame, own: Frame) -> None:
        actions = [action for action, *_ in own.choices or [] if action != own.give_up]
        body = {"t": "play", "id": frame.ply, "n": frame.position_n, "action": random.choice(actions)}
        await asyncio.sleep(max(0.0, self._next - time.monotonic()))
        self._next = max(self._next, time.monotonic() - self._pause) + self._pause
        self._sent[frame.ply] = time.monotonic()
        await socket.send(json.dumps(body))


def new_room(address: str, game: str) -> tuple[str, list[str]]:
    """Make a room, take its seats, and return its name and the tokens of the seats."""
    players = {kind.name: SEATS for kind in registry.find(game).parameters if kind.name == "players"}
    seats = [{"kind": "person", "name": "1"}, *({"kind": "open"} for _ in range(1, SEATS))]
    made = post(address, "rooms", {"game": game, "parameters": players, "seats": seats})
    taken = [made, *(post(address, f"rooms/{made['room']}/seats", {"name": str(n)}) for n in range(2, SEATS + 1))]
    return made["room"], [seat["token"] for seat in sorted(taken, key=lambda seat: seat["seat"])]


# the measurement


async def measure(address: str, process: int, core: int, games: list[str], options: Namespace) -> None:
    """Let people play, and print the figures of the time after the first seconds."""
    figures = Figures()
    pause = options.rooms / options.rate
    begins = [BEGINNING_SECONDS * number / options.rooms for number in range(options.rooms)]
    tables = [Table(address, games[number % len(games)], begin, pause, figures) for number, begin in enumerate(begins)]
    people = [asyncio.create_task(table.play()) for table in tables]
    await asyncio.wait(people, timeout=WARMING_SECONDS, return_when=asyncio.FIRST_EXCEPTION)
    figures.seconds.clear()
    figures.bytes = 0
    sampling = asyncio.create_task(print_memory(process, options.seconds)) if options.kept else None
    command = ["taskset", "-c", str(core), sys.executable, "-c", REFERENCE_WORK, str(options.seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reference:
        begin, used = time.monotonic(), processor_seconds(process)
        await asyncio.wait(people, timeout=options.seconds, return_when=asyncio.FIRST_EXCEPTION)
        spent, used = time.monotonic() - begin, processor_seconds(process) - used
        turns, _ = await asyncio.to_thread(reference.communicate)
    if sampling:
        await sampling
    for person in people:
        person.cancel()
    for result in await asyncio.gather(*people, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
    moves = len(figures.seconds)
    times = (f"{1000 * percentile(figures.seconds, p):.0f}" for p in (0.5, 0.99))
    frame_kb = figures.bytes / max(1, moves) / SEATS / 1000
    cells = (f"{moves / spent:,.0f}", f"{1000 * used / max(1, moves):.2f}", *times, f"{frame_kb:.1f}")
    print_row(", ".join(games), *cells, turns.strip())


def percentile(values: Sequence[float], p: float) -> float:
    return sorted(values)[math.ceil(p * len(values)) - 1] if values else math.nan


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="(each game alone, then all together)")
    parser.add_argument("--together", action="store_true", help="only all games together")
    parser.add_argument("--rooms", type=int, default=50, help="(50)")
    parser.add_argument("--rate", type=float, default=500, help="moves a second in all rooms (500)")
    parser.add_argument("--seconds", type=float, default=10, help="time of each line (10)")
    parser.add_argument("--kept", type=int, default=0, help="rooms in the database before the start (0)")
    options = parser.parse_args(arguments)
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[-1]})
    names = options.games or registry.names()
    alone = [] if options.together else [[name] for name in names]
    print_header("games", "moves/s", "ms a move", "p50, ms", "p99, ms", "kB a frame", "ms a million turns")
    for games in [*alone, *([names] if len(names) > 1 else [])]:
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/load.sqlite"
            if options.kept:
                asyncio.run(fill(file, options.kept))
            server = ["--workers", "1", "--data", file, *WITHOUT_LIMITS]
            begin = time.monotonic()
            with serving(*server, before=["taskset", "-c", str(cores[0])]) as (address, process):
                if options.kept:
                    start = f"{time.monotonic() - begin:.1f} s, {processor_seconds(process):.1f} s of processor time"
                    print(f"start: {start}, {memory_mb(process)} MB", file=sys.stderr, flush=True)
                asyncio.run(measure(address, process, cores[0], games, options))
