"""What the pages show of a game: what can be chosen, its rules with pictures, a picture for the lobby. Made once each."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from ludoteca.agents.agent import names_for, new_agent, quick_name_for
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State, load
from ludoteca.core.spec import GameSpec, Integer, OneOf, Parameter, Text, possible
from ludoteca.core.svg import paint
from ludoteca.server.model.creation import spec_of
from ludoteca.server.model.views import Sight, scenes_of

SEED: Final = 1
LONGEST: Final = 400
"""Actions of the game whose middle is the lobby's picture."""


def describe(spec: GameSpec) -> dict[str, Any]:
    """A game as the lobby lists it."""
    return {
        "name": spec.name,
        "title": spec.title,
        "summary": spec.summary,
        "players": spec.players,
        "perfect_information": spec.perfect_information,
        "agents": names_for(spec),
        "parameters": [_parameter(parameter) for parameter in spec.parameters],
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    common = {
        "name": parameter.name,
        "default": parameter.default,
        "help": parameter.help,
        "possible": possible(parameter),
    }
    return common | dict(_own(parameter))


def _own(parameter: Parameter) -> Iterator[tuple[str, Any]]:
    """What only that kind of parameter has."""
    if isinstance(parameter, Integer):
        yield from (("kind", "integer"), ("low", parameter.low), ("high", parameter.high), ("step", parameter.step))
    elif isinstance(parameter, OneOf):
        yield from (("kind", "choice"), ("options", parameter.options))
    elif isinstance(parameter, Text):
        yield "kind", "text"
        for name in ("grid", "presets"):
            if value := getattr(parameter, name, None):
                yield name, value


@cache
def guide(name: str) -> list[dict[str, Any]]:
    """The rules: a paragraph each, with the scene that shows it, or None."""
    scenes = scenes_of(spec_of(name))
    game = load(name, **getattr(scenes, "GUIDE_PARAMETERS", {}))
    return [
        {"text": text, "scene": _shown(game.state_from_string(position)) if position else None}
        for text, position in scenes.GUIDE
    ]


def _shown(state: State) -> Any:
    """As the player to move sees it: these are nobody's games."""
    return Sight(state).draw(max(SPECTATOR, state.current_player()), ())


@cache
def lobby_picture(name: str, theme: str) -> str:
    """A picture of the middle of a game between agents. Raises RefusalError."""
    return paint(spec_of(name), _shown(_middle(name)), theme)


@cache
def _middle(name: str) -> State:
    game = load(name, **getattr(scenes_of(spec_of(name)), "GUIDE_PARAMETERS", {}))
    agent = new_agent(quick_name_for(game.spec), game, SEED)
    seed = next(seed for seed in range(SEED, SEED + 1000) if not game.new_initial_state(seed).is_terminal())
    states = [game.new_initial_state(seed)]
    while not states[-1].is_terminal() and len(states) < LONGEST:
        state = states[-1]
        states.append(state.child(agent.choose(state.information_state(state.current_player())).action))
    return states[len(states) // 2]
