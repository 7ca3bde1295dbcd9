"""Backups and restores: the commands of `docs/server.md`, with databases of running servers."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.server.postgres import PROGRAMS, USER, Cluster
from tests.server.serving import OPEN, me, serve

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Back up and restore\n")[2].partition("\n## ")[0]
SQLITE_BACKUP, SQLITE_RESTORE, POSTGRES_BACKUP, POSTGRES_RESTORE = re.findall(r"(?:^    .*\n)+", SECTION, re.MULTILINE)
needs_sqlite3 = pytest.mark.skipif(
    not shutil.which("sqlite3"), reason="sqlite3 is missing: as root, apt-get install sqlite3"
)


def run(commands: str, folder: Path, **environment: str) -> None:
    """Run commands of the page, except those that stop and start its service."""
    script = re.sub(r"^ *systemctl .*$", "", commands, flags=re.MULTILINE)
    done = subprocess.run(
        ["sh", "-e", "-c", script],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def check(data: str, folder: Path, backup: str, restore: str, **environment: str) -> None:
    """A game goes on from the move before the backup, and a room from after it is gone."""
    with serve(data) as server:
        made = server.make("okupacio", me(), OPEN, parameters={"players": 2})
        other = server.take(made["room"], "Bru")
        with server.join(made["room"], made["token"]) as ana, server.join(made["room"], other["token"]) as bru:
            assert ana.ask("play", action=ana.whole["choices"][0][0])["t"] == "done"
            run(backup, folder, **environment)
            assert bru.ask("play", action=bru.until("event")["choices"][0][0])["t"] == "done"
        later = server.make("okupacio", me(), OPEN, parameters={"players": 2})
    run(restore, folder, **environment)
    with serve(data) as server:
        with server.join(made["room"], other["token"]) as bru:
            assert bru.whole["ply"] == 1
            assert bru.ask("play", action=bru.whole["choices"][0][0])["t"] == "done"
        assert server.http.post(f"/api/rooms/{later['room']}/seats", json={"name": "Bru"}).status_code == 404


@needs_sqlite3
def test_games_in_sqlite_are_backed_up_and_restored(tmp_path: Path) -> None:
    backup, restore = (
        commands.replace("/var/lib/ludoteca", str(tmp_path)).replace("/root", str(tmp_path))
        for commands in (SQLITE_BACKUP, SQLITE_RESTORE)
    )
    check(str(tmp_path / "games.sqlite"), tmp_path, backup, restore)


def test_games_in_postgresql_are_backed_up_and_restored(postgres: Cluster, tmp_path: Path) -> None:
    with postgres.connect(USER) as connection:
        connection.execute("CREATE ROLE ludoteca LOGIN")
        connection.execute("CREATE DATABASE games OWNER ludoteca")
    environment = {"PGHOST": str(postgres.folder), "PGUSER": USER, "PATH": f"{PROGRAMS[-1].parent}:{os.environ['PATH']}"}
    data = f"postgresql://ludoteca@/games?host={postgres.folder}"
    check(data, tmp_path, POSTGRES_BACKUP, POSTGRES_RESTORE, **environment)
