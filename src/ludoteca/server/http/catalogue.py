"""Games as the pages show them: parameters, rules with scenes, a guided first game, a picture for the lobby."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import Any, Final

from ludoteca.agents.agent import new_agent
from ludoteca.agents.levels import deeds
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import Game, State, load
from ludoteca.core.guide import LessonStep, Picture, Section, guide_of, picture_of, state_of, words_of
from ludoteca.core.levels import quick_name_for
from ludoteca.core.messages import Message
from ludoteca.core.scene import Choice
from ludoteca.core.spec import GameSpec, Integer, OneOf, Parameter, Text, possible
from ludoteca.core.svg import THEMES, paint
from ludoteca.server.frames import Previewed, choice_frames
from ludoteca.server.http.previews import png_of
from ludoteca.server.model.creation import spec_of
from ludoteca.server.model.history import Views, scenes_of
from ludoteca.server.refusals import RefusalError

COVER: Final = "cover.svg"
"""A drawing in a game's folder, square, whose style goes by `data-theme` on its root, `light` or `dark`."""
SEED: Final = 1
LONGEST: Final = 400
"""Actions at most of the game whose middle is the lobby's picture."""


def describe(spec: GameSpec) -> dict[str, Any]:
    """Return a game as the lobby lists it."""
    return {
        "name": spec.name,
        "title": spec.title,
        "summary": spec.summary,
        "players": spec.players,
        "perfect_information": spec.perfect_information,
        "all_see_the_same": spec.all_see_the_same,
        "agents": deeds(Game(spec)),
        "sends_at_once": getattr(scenes_of(spec), "SENDS_AT_ONCE", True),
        "plans": hasattr(scenes_of(spec), "begin_turn"),
        "lesson": spec.has("lesson"),
        "together": together(spec),
        "parameters": [_parameter(parameter) for parameter in spec.parameters],
    }


def together(spec: GameSpec) -> dict[str, Any] | None:
    """Return which values of the numbers and choices may be combined, so that a form offers no others. Return None if all
    may.
    """
    finite = {parameter.name: _values(parameter) for parameter in spec.parameters if isinstance(parameter, Integer | OneOf)}
    rest = {parameter.name: parameter.default for parameter in spec.parameters if parameter.name not in finite}
    every = [dict(zip(finite, values, strict=True)) for values in product(*finite.values())]
    fitting = [list(chosen.values()) for chosen in every if not spec.conflict(rest | chosen)]
    return {"names": list(finite), "combinations": fitting} if len(fitting) < len(every) else None


def _values(parameter: Integer | OneOf) -> Sequence[int | str]:
    if isinstance(parameter, OneOf):
        return parameter.options
    return range(parameter.low, parameter.high + 1, parameter.step)


def _parameter(parameter: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": parameter.name,
        "default": parameter.default,
        "help": parameter.help,
        "possible": possible(parameter),
    }
    if isinstance(parameter, Integer):
        found |= {"kind": "integer", "low": parameter.low, "high": parameter.high, "step": parameter.step}
    elif isinstance(parameter, OneOf):
        found |= {"kind": "choice", "options": parameter.options}
    elif isinstance(parameter, Text):
        found["kind"] = "text"
        found |= {name: value for name in ("grid", "presets") if (value := getattr(parameter, name, None))}
    return found


def guide(name: str) -> dict[str, Any]:
    """Return the guide to a game: its aim, and its sections with texts and pictures. Raises RefusalError if it has none."""
    spec = spec_of(name)
    found = guide_of(spec)
    if found is None:
        raise RefusalError("missing")

    def pictured(picture: Picture) -> dict[str, Any]:
        state, seat = state_of(spec, found, picture)
        scene = state.scene(seat)
        return {
            "scene": picture_of(scene, picture),
            "caption": picture.caption,
            "shows": words_of(scene, picture),
        }

    def sectioned(section: Section) -> dict[str, Any]:
        parts = [
            {"told": part.told, "points": part.points, "picture": pictured(part.picture) if part.picture else None}
            for part in section.parts
        ]
        return {"id": section.id, "title": section.title, "parts": parts}

    return {"aim": found.aim, "sections": [sectioned(section) for section in found.sections]}


def _shown(state: State) -> Any:
    """Return the scene that the player to move sees. No person plays these games."""
    return Views(state).draw(max(SPECTATOR, state.current_player()))


def lobby_picture(name: str, theme: str) -> str:
    """Return the game's cover. If it has none, return a picture of the middle of a game.

    Raises RefusalError (`game`) if there is no such game, or if it has no scenes to draw.
    """
    cover = spec_of(name).file(COVER)
    if cover.is_file():
        return cover.read_text(encoding="utf-8").replace("<svg ", f'<svg data-theme="{theme}" ', 1)
    return paint(spec_of(name), _shown(_middle(name)), theme)


def lobby_png(name: str) -> bytes:
    """Return the middle of a game as a PNG file, in light colours. Raises RefusalError as `lobby_picture`.

    Its code is `pictures` if the library that draws PNG files is not installed.
    """
    return png_of(spec_of(name), _shown(_middle(name)), THEMES[0])


@cache
def _middle(name: str) -> State:
    """Return the position in the middle of a game between quick agents."""
    found = guide_of(spec_of(name))
    game = load(name, **(found.parameters if found else {}))
    agent = new_agent(quick_name_for(game.spec), game, SEED)
    seed = next(seed for seed in range(SEED, SEED + 1000) if not game.new_initial_state(seed).is_terminal())
    states = [game.new_initial_state(seed)]
    while not states[-1].is_terminal() and len(states) < LONGEST:
        state = states[-1]
        states.append(state.child(agent.choose(state.information_state(state.current_player())).action))
    return states[len(states) // 2]


def lesson(name: str) -> list[dict[str, Any]]:
    """Return the steps of a game's lesson: the text, the scene, the task, the choices, and the effect of each choice.

    A page can play all steps without further requests. Raises RefusalError if the game has no lesson.
    """
    spec = spec_of(name)
    if not spec.has("lesson"):
        raise RefusalError("missing")
    module = spec.module("lesson")
    return [_step(spec, step, {**module.PARAMETERS, **step.parameters}) for step in module.STEPS]


def _step(spec: GameSpec, step: LessonStep, parameters: dict[str, Any]) -> dict[str, Any]:
    game = load(spec.name, **parameters)
    state = game.state_from_string(step.position)
    views, seat = Views(state), max(0, state.current_player())
    choices = [choice for choice in views.choices() if choice.action != game.rules.CONCEDE] if step.asked else []
    answers = [state.string_to_action(text) for text in step.answers]
    right = answers or [choice.action for choice in choices]
    return {
        "told": step.told,
        "scene": views.draw(seat),
        "asked": step.asked,
        "choices": choice_frames(choices),
        "previews": [_previewed(views, seat, choice.action) for choice in choices],
        "refused": [(touched, step.unfit or reason) for touched, reason in _refused(views, seat, choices)],
        "after": {str(action): state.child(action).scene(seat, state) for action in right},
        "then": step.then,
        "otherwise": step.otherwise,
        "marked": [str(action) for action in answers if step.marked],
    }


def _previewed(views: Views, seat: int, action: int) -> Previewed:
    preview, deed = views.preview(seat, action)
    return Previewed(0, 0, str(action), preview.items, preview.marked, preview.told, deed)


def _refused(views: Views, seat: int, choices: list[Choice]) -> Iterator[tuple[tuple[str, ...], Message]]:
    """Yield one or two examples of items that are no legal action, with the reason in the rules.

    The examples use only items that some legal choice touches. They reveal nothing, because a lesson's positions have no
    secrets.
    """
    scenes, view, legal = scenes_of(views.state.game.spec), views.view(seat).raw, set(views.legal)
    touched = dict.fromkeys(touch for choice in choices for touch in choice.touches)
    for number in (1, 2):
        for together in combinations(touched, number):
            action = scenes.interpret(view, seat, together)
            if action >= 0 and action not in legal:
                yield together, views.state.refused(action)
