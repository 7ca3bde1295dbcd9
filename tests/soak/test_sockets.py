"""Thousands of sockets send nothing or half a frame, or do not read what they get: an honest pair plays on."""

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.server.serving import PATIENCE, QUICK, Served, serve
from tests.server.test_limits import written
from tests.server.test_rooms import SMALL, friends, wait_until

ADDRESSES = 4
"""The number of hostile addresses. All their connections together are fewer than the server has."""
SAID = [
    b"",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-half: ",
    b"POST /api/records HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{",
    b"GET /static/js/room.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20,
    b"GET /ws/{room} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    b'\x81\x8d\0\0\0\0{"t":"hello"}',
]


@contextmanager
def enough_files() -> Iterator[None]:
    """Permit enough open files. Both ends of every socket are in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def crowd(server: Served, room: str, chance: Random, count: int, held: ExitStack) -> None:
    """Open this many more sockets of hostile addresses. The client also holds sockets that the server has closed."""
    host, _, port = server.address.partition(":")
    for _ in range(count):
        source = f"127.0.1.{chance.randrange(1, ADDRESSES + 1)}"
        made = held.enter_context(socket.create_connection((host, int(port)), PATIENCE, (source, 0)))
        try:
            made.sendall(chance.choice(SAID).replace(b"{room}", room.encode()))
        except OSError:  # it is refused and closed already
            made.close()


@pytest.mark.parametrize(
    ("rounds", "of_address"), [(1, 10), pytest.param(20, 250, marks=pytest.mark.soak)], ids=["quick", "soak"]
)
def test_sockets_of_some_addresses_keep_no_other_out(tmp_path: Path, chance: Random, rounds: int, of_address: int) -> None:
    most: dict[str, Any] = {"connections_of_address": of_address, "connections": (ADDRESSES + 1) * of_address}
    settings = replace(QUICK, hello_within=60.0, **most)
    with enough_files(), serve(tmp_path / "games.sqlite", settings) as server, written() as log:
        open_now = server.server.server_state.connections
        for _ in range(rounds):
            with ExitStack() as held:
                room, tokens = friends(server, parameters=SMALL)
                crowd(server, room, chance, 2 * ADDRESSES * of_address, held)
                wait_until(lambda: len(open_now) >= of_address)
                play_to_the_end(server, room, tokens, chance)
                assert len(open_now) <= (ADDRESSES + 1) * of_address
            wait_until(lambda: len(open_now) <= 1)  # that of the client over HTTP
        assert len(log.getvalue().splitlines()) < 10 * rounds


def play_to_the_end(server: Served, room: str, tokens: list[str], chance: Random) -> None:
    with server.connect(room, "127.0.0.9") as ana, server.connect(room, "127.0.0.9") as bru:
        people = [(ana, tokens[0]), (bru, tokens[1])]
        while (now := ana.hello(tokens[0]))["mover"] != -4:
            client, token = people[now["mover"]]
            whole = client.hello(token)
            actions = [choice[0] for choice in whole["choices"] if choice[0] != whole["give_up"]]
            assert client.ask("play", n=whole["position_n"], action=chance.choice(actions))["t"] == "done"
