"""What an impatient player, a mean one or a stranger may do to a server: nothing that harms the others."""

import asyncio
import logging
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from websockets.exceptions import ConnectionClosed

from ludoteca.cli.serve import listen
from ludoteca.core.game import load
from ludoteca.server.logs import OneLine
from ludoteca.server.settings import Rate, Settings
from ludoteca.server.store.database import StoreError
from tests.server.serving import QUICK, Client, Served, agent, me, serve
from tests.server.test_protocol import closing_code
from tests.server.test_rooms import SMALL, friends, wait_until

# giving up while an agent pauses


@pytest.mark.parametrize(("game", "agents"), [("okupacio", 1), ("cartas", 3)])
def test_a_person_who_resigns_while_an_agent_pauses_ends_the_game_and_not_the_room(
    tmp_path: Path, game: str, agents: int
) -> None:
    with serve(tmp_path / "games.sqlite", Settings(workers=1, pace=0.5)) as server:
        made = server.make(game, me(), *[agent("random")] * agents)
        with server.join(made["room"], made["token"]) as client:
            resign_while_an_agent_is_to_move(client, made["token"])
            room = server.rooms.awake[made["room"]]
            wait_until(lambda: len(room._tasks) == 1)
            assert client.hello(made["token"])["over"]["reason"] == "resigned"


def resign_while_an_agent_is_to_move(client: Client, token: str) -> None:
    """An agent that was quicker is waited for in the next turn."""
    while True:
        now = client.hello(token)
        assert now["mover"] >= 0
        if now["mover"] == now["you"]:
            action = next(choice[0] for choice in now["choices"] if choice[0] != now["give_up"])
            client.ask("play", action=action)
        elif client.ask("resign")["t"] == "done":
            return


# being away


def test_a_seat_that_cannot_be_stored_as_taken_back_is_asked_for_again(
    own_server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, tokens = friends(own_server, "conclave")

    async def full(*_: Any, **__: Any) -> None:
        raise StoreError("the disk is full")

    with own_server.join(room, tokens[0]) as ana:
        ana.ask("replace", seat=1)
        with monkeypatch.context() as patched, own_server.connect(room) as bru:
            patched.setattr(own_server.rooms.store, "append", full)
            assert bru.hello(tokens[1])["code"] == "storage"
            with pytest.raises(ConnectionClosed) as closed:
                bru.next()
        assert closing_code(closed.value) == 1013
        with own_server.join(room, tokens[1]) as bru:
            assert bru.whole["you"] == 1


# limits gone round


def test_rematches_are_rooms_made(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, rooms_of_address=Rate(2, 0.0001))) as server:
        room, tokens = friends(server, parameters=SMALL)
        done, again = rematch(server, room, tokens)
        assert (done["t"], bool(again)) == ("done", True)
        refused, none = rematch(server, again, tokens)
        assert (refused["code"], none) == ("rooms", "")


def rematch(server: Served, room: str, tokens: list[str]) -> tuple[dict[str, Any], str]:
    """What the second of two who give up and want another game is told, and the next room."""
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru:
        ana.ask("resign")
        ana.ask("rematch")
        answer = bru.ask("rematch")
        return answer, bru.hello(tokens[1])["over"]["rematch"]


def test_what_is_kept_of_records_is_counted(tmp_path: Path) -> None:
    record = load("okupacio", board="4x4").new_initial_state(0).serialize()
    settings = replace(QUICK, record_bytes_of_address=Rate(1.5 * len(record), 0.0001))
    with serve(tmp_path / "games.sqlite", settings) as server:
        sent = [server.http.post("/api/records", content=record + " " * 2 * len(record)) for _ in range(2)]
        assert [answer.status_code for answer in sent] == [201, 429]
        assert server.rooms.factory._record_bytes.of("192.0.2.7").take(len(record))


# names of rooms, and the log

FORGED = "\0\nludoteca: room X: forged"


def test_a_name_that_no_room_has_is_refused_by_every_database_and_not_logged(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    with serve(database) as server:
        asked = [
            server.http.get(f"/api/rooms/{quote(FORGED)}/record"),
            server.http.post(f"/api/rooms/{quote(FORGED)}/seats", json={"name": "Eva"}),
            server.http.post("/api/rooms", json={"seats": [me()], "from": {"room": FORGED, "ply": 0}}),
        ]
        with server.connect(quote(FORGED)) as client:
            assert client.next()["code"] == "room"
    assert [(answer.status_code, answer.json()["code"]) for answer in asked] == [(404, "room")] * 3
    assert caplog.messages == []


def test_a_line_of_the_log_is_one_line_whatever_it_tells_of() -> None:
    assert logged(logging.makeLogRecord({"msg": "room %s: \x1b[31m", "args": (FORGED,)})) == [
        r"ludoteca: room \x00\nludoteca: room X: forged: \x1b[31m"
    ]


def test_the_lines_of_a_traceback_do_not_look_like_lines_of_the_log() -> None:
    error = ValueError(FORGED)
    lines = logged(logging.makeLogRecord({"msg": "closed", "exc_info": (ValueError, error, None)}))
    assert lines == ["ludoteca: closed", r"  ValueError: \x00", "  ludoteca: room X: forged"]


def logged(record: logging.LogRecord) -> list[str]:
    return OneLine("ludoteca: %(message)s").format(record).splitlines()


# what is sent


def test_a_small_answer_does_not_wait_for_the_acknowledgement_of_the_one_before() -> None:
    assert asyncio.run(has_nodelay(listen("127.0.0.1", 0)))


async def has_nodelay(listening: socket.socket) -> bool:
    """Whether Nagle's algorithm is off on what asyncio accepts from that socket."""
    accepted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.set_result(bool(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
        writer.close()

    async with await asyncio.start_server(greet, sock=listening):
        _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
        try:
            return await accepted
        finally:
            writer.close()


# names that lead here

NAME = "games.example.org"
OWN = ["LOCALHOST:8000", socket.gethostname(), "192.168.1.7", "[fe80::7]:8000", f"{NAME}:443"]
OTHERS = ["evil.example:8000", "localhost.evil.example", f"{NAME}.evil.example", "[evil]", ""]


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(tmp_path_factory.mktemp("data") / "games.sqlite", replace(QUICK, allow_host=(NAME,))) as served:
        yield served


@pytest.mark.parametrize("host", OWN)
def test_the_server_is_asked_for_by_addresses_and_by_its_names(named: Served, host: str) -> None:
    room = named.make("okupacio", me(), agent("random"))["room"]
    assert named.http.get("/", headers={"Host": host}).status_code == 200
    with named.raw("127.0.0.1", upgrade(room, host)) as connection:
        assert connection.recv(65536).startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize("host", OTHERS)
def test_what_is_asked_of_a_host_of_another_name_is_refused(named: Served, host: str) -> None:
    body = {"game": "okupacio", "seats": [me(), agent("random")]}
    made = named.http.post("/api/rooms", json=body, headers={"Host": host, "Origin": f"http://{host}"})
    assert (made.status_code, made.json()["code"]) == (421, "host")
    page = named.http.get("/", headers={"Host": host, "Accept-Language": "ca-ES,ca;q=0.9"})
    assert (page.status_code, page.text.partition(":")[0]) == (421, f"aquest servidor no es diu {host}".partition(":")[0])
    with named.raw("127.0.0.1", upgrade("any", host)) as connection:
        assert connection.recv(65536).startswith(b"HTTP/1.1 421 ")


def test_a_websocket_that_is_refused_in_words_is_no_mistake_of_the_server(
    named: Served, caplog: pytest.LogCaptureFixture
) -> None:
    with named.raw("127.0.0.1", upgrade("any", "evil.example")) as connection:
        assert b"".join(iter(lambda: connection.recv(65536), b"")).startswith(b"HTTP/1.1 421 ")
    assert caplog.messages == []


def upgrade(room: str, host: str) -> bytes:
    """A request for a WebSocket, as a page of that host sends it."""
    key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
    asked = f"GET /ws/{room} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\nConnection: Upgrade"
    return f"{asked}\r\n{key}\r\n\r\n".encode()


# what is not said to its end


def test_a_request_that_is_left_in_the_middle_is_no_mistake_of_the_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    head = b"POST /api/records HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    with serve(tmp_path / "games.sqlite") as server:
        with server.raw("127.0.0.1", head + b"{"):
            wait_until(lambda: server.server.server_state.tasks)
        wait_until(lambda: not server.server.server_state.tasks)
    assert caplog.messages == []
