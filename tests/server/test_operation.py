"""What whoever runs a server does with it: metrics, the journal, `ludoteca admin`; a real process, real sockets."""

import json
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
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
from ludoteca.cli.serve import command as serve
from ludoteca.server.model.tokens import digest
from tests.server.serving import Client
from tests.server.test_serve import PATIENCE, post, run, serving

SECRETS = ("token", "key", "link")
DOCS = Path(__file__).parents[2] / "docs"
RULES = DOCS / "server" / "ludoteca-alerts.yml"


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
        assert done.exit_code == status, done.output
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
    assert post(operated.address, f"api/rooms/{made['room']}/seats", {"name": "Pau", "token": None})["seat"] == 1
    with connect(operated.address.replace("http", "ws") + f"ws/{made['room']}") as socket_:
        client = Client(socket_)
        whole = client.hello(made["token"])
        assert client.ask("play", action=whole["choices"][0][0])["t"] == "done"
        assert client.ask("play", action="x")["code"] == "malformed"


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
    for path in ("metrics", "rooms"):
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


def test_a_clock_runs_on_in_a_room_that_is_closed(operated: Operated) -> None:
    made = operated.make(clock={"move": 60})
    room, pau = made["room"], post(operated.address, f"api/rooms/{made['room']}/seats", {"name": "Pau"})
    where = operated.address.replace("http", "ws") + f"ws/{room}"
    with connect(where) as mireia, connect(where) as other:
        Client(other).hello(pau["token"])
        while (clocks := Client(mireia).hello(made["token"])["clocks"])["left"][0] > 59_500:
            assert clocks["running"]
            time.sleep(0.05)  # between two looks at the clock
        operated.admin("close", room)
    with connect(where) as mireia:
        assert Client(mireia).hello(made["token"])["clocks"]["left"][0] <= clocks["left"][0]


def test_a_room_that_is_marked_is_listed_and_restored(operated: Operated) -> None:
    room = operated.make()["room"]
    assert operated.admin("restore", room) == f"{room}: was not marked\n"
    with closing(sqlite3.connect(operated.control.with_name("games.sqlite"))) as database, database:
        database.execute("UPDATE rooms SET grace = 216000 WHERE id = ?", (room,))
    listed = next(each for each in json.loads(operated.admin("rooms", "--all", "--json")) if each["room"] == room)
    assert listed["days_left"] == 2.5
    assert "2.5 days of running" in operated.admin("rooms", "--all")
    assert operated.admin("restore", room) == f"{room}: no longer marked\n"
    assert "days of running" not in operated.admin("rooms", "--all")


@pytest.mark.parametrize("room", ["-hyphenated-", "", "a/b"])
@pytest.mark.parametrize("what", [("close",), ("restore",), ("delete", "--yes"), ("delete", "1", "--yes"), ("export", "1")])
def test_an_unknown_room_is_an_error(operated: Operated, room: str, what: tuple[str, ...]) -> None:
    command, *more = what
    assert operated.admin(command, room, *more, status=1) == "there is no such room"


@pytest.mark.parametrize("seat", ["3", "99999999999999999999"])
@pytest.mark.parametrize("what", ["delete", "export"])
def test_seats_count_from_1(operated: Operated, what: str, seat: str) -> None:
    room = operated.make()["room"]
    said = operated.admin(what, room, seat, *(("--yes",) if what == "delete" else ()), status=1)
    assert said == f"this room has no seat {seat}"
    assert "0 is not in the range" in operated.admin(what, room, "0", status=2)


@pytest.mark.parametrize("what", ["forget", "export"])
@pytest.mark.parametrize("address", ["10.0.0.1/8", ""])
def test_an_address_that_is_none_is_refused(operated: Operated, what: str, address: str) -> None:
    said = operated.admin(what, address, status=2)
    assert f"read {address!r}, expected an address or a network, such as 192.0.2.7 or 192.0.2.0/24" in said


def test_times_are_in_utc(operated: Operated) -> None:
    room = operated.make()["room"]
    post(operated.address, f"api/rooms/{room}/seats", {"name": "Pau"})
    listed = next(each for each in json.loads(operated.admin("rooms", "--json")) if each["room"] == room)
    event = json.loads(operated.admin("export", room, "2"))["events"][0]
    times = [datetime.fromisoformat(text) for text in (listed["created"], event["at"])]
    assert all(time.utcoffset() == timedelta(0) for time in times)


def test_what_a_seat_left_is_exported_and_deleted(operated: Operated) -> None:
    made = operated.make()
    post(operated.address, f"api/rooms/{made['room']}/seats", {"name": "Pau"})
    left = json.loads(operated.admin("export", made["room"], "2"))
    assert (left["seat"], left["name"]) == (2, "Pau")
    assert [(event["k"], event["seat"], event["name"]) for event in left["events"]] == [("taken", 2, "Pau")]
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


def test_an_address_is_known_by_its_sockets_and_forgotten(operated: Operated) -> None:
    made = operated.make()
    where = operated.address.replace("http", "ws") + f"ws/{made['room']}"
    with connect(where, additional_headers={"X-Forwarded-For": "192.0.2.7"}) as client:
        client.send(json.dumps({"t": "hello", "token": None}))
        client.recv(PATIENCE)
        for place in ("192.0.2.7", "192.0.2.0/24"):
            known = json.loads(operated.admin("export", place))
            assert known["sockets"] == [{"room": made["room"], "seat": None}]
    assert operated.admin("forget", "192.0.2.7") == "192.0.2.7: forgotten\n"


def test_the_journal_has_what_was_made_and_refused_and_no_secret(tmp_path: Path) -> None:
    with operating(tmp_path) as operated:
        made = operated.make()
        play(operated, made)
        made["link"] = operated.admin("seat", made["room"], "2").splitlines()[0].partition("#")[2]
        assert made["link"] not in operated.admin("metrics")
        operated.admin("delete", made["room"], "1", "--yes")  # its player gives up
        operated.admin("delete", made["room"], "--yes")
        operated.process.send_signal(signal.SIGTERM)
        assert operated.process.stderr
        lines = operated.process.stderr.read().splitlines()
        assert operated.process.wait(PATIENCE) == 0
        assert not operated.control.exists()
        assert "no server answers" in operated.admin("rooms", status=1)
    entries = [json.loads(line) for line in lines]
    assert [entry["what"] for entry in entries] == [
        "room made", "seat taken", "refused", "seat given back", "game over", "seat erased", "room deleted",
    ]  # fmt: skip
    mine = next(entry for entry in entries if entry["what"] == "room made" and entry["room"] == made["room"])
    assert mine["address"] == "127.0.0.1"
    assert mine["time"].endswith("+00:00")
    secrets = [made[name] for name in SECRETS]
    assert not any(secret in line or digest(secret) in line for secret in secrets for line in lines)


def service(text: str) -> dict[str, str]:
    """The settings of a unit of systemd; of two with one name, the last."""
    return dict(re.findall(r"^(\w+)=(.*)$", text.replace("\\\n", ""), re.MULTILINE))


def test_admin_works_with_the_service_of_systemd_as_installed(tmp_path: Path) -> None:
    lines = service((DOCS / "server" / "ludoteca.service").read_text(encoding="utf-8"))
    roots = {name: tmp_path / name for name in ("State", "Cache", "Runtime")}
    for name, root in roots.items():
        (root / lines[f"{name}Directory"]).mkdir(parents=True)

    def filled(words: str) -> list[str]:
        for specifier, name in (("%S", "State"), ("%C", "Cache"), ("%t", "Runtime")):
            words = words.replace(specifier, str(roots[name]))
        return words.replace("9180", str(free_port())).split()

    _, command_name, *options = filled(lines["ExecStart"])
    assert command_name == "serve"
    environment = dict(word.split("=", 1) for word in filled(lines["Environment"]))
    with serving(*options, data=tmp_path / "unused", **environment):
        done = CliRunner().invoke(command, ["rooms"], env=environment)
    assert (done.exit_code, "room" in done.output) == (0, True)


def test_the_services_of_several_servers_have_socket_metrics_and_retention() -> None:
    one = (DOCS / "server" / "ludoteca.service").read_text(encoding="utf-8")
    several = (DOCS / "server-several.md").read_text(encoding="utf-8").partition("```ini\n")[2].partition("```")[0]
    lines = service(one + several)
    options = lines["ExecStart"].replace("%i", "8001").split()[2:]
    chosen = serve.make_context("serve", options).params
    assert (chosen["port"], chosen["metrics"], chosen["settings"].keep_finished) == (8001, "18001", 365)
    assert lines["Environment"] == "LUDOTECA_CONTROL=%t/" + lines["RuntimeDirectory"] + "/control"


def test_alert_rules_name_metrics_that_the_server_has(operated: Operated) -> None:
    named = set(re.findall(r"\b(?:ludoteca|process)_\w+", RULES.read_text(encoding="utf-8")))
    told = re.findall(r"^# TYPE (\w+) ", urlopen(operated.metrics, timeout=PATIENCE).read().decode(), re.MULTILINE)
    assert len(named) > 5
    assert {name.removesuffix("_bucket") for name in named} <= {*told}


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is missing: it is in Debian's package prometheus")
def test_prometheus_accepts_the_alert_rules() -> None:
    done = subprocess.run(["promtool", "check", "rules", RULES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("options", "status", "says"),
    [
        (("--metrics", "70000"), 2, "metrics: read '70000', expected a port"),
        (
            ("--control", "/proc/nowhere/socket"),
            1,
            "control: /proc/nowhere/socket: No such file or directory; make the folder /proc/nowhere first",
        ),
    ],
)
def test_a_listener_that_cannot_be_had_is_told(options: tuple[str, ...], status: int, says: str, tmp_path: Path) -> None:
    ended = run("--port", "0", *options, data=tmp_path / "games.sqlite")
    assert (ended.returncode, ended.stdout) == (status, "")
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr
