"""A server of this version, and clients that keep every frame."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tools.same.faces import PATIENCE, ROOT, empty_folder
from tools.same.names import received, sent, spoken
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ludoteca.server.settings import Settings

ANSWERS: Final = ("done", "error", "past", "previewed", "planned", "hinted", "text")
ANY_TIME: Final = ("spectators", "weaker", "compiling")
"""Notes that come between any other frames: a second after a spectator, and while code is compiled. One room waits for the
first."""
UNIT: Final = 100_000
"""Milliseconds. The clocks of rooms are multiples of this, and clients take less. So a clock that is rounded up is known."""
BURST: Final = 50
"""Frames of a client in BURST / RATE seconds: fewer than the server allows."""
RATE: Final = 25.0
LIMITS: Final = ("connections-of-address", "rooms-of-address", "seats-taken-of-address", "record-bytes-of-address",
                 "reads-of-address", "processor-of-address")  # fmt: skip
"""Options of `ludoteca serve` that are raised, if the version has them: one address plays everything."""


class Server:
    """A running server."""

    def __init__(self, address: str, purpose: Path) -> None:
        self.address = address
        self._purpose = purpose

    def ask(self, path: str, body: object = None, method: str | None = None, **headers: str) -> tuple[int, Any]:
        """The status and the body of an answer: JSON, or a text."""
        data = body.encode() if isinstance(body, str) else None if body is None else json.dumps(sent(body)).encode()
        request = urllib.request.Request(f"http://{self.address}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                status, content = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                status, content = error.code, error.read().decode()
        return status, received(json.loads(content)) if content[:1] in ("{", "[") else content

    def draw_for(self, purpose: str) -> None:
        """Have what the server draws by chance depend on this from now on."""
        self._purpose.write_text(purpose, encoding="utf-8")

    def make(self, purpose: str, **wished: Any) -> dict[str, Any]:
        """A new room, with the same secrets and the same deal for the same purpose."""
        self.draw_for(purpose)
        status, made = self.ask("/api/rooms", wished)
        assert status == 201, made
        return dict(made)


@contextmanager
def serve() -> Iterator[Server]:
    """Run a server until the block ends."""
    with empty_folder() as folder:
        purpose = folder / "purpose"
        purpose.write_text("start", encoding="utf-8")
        path = f"{ROOT / 'tools' / 'same' / 'chance'}:{os.environ['PYTHONPATH']}"
        options = ["--port", "0", "--no-open", "--data", "games.sqlite", "--workers", "1", "--pace", "0", "--absence", "0"]
        known = [name for name in LIMITS if hasattr(Settings(), name.replace("-", "_"))]
        options += [word for name in known for word in (f"--{name}", "1000" if name.startswith("conn") else "1e9,1e9")]
        process = subprocess.Popen(
            [sys.executable, "-m", "ludoteca", "serve", *(spoken("argument", word) for word in options)],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": path, "SAME_CHANCE": str(purpose)},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout
            found = re.search(r"http://(\S+:\d+)/", process.stdout.readline())
            assert found, "the server did not start"
            yield Server(found[1], purpose)
        finally:
            process.terminate()
            process.wait(PATIENCE)


class Client:
    """A socket of a room, with the frames that it was sent."""

    def __init__(self, server: Server, room: str, token: str | None = None) -> None:
        self._server, self._room, self.token = server, room, token
        self.frames: list[Any] = []
        self.last: dict[str, Any] = {}
        """The last values of what frames say about the room: `n`, `ply`, `position`, `mover`, `seats` and others."""
        self._own: dict[str, Any] = {}
        """The last frame with what concerns this client alone."""
        self._number = 0
        self._sent: deque[float] = deque(maxlen=BURST)
        self.connect()

    def connect(self) -> None:
        """Connect, again after `close`, and say hello."""
        address = f"ws://{self._server.address}/ws/{self._room}"
        self._socket = connect(address, max_size=None, max_queue=None, open_timeout=PATIENCE, ping_interval=None)
        self.hello()

    def hello(self) -> None:
        """Ask for the whole."""
        self.send("hello", token=self.token)
        self.until("room", "error")

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def send(self, kind: str, /, **fields: Any) -> None:
        """Send a frame, late enough for the server's limit."""
        if len(self._sent) == BURST:
            time.sleep(max(0.0, self._sent[0] + BURST / RATE - time.monotonic()))
        self._sent.append(time.monotonic())
        self._socket.send(json.dumps(sent({"t": kind, **fields})))

    def ask(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """Send a request, and return its answer."""
        self._number += 1
        self.send(kind, id=self._number, **fields)
        while True:
            frame = self.until(*ANSWERS)
            if frame["id"] == self._number:
                return frame

    def until(self, *kinds: str) -> dict[str, Any]:
        """The next frame of one of these kinds: `t`, or `t/kind`."""
        while True:
            frame = self._next()
            if frame["t"] in kinds or f"{frame['t']}/{frame.get('kind')}" in kinds:
                return frame

    def follow(self, n: int = 0) -> None:
        """Receive what comes until the event of that number is there, and no agent is to move."""
        while self.last["n"] < n or (self.last["mover"] >= 0 and self.last["seats"][self.last["mover"]]["kind"] == "agent"):
            self._next()

    def drain(self) -> None:
        """Receive all frames until the server closes the connection."""
        try:
            while True:
                self._next()
        except ConnectionClosed as closed:
            self.frames.append({"closed": closed.rcvd.code if closed.rcvd else None})

    def _next(self) -> dict[str, Any]:
        frame: dict[str, Any] = received(json.loads(self._socket.recv(PATIENCE)))
        if frame["t"] in ("room", "yours"):
            self._own = frame
        if frame["t"] in ("room", "event"):
            names = ("n", "ply", "mover", "seats", "over", "asked")
            self.last |= {name: frame[name] for name in names if frame.get(name) is not None}
            self.last["position"] = frame["position_n"]
            is_own = self._own["n"] >= frame["position_n"]
            self.last |= {name: self._own[name] if is_own else "" for name in ("choices", "give_up")}
        if frame.get("kind") not in ANY_TIME:
            self.frames.append(timeless(frame))
        return frame


def timeless(frame: dict[str, Any]) -> dict[str, Any]:
    """The frame with its clocks rounded up, and of a hint that a search estimated in its second only that there is one."""
    if frame["t"] == "hinted" and not re.search(r"advice\.(certain|only)", json.dumps(frame["worth"])):
        return {name: frame[name] for name in ("t", "id", "n")} | {"fields": sorted(frame)}
    clocks = frame.get("clocks")
    if not clocks:
        return frame
    return frame | {"clocks": clocks | {"left": [-(-left // UNIT) * UNIT for left in clocks["left"]]}}
