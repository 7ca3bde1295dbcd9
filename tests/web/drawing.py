"""Positions of random games, and what the product draws and writes of them: with NumPy, its stand-in, or in a browser.

As a program it reads positions from standard input and writes the drawings, a line each. It imports nothing of the tests, so
that a page's Python can run it too.
"""

import json
import random
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

import ludoteca
from ludoteca.core.game import Game
from ludoteca.core.position import Position
from ludoteca.server.model.history import scenes_of

PARAMETERS: dict[str, list[dict[str, Any]]] = {
    "okupacio": [{}, {"players": 4, "board": "8x8"}],
    "conclave": [{"players": 2}, {"players": 4}],
    "cartas": [{}],
    "metro": [{}, {"players": 4}],
    "qinto": [{}, {"variant": "classic", "players": 3}],
}
"""Two ways to play each game that has several."""


def positions(name: str, number: int) -> Iterator[str]:
    """Yield so many positions of random games, a line each, before and after an action, as one of the seats sees them."""
    each = number // len(PARAMETERS.get(name, [{}]))
    for parameters in PARAMETERS.get(name, [{}]):
        game, rng, found = ludoteca.load(name, **parameters), random.Random(1), 0
        while found < each:
            state = game.new_initial_state(rng.randrange(1 << 32))
            while found < each and not state.is_terminal():
                seat = rng.choice([-1, *range(game.num_players())])
                before = state.view(seat).tobytes().hex()
                state.apply_action(rng.choice(state.position.choices().tolist()))
                if rng.random() < 0.3:
                    legal = state.legal_actions()[:20] if seat == state.current_player() else []
                    view, seen = state.view(seat).tobytes().hex(), state.seen_actions(seat)[-1]
                    whole = state.position.tobytes().hex()
                    yield json.dumps([name, game.parameters, seat, before, seen, view, legal, whole])
                    found += 1


@lru_cache
def _game(name: str, parameters: str) -> Game:
    return ludoteca.load(name, **json.loads(parameters))


def drawn(line: str) -> str:
    """Return everything that is drawn and written of a position, as JSON."""
    name, parameters, seat, before, seen, after, legal, whole = json.loads(line)
    game = _game(name, json.dumps(parameters))
    earlier, view = (Position.from_bytes(game, bytes.fromhex(content)).raw for content in (before, after))
    scenes = scenes_of(game.spec)
    text = game.notation.position_to_string(Position.from_bytes(game, bytes.fromhex(whole)).raw)
    found = [
        text,
        game.state_from_string(text).position.content().hex(),
        scenes.draw(view, seat),
        scenes.placed(earlier, view, seat, seen),
        scenes.choices(view, seat, legal),
        [scenes.describe(view, seat, action) for action in legal],
        [scenes.preview(view, seat, action) for action in legal[:3]] if hasattr(scenes, "preview") else [],
        game.notation.position_to_string(view),
        [game.notation.action_to_string(view, action) for action in legal],
    ]
    return msgspec.json.encode(found, enc_hook=tuple).decode()


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(f"{drawn(line)}\n")
