"""Writes a small file of each format that is stable. The tests of compatibility read files that this has written once.

    python -m tests.stored_files tests/data/1.0

Do not write the files of a release again: later versions have to read them as they are. A release with a new format, or with
a new version of a format, gets its own folder.
"""

import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

import ludoteca
from ludoteca.arena.matches.store import FILE
from ludoteca.arena.matches.transcripts import Transcript, replay
from ludoteca.arena.programs.conversation import Left
from ludoteca.core.game import State
from ludoteca.core.record import read_record
from ludoteca.core.value import write_value
from ludoteca.server.http.api import OPERATIONS
from tests.processes import run_here
from tests.server.serving import ANSWERS, OPEN, Client, me, serve

GAMES: Final[dict[str, dict[str, Any]]] = {
    "okupacio": {"board": "4x4"}, "conclave": {}, "cartas": {}, "qinto": {"rounds": 1}, "metro": {"players": 2},
}  # fmt: skip
"""Parameters with which games are short."""
CUP: Final = """\
game = "okupacio"
format = "round robin"
deals = 1
opening = 2
seed = 7
parameters.board = "4x4"
limits.memory = "512M"

[[entrants]]
name = "dice"
agent = "random"

[[entrants]]
agent = "greedy"
"""
WEIGHTS: Final = [0.5, -1.25, 2.0]
CARD: Final = {"command": "ludoteca train", "date": "2026-11-29", "games": 3, "strength": "not measured"}
FRAMES: Final[list[dict[str, Any]]] = [
    {"t": "ping", "id": 1},
    {"t": "read", "id": 2},
    {"t": "why", "id": 3, "n": 3, "touched": ["aa"]},
    {"t": "preview", "id": 4, "n": 3, "action": "27"},
    {"t": "write", "id": 5, "n": 2, "text": "bb"},
    {"t": "write", "id": 6, "n": 3, "text": "bb"},
    {"t": "look", "id": 7, "ply": 1, "player": 0},
    {"t": "undo", "id": 8, "n": 4},
    {"t": "decline", "id": 9, "what": "undo 4 0"},
    {"t": "resign", "id": 10, "n": 4},
]
"""The requests of a player in the stored room, whose position is that of event 3."""


def played(name: str, seed: int, actions: int | None = None) -> State:
    """Play a game with random actions to its end, or this number of actions, without giving up."""
    state, random = ludoteca.load(name, **GAMES[name]).new_initial_state(seed), Random(seed)
    while not state.is_terminal() and (actions is None or len(state.history()) < actions):
        legal = state.legal_actions()
        state.apply_action(random.choice([each for each in legal if each != state.game.rules.CONCEDE] or legal))
    return state


def position(name: str, actions: int) -> dict[str, Any]:
    """Return a position in notation, with the legal actions and what the player to move knows."""
    state = played(name, 1, actions)
    return {
        "game": name,
        "position": str(state),
        "view": state.information_state_string(state.current_player()),
        "legal": [state.action_to_string(action) for action in state.legal_actions()],
    }


def bot_lines(record: Path) -> list[str]:
    """Return the lines that a bot in the first seat reads in a recorded game."""
    transcript = Transcript(Left(5.0, 60.0))
    for _ in replay(read_record(record), 0, transcript):
        pass
    return transcript.lines


def exchange(client: Client, requests: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Send requests. Yield each with the frames that follow up to its answer."""
    for request in requests:
        client.send(request)
        answers = [client.next()]
        while answers[-1].get("id") != request.get("id") or answers[-1]["t"] not in (*ANSWERS, "room", "pong"):
            answers.append(client.next())
        yield {"sent": request, "received": answers}


def addresses() -> dict[str, Any]:
    """Return the addresses of the HTTP API, with the fields of their requests and answers."""
    return {
        f"{each.method} {each.path}": {
            "takes": [*getattr(each.takes, "__struct_fields__", ()), *each.query],
            "gives": [*getattr(each.gives, "__struct_fields__", ())],
        }
        for each in OPERATIONS
    }


def write_room(folder: Path) -> None:
    """Write `room.sql`, a server's database with a game of two that goes on, and `frames.jsonl`, what one of them sends and
    receives when the server has started again.
    """
    with TemporaryDirectory() as made:
        file = Path(made, "rooms.sqlite")
        with serve(file) as server:
            room = server.make("okupacio", me(), OPEN, parameters={"board": "4x4"})
            other = server.take(room["room"], "Bru")
            with server.join(room["room"], room["token"]) as ana, server.join(room["room"], other["token"]) as bru:
                assert ana.ask("write", text="aa")["t"] == bru.ask("write", text="dd")["t"] == "done"
        write_sql(file, folder / "room.sql")
        hello = {"t": "hello", "token": room["token"]}
        with serve(file) as server, server.connect(room["room"]) as client:
            frames = [*exchange(client, [hello, *FRAMES])]
    lines = [json.dumps({"room": room["room"], "other": other["token"]}), *map(json.dumps, frames)]
    (folder / "frames.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_tournament(folder: Path) -> None:
    """Write `cup.toml`, the file of a tournament, and `cup.sql`, its games."""
    (folder / "cup.toml").write_text(CUP, encoding="utf-8")
    with TemporaryDirectory() as made:
        run_here("tournament", str(folder / "cup.toml"), "--out", made, "--no-page").check_returncode()
        write_sql(Path(made, FILE), folder / "cup.sql", nameless)


def nameless(line: str) -> str:
    """Return a line of SQL with another name of the processor."""

    def change(found: re.Match[str]) -> str:
        content = json.loads(bytes.fromhex(found[1])) | {"processor": "a processor"}
        return f"X'{json.dumps(content, separators=(',', ':')).encode().hex().upper()}'"

    return re.sub("X'([0-9A-F]+)'", change, line)


def write_sql(file: Path, to: Path, change: Callable[[str], str] = str) -> None:
    """Write the content of an SQLite file as SQL."""
    with closing(sqlite3.connect(file)) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        lines = [f"PRAGMA user_version = {version};", *map(change, database.iterdump())]
    to.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def main(folder: Path) -> None:
    """Write all files into a new folder."""
    from ludoteca.envs import dataset  # which takes long to import, and no test needs it here

    with suppress(FileExistsError):
        folder.mkdir(parents=True)
    assert not [*folder.iterdir()], f"{folder} has files already"
    for name in GAMES:
        (folder / f"{name}.json").write_text(played(name, 1).serialize(), encoding="utf-8")
    positions = [position(name, actions) for name in GAMES for actions in (0, 9)]
    (folder / "positions.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in positions), encoding="utf-8")
    (folder / "bot.txt").write_text("".join(f"{line}\n" for line in bot_lines(folder / "cartas.json")), encoding="utf-8")
    (folder / "api.json").write_text(json.dumps(addresses(), indent=1) + "\n", encoding="utf-8")
    write_tournament(folder)
    write_value(folder / "weights.npz", np.array(WEIGHTS, np.float32), CARD)
    recipe = dataset.Recipe(ludoteca.load("okupacio", board="4x4"), seed=1, columns=("game", "ply", "view", "action"))
    dataset.make(recipe, folder / "dataset", games=2, processes=1)
    write_room(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
