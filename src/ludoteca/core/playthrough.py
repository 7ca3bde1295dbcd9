"""A playthrough: one whole random game written out, kept in the game's folder as `playthrough.txt`.

It is a regression test that one can read. When the rules change on purpose, write it again:

    python -m ludoteca.core.playthrough okupacio seed=1 players=3 board=4x4
"""

import json
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any, Final

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game
from ludoteca.core.registry import find
from ludoteca.core.spec import GameSpec
from ludoteca.core.state import State

FILE: Final = "playthrough.txt"


def write(game: Game, seed: int) -> str:
    """The playthrough of a game whose deal and actions follow from the seed."""
    return "\n".join([*_head(game, seed), *_body(game.new_initial_state(seed), Random(seed))]) + "\n"


def read(spec: GameSpec) -> str:
    """The playthrough that the game keeps. Raises ContractError when it keeps none."""
    file = resources.files(spec.package) / FILE
    if not file.is_file():
        raise ContractError(f"the game {spec.name} has no playthrough: there is no {FILE} in {spec.package}")
    return file.read_text(encoding="utf-8")


def again(spec: GameSpec, text: str) -> str:
    """Write a playthrough again from the parameters and the seed in its first lines. Raises ContractError."""
    try:
        _, chosen, seed = (line.partition(": ")[2] for line in text.splitlines()[:3])
        return write(Game(spec, json.loads(chosen)), int(seed))
    except ValueError as error:
        raise ContractError(f"the playthrough of {spec.name} does not begin with game, parameters, seed: {error}") from None


def _head(game: Game, seed: int) -> Iterator[str]:
    yield f"game: {game.name}"
    yield f"parameters: {json.dumps(game.parameters, ensure_ascii=False)}"
    yield f"seed: {seed}"
    yield f"players: {game.num_players()}"
    yield f"distinct actions: {game.num_distinct_actions()}"
    yield f"returns: {game.min_utility():g} to {game.max_utility():g}"


def _body(state: State, random: Random) -> Iterator[str]:
    number = 0
    yield from _position(state, number)
    while not state.is_terminal():
        action = random.choice(state.legal_actions())
        yield f"action: {state.action_to_string(action)} ({action})"
        state.apply_action(action)
        number += 1
        yield from _position(state, number)


def _position(state: State, number: int) -> Iterator[str]:
    yield ""
    yield f"# {number}"
    yield f"position: {state}"
    yield from _views(state)
    yield f"scores: {state.scores()}"
    if state.is_terminal():
        yield f"returns: {state.returns()}"
        return
    legal = [state.action_to_string(action) for action in state.legal_actions()]
    yield f"player: {state.current_player()}"
    yield f"legal actions, {len(legal)}: {' '.join(legal)}"


def _views(state: State) -> Iterator[str]:
    """What each seat sees, where that is not everything."""
    for seat in range(SPECTATOR, state.game.num_players()):
        seen = state.observation_string(seat)
        if seen != str(state):
            yield f"seen by {'who watches' if seat == SPECTATOR else seat}: {seen}"


def main(arguments: list[str]) -> None:
    """NAME seed=N [PARAMETER=VALUE ...]: write the game's playthrough into its folder."""
    spec = find(arguments[0])
    chosen: dict[str, Any] = dict(argument.split("=", 1) for argument in arguments[1:])
    seed = int(chosen.pop("seed", 1))
    Path(str(resources.files(spec.package) / FILE)).write_text(write(Game(spec, chosen), seed), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
