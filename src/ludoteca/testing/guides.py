"""The laws (required properties) of a game's rules page and of its guided first game.

A rules page begins with the aim of the game, and has headings, texts and pictures that the game can draw. Every step of a
guided first game is possible by the rules, and has its texts in all languages.
"""

from typing import Final

from ludoteca.core.contract import TERMINAL
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game
from ludoteca.core.guide import KINDS, Guide, Picture, guide_of, picture_of, state_of, words_of
from ludoteca.core.spec import GameSpec
from ludoteca.testing.trial import Effort, broken, require
from ludoteca.testing.words import Words

FEWEST_SECTIONS: Final = 2
"""A guide has a section about a turn and a section about the end of the game."""


def guides_are_sound(spec: GameSpec, effort: Effort) -> None:  # noqa: ARG001  # every section is checked
    """Require that a game's guide has an aim, at least two sections, and texts in all languages, and that its pictures show
    and mark only items that exist. A game without a guide passes.
    """
    guide = guide_of(spec)
    if guide is None:
        return
    words = Words(spec)
    words.check_sentence(guide.aim, "the aim in the guide", None)
    names = [section.id for section in guide.sections]
    require(len(names) >= FEWEST_SECTIONS, spec, f"the guide has {len(names)} sections: expected {FEWEST_SECTIONS} or more")
    require(len(set(names)) == len(names), spec, f"sections of the guide have the same id: {names}")
    for section in guide.sections:
        where = f"section {section.id} of the guide"
        require(section.id.isidentifier() and section.id.islower(), spec, f"{where}: expected an id of small letters")
        words.check_sentence(section.title, f"the heading of {where}", None)
        require(bool(section.parts), spec, f"{where} is empty")
        for part in section.parts:
            told = [part.told] if part.told else []
            require(bool(told or part.points or part.picture), spec, f"{where} has an empty part")
            for message in (*told, *part.points):
                words.check_sentence(message, where, None)
            if part.picture:
                _check_picture(spec, guide, part.picture, where, words)


def _check_picture(spec: GameSpec, guide: Guide, picture: Picture, where: str, words: Words) -> None:
    try:
        state, seat = state_of(spec, guide, picture)
        scene = state.scene(seat)
        cut = picture_of(scene, picture)
    except LudotecaError as error:
        raise broken(spec, f"{where}: {error}") from None
    words.check_sentence(picture.caption, f"a caption in {where}", state)
    words.check_sentence(words_of(scene, picture), f"the words for a picture in {where}", state)
    for mark in picture.marks:
        require(mark.kind in KINDS, spec, f"{where} has a mark of kind {mark.kind!r}: expected one of {', '.join(KINDS)}")
        words.check(mark.text, f"a mark in {where}", state.game.num_players(), state)
    for item in cut.items:
        if item.classes.startswith("mark "):
            inside = 0 <= item.x <= cut.width and 0 <= item.y <= cut.height
            require(inside, spec, f"{where}: {item.id} is outside the picture")


FEWEST_STEPS: Final = 8
MOST_STEPS: Final = 12
"""A lesson takes about three minutes."""


def lessons_are_sound(spec: GameSpec, effort: Effort) -> None:  # noqa: ARG001  # every step is checked
    """Require that a game's guided first game has 8 to 12 steps, whose positions can be read and whose answers are legal. A
    game without one passes.

    All its texts must exist in all languages.
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
