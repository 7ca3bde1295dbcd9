"""What is over is freed at once: nothing of it waits until Python looks for objects that refer to each other."""

import gc
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ludoteca.core.game import Game
from ludoteca.server.http.protocols import Guard
from ludoteca.server.model.room import Room
from ludoteca.server.model.table import Table
from ludoteca.server.rooms.actor import RoomActor
from ludoteca.server.rooms.connection import Connection
from tests.server.serving import OPEN, PATIENCE, QUICK, agent, me, serve

FREED = RoomActor, Room, Table, Game, Connection, Guard


@contextmanager
def without_collector() -> Iterator[None]:
    """Whatever refers to itself stays, until this ends."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def there() -> Counter[str]:
    """How many there are of those that are to be freed."""
    return Counter(type(one).__name__ for one in gc.get_objects() if type(one) in FREED)


def test_rooms_and_their_clients_are_freed_without_the_collector(tmp_path: Path) -> None:
    quick_to_sleep = replace(QUICK, idle=0.05, hello_within=1.0)
    with serve(tmp_path / "games.sqlite", quick_to_sleep) as served, without_collector():
        before = there()
        made = served.make("okupacio", me(), OPEN, agent("random"), parameters={"players": 3})
        taken = served.take(made["room"], "Bru")
        with (
            served.join(made["room"], made["token"]) as first,
            served.join(made["room"], taken["token"]) as second,
            served.join(made["room"]),
            served.connect(made["room"]) as silent,
        ):
            assert silent.until("error")["code"] == "hello"
            first.ask("play", action=first.whole["choices"][0][0])
            second.ask("play", action=second.until("event/move")["choices"][0][0])
            while first.until("event/move")["ply"] < 3:  # and the agent's
                pass
            assert not there() <= before
        deadline = time.monotonic() + PATIENCE
        while not (there() <= before):
            assert time.monotonic() < deadline, there() - before
            time.sleep(0.05)
