"""The law of lessons: every step is possible, and says what it says in all languages."""

from typing import Final

from ludoteca.core.contract import TERMINAL
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import load
from ludoteca.core.messages import LANGUAGES, catalogue
from ludoteca.core.spec import GameSpec
from ludoteca.testing.trial import Effort, broken, require

FEWEST: Final = 8
MOST: Final = 12
"""Steps: a lesson of three minutes."""


def lessons_are_sound(spec: GameSpec, effort: Effort) -> None:  # noqa: ARG001  # a lesson is looked at whole
    """A game's lesson has 8 to 12 steps; positions can be read, answers are legal there, texts exist in all languages."""
    if not spec.has("lesson"):
        return
    module = spec.module("lesson")
    game = load(spec.name, **module.PARAMETERS)
    require(
        FEWEST <= len(module.STEPS) <= MOST, spec, f"the lesson has {len(module.STEPS)} steps: expected {FEWEST} to {MOST}"
    )
    for number, step in enumerate(module.STEPS, 1):
        where = f"step {number} of the lesson"
        try:
            state = game.state_from_string(step.position)
            actions = [state.string_to_action(text) for text in step.answers]
        except LudotecaError as error:
            raise broken(spec, f"{where}: {error}") from None
        require(
            not step.asked or state.current_player() != TERMINAL, spec, f"{where}: the game is over, and a move is asked for"
        )
        require(bool(step.asked) or not (actions or step.then), spec, f"{where} has answers, and asks for nothing")
        for text, action in zip(step.answers, actions, strict=True):
            require(action in state.legal_actions(), spec, f"{where}: {text} is not legal")
        for message in (step.told, step.asked, step.then):
            key = message[0] if isinstance(message, tuple) else ""
            for language in LANGUAGES:
                known = not key or key in catalogue(spec.package, language)
                require(known, spec, f"{where}: there is no text {key!r} in {language!r}")
