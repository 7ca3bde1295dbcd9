"""The limits: where they are chosen, and where they are told of."""

import json
import logging
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from inspect import get_annotations
from io import StringIO
from ipaddress import ip_network
from pathlib import Path

import click
import httpx
import pytest
from click.testing import CliRunner
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from ludoteca.cli.serve import ServeCommand, command
from ludoteca.server import settings
from ludoteca.server.http.protocols import FrameCounter
from ludoteca.server.logs import OncePerMinute
from ludoteca.server.refusals import CODES
from ludoteca.server.settings import LARGEST_HEAD, UNREAD, Rate, Settings
from ludoteca.server.shares import Bucket, client_of
from tests.server.serving import OPEN, PATIENCE, QUICK, Client, Served, me, serve
from tests.server.test_rooms import friends, wait_until

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENT = (DOCS / "server.md").read_text(encoding="utf-8")
LIMITS = (DOCS / "server-limits.md").read_text(encoding="utf-8")
CHOSEN = {option.opts[0]: option for option in command.params if option.name in vars(Settings())}


def table() -> list[list[str]]:
    """The rows of `docs/server-limits.md`: what, limit, of each, what the client is told, option."""
    return [line.strip("| ").split(" | ") for line in LIMITS.splitlines() if line.startswith("| ")][1:]


def test_every_option_for_a_limit_has_its_row_with_its_default() -> None:
    told = {option: row[1] for row in table() for option in re.findall(r"--[a-z-]+", row[-1])}
    elsewhere = set(re.findall(r"--[a-z-]+", DOCUMENT))
    assert told == {name: str(option.default) for name, option in CHOSEN.items() if name not in elsewhere}


def test_every_limit_without_an_option_is_one_of_the_settings() -> None:
    constants = {getattr(settings, name) for name in get_annotations(settings)}
    others = {value for name, value in vars(Settings()).items() if name not in {option.name for option in CHOSEN.values()}}
    held = {f"{value:g}" if isinstance(value, int | float) else f"{value}" for value in constants | others}
    assert {f"{float(row[1]):g}" if "," not in row[1] else row[1] for row in table() if "--" not in row[-1]} <= held


def test_what_a_refused_client_is_told_is_a_code_that_it_can_get() -> None:
    assert {code for row in table() for code in re.findall(r"`([a-z]+)`", row[3])} <= CODES.keys()


@click.command(cls=ServeCommand, settings=Settings)
def expected(settings: Settings) -> None:
    hosts, proxies = ("jocs.xn--catal-vqa.cat", "localhost"), (ip_network("192.0.2.0/24"), ip_network("2001:db8::7"))
    chosen = replace(Settings(), matchmaking=False, spectators=200, absence=2.5, rooms_of_address=Rate(100, 1))
    assert settings == replace(chosen, allow_host=hosts, proxy=proxies)


def test_what_is_chosen_is_what_the_server_holds() -> None:
    limits = ["--matchmaking", "off", "--spectators", "200", "--absence", "2.5", "--rooms-of-address", "100,1"]
    hosts = ["--allow-host", "Jocs.Català.cat.", "--allow-host", "localhost"]
    proxies = ["--proxy", "192.0.2.0/24", "--proxy", "2001:DB8::7"]
    assert CliRunner().invoke(expected, limits + hosts + proxies).exit_code == 0


def test_every_option_is_in_the_help_or_among_the_limits() -> None:
    helped, limits = (CliRunner().invoke(command, [option]).output for option in ("--help", "--limits"))
    assert all((f"  {name} " in helped) != (f"  {name} " in limits) for name in CHOSEN)
    assert limits.startswith("Limits:\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--spectators", "many"], "read 'many', expected a whole number, at least 1"),
        (["--spectators", "0"], "read '0', expected a whole number, at least 1"),
        (["--matchmaking", "no"], "read 'no', expected on or off"),
        (["--absence", "nan"], "read 'nan', expected a number, at least 0"),
        (["--absence", "-1"], "read '-1', expected a number, at least 0"),
        (
            ["--allow-host", "games.example.org:8000"],
            "read 'games.example.org:8000', expected only the name of a host",
        ),
        (["--rooms-of-address", "30,inf"], "read '30,inf', expected two numbers with a comma, such as 30,0.2"),
    ],
)
def test_a_limit_that_is_none_is_told_in_one_line(arguments: list[str], says: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == click.UsageError.exit_code
    assert f"Error: Invalid value for '{arguments[0]}': {says}" in result.output.splitlines()[-1]


# whose


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"),
        ("fe80::7%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("unknown", "unknown"),
    ],
)
def test_an_ipv6_address_is_counted_with_all_of_its_home(host: str, client: str) -> None:
    assert client_of(host) == client


# connections

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-half: "
MEAN, OTHER = "127.0.0.2", "127.0.0.3"
PATIENT = replace(QUICK, head_within=3600.0, body_within=3600.0, hello_within=3600.0)


def answers(server: Served, source: str) -> int:
    """The status that a request from that address gets."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=source), timeout=PATIENCE) as http:
        return http.get(f"http://{server.address}/api/games").status_code


def received(connection: socket.socket) -> bytes:
    """What is sent until the other side closes."""
    parts = []
    with suppress(ConnectionResetError):
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def test_half_sent_requests_of_one_address_keep_no_other_out(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(PATIENT, connections=100, connections_of_address=10)) as server:
        with ExitStack() as held, written() as log:
            for _ in range(10):
                held.enter_context(server.raw(MEAN, HALF))
            for _ in range(50):
                with server.raw(MEAN) as refused:
                    assert received(refused).startswith(b"HTTP/1.1 429 ")
            assert answers(server, OTHER) == 200
        assert log.getvalue().splitlines() == ["127.0.0.2 has 10 connections, and gets no more"]
        wait_until(lambda: not server.server.server_state.connections)
        assert answers(server, MEAN) == 200


@contextmanager
def written() -> Iterator[StringIO]:
    """What the server writes into its log."""
    log = StringIO()
    handler = OncePerMinute(log)
    logging.getLogger().addHandler(handler)
    try:
        yield log
    finally:
        logging.getLogger().removeHandler(handler)


def test_one_address_has_half_of_all_connections_at_most(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(PATIENT, connections=4)) as server, ExitStack() as held:
        for _ in range(2):
            held.enter_context(server.raw(MEAN, HALF))
        with server.raw(MEAN) as third:
            assert b'"connections"' in received(third)
        for _ in range(2):
            held.enter_context(server.raw(OTHER, HALF))
        with server.raw("127.0.0.4") as fifth:
            assert received(fifth).startswith(b"HTTP/1.1 503 ")


def test_a_class_of_thirty_behind_one_address_plays(tmp_path: Path) -> None:
    """Each has made a room, and has a page open for which the browser keeps six connections."""
    with serve(tmp_path / "games.sqlite", Settings(workers=1)) as server, ExitStack() as held:
        for _ in range(30):
            made = server.make("conclave", me(), OPEN)
            assert held.enter_context(server.connect(made["room"], MEAN)).hello(made["token"])["you"] == made["seat"]
        for _ in range(30 * 6):
            held.enter_context(server.raw(MEAN))
        assert answers(server, MEAN) == 200


def test_the_clients_of_a_proxy_are_counted_by_themselves(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(PATIENT, connections_of_address=2)) as server:
        room = server.make("okupacio", me(), OPEN)["room"]
        mean, other = {"X-Forwarded-For": "2001:db8:0:1::7"}, {"X-Forwarded-For": "192.0.2.8"}
        with server.connect(room, **mean), server.connect(room, **mean):
            with pytest.raises(InvalidStatus) as refused, server.connect(room, **mean):
                pass
            assert refused.value.response.status_code == 429
            neighbour = {"X-Forwarded-For": "2001:db8:0:1::8", "Accept-Language": "en-GB"}
            assert server.http.get("/api/games", headers=neighbour).json()["code"] == "connections"
            assert server.http.get("/", headers=neighbour).text.startswith("there are too many connections")
            with server.connect(room, **other) as client:
                assert client.hello()["you"] == -1
        wait_until(lambda: server.http.get("/", headers=mean).status_code == 200)


UNFINISHED = {
    "nothing": b"",
    "half a head": HALF,
    "half a body": b"POST /api/records HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
    "no body, and the answer does not wait for it": b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
    "half a second head": b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\nGET /",
}


def test_a_request_that_is_never_whole_ends_its_connection(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, head_within=0.2, body_within=0.2)) as server:
        for said in UNFINISHED.values():
            with server.raw(MEAN, said) as held:
                received(held)


def test_a_head_without_end_ends_its_connection(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", PATIENT) as server, server.raw(MEAN, HALF + b"x" * LARGEST_HEAD) as held:
        assert received(held).startswith(b"HTTP/1.1 400 ")


def test_a_request_in_pieces_gets_no_more_time_with_each(tmp_path: Path) -> None:
    body = b"POST /api/records HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n"
    with serve(tmp_path / "games.sqlite", replace(QUICK, head_within=0.5, body_within=0.5)) as server:
        for said in (HALF, UNFINISHED["half a second head"], body):
            with server.raw(MEAN, said) as held, pytest.raises((ConnectionResetError, BrokenPipeError)):
                feed(held)


def feed(connection: socket.socket) -> None:
    """A byte now and then, without end."""
    connection.settimeout(0.05)
    while True:
        connection.sendall(b"x")
        with suppress(TimeoutError):
            connection.recv(65536)


# what is not read


def test_a_player_who_does_not_read_is_away(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, read_within=0.4)) as server:
        room, tokens = friends(server, "okupacio", parameters={"board": "25x25"})
        with server.join(room, tokens[0]) as ana, deaf(server, room, tokens[1]):
            while not ana.whole["seats"][1]["present"]:
                ana.hello(tokens[0])
            while ana.until("note/present")["seats"][1]["present"]:
                pass


def test_an_answer_that_is_not_read_ends_its_connection(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, read_within=0.4)) as server, small_window(server) as connection:
        connection.sendall(b"GET /static/js/room.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1000)
        wait_until(lambda: server.server.server_state.total_requests > 0)
        wait_until(lambda: not server.server.server_state.connections)


@contextmanager
def deaf(server: Served, room: str, token: str) -> Iterator[None]:
    """A player who asks for more than fits on the way, and reads nothing of it."""
    protocol = ClientProtocol(parse_uri(f"ws://{server.address}/ws/{room}"))
    protocol.send_request(protocol.connect())
    with small_window(server) as connection:
        connection.sendall(b"".join(protocol.data_to_send()))
        while protocol.state is not State.OPEN:
            protocol.receive_data(connection.recv(65536))
        frames = [{"t": "hello", "token": token}, *[{"t": "look", "id": number, "ply": 0} for number in range(200)]]
        for frame in frames:
            protocol.send_text(json.dumps(frame).encode())
        connection.sendall(b"".join(protocol.data_to_send()))
        yield


FLOODS = {
    "requests": Frame(Opcode.TEXT, b'{"t": "read", "id": 1}'),
    "pings": Frame(Opcode.PING, b""),
    "a message without end": Frame(Opcode.CONT, b"", fin=False),
}


@pytest.mark.parametrize("frame", FLOODS.values(), ids=FLOODS)
def test_who_sends_thousands_of_frames_is_cut_off_before_they_are_read(tmp_path: Path, frame: Frame) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, frames=Settings().frames)) as server:
        made = server.make("okupacio", me(), OPEN)
        with server.join(made["room"], made["token"]) as other, server.join(made["room"], None) as client:
            with pytest.raises((ConnectionClosed, ConnectionError)):
                flood_and_listen(client, frame)
            assert len(client.texts) < 2 * UNREAD
            assert other.ask("read")["t"] == "text"


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_frames_are_counted_however_their_bytes_are_cut(size: int) -> None:
    frames = [Frame(Opcode.TEXT, b"x" * length) for length in (0, 5, 125, 126, 70_000)] + [Frame(Opcode.PING, b"")] * 3
    data = b"".join(frame.serialize(mask=True, extensions=[]) for frame in frames)
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert all(map(FrameCounter(Bucket(Rate(3, 0))).allows, pieces))
    few = FrameCounter(Bucket(Rate(2, 0)))
    assert not all(map(few.allows, pieces))
    crowd = Frame(Opcode.TEXT, b"").serialize(mask=True, extensions=[]) * (UNREAD + 1)
    assert not FrameCounter(Bucket(Rate(2, 0))).allows(crowd)


def flood_and_listen(client: Client, frame: Frame) -> None:
    begun = [Frame(Opcode.TEXT, b"", fin=False)] if frame.opcode is Opcode.CONT else []
    sent = [each.serialize(mask=True, extensions=[]) for each in (*begun, *[frame] * 20_000)]
    client.socket.socket.sendall(b"".join(sent))
    while True:
        client.next()


@contextmanager
def small_window(server: Served) -> Iterator[socket.socket]:
    """A connection whose side of the way holds little."""
    host, _, port = server.address.partition(":")
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE)
        connection.connect((host, int(port)))
        yield connection


# what is logged


def test_a_thing_is_told_once_a_minute_with_how_often_it_was() -> None:
    log = StringIO()
    handler = OncePerMinute(log, minute=0.1)
    for number in range(1000):
        handler.handle(logging.makeLogRecord({"msg": "%d is too many", "args": (number,)}))
    handler.handle(logging.makeLogRecord({"msg": "something else"}))
    wait_until(lambda: log.getvalue().count("\n") == 3)
    assert log.getvalue().splitlines() == ["0 is too many", "something else", "999 more in 0.1 s like: 0 is too many"]
    handler.handle(logging.makeLogRecord({"msg": "%d is too many", "args": (1001,)}))
    assert log.getvalue().endswith("\n1001 is too many\n")


# what the page says besides


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is missing: as root, apt-get install systemd")
def test_the_service_of_systemd_is_one(tmp_path: Path) -> None:
    """What systemd does not know it says, and ignores; it looks at units of this machine, too."""
    text = (DOCS / "server" / "ludoteca.service").read_text(encoding="utf-8")
    service = tmp_path / "ludoteca.service"
    service.write_text(text.replace("/opt/ludoteca/.venv/bin/ludoteca", sys.executable), encoding="utf-8")
    result = subprocess.run(["systemd-analyze", "verify", service], capture_output=True, text=True, check=False)
    assert [line for line in result.stderr.splitlines() if service.name in line] == []
