"""Rooms of all games get well-formed and malformed frames at once. Each frame is answered, and every game goes on."""

import json
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from ludoteca.core import registry
from ludoteca.core.game import open_record
from ludoteca.core.record import Record
from ludoteca.server.refusals import CODES
from ludoteca.server.settings import Rate
from tests.server.serving import OPEN, PATIENCE, QUICK, Served, agent, me, serve
from tests.server.test_protocol import closing_code
from tests.soak.frames import some_frame, written

GAMES = [spec.name for spec in registry.registered_games() if spec.has("scene")]
SEATS = {"cartas": 4}
PARAMETERS = {"okupacio": {"board": "6x6"}, "metro": {"players": 2}, "qinto": {"rounds": 1}}
FREE = replace(QUICK, rooms_of_address=Rate(1e9, 1e9), connections_of_address=1000)
OWN_FAULT = (4403, 1009)
"""The code that closes a connection with a wrong secret, or with too many frames."""


@dataclass
class Room:
    """A room of two people, agents in the other seats, and a spectator."""

    name: str
    tokens: list[str | None]
    sockets: dict[int, ClientConnection] = field(default_factory=dict)
    whole: dict[str, Any] = field(default_factory=dict)
    """The last state that a client has received."""


class Crowd:
    """The clients in the rooms, which send random frames."""

    def __init__(self, server: Served, chance: Random, opened: ExitStack) -> None:
        self.server, self.chance, self.opened = server, chance, opened
        self.finished: list[str] = []
        self.answers: dict[str, int] = {}
        self.rooms = {game: self.new_room(game) for game in GAMES}

    def new_room(self, game: str) -> Room:
        seats = [me(), OPEN, *[agent("random")] * (SEATS.get(game, 2) - 2)]
        made = self.server.make(game, *seats, parameters=PARAMETERS.get(game, {}))
        return Room(made["room"], [made["token"], self.server.take(made["room"], "Bru")["token"], None])

    def step(self) -> None:
        """A client plays, or sends some frames of any kind, and gets an answer."""
        game = self.chance.choice(GAMES)
        room, who = self.rooms[game], self.chance.randrange(3)
        try:
            socket = room.sockets.get(who) or self.sit(room, who)
            if self.chance.random() < 0.5:
                self.play(room, socket, who)
            else:
                known = [item[0] for item in room.whole["scene"][2]] + [choice[0] for choice in room.whole["choices"]]
                for _ in range(self.chance.randrange(1, 6)):
                    socket.send(written(self.chance, some_frame(self.chance, known, room.whole["position_n"])))
            self.hear(socket)
        except ConnectionClosed as closed:
            if closing_code(closed) not in OWN_FAULT:
                raise
            room.sockets.pop(who, None)
        if room.whole["mover"] == -4:
            self.finished.append(room.name)
            for left in room.sockets.values():
                left.close()
            self.rooms[game] = self.new_room(game)

    def sit(self, room: Room, who: int) -> ClientConnection:
        client = self.opened.enter_context(self.server.connect(room.name))
        room.sockets[who] = client.socket
        room.whole = client.hello(room.tokens[who])
        assert room.whole["t"] == "room", room.whole
        return client.socket

    def play(self, room: Room, socket: ClientConnection, who: int) -> None:
        """Come back to the seat, and play a legal action."""
        socket.send(json.dumps({"t": "hello", "token": room.tokens[who]}))
        while (frame := self.receive(socket))["t"] != "room":
            pass
        room.whole = frame
        actions = [choice[0] for choice in frame["choices"] if choice[0] != frame["give_up"]]
        if frame["mover"] == frame["you"] and actions:
            action = self.chance.choice(actions)
            socket.send(json.dumps({"t": "play", "id": 1 << 40, "n": frame["position_n"], "action": action}))

    def hear(self, socket: ClientConnection) -> None:
        """Receive all frames until the answer to a last request, which shows that the room still works."""
        mark = (1 << 50) + self.chance.getrandbits(40)
        socket.send(json.dumps({"t": "look", "id": mark, "ply": 0}))
        while self.receive(socket).get("id") != mark:
            pass

    def receive(self, socket: ClientConnection) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(socket.recv(PATIENCE))
        if frame["t"] == "error":
            assert frame["code"] in CODES
            assert frame["code"] != "failed"
        kind = str(frame.get("code") or frame["t"])
        self.answers[kind] = self.answers.get(kind, 0) + 1
        return frame


@pytest.mark.parametrize("steps", [100, pytest.param(20_000, marks=pytest.mark.soak)])
def test_whatever_is_sent_is_answered_and_every_game_goes_on(tmp_path: Path, chance: Random, steps: int) -> None:
    with serve(tmp_path / "games.sqlite", FREE) as server, ExitStack() as opened:
        crowd = Crowd(server, chance, opened)
        for _ in range(steps):
            crowd.step()
        for room in crowd.rooms.values():
            with server.join(room.name) as spectator:
                assert spectator.whole["t"] == "room"
        for name in crowd.finished:
            assert open_record(Record.from_json(server.http.get(f"/api/rooms/{name}/record").text))
        assert {"malformed", "reload", "stale", "turn", "past", "done", "event"} <= crowd.answers.keys()
