"""What whoever runs a server does with it: metrics, the journal, `ludoteca admin`; a real process, real sockets."""

import json
import signal
import socket
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ludoteca.cli.admin import command
from ludoteca.server.measures import BOUNDS, Delays
from tests.server.test_serve import PATIENCE, post, run, serving

SECRETS = ("token", "key")


@dataclass
class Operated:
    """A server with its operator's listeners."""

    process: "subprocess.Popen[str]"
    address: str
    metrics: str
    control: Path

    def admin(self, *arguments: str, status: int = 0) -> str:
        """What `ludoteca admin` prints; the error, where it ends with that status."""
        done = CliRunner().invoke(command, ["--control", str(self.control), *arguments])
        assert (done.exit_code != 0) == (status != 0), done.output
        return str(done.exception) if status and not isinstance(done.exception, SystemExit) else done.output

    def sample(self, name: str, **labels: str) -> float:
        """A figure, as Prometheus reads it; 0 where there is none yet."""
        text = urlopen(self.metrics, timeout=PATIENCE).read().decode()
        found = [each for family in text_string_to_metric_families(text) for each in family.samples]
        return next((each.value for each in found if each.name == name and each.labels == labels), 0.0)

    def make(self, **more: object) -> dict[str, Any]:
        seats = [{"kind": "person", "name": "Mireia"}, {"kind": "open"}]
        return post(self.address, "api/rooms", {"game": "okupacio", "parameters": {"players": 2}, "seats": seats, **more})


def free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operated]:
    with operating(tmp_path_factory.mktemp("operated")) as server:
        yield server


@contextmanager
def operating(folder: Path) -> Iterator[Operated]:
    """A server whose games, and the operator's socket, are in that folder."""
    port = free_port()
    options = ("--metrics", str(port), "--control", str(folder / "control"), "--log", "json", "--workers", "1")
    names = ("--allow-host", "club.example")
    with serving(*options, *names, data=folder / "games.sqlite") as (process, address):
        yield Operated(process, address, f"http://127.0.0.1:{port}/metrics", folder / "control")


def play(operated: Operated, made: dict[str, Any]) -> None:
    """Two seats, one move, one refusal."""
    body = {"name": "Pau", "token": None}
    other = post(operated.address, f"api/rooms/{made['room']}/seats", body)
    assert other["seat"] == 1
    where = operated.address.replace("http", "ws") + f"ws/{made['room']}"
    with connect(where) as client:
        client.send(json.dumps({"t": "hello", "token": made["token"]}))
        whole = json.loads(client.recv(PATIENCE))
        if whole["mover"] != 0:
            client.close()
            with connect(where) as second:
                second.send(json.dumps({"t": "hello", "token": other["token"]}))
                act(second, json.loads(second.recv(PATIENCE)))
        else:
            act(client, whole)


def act(client: Any, whole: dict[str, Any]) -> None:
    client.send(json.dumps({"t": "play", "id": 1, "n": whole["position_n"], "action": whole["choices"][0][0]}))
    client.send(json.dumps({"t": "play", "id": 2, "n": whole["position_n"], "action": "x"}))
    while (frame := json.loads(client.recv(PATIENCE)))["t"] != "error":
        pass
    assert frame["code"] == "malformed"


def test_moves_refusals_and_delays_are_told_to_prometheus(operated: Operated) -> None:
    def counted() -> list[float]:
        return [
            operated.sample("ludoteca_rooms_made_total", game="okupacio"),
            operated.sample("ludoteca_events_total", game="okupacio", kind="moved"),
            operated.sample("ludoteca_refusals_total", code="malformed"),
        ]

    before = counted()
    play(operated, operated.make())
    assert counted() == [number + 1 for number in before]
    assert operated.sample("ludoteca_http_responses_total", status="201") >= 2
    assert operated.sample("ludoteca_rooms_awake") >= 1
    for name in ("answering", "storing"):
        assert operated.sample(f"ludoteca_{name}_seconds_count") >= 2
        assert operated.sample(f"ludoteca_{name}_seconds_sum") > 0
        assert operated.sample(f"ludoteca_{name}_seconds_bucket", le="+Inf") >= 2


def status_of(request: str | Request) -> int:
    try:
        with urlopen(request, timeout=PATIENCE) as answer:
            return int(answer.status)
    except HTTPError as error:
        with error:
            return error.code


@pytest.mark.parametrize(
    ("host", "status"),
    [("evil.example", 421), ("evil.example:9100", 421), ("localhost", 200), ("127.0.0.1:9100", 200), ("Club.Example", 200)],
)
def test_metrics_are_for_the_names_of_the_server(operated: Operated, host: str, status: int) -> None:
    assert status_of(Request(operated.metrics, headers={"Host": host})) == status


def test_players_cannot_reach_what_is_for_the_operator(operated: Operated) -> None:
    for path in ("metrics", "blocks", "rooms"):
        assert status_of(operated.address + path) == 404
    assert status_of(operated.metrics.replace("/metrics", "/rooms")) == 404
    assert stat.S_IMODE(operated.control.stat().st_mode) == stat.S_IRUSR | stat.S_IWUSR


def test_rooms_are_listed_closed_and_deleted(operated: Operated) -> None:
    made = operated.make()
    room = made["room"]
    with connect(operated.address.replace("http", "ws") + f"ws/{room}") as client:
        client.send(json.dumps({"t": "hello", "token": made["token"]}))
        client.recv(PATIENCE)
        listed = json.loads(operated.admin("rooms", "--json"))
        found = next(each for each in listed if each["room"] == room)
        assert (found["sockets"], found["seats"], found["moves"]) == (1, ["Mireia", "open"], 0)
        assert room in operated.admin("rooms")
        assert "closed" in operated.admin("close", room)
        with pytest.raises(ConnectionClosed, match="1012"):
            client.recv(PATIENCE)
    assert room not in operated.admin("rooms")
    assert room in operated.admin("rooms", "--all")
    assert "deleted" in operated.admin("delete", room, "--yes")
    assert room not in operated.admin("rooms", "--all")
    for gone in (room, "-hyphenated-"):
        assert "no such table" in operated.admin("delete", gone, "--yes", status=1)


def test_what_a_seat_left_is_exported_and_deleted(operated: Operated) -> None:
    made = operated.make()
    post(operated.address, f"api/rooms/{made['room']}/seats", {"name": "Pau"})
    left = json.loads(operated.admin("export", made["room"], "2"))
    assert [(event["k"], event["name"]) for event in left["events"]] == [("taken", "Pau")]
    assert "token" not in left["events"][0]
    for seat in ("1", "2"):
        operated.admin("delete", made["room"], seat, "--yes")
    for seat in ("1", "2"):
        again = json.loads(operated.admin("export", made["room"], seat))
        assert again["name"] == ""
        assert all(not event.get("name") for event in again["events"])
    assert [event["k"] for event in again["events"]] == ["taken"], "the first seat gave the game up, so it was over"
    with connect(operated.address.replace("http", "ws") + f"ws/{made['room']}") as client:
        client.send(json.dumps({"t": "hello", "token": made["token"]}))
        assert json.loads(client.recv(PATIENCE))["code"] == "token"


def test_an_address_is_blocked_for_requests_and_sockets_until_it_is_not(operated: Operated) -> None:
    made = operated.make()
    request = Request(operated.address + "api/rooms", headers={"X-Forwarded-For": "192.0.2.7"})
    where = operated.address.replace("http", "ws") + f"ws/{made['room']}"
    with connect(where, additional_headers={"X-Forwarded-For": "192.0.2.7"}) as client:
        client.send(json.dumps({"t": "hello", "token": None}))
        client.recv(PATIENCE)
        known = json.loads(operated.admin("export", "192.0.2.7"))
        assert known["sockets"] == [{"room": made["room"], "seat": -1}]
        assert "put out of rooms: 1" in operated.admin("block", "192.0.2.7", "--days", "1")
        assert json.loads(client.recv(PATIENCE))["code"] == "blocked"
        with pytest.raises(ConnectionClosed, match="4403"):
            client.recv(PATIENCE)
    assert "192.0.2.7" in operated.admin("blocked")
    assert status_of(request) == 403
    assert status_of(operated.address + "api/rooms") == 200, "others come in"
    assert "no longer" in operated.admin("unblock", "192.0.2.7")
    assert status_of(request) == 200
    assert "was not blocked" in operated.admin("unblock", "192.0.2.7")
    operated.admin("block", "192.0.2.8")
    operated.admin("forget", "192.0.2.8")
    assert json.loads(operated.admin("export", "192.0.2.8"))["block"] is None
    for days in ("-1", "nan"):
        operated.admin("block", "192.0.2.8", "--days", days, status=2)


def test_the_journal_has_what_was_made_and_refused_and_no_secret(tmp_path: Path) -> None:
    with operating(tmp_path) as operated:
        made = operated.make()
        play(operated, made)
        operated.admin("delete", made["room"], "1", "--yes")  # its player gives up
        operated.admin("delete", made["room"], "--yes")
        operated.admin("block", "192.0.2.8")
        operated.process.send_signal(signal.SIGTERM)
        assert operated.process.stderr
        lines = operated.process.stderr.read().splitlines()
        assert operated.process.wait(PATIENCE) == 0
        assert not operated.control.exists()
        assert "no server answers" in operated.admin("rooms", status=1)
    entries = [json.loads(line) for line in lines]
    assert [entry["what"] for entry in entries] == [
        "room made", "seat taken", "refused", "game over", "seat erased", "room deleted", "address blocked",
    ]  # fmt: skip
    mine = next(entry for entry in entries if entry["what"] == "room made" and entry["room"] == made["room"])
    assert mine["address"] == "127.0.0.1"
    assert mine["time"].endswith("+00:00")
    assert not any(made[name] in line for name in SECRETS for line in lines)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--metrics", "here"), "metrics: read 'here', expected a port"),
        (("--metrics", "70000"), "metrics: read '70000', expected a port"),
        (("--control", "/proc/nowhere/socket"), "control: /proc/nowhere/socket: No such file or directory"),
    ],
)
def test_a_listener_that_cannot_be_had_is_told(options: tuple[str, ...], says: str, tmp_path: Path) -> None:
    ended = run("--port", "0", *options, data=tmp_path / "games.sqlite")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr


def test_delays_are_counted_in_the_class_whose_end_they_do_not_pass() -> None:
    delays = Delays()
    for seconds in (0.0, BOUNDS[0], BOUNDS[0] * 1.01, BOUNDS[-1], BOUNDS[-1] + 1):
        delays.add(seconds)
    assert (delays.counts[0], delays.counts[1], delays.counts[-2], delays.counts[-1]) == (2, 1, 1, 1)
    assert sum(delays.counts) == 5
