"""How long the server's event loop is kept from what is due, while agents think and people play.

    python benchmarks/server_delay.py [--game NAME] [--agents N] [--people ROOMS] [--seconds S]

`--agents` agents of the highest level think at the same time, each in a process; in `--people` further rooms two people
each play at random, a move a second. A task of the loop sleeps for a millisecond again and again: what it oversleeps is the
delay. Clients are in a process of their own; nothing leaves the loopback interface. Prints one JSON object.
"""

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from typing import Any
from urllib.request import Request, urlopen

import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from ludoteca.server.app import create_app
from ludoteca.server.http.protocols import config_of
from ludoteca.server.settings import Rate, Settings
from ludoteca.server.store.store import Store

LEVEL = "8"
WARMING = 20.0
"""Seconds in which processes start and load what is compiled; more when it is compiled first."""
STEP = 0.001
PATIENCE = 600.0


async def probe(delays: list[float]) -> None:
    """Oversleep, and write down by how much, in milliseconds."""
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(STEP)
        delays.append(1000 * (time.perf_counter() - begun - STEP))


async def measure(chosen: argparse.Namespace, data: str) -> dict[str, Any]:
    """Run the server and the clients, and look at the loop."""
    boundless = Rate(1e9, 1e9)
    app = create_app(
        Store.open(data),
        Settings(
            workers=chosen.agents,
            frames=boundless,
            processor_of_address=boundless,
            rooms_of_address=boundless,
            seats_taken_of_address=boundless,
            pace=0,
        ),
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(config_of(app, "127.0.0.1", 0))
        serving = asyncio.create_task(server.serve([listening]))
        command = [sys.executable, __file__, "--port", str(listening.getsockname()[1]), *sys.argv[1:]]
        clients = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
        delays = await observe(clients, chosen.seconds)
        clients.terminate()
        await clients.wait()
        server.should_exit = True
        await serving
    return figures(chosen, sorted(delays))


async def observe(clients: asyncio.subprocess.Process, seconds: float) -> list[float]:
    """The delays, from when all is compiled and loaded."""
    assert clients.stdout
    ready = await asyncio.wait_for(clients.stdout.readline(), PATIENCE)
    assert ready == b"ready\n", "the clients ended"
    delays: list[float] = []
    probing = asyncio.create_task(probe(delays))
    await asyncio.sleep(seconds)
    probing.cancel()
    return delays


def figures(chosen: argparse.Namespace, delays: list[float]) -> dict[str, Any]:
    """What is printed."""
    parts = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}
    found = {name: round(delays[int(part * len(delays))], 2) for name, part in parts.items()}
    setting = {"game": chosen.game, "agents": chosen.agents, "rooms_of_people": chosen.people, "cores": os.cpu_count()}
    return setting | {"unit": "ms", **found, "max": round(delays[-1], 2), "samples": len(delays)}


# the clients' process


def ask(port: int, path: str, body: object) -> Any:
    """POST something."""
    request = Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode())
    with urlopen(request, timeout=30) as answer:
        return json.load(answer)


async def watch(port: int, game: str, thinking: set[str]) -> None:
    """Watch agents play one game after the other: one of the two thinks at any time."""
    agent = {"kind": "agent", "agent": LEVEL}
    while True:
        room = (await asyncio.to_thread(ask, port, "/api/rooms", {"game": game, "seats": [agent, agent]}))["room"]
        async with connect(f"ws://127.0.0.1:{port}/ws/{room}", max_size=None) as watcher:
            await watcher.send('{"t": "hello"}')
            async for text in watcher:
                frame = json.loads(text)
                if frame.get("kind") == "thinking":
                    thinking.add(room)
                if frame.get("mover") == -4:
                    break


async def play(port: int, game: str) -> None:
    """Two people in a room, a move a second, at random."""
    while True:
        body = {"game": game, "seats": [{"kind": "person", "name": "a"}, {"kind": "open"}]}
        made = await asyncio.to_thread(ask, port, "/api/rooms", body)
        taken = await asyncio.to_thread(ask, port, f"/api/rooms/{made['room']}/seats", {"name": "b"})
        async with AsyncExitStack() as stack:
            where = f"ws://127.0.0.1:{port}/ws/{made['room']}"
            sockets = [await stack.enter_async_context(connect(where, max_size=None)) for _ in range(2)]
            await asyncio.gather(*map(sit, sockets, (made["token"], taken["token"])))


async def sit(client: ClientConnection, token: str) -> None:
    """Play one seat to the end."""
    await client.send(json.dumps({"t": "hello", "token": token}))
    async for text in client:
        frame = json.loads(text)
        if frame.get("mover") == -4:
            return
        picks = [choice[0] for choice in frame.get("choices") or () if choice[0] != frame.get("give_up")]
        if picks:
            await asyncio.sleep(random.uniform(0.5, 1.5))
            await client.send(json.dumps({"t": "play", "id": 1, "n": frame["position_n"], "action": random.choice(picks)}))


async def be_clients(chosen: argparse.Namespace) -> None:
    """Say `ready` when so many agents think, and go on."""
    thinking: set[str] = set()
    async with asyncio.TaskGroup() as group:
        for _ in range(chosen.agents):
            group.create_task(watch(chosen.port, chosen.game, thinking))
        for _ in range(chosen.people):
            group.create_task(play(chosen.port, chosen.game))
        while len(thinking) < chosen.agents:
            await asyncio.sleep(0.1)
        await asyncio.sleep(WARMING)
        print("ready", flush=True)


def main() -> None:
    """Measure, or be the clients."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="okupacio")
    parser.add_argument("--agents", type=int, default=4)
    parser.add_argument("--people", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.port:
        asyncio.run(be_clients(chosen))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(chosen, f"{folder}/delay.sqlite"))))


if __name__ == "__main__":
    main()
