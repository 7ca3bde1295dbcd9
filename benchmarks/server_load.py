"""What a server on one core bears: 50 rooms of four people each, who play at random over 200 WebSockets.

    python benchmarks/server_load.py [--game NAME]... [--rooms N] [--rate MOVES_A_SECOND] [--seconds S] [--profile FILE]
    python benchmarks/server_load.py --kept 10000 --seconds 300 --game okupacio     # a long time, over a full database

The server has the first of this process's cores, the clients the second; nothing leaves the loopback interface. A move is
sent at its time (`--rate` in all; 0: as soon as it is somebody's turn), is accepted, stored and told to all four seats.
Prints a Markdown table, a line a game, and one for all of them together. A busy machine makes processor time longer, so
the last column has what a fixed piece of work took meanwhile on the server's core. With `--kept`, so many rooms lie in the
database before the server starts, half of them with clocks that run; it is told how long the start took, and how the
server's memory goes.
"""

import argparse
import asyncio
import cProfile
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import Request, urlopen

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from ludoteca.core import registry

SEATS = 4
BEGINNING = 10.0
"""Seconds in which rooms are made, one after the other: people do not begin all at once, so games do not end all at once."""
WARMING = BEGINNING + 3
"""Seconds that are played before those that count."""
TICKS = os.sysconf("SC_CLK_TCK")
KEPT_MOVES = 20
TOGETHER = 500
LOOKS = 10
PIECE = 50_000
"""Turns that are done at once, ten times a second: they take the server's core two or three hundredths of its time."""


# the server's process


def serve(port: int, data: str, profile: str | None) -> None:
    """A server without limits for one address, since all of these people share theirs."""
    import uvicorn

    from ludoteca.server.app import create_app
    from ludoteca.server.http.protocols import config_of
    from ludoteca.server.settings import Rate, Settings
    from ludoteca.server.store.store import Store

    boundless = Rate(1e9, 1e9)
    app = create_app(
        Store.open(data),
        Settings(
            workers=1,
            frames=boundless,
            processor_of_address=boundless,
            rooms_of_address=boundless,
            seats_taken_of_address=boundless,
        ),
    )
    server = uvicorn.Server(config_of(app, "127.0.0.1", port))
    with suppress(KeyboardInterrupt), profiled(profile):
        server.run()


@contextmanager
def profiled(file: str | None) -> Iterator[None]:
    """Write to a file, whichever way it ends, what takes the time of this thread."""
    if file is None:
        yield
        return
    profiler = cProfile.Profile(time.thread_time)
    try:
        with profiler:
            yield
    finally:
        profiler.dump_stats(file)


@contextmanager
def running(folder: str, core: int, profile: str | None) -> Iterator[tuple[int, int]]:
    """A server on that core: its port, and its process."""
    port = 8765
    command = [sys.executable, __file__, "--serve", str(port), "--data", f"{folder}/load.sqlite"]
    command += ["--profile", profile] if profile else []
    with subprocess.Popen(["taskset", "-c", str(core), *command]) as process:
        try:
            begun = time.monotonic()
            wait_for(port)
            started = (
                f"start: {time.monotonic() - begun:.1f} s, {busy(process.pid):.1f} s of processor, {memory(process.pid)} MB"
            )
            print(started, file=sys.stderr, flush=True)
            yield port, process.pid
        finally:
            process.send_signal(signal.SIGINT)


def keep(data: str, number: int) -> None:
    """Fill a database with rooms under way, every second one with a clock that runs."""
    from ludoteca.core.game import load
    from ludoteca.server.model import events
    from ludoteca.server.model.creation import new_row
    from ludoteca.server.model.fair import Draw
    from ludoteca.server.store.store import Store

    async def fill() -> None:
        store = Store.open(data)
        game = load("okupacio", players=SEATS)
        made = [events.SeatMade("person", str(seat), token=str(seat)) for seat in range(SEATS)]
        state, happened = game.new_initial_state(0), []
        for _ in range(KEPT_MOVES):
            action = state.legal_actions()[0]
            moved = events.Moved(state.current_player(), state.action_to_string(action), 1000)
            happened.append(events.encode(moved))
            state.apply_action(action)
        for first in range(0, number, TOGETHER):
            clocks = [{"move": 86_400} if at % 2 else None for at in range(first, min(number, first + TOGETHER))]
            rows = [new_row(game, events.Options(made, clock), Draw(bytes(32), bytes(32))) for clock in clocks]
            await asyncio.gather(*map(store.create_room, rows))
            for n, event in enumerate(happened, 1):
                await asyncio.gather(*(store.append(row.id, n, event, time.time(), begun=n == 1) for row in rows))
        await store.close()

    asyncio.run(fill())


def memory(process: int) -> int:
    """Megabytes of memory that the server has."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


async def watch(process: int, seconds: float) -> None:
    """Tell the server's memory, ten times in so many seconds."""
    found = []
    for _ in range(LOOKS):
        await asyncio.sleep(seconds / LOOKS)
        found.append(memory(process))
    print(f"MB of memory, every {seconds / LOOKS:.0f} s: {', '.join(map(str, found))}", file=sys.stderr, flush=True)


def wait_for(port: int) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            urlopen(f"http://127.0.0.1:{port}/api/games").close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("the server does not start")


def post(port: int, path: str, body: object) -> dict[str, str]:
    request = Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request) as answer:
        given: dict[str, str] = json.loads(answer.read())
        return given


def busy(process: int) -> float:
    """Seconds of processor that the server has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def turn(seconds: float) -> None:
    """Do a piece of work now and then, for so long, and print the milliseconds of processor that a million turns take."""
    end, spent, pieces = time.monotonic() + seconds, 0.0, 0
    while time.monotonic() < end:
        begun, total = time.thread_time(), 0
        for i in range(PIECE):
            total += i * i
        spent, pieces = spent + time.thread_time() - begun, pieces + 1
        time.sleep(0.1)
    print(f"{1000 * spent / pieces * 1_000_000 / PIECE:.0f}")


@contextmanager
def turning(core: int, seconds: float) -> Iterator[subprocess.Popen[str]]:
    """A process that does so on that core."""
    command = ["taskset", "-c", str(core), sys.executable, __file__, "--turn", str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process


# the people


class Frame(msgspec.Struct):
    """What matters here of a server's frame."""

    t: str
    id: int = -1
    ply: int = 0
    position_n: int | None = None
    """None in frames of servers that ask for `at`, the number of actions, in place of `n`."""
    mover: int = -1
    choices: list[tuple[str, msgspec.Raw, msgspec.Raw]] | None = None
    give_up: str = ""
    code: str = ""


DECODER = msgspec.json.Decoder(Frame)


@dataclass
class Figures:
    """Seconds from sending a move to its acknowledgement, and to the last of the four events that tell of it."""

    acknowledged: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    bytes: int = 0

    def clear(self) -> None:
        self.acknowledged.clear()
        self.told.clear()
        self.bytes = 0


class Table:
    """Four people, one game after the other."""

    def __init__(self, port: int, game: str, begin: float, pause: float, figures: Figures) -> None:
        self._port = port
        self._game = game
        self._begin = begin
        self._pause = pause
        self._figures = figures
        self._sent: dict[int, float] = {}  # when, by how many actions were played before it
        self._heard: Counter[int] = Counter()
        self._next = time.monotonic() + begin + random.random() * pause

    async def play(self) -> None:
        """Make a room after `begin` seconds, and another one after each end of a game."""
        await asyncio.sleep(self._begin)
        while True:
            async with self._sockets() as sockets, asyncio.TaskGroup() as group:
                for seat, socket in enumerate(sockets):
                    group.create_task(self._sit(seat, socket, group))

    @asynccontextmanager
    async def _sockets(self) -> AsyncIterator[list[ClientConnection]]:
        room, tokens = await asyncio.to_thread(new_room, self._port, self._game)
        address = f"ws://127.0.0.1:{self._port}/ws/{room}"
        sockets = []
        for token in tokens:
            sockets.append(await connect(address, max_size=None, max_queue=None, compression=None, open_timeout=120))
            await sockets[-1].send(json.dumps({"t": "hello", "token": token}))
        self._sent.clear()
        self._heard.clear()
        yield sockets
        for socket in sockets:
            await socket.close()

    async def _sit(self, seat: int, socket: ClientConnection, group: asyncio.TaskGroup) -> None:
        async for text in socket:
            self._figures.bytes += len(text)
            frame = DECODER.decode(text)
            if frame.t == "error":
                raise ValueError(f"{self._game}: refused: {text!r}")
            if frame.t == "done":
                self._figures.acknowledged.append(time.monotonic() - self._sent[frame.id])
            elif frame.t == "event" and frame.ply - 1 in self._sent:
                self._hear(frame.ply - 1)
            if frame.t in ("room", "event"):
                if frame.mover == -4:
                    return
                if frame.mover == seat and frame.choices:
                    # beside the reading: an acknowledgement must not wait for the same player's next move
                    group.create_task(self._move(socket, frame))

    def _hear(self, at: int) -> None:
        self._heard[at] += 1
        if self._heard[at] == SEATS:
            self._figures.told.append(time.monotonic() - self._sent[at])

    async def _move(self, socket: ClientConnection, frame: Frame) -> None:
        actions = [action for action, *_ in frame.choices or [] if action != frame.give_up]
        position = {"at": frame.ply} if frame.position_n is None else {"n": frame.position_n}
        body = json.dumps({"t": "play", "id": frame.ply, **position, "action": random.choice(actions)})
        await asyncio.sleep(max(0.0, self._next - time.monotonic()))
        self._next = max(self._next, time.monotonic() - self._pause) + self._pause
        self._sent[frame.ply] = time.monotonic()
        await socket.send(body)


def new_room(port: int, game: str) -> tuple[str, list[str]]:
    """A room, and the secrets of its four seats."""
    players = {kind.name: SEATS for kind in registry.find(game).parameters if kind.name == "players"}
    seats = [{"kind": "person", "name": "1"}, *({"kind": "open"} for _ in range(1, SEATS))]
    made = post(port, "/api/rooms", {"game": game, "parameters": players, "seats": seats})
    taken = [made, *(post(port, f"/api/rooms/{made['room']}/seats", {"name": str(n)}) for n in range(2, SEATS + 1))]
    return made["room"], [seat["token"] for seat in sorted(taken, key=lambda seat: seat["seat"])]


# the measurement


async def measure(port: int, process: int, core: int, games: list[str], options: argparse.Namespace) -> str:
    """Have them play, and count what happens once all have begun."""
    figures = Figures()
    pause = options.rooms / options.rate if options.rate else 0.0
    begins = [BEGINNING * number / options.rooms for number in range(options.rooms)]
    tables = [Table(port, games[number % len(games)], begin, pause, figures) for number, begin in enumerate(begins)]
    people = [asyncio.create_task(table.play()) for table in tables]
    await asyncio.wait(people, timeout=WARMING, return_when=asyncio.FIRST_EXCEPTION)
    figures.clear()
    looking = asyncio.create_task(watch(process, options.seconds)) if options.kept else None
    with turning(core, options.seconds) as turns:
        begun, used = time.monotonic(), busy(process)
        await asyncio.wait(people, timeout=options.seconds, return_when=asyncio.FIRST_EXCEPTION)
        spent, used = time.monotonic() - begun, busy(process) - used
        meanwhile, _ = await asyncio.to_thread(turns.communicate)
    if looking:
        await looking
    for person in people:
        person.cancel()
    for result in await asyncio.gather(*people, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
    return row(games, figures, spent, used, meanwhile.strip())


def row(games: list[str], figures: Figures, spent: float, used: float, meanwhile: str) -> str:
    moves = len(figures.acknowledged)
    cells = [
        ", ".join(games),
        f"{moves / spent:,.0f}",
        *(f"{1000 * percentile(times, p):.0f}" for times in (figures.acknowledged, figures.told) for p in (0.5, 0.99)),
        f"{100 * used / spent:.0f} %",
        f"{1000 * used / max(1, moves):.2f}",
        f"{figures.bytes / max(1, moves) / SEATS / 1000:.1f}",
        meanwhile,
    ]
    return f"| {' | '.join(cells)} |"


def percentile(values: list[float], p: float) -> float:
    return sorted(values)[math.ceil(p * len(values)) - 1] if values else math.nan


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="only these; else each alone, and then all together")
    parser.add_argument("--rooms", type=int, default=50)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument(
        "--profile", help="have the server write a pstats profile to this file; of several games, the last stays"
    )
    parser.add_argument("--kept", type=int, default=0, help="rooms that lie in the database before the server starts")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    parser.add_argument("--turn", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--together", action="store_true", help="all of these games together only, none alone")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    if options.serve:
        serve(options.serve, options.data, options.profile)
        return
    if options.turn:
        turn(options.turn)
        return
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[-1]})
    names = options.game or registry.names()
    columns = ["games", "moves/s", "acknowledged, ms: p50", "p99", "told to all, ms: p50", "p99", "core", "ms a move"]
    columns += ["kB a frame", "ms a million turns"]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    alone = [] if options.together else [[name] for name in names]
    for games in [*alone, *([names] if len(names) > 1 else [])]:
        with tempfile.TemporaryDirectory() as folder:
            if options.kept:
                keep(f"{folder}/load.sqlite", options.kept)
            with running(folder, cores[0], options.profile) as (port, process):
                print(asyncio.run(measure(port, process, cores[0], games, options)), flush=True)


if __name__ == "__main__":
    main()
