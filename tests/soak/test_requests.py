"""Requests of all kinds, and changed records with a valid digest: the server answers all, without an internal error."""

import json
import socket
from dataclasses import replace
from http.client import BadStatusLine, HTTPResponse
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from ludoteca.core import registry
from ludoteca.core.record import Record
from ludoteca.core.rng import new_rng
from ludoteca.server.refusals import CODES
from ludoteca.server.settings import Rate
from ludoteca.testing import sample_game
from tests.server.serving import OPEN, PATIENCE, QUICK, Served, agent, me, serve
from tests.soak.frames import STRANGE, garbled, spoilt

OFTEN = Rate(1e9, 1e9)
FREE = replace(QUICK, connections_of_address=1000, body_within=3.0, idle=0.5, rooms_of_address=OFTEN, reads_of_address=OFTEN)
"""`body_within` is long enough for clients that send headers and body separately on a busy machine."""
GAMES = [spec for spec in registry.registered_games() if spec.has("scene")]
METHODS = ["GET", "GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "get", "X" * 500]
PLACES = [
    "/", "/health", "/room/{room}", "/guide/{game}", "/static/js/room.js", "/static/scene.css", "/static/messages/en.json",
    "/games/{game}/messages/ro.json", "/games/{game}/sprites.svg", "/games/{game}/guide.json", "/api/games", "/api/rooms",
    "/api/records", "/api/rooms/{room}/seats", "/api/rooms/{room}/record", "/api/rooms/{room}/picture.svg",
    "/api/rooms/{room}/picture.svg?ply={n}&player={n}&theme=dark", "/api/rooms/{room}/analysis", "/ws/{room}",
]  # fmt: skip
HEADERS = [
    "Origin: http://[", "Origin: null", "Origin: http://evil.example", "If-None-Match: *", 'If-None-Match: "x", W/"',
    "Host: [", "Range: bytes=5-2", "Content-Type: text/plain", "Accept-Encoding: gzip", "Upgrade: websocket", "Cookie: \xe9",
    "X-Forwarded-For: ,,\x00", "X-Forwarded-For: 2001:db8::7", "Content-Length: 7", "Expect: 100-continue",
    "Transfer-Encoding: chunked",
]  # fmt: skip


def ask(server: Served, method: str, head: str, body: bytes) -> tuple[int, bytes]:
    """Send a request that no library would send. Return the status and the content of the answer, or 0 if there is none."""
    host, _, port = server.address.partition(":")
    with socket.create_connection((host, int(port)), PATIENCE) as connection:
        try:
            connection.sendall(f"{method} {head}\r\n".encode("latin-1", "replace") + body)
            response = HTTPResponse(connection, method=method)
            response.begin()
            return response.status, response.read()
        except (OSError, BadStatusLine):
            return 0, b""


class Stranger:
    """A client that knows the addresses, and requests existing and missing resources."""

    def __init__(self, server: Served, chance: Random) -> None:
        self.server, self.chance = server, chance
        self.rooms = [server.make("okupacio", me(), agent("random"), parameters={"board": "4x4"})["room"]]

    def request(self) -> None:
        chance = self.chance
        room, game, number = chance.choice(self.rooms), chance.choice(GAMES).name, chance.randrange(-2, 9)
        place = chance.choice(PLACES).format(room=room, game=game, n=number)
        if chance.random() < 0.3:
            place = "/" + garbled(chance, place).translate({10: "%0a", 13: "%0d", 32: "%20"})
        body = self.body().encode("utf-8", "surrogatepass")
        lines = [f"{place} HTTP/1.1", f"Host: {self.server.address}", "Connection: close"]
        lines += chance.sample(HEADERS, chance.choice([0, 0, 1, 2]))
        lines += [f"Content-Length: {len(body)}"] * (chance.random() < 0.9)
        method = chance.choice(METHODS)
        self.check(*ask(self.server, method, "".join(f"{line}\r\n" for line in lines), body), (method, lines, body))

    def body(self) -> str:
        chance = self.chance
        seats = [
            chance.choice([me(), OPEN, agent("random"), agent("greedy"), agent("99")]) for _ in range(chance.randrange(1, 4))
        ]
        room = {"game": chance.choice(GAMES).name, "seats": seats, "parameters": {}, "listed": True}
        on = {"from": {"room": chance.choice(self.rooms), "ply": chance.randrange(3)}, "seats": seats}
        content: dict[str, Any] = chance.choice([room, room, on, {"name": chance.choice(["Bru", *map(str, STRANGE)])}])
        return self.bad(json.dumps(content if chance.random() < 0.5 else spoilt(chance, content)))

    def bad(self, text: str) -> str:
        return garbled(self.chance, text) if self.chance.random() < 0.2 else text

    def record(self) -> None:
        """Send a record. It is opened, or refused for a reason. An opened record can be read, and opens again."""
        text = self.bad(self.mutated())
        answer = self.server.http.post("/api/records", content=text.encode("utf-8", "surrogatepass"))
        self.check(answer.status_code, answer.content, text)
        if answer.status_code == 201:
            room = answer.json()["room"]
            self.rooms = [*self.rooms[-20:], room]
            kept = self.server.http.get(f"/api/rooms/{room}/record")
            assert kept.status_code == 200, text
            assert self.server.http.post("/api/records", content=kept.content).status_code == 201, text
            assert self.server.http.get(f"/api/rooms/{room}/picture.svg?ply=0&player=0").status_code == 200, text

    def mutated(self) -> str:
        """Return a record of a random game with a few changes and a valid digest."""
        chance = self.chance
        state = sample_game(chance.choice(GAMES), chance).new_initial_state(chance.getrandbits(256))
        rng = new_rng(chance.getrandbits(64))
        for _ in range(chance.randrange(30)):
            if not state.is_terminal():
                state.apply_action(state.random_action(rng))
        content = msgspec.to_builtins(state.to_record())
        if chance.random() < 0.3:
            content["start"] = {"from": "position", "position": str(state)}
            content["actions"], content["result"] = [], content["result"]
        for _ in range(chance.choice([0, 1, 1, 2])):
            self.change(content)
        try:
            return msgspec.convert(content, Record).sealed().to_json()
        except (msgspec.ValidationError, UnicodeEncodeError):
            return json.dumps(content)

    def change(self, content: dict[str, Any]) -> None:
        chance, actions = self.chance, content.get("actions")
        match chance.randrange(5):
            case 0 if isinstance(actions, list) and actions:
                actions[chance.randrange(len(actions))] = chance.choice(
                    [*map(str, STRANGE), garbled(chance, str(actions[0]))]
                )
            case 1 if isinstance(actions, list) and actions:
                chance.shuffle(actions)
            case 2 if isinstance(content.get("start"), dict) and content["start"].get("position"):
                content["start"]["position"] = garbled(chance, str(content["start"]["position"]))
            case 3 if isinstance(content.get("parameters"), dict) and content["parameters"]:
                name = chance.choice(list(content["parameters"]))
                content["parameters"][name] = chance.choice([*STRANGE, garbled(chance, str(content["parameters"][name]))])
            case _:
                content.update(spoilt(chance, content))

    def check(self, status: int, content: bytes, asked: object) -> None:
        """Check that the answer is no internal error, and that the code of a refusal is known."""
        assert status < 500 or status == 503, (status, content, asked)
        if status >= 400 and content.startswith(b"{"):
            assert json.loads(content)["code"] in CODES, (content, asked)


@pytest.mark.parametrize("count", [15, pytest.param(4_000, marks=pytest.mark.soak)])
def test_whatever_is_asked_is_answered(tmp_path: Path, chance: Random, count: int) -> None:
    with serve(tmp_path / "games.sqlite", FREE) as server:
        stranger = Stranger(server, chance)
        for _ in range(count):
            stranger.request()
            stranger.record()
        assert server.http.get("/health").status_code == 200
