"""A real server on this machine, and clients that talk to it as a browser does."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.sync.client import ClientConnection, connect

from ludoteca.server.app import create_app
from ludoteca.server.http.protocols import config_of
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.settings import Rate, Settings
from ludoteca.server.store.store import Store

PATIENCE = 180.0
"""Seconds in which something has to happen, on a machine that others keep busy."""
MANY = Rate(100_000, 100_000)
QUICK = Settings(
    workers=1,
    pace=0.0,
    absence=0.0,
    frames=MANY,
    processor_of_address=Rate(1e9, 1e9),
    rooms_of_address=Rate(1000, 1000),
    seats_taken_of_address=MANY,
    record_bytes_of_address=Rate(1e9, 1e9),
)


ANSWERS = ("done", "error", "past", "previewed", "planned", "hinted", "text")
ABOUT_A_POSITION = ("play", "write", "why", "preview", "plan", "hint", "undo", "resign")


@dataclass
class Client:
    """A socket of a room. What it is told besides answers, it keeps."""

    socket: ClientConnection
    number: int = 0
    whole: dict[str, Any] = field(default_factory=dict)
    heard: list[dict[str, Any]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    yours: dict[str, Any] = field(default_factory=dict)

    def send(self, frame: dict[str, Any]) -> None:
        self.socket.send(json.dumps(frame))

    def next(self, patience: float = PATIENCE) -> dict[str, Any]:
        text = self.socket.recv(patience)
        assert isinstance(text, str)
        self.texts.append(text)
        frame: dict[str, Any] = json.loads(text)
        if frame["t"] == "yours":
            self.yours = frame
        elif frame["t"] == "event" and frame["n"] == self.yours.get("n"):
            frame = self.yours | frame
        self.heard.append(frame)
        return frame

    def until(self, *kinds: str) -> dict[str, Any]:
        """The next frame of one of these kinds: `t`, or `t/kind` of events and notes."""
        while True:
            frame = self.next()
            if frame["t"] in kinds or f"{frame['t']}/{frame.get('kind')}" in kinds:
                return frame

    def hello(self, token: str | None = None) -> dict[str, Any]:
        self.send({"t": "hello", "token": token})
        self.whole = self.until("room", "error")
        return self.whole

    @property
    def n(self) -> int:
        """The identity of the position now."""
        return int(self.ask("read").get("n", 0))

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request, by default about the position now. Return the answer."""
        if kind in ABOUT_A_POSITION and "n" not in fields:
            fields["n"] = self.n
        self.number += 1
        self.send({"t": kind, "id": self.number, **fields})
        while True:
            frame = self.next()
            if frame["t"] in ANSWERS and frame["id"] == self.number:
                return frame

    def event(self, n: int) -> dict[str, Any]:
        """The event of that number, when it is there."""
        for frame in self.heard:
            if frame["t"] == "event" and frame["n"] == n:
                return frame
        while True:
            frame = self.next()
            if frame["t"] == "event" and frame["n"] == n:
                return frame


@dataclass
class Served:
    """A server that runs."""

    address: str
    http: httpx.Client
    server: uvicorn.Server
    rooms: Rooms

    def make(self, game: str, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
        answer = self.http.post("/api/rooms", json={"game": game, "seats": list(seats), **more})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def take(self, room: str, name: str) -> dict[str, Any]:
        answer = self.http.post(f"/api/rooms/{room}/seats", json={"name": name})
        assert answer.status_code == 201, answer.text
        taken: dict[str, Any] = answer.json()
        return taken

    @contextmanager
    def connect(self, room: str, source: str = "127.0.0.1", **headers: str) -> Iterator[Client]:
        """A WebSocket from that address of this machine."""
        patience: dict[str, Any] = {"open_timeout": PATIENCE, "close_timeout": PATIENCE, "ping_interval": None}
        where: dict[str, Any] = {"source_address": (source, 0), "additional_headers": headers}
        boundless: dict[str, Any] = {"max_size": None, "max_queue": None}  # or closing waits until all frames are read
        with connect(f"ws://{self.address}/ws/{room}", **where, **patience, **boundless) as client:
            yield Client(client)

    @contextmanager
    def raw(self, source: str, said: bytes = b"") -> Iterator[socket.socket]:
        """A socket from that address of this machine, over which that is sent."""
        host, _, port = self.address.partition(":")
        with socket.create_connection((host, int(port)), PATIENCE, (source, 0)) as made:
            made.sendall(said)
            yield made

    @contextmanager
    def join(self, room: str, token: str | None = None) -> Iterator[Client]:
        with self.connect(room) as client:
            client.hello(token)
            yield client


@contextmanager
def serve(data: Path | str, settings: Settings = QUICK, port: int = 0) -> Iterator[Served]:
    """Run a server in a thread of its own until the block ends, at that port or at any that is free."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    address = f"127.0.0.1:{listening.getsockname()[1]}"
    app = create_app(Store.open(str(data)), settings)
    server = uvicorn.Server(config_of(app, "127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        with httpx.Client(base_url=f"http://{address}", timeout=PATIENCE) as http:
            yield Served(address, http, server, app.state.rooms)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def me(name: str = "Ana") -> dict[str, Any]:
    return {"kind": "person", "name": name}


def agent(name: str = "greedy") -> dict[str, Any]:
    return {"kind": "agent", "agent": name}


OPEN: dict[str, Any] = {"kind": "open"}

in_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""For tests of code that does not differ between databases."""
