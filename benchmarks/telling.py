"""What it takes to play a move in a room and to tell four people of it, without sockets and without a database.

    python benchmarks/telling.py [--game NAME]... [--rounds N]

Ten rooms of each game play at random, in turns, with compiled rules where `ludoteca warm` has been run. Prints a line a
game: the microseconds of processor that a move takes (the event, the scenes of all seats, their differences, the frames as
JSON), and a digest of all frames: two versions of the program that tell the same have the same one.

Where a busy machine makes such times useless, instructions can be counted. What a run of 12 rounds takes more than one of 2
is what 10 rounds take, 100 moves a game (NUMBA_CPU_NAME, because valgrind does not know all of a new processor):

    NUMBA_CPU_NAME=haswell PYTHONHASHSEED=0 valgrind --tool=cachegrind python benchmarks/telling.py --rounds 12
"""

import argparse
import gc
import hashlib
import random
import time
from collections.abc import Iterator
from typing import Any

from ludoteca.core import registry
from ludoteca.core.game import load
from ludoteca.server.app import brief_collections
from ludoteca.server.model.creation import new_row
from ludoteca.server.model.events import Moved, Options, SeatMade
from ludoteca.server.model.fair import Draw
from ludoteca.server.model.table import Table
from ludoteca.server.model.teller import Teller, common_event
from ludoteca.server.rooms.connection import encoded

ROOMS = 10
SEATS = range(4)


class Room:
    """A table, and a teller that has shown all seats the whole."""

    def __init__(self, name: str, number: int) -> None:
        known = {kind.name for kind in registry.find(name).parameters}
        chosen: dict[str, Any] = {"players": len(SEATS)} if "players" in known else {}
        made = [SeatMade("person", str(seat)) for seat in SEATS]
        seed = number.to_bytes(32, "big")
        self.table = Table(new_row(load(name, **chosen), Options(made), Draw(seed, seed)))
        self.table.game.hasten()
        self.teller = Teller(self.table)
        self.random = random.Random(number)
        for seat in SEATS:
            self.teller.whole(seat, SEATS, None)

    def choose(self) -> Moved:
        """A random move, none that gives up."""
        table = self.table
        legal = [action for action in table.now.legal if action != table.game.rules.CONCEDE]
        return Moved(table.mover, table.state.action_to_string(self.random.choice(legal)))

    def play(self, move: Moved) -> Iterator[bytes]:
        """Play it: the frames of all seats."""
        step = self.table.prepare(move)
        self.table.commit(step)
        common = common_event(self.table, step, SEATS, None)
        return (encoded(self.teller.event(move, seat, common)) for seat in SEATS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="only these; else all")
    parser.add_argument("--rounds", type=int, default=100, help="moves in each room")
    options = parser.parse_args()
    gc.collect()
    with brief_collections():
        for name in options.game or registry.names():
            rooms = [Room(name, number) for number in range(ROOMS)]
            digest, spent, begun = hashlib.sha256(), 0.0, len(rooms)
            for _ in range(options.rounds):
                for place, room in enumerate(rooms):
                    if room.table.is_over:
                        rooms[place] = room = Room(name, begun)
                        begun += 1
                    move = room.choose()
                    before = time.thread_time()
                    frames = list(room.play(move))
                    spent += time.thread_time() - before
                    for frame in frames:
                        digest.update(frame)
            each = 1e6 * spent / options.rounds / ROOMS
            print(f"{name:9} {each:6.0f} us a move, frames {digest.hexdigest()[:12]}", flush=True)


if __name__ == "__main__":
    main()
