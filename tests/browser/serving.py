"""A server in a separate process, which can be killed and started again with the same data."""

import json
import socket
import time
import urllib.request
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import SystemRandom
from typing import Any

from ludoteca.core.game import State
from tests import forks

PATIENCE = 180.0


def serve(port: int, data: Path, path: str) -> None:
    """As the command does, without its waiting: an agent's pause before a move, the time for which a seat is kept for who
    is away; and with room for many games from one address."""
    import uvicorn

    from ludoteca.server.app import create_app
    from ludoteca.server.http.protocols import config_of
    from ludoteca.server.settings import Rate, Settings
    from ludoteca.server.store.store import Store

    many = Rate(500, 10)
    settings = Settings(
        path=path,
        workers=1,
        pace=0.0,
        absence=0.0,
        frames=Rate(200, 100),
        processor_of_address=Rate(1e9, 1e9),
        rooms_of_address=many,
        seats_taken_of_address=many,
    )
    uvicorn.Server(config_of(create_app(Store.open(str(data)), settings), "127.0.0.1", port)).run()


def free_port() -> int:
    """A port on which no program listens now.

    The system gives ports from 32,768 on to programs that name no port. So a port below is still free when a server
    comes back.
    """
    while True:
        with suppress(OSError), socket.create_server(("127.0.0.1", SystemRandom().randrange(20_000, 32_000))) as listening:
            return int(listening.getsockname()[1])


class Server:
    """`address` is its address. `start`, `kill` and `stop` control its process."""

    def __init__(self, data: Path, path: str = "") -> None:
        self._data = data
        self._path = path
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}{path}"
        self._process: BaseProcess | None = None

    def start(self) -> None:
        """Returns when it answers."""
        self._process = forks.start(serve, self.port, self._data, self._path)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"{self.address}/api/rooms", timeout=5).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise AssertionError(f"no server at {self.address} after {PATIENCE} seconds")

    def kill(self) -> None:
        """As `kill -9` does."""
        assert self._process is not None
        self._process.kill()
        self._process.join()

    def stop(self) -> None:
        """End it, if it runs."""
        if self._process is not None and self._process.exitcode is None:
            self._process.terminate()
            self._process.join(PATIENCE)
            assert self._process.exitcode is not None, "it does not end"

    def ask(self, path: str, body: Any = None) -> Any:
        """The answer of the API."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def record(self, state: State) -> str:
        """Upload a game, and return the room of its record."""
        room: str = self.ask("/api/records", json.loads(state.serialize()))["room"]
        return room

    def new_room(self, game: str, seats: list[dict[str, str]], **wished: Any) -> tuple[str, str]:
        """A room's address, and that of its maker's seat in it."""
        made = self.ask("/api/rooms", {"game": game, "seats": seats, **wished})
        room = f"{self.address}/room/{made['room']}"
        return room, f"{room}#{made['token']}"
