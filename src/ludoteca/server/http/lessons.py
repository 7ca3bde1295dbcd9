"""A game's guided first game, worked out by the rules: a page plays it without asking anything more."""

from functools import cache
from typing import Any

from ludoteca.core.game import load
from ludoteca.core.lessons import Step
from ludoteca.server.frames import choice_frame
from ludoteca.server.model.creation import spec_of
from ludoteca.server.model.history import Views
from ludoteca.server.refusals import RefusalError


@cache
def lesson(name: str) -> list[dict[str, Any]]:
    """The steps of a game's lesson: what is said, shown, asked and may be chosen, and what comes of each answer.

    Raises RefusalError where the game has none.
    """
    spec = spec_of(name)
    if not spec.has("lesson"):
        raise RefusalError("missing")
    module = spec.module("lesson")

    def shown(step: Step) -> dict[str, Any]:
        game = load(name, **{**module.PARAMETERS, **step.parameters})
        state = game.state_from_string(step.position)
        views, seat = Views(state), max(0, state.current_player())
        answers = [state.string_to_action(text) for text in step.answers]
        choices = [choice for choice in views.choices if choice.action != game.rules.CONCEDE] if step.asked else []
        right = answers or [choice.action for choice in choices]
        return {
            "told": step.told,
            "scene": views.draw(seat, ()),
            "asked": step.asked,
            "choices": [choice_frame(choice) for choice in choices],
            "after": {str(action): Views(state.child(action)).draw(seat, (action,)) for action in right},
            "then": step.then,
            "marked": [str(action) for action in answers if step.marked],
        }

    return [shown(step) for step in module.STEPS]
