"""`ludoteca serve` as a person meets it: real processes, real sockets, real signals."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from ludoteca.core import registry
from tests import forks

PATIENCE = 180
"""Seconds in which something has to happen, on a machine that others keep busy."""
LINE = re.compile(r"Ludoteca: (http://[^ ]+:(\d+)/[^ ]*)\n")


def command(*arguments: str, data: Path | str) -> list[str]:
    return [sys.executable, "-m", "ludoteca", "serve", "--data", str(data), *arguments]


@contextmanager
def serving(
    *arguments: str, data: Path | str, prefix: Sequence[str] = (), **environment: str
) -> "Iterator[tuple[subprocess.Popen[str], str]]":
    """A server, started by the command that may stand before its own, and its address."""
    process = subprocess.Popen(
        [*prefix, *command("--port", "0", *arguments, data=data)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"} | environment,
        start_new_session=True,
    )
    with process:
        try:
            assert process.stdout
            found = LINE.fullmatch(process.stdout.readline())
            assert found, process.stderr and process.stderr.read()
            yield process, found[1]
        finally:
            process.kill()


def run(*arguments: str, data: Path | str) -> "subprocess.CompletedProcess[str]":
    """A server that does not start, and says why."""
    return forks.completed(forks.run, "serve", "--data", str(data), *arguments)


def post(address: str, path: str, body: object) -> dict[str, Any]:
    request = Request(address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=PATIENCE) as answer:
        given: dict[str, Any] = json.loads(answer.read())
        return given


def games(address: str) -> list[dict[str, object]]:
    with urlopen(f"{address}api/games", timeout=PATIENCE) as answer:
        found: list[dict[str, object]] = json.loads(answer.read())
        return found


def children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def two_players() -> dict[str, object]:
    """A game for two, whichever."""
    for spec in registry.registered_games():
        if any(kind.name == "players" for kind in spec.parameters):
            return {"game": spec.name, "parameters": {"players": 2}}
    raise LookupError("no game has a number of players to choose")


@pytest.mark.parametrize(("ending", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_it_says_where_it_is_and_ends_cleanly(ending: signal.Signals, status: int, tmp_path: Path) -> None:
    with serving(data=tmp_path / "games") as (process, address):
        assert games(address)
        process.send_signal(ending)
        process.wait(timeout=PATIENCE)
        assert process.stdout
        assert process.stderr
        out, err = process.stdout.read(), process.stderr.read()
        assert err == ""
        assert f"Games are stored in {tmp_path}/games" in out
        assert process.returncode == status
    assert not (tmp_path / "games-wal").exists(), "the database is closed"


def test_it_is_found_at_the_address_that_it_prints(tmp_path: Path) -> None:
    with serving("--host", "0.0.0.0", "--path", "/club/games", data=tmp_path / "games") as (_, address):
        assert games(address)


def test_sockets_without_end_leave_the_server_its_files_and_its_log(tmp_path: Path) -> None:
    """Of 700 files half are for connections, and half of those for one address."""
    limited = ["sh", "-c", 'ulimit -Sn 600; ulimit -Hn 700; exec "$@"', "sh"]
    with serving(data=tmp_path / "games", prefix=limited) as (process, address), ExitStack() as held:
        assert re.search(r"Max open files +700 +700 ", Path(f"/proc/{process.pid}/limits").read_text())
        for _ in range(800):
            mean = socket.create_connection(("127.0.0.1", urlsplit(address).port or 0), PATIENCE, ("127.0.0.2", 0))
            held.enter_context(mean).sendall(b"GET / HTTP/1.1\r\n")
        assert games(address)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert err.splitlines() == [
        "ludoteca: connections: read 2000, possible are 350, as the system allows 700 open files (ulimit -n, LimitNOFILE=)",
        "ludoteca: 127.0.0.2 has 175 connections, and gets no more",
    ]


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_its_processes_end_with_it_and_say_nothing(tmp_path: Path, ending: signal.Signals) -> None:
    """Ctrl-C in a terminal goes to the whole group of processes; a killed server leaves its own alone."""
    with serving(data=tmp_path / "games") as (process, address):
        seats = [{"kind": "agent", "agent": "random"}, {"kind": "person", "name": "Ona"}]
        made = post(address, "api/rooms", two_players() | {"seats": seats})
        wait_for_workers(process.pid, address, made["room"])
        if ending == signal.SIGINT:
            os.killpg(process.pid, ending)
        else:
            process.send_signal(ending)
        _, err = process.communicate(timeout=PATIENCE)  # it returns when the last process that could write has ended
        assert err == ""


WITH_A_FAULT = """
import runpy, sys, time
from pathlib import Path

def sleep(seconds, sleep=time.sleep, fault=Path(sys.argv[1])):
    if fault.exists():
        raise LookupError("a bug")
    sleep(seconds)

time.sleep = sleep
sys.argv = sys.argv[4:]
runpy.run_module("ludoteca", run_name="__main__", alter_sys=True)
"""
"""Runs `python -m ludoteca`. Its threads fail in `time.sleep` once a file is there."""


def test_it_ends_with_a_status_when_it_can_store_nothing_any_more(tmp_path: Path) -> None:
    fault, body = tmp_path / "fault", {"game": "okupacio", "seats": [{"kind": "person", "name": "Ana"}, {"kind": "open"}]}
    with serving(data=tmp_path / "games", prefix=[sys.executable, "-c", WITH_A_FAULT, str(fault)]) as (process, address):
        post(address, "api/rooms", body)
        fault.touch()
        with suppress(URLError, ConnectionError):  # it is refused, or stored: the thread fails before the next one
            post(address, "api/rooms", body)
        assert process.wait(PATIENCE) == 1
        assert process.stderr
        lines = process.stderr.read().splitlines()
    lines = [line for line in lines if not line.startswith("ludoteca: room ")]  # a refused request is logged at any time
    assert (lines[0], lines[-2]) == ("ludoteca: an unforeseen error has ended the thread 'store'", "  LookupError: a bug")
    assert lines[-1].startswith("ludoteca: games can no longer be stored")


def wait_for_workers(server: int, address: str, room: str) -> None:
    """Somebody looks at the room, so its agent begins to think, in a process of its own."""
    from websockets.sync.client import connect

    end = time.monotonic() + PATIENCE
    with connect(f"{address.replace('http', 'ws')}ws/{room}") as client:
        client.send('{"t": "hello", "token": null}')
        while not children(server):
            assert time.monotonic() < end, "no agent thinks"
            time.sleep(0.05)  # between two looks at the list of processes


def test_a_port_that_is_taken_is_told_with_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("--port", str(port), data=tmp_path / "games")
    assert result.returncode == 1
    assert result.stderr == (
        f"ludoteca: port {port} is in use, perhaps by another server: end it, or choose another --port (0: a free port)\n"
    )
    assert not (tmp_path / "games").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (
            ("--host", "no.such.host.invalid"), 2,
            "ludoteca: host: read 'no.such.host.invalid', expected an address of this machine",
        ),
        (("--host", "192.0.2.7", "--port", "0"), 1, "ludoteca: cannot listen on '192.0.2.7', port 0: Cannot assign"),
    ],
)  # fmt: skip
def test_a_server_that_cannot_start_says_why_in_one_line(
    arguments: tuple[str, ...], status: int, says: str, tmp_path: Path
) -> None:
    result = run(*arguments, data=tmp_path / "games")
    assert result.returncode == status
    assert result.stderr.startswith(says)
    assert result.stderr.count("\n") == 1


def test_a_database_that_is_not_there_is_told_without_its_password() -> None:
    result = run("--port", "0", data="postgresql://me:hunter2@127.0.0.1:1/games")
    assert result.returncode == 1
    assert result.stderr.startswith("ludoteca: postgresql+psycopg://me:***@127.0.0.1:1/games: connection ")
    assert result.stderr.count("\n") == 1


def test_games_are_kept_in_the_users_data_folder(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ludoteca", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if name != "LUDOTECA_DATA"}
        | {"XDG_DATA_HOME": str(tmp_path)},
    )
    with process:
        assert process.stdout
        process.stdout.readline()
        process.kill()
    assert (tmp_path / "ludoteca" / "ludoteca.sqlite").exists()


def test_the_browser_is_opened_when_it_is_asked_for(tmp_path: Path) -> None:
    """`BROWSER` is the command that Python's webbrowser calls."""
    browser, opened_at = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened_at}.part\nmv {opened_at}.part {opened_at}\n')
    browser.chmod(0o755)
    with serving("--open", data=tmp_path / "games", BROWSER=str(browser)) as (process, address):
        end = time.monotonic() + PATIENCE
        while not opened_at.exists():
            assert time.monotonic() < end, "no browser was opened"
            time.sleep(0.02)  # another process makes the file
        process.send_signal(signal.SIGINT)  # it opens a browser before it listens to signals
        process.communicate(timeout=PATIENCE)
    assert opened_at.read_text() == f"{address}\n"


def test_nothing_of_the_server_is_loaded_for_other_commands() -> None:
    absent = ["starlette", "uvicorn", "sqlalchemy", "alembic", "psycopg", "websockets"]
    code = f"import ludoteca.cli, ludoteca.cli.serve, sys; print([name for name in {absent} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
