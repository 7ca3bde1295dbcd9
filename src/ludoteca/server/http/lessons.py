"""A game's guided first game, worked out by the rules: a page plays it without asking anything more."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ludoteca.core.game import load
from ludoteca.core.lessons import LessonStep
from ludoteca.core.messages import Message
from ludoteca.core.scene import Choice
from ludoteca.core.spec import GameSpec
from ludoteca.server.frames import Previewed, choice_frames
from ludoteca.server.model.creation import spec_of
from ludoteca.server.model.history import Views, scenes_of
from ludoteca.server.refusals import RefusalError


def lesson(name: str) -> list[dict[str, Any]]:
    """The steps of a game's lesson: what is said, shown, asked and may be chosen, and what comes of each answer.

    Raises RefusalError where the game has none.
    """
    spec = spec_of(name)
    if not spec.has("lesson"):
        raise RefusalError("missing")
    module = spec.module("lesson")
    return [_shown(spec, step, {**module.PARAMETERS, **step.parameters}) for step in module.STEPS]


def _shown(spec: GameSpec, step: LessonStep, parameters: dict[str, Any]) -> dict[str, Any]:
    game = load(spec.name, **parameters)
    state = game.state_from_string(step.position)
    views, seat = Views(state), max(0, state.current_player())
    choices = [choice for choice in views.choices() if choice.action != game.rules.CONCEDE] if step.asked else []
    answers = [state.string_to_action(text) for text in step.answers]
    right = answers or [choice.action for choice in choices]
    return {
        "told": step.told,
        "scene": views.draw(seat, ()),
        "asked": step.asked,
        "choices": choice_frames(choices),
        "previews": [_previewed(views, seat, choice.action) for choice in choices],
        "refused": [(touched, step.unfit or reason) for touched, reason in _refused(views, seat, choices)],
        "after": {str(action): Views(state.child(action)).draw(seat, (action,)) for action in right},
        "then": step.then,
        "otherwise": step.otherwise,
        "marked": [str(action) for action in answers if step.marked],
    }


def _previewed(views: Views, seat: int, action: int) -> Previewed:
    preview, deed = views.preview(seat, action)
    return Previewed(0, 0, str(action), preview.items, preview.marked, preview.told, deed)


def _refused(views: Views, seat: int, choices: list[Choice]) -> Iterator[tuple[tuple[str, ...], Message]]:
    """Why one thing alone, or two together, are no choice: of those that are the touches of some.

    A prepared position keeps nothing secret, so the reason is the rules' own.
    """
    scenes, view, legal = scenes_of(views.state.game.spec), views.view(seat).raw, set(views.legal)
    touched = dict.fromkeys(touch for choice in choices for touch in choice.touches)
    for number in (1, 2):
        for together in combinations(touched, number):
            action = scenes.interpret(view, seat, together)
            if action >= 0 and action not in legal:
                yield together, views.state.refused(action)
