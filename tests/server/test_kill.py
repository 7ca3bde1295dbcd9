"""The server is killed many times while four people play: no acknowledged move is lost, and none is there twice."""

import asyncio
import json
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from ludoteca.core import registry
from ludoteca.core.game import open_record
from ludoteca.core.record import Record
from tests import forks
from tests.browser.serving import free_port

PEOPLE = 4
AT_ONCE = 2
"""Rooms that are played at the same time."""
PATIENCE = 180
"""Seconds in which something has to happen."""

Frame = dict[str, Any]


class Asked:
    """What is asked over HTTP."""

    port: int

    def ask(self, path: str, body: object = None) -> bytes:
        """A request over HTTP, tried until somebody answers."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"})
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with urlopen(request, timeout=PATIENCE) as answer:
                    content: bytes = answer.read()
                    return content
            except OSError as error:
                if isinstance(error, HTTPError) and error.code != HTTPStatus.BAD_GATEWAY:  # 502: a proxy asked no server
                    raise AssertionError(f"{path}: {error.read().decode()}") from None
            assert time.monotonic() < end, "the server does not start"
            time.sleep(0.05)


class Server(Asked):
    """`ludoteca serve` in a process of its own, always at the same address with the same file."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._errors = folder / "errors"
        self._arguments = ["serve", "--port", str(self.port), "--no-open", "--data", str(folder / "games.sqlite")]
        self.start()

    def start(self) -> None:
        self._process = forks.ludoteca(*self._arguments, errors=self._errors)

    def kill(self) -> None:
        assert self._process.exitcode is None, "it ended by itself"
        self._process.kill()
        self._process.join()


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    try:
        yield server
    finally:
        server.kill()


class Player:
    """A person with a seat: plays at random, comes back whenever the server is gone, and forgets nothing."""

    def __init__(self, server: Asked, room: str, seat: int, token: str) -> None:
        self.server, self.room, self.seat, self.over = server, room, seat, False
        self.acknowledged: dict[int, int] = {}
        """Which action, after how many others."""
        self._url = f"ws://127.0.0.1:{server.port}/ws/{room}"
        self._token = token
        self._log: list[tuple[int, str]] = []
        self._n = 0
        self._ids = 0
        self._own: Frame = {}
        self._asked: dict[int, tuple[int, int]] = {}
        self._sent: tuple[int, int] | None = None  # and not acknowledged yet
        self._decided = 0
        """The identity of the position in which the last action was chosen."""
        self._random = random.Random(f"{room} {seat}")

    async def play(self) -> None:
        while not self.over:
            try:
                async with connect(self._url, max_size=None, compression=None) as socket_:
                    await self._sit(socket_)
            except (OSError, WebSocketException):
                await asyncio.sleep(0.02)

    async def _sit(self, socket_: ClientConnection) -> None:
        await socket_.send(json.dumps({"t": "hello", "token": self._token}))
        async for text in socket_:
            frame = json.loads(text)
            if frame["t"] in ("room", "yours"):
                self._own = frame
            match frame["t"]:
                case "room":
                    self._compare(frame)
                    await self._go_on(socket_, frame)
                case "event":
                    await self._see(socket_, frame)
                case "done":
                    self._is_stored(*self._asked[frame["id"]])
                case "error":
                    self._is_refused(frame)
            if self.over:
                return

    def _compare(self, room: Frame) -> None:
        """What the server knows after it was killed, with what it had told before."""
        log = [(line["player"], line["text"]) for line in room["log"]]
        assert room["you"] == self.seat
        assert room["ply"] == len(log)
        assert log[: len(self._log)] == self._log, "an event that was told is gone"
        assert room["n"] >= self._n
        assert all(log[at][0] == self.seat for at in self.acknowledged), "an acknowledged move is gone"
        self._log, self._n = log, room["n"]

    async def _go_on(self, socket_: ClientConnection, frame: Frame) -> None:
        """After coming back: what was not acknowledged is sent once more, whether it was played or not."""
        self.over = frame["mover"] == -4
        if self._sent:
            at, action = self._sent
            await self._send(socket_, at, action)
            if at == frame["ply"]:
                return
            self._is_stored(at, action)
        await self._choose(socket_, frame)

    async def _see(self, socket_: ClientConnection, event: Frame) -> None:
        assert event["n"] == self._n + 1
        self._n = event["n"]
        if line := event.get("line"):
            self._log.append((line["player"], line["text"]))
            assert event["ply"] == len(self._log)
            if line["player"] == self.seat:
                assert self._sent
                self._is_stored(*self._sent)
        self.over = event["mover"] == -4
        await self._choose(socket_, event)

    async def _choose(self, socket_: ClientConnection, frame: Frame) -> None:
        if frame["mover"] != self.seat:
            return
        actions = [int(action) for action, *_ in self._own["choices"] if action != self._own["give_up"]]
        self._sent, self._decided = (frame["ply"], self._random.choice(actions)), frame["position_n"]
        await self._send(socket_, *self._sent)

    async def _send(self, socket_: ClientConnection, at: int, action: int) -> None:
        self._ids += 1
        self._asked[self._ids] = at, action
        await socket_.send(json.dumps({"t": "play", "id": self._ids, "n": self._decided, "action": str(action)}))

    def _is_stored(self, at: int, action: int) -> None:
        """The server has said so, by an acknowledgement or by the event, whichever came first."""
        assert self.acknowledged.setdefault(at, action) == action
        if self._sent == (at, action):
            self._sent = None

    def _is_refused(self, error: Frame) -> None:
        """It had been stored before the server was killed, and only the acknowledgement was lost."""
        assert error["code"] == "duplicate", error
        assert self._asked[error["id"]][0] in self.acknowledged


def new_room(server: Asked, name: str, person: type[Player]) -> list[Player]:
    """Four people at a table."""
    parameters = {kind.name: PEOPLE for kind in registry.find(name).parameters if kind.name == "players"}
    seats = [{"kind": "person", "name": "0"}, *({"kind": "open"} for _ in range(1, PEOPLE))]
    made = json.loads(server.ask("/api/rooms", {"game": name, "parameters": parameters, "seats": seats}))
    taken = [made, *(json.loads(server.ask(f"/api/rooms/{made['room']}/seats", {"name": str(n)})) for n in range(1, PEOPLE))]
    assert sorted(seat["seat"] for seat in taken) == list(range(PEOPLE))
    return [person(server, made["room"], seat["seat"], seat["token"]) for seat in taken]


class Evening:
    """All that is played: one room after the other, some at once, until somebody says that it is late."""

    def __init__(self, server: Asked, person: type[Player] = Player) -> None:
        self._person = person
        self.players: list[Player] = []
        self.late = False
        self.inviting = asyncio.Lock()
        """Held while a room is made: its seats are taken by requests that nobody repeats."""
        self._server = server
        self._games = cycle(name for name in registry.names() if registry.find(name).has("scene"))

    def moves(self) -> int:
        return sum(len(player.acknowledged) for player in self.players)

    async def play(self) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(self._one_after_the_other())

    async def _one_after_the_other(self) -> None:
        while not self.late:
            async with self.inviting:
                table = await asyncio.to_thread(new_room, self._server, next(self._games), self._person)
            self.players += table
            async with asyncio.TaskGroup() as group:
                for player in table:
                    group.create_task(player.play())


async def kill_often(server: Server, evening: Evening, kills: int) -> None:
    """After a few moves each time, and then at any moment."""
    chance = random.Random(kills)
    for _ in range(kills):
        enough = evening.moves() + chance.randint(1, 8)
        async with asyncio.timeout(PATIENCE):
            while evening.moves() < enough:
                await asyncio.sleep(0.002)
        await asyncio.sleep(chance.random() * 0.03)
        async with evening.inviting:
            server.kill()
            server.start()
    evening.late = True


async def spend(server: Server, kills: int) -> Evening:
    evening = Evening(server)
    async with asyncio.TaskGroup() as group:
        group.create_task(evening.play())
        group.create_task(kill_often(server, evening, kills))
    return evening


def check(server: Asked, room: str, players: list[Player]) -> None:
    """The record of the game, which ended: every move is one that a player was told is stored, at its place."""
    record = Record.from_json(server.ask(f"/api/rooms/{room}/record").decode())
    last = open_record(record)
    assert last.is_terminal()
    told = {at: action for player in players for at, action in player.acknowledged.items()}
    assert dict(enumerate(last.history())) == told


@pytest.mark.slow
@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.soak)])
def test_a_server_that_is_killed_many_times_loses_no_acknowledged_move_and_plays_none_twice(
    tmp_path: Path, kills: int
) -> None:
    with running(tmp_path) as server:
        evening = asyncio.run(spend(server, kills))
        rooms = {player.room for player in evening.players}
        assert len(rooms) >= AT_ONCE
        for room in rooms:
            check(server, room, [player for player in evening.players if player.room == room])
