"""The law of lessons: every step is possible and has its texts in all languages."""

from typing import Final

from ludoteca.core.contract import TERMINAL
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game
from ludoteca.core.spec import GameSpec
from ludoteca.testing.trial import Effort, broken, require
from ludoteca.testing.words import Words

FEWEST_STEPS: Final = 8
MOST_STEPS: Final = 12
"""A lesson takes about three minutes."""


def lessons_are_sound(spec: GameSpec, effort: Effort) -> None:  # noqa: ARG001  # every step is checked
    """Require that a game's lesson, if it has any, has 8 to 12 steps with readable positions and legal answers.

    The texts exist in all languages.
    """
    if not spec.has("lesson"):
        return
    module, words = spec.module("lesson"), Words(spec)
    steps = len(module.STEPS)
    require(
        FEWEST_STEPS <= steps <= MOST_STEPS, spec, f"the lesson has {steps} steps: expected {FEWEST_STEPS} to {MOST_STEPS}"
    )
    for number, step in enumerate(module.STEPS, 1):
        where = f"step {number} of the lesson"
        try:
            game = Game(spec, {**module.PARAMETERS, **step.parameters})
            state = game.state_from_string(step.position)
            actions = [state.string_to_action(text) for text in step.answers]
        except LudotecaError as error:
            raise broken(spec, f"{where}: {error}") from None
        legal = state.legal_actions()
        for text, action in zip(step.answers, actions, strict=True):
            require(action in legal, spec, f"{where}: {text} is not legal")
        words.check_sentence(step.told, f"the text `told` of {where}", state)
        if not step.asked:
            lone = not (step.answers or step.then or step.otherwise or step.unfit)
            require(lone and step.marked, spec, f"{where} has no text `asked`: expected no answers")
            continue
        require(state.current_player() != TERMINAL, spec, f"{where} asks for a move, but the game is over")
        words.check_sentence(step.asked, f"the text `asked` of {where}", state)
        words.check_sentence(step.then, f"the text `then` of {where}", state)
        for field, text in (("otherwise", step.otherwise), ("unfit", step.unfit)):
            if text:
                words.check_sentence(text, f"the text `{field}` of {where}", state)
