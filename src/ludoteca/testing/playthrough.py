"""A playthrough: a whole random game as text, in the file `playthrough.txt` of the game's folder. A law requires that the
rules still give the same text.

So it is a regression test that people can read. After an intended change of the rules, write it again:

    python -m ludoteca.testing playthrough okupacio seed=1 players=3 board=4x4
"""

import json
from random import Random
from typing import Final

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game
from ludoteca.core.spec import GameSpec
from ludoteca.testing.trial import Effort, require

FILE: Final = "playthrough.txt"


def playthrough_is_kept(spec: GameSpec, _: Effort) -> None:
    """Require that the game's folder has a playthrough, and that the rules still give the same text for its parameters and
    seed.
    """
    text = read(spec)
    now = write_again(spec, text)
    for number, (old, new) in enumerate(zip(text.splitlines(), now.splitlines(), strict=False), 1):
        require(old == new, spec, f"line {number} of its playthrough is {old!r}, and the rules now give {new!r}")
    require(text == now, spec, "its playthrough has another length than the rules now give")


def read(spec: GameSpec) -> str:
    """Return the text of the playthrough in the game's folder. Raises ContractError if there is no such file."""
    file = spec.file(FILE)
    if not file.is_file():
        raise ContractError(f"the game {spec.name} has no playthrough: there is no {FILE} in {spec.package}")
    return file.read_text(encoding="utf-8")


def write_again(spec: GameSpec, text: str) -> str:
    """Return the text of a new playthrough with the parameters and the seed that the first lines of `text` name.

    Raises ContractError if these lines are not in the form that `write` gives them.
    """
    try:
        _, chosen, seed = (line.partition(": ")[2] for line in text.splitlines()[:3])
        return write(Game(spec, json.loads(chosen)), int(seed))
    except ValueError as error:
        raise ContractError(f"the playthrough of {spec.name} does not begin with game, parameters, seed: {error}") from None


def write(game: Game, seed: int) -> str:
    """Return the text of a playthrough of the game. The seed determines the deal and the random actions."""
    lines = [
        f"game: {game.name}",
        f"parameters: {json.dumps(game.parameters, ensure_ascii=False)}",
        f"seed: {seed}",
        f"players: {game.num_players()}",
        f"distinct actions: {game.num_distinct_actions()}",
        f"returns: {game.min_utility():g} to {game.max_utility():g}",
    ]
    state, random = game.new_initial_state(seed), Random(seed)
    while True:
        lines += ["", f"# {len(state.history())}", f"position: {state}"]
        for seat in range(SPECTATOR, game.num_players()):
            seen = state.observation_string(seat)
            if seen != str(state):  # something is hidden from this seat
                lines.append(f"seen by {'a spectator' if seat == SPECTATOR else seat}: {seen}")
        lines.append(f"scores: {state.scores()}")
        if state.is_terminal():
            lines.append(f"returns: {state.returns()}")
            return "\n".join(lines) + "\n"
        legal = state.legal_actions()
        texts = [state.action_to_string(action) for action in legal]
        action = random.choice(legal)
        lines.append(f"player: {state.current_player()}")
        lines.append(f"legal actions, {len(legal)}: {' '.join(texts)}")
        lines.append(f"action: {state.action_to_string(action)} ({action})")
        state.apply_action(action)
