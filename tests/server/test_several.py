"""Three servers on one PostgreSQL behind nginx, with the configuration of `docs/server-several.md`, while people play.

Servers are killed, or stopped and continued: no acknowledged move is lost, none is there twice, and no room has two writers.
"""

import asyncio
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests import forks
from tests.browser.serving import free_port
from tests.server.postgres import Cluster
from tests.server.test_kill import PATIENCE, Asked, Evening, Frame, Player, check

DOCS = Path(__file__).parents[2] / "docs" / "server-several.md"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
SERVERS = 3
BACK = 5.0
"""Seconds in which people are back."""


class Club(Asked):
    """Three servers, and nginx before them: at its port all is asked for."""

    def __init__(self, folder: Path, data: str, lease: float) -> None:
        self.port = free_port()
        self.ports = [free_port() for _ in range(SERVERS)]
        self.data = data
        self._folder, self._lease = folder, str(lease)
        self.servers = [self._served(number) for number in range(SERVERS)]

    def _served(self, number: int) -> BaseProcess:
        where = ["serve", "--port", str(self.ports[number]), "--no-open", "--data", self.data]
        how = ["--ping", "1", "--lease", self._lease, "--workers", "1"]
        return forks.ludoteca(*where, *how, errors=self._folder / f"errors{number}")

    def restart(self, number: int) -> None:
        self.servers[number] = self._served(number)

    def kill(self, number: int) -> None:
        assert self.servers[number].exitcode is None, (self._folder / f"errors{number}").read_text()
        self.servers[number].kill()
        self.servers[number].join()

    def await_health(self, number: int) -> None:
        """Wait until a server answers."""
        direct = Asked()
        direct.port = self.ports[number]
        direct.ask("/health")

    def signal(self, number: int, what: signal.Signals) -> None:
        pid = self.servers[number].pid
        assert pid
        os.kill(pid, what)


@contextmanager
def club(folder: Path, data: str, lease: float) -> Iterator[Club]:
    made = Club(folder, data, lease)
    file = folder / "nginx.conf"
    file.write_text(configuration(made, folder))
    assert NGINX
    log = folder / "nginx.log"
    command = [NGINX, "-e", str(log), "-p", str(folder), "-c", str(file), "-g", "daemon off;"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as nginx:
        try:
            for number in range(SERVERS):
                made.await_health(number)
            yield made
        finally:
            nginx.terminate()
            for number, server in enumerate(made.servers):
                if server.exitcode is None:
                    made.signal(number, signal.SIGCONT)
                    server.kill()
                server.join()


def configuration(made: Club, folder: Path) -> str:
    """What `docs/server-several.md` says, at these ports."""
    found = re.search(r"```nginx\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    text = found[1].replace("listen 80;", f"listen 127.0.0.1:{made.port};")
    for number, port in enumerate(made.ports):
        text = text.replace(f"127.0.0.1:{8001 + number} ", f"127.0.0.1:{port} ")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    user = "user root;\n" if os.getuid() == 0 else ""  # whose folder it is
    events = "worker_processes 2;\nevents {}\n"
    return f"{user}pid {folder}/nginx.pid;\n{events}http {{\naccess_log off;\n{paths}{text}}}\n"


class Guest(Player):
    """A person who comes back by nginx, and notes how long that took."""

    def __init__(self, server: Asked, room: str, seat: int, token: str) -> None:
        super().__init__(server, room, seat, token)
        self.away: list[float] = []
        """Seconds from the end of a connection until the room was there again."""
        self._ended: float | None = None

    async def play(self) -> None:
        while not self.over:
            with suppress(OSError, WebSocketException, PutOutError):
                async with connect(self._url, max_size=None, compression=None, open_timeout=PATIENCE) as socket_:
                    await self._sit(socket_)
            if self._ended is None:
                self._ended = time.monotonic()
            await asyncio.sleep(0.05)

    def _compare(self, room: Frame) -> None:
        super()._compare(room)
        if self._ended is not None:
            self.away.append(time.monotonic() - self._ended)
            self._ended = None

    def _is_refused(self, error: Frame) -> None:
        if error["code"] in ("storage", "failed", "waiting", "hello"):
            raise PutOutError
        super()._is_refused(error)


class PutOutError(Exception):
    """The server has lost the room, and says so: it is found again through nginx."""


async def spend(club: Club, strikes: int, stopped: float) -> Evening:
    """People play while servers are killed in turn, or stopped for so many seconds."""
    evening, chance = Evening(club, Guest), random.Random(strikes)

    async def strike_often() -> None:
        for number in islice(cycle(range(SERVERS)), strikes):
            enough = evening.moves() + chance.randint(3, 12)
            await until(lambda enough=enough: evening.moves() >= enough)  # type: ignore[misc]
            async with evening.inviting:
                if stopped:
                    club.signal(number, signal.SIGSTOP)
                    await asyncio.sleep(stopped)
                    club.signal(number, signal.SIGCONT)
                else:
                    club.kill(number)
                    club.restart(number)
                await asyncio.to_thread(club.await_health, number)
        evening.late = True

    async with asyncio.TaskGroup() as group:
        group.create_task(evening.play())
        group.create_task(strike_often())
    return evening


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)


@pytest.mark.slow
@pytest.mark.skipif(NGINX is None, reason="nginx is not installed: apt-get install nginx-light")
@pytest.mark.parametrize(
    ("strikes", "stopped", "lease"),
    [
        pytest.param(3, 0.0, 1.0, id="killed"),
        pytest.param(3, 4.0, 1.0, id="stopped"),
        pytest.param(20, 0.0, 3.0, marks=pytest.mark.soak, id="killed 20 times"),
        pytest.param(3, 30.0, 3.0, marks=pytest.mark.soak, id="stopped for 30 s"),
    ],
)
def test_servers_behind_nginx_lose_no_acknowledged_move_and_no_room_has_two_writers(
    tmp_path: Path, postgres: Cluster, strikes: int, stopped: float, lease: float
) -> None:
    name = postgres.new_database()
    with club(tmp_path, postgres.url(name), lease) as made:
        evening = asyncio.run(spend(made, strikes, stopped))
        rooms = {player.room for player in evening.players}
        for room in rooms:
            check(made, room, [player for player in evening.players if player.room == room])
    away = [seconds for player in evening.players if isinstance(player, Guest) for seconds in player.away]
    longest = max(away, default=0.0)
    found = f"{len(rooms)} rooms, {evening.moves()} moves, {len(away)} times away, at the latest for {longest:.1f} s\n"
    sys.stderr.write(found)
    with postgres.connect(name) as connection:
        stored = connection.execute("SELECT room, n, epoch FROM events ORDER BY room, n").fetchall()
    for room in rooms:
        numbers, epochs = zip(*((n, epoch) for where, n, epoch in stored if where == room), strict=True)
        assert numbers == tuple(range(1, len(numbers) + 1))
        assert epochs[0] > 0
        assert list(epochs) == sorted(epochs), "who has lost a room wrote after who has taken it"
    if strikes > SERVERS or stopped > BACK:  # in long runs alone: a busy machine starts nothing in time
        assert 0 < longest < BACK
