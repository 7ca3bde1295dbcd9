"""Twin worlds in a page: two rooms that differ only in what a seat may not know give the seat the same frames.

As a program it checks that, and prints the frames of both, a line each. It imports nothing of the tests, so that a page's
Python can run it too.
"""

import json
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

import ludoteca
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.server.model import requests
from ludoteca.server.model.creation import new_row
from ludoteca.server.model.events import AGENT, PERSON, Options, SeatMade
from ludoteca.server.model.fair import Draw
from ludoteca.server.model.tokens import digest
from ludoteca.server.settings import Settings
from ludoteca.server.thinking import worker
from ludoteca.web.shell import Kept, Shell

PLAYERS: dict[str, dict[str, Any]] = {"conclave": {"players": 3}, "metro": {"players": 2}}
TOKEN = 32 * "t"
MOST_BEFORE = 30
MOST_DEALS = 20
MOST_TOUCHED = 10


def twins(name: str, count: int) -> Iterator[tuple[State, State, int]]:
    """Yield so many pairs of states that their player to move cannot tell apart, and an action of the player."""
    game, chance = ludoteca.load(name, **PLAYERS.get(name, {})), Random(1)
    while count:
        state = game.new_initial_state(chance.getrandbits(32))
        for _ in range(chance.randrange(MOST_BEFORE)):
            if not state.is_terminal():
                state.apply_action(some_action(state, chance))
        if state.is_terminal():
            continue
        seat = state.current_player()
        for _ in range(MOST_DEALS):
            other = state.resample_from_infostate(seat, new_rng(chance.getrandbits(32)))
            if str(other) != str(state):
                yield state, other, some_action(state, chance)
                count -= 1
                break


def some_action(state: State, chance: Random) -> int:
    """Return any action but giving up, if there is another."""
    legal = state.legal_actions()
    return chance.choice([action for action in legal if action != state.game.rules.CONCEDE] or legal)


def frames_of(state: State, action: int, *, plays: bool) -> list[str]:
    """Return the frames of a room that begins in this state, for the player to move, who asks for much and may play."""
    vars(worker)["_thinking"].clear()  # an agent of the other room has the same name and seed
    seat, game = state.current_player(), state.game
    seats = [SeatMade(AGENT, agent="random") for _ in range(game.num_players())]
    seats[seat] = SeatMade(PERSON, "Jo", token=digest(TOKEN))
    row = new_row(game, Options(seats, start=str(state)), Draw(b"", b""), name="local")
    kept = Kept(game.name, TOKEN, row=msgspec.structs.replace(row, created=0.0))
    shell = Shell("local", kept, settings=Settings(pace=3600.0))
    sent = shell.hear(json.dumps({"t": "hello", "token": TOKEN}))
    whole = json.loads(sent[0])
    items = [item[0] for item in whole["scene"][2]]
    asked: list[dict[str, Any]] = [{"t": "why", "touched": [item]} for item in items[:MOST_TOUCHED]]
    asked += [{"t": "preview", "action": str(action)}, {"t": "hint"}]
    asked += [{"t": "play", "action": str(action)}] if plays else []
    asked = [{"t": "look", "ply": 0}, {"t": "read"}, *(each | {"n": whole["position_n"]} for each in asked)]
    for number, request in enumerate(asked):
        sent += shell.hear(json.dumps(request | {"id": number}))
        if request["t"] == "hint":
            sent += shell.wake()
    return sent


def look_alike(one: State, two: State, action: int) -> bool:
    """Return True if the player to move sees the same after this action in both states."""
    seat = one.current_player()
    after = [state.child(action) for state in (one, two)]
    if any(state.is_terminal() for state in after):
        return False  # after the end, all may be sent
    views = [state.view(seat).tobytes() for state in after]
    return views[0] == views[1] and one.seen_action(action, seat) == two.seen_action(action, seat)


if __name__ == "__main__":
    vars(requests)["HINTS_BY"] = "100x"  # an agent with a time limit finds more on some days
    for one, two, action in twins(sys.argv[1], 40):
        plays = look_alike(one, two, action)
        told = frames_of(one, action, plays=plays)
        assert told == frames_of(two, action, plays=plays), (str(one), str(two))
        sys.stdout.write("".join(f"{frame}\n" for frame in told))
