"""A PostgreSQL of the tests' own: in a temporary folder, reached through a socket there, gone with them."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from signal import SIGQUIT
from typing import TYPE_CHECKING

from ludoteca.core.extras import install_command

if TYPE_CHECKING:
    import psycopg

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
USER = "postgres"
OFF = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")
_number = count()


class Cluster:
    """A running server, with as many databases as are asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def url(self, database: str) -> str:
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def connect(self, database: str) -> "psycopg.Connection[tuple[object, ...]]":
        import psycopg  # an extra

        return psycopg.connect(self.url(database), autocommit=True)

    def new_database(self) -> str:
        name = f"games{next(_number)}"
        with self.connect(USER) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return name


def lacking() -> str:
    """Return the reason why there is no PostgreSQL here, and the command that installs it. Empty if there is one."""
    if not PROGRAMS:
        return "PostgreSQL is missing: as root, apt-get install postgresql"
    if not find_spec("psycopg"):
        return f"psycopg is missing: {install_command('postgres')}"
    if os.getuid() == 0 and USER not in {user.pw_name for user in pwd.getpwall()}:
        return f"PostgreSQL does not run as root, and there is no user {USER}"
    return ""


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Made in about two seconds; without what is for the day when its power is cut, and ended as if it were."""
    folder = Path(tempfile.mkdtemp(prefix="ludoteca-pg-"))
    owner = USER if os.getuid() == 0 else None
    if owner:
        shutil.chown(folder, owner)
    data = folder / "data"
    try:
        _run(
            owner, PROGRAMS[-1].with_name("initdb"), "-D", data, "-U", USER, "-A", "trust", "-N", "--locale=C", "-E", "UTF8"
        )
        settings = ["listen_addresses=", "max_connections=60", *(f"{name}=off" for name in OFF)]
        options = [f"--{setting}" for setting in settings]
        command: list[str | Path] = [PROGRAMS[-1], "-D", data, "-k", folder, *options]
        with subprocess.Popen(
            command, user=owner, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as server:
            try:
                yield _awaited(Cluster(folder))
            finally:
                server.send_signal(SIGQUIT)
    finally:
        shutil.rmtree(folder)


def _run(owner: str | None, *command: str | Path) -> None:
    subprocess.run(command, user=owner, cwd="/", check=True, capture_output=True, timeout=60)


def _awaited(made: Cluster) -> Cluster:
    import psycopg

    end = time.monotonic() + 30
    while True:
        try:
            made.connect(USER).close()
        except psycopg.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)  # it is starting, and refuses connections until it is ready
        else:
            return made
