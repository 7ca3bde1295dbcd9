"""Whole games and searches with fixed secrets, natively or in a browser: the same frames and findings.

As a program it prints those of a game, a line each. It imports nothing of the tests, so that a page's Python can run it too.
"""

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any

import msgspec

import ludoteca
from ludoteca.agents.agent import new_agent
from ludoteca.agents.analysis import value_moves
from ludoteca.search.searcher import Budget
from ludoteca.server.model import fair
from ludoteca.server.settings import Settings
from ludoteca.server.thinking import analyses
from ludoteca.web.shell import SEARCHES, Kept, Shell

ROOMS: dict[str, tuple[dict[str, Any], int]] = {
    "okupacio": ({"players": 2, "board": "8x8"}, 2),
    "conclave": ({"players": 2}, 2),
    "cartas": ({}, 4),
    "qinto": ({}, 2),
    "metro": ({}, 1),
}
"""By game: parameters, and the number of seats. All but the first are agents'."""
SEARCHED: dict[str, list[dict[str, Any]]] = {
    "okupacio": [{"players": 2, "board": "8x8"}, {"players": 4, "board": "8x8"}],
    "conclave": [{"players": 2}, {"players": 4}],
    "cartas": [{}],
    "qinto": [{}],
    "metro": [{}, {"players": 4}],
}
MOST_MOVES = 500
MOST_PLIES = 40
MOST_JUDGED = 6


def frames_of(name: str) -> Iterator[str]:
    """Yield every frame of a whole game of a person, who plays at random, previews, reads and looks back, and of agents.

    Then yield what the analysis of the game has found after each move.
    """
    parameters, seats = ROOMS.get(name, ({}, 2))
    players = [{"kind": "person", "name": "Jo"}, *({"kind": "agent", "agent": "5"} for _ in range(seats - 1))]
    wish = {"game": name, "parameters": parameters, "seats": players}
    kept = msgspec.convert({"game": name, "token": 32 * "t", "wish": wish}, Kept)
    draw = fair.Draw(sha256(name.encode()).digest(), 32 * b"n")
    vars(fair)["new_draw"] = lambda: draw
    shell = Shell("local", kept, settings=Settings(pace=0.0))
    sent = shell.hear(json.dumps({"t": "hello", "token": kept.token}))
    yield from sent
    whole = json.loads(sent[0])
    choices, mover, over, n, ply, number, seed = whole["choices"], whole["mover"], None, whole["position_n"], 0, 0, 7
    for _ in range(MOST_MOVES):
        if over:
            break
        if mover == whole["you"]:
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            real = [action for action, *_ in choices if action != whole["give_up"]]
            action = real[seed % len(real)]
            requests = [{"t": "preview", "n": n, "action": action}, {"t": "read"}, {"t": "play", "n": n, "action": action}]
            requests += [{"t": "look", "ply": ply - 2}] if ply > 2 else []
            sent = []
            for number, request in enumerate(requests, number + 1):  # noqa: B020  # it goes on
                sent += shell.hear(json.dumps({"id": number, **request}))
        else:
            sent = shell.wake()
        yield from sent
        for frame in map(json.loads, sent):
            choices = frame.get("choices", choices)
            if frame["t"] == "event":
                ply, mover, over, n = frame["ply"], frame["mover"], frame.get("over"), frame["position_n"]
    vars(analyses)["SIMULATIONS"] = 60
    found = shell.analysis(begins=True)
    while found["state"] != "done":
        assert (shell.next_due(), shell.wake()) == (0.0, [])
        found = shell.analysis()
        yield json.dumps([found["moves"][-1:], found["costly"], found["unsure"], found["stake"]])


def searches_of(name: str) -> Iterator[str]:
    """Yield what agents and analyses find, for each number of players that is searched differently."""
    for parameters in SEARCHED.get(name, [{}]):
        game = ludoteca.load(name, compiled=True, **parameters)
        state = game.new_initial_state(1)
        agents = [new_agent("300x", game, seat, SEARCHES) for seat in range(game.num_players())]
        while not state.is_terminal() and len(state.history()) < MOST_PLIES:
            seat = state.current_player()
            known = state.information_state(seat)
            action, findings, _ = agents[seat].choose(known)
            state.apply_action(action)
            yield repr((action, findings and findings.choices, state.position.content().hex()))
        yield from map(repr, islice(value_moves(state, Budget(simulations=60), settings=SEARCHES), MOST_JUDGED))


if __name__ == "__main__":
    for found in (*frames_of(sys.argv[1]), *searches_of(sys.argv[1])):
        sys.stdout.write(f"{found}\n")
